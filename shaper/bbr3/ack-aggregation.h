/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * BBR.extra_acked, the degree of aggregation in the path (draft-ietf-ccwg-bbr 5.5.9).
 *
 * The maximum over the window is exact, with one slot for each round trip. A window of N rounds holds the
 * present round and the N rounds before it.
 */
#ifndef COEXIST_BBR3_ACK_AGGREGATION_H
#define COEXIST_BBR3_ACK_AGGREGATION_H

#include "state.h"

#define BBR3_EXTRA_ACKED_MASK (BBR3_EXTRA_ACKED_SLOTS - 1)
/*
 * Longest interval of an aggregation episode, us. A longer interval has ended under any condition; the limit
 * keeps products within 64 bits.
 */
#define BBR3_EXTRA_ACKED_INTERVAL_MAX (1ull << 28)

/* Returns the maximum of extra_acked over the rounds in the window, packets. */
BBR3_INLINE u32 bbr3_most_extra_acked(const struct bbr3 *b)
{
	u32 length = b->full_bw_reached ? BBR3_EXTRA_ACKED_FILTER_LEN : 1;
	u32 most = 0;

	for (u32 ago = 0; ago <= BBR3_EXTRA_ACKED_FILTER_LEN; ago++) {
		u32 slot = (b->round_count - ago) & BBR3_EXTRA_ACKED_MASK;

		if (ago <= length)
			most = bbr3_max32(most, b->extra_acked_rounds[slot]);
	}
	return most;
}

/*
 * Updates the estimate of extra_acked (UpdateACKAggregation() of the draft). Called on each acknowledgment that
 * acknowledges data.
 */
BBR3_INLINE void bbr3_update_ack_aggregation(struct bbr3 *b, const struct bbr3_connection *c,
                                             const struct bbr3_sample *rs)
{
	u64 interval = bbr3_min64(c->now - b->extra_acked_interval_start, BBR3_EXTRA_ACKED_INTERVAL_MAX);
	u64 expected_delivered = (b->bw * interval) >> BBR3_BW_SHIFT;
	u32 slot = b->round_count & BBR3_EXTRA_ACKED_MASK;
	u32 extra;

	if (b->round_start)
		b->extra_acked_rounds[slot] = 0;
	if (rs->newly_acked == 0)
		return;
	/* acknowledgments came more slowly than expected: an episode of aggregation has ended */
	if (b->extra_acked_delivered <= expected_delivered) {
		b->extra_acked_delivered = 0;
		b->extra_acked_interval_start = c->now;
		expected_delivered = 0;
	}
	b->extra_acked_delivered += rs->newly_acked;
	extra = bbr3_min32(b->extra_acked_delivered - (u32)expected_delivered, c->cwnd);
	b->extra_acked_rounds[slot] = bbr3_max32(b->extra_acked_rounds[slot], extra);
	b->extra_acked = b->round_start ? bbr3_most_extra_acked(b) : bbr3_max32(b->extra_acked, extra);
}

#endif
