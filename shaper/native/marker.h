/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/* What the marker and its loader share. */
#ifndef COEXIST_MARKER_H
#define COEXIST_MARKER_H

#include <linux/types.h>

enum { MARKER_KEEP = 0xff };

/* Which packets the marker changes, and how; the only object of .rodata. */
struct marker_constants {
	__u8 protocol; /* IP protocol number; 0: all */
	__u8 is_rtp;   /* 1: only RTP packets, and none of RTCP, STUN or DTLS on the same port */
	__u16 port;    /* port of the sender or of the receiver, host order; 0: all */
	__u8 from;     /* ECN field of the packets whose field changes */
	__u8 to;       /* new ECN field; MARKER_KEEP: no change */
	__u8 dscp;     /* new DSCP; MARKER_KEEP: no change */
	__u8 padding;
};

#endif
