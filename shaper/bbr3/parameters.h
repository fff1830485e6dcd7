/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * Every constant of BBRv3, with the section of draft-ietf-ccwg-bbr that gives it.
 *
 * Gains and ratios are in percent, so that they are exact; times are in microseconds; volumes in packets.
 */
#ifndef COEXIST_BBR3_PARAMETERS_H
#define COEXIST_BBR3_PARAMETERS_H

/* Source text: the working group's editors' copy of that day. */
#define BBR3_DRAFT "draft-ietf-ccwg-bbr, editors' copy of 2026-08-03"
#define BBR3_VERSION 3

/* 2.5 pacing */
#define BBR3_STARTUP_PACING_GAIN 277 /* percent; 4 ln 2: the sending rate doubles each round */
#define BBR3_DRAIN_PACING_GAIN 50    /* percent */
#define BBR3_PACING_MARGIN 1         /* percent below the estimated bandwidth */
/* 5.6.1, table of the states */
#define BBR3_DOWN_PACING_GAIN 90    /* percent */
#define BBR3_CRUISE_PACING_GAIN 100 /* percent; also REFILL and ProbeRTT */
#define BBR3_UP_PACING_GAIN 125     /* percent */
/* 2.6 and 5.6.1 congestion window */
#define BBR3_DEFAULT_CWND_GAIN 200  /* percent */
#define BBR3_UP_CWND_GAIN 225       /* percent; 5.3.3.5 */
#define BBR3_PROBE_RTT_CWND_GAIN 50 /* percent; 2.16.2 */

/* 2.8 core design parameters */
#define BBR3_LOSS_THRESH 2   /* percent of a round trip's packets */
#define BBR3_BETA 70         /* percent */
#define BBR3_HEADROOM 15     /* percent of inflight_longterm */
#define BBR3_MIN_PIPE_CWND 4 /* packets */

/* 2.12 aggregation */
#define BBR3_EXTRA_ACKED_FILTER_LEN 10 /* round trips; 1 until the pipe is full (5.5.9) */

/* 5.3.1.2 and 5.3.1.3 full pipe */
#define BBR3_FULL_BW_GROWTH 125      /* percent: less growth is a plateau */
#define BBR3_FULL_BW_COUNT 3         /* rounds */
#define BBR3_STARTUP_FULL_LOSS_CNT 6 /* discontiguous ranges lost in a round */

/* 5.3.2 */
#define BBR3_DRAIN_MAX_ROUNDS 3 /* rounds */

/* 5.3.3.8 time scale of bandwidth probing */
#define BBR3_PROBE_WAIT_MIN 2000000    /* us */
#define BBR3_PROBE_WAIT_RANDOM 1000000 /* us, uniform, on top */
#define BBR3_RENO_MAX_ROUNDS 63        /* rounds; with a counter that starts at 0 or 1 it is 62 or 63 */
#define BBR3_MAX_UP_ROUNDS 30          /* 5.3.3.9: the slope of inflight_longterm stops doubling after this */

/* 2.16.1 and 2.16.2 */
#define BBR3_MIN_RTT_FILTER_LEN 10000000 /* us */
#define BBR3_PROBE_RTT_INTERVAL 5000000  /* us; a MUST (5.3.4.2) */
#define BBR3_PROBE_RTT_DURATION 200000   /* us */

/* 5.6.2 and 5.6.3 */
#define BBR3_INITIAL_RTT 1000       /* us, without an RTT sample */
#define BBR3_SEND_QUANTUM_TIME 1000 /* us of the pacing rate */
#define BBR3_SEND_QUANTUM_MAX 65536 /* bytes */
#define BBR3_SEND_QUANTUM_MIN 2     /* packets */
#define BBR3_OFFLOAD_QUANTA 3       /* 5.5.8.1: quanta in host and receiver that must not stall the flow */

/*
 * Budget of a flow with a small BDP: the draft's, or that of Google's kernel (google/bbr, branch v3,
 * net/ipv4/tcp_bbr.c of commit 001a430b), the source of these facts. There a burst may be longer by 64 KB, halved for
 * every 512 us of min_rtt, and the volume in the Reno-coexistence bound is the BDP with the budget, not the BDP only.
 */
#define BBR3_BUDGET_DRAFT 0
#define BBR3_BUDGET_KERNEL 1
#define BBR3_KERNEL_BURST 65536       /* bytes, at a min_rtt of 0 */
#define BBR3_KERNEL_BURST_HALVING 512 /* us of min_rtt */

#endif
