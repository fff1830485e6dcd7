/* SPDX-License-Identifier: MIT */
/*
 * What the link remembers of each sender, receiver and protocol: how many of its packets each random choice has
 * met, and what was lost. Ports do not enter, so that the k-th media packet meets the same fate in every trial.
 */
#ifndef COEXIST_LINK_FLOWS_H
#define COEXIST_LINK_FLOWS_H

#include "packet.h"

/* As many as the map of loss.bpf.c holds; packets of further flows are neither lost nor delayed by chance. */
enum { FLOWS_MAX = 1024, FLOW_SLOTS = 4096 };

struct flow {
	bool used;
	bool bad; /* state of the Gilbert-Elliott model */
	uint8_t protocol;
	uint16_t path;
	uint32_t source, destination;
	uint64_t loss, jitter, reorder, duplicate;         /* generators */
	uint64_t jittered, reordered, duplicated;          /* packets that each has met */
	uint64_t packets, bytes, lost_packets, lost_bytes; /* what met the loss */
};

struct flows {
	uint64_t seed;
	uint32_t count;
	struct flow slots[FLOW_SLOTS];
};

void flows_reset(struct flows *flows, uint64_t seed);

/* The flow of a packet whose path is known; NULL when there is no room for another. */
struct flow *flows_find(struct flows *flows, const struct packet *packet);

#endif
