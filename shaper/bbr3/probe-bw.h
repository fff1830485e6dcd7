/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * The ProbeBW cycle: ends of its phases, and the long-term model (draft-ietf-ccwg-bbr 5.3.3).
 *
 * An acknowledgment reduces C.inflight before BBR processes it. The precaution of 5.3.3.6 therefore uses the
 * data in flight before the acknowledgment. The check for a drained queue uses the data in flight after it.
 */
#ifndef COEXIST_BBR3_PROBE_BW_H
#define COEXIST_BBR3_PROBE_BW_H

#include "inflight.h"
#include "loss.h"
#include "probe-bw-phases.h"
#include "state.h"

/*
 * Starts a bandwidth probe if its wait in time or in rounds has passed, and then returns true
 * (IsTimeToProbeBW() of the draft, with HasElapsedInPhase() and IsRenoCoexistenceProbeTime()).
 */
BBR3_INLINE bool bbr3_is_time_to_probe_bw(struct bbr3 *b, const struct bbr3_connection *c)
{
	if (c->now > b->cycle_stamp + b->bw_probe_wait) {
		bbr3_start_probe_bw_refill(b, c, BBR3_PROBE_TIME);
		return true;
	}
	if (b->rounds_since_probe_up >= bbr3_min32(bbr3_target_inflight(b, c), BBR3_RENO_MAX_ROUNDS)) {
		bbr3_start_probe_bw_refill(b, c, BBR3_RENO_TIME);
		return true;
	}
	return false;
}

/* Returns true if the data in flight is so low that DOWN may end (IsTimeToCruise() of the draft). */
BBR3_INLINE bool bbr3_is_time_to_cruise(const struct bbr3 *b, const struct bbr3_connection *c)
{
	return c->inflight <= bbr3_inflight_with_headroom(b) && c->inflight <= bbr3_inflight(b, b->max_bw);
}

/* Returns true, with the reason in `event`, if UP must end (IsTimeToGoDown() of the draft). */
BBR3_INLINE bool bbr3_is_time_to_go_down(struct bbr3 *b, const struct bbr3_connection *c, const struct bbr3_sample *rs,
                                         u32 *event)
{
	if (b->prev_probe_too_high && c->prior_inflight >= b->inflight_longterm) {
		b->prev_probe_precautionary = true;
		*event = BBR3_PRECAUTION;
		return true;
	}
	if (c->is_cwnd_limited && c->cwnd >= b->inflight_longterm) {
		bbr3_reset_full_bw(b); /* inflight_longterm limits the bandwidth */
		b->full_bw = rs->delivery_rate;
		return false;
	}
	*event = BBR3_PLATEAU;
	return b->full_bw_now;
}

/* Raises inflight_longterm if the flow uses all of it (ProbeInflightLongtermUpward() of the draft). */
BBR3_INLINE void bbr3_probe_inflight_longterm_upward(struct bbr3 *b, const struct bbr3_connection *c,
                                                     const struct bbr3_sample *rs)
{
	if (!c->is_cwnd_limited || c->cwnd < b->inflight_longterm)
		return; /* the flow does not fully use inflight_longterm, so it does not grow */
	b->bw_probe_up_acked += rs->newly_acked;
	if (b->probe_up_acked_per_inc > 0 && b->bw_probe_up_acked >= b->probe_up_acked_per_inc) {
		u32 delta = b->bw_probe_up_acked / b->probe_up_acked_per_inc;

		b->bw_probe_up_acked -= delta * b->probe_up_acked_per_inc;
		b->inflight_longterm += delta;
	}
	if (b->round_start)
		bbr3_raise_inflight_longterm_slope(b, c);
}

/*
 * Adapts inflight_longterm upon an acknowledgment (AdaptLongTermModel() of the draft). Returns true if it
 * started a new phase.
 */
BBR3_INLINE bool bbr3_adapt_long_term_model(struct bbr3 *b, const struct bbr3_connection *c,
                                            const struct bbr3_sample *rs)
{
	if (b->ack_phase == BBR3_ACKS_PROBE_STARTING && b->round_start)
		b->ack_phase = BBR3_ACKS_PROBE_FEEDBACK;
	if (b->ack_phase == BBR3_ACKS_PROBE_STOPPING && b->round_start) {
		/* end of the samples from the bandwidth probing phase */
		b->is_bw_probe_sample = false;
		b->ack_phase = BBR3_ACKS_INIT;
		if (bbr3_is_in_probe_bw(b) && !rs->is_app_limited)
			bbr3_advance_max_bw_filter(b);
		if (bbr3_is_in_probe_bw(b) && b->prev_probe_precautionary && !b->prev_probe_too_high) {
			bbr3_start_probe_bw_refill(b, c, BBR3_PRECAUTION_OK);
			return true;
		}
	}
	if (bbr3_is_inflight_too_high(c, rs) || b->inflight_longterm == BBR3_INFINITE32)
		return false;
	/* the loss rate is safe: raise the upper bound */
	b->inflight_longterm = bbr3_max32(b->inflight_longterm, rs->tx_in_flight);
	if (b->state == BBR3_UP)
		bbr3_probe_inflight_longterm_upward(b, c, rs);
	return false;
}

/* Moves to the next ProbeBW phase if the present one must end (UpdateProbeBWCyclePhase() of the draft). */
BBR3_INLINE void bbr3_update_probe_bw_cycle_phase(struct bbr3 *b, const struct bbr3_connection *c,
                                                  const struct bbr3_sample *rs)
{
	u32 event = BBR3_PLATEAU;

	if (!b->full_bw_reached || bbr3_adapt_long_term_model(b, c, rs) || !bbr3_is_in_probe_bw(b))
		return;
	if (b->state == BBR3_DOWN || b->state == BBR3_CRUISE) {
		if (!bbr3_is_time_to_probe_bw(b, c) && b->state == BBR3_DOWN && bbr3_is_time_to_cruise(b, c))
			bbr3_start_probe_bw_cruise(b, c, BBR3_DRAINED);
	} else if (b->state == BBR3_REFILL) {
		if (b->round_start) {
			b->is_bw_probe_sample = true;
			bbr3_start_probe_bw_up(b, c, rs);
		}
	} else if (bbr3_is_time_to_go_down(b, c, rs, &event)) {
		b->prev_probe_too_high = false; /* no high loss so far */
		bbr3_start_probe_bw_down(b, c, event);
	}
}

#endif
