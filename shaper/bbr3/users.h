/* SPDX-License-Identifier: MIT */
/*
 * Processes that use this kernel's BBRv3, and the process whose turn it is to load or unload BBRv3.
 *
 * Each use or turn is a BPF map with a certain name that only one process has open. Ids of BPF maps are the
 * same in the whole kernel, in all namespaces and containers. The kernel removes such a map when its process
 * ends in any way.
 */
#ifndef COEXIST_BBR3_USERS_H
#define COEXIST_BBR3_USERS_H

#include "kernel.h"

/* BPF map that this process holds open to show its use or its turn. */
struct mark {
	int map;
	uint32_t id;
};

/*
 * Waits for the turn of this process. False, with the reason, if the kernel refuses the map, or if another
 * process has the turn for too long.
 */
bool take_turn(struct mark *turn, struct reason *reason);
bool begin_use(struct mark *user, struct reason *reason);
void end_mark(struct mark *mark);

/*
 * Returns the number of processes that use BBRv3, without the use `own` of this process (NULL: none); -1 with
 * the reason.
 */
int count_users(const struct mark *own, struct reason *reason);

#endif
