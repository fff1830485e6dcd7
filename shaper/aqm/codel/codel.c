/* SPDX-License-Identifier: MIT */
/* CoDel, RFC 8289: one queue that drops packets by CoDel's control law. */
#include <stdlib.h>
#include <string.h>
#include "../shared/codel-law.h"

struct codel_queue {
	struct queue queue;
	struct codel_config config;
	struct codel codel;
	struct packet_list list;
};

static void enqueue(struct queue *queue, struct packet *packet, uint64_t now_ns)
{
	if (queue_exceeds(queue, 1, packet->cost))
		queue_drop(queue, packet, DROP_OVERFLOW, now_ns);
	else
		queue_push(queue, &((struct codel_queue *)queue)->list, packet, now_ns);
}

static struct packet *dequeue(struct queue *queue, uint64_t now_ns)
{
	struct codel_queue *codel = (struct codel_queue *)queue;

	return codel_dequeue(&codel->codel, &codel->config, queue, &codel->list, now_ns);
}

static struct queue *create(const struct queue_config *config, uint64_t now_ns)
{
	struct codel_queue *codel = calloc(1, sizeof(*codel));

	(void)now_ns;
	if (!codel)
		return NULL;
	memcpy(&codel->config, config->parameters, sizeof(codel->config));
	return &codel->queue;
}

const struct discipline codel_discipline = {
	.parameters = { CODEL_PARAMETERS },
	.create = create,
	.enqueue = enqueue,
	.dequeue = dequeue,
};
