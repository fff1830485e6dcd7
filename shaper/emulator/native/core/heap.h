/* SPDX-License-Identifier: MIT */
/*
 * A delay line: packets in the order of departure times; at equal times, in the order of arrival. A binary
 * heap.
 */
#ifndef COEXIST_LINK_HEAP_H
#define COEXIST_LINK_HEAP_H

#include "packet.h"

struct heap {
	struct packet **packets; /* array with room for all packet buffers */
	uint32_t count;
};

static inline uint64_t heap_next_ns(const struct heap *heap)
{
	return heap->count == 0 ? NEVER : heap->packets[0]->time_ns;
}

void heap_push(struct heap *heap, struct packet *packet);

/* Removes and returns the packet that departs first. The heap must not be empty. */
struct packet *heap_pop(struct heap *heap);

#endif
