/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/* Starts of the ProbeBW phases (draft-ietf-ccwg-bbr 5.3.3.9), with the gains of the table in 5.6.1. */
#ifndef COEXIST_BBR3_PROBE_BW_PHASES_H
#define COEXIST_BBR3_PROBE_BW_PHASES_H

#include "bandwidth.h"
#include "congestion-signals.h"
#include "full-pipe.h"
#include "state.h"

/*
 * Chooses the random wait for the next bandwidth probe, in time and in rounds (PickProbeWait() of the draft,
 * 5.3.3.8.3).
 */
BBR3_INLINE void bbr3_pick_probe_wait(struct bbr3 *b)
{
	b->rounds_since_probe_up = bbr3_random() & 1;
	b->bw_probe_wait = BBR3_PROBE_WAIT_MIN + bbr3_random() % BBR3_PROBE_WAIT_RANDOM;
}

/* Doubles the growth of inflight_longterm for the next round (RaiseInflightLongtermSlope() of the draft). */
BBR3_INLINE void bbr3_raise_inflight_longterm_slope(struct bbr3 *b, const struct bbr3_connection *c)
{
	u32 growth_this_round = 1u << (b->bw_probe_up_rounds & 31);

	b->bw_probe_up_rounds = bbr3_min32(b->bw_probe_up_rounds + 1, BBR3_MAX_UP_ROUNDS);
	b->probe_up_acked_per_inc = bbr3_max32(c->cwnd / growth_this_round, 1);
}

/* Enters DOWN (StartProbeBW_DOWN() of the draft). */
BBR3_INLINE void bbr3_start_probe_bw_down(struct bbr3 *b, const struct bbr3_connection *c, u32 event)
{
	bbr3_reset_congestion_signals(b);
	b->probe_up_acked_per_inc = BBR3_INFINITE32;
	bbr3_pick_probe_wait(b);
	b->cycle_stamp = c->now;
	b->ack_phase = BBR3_ACKS_PROBE_STOPPING;
	bbr3_start_round(b, c);
	bbr3_enter(b, c, BBR3_DOWN, BBR3_DOWN_PACING_GAIN, BBR3_DEFAULT_CWND_GAIN, event);
}

/* Enters CRUISE (StartProbeBW_CRUISE() of the draft). */
BBR3_INLINE void bbr3_start_probe_bw_cruise(struct bbr3 *b, const struct bbr3_connection *c, u32 event)
{
	bbr3_enter(b, c, BBR3_CRUISE, BBR3_CRUISE_PACING_GAIN, BBR3_DEFAULT_CWND_GAIN, event);
}

/* Enters REFILL (StartProbeBW_REFILL() of the draft). */
BBR3_INLINE void bbr3_start_probe_bw_refill(struct bbr3 *b, const struct bbr3_connection *c, u32 event)
{
	bbr3_reset_short_term_model(b);
	b->bw_probe_up_rounds = 0;
	b->bw_probe_up_acked = 0;
	b->prev_probe_precautionary = false;
	b->ack_phase = BBR3_ACKS_REFILLING;
	bbr3_start_round(b, c);
	bbr3_enter(b, c, BBR3_REFILL, BBR3_CRUISE_PACING_GAIN, BBR3_DEFAULT_CWND_GAIN, event);
}

/* Enters UP (StartProbeBW_UP() of the draft). */
BBR3_INLINE void bbr3_start_probe_bw_up(struct bbr3 *b, const struct bbr3_connection *c, const struct bbr3_sample *rs)
{
	b->ack_phase = BBR3_ACKS_PROBE_STARTING;
	bbr3_start_round(b, c);
	bbr3_reset_full_bw(b);
	b->full_bw = rs->delivery_rate;
	bbr3_enter(b, c, BBR3_UP, BBR3_UP_PACING_GAIN, BBR3_UP_CWND_GAIN, BBR3_REFILLED);
	bbr3_raise_inflight_longterm_slope(b, c);
}

#endif
