/* SPDX-License-Identifier: MIT */
/* First step of every command: checks that this process may list maps, and finds the registered BBRv3. */
#ifndef COEXIST_BBR3_LOOK_H
#define COEXIST_BBR3_LOOK_H

#include "kernel.h"

/*
 * Returns 1: the project's BBRv3 is registered, in any version; 0: it is not registered; -1: failure, with the
 * reason.
 */
int look(struct kernel_types *types, struct registered *found, struct reason *reason);

/* Same as `look`, but returns -1 if another version of the project's BBRv3 is registered. */
int look_for_own(struct kernel_types *types, struct registered *found, struct reason *reason);

/*
 * Same as `look_for_own`, but for use outside of a turn (users.h). Sets `taken` to true if another module
 * certainly has the name.
 */
int look_for_name(struct kernel_types *types, struct registered *found, bool *taken, struct reason *reason);

#endif
