/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * Packet-timed round trips (draft-ietf-ccwg-bbr 5.5.1) and the estimate of the bandwidth (5.5.2 to 5.5.6).
 *
 * The max filter has two slots, as 5.5.6 requires: for the previous and for the present ProbeBW cycle. A cycle
 * without samples is not counted, so that a flow that was application-limited throughout keeps its estimate
 * (3.8).
 */
#ifndef COEXIST_BBR3_BANDWIDTH_H
#define COEXIST_BBR3_BANDWIDTH_H

#include "state.h"

/*
 * Returns the bandwidth of `packets` delivered in `interval` us, in packets per us times 2^BBR3_BW_SHIFT; 0 if
 * `interval` is 0.
 */
BBR3_INLINE u64 bbr3_bandwidth(u32 packets, u64 interval)
{
	return interval == 0 ? 0 : ((u64)packets << BBR3_BW_SHIFT) / interval;
}

/* Begins a packet-timed round trip (StartRound() of the draft). */
BBR3_INLINE void bbr3_start_round(struct bbr3 *b, const struct bbr3_connection *c)
{
	b->next_round_delivered = c->delivered;
}

/*
 * Initialises the counting of round trips (InitRoundCounting() of the draft). The connection may have delivered
 * data before BBR was chosen.
 */
BBR3_INLINE void bbr3_init_round_counting(struct bbr3 *b, const struct bbr3_connection *c)
{
	b->next_round_delivered = c->delivered;
	b->loss_round_delivered = c->delivered;
	b->round_start = false;
	b->round_count = 0;
}

/* Counts a round trip if the acknowledgment ends it (UpdateRound() of the draft). */
BBR3_INLINE void bbr3_update_round(struct bbr3 *b, const struct bbr3_connection *c, const struct bbr3_sample *rs)
{
	b->round_start = rs->has_data && !bbr3_after(b->next_round_delivered, rs->prior_delivered);
	if (!b->round_start)
		return;
	bbr3_start_round(b, c);
	b->round_count++;
	b->rounds_since_probe_up++;
}

/* Updates the round count, and the maximum of the bandwidth with the sample (UpdateMaxBw() of the draft). */
BBR3_INLINE void bbr3_update_max_bw(struct bbr3 *b, const struct bbr3_connection *c, const struct bbr3_sample *rs)
{
	bbr3_update_round(b, c, rs);
	if (rs->delivery_rate > 0 && (rs->delivery_rate >= b->max_bw || !rs->is_app_limited)) {
		b->max_bw_filter[1] = bbr3_max64(b->max_bw_filter[1], rs->delivery_rate);
		b->max_bw = bbr3_max64(b->max_bw_filter[0], b->max_bw_filter[1]);
	}
}

/*
 * Makes the present slot of the max filter the previous one, unless the present one has no sample
 * (AdvanceMaxBwFilter() of the draft).
 */
BBR3_INLINE void bbr3_advance_max_bw_filter(struct bbr3 *b)
{
	if (b->max_bw_filter[1] == 0)
		return;
	b->max_bw_filter[0] = b->max_bw_filter[1];
	b->max_bw_filter[1] = 0;
	b->max_bw = b->max_bw_filter[0];
}

/*
 * Sets the bandwidth to its maximum, bounded by the short-term model (BoundBWForModel() of the draft,
 * 5.5.10.3).
 */
BBR3_INLINE void bbr3_bound_bw_for_model(struct bbr3 *b)
{
	b->bw = bbr3_min64(b->max_bw, b->bw_shortterm);
}

#endif
