/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * Loss recovery as the transport reports it: start and end (draft-ietf-ccwg-bbr 5.6.4.4), and spurious
 * recoveries (5.5.11). Upon a retransmission timeout the transport itself sets C.cwnd to C.inflight + 1.
 */
#ifndef COEXIST_BBR3_RECOVERY_H
#define COEXIST_BBR3_RECOVERY_H

#include "cwnd.h"
#include "full-pipe.h"
#include "loss.h"
#include "startup.h"
#include "state.h"

/*
 * Saves the state when a recovery starts, before the window changes (OnEnterFastRecovery() of the draft, and
 * the first half of OnEnterRTO()).
 */
BBR3_INLINE void bbr3_on_enter_recovery(struct bbr3 *b, const struct bbr3_connection *c)
{
	bbr3_save_state_upon_loss(b, c);
	bbr3_trace(b, c, b->state, BBR3_RECOVERY);
}

/*
 * Handles a retransmission timeout, at which all data in flight counts as lost (second half of OnEnterRTO() of
 * the draft). `lost`: sample of the oldest packet, which stands for `size` packets.
 */
BBR3_INLINE void bbr3_on_enter_rto(struct bbr3 *b, const struct bbr3_connection *c, struct bbr3_sample *lost, u32 size)
{
	bbr3_trace(b, c, b->state, BBR3_TIMEOUT);
	bbr3_handle_lost_packet(b, c, lost, size);
}

/* Called when all losses are repaired, or when the recovery is undone. */
BBR3_INLINE void bbr3_on_exit_recovery(const struct bbr3 *b, struct bbr3_connection *c)
{
	bbr3_restore_cwnd(b, c);
}

/*
 * Restores the state from before a loss recovery that was spurious (HandleSpuriousLossDetection() of the
 * draft).
 */
BBR3_INLINE void bbr3_handle_spurious_loss_detection(struct bbr3 *b, struct bbr3_connection *c)
{
	bbr3_restore_cwnd(b, c);
	b->is_loss_in_round = false;
	bbr3_reset_full_bw(b);
	b->bw_shortterm = bbr3_max64(b->bw_shortterm, b->undo_bw_shortterm);
	b->inflight_shortterm = bbr3_max32(b->inflight_shortterm, b->undo_inflight_shortterm);
	b->inflight_longterm = bbr3_max32(b->inflight_longterm, b->undo_inflight_longterm);
	if (b->undo_state == BBR3_UNDO_STARTUP && b->state != BBR3_STARTUP) {
		b->full_bw_reached = false;
		if (b->state != BBR3_PROBE_RTT)
			bbr3_enter_startup(b, c, BBR3_UNDONE);
	} else if (b->undo_state == BBR3_UNDO_UP && b->state != BBR3_UP && b->state != BBR3_PROBE_RTT) {
		bbr3_start_probe_bw_refill(b, c, BBR3_UNDONE);
	} else {
		bbr3_trace(b, c, b->state, BBR3_UNDONE);
	}
	b->undo_state = BBR3_UNDO_NONE;
}

#endif
