/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * Reaction to a lost packet (draft-ietf-ccwg-bbr 5.5.10.2), and the state that is saved for the case that the
 * packet was not lost (5.5.11.1).
 *
 * Deviations: The state is saved once for each recovery episode, as in the prose of 5.5.11.1. The pseudocode of
 * 5.5.11.1 saves it with the first loss of every round, so a second round of the same episode would overwrite
 * the state to restore. Linux reports losses for each acknowledgment, not for each packet. The threshold may
 * therefore have been crossed before the examined packet; lost_prefix is then 0 and not negative.
 */
#ifndef COEXIST_BBR3_LOSS_H
#define COEXIST_BBR3_LOSS_H

#include "cwnd.h"
#include "inflight.h"
#include "probe-bw-phases.h"
#include "state.h"

/* Saves the state that is restored if the loss was spurious (SaveStateUponLoss() of the draft). */
BBR3_INLINE void bbr3_save_state_upon_loss(struct bbr3 *b, const struct bbr3_connection *c)
{
	bbr3_save_cwnd(b, c);
	b->undo_state = BBR3_UNDO_NONE;
	b->undo_bw_shortterm = b->bw_shortterm;
	b->undo_inflight_shortterm = b->inflight_shortterm;
	b->undo_inflight_longterm = b->inflight_longterm;
}

/* Records that the present round has a loss (NoteLoss() of the draft). */
BBR3_INLINE void bbr3_note_loss(struct bbr3 *b, const struct bbr3_connection *c)
{
	if (!b->is_loss_in_round) {
		b->loss_round_delivered = c->delivered;
		if (!bbr3_in_loss_recovery(c))
			bbr3_save_state_upon_loss(b, c);
	}
	b->is_loss_in_round = true;
}

/*
 * Returns true if the loss rate of the sample is above LossThresh (IsInflightTooHigh() of the draft). False if
 * the data in flight is unknown.
 */
BBR3_INLINE bool bbr3_is_inflight_too_high(const struct bbr3_connection *c, const struct bbr3_sample *rs)
{
	if (rs->lost == 0)
		return false;
	if (!c->has_selective_acks)
		return true;
	return rs->tx_in_flight > 0 && (u64)rs->lost * 100 > (u64)rs->tx_in_flight * BBR3_LOSS_THRESH;
}

/*
 * Bounds inflight_longterm by the data in flight that had too much loss, and ends the probe in UP
 * (HandleInflightTooHigh() of the draft).
 */
BBR3_INLINE void bbr3_handle_inflight_too_high(struct bbr3 *b, const struct bbr3_connection *c,
                                               const struct bbr3_sample *rs)
{
	b->prev_probe_too_high = true;
	b->is_bw_probe_sample = false; /* reacts only once for each bandwidth probe */
	if (!rs->is_app_limited)
		b->inflight_longterm = bbr3_max32(rs->tx_in_flight, (u64)bbr3_target_inflight(b, c) * BBR3_BETA / 100);
	if (b->state == BBR3_UP) {
		b->undo_state = BBR3_UNDO_UP;
		bbr3_start_probe_bw_down(b, c, BBR3_TOO_HIGH);
	} else {
		bbr3_trace(b, c, b->state, BBR3_TOO_HIGH);
	}
}

/*
 * Returns the data in flight at which the loss rate crossed LossThresh, packets (InflightAtLoss(P) of the
 * draft). `size`: number of packets for which P stands.
 */
BBR3_INLINE u32 bbr3_inflight_at_loss(const struct bbr3_sample *rs, u32 size)
{
	u32 inflight_prev = rs->tx_in_flight > size ? rs->tx_in_flight - size : 0;
	u32 lost_prev = rs->lost > size ? rs->lost - size : 0;
	u64 allowed = (u64)inflight_prev * BBR3_LOSS_THRESH;
	u64 before = (u64)lost_prev * 100;

	return inflight_prev + (allowed > before ? (u32)(allowed - before) / (100 - BBR3_LOSS_THRESH) : 0);
}

/*
 * Handles a packet P that was newly marked as lost (HandleLostPacket(P) of the draft). `lost` has the
 * tx_in_flight, lost and is_app_limited of P.
 */
BBR3_INLINE void bbr3_handle_lost_packet(struct bbr3 *b, const struct bbr3_connection *c, struct bbr3_sample *lost,
                                         u32 size)
{
	bbr3_note_loss(b, c);
	if (!b->is_bw_probe_sample || !bbr3_is_inflight_too_high(c, lost))
		return;
	lost->tx_in_flight = bbr3_inflight_at_loss(lost, size);
	bbr3_handle_inflight_too_high(b, c, lost);
}

#endif
