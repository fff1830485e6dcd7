/* SPDX-License-Identifier: MIT */
/* Facts about the running kernel, and the BBRv3 that is registered in the kernel. */
#ifndef COEXIST_BBR3_KERNEL_H
#define COEXIST_BBR3_KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/bpf.h>
#include "telemetry.h"

#define CONGESTION_CONTROL "bbr3"

enum reason_kind {
	CANNOT, /* this machine lacks a feature */
	BUSY,   /* temporary cause: other processes are active, or memory or files are short */
	TAKEN,  /* another module or another version has the name; it must be unloaded by hand */
};

/* Reason of a failure. The text is a sentence without a full stop. */
struct reason {
	enum reason_kind kind;
	char text[1024];
};

__attribute__((format(printf, 3, 4))) bool refuse(struct reason *reason, enum reason_kind kind, const char *format,
                                                  ...);
#define cannot(reason, ...) refuse(reason, CANNOT, __VA_ARGS__)

/* Returns the kind of a refusal by the kernel with that error number: BUSY or CANNOT. */
enum reason_kind kind_of(int error);

/* Facts about the types of the kernel that the loader needs. */
struct kernel_types {
	uint32_t cong_control_arguments; /* number of arguments of cong_control: 2 or 4 */
	uint32_t cong_control_offset;    /* offset of cong_control in the value of a struct_ops map, bytes */
};

bool read_kernel_types(struct kernel_types *types, struct reason *reason);

/*
 * Returns true if this process has CAP_SYS_ADMIN. CAP_BPF and CAP_PERFMON let a process load a program, but not
 * find maps by their ids.
 */
bool has_capabilities(struct reason *reason);

/* Returns true if the kernel offers the name "bbr3" to TCP, from any source. */
bool is_name_available(void);

#define NO_MORE_MAPS (-2)

/*
 * Opens the next map of the kernel after the map with id `id`. Returns its file descriptor and fills in `id`
 * and `info`. NO_MORE_MAPS: there is no further map. -1: the maps cannot be listed, with the reason.
 */
int next_map(uint32_t *id, struct bpf_map_info *info, struct reason *reason);

/* File descriptors of the maps of the registered BBRv3, if it is the project's, and its constants. */
struct registered {
	int struct_ops;
	int constants;
	int counters;
	int records;
	int events;
	/*
	 * true if another version of this program registered the BBRv3, which shows in the size of its constants;
	 * only the magic and the version in `what` are then valid
	 */
	bool other_version;
	struct bbr3_constants what;
	/* cost of the program that handles acknowledgments; both are 0 unless kernel.bpf_stats_enabled is 1 */
	uint64_t runs;
	uint64_t run_time_ns;
};

/* Finds the project's registered BBRv3. Returns 1: found; 0: not registered; -1: unknown, with the reason. */
int find_registered(const struct kernel_types *types, struct registered *found, struct reason *reason);
void close_registered(struct registered *found);

#endif
