/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * Volumes of data from the model (draft-ietf-ccwg-bbr 5.6.4.2), and volumes derived from them. The BDP is rounded up
 * to whole packets.
 */
#ifndef COEXIST_BBR3_INFLIGHT_H
#define COEXIST_BBR3_INFLIGHT_H

#include "state.h"

/* Returns `gain` percent of the bandwidth-delay product, packets (BDPMultiple(bw, gain) of the draft). */
BBR3_INLINE u32 bbr3_bdp_multiple(const struct bbr3 *b, u64 bw, u32 gain)
{
	if (b->min_rtt == BBR3_INFINITE32)
		return b->initial_cwnd; /* no valid RTT sample yet */
	return (bw * b->min_rtt / 100 * gain + (1ull << BBR3_BW_SHIFT) - 1) >> BBR3_BW_SHIFT;
}

/*
 * Returns `inflight_cap` with the room that bursts need, packets (QuantizationBudget() of the draft, with
 * UpdateOffloadBudget() for TCP, 5.5.8.1).
 */
BBR3_INLINE u32 bbr3_quantization_budget(const struct bbr3 *b, u32 inflight_cap)
{
	inflight_cap = bbr3_max32(inflight_cap, BBR3_OFFLOAD_QUANTA * b->send_quantum);
	inflight_cap = bbr3_max32(inflight_cap, BBR3_MIN_PIPE_CWND);
	return b->state == BBR3_UP ? inflight_cap + 2 : inflight_cap;
}

/*
 * Returns the bandwidth-delay product with the room that bursts need, packets (Inflight(bw, 1.0) of the draft).
 */
BBR3_INLINE u32 bbr3_inflight(const struct bbr3 *b, u64 bw)
{
	return bbr3_quantization_budget(b, bbr3_bdp_multiple(b, bw, 100));
}

/*
 * Computes the volume in flight that the path needs, with aggregation and quantisation (UpdateMaxInflight() of
 * the draft).
 */
BBR3_INLINE void bbr3_update_max_inflight(struct bbr3 *b)
{
	b->max_inflight = bbr3_quantization_budget(b, bbr3_bdp_multiple(b, b->bw, b->cwnd_gain) + b->extra_acked);
}

/*
 * Returns the volume of the path in packets, BBR.bdp in the draft: the BDP alone, or the BDP with the budget as
 * in Google's kernel.
 */
BBR3_INLINE u32 bbr3_path_volume(const struct bbr3 *b, u64 bw)
{
	return b->has_kernel_budget ? bbr3_inflight(b, bw) : bbr3_bdp_multiple(b, bw, 100);
}

/*
 * Returns the volume in flight that bandwidth probing assumes, packets (TargetInflight() of the draft,
 * 5.3.3.8.3).
 */
BBR3_INLINE u32 bbr3_target_inflight(const struct bbr3 *b, const struct bbr3_connection *c)
{
	return bbr3_min32(bbr3_path_volume(b, b->bw), c->cwnd);
}

/*
 * Returns inflight_longterm less the headroom for other flows, packets (InflightWithHeadroom() of the draft,
 * 5.3.3.9).
 */
BBR3_INLINE u32 bbr3_inflight_with_headroom(const struct bbr3 *b)
{
	u32 headroom;

	if (b->inflight_longterm == BBR3_INFINITE32)
		return BBR3_INFINITE32;
	headroom = bbr3_max32(1, (u64)b->inflight_longterm * BBR3_HEADROOM / 100);
	return bbr3_max32(b->inflight_longterm > headroom ? b->inflight_longterm - headroom : 0, BBR3_MIN_PIPE_CWND);
}

/* Returns the window in ProbeRTT, packets (ProbeRTTCwnd() of the draft, 5.6.4.5). */
BBR3_INLINE u32 bbr3_probe_rtt_cwnd(const struct bbr3 *b)
{
	return bbr3_max32(bbr3_bdp_multiple(b, b->bw, BBR3_PROBE_RTT_CWND_GAIN), BBR3_MIN_PIPE_CWND);
}

#endif
