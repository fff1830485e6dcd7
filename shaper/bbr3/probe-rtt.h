/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * ProbeRTT and the estimate of the propagation delay (draft-ietf-ccwg-bbr 5.3.4, 5.5.7).
 *
 * MarkConnectionAppLimited() (4.1.2.4) is implemented here and not in the transport, because older kernels do
 * not let BPF write to the transport. A mark applies to the packets sent while C.delivered went from its value
 * at the first mark to the marked index.
 */
#ifndef COEXIST_BBR3_PROBE_RTT_H
#define COEXIST_BBR3_PROBE_RTT_H

#include "bandwidth.h"
#include "cwnd.h"
#include "probe-bw-phases.h"
#include "startup.h"
#include "state.h"

/*
 * Updates the minimum of the round-trip time, and detects that ProbeRTT is due (UpdateMinRTT() of the draft).
 */
BBR3_INLINE void bbr3_update_min_rtt(struct bbr3 *b, const struct bbr3_connection *c, const struct bbr3_sample *rs)
{
	bool min_rtt_expired;

	b->probe_rtt_expired = c->now > b->probe_rtt_min_stamp + BBR3_PROBE_RTT_INTERVAL;
	if (rs->rtt != BBR3_INFINITE32 && (rs->rtt < b->probe_rtt_min_delay || b->probe_rtt_expired)) {
		b->probe_rtt_min_delay = rs->rtt;
		b->probe_rtt_min_stamp = c->now;
	}
	min_rtt_expired = c->now > b->min_rtt_stamp + BBR3_MIN_RTT_FILTER_LEN;
	if (b->probe_rtt_min_delay < b->min_rtt || min_rtt_expired) {
		b->min_rtt = b->probe_rtt_min_delay;
		b->min_rtt_stamp = b->probe_rtt_min_stamp;
	}
}

/*
 * Marks the connection as application-limited until the data now in flight is delivered
 * (MarkConnectionAppLimited() of the draft).
 */
BBR3_INLINE void bbr3_mark_app_limited(struct bbr3 *b, const struct bbr3_connection *c)
{
	if (!b->app_limited)
		b->app_limited_from = c->delivered;
	b->app_limited = true;
	b->app_limited_until = c->delivered + c->inflight;
}

/*
 * Returns true while the mark of the connection applies. 4.1.2.3 removes the mark once more data has been
 * delivered than was sent at the mark.
 */
BBR3_INLINE bool bbr3_is_connection_marked(const struct bbr3 *b, const struct bbr3_connection *c)
{
	return b->app_limited && !bbr3_after(c->delivered, b->app_limited_until);
}

/*
 * Returns true if the packet of sample `rs` was sent while the connection was marked. Clears a mark that the
 * acknowledgments have passed.
 */
BBR3_INLINE bool bbr3_is_marked_app_limited(struct bbr3 *b, const struct bbr3_sample *rs)
{
	if (!b->app_limited || !rs->has_data)
		return false;
	if (bbr3_after(rs->prior_delivered, b->app_limited_until)) {
		b->app_limited = false;
		return false;
	}
	return !bbr3_after(b->app_limited_from, rs->prior_delivered);
}

/* Leaves ProbeRTT for CRUISE, or for Startup if the pipe was never full (ExitProbeRTT() of the draft). */
BBR3_INLINE void bbr3_exit_probe_rtt(struct bbr3 *b, struct bbr3_connection *c)
{
	bbr3_reset_short_term_model(b);
	if (b->full_bw_reached) {
		bbr3_start_probe_bw_down(b, c, BBR3_PROBE_RTT_DONE);
		bbr3_start_probe_bw_cruise(b, c, BBR3_PROBE_RTT_DONE);
	} else {
		bbr3_enter_startup(b, c, BBR3_PROBE_RTT_DONE);
	}
}

/* Ends ProbeRTT if its time has passed (CheckProbeRTTDone() of the draft). */
BBR3_INLINE void bbr3_check_probe_rtt_done(struct bbr3 *b, struct bbr3_connection *c)
{
	if (b->probe_rtt_done_stamp == 0 || c->now <= b->probe_rtt_done_stamp)
		return;
	b->probe_rtt_min_stamp = c->now; /* schedules the next ProbeRTT */
	bbr3_restore_cwnd(b, c);
	bbr3_exit_probe_rtt(b, c);
}

/*
 * Waits in ProbeRTT until the data in flight is low, then for 200 ms and a round trip (HandleProbeRTT() of the
 * draft).
 */
BBR3_INLINE void bbr3_handle_probe_rtt(struct bbr3 *b, struct bbr3_connection *c)
{
	bbr3_mark_app_limited(b, c);
	if (b->probe_rtt_done_stamp == 0 && c->inflight <= bbr3_probe_rtt_cwnd(b)) {
		b->probe_rtt_done_stamp = c->now + BBR3_PROBE_RTT_DURATION;
		b->probe_rtt_round_done = false;
		bbr3_start_round(b, c);
		bbr3_trace(b, c, b->state, BBR3_PROBE_RTT_LOW);
	} else if (b->probe_rtt_done_stamp != 0) {
		if (b->round_start)
			b->probe_rtt_round_done = true;
		if (b->probe_rtt_round_done)
			bbr3_check_probe_rtt_done(b, c);
	}
}

/*
 * Enters ProbeRTT if it is due, and handles the state ProbeRTT (CheckProbeRTT() of the draft, with
 * EnterProbeRTT()).
 */
BBR3_INLINE void bbr3_check_probe_rtt(struct bbr3 *b, struct bbr3_connection *c, const struct bbr3_sample *rs)
{
	if (b->state != BBR3_PROBE_RTT && b->probe_rtt_expired && !b->idle_restart) {
		bbr3_enter(b, c, BBR3_PROBE_RTT, BBR3_CRUISE_PACING_GAIN, BBR3_PROBE_RTT_CWND_GAIN, BBR3_PROBE_RTT_DUE);
		bbr3_save_cwnd(b, c);
		b->probe_rtt_done_stamp = 0;
		b->ack_phase = BBR3_ACKS_PROBE_STOPPING;
		bbr3_start_round(b, c);
	}
	if (b->state == BBR3_PROBE_RTT)
		bbr3_handle_probe_rtt(b, c);
	if (rs->has_data && rs->delivered > 0)
		b->idle_restart = false;
}

#endif
