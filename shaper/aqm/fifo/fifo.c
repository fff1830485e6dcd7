/* SPDX-License-Identifier: MIT */
/* FIFO queue. It drops arriving packets that do not fit (drop-tail). */
#include <stdlib.h>
#include "core/queue.h"

struct fifo {
	struct queue queue;
	struct packet_list list;
};

static void enqueue(struct queue *queue, struct packet *packet, uint64_t now_ns)
{
	if (queue_exceeds(queue, 1, packet->cost))
		queue_drop(queue, packet, DROP_OVERFLOW, now_ns);
	else
		queue_push(queue, &((struct fifo *)queue)->list, packet, now_ns);
}

static struct packet *dequeue(struct queue *queue, uint64_t now_ns)
{
	(void)now_ns;
	return queue_pop(queue, &((struct fifo *)queue)->list);
}

static struct queue *create(const struct queue_config *config, uint64_t now_ns)
{
	struct fifo *fifo = calloc(1, sizeof(*fifo));

	(void)config;
	(void)now_ns;
	return fifo ? &fifo->queue : NULL;
}

const struct discipline fifo_discipline = {
	.ecn_refusal = { [true] = "must be false: a FIFO marks nothing" },
	.create = create,
	.enqueue = enqueue,
	.dequeue = dequeue,
};
