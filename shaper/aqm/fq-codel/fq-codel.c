/* SPDX-License-Identifier: MIT */
/*
 * FQ-CoDel, RFC 8290: flows are hashed to queues (section 4.1), deficit round robin serves new queues before
 * old ones (section 4.2), and CoDel manages each queue.
 *
 * If a packet exceeds the limit, one packet is dropped from the head of the queue with the most bytes (section
 * 4.1). Linux drops up to 64 packets at a time to save work. The seed is the key of the hash.
 */
#include <stdlib.h>
#include <string.h>
#include "../shared/codel-law.h"
#include "../shared/flow-hash.h"

struct fq_codel_config {
	struct codel_config codel; /* must be the first member */
	uint32_t flows;
	uint32_t quantum_bytes; /* 0: a quantum is the bytes of the largest packet */
};

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
	struct fq_codel_config config;
	uint64_t key;
	struct flow_list lists[OLD + 1]; /* lists[IDLE] stays empty */
	struct flow_queue flows[];
};

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

	for (uint32_t i = 1; i < fq->config.flows; i++)
		if (fq->flows[i].packets.bytes > fattest->packets.bytes)
			fattest = &fq->flows[i];
	queue_drop(&fq->queue, queue_pop(&fq->queue, &fattest->packets), DROP_OVERFLOW, now_ns);
}

static void enqueue(struct queue *queue, struct packet *packet, uint64_t now_ns)
{
	struct fq_codel *fq = (struct fq_codel *)queue;
	struct flow_queue *flow = &fq->flows[hash_flow(fq->key, packet, fq->config.flows)];

	queue_push(queue, &flow->packets, packet, now_ns);
	if (flow->list_name == IDLE) {
		flow->deficit_bytes = fq->config.quantum_bytes;
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
			flow->deficit_bytes += fq->config.quantum_bytes;
			remove_first(&fq->lists[name]);
			append(fq, OLD, flow);
			continue;
		}

		struct packet *packet = codel_dequeue(&flow->codel, &fq->config.codel, queue, &flow->packets, now_ns);

		if (packet) {
			flow->deficit_bytes -= packet->cost;
			return packet;
		}
		remove_first(&fq->lists[name]);
		/* a new queue that empties waits behind the old ones; otherwise it could starve them */
		if (name == NEW && fq->lists[OLD].first)
			append(fq, OLD, flow);
	}
}

static struct queue *create(const struct queue_config *config, uint64_t now_ns)
{
	struct fq_codel_config own;

	(void)now_ns;
	memcpy(&own, config->parameters, sizeof(own));
	if (own.quantum_bytes == 0)
		own.quantum_bytes = config->largest_bytes;

	struct fq_codel *fq = calloc(1, sizeof(*fq) + own.flows * sizeof(fq->flows[0]));

	if (!fq)
		return NULL;
	fq->config = own;
	fq->key = hash_key(config->seed);
	return &fq->queue;
}

const struct discipline fq_codel_discipline = {
	.parameters = {
		CODEL_PARAMETERS,
		PARAMETER("flows", struct fq_codel_config, flows, .usual = 1024, .least = 1, .most = 65536),
		PARAMETER("quantumBytes", struct fq_codel_config, quantum_bytes, .usual = 0, .least = 64, .most = 1e6),
	},
	.create = create,
	.enqueue = enqueue,
	.dequeue = dequeue,
};
