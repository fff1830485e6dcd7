/* SPDX-License-Identifier: MIT */
/* Packets between the ports and the link: read with the time of their arrival, sent back when they are due. */
#ifndef COEXIST_LINK_FORWARD_H
#define COEXIST_LINK_FORWARD_H

#include "control.h"
#include "port.h"

struct forward {
	struct port ports[DIRECTIONS];
	uint64_t usual_write_ns[DIRECTIONS];
};

/* Reads what waits at both ports, in the order of its arrival; then everything up to now has happened in the link.
 * False: there is more. */
bool forward_read(struct forward *forward, struct control *control);

/* Sends what is due. Returns when to come back at the latest; NEVER: not before the next arrival. */
uint64_t forward_write(struct forward *forward, struct control *control);

#endif
