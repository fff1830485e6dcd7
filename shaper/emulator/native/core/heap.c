/* SPDX-License-Identifier: MIT */
#include "heap.h"

static bool is_before(const struct packet *a, const struct packet *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->order < b->order;
}

void heap_push(struct heap *heap, struct packet *packet)
{
	uint32_t at = heap->count++;

	while (at > 0 && is_before(packet, heap->packets[(at - 1) / 2])) {
		heap->packets[at] = heap->packets[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap->packets[at] = packet;
}

struct packet *heap_pop(struct heap *heap)
{
	struct packet *first = heap->packets[0];
	struct packet *last = heap->packets[--heap->count];
	uint32_t at = 0;

	for (uint32_t child = 1; child < heap->count; child = 2 * at + 1) {
		if (child + 1 < heap->count && is_before(heap->packets[child + 1], heap->packets[child]))
			child++;
		if (!is_before(heap->packets[child], last))
			break;
		heap->packets[at] = heap->packets[child];
		at = child;
	}
	heap->packets[at] = last;
	return first;
}
