/* SPDX-License-Identifier: MIT */
/* Packets between the ports and the link: read with their arrival times, and sent back when they are due. */
#ifndef COEXIST_LINK_FORWARD_H
#define COEXIST_LINK_FORWARD_H

#include "control.h"
#include "port.h"

struct forward {
	struct port ports[DIRECTIONS];
	uint64_t usual_write_ns[DIRECTIONS];
};

/*
 * Reads the frames of both ports in the order of arrival, and advances the link to the present time. False:
 * more frames wait.
 */
bool forward_read(struct forward *forward, struct control *control);

/*
 * Sends the packets that are due. Returns the time of the next call; NEVER: no call is needed before the next
 * arrival.
 */
uint64_t forward_write(struct forward *forward, struct control *control);

#endif
