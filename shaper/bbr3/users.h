/* SPDX-License-Identifier: MIT */
/*
 * Which processes use the BBRv3 of this kernel, and whose turn it is to load or unload it.
 *
 * Each is a BPF map with a name that says so and that only its process has open. Ids of BPF maps are the same in the
 * whole kernel, whatever namespaces or container a process is in, and the kernel removes such a map with its process,
 * however that ends.
 */
#ifndef COEXIST_BBR3_USERS_H
#define COEXIST_BBR3_USERS_H

#include "kernel.h"

/* A map of this process. */
struct mark {
	int map;
	uint32_t id;
};

/* False with the reason where the kernel gives none, or where the turn is another process's for too long. */
bool take_turn(struct mark *turn, struct reason *reason);
bool begin_use(struct mark *user, struct reason *reason);
void end_mark(struct mark *mark);

/* How many processes use it, but for this one's `own`, which may be NULL; -1 with the reason. */
int count_users(const struct mark *own, struct reason *reason);

#endif
