/* SPDX-License-Identifier: MIT */
/*
 * A queue for each flow that moves capacity from old flows to new ones slowly, after the idea of Confucius (Meng et
 * al., arXiv 2310.18030v2; draft-zhang-iccrg-confucius-00): a sender of real-time media needs several round-trip
 * times to lower its rate, so its part of the link must not fall faster than that. README.md says what is from the
 * source and what is this project's own.
 *
 * Each flow has a share of the link; all shares add up to 1. With n flows the fair share is 1/n. A flow that keeps
 * its queue short and has more than the fair share is protected: the excess halves every `halving`. All other flows
 * have equal parts of the rest. Deficit round robin serves the queues by their shares.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../shared/flow-hash.h"
#include "core/queue.h"

/* Longest time between two computations of the shares: short against the halving. */
static const uint64_t update_ns = 5000000;

/* Half-life of the average of a flow's queue delay: a worst-case round-trip time, as CoDel's interval. */
static const double smoothing_ns = 100e6;

/* Excess over the fair share, relative to it, at which protection ends: the excess itself never becomes 0. */
static const double end_of_protection = 0.01;

/*
 * Smallest credit per round, in packets. A flow has no share in the moment in which it comes, and with a credit of 0
 * the search for a queue that may send would not end.
 */
static const double least_quantum = 1.0 / 32;

struct confucius_config {
	uint64_t halving_ns;
	uint64_t standing_ns;
	uint64_t forget_ns;
	uint32_t flows;
};

struct flow_queue {
	struct flow_queue *next_known, *next_waiting;
	struct packet_list packets;
	bool known, waiting;
	bool heavy; /* it has a standing queue */
	bool protected;
	double share;    /* part of the link, 0 to 1 */
	double delay_ns; /* smoothed queue delay */
	double credit_bytes;
	uint64_t left_ns; /* when its last packet left; at first, when the flow came */
};

struct confucius {
	struct queue queue;
	struct confucius_config config;
	uint64_t key;
	uint32_t largest_bytes;
	uint32_t known_count;
	struct flow_queue *known;
	struct flow_queue *first_waiting, *last_waiting;
	uint64_t shared_ns; /* when the shares were computed last */
	struct flow_queue flows[];
};

static void forget_idle(struct confucius *confucius, uint64_t now_ns)
{
	struct flow_queue **link = &confucius->known;

	while (*link) {
		struct flow_queue *flow = *link;

		if (flow->waiting || now_ns - flow->left_ns < confucius->config.forget_ns) {
			link = &flow->next_known;
			continue;
		}
		*link = flow->next_known;
		*flow = (struct flow_queue){ 0 };
		confucius->known_count--;
	}
}

/* Between half of the threshold and the threshold a flow stays what it was, so that it does not change all the time. */
static void judge(const struct confucius *confucius, struct flow_queue *flow)
{
	double standing_ns = (double)confucius->config.standing_ns;

	if (flow->delay_ns > standing_ns)
		flow->heavy = true;
	else if (flow->delay_ns < standing_ns / 2)
		flow->heavy = false;
}

static void compute_shares(struct confucius *confucius, uint64_t now_ns)
{
	double elapsed_ns = (double)(now_ns - confucius->shared_ns);
	double kept = exp2(-elapsed_ns / (double)confucius->config.halving_ns);
	double of_protected = 0;
	uint32_t others = 0;

	confucius->shared_ns = now_ns;
	forget_idle(confucius, now_ns);
	if (!confucius->known)
		return;

	double fair = 1.0 / confucius->known_count;

	for (struct flow_queue *flow = confucius->known; flow; flow = flow->next_known) {
		flow->protected = !flow->heavy && flow->share > fair * (1 + end_of_protection);
		if (flow->protected) {
			flow->share = fair + (flow->share - fair) * kept;
			of_protected += flow->share;
		} else {
			/* while the share of a flow falls, its sender is not to blame for its queue */
			judge(confucius, flow);
			others++;
		}
	}
	/* there are others: if every flow had more than the fair share, all shares were more than 1 */
	for (struct flow_queue *flow = confucius->known; flow; flow = flow->next_known)
		if (!flow->protected)
			flow->share = fmax(0, 1 - of_protected) / others;
}

static void admit(struct confucius *confucius, struct flow_queue *flow, uint64_t now_ns)
{
	compute_shares(confucius, now_ns); /* for the time without this flow */
	*flow = (struct flow_queue){ .known = true, .left_ns = now_ns, .next_known = confucius->known };
	confucius->known = flow;
	confucius->known_count++;
	compute_shares(confucius, now_ns);
}

