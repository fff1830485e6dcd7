/* SPDX-License-Identifier: MIT */
/* What all kinds of queue have in common. */
#include "queue.h"

static struct queue *create(const struct queue_config *config, uint64_t now_ns)
{
	switch (config->kind) {
	case QUEUE_FIFO:
		return fifo_create();
	case QUEUE_CODEL:
		return codel_create();
	case QUEUE_FQ_CODEL:
		return fq_codel_create(config);
	case QUEUE_PIE:
		return pie_create(config, now_ns);
	case QUEUE_DUALPI2:
		return dualpi2_create(config, now_ns);
	}
	return NULL;
}

struct queue *queue_create(const struct queue_config *config, const struct queue_owner *owner, uint64_t now_ns)
{
	struct queue *queue = create(config, now_ns);

	if (queue) {
		queue->config = *config;
		queue->owner = *owner;
	}
	return queue;
}

void queue_push(struct queue *queue, struct packet_list *list, struct packet *packet, uint64_t now_ns)
{
	packet->enqueued_ns = now_ns;
	list_push(list, packet);
	queue->packets++;
	queue->bytes += packet->cost;
	queue->owner.enqueued(queue->owner.context, packet, now_ns);
}

struct packet *queue_pop(struct queue *queue, struct packet_list *list)
{
	struct packet *packet = list_pop(list);

	if (packet) {
		queue->packets--;
		queue->bytes -= packet->cost;
	}
	return packet;
}

void queue_drop(struct queue *queue, struct packet *packet, enum queue_drop why, uint64_t now_ns)
{
	queue->owner.dropped(queue->owner.context, packet, why, now_ns);
}

bool queue_mark(struct queue *queue, struct packet *packet, uint64_t now_ns)
{
	enum ecn ecn = packet_ecn(packet);

	if (!queue->config.ecn || ecn == ECN_NONE)
		return false;
	if (ecn != ECN_CE) {
		packet_set_ce(packet);
		queue->owner.marked(queue->owner.context, packet, now_ns);
	}
	return true;
}
