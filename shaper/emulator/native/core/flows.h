/* SPDX-License-Identifier: MIT */
/*
 * State of each flow (sender, receiver and protocol): the number of its packets at each random choice, and its
 * losses. Ports are not part of a flow, so that the k-th media packet has the same fate in every trial.
 */
#ifndef COEXIST_LINK_FLOWS_H
#define COEXIST_LINK_FLOWS_H

#include "packet.h"

/*
 * Largest number of flows, the capacity of the map of loss.bpf.c. Packets of further flows have no random loss
 * or delay.
 */
enum { FLOWS_MAX = 1024, FLOW_SLOTS = 4096 };

struct flow {
	bool used;
	bool bad; /* state of the Gilbert-Elliott model: true for "bad" */
	uint8_t protocol;
	uint16_t path;
	uint32_t source, destination;
	uint64_t loss, jitter, reorder, duplicate;         /* random generators, one for each purpose */
	uint64_t jittered, reordered, duplicated;          /* packets that had each choice */
	uint64_t packets, bytes, lost_packets, lost_bytes; /* counters of the random loss */
};

struct flows {
	uint64_t seed;
	uint32_t count;
	struct flow slots[FLOW_SLOTS];
};

void flows_reset(struct flows *flows, uint64_t seed);

/* Returns the flow of a packet whose path is known; NULL if the table is full. */
struct flow *flows_find(struct flows *flows, const struct packet *packet);

#endif
