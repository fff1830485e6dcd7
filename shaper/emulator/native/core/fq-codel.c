/* SPDX-License-Identifier: MIT */
/*
 * FQ-CoDel, RFC 8290: flows hashed to queues (section 4.1), deficit round robin over new queues before old ones
 * (section 4.2), CoDel in each.
 *
 * Over the limit, one packet is dropped from the head of the queue that holds the most bytes (section 4.1); Linux
 * drops up to 64 at a time to save work. The hash is keyed by the seed.
 */
#include <stdlib.h>
#include "codel.h"
#include "random.h"

enum list_name { IDLE, NEW, OLD };

struct flow_queue {
	struct flow_queue *next;
	enum list_name list_name;
	int64_t deficit_bytes;
	struct codel codel;
	struct packet_list packets;
};

struct flow_list {
	struct flow_queue *first, *last;
};

struct fq_codel {
	struct queue queue;
	uint64_t key;
	struct flow_list lists[OLD + 1]; /* IDLE stays empty */
	struct flow_queue flows[];
};

static struct flow_queue *flow_of(struct fq_codel *fq, const struct packet *packet)
{
	uint64_t hash = mix64(fq->key ^ ((uint64_t)packet->source << 32 | packet->destination));

	hash = mix64(
		hash
		^ ((uint64_t)packet->protocol << 32 | (uint32_t)packet->source_port << 16 | packet->destination_port));
	return &fq->flows[hash % fq->queue.config.flows];
}

static void append(struct fq_codel *fq, enum list_name name, struct flow_queue *flow)
{
	struct flow_list *list = &fq->lists[name];

	flow->list_name = name;
	flow->next = NULL;
	if (list->last)
		list->last->next = flow;
	else
		list->first = flow;
	list->last = flow;
}

static void remove_first(struct flow_list *list)
{
	list->first->list_name = IDLE;
	list->first = list->first->next;
	if (!list->first)
		list->last = NULL;
}

static void drop_from_fattest(struct fq_codel *fq, uint64_t now_ns)
{
	struct flow_queue *fattest = &fq->flows[0];

	for (uint32_t i = 1; i < fq->queue.config.flows; i++)
		if (fq->flows[i].packets.bytes > fattest->packets.bytes)
			fattest = &fq->flows[i];
	queue_drop(&fq->queue, queue_pop(&fq->queue, &fattest->packets), DROP_OVERFLOW, now_ns);
}

static void enqueue(struct queue *queue, struct packet *packet, uint64_t now_ns)
{
	struct fq_codel *fq = (struct fq_codel *)queue;
	struct flow_queue *flow = flow_of(fq, packet);

	queue_push(queue, &flow->packets, packet, now_ns);
	if (flow->list_name == IDLE) {
		flow->deficit_bytes = queue->config.quantum_bytes;
		append(fq, NEW, flow);
	}
	while (queue_exceeds(queue, 0, 0) && queue->packets > 0)
		drop_from_fattest(fq, now_ns);
}

static struct packet *dequeue(struct queue *queue, uint64_t now_ns)
{
	struct fq_codel *fq = (struct fq_codel *)queue;

	for (;;) {
		enum list_name name = fq->lists[NEW].first ? NEW : OLD;
		struct flow_queue *flow = fq->lists[name].first;

		if (!flow)
			return NULL;
		if (flow->deficit_bytes <= 0) {
			flow->deficit_bytes += queue->config.quantum_bytes;
			remove_first(&fq->lists[name]);
			append(fq, OLD, flow);
			continue;
		}

		struct packet *packet = codel_dequeue(&flow->codel, queue, &flow->packets, now_ns);

		if (packet) {
			flow->deficit_bytes -= packet->cost;
			return packet;
		}
		remove_first(&fq->lists[name]);
		/* a new queue that empties must wait for the old ones, or it could starve them */
		if (name == NEW && fq->lists[OLD].first)
			append(fq, OLD, flow);
	}
}

struct queue *fq_codel_create(const struct queue_config *config)
{
	static const struct queue_operations operations = { enqueue, dequeue };
	struct fq_codel *fq = calloc(1, sizeof(*fq) + config->flows * sizeof(fq->flows[0]));

	if (!fq)
		return NULL;
	fq->queue.operations = &operations;
	fq->key = random_purpose(config->seed, PURPOSE_HASH);
	return &fq->queue;
}
