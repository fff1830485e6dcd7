/* SPDX-License-Identifier: MIT */
/*
 * The spacing of packets that leave a bottleneck: what keeps it from being faster than its rate after a late packet.
 *
 * Three bounds hold, each in terms of the packets' own sending times: two packets are at least nine tenths of the
 * second one's time apart; any ten in a row take at least 79/80 of theirs (1.013 times the rate), on fast links by at
 * most 25 us less and at least 55/56 (1.018 times, beyond some 70 Mbit/s); and over longer stretches a bottleneck that
 * is behind makes up for one 101st of each packet's time (1.01 times the rate). For this last one, lateness up to a
 * quarter of a packet's time, and up to 60 us at any rate, does not count. Wake-ups are never quite regular, by tens
 * of us whatever the rate, and at 100 Mbit/s a full packet takes 121 us.
 */
#ifndef COEXIST_LINK_SPACING_H
#define COEXIST_LINK_SPACING_H

#include <stdint.h>

enum { SPACING_ROW = 10 };

struct spacing {
	uint64_t sent_ns[SPACING_ROW];   /* of the last packets, the n-th at n % SPACING_ROW */
	uint64_t served_ns[SPACING_ROW]; /* sending times of all packets up to it, added up */
	uint64_t count;
	uint64_t planned_ns; /* when the last one might be sent at the rate at which is caught up */
};

/* When the next packet may be sent at the earliest. `service_ns`: its own sending time. */
uint64_t spacing_earliest_ns(const struct spacing *spacing, uint64_t service_ns);

/* It was sent, and not earlier than that. */
void spacing_sent(struct spacing *spacing, uint64_t service_ns, uint64_t sent_ns);

#endif
