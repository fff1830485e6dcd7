/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/* Startup and Drain (draft-ietf-ccwg-bbr 5.3.1, 5.3.2). */
#ifndef COEXIST_BBR3_STARTUP_H
#define COEXIST_BBR3_STARTUP_H

#include "inflight.h"
#include "loss.h"
#include "probe-bw-phases.h"
#include "state.h"

/* Enters Startup (EnterStartup() of the draft). */
BBR3_INLINE void bbr3_enter_startup(struct bbr3 *b, const struct bbr3_connection *c, u32 event)
{
	bbr3_enter(b, c, BBR3_STARTUP, BBR3_STARTUP_PACING_GAIN, BBR3_DEFAULT_CWND_GAIN, event);
}

/* Enters Drain (EnterDrain() of the draft). */
BBR3_INLINE void bbr3_enter_drain(struct bbr3 *b, const struct bbr3_connection *c, u32 event)
{
	b->drain_start_round = b->round_count;
	bbr3_enter(b, c, BBR3_DRAIN, BBR3_DRAIN_PACING_GAIN, BBR3_DEFAULT_CWND_GAIN, event);
}

/*
 * Returns true if the loss in Startup is high by the three criteria of 5.3.1.3 (CheckStartupHighLoss() of the
 * draft). Without selective acknowledgments, one range suffices. A range is the set of packets that one
 * acknowledgment newly reports as lost.
 */
BBR3_INLINE bool bbr3_has_startup_high_loss(struct bbr3 *b, const struct bbr3_connection *c,
                                            const struct bbr3_sample *rs)
{
	bool result;

	if (rs->newly_lost > 0 && b->loss_ranges_in_round < 255)
		b->loss_ranges_in_round++;
	if (!c->in_fast_recovery)
		result = false;
	else if (!c->has_selective_acks)
		result = b->loss_ranges_in_round > 0;
	else /* a loss round ends one round trip after the first loss, so the recovery has lasted so long */
		result = b->loss_round_start && b->loss_ranges_in_round >= BBR3_STARTUP_FULL_LOSS_CNT
		         && bbr3_is_inflight_too_high(c, rs);
	if (b->loss_round_start)
		b->loss_ranges_in_round = 0;
	return result;
}

/*
 * Ends Startup if the pipe is full or the loss is high (CheckStartupDone() of the draft). Only the draft's test
 * cases say that the loss also sets full_bw_now.
 */
BBR3_INLINE void bbr3_check_startup_done(struct bbr3 *b, const struct bbr3_connection *c, const struct bbr3_sample *rs)
{
	if (b->state != BBR3_STARTUP)
		return;
	if (b->full_bw_reached) {
		bbr3_enter_drain(b, c, BBR3_PLATEAU);
	} else if (bbr3_has_startup_high_loss(b, c, rs)) {
		b->undo_state = BBR3_UNDO_STARTUP;
		b->full_bw_now = true;
		b->full_bw_reached = true;
		b->inflight_longterm = bbr3_max32(bbr3_path_volume(b, b->max_bw), b->inflight_latest);
		bbr3_enter_drain(b, c, BBR3_STARTUP_LOSS);
	}
}

/*
 * Ends Drain if the queue is drained, or after three rounds (CheckDrainDone() of the draft, with
 * EnterProbeBW()).
 */
BBR3_INLINE void bbr3_check_drain_done(struct bbr3 *b, const struct bbr3_connection *c)
{
	if (b->state != BBR3_DRAIN)
		return;
	if (c->inflight <= bbr3_inflight(b, b->bw))
		bbr3_start_probe_bw_down(b, c, BBR3_DRAINED);
	else if (b->round_count > b->drain_start_round + BBR3_DRAIN_MAX_ROUNDS)
		bbr3_start_probe_bw_down(b, c, BBR3_DRAIN_ROUNDS);
}

#endif
