/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * Pacing rate (draft-ietf-ccwg-bbr 5.6.2) and send quantum (5.6.3).
 *
 * Only the model uses the quantum. Linux itself chooses the size of a burst (tcp_tso_autosize): also 1 ms of
 * the pacing rate, and more if the smallest RTT is below some milliseconds. With the budget of Google's kernel,
 * the model includes this addition.
 */
#ifndef COEXIST_BBR3_PACING_H
#define COEXIST_BBR3_PACING_H

#include "state.h"

/* Returns `bw` times `gain` percent in bytes per second. */
BBR3_INLINE u64 bbr3_bytes_per_second(const struct bbr3_connection *c, u64 bw, u32 gain)
{
	return (bw * c->smss / 100 * gain * 1000000) >> BBR3_BW_SHIFT;
}

/*
 * Sets the pacing rate before BBR has an estimate of the bandwidth (InitPacingRate() of the draft). Called at
 * the start, and again at the first RTT sample (5.6.2, "the initial C.srtt after the first non-zero RTT
 * sample").
 */
BBR3_INLINE void bbr3_init_pacing_rate(struct bbr3 *b, struct bbr3_connection *c)
{
	b->has_seen_rtt = c->srtt != 0;
	c->pacing_rate = (u64)c->cwnd * c->smss * (1000000 / 100) * BBR3_STARTUP_PACING_GAIN
	                 / (c->srtt ? c->srtt : BBR3_INITIAL_RTT);
}

/*
 * Sets the pacing rate to `gain` percent of the bandwidth, less the margin (SetPacingRateWithGain() of the
 * draft). Before the pipe is full the rate only grows.
 */
BBR3_INLINE void bbr3_set_pacing_rate_with_gain(struct bbr3 *b, struct bbr3_connection *c, u32 gain)
{
	u64 rate = bbr3_bytes_per_second(c, b->bw, gain) * (100 - BBR3_PACING_MARGIN) / 100;

	if (rate > 0 && (b->full_bw_reached || rate > c->pacing_rate))
		c->pacing_rate = rate;
}

/* Sets the pacing rate by the gain of the state (SetPacingRate() of the draft). */
BBR3_INLINE void bbr3_set_pacing_rate(struct bbr3 *b, struct bbr3_connection *c)
{
	if (!b->has_seen_rtt && c->srtt != 0)
		bbr3_init_pacing_rate(b, c);
	bbr3_set_pacing_rate_with_gain(b, c, b->pacing_gain);
}

/* Computes the send quantum from the pacing rate (SetSendQuantum() of the draft). */
BBR3_INLINE void bbr3_set_send_quantum(struct bbr3 *b, const struct bbr3_connection *c)
{
	u64 bytes = c->pacing_rate * BBR3_SEND_QUANTUM_TIME / 1000000;
	u32 halvings = b->min_rtt / BBR3_KERNEL_BURST_HALVING;

	if (b->has_kernel_budget && halvings < 32)
		bytes += BBR3_KERNEL_BURST >> halvings;
	bytes = bbr3_min64(bytes, BBR3_SEND_QUANTUM_MAX);
	b->send_quantum = bbr3_max32((u32)bytes / (c->smss ? c->smss : 1), BBR3_SEND_QUANTUM_MIN);
}

#endif
