/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/* What the loss classifier and its loader share. */
#ifndef COEXIST_LOSS_H
#define COEXIST_LOSS_H

#include <linux/types.h>

/* Set by the loader before the program is loaded: the one object of .rodata. */
struct loss_constants {
	__u64 seed;
	__u32 threshold;   /* a packet is lost when 32 random bits are below this */
	__u32 padding;
};

struct loss_flow {
	__u32 source;      /* IPv4 address, network order */
	__u32 destination; /* IPv4 address, network order */
	__u32 protocol;    /* IP protocol number */
	__u32 padding;
};

struct loss_counters {
	__u64 packets;
	__u64 bytes;       /* link-layer bytes, as tc counts them */
	__u64 lost_packets;
	__u64 lost_bytes;
};

#endif
