/* SPDX-License-Identifier: MIT */
/*
 * The spacing of packets that leave the program in one direction. After a late packet the next ones catch up, but not
 * all at once: a receiver would otherwise see a rate that the link does not have, and BBR remembers the highest.
 *
 * Two times bound the spacing. By the schedule, a packet leaves after the previous one no sooner than the bottleneck's
 * sending time for it, less a 24th. The lateness of a wake-up up to 60 us does not move the schedule. By the clock, it
 * leaves no sooner after the previous one than nine tenths of that time; seven eighths if it is more than 250 us
 * behind, and three quarters if it is more than 2 ms behind, which happens soon where every wake-up is late. A sender
 * that is 5 ms behind was stopped by the machine and sends everything that is due at once: the packets should not wait
 * any longer for that, and an estimate that spans the stop sees the rate of the link.
 */
#ifndef COEXIST_LINK_SPACING_H
#define COEXIST_LINK_SPACING_H

#include <stdint.h>
#include "packet.h"

/* Of the last packet, ns. */
struct spacing {
	uint64_t planned_ns; /* when it might be sent, or not much before it was */
	uint64_t sent_ns;    /* when it was */
};

/* When a packet may be sent, ns; its `time_ns` at the earliest. `now_ns`: says how late it is. */
uint64_t spacing_send_ns(const struct spacing *spacing, const struct packet *packet, uint64_t now_ns);

/* A packet that might be sent at `when_ns` was sent at `now_ns`. */
void spacing_sent(struct spacing *spacing, uint64_t when_ns, uint64_t now_ns);

#endif
