/* SPDX-License-Identifier: MIT */
/*
 * Processes that use this kernel's BBRv3, and the process whose turn it is to load or unload it.
 *
 * Each use or turn is a BPF map with a certain name that only its process has open. Ids of BPF maps are the same in
 * the whole kernel, in all namespaces and containers, and the kernel removes such a map with its process, however
 * that ends.
 */
#ifndef COEXIST_BBR3_USERS_H
#define COEXIST_BBR3_USERS_H

#include "kernel.h"

/* A map of this process. */
struct mark {
	int map;
	uint32_t id;
};

/* False with the reason if the kernel refuses the map, or if another process has the turn for too long. */
bool take_turn(struct mark *turn, struct reason *reason);
bool begin_use(struct mark *user, struct reason *reason);
void end_mark(struct mark *mark);

/* Number of processes that use it, without this one's `own`, which may be NULL; -1 with the reason. */
int count_users(const struct mark *own, struct reason *reason);

#endif
