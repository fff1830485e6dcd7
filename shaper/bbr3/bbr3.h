/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * BBRv3: actions at the start, upon an acknowledgment and before a transmission (draft-ietf-ccwg-bbr 5.2).
 *
 * A transport calls bbr3_on_init() once. Upon each acknowledgment it calls bbr3_handle_lost_packet() if it
 * newly marked packets as lost, then bbr3_update_on_ack(). It calls bbr3_on_transmit() before it sends packets,
 * and calls the functions of recovery.h. The other parts of the state machine are in the other headers of this
 * folder, one for each part of the draft.
 */
#ifndef COEXIST_BBR3_H
#define COEXIST_BBR3_H

#include "ack-aggregation.h"
#include "bandwidth.h"
#include "congestion-signals.h"
#include "cwnd.h"
#include "full-pipe.h"
#include "pacing.h"
#include "probe-bw.h"
#include "probe-rtt.h"
#include "recovery.h"
#include "restart.h"
#include "startup.h"

/*
 * Initialises the state of a connection (OnInit() of the draft, 5.2.1). All members of `b` except
 * has_kernel_budget must be zero.
 */
BBR3_INLINE void bbr3_on_init(struct bbr3 *b, struct bbr3_connection *c)
{
	b->initial_cwnd = c->cwnd;
	b->send_quantum = BBR3_SEND_QUANTUM_MIN;
	b->min_rtt = c->srtt ? c->srtt : BBR3_INFINITE32;
	b->min_rtt_stamp = c->now;
	b->probe_rtt_min_delay = b->min_rtt;
	b->probe_rtt_min_stamp = c->now;
	b->extra_acked_interval_start = c->now;
	b->inflight_longterm = BBR3_INFINITE32;
	b->probe_up_acked_per_inc = BBR3_INFINITE32;
	bbr3_reset_congestion_signals(b);
	bbr3_reset_short_term_model(b);
	bbr3_init_round_counting(b, c);
	bbr3_reset_full_bw(b);
	bbr3_init_pacing_rate(b, c);
	b->initialised = true;
	bbr3_enter_startup(b, c, BBR3_BEGIN);
}

/* Updates the model and the state with an acknowledgment (UpdateModelAndState() of the draft, 5.2.3). */
BBR3_INLINE void bbr3_update_model_and_state(struct bbr3 *b, struct bbr3_connection *c, struct bbr3_sample *rs)
{
	if (bbr3_is_marked_app_limited(b, rs))
		rs->is_app_limited = true;
	bbr3_update_latest_delivery_signals(b, c, rs);
	bbr3_update_congestion_signals(b, c, rs);
	bbr3_update_ack_aggregation(b, c, rs);
	bbr3_check_full_bw_reached(b, rs);
	bbr3_check_startup_done(b, c, rs);
	bbr3_check_drain_done(b, c);
	bbr3_update_probe_bw_cycle_phase(b, c, rs);
	bbr3_update_min_rtt(b, c, rs);
	bbr3_check_probe_rtt(b, c, rs);
	bbr3_advance_latest_delivery_signals(b, rs);
	bbr3_bound_bw_for_model(b);
}

/* Updates pacing rate, send quantum and window (UpdateControlParameters() of the draft, 5.2.3). */
BBR3_INLINE void bbr3_update_control_parameters(struct bbr3 *b, struct bbr3_connection *c, const struct bbr3_sample *rs)
{
	bbr3_set_pacing_rate(b, c);
	bbr3_set_send_quantum(b, c);
	bbr3_set_cwnd(b, c, rs);
}

/*
 * Handles an acknowledgment (UpdateOnACK() of the draft, 5.2.3). The transport has generated the rate sample
 * `rs`.
 */
BBR3_INLINE void bbr3_update_on_ack(struct bbr3 *b, struct bbr3_connection *c, struct bbr3_sample *rs)
{
	bbr3_update_model_and_state(b, c, rs);
	bbr3_update_control_parameters(b, c, rs);
}

/* Handles the start of a transmission (OnTransmit() of the draft, 5.2.2). */
BBR3_INLINE void bbr3_on_transmit(struct bbr3 *b, struct bbr3_connection *c)
{
	bbr3_handle_restart_from_idle(b, c);
}

#endif
