/* SPDX-License-Identifier: MIT */
/* What coexist-bbr3 finds out about the running kernel, and the BBRv3 that is registered in it. */
#ifndef COEXIST_BBR3_KERNEL_H
#define COEXIST_BBR3_KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/bpf.h>
#include "telemetry.h"

#define CONGESTION_CONTROL "bbr3"

/* A reason why this machine cannot, in a sentence without a full stop. */
struct reason {
	char text[1024];
};

__attribute__((format(printf, 2, 3))) bool cannot(struct reason *reason, const char *format, ...);

/* What of the kernel's types the loader needs. */
struct kernel_types {
	uint32_t cong_control_arguments; /* 2 or 4 */
	uint32_t cong_control_offset;    /* bytes, in the value of a struct_ops map */
};

bool read_kernel_types(struct kernel_types *types, struct reason *reason);

/* CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN. */
bool has_capabilities(struct reason *reason);

/* Does the kernel offer that name to TCP, whoever brought it? */
bool is_name_available(void);

#define NO_MORE_MAPS (-2)

/*
 * The map after the one with that id, of all in the kernel: its file descriptor and what the kernel tells of it. -1:
 * they cannot be listed, with the reason.
 */
int next_map(uint32_t *id, struct bpf_map_info *info, struct reason *reason);

/* The BBRv3 of ours that is registered now: file descriptors of its maps. */
struct registered {
	int struct_ops;
	int constants;
	int counters;
	int records;
	int events;
	struct bbr3_constants what;
	/* of the program that handles acknowledgments; 0 unless kernel.bpf_stats_enabled is 1 */
	uint64_t runs;
	uint64_t run_time_ns;
};

/* 1: found; 0: none of ours is registered; -1: it could not be found out, with the reason. */
int find_registered(const struct kernel_types *types, struct registered *found, struct reason *reason);
void close_registered(struct registered *found);

#endif
