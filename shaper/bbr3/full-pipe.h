/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * The "full pipe" estimator of Startup and ProbeBW_UP (draft-ietf-ccwg-bbr 5.3.1.2).
 *
 * A round counts neither as growth nor as a plateau if its first acknowledgment gave no reliable delivery rate
 * (4.1.2.3).
 */
#ifndef COEXIST_BBR3_FULL_PIPE_H
#define COEXIST_BBR3_FULL_PIPE_H

#include "state.h"

/* Restarts the estimator (ResetFullBW() of the draft). */
BBR3_INLINE void bbr3_reset_full_bw(struct bbr3 *b)
{
	b->full_bw = 0;
	b->full_bw_count = 0;
	b->full_bw_now = false;
}

/* Detects that the delivery rate no longer grows (CheckFullBWReached() of the draft). */
BBR3_INLINE void bbr3_check_full_bw_reached(struct bbr3 *b, const struct bbr3_sample *rs)
{
	if (b->full_bw_now || !b->round_start || rs->is_app_limited || rs->delivery_rate == 0)
		return;
	if (rs->delivery_rate * 100 >= b->full_bw * BBR3_FULL_BW_GROWTH) {
		bbr3_reset_full_bw(b);
		b->full_bw = rs->delivery_rate;
		return;
	}
	b->full_bw_count++;
	b->full_bw_now = b->full_bw_count >= BBR3_FULL_BW_COUNT;
	if (b->full_bw_now)
		b->full_bw_reached = true;
}

#endif
