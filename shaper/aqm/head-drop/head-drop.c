/* SPDX-License-Identifier: MIT */
/* FIFO queue. It drops packets at its head until the arriving packet fits. */
#include <stdlib.h>
#include "core/queue.h"

struct head_drop {
	struct queue queue;
	struct packet_list list;
};

static struct packet *dequeue(struct queue *queue, uint64_t now_ns)
{
	(void)now_ns;
	return queue_pop(queue, &((struct head_drop *)queue)->list);
}

static void enqueue(struct queue *queue, struct packet *packet, uint64_t now_ns)
{
	while (queue->packets > 0 && queue_exceeds(queue, 1, packet->cost))
		queue_drop(queue, dequeue(queue, now_ns), DROP_OVERFLOW, now_ns);
	if (queue_exceeds(queue, 1, packet->cost))
		queue_drop(queue, packet, DROP_OVERFLOW, now_ns);
	else
		queue_push(queue, &((struct head_drop *)queue)->list, packet, now_ns);
}

static struct queue *create(const struct queue_config *config, uint64_t now_ns)
{
	struct head_drop *own = calloc(1, sizeof(*own));

	(void)config;
	(void)now_ns;
	return own ? &own->queue : NULL;
}

const struct discipline head_drop_discipline = {
	.ecn_refusal = { [true] = "must be false: a FIFO marks nothing" },
	.create = create,
	.enqueue = enqueue,
	.dequeue = dequeue,
};
