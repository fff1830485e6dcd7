/* SPDX-License-Identifier: MIT */
/* Facts about the running kernel, and the BBRv3 that is registered in it. */
#ifndef COEXIST_BBR3_KERNEL_H
#define COEXIST_BBR3_KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/bpf.h>
#include "telemetry.h"

#define CONGESTION_CONTROL "bbr3"

enum reason_kind {
	CANNOT, /* this machine lacks a feature */
	BUSY,   /* temporary: other processes are active, or memory or files are short */
	TAKEN,  /* another module or another version has the name and must be unloaded by hand */
};

/* Reason of a failure, in a sentence without a full stop. */
struct reason {
	enum reason_kind kind;
	char text[1024];
};

__attribute__((format(printf, 3, 4))) bool refuse(struct reason *reason, enum reason_kind kind, const char *format,
                                                  ...);
#define cannot(reason, ...) refuse(reason, CANNOT, __VA_ARGS__)

/* Kind of a refusal by the kernel with that error number: BUSY or CANNOT. */
enum reason_kind kind_of(int error);

/* Facts about the kernel's types for the loader. */
struct kernel_types {
	uint32_t cong_control_arguments; /* 2 or 4 */
	uint32_t cong_control_offset;    /* bytes, in the value of a struct_ops map */
};

bool read_kernel_types(struct kernel_types *types, struct reason *reason);

/* Checks for CAP_SYS_ADMIN: CAP_BPF and CAP_PERFMON let a process load a program, but not find maps by their ids. */
bool has_capabilities(struct reason *reason);

/* True if the kernel offers that name to TCP, from any source. */
bool is_name_available(void);

#define NO_MORE_MAPS (-2)

/*
 * The next map after the given id, of all in the kernel: returns its file descriptor and fills in `info`. -1: they
 * cannot be listed, with the reason.
 */
int next_map(uint32_t *id, struct bpf_map_info *info, struct reason *reason);

/* The project's BBRv3 that is registered now: file descriptors of its maps. */
struct registered {
	int struct_ops;
	int constants;
	int counters;
	int records;
	int events;
	/* its constants have other members than this program's: in `what` only magic and version are known */
	bool other_version;
	struct bbr3_constants what;
	/* cost of the program that handles acknowledgments; 0 unless kernel.bpf_stats_enabled is 1 */
	uint64_t runs;
	uint64_t run_time_ns;
};

/* 1: found; 0: not registered; -1: unknown, with the reason. */
int find_registered(const struct kernel_types *types, struct registered *found, struct reason *reason);
void close_registered(struct registered *found);

#endif
