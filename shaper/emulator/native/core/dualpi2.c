/* SPDX-License-Identifier: MIT */
/*
 * DualPI2, RFC 9332: the pseudocode of appendix A.1 with the overload strategy of appendix A.2, names in brackets.
 *
 * The scheduler, which the RFC leaves open, is a weighted one: the low-latency queue goes first, but while both hold
 * packets the classic queue gets its share of the bytes (as in Linux: classic_protection, 10 %). The queueing delay is
 * the sojourn time of the first packet; PI2 follows the longer of the two queues.
 */
#include <math.h>
#include <stdlib.h>
#include "queue.h"

/* [Th_len]: the native low-latency marking needs more packets than this. */
enum { RAMP_PACKETS = 1 };

struct part {
	struct packet_list list;
	double count; /* of recur() */
};

struct dualpi2 {
	struct queue queue;
	struct part low_latency, classic;
	uint64_t update_at_ns;
	double alpha_hz, beta_hz;
	double base_probability;    /* [p'] */
	double coupled_probability; /* [p_CL] */
	double classic_probability; /* [p_C] */
	double delay_old_s;         /* [prevq] */
	double classic_credit_bytes;
};

static double waited_s(const struct part *part, uint64_t now_ns)
{
	return part->list.first ? (double)(now_ns - part->list.first->enqueued_ns) * 1e-9 : 0;
}

/* dualpi2_update */
static void update(struct dualpi2 *dual, uint64_t now_ns)
{
	double delay_s = fmax(waited_s(&dual->classic, now_ns), waited_s(&dual->low_latency, now_ns));
	double change = dual->alpha_hz * (delay_s - (double)dual->queue.config.target_ns * 1e-9)
	                + dual->beta_hz * (delay_s - dual->delay_old_s);

	dual->base_probability = fmin(fmax(dual->base_probability + change, 0), 1);
	dual->coupled_probability = fmin(dual->queue.config.coupling * dual->base_probability, 1);
	dual->classic_probability = dual->base_probability * dual->base_probability;
	dual->delay_old_s = delay_s;
}

static void catch_up(struct dualpi2 *dual, uint64_t now_ns)
{
	for (; dual->update_at_ns <= now_ns; dual->update_at_ns += dual->queue.config.update_ns)
		update(dual, dual->update_at_ns);
}

static void enqueue(struct queue *queue, struct packet *packet, uint64_t now_ns)
{
	struct dualpi2 *dual = (struct dualpi2 *)queue;
	bool low_latency = packet_ecn(packet) == ECN_ECT1 || packet_ecn(packet) == ECN_CE;

	catch_up(dual, now_ns);
	if (queue_exceeds(queue, 1, packet->cost))
		queue_drop(queue, packet, DROP_OVERFLOW, now_ns);
	else
		queue_push(queue, low_latency ? &dual->low_latency.list : &dual->classic.list, packet, now_ns);
}

/* scheduler(): the part that sends next; only called when one can */
static struct part *choose(struct dualpi2 *dual)
{
	double share = dual->queue.config.classic_ratio;

	if (!dual->low_latency.list.first || !dual->classic.list.first)
		return dual->low_latency.list.first ? &dual->low_latency : &dual->classic;
	if (dual->classic_credit_bytes > 0) {
		dual->classic_credit_bytes -= (1 - share) * dual->classic.list.first->cost;
		return &dual->classic;
	}
	dual->classic_credit_bytes += share * dual->low_latency.list.first->cost;
	return &dual->low_latency;
}

/* recur(): true as often as `likelihood` says, evenly spread */
static bool recur(struct part *part, double likelihood)
{
	part->count += likelihood;
	if (part->count <= 1)
		return false;
	part->count -= 1;
	return true;
}

/* laqm(): the native marking of the low-latency queue. `waited` is the delay of the packet just taken, `left` what is
 * behind it. */
static double native_probability(const struct dualpi2 *dual, double waited_ns, uint32_t left)
{
	double from_ns = (double)dual->queue.config.ramp_from_ns, range_ns = (double)dual->queue.config.ramp_range_ns;

	if (left < RAMP_PACKETS || waited_ns <= from_ns)
		return 0;
	return range_ns == 0 ? 1 : fmin((waited_ns - from_ns) / range_ns, 1);
}

/* Marks or drops by what the queue's probabilities say; false: dropped. */
static bool passes(struct dualpi2 *dual, struct part *part, struct packet *packet, uint64_t now_ns)
{
	struct queue *queue = &dual->queue;
	double classic_max = fmin(1 / (queue->config.coupling * queue->config.coupling), 1); /* [p_Cmax] */

	if (part == &dual->low_latency && dual->coupled_probability < 1) {
		double native = native_probability(dual, (double)(now_ns - packet->enqueued_ns), part->list.packets);

		if (recur(part, fmax(native, dual->coupled_probability)))
			queue_mark(queue, packet, now_ns);
		return true;
	}
	if (!recur(part, dual->classic_probability)) {
		if (part == &dual->low_latency && recur(part, dual->coupled_probability))
			queue_mark(queue, packet, now_ns);
		return true;
	}
	if (part == &dual->classic && dual->classic_probability < classic_max && queue_mark(queue, packet, now_ns))
		return true;
	queue_drop(queue, packet, DROP_AQM, now_ns);
	return false;
}

static struct packet *dequeue(struct queue *queue, uint64_t now_ns)
{
	struct dualpi2 *dual = (struct dualpi2 *)queue;

	catch_up(dual, now_ns);
	while (queue->packets > 0) {
		struct part *part = choose(dual);
		struct packet *packet = queue_pop(queue, &part->list);

		if (passes(dual, part, packet, now_ns))
			return packet;
	}
	return NULL;
}

struct queue *dualpi2_create(const struct queue_config *config, uint64_t now_ns)
{
	static const struct queue_operations operations = { enqueue, dequeue };
	struct dualpi2 *dual = calloc(1, sizeof(*dual));
	double rtt_max_s = (double)config->rtt_max_ns * 1e-9;

	if (!dual)
		return NULL;
	dual->queue.operations = &operations;
	dual->update_at_ns = now_ns + config->update_ns;
	dual->alpha_hz = 0.1 * (double)config->update_ns * 1e-9 / (rtt_max_s * rtt_max_s);
	dual->beta_hz = 0.3 / rtt_max_s;
	return &dual->queue;
}
