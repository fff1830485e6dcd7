/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * The latest delivery signals and the short-term model (draft-ietf-ccwg-bbr 5.5.10.3).
 *
 * Deviation: a retransmission timeout reduces C.cwnd to about a packet. If a timeout happens in a round that
 * starts the short-term model, the model starts from the window before the timeout (the "last known good"
 * window of 5.6.4.4), not from the reduced window.
 */
#ifndef COEXIST_BBR3_CONGESTION_SIGNALS_H
#define COEXIST_BBR3_CONGESTION_SIGNALS_H

#include "bandwidth.h"
#include "state.h"

/*
 * Updates the bandwidth and the volume delivered in the present loss round, and detects the end of the round
 * (UpdateLatestDeliverySignals() of the draft).
 */
BBR3_INLINE void bbr3_update_latest_delivery_signals(struct bbr3 *b, const struct bbr3_connection *c,
                                                     const struct bbr3_sample *rs)
{
	b->loss_round_start = false;
	if (!rs->has_data)
		return;
	b->bw_latest = bbr3_max64(b->bw_latest, rs->delivery_rate);
	b->inflight_latest = bbr3_max32(b->inflight_latest, rs->delivered);
	if (!bbr3_after(b->loss_round_delivered, rs->prior_delivered)) {
		b->loss_round_delivered = c->delivered;
		b->loss_round_start = true;
	}
}

/*
 * Starts the delivery signals of a new loss round with the present sample (AdvanceLatestDeliverySignals() of
 * the draft).
 */
BBR3_INLINE void bbr3_advance_latest_delivery_signals(struct bbr3 *b, const struct bbr3_sample *rs)
{
	if (b->loss_round_start) {
		b->bw_latest = rs->delivery_rate;
		b->inflight_latest = rs->delivered;
	}
}

/* Resets the signals of loss and delivery (ResetCongestionSignals() of the draft). */
BBR3_INLINE void bbr3_reset_congestion_signals(struct bbr3 *b)
{
	b->is_loss_in_round = false;
	b->bw_latest = 0;
	b->inflight_latest = 0;
}

/* Removes the bounds of the short-term model (ResetShortTermModel() of the draft). */
BBR3_INLINE void bbr3_reset_short_term_model(struct bbr3 *b)
{
	b->bw_shortterm = BBR3_INFINITE64;
	b->inflight_shortterm = BBR3_INFINITE32;
}

/* Sets the bounds of the short-term model if there are none (InitLowerBounds() of the draft). */
BBR3_INLINE void bbr3_init_lower_bounds(struct bbr3 *b, const struct bbr3_connection *c)
{
	if (b->bw_shortterm == BBR3_INFINITE64)
		b->bw_shortterm = b->max_bw;
	if (b->inflight_shortterm == BBR3_INFINITE32)
		b->inflight_shortterm = c->in_rto_recovery ? bbr3_max32(c->cwnd, b->prior_cwnd) : c->cwnd;
}

/* Reduces the bounds of the short-term model after a round with loss (LossLowerBounds() of the draft). */
BBR3_INLINE void bbr3_loss_lower_bounds(struct bbr3 *b)
{
	b->bw_shortterm = bbr3_max64(b->bw_latest, b->bw_shortterm * BBR3_BETA / 100);
	b->inflight_shortterm = bbr3_max32(b->inflight_latest, (u64)b->inflight_shortterm * BBR3_BETA / 100);
}

/*
 * Adapts the short-term model after a round with loss, unless BBR is probing (AdaptLowerBoundsFromCongestion()
 * of the draft).
 */
BBR3_INLINE void bbr3_adapt_lower_bounds_from_congestion(struct bbr3 *b, const struct bbr3_connection *c)
{
	if (bbr3_is_probing_bw(b) || !b->is_loss_in_round)
		return;
	bbr3_init_lower_bounds(b, c);
	bbr3_loss_lower_bounds(b);
}

/*
 * Updates the bandwidth and, at the end of a loss round, the short-term model (UpdateCongestionSignals() of the
 * draft).
 */
BBR3_INLINE void bbr3_update_congestion_signals(struct bbr3 *b, const struct bbr3_connection *c,
                                                const struct bbr3_sample *rs)
{
	bbr3_update_max_bw(b, c, rs);
	if (!b->loss_round_start)
		return;
	bbr3_adapt_lower_bounds_from_congestion(b, c);
	if (b->is_loss_in_round)
		bbr3_trace(b, c, b->state, BBR3_LOSS_ROUND);
	b->is_loss_in_round = false;
}

#endif
