/* SPDX-License-Identifier: MIT */
/* The path of the simulation: a bottleneck with a queue or a policer, a delay, and what comes back. */
#ifndef COEXIST_TESTS_BBR3_PATH_H
#define COEXIST_TESTS_BBR3_PATH_H

#include "simulation.h"

/* Sends a transmission on its way; it arrives, as an acknowledgment, or is lost. */
void path_send(struct simulation *s, u32 number);
/* When something happens on the path next, or NEVER. */
u64 path_next_event(const struct simulation *s);
/* Does what has to be done by now; true where an acknowledgment has arrived. */
bool path_advance(struct simulation *s);
/* Takes one that has arrived by now. */
bool path_take_arrival(struct simulation *s, u32 *number);
#endif
