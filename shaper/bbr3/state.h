/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * State of BBRv3 for a connection, its inputs, and its decisions (draft-ietf-ccwg-bbr 2).
 *
 * The three structs are the draft's three contexts: BBR.* (struct bbr3), C.* (struct bbr3_connection) and RS.*
 * (struct bbr3_sample); members have the draft's names. Units: volumes are packets of C.SMSS (the draft allows
 * it, and Linux counts so), times are microseconds, bandwidths are packets per microsecond times 2^28, which
 * resolves 64 kbit/s to 0.1 percent and holds 100 Gbit/s at 10 s.
 *
 * The source that includes this header supplies two functions: bbr3_random() returns 32 random bits, and
 * bbr3_trace() is called for every event in enum bbr3_event. The state before the event is an argument, the
 * state after it is in the struct.
 */
#ifndef COEXIST_BBR3_STATE_H
#define COEXIST_BBR3_STATE_H

#include "parameters.h"
#include "phases.h"
#include "types.h"

#define BBR3_BW_SHIFT 28
/* Number of slots for rounds: a power of two above BBR3_EXTRA_ACKED_FILTER_LEN. */
#define BBR3_EXTRA_ACKED_SLOTS 16

/* BBR.* of the draft. */
struct bbr3 {
	/* Model of the data rate (2.9.1, 2.11) */
	u64 max_bw_filter[2]; /* the previous and the present ProbeBW cycle */
	u64 max_bw;
	u64 bw_shortterm;
	u64 bw;
	u64 bw_latest;
	u64 full_bw;
	u64 undo_bw_shortterm;
	/* Times on the clock `now`, us */
	u64 min_rtt_stamp;
	u64 probe_rtt_min_stamp;
	u64 probe_rtt_done_stamp; /* 0: the clock of ProbeRTT is not running */
	u64 cycle_stamp;
	u64 extra_acked_interval_start;
	u32 bw_probe_wait;
	u32 min_rtt; /* infinite: no sample yet */
	u32 probe_rtt_min_delay;
	/* Model of the data volume (2.9.2, 2.10) */
	u32 inflight_longterm;
	u32 inflight_shortterm;
	u32 inflight_latest;
	u32 undo_inflight_longterm;
	u32 undo_inflight_shortterm;
	u32 max_inflight;
	u32 extra_acked;
	u32 extra_acked_delivered;
	u32 extra_acked_rounds[BBR3_EXTRA_ACKED_SLOTS]; /* maximum of extra_acked in a round, by round_count */
	u32 send_quantum;
	u32 initial_cwnd;
	u32 prior_cwnd;
	/* Rounds (2.7); next_round_delivered and loss_round_delivered are values of C.delivered */
	u32 round_count;
	u32 next_round_delivered;
	u32 loss_round_delivered;
	u32 drain_start_round;
	u32 rounds_since_probe_up;
	/* Growth of inflight_longterm in UP (2.14) */
	u32 bw_probe_up_rounds;
	u32 bw_probe_up_acked;
	u32 probe_up_acked_per_inc;
	/*
	 * Range of C.delivered: packets sent while C.delivered was in it are application-limited (4.1.2.4,
	 * bbr3_mark_app_limited())
	 */
	u32 app_limited_from;
	u32 app_limited_until;
	/* Percentages and flags */
	u16 pacing_gain;
	u16 cwnd_gain;
	u8 state;
	u8 ack_phase;
	u8 undo_state;
	u8 full_bw_count;
	u8 loss_ranges_in_round; /* acknowledgments in this round that reported new losses (5.3.1.3) */
	bool full_bw_reached;
	bool full_bw_now;
	bool round_start;
	bool loss_round_start;
	bool is_loss_in_round;
	bool is_bw_probe_sample;
	bool prev_probe_too_high;
	bool prev_probe_precautionary;
	bool probe_rtt_expired;
	bool probe_rtt_round_done;
	bool idle_restart;
	bool app_limited;
	bool has_seen_rtt;
	bool initialised;
	bool has_kernel_budget; /* true for BBR3_BUDGET_KERNEL; chosen before bbr3_on_init() */
};

/* C.* of the draft: a snapshot of the connection. BBR writes its decisions to cwnd and pacing_rate. */
struct bbr3_connection {
	u64 now;         /* time of the snapshot, us */
	u64 pacing_rate; /* bytes per second */
	u32 cwnd;
	u32 cwnd_clamp;     /* largest window that the transport allows */
	u32 inflight;       /* packets in flight now, after this acknowledgment */
	u32 prior_inflight; /* packets in flight before this acknowledgment */
	u32 delivered;
	u32 lost;
	u32 smss; /* bytes of a full segment */
	u32 srtt; /* us; 0: no sample yet */
	bool is_cwnd_limited;
	bool has_selective_acks;
	bool in_fast_recovery;
	bool in_rto_recovery;
	bool app_limited; /* true if the transport's own C.app_limited is not 0 */
};

/* RS.* of the draft, for an acknowledgment or for a lost packet. */
struct bbr3_sample {
	u64 delivery_rate; /* 0: no reliable sample */
	u32 rtt;           /* us; infinite: no RTT sample */
	u32 delivered;
	u32 prior_delivered;
	u32 newly_acked;
	u32 newly_lost;
	u32 tx_in_flight; /* 0: not known */
	u32 lost;
	bool has_data; /* true if data was acknowledged, so that prior_delivered is valid */
	bool is_app_limited;
};

static u32 bbr3_random(void);
static void bbr3_trace(struct bbr3 *b, const struct bbr3_connection *c, u32 from, u32 event);

BBR3_INLINE void bbr3_enter(struct bbr3 *b, const struct bbr3_connection *c, u32 state, u32 pacing_gain, u32 cwnd_gain,
                            u32 event)
{
	u32 from = b->state;

	b->state = state;
	b->pacing_gain = pacing_gain;
	b->cwnd_gain = cwnd_gain;
	bbr3_trace(b, c, from, event);
}

BBR3_INLINE bool bbr3_is_in_probe_bw(const struct bbr3 *b)
{
	return b->state >= BBR3_DOWN && b->state <= BBR3_UP;
}

/* Returns true in the states that probe for bandwidth (IsProbingBW() of the draft, 5.3.3.9). */
BBR3_INLINE bool bbr3_is_probing_bw(const struct bbr3 *b)
{
	return b->state == BBR3_STARTUP || b->state == BBR3_REFILL || b->state == BBR3_UP;
}

BBR3_INLINE bool bbr3_in_loss_recovery(const struct bbr3_connection *c)
{
	return c->in_fast_recovery || c->in_rto_recovery;
}

#endif
