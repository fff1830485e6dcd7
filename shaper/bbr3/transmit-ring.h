/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * Data in flight and lost when a packet was sent: P.tx_in_flight and P.lost (draft-ietf-ccwg-bbr 4.1.2.1.2),
 * for a transport that keeps only P.delivered.
 *
 * All packets that are sent between two acknowledgments have the same P.delivered. So each entry stands for the
 * interval between two acknowledgments and is found by P.delivered. The position of P in the interval follows
 * from its sequence number, because the data in flight grows by the data sent. A retransmission, which has no
 * position by sequence number, counts as the first packet of its interval.
 *
 * The ring covers a little more than the last window. When windows outgrow it, neighbouring intervals share an
 * entry ("shift"). A receiver that acknowledges every other packet leaves every other key unused, so the first
 * sharing costs such a flow nothing.
 */
#ifndef COEXIST_BBR3_TRANSMIT_RING_H
#define COEXIST_BBR3_TRANSMIT_RING_H

#include "types.h"

#define BBR3_RING_ENTRIES 256
#define BBR3_RING_MAX_SHIFT 12

struct bbr3_interval {
	u32 key;             /* C.delivered throughout the interval */
	u32 lost;            /* C.lost at the start of the interval */
	u32 inflight_before; /* packets in flight at the start of the interval, before its packets */
	u32 inflight_after;  /* packets in flight at the end of the interval, with its packets */
	u32 next_sequence;   /* first new sequence number that was sent in the interval */
};

struct bbr3_ring {
	struct bbr3_interval interval[BBR3_RING_ENTRIES];
	struct bbr3_interval open; /* the interval that began with the last acknowledgment */
	u32 shift;
	u32 hits;
	u32 misses;
	bool is_open;
};

/* Packet as a transport reports it. */
struct bbr3_sent_packet {
	u32 delivered; /* P.delivered of the draft */
	u32 end_sequence;
};

BBR3_INLINE u32 bbr3_ring_index(const struct bbr3_ring *ring, u32 key)
{
	return (key >> (ring->shift & 15)) & (BBR3_RING_ENTRIES - 1);
}

/*
 * Closes the open interval at the start of an acknowledgment. `prior_inflight`: packets in flight before the
 * acknowledgment.
 */
BBR3_INLINE void bbr3_ring_close(struct bbr3_ring *ring, u32 prior_inflight)
{
	struct bbr3_interval *kept = &ring->interval[bbr3_ring_index(ring, ring->open.key)];

	if (!ring->is_open)
		return;
	if (kept->key == ring->open.key
	    && kept->inflight_after != 0) { /* split by an acknowledgment that delivered nothing */
		kept->inflight_after = bbr3_max32(kept->inflight_after, prior_inflight);
		return;
	}
	*kept = ring->open;
	kept->inflight_after = prior_inflight;
}

/* Opens a new interval at the end of an acknowledgment. */
BBR3_INLINE void bbr3_ring_open(struct bbr3_ring *ring, u32 delivered, u32 lost, u32 inflight, u32 next_sequence,
                                u32 cwnd)
{
	ring->open.key = delivered;
	ring->open.lost = lost;
	ring->open.inflight_before = inflight;
	ring->open.next_sequence = next_sequence;
	ring->is_open = true;
	if (ring->shift < BBR3_RING_MAX_SHIFT && (cwnd >> (ring->shift & 15)) > BBR3_RING_ENTRIES * 3 / 4)
		ring->shift++;
}

/* Finds P.tx_in_flight and P.lost. False: the ring no longer has them. `mss` in bytes. */
BBR3_INLINE bool bbr3_ring_find(struct bbr3_ring *ring, const struct bbr3_sent_packet *packet, u32 mss,
                                u32 *tx_in_flight, u32 *lost)
{
	const struct bbr3_interval *found = &ring->interval[bbr3_ring_index(ring, packet->delivered)];
	u32 apart = packet->delivered > found->key ? packet->delivered - found->key : found->key - packet->delivered;
	u32 sent = 1;

	if (apart >> (ring->shift & 15) || found->inflight_after == 0) {
		ring->misses++;
		return false;
	}
	ring->hits++;
	if (bbr3_after(packet->end_sequence, found->next_sequence) && mss > 0)
		sent = (packet->end_sequence - found->next_sequence + mss - 1) / mss;
	*tx_in_flight = bbr3_min32(found->inflight_after, found->inflight_before + sent);
	*lost = found->lost;
	return true;
}

#endif
