/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * What the loaded BBRv3 tells: layouts that bbr3.bpf.c and coexist-bbr3 share.
 *
 * Only the counters are written unless the object was loaded with telemetry. A record is written on every
 * acknowledgment without a lock: a reader may see members of two neighbouring acknowledgments. Bandwidths are in bytes
 * per second, times in microseconds of CLOCK_MONOTONIC, volumes in packets.
 */
#ifndef COEXIST_BBR3_TELEMETRY_H
#define COEXIST_BBR3_TELEMETRY_H

#include "types.h"

#define BBR3_RECORDS 256      /* sockets; the 257th takes the place of the first */
#define BBR3_TRANSITIONS 8192 /* events of all sockets, the last ones */
#define BBR3_HASH_BYTES 32
#define BBR3_MAGIC 0x33726262u /* "bbr3" */

/* The one object of .rodata; the loader fills in what is not known when it is compiled. */
struct bbr3_constants {
	u32 magic;
	u32 version;
	u32 cong_control_arguments;      /* 4 since Linux 6.10, 2 before; read from the kernel's own types */
	u32 telemetry;                   /* 0 or 1 */
	u32 budget;                      /* BBR3_BUDGET_DRAFT or BBR3_BUDGET_KERNEL */
	u32 for_runs;                    /* 1: it goes with the last process that holds it; 0: it stays */
	u8 object_hash[BBR3_HASH_BYTES]; /* SHA-256 of the object file; zeros: not told */
	char draft[64];
};

/* The one object of .bss. */
struct bbr3_counters {
	u64 sockets;        /* that began with telemetry or without */
	u64 store_failures; /* sockets without memory for their state: they have no BBR */
	u64 events;         /* written to the ring so far */
};

struct bbr3_record {
	u64 socket; /* number of the socket, from 1; 0: nothing is here */
	u64 begin_time;
	u64 time;     /* of the last acknowledgment */
	u64 end_time; /* 0: it lives */
	u64 acknowledgments;
	u64 max_bw; /* infinite where there is none, as all of these */
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
	u32 rtt; /* of the last sample */
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
	u32 lost_packets_seen; /* losses for which the packet itself was looked at */
	u32 transitions;
	u32 probe_rtt_episodes;
	u32 budget; /* that this socket reckons with */
};

struct bbr3_transition {
	u64 number; /* from 1, of all sockets; tells whether the place has been taken by a later one */
	u64 socket;
	u64 time;
	u64 max_bw;
	u64 bw_shortterm;
	u64 pacing_rate;
	u16 from;
	u16 to;
	u16 event;
	u16 gain; /* percent, of the state entered */
	u32 min_rtt;
	u32 cwnd;
	u32 inflight;
	u32 inflight_longterm;
	u32 inflight_shortterm;
	u32 round_count;
	u32 delivered;
	u32 lost;
	u32 bw_probe_wait; /* us, for phases that wait */
};

#endif
