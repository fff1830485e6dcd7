/* SPDX-License-Identifier: MIT */
/* First step of every command: checks that this process may list maps, and finds the registered BBRv3. */
#ifndef COEXIST_BBR3_LOOK_H
#define COEXIST_BBR3_LOOK_H

#include "kernel.h"

/* 1: the project's BBRv3 is registered, in any version; 0: it is not; -1 with the reason. */
int look(struct kernel_types *types, struct registered *found, struct reason *reason);

/* Like `look`, but -1 for a registration of another version. */
int look_for_own(struct kernel_types *types, struct registered *found, struct reason *reason);

/* Like `look_for_own`, for use outside of a turn (users.h). `taken`: another module certainly has the name. */
int look_for_name(struct kernel_types *types, struct registered *found, bool *taken, struct reason *reason);

#endif
