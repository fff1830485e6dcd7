/* SPDX-License-Identifier: MIT */
/* First in, first out; what does not fit is dropped (drop-tail). */
#include <stdlib.h>
#include "queue.h"

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

struct queue *fifo_create(void)
{
	static const struct queue_operations operations = { enqueue, dequeue };
	struct fifo *fifo = calloc(1, sizeof(*fifo));

	if (!fifo)
		return NULL;
	fifo->queue.operations = &operations;
	return &fifo->queue;
}
