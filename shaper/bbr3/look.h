/* SPDX-License-Identifier: MIT */
/* What every command needs first: whether this process may look, and what is registered now. */
#ifndef COEXIST_BBR3_LOOK_H
#define COEXIST_BBR3_LOOK_H

#include "kernel.h"

/* 1: one of ours is registered, of whatever version; 0: none is; -1 with the reason. */
int look(struct kernel_types *types, struct registered *found, struct reason *reason);

/* The same, but what another version has registered is a reason. */
int look_for_own(struct kernel_types *types, struct registered *found, struct reason *reason);

/* The same outside of a turn (users.h), and for certain whether another module has the name. */
int look_for_name(struct kernel_types *types, struct registered *found, bool *taken, struct reason *reason);

#endif
