/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/* Types that the loss classifier and its loader share. */
#ifndef COEXIST_LOSS_H
#define COEXIST_LOSS_H

#include <linux/bpf.h>
#include <linux/types.h>

/*
 * Constants that the loader sets before the program is loaded; the only object of .rodata. A threshold is a
 * probability times 2^32: the event happens if 32 random bits are below it.
 */
struct loss_constants {
	__u64 seed;
	__u32 gilbert_elliott; /* 0: independent losses, which use only good_loss */
	__u32 good_loss;       /* threshold for the loss of a packet in the good state */
	__u32 bad_loss;        /* threshold for the loss of a packet in the bad state */
	__u32 to_bad;          /* threshold for the change from good to bad after a packet */
	__u32 to_good;         /* threshold for the change from bad to good after a packet */
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
	__u64 bytes; /* link-layer bytes, as tc counts them */
	__u64 lost_packets;
	__u64 lost_bytes;
};

struct loss_state {
	struct bpf_spin_lock lock;
	__u32 bad; /* state of the Gilbert-Elliott model: 1 for "bad" */
	struct loss_counters counters;
};

#endif
