/* SPDX-License-Identifier: MIT */
/*
 * The spacing of packets that leave a bottleneck, which limits its rate after a late packet.
 *
 * Three bounds hold, relative to the packets' service times. Two packets are apart by at least nine tenths of
 * the service time of the second one. Any ten in a row take at least 79/80 of their service times (1.013 times
 * the rate); on fast links up to 25 us less, but at least 55/56 (1.018 times, above about 70 Mbit/s). Over
 * longer periods a late bottleneck makes up for one 101st of each packet's time (1.01 times the rate). In this
 * last bound, lateness up to a quarter of a packet's time, and in any case up to 60 us, does not count.
 * Wake-ups vary by tens of us at any rate, and at 100 Mbit/s a full packet takes 121 us.
 */
#ifndef COEXIST_LINK_SPACING_H
#define COEXIST_LINK_SPACING_H

#include <stdint.h>

enum { SPACING_ROW = 10 };

struct spacing {
	uint64_t sent_ns[SPACING_ROW];   /* departures of the last packets, the n-th at n % SPACING_ROW */
	uint64_t served_ns[SPACING_ROW]; /* total service time up to each of these packets */
	uint64_t count;
	uint64_t planned_ns; /* departure of the last packet at the catch-up rate */
};

/* Returns the earliest departure of the next packet. `service_ns`: service time of that packet. */
uint64_t spacing_earliest_ns(const struct spacing *spacing, uint64_t service_ns);

/* Records a departure. `sent_ns` must not be before the earliest departure. */
void spacing_sent(struct spacing *spacing, uint64_t service_ns, uint64_t sent_ns);

#endif
