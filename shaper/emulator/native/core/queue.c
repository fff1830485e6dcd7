/* SPDX-License-Identifier: MIT */
/* Parts that the queues of all disciplines share. */
#include <math.h>
#include <string.h>
#include "queue.h"

void queue_set_parameter(struct queue_config *config, const struct parameter *parameter, double value)
{
	unsigned char *at = (unsigned char *)config->parameters + parameter->offset;

	switch (parameter->kind) {
	case PARAMETER_TIME:
		memcpy(at, &(uint64_t){ (uint64_t)llround(value * NS_PER_US) }, sizeof(uint64_t));
		break;
	case PARAMETER_COUNT:
		memcpy(at, &(uint32_t){ (uint32_t)value }, sizeof(uint32_t));
		break;
	case PARAMETER_NUMBER:
		memcpy(at, &value, sizeof(value));
		break;
	}
}

struct queue *queue_create(const struct queue_config *config, const struct queue_owner *owner, uint64_t now_ns)
{
	struct queue *queue = config->discipline->create(config, now_ns);

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
		queue->owner.marked(queue->owner.context, packet, now_ns);
		packet_set_ce(packet);
	}
	return true;
}
