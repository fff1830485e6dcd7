/* SPDX-License-Identifier: MIT */
/*
 * State of each sender, receiver and protocol: number of its packets at each random choice, and losses. Ports do not
 * count, so that the k-th media packet has the same fate in every trial.
 */
#ifndef COEXIST_LINK_FLOWS_H
#define COEXIST_LINK_FLOWS_H

#include "packet.h"

/* Capacity of the map of loss.bpf.c. Packets of further flows have no random loss or delay. */
enum { FLOWS_MAX = 1024, FLOW_SLOTS = 4096 };

struct flow {
	bool used;
	bool bad; /* state of the Gilbert-Elliott model */
	uint8_t protocol;
	uint16_t path;
	uint32_t source, destination;
	uint64_t loss, jitter, reorder, duplicate;         /* generators */
	uint64_t jittered, reordered, duplicated;          /* packets at each choice */
	uint64_t packets, bytes, lost_packets, lost_bytes; /* packets at the random loss */
};

struct flows {
	uint64_t seed;
	uint32_t count;
	struct flow slots[FLOW_SLOTS];
};

void flows_reset(struct flows *flows, uint64_t seed);

/* Flow of a packet whose path is known; NULL if the table is full. */
struct flow *flows_find(struct flows *flows, const struct packet *packet);

#endif
