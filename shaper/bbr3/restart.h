/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * Restart from idle (draft-ietf-ccwg-bbr 5.4.1).
 *
 * Deviation: BBR.extra_acked_delivered is reset as well. The pseudocode resets only
 * BBR.extra_acked_interval_start, but 2.12 defines extra_acked_delivered as the data delivered since
 * extra_acked_interval_start. If the round trip is shorter than the spacing of the packets, every packet of
 * ProbeRTT is such a restart. Data delivered in 200 ms would then be compared with an interval of one round
 * trip, and extra_acked and the window would increase each other.
 */
#ifndef COEXIST_BBR3_RESTART_H
#define COEXIST_BBR3_RESTART_H

#include "pacing.h"
#include "probe-rtt.h"
#include "state.h"

/* Handles a restart from idle (HandleRestartFromIdle() of the draft). Called before a packet is sent. */
BBR3_INLINE void bbr3_handle_restart_from_idle(struct bbr3 *b, struct bbr3_connection *c)
{
	if (c->inflight != 0 || !(c->app_limited || bbr3_is_connection_marked(b, c)))
		return;
	if (!b->idle_restart)
		bbr3_trace(b, c, b->state, BBR3_RESTART);
	b->idle_restart = true;
	b->extra_acked_interval_start = c->now;
	b->extra_acked_delivered = 0;
	if (bbr3_is_in_probe_bw(b))
		bbr3_set_pacing_rate_with_gain(b, c, 100);
	else if (b->state == BBR3_PROBE_RTT)
		bbr3_check_probe_rtt_done(b, c);
}

#endif