/* Puts a flow behind the others, with its credit for a round. A flow with the fair share may send a full packet. */
static void begin_round(struct confucius *confucius, struct flow_queue *flow)
{
	double packets = fmax(flow->share * confucius->known_count, least_quantum);

	flow->credit_bytes += packets * confucius->largest_bytes;
	flow->waiting = true;
	flow->next_waiting = NULL;
	if (confucius->last_waiting)
		confucius->last_waiting->next_waiting = flow;
	else
		confucius->first_waiting = flow;
	confucius->last_waiting = flow;
}

static void remove_first(struct confucius *confucius)
{
	confucius->first_waiting->waiting = false;
	confucius->first_waiting = confucius->first_waiting->next_waiting;
	if (!confucius->first_waiting)
		confucius->last_waiting = NULL;
}

static void drop_from_longest(struct confucius *confucius, uint64_t now_ns)
{
	struct flow_queue *longest = confucius->known;

	for (struct flow_queue *flow = confucius->known; flow; flow = flow->next_known)
		if (flow->packets.bytes > longest->packets.bytes)
			longest = flow;
	queue_drop(&confucius->queue, queue_pop(&confucius->queue, &longest->packets), DROP_OVERFLOW, now_ns);
}

static void enqueue(struct queue *queue, struct packet *packet, uint64_t now_ns)
{
	struct confucius *confucius = (struct confucius *)queue;
	struct flow_queue *flow = &confucius->flows[hash_flow(confucius->key, packet, confucius->config.flows)];

	if (!flow->known)
		admit(confucius, flow, now_ns);
	queue_push(queue, &flow->packets, packet, now_ns);
	if (!flow->waiting) {
		/* debt stays: a flow that never lets two packets wait would otherwise get a packet per round */
		flow->credit_bytes = fmin(flow->credit_bytes, 0);
		begin_round(confucius, flow);
	}
	while (queue_exceeds(queue, 0, 0) && queue->packets > 0)
		drop_from_longest(confucius, now_ns);
}

static struct packet *take(struct confucius *confucius, struct flow_queue *flow, uint64_t now_ns)
{
	struct packet *packet = queue_pop(&confucius->queue, &flow->packets);
	double delay_ns = (double)(now_ns - packet->enqueued_ns);
	double kept = exp2(-(double)(now_ns - flow->left_ns) / smoothing_ns);

	flow->delay_ns = delay_ns + (flow->delay_ns - delay_ns) * kept;
	flow->left_ns = now_ns;
	flow->credit_bytes -= packet->cost;
	return packet;
}

static struct packet *dequeue(struct queue *queue, uint64_t now_ns)
{
	struct confucius *confucius = (struct confucius *)queue;
	struct flow_queue *flow;

	if (now_ns - confucius->shared_ns >= update_ns)
		compute_shares(confucius, now_ns);
	while ((flow = confucius->first_waiting)) {
		if (!flow->packets.first) {
			remove_first(confucius); /* drops emptied it */
			continue;
		}
		if (flow->credit_bytes <= 0) {
			remove_first(confucius);
			begin_round(confucius, flow);
			continue;
		}

		struct packet *packet = take(confucius, flow, now_ns);

		if (!flow->packets.first)
			remove_first(confucius);
		return packet;
	}
	return NULL;
}

static struct queue *create(const struct queue_config *config, uint64_t now_ns)
{
	struct confucius_config own;

	memcpy(&own, config->parameters, sizeof(own));

	struct confucius *confucius = calloc(1, sizeof(*confucius) + own.flows * sizeof(confucius->flows[0]));

	if (!confucius)
		return NULL;
	confucius->config = own;
	confucius->key = hash_key(config->seed);
	confucius->largest_bytes = config->largest_bytes;
	confucius->shared_ns = now_ns;
	return &confucius->queue;
}

const struct discipline confucius_like_discipline = {
	.parameters = {
		PARAMETER("halvingUs", struct confucius_config, halving_ns, .usual = 430000, PERIOD_US),
		PARAMETER("standingUs", struct confucius_config, standing_ns, .usual = 40000, PERIOD_US),
		PARAMETER("forgetUs", struct confucius_config, forget_ns, .usual = 500000, PERIOD_US),
		PARAMETER("flows", struct confucius_config, flows, .usual = 1024, .least = 1, .most = 65536),
	},
	.ecn_refusal = { [true] = "must be false: a Confucius-like queue marks nothing" },
	.create = create,
	.enqueue = enqueue,
	.dequeue = dequeue,
};
