/* SPDX-License-Identifier: MIT */
/* A delay line: packets in order of the time they leave, and of their arrival where that is the same. A binary heap. */
#ifndef COEXIST_LINK_HEAP_H
#define COEXIST_LINK_HEAP_H

#include "packet.h"

struct heap {
	struct packet **packets; /* room for as many as there are packets at all */
	uint32_t count;
};

static inline uint64_t heap_next_ns(const struct heap *heap)
{
	return heap->count == 0 ? NEVER : heap->packets[0]->time_ns;
}

void heap_push(struct heap *heap, struct packet *packet);

/* Not of an empty heap. */
struct packet *heap_pop(struct heap *heap);

#endif
