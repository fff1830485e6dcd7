/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * The congestion window: loss recovery (draft-ietf-ccwg-bbr 5.6.4.4), adjustment (5.6.4.6) and bounds (5.6.4.5,
 * 5.6.4.7).
 */
#ifndef COEXIST_BBR3_CWND_H
#define COEXIST_BBR3_CWND_H

#include "inflight.h"
#include "state.h"

/* Saves the window, to restore it after a loss recovery or ProbeRTT (SaveCwnd() of the draft). */
BBR3_INLINE void bbr3_save_cwnd(struct bbr3 *b, const struct bbr3_connection *c)
{
	if (!bbr3_in_loss_recovery(c) && b->state != BBR3_PROBE_RTT)
		b->prior_cwnd = c->cwnd;
	else
		b->prior_cwnd = bbr3_max32(b->prior_cwnd, c->cwnd);
}

/* Restores the saved window if it is larger than the present one (RestoreCwnd() of the draft). */
BBR3_INLINE void bbr3_restore_cwnd(const struct bbr3 *b, struct bbr3_connection *c)
{
	c->cwnd = bbr3_max32(c->cwnd, b->prior_cwnd);
}

/* Bounds the window in ProbeRTT (BoundCwndForProbeRTT() of the draft). */
BBR3_INLINE void bbr3_bound_cwnd_for_probe_rtt(const struct bbr3 *b, struct bbr3_connection *c)
{
	if (b->state == BBR3_PROBE_RTT)
		c->cwnd = bbr3_min32(c->cwnd, bbr3_probe_rtt_cwnd(b));
}

/* Bounds the window by the long-term and the short-term model (BoundCwndForModel() of the draft). */
BBR3_INLINE void bbr3_bound_cwnd_for_model(const struct bbr3 *b, struct bbr3_connection *c)
{
	u32 cap = BBR3_INFINITE32;

	if (b->state == BBR3_PROBE_RTT || b->state == BBR3_CRUISE)
		cap = bbr3_inflight_with_headroom(b);
	else if (bbr3_is_in_probe_bw(b))
		cap = b->inflight_longterm;
	cap = bbr3_min32(cap, b->inflight_shortterm);
	cap = bbr3_max32(cap, BBR3_MIN_PIPE_CWND);
	c->cwnd = bbr3_min32(c->cwnd, cap);
}

/*
 * Sets the window upon an acknowledgment (SetCwnd() of the draft). An acknowledgment without new data may also
 * reduce the window, as in the pseudocode.
 */
BBR3_INLINE void bbr3_set_cwnd(struct bbr3 *b, struct bbr3_connection *c, const struct bbr3_sample *rs)
{
	bbr3_update_max_inflight(b);
	if (b->full_bw_reached)
		c->cwnd = bbr3_min32(c->cwnd + rs->newly_acked, b->max_inflight);
	else if (c->cwnd < b->max_inflight || c->delivered < b->initial_cwnd)
		c->cwnd += rs->newly_acked;
	c->cwnd = bbr3_min32(c->cwnd, c->cwnd_clamp);
	c->cwnd = bbr3_max32(c->cwnd, BBR3_MIN_PIPE_CWND);
	bbr3_bound_cwnd_for_probe_rtt(b, c);
	bbr3_bound_cwnd_for_model(b, c);
}

#endif
