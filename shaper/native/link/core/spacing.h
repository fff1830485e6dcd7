/* SPDX-License-Identifier: MIT */
/*
 * How far apart packets leave the program in one direction. After a packet that left late the next ones make up for it,
 * but not at once: a receiver would see a rate that the link has not, and BBR remembers the highest.
 *
 * Two times bound it. By its plan, a packet leaves no sooner after the one before it than the bottleneck takes to send
 * it, less a 24th. The lateness of a wake-up up to 60 us does not move the plan. By the clock, it leaves no sooner
 * after the one before it than nine tenths of that time; seven eighths where it is more than 250 us behind, and three
 * quarters where it is more than 2 ms behind, as it soon is where every wake-up is late. Whoever is 5 ms behind was
 * stopped by the machine, and sends all that is due at once: the packets should not have to wait any longer for that,
 * and an estimate that spans the stop sees the rate of the link.
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
