/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * All constants of BBRv3, each with the section of draft-ietf-ccwg-bbr that gives it.
 *
 * Gains and ratios are in percent, so that they are exact. Times are in microseconds, volumes in packets.
 */
#ifndef COEXIST_BBR3_PARAMETERS_H
#define COEXIST_BBR3_PARAMETERS_H

/* Source of the constants: the editors' copy of the working group on that day. */
#define BBR3_DRAFT "draft-ietf-ccwg-bbr, editors' copy of 2026-08-03"
#define BBR3_VERSION 3

/* Pacing gains (2.5) */
#define BBR3_STARTUP_PACING_GAIN 277 /* percent; 4 ln 2: the sending rate doubles each round */
#define BBR3_DRAIN_PACING_GAIN 50    /* percent */
#define BBR3_PACING_MARGIN 1         /* percent by which the pacing rate is below the estimated bandwidth */
/* Pacing gains of the states (5.6.1, table) */
#define BBR3_DOWN_PACING_GAIN 90    /* percent */
#define BBR3_CRUISE_PACING_GAIN 100 /* percent; also REFILL and ProbeRTT */
#define BBR3_UP_PACING_GAIN 125     /* percent */
/* Gains of the congestion window (2.6, 5.6.1) */
#define BBR3_DEFAULT_CWND_GAIN 200  /* percent */
#define BBR3_UP_CWND_GAIN 225       /* percent; 5.3.3.5 */
#define BBR3_PROBE_RTT_CWND_GAIN 50 /* percent; 2.16.2 */

/* Core design parameters (2.8) */
#define BBR3_LOSS_THRESH 2   /* percent of a round trip's packets */
#define BBR3_BETA 70         /* percent */
#define BBR3_HEADROOM 15     /* percent of inflight_longterm */
#define BBR3_MIN_PIPE_CWND 4 /* packets */

/* Aggregation (2.12) */
#define BBR3_EXTRA_ACKED_FILTER_LEN 10 /* round trips; 1 until the pipe is full (5.5.9) */

/* Full pipe (5.3.1.2, 5.3.1.3) */
#define BBR3_FULL_BW_GROWTH 125      /* percent; less growth is a plateau */
#define BBR3_FULL_BW_COUNT 3         /* rounds */
#define BBR3_STARTUP_FULL_LOSS_CNT 6 /* discontiguous ranges lost in a round */

/* Drain (5.3.2) */
#define BBR3_DRAIN_MAX_ROUNDS 3 /* rounds */

/* Time scale of bandwidth probing (5.3.3.8) */
#define BBR3_PROBE_WAIT_MIN 2000000    /* us */
#define BBR3_PROBE_WAIT_RANDOM 1000000 /* us; upper end of a uniform random time that is added */
#define BBR3_RENO_MAX_ROUNDS 63        /* rounds; the counter starts at 0 or 1, so the wait is 62 or 63 */
#define BBR3_MAX_UP_ROUNDS 30          /* rounds until the inflight_longterm slope stops doubling (5.3.3.9) */

/* RTT filter and ProbeRTT (2.16.1, 2.16.2) */
#define BBR3_MIN_RTT_FILTER_LEN 10000000 /* us */
#define BBR3_PROBE_RTT_INTERVAL 5000000  /* us; required by a MUST (5.3.4.2) */
#define BBR3_PROBE_RTT_DURATION 200000   /* us */

/* Pacing rate and send quantum (5.6.2, 5.6.3) */
#define BBR3_INITIAL_RTT 1000       /* us; used without an RTT sample */
#define BBR3_SEND_QUANTUM_TIME 1000 /* us; the quantum is this time at the pacing rate */
#define BBR3_SEND_QUANTUM_MAX 65536 /* bytes */
#define BBR3_SEND_QUANTUM_MIN 2     /* packets */
#define BBR3_OFFLOAD_QUANTA 3       /* quanta in host and receiver that must not stall the flow (5.5.8.1) */

/*
 * Budgets of a flow with a small BDP: that of the draft, and that of Google's kernel (google/bbr, branch v3,
 * net/ipv4/tcp_bbr.c of commit 001a430b), the source of the following facts. In Google's kernel a burst may be
 * longer by 64 KB, halved for every 512 us of min_rtt, and the volume in the Reno-coexistence bound is the BDP
 * with the budget, not the BDP alone.
 */
#define BBR3_BUDGET_DRAFT 0
#define BBR3_BUDGET_KERNEL 1
#define BBR3_KERNEL_BURST 65536       /* bytes, at a min_rtt of 0 */
#define BBR3_KERNEL_BURST_HALVING 512 /* us of min_rtt */

#endif
