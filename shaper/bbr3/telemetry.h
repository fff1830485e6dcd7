/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * Telemetry of the loaded BBRv3: layouts that bbr3.bpf.c and coexist-bbr3 share.
 *
 * Only the counters are written unless the object was loaded with telemetry. A record is written on every
 * acknowledgment without a lock, so the members that a reader sees may belong to two consecutive
 * acknowledgments. Bandwidths are in bytes per second, times in microseconds of CLOCK_MONOTONIC, volumes in
 * packets.
 */
#ifndef COEXIST_BBR3_TELEMETRY_H
#define COEXIST_BBR3_TELEMETRY_H

#include "types.h"

#define BBR3_RECORDS 256      /* number of sockets with a record; the 257th socket replaces the first */
#define BBR3_TRANSITIONS 8192 /* number of stored events, those of all sockets */
#define BBR3_HASH_BYTES 32
#define BBR3_MAGIC 0x33726262u /* letters of "bbr3" */

/* The only object of .rodata. The loader sets the values that are unknown at compile time. */
struct bbr3_constants {
	u32 magic;
	u32 version;
	u32 cong_control_arguments;      /* number of its arguments: 4 since Linux 6.10, 2 before */
	u32 telemetry;                   /* 1: telemetry is written; 0: only counters */
	u32 budget;                      /* BBR3_BUDGET_DRAFT or BBR3_BUDGET_KERNEL */
	u32 for_runs;                    /* 1: removed with its last holder; 0: permanent */
	u8 object_hash[BBR3_HASH_BYTES]; /* SHA-256 of the object file; zeros: unknown */
	char draft[64];
};

/* Counters; the only object of .bss. */
struct bbr3_counters {
	u64 sockets;        /* sockets that started, with or without telemetry */
	u64 store_failures; /* sockets without memory for their state, which run without BBR */
	u64 events;         /* events that were written to the ring so far */
};

struct bbr3_record {
	u64 socket; /* number of the socket, from 1; 0: the record is empty */
	u64 begin_time;
	u64 time;     /* time of the last acknowledgment */
	u64 end_time; /* time at which the connection ended; 0: it is open */
	u64 acknowledgments;
	u64 max_bw; /* infinite if unknown, as the following members */
	u64 bw_shortterm;
	u64 bw;
	u64 pacing_rate;
	u32 source; /* IPv4, network order; 0 for IPv6 */
	u32 destination;
	u16 source_port;      /* host order */
	u16 destination_port; /* host order */
	u16 state;
	u16 version;
	u32 min_rtt;
	u32 rtt; /* RTT of the last sample */
	u32 cwnd;
	u32 inflight;
	u32 inflight_longterm;
	u32 inflight_shortterm;
	u32 extra_acked;
	u32 round_count;
	u32 loss_rounds;
	u32 delivered;
	u32 lost;
	u32 ring_hits;
	u32 ring_misses;
	u32 lost_packets_seen; /* losses for which the lost packet itself was examined */
	u32 transitions;
	u32 probe_rtt_episodes;
	u32 budget; /* budget of the connection (BBR3_BUDGET_*) */
};

struct bbr3_transition {
	u64 number; /* number among the events of all sockets, from 1; shows if the event was replaced */
	u64 socket;
	u64 time;
	u64 max_bw;
	u64 bw_shortterm;
	u64 pacing_rate;
	u16 from;
	u16 to;
	u16 event;
	u16 gain; /* pacing gain of the state that was entered, percent */
	u32 min_rtt;
	u32 cwnd;
	u32 inflight;
	u32 inflight_longterm;
	u32 inflight_shortterm;
	u32 round_count;
	u32 delivered;
	u32 lost;
	u32 bw_probe_wait; /* us; set for phases with a wait */
};

#endif
