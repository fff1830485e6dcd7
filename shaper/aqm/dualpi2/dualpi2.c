/* SPDX-License-Identifier: MIT */
/*
 * DualPI2, RFC 9332: the pseudocode of appendix A.1 with the overload strategy of appendix A.2, whose names are
 * in brackets below.
 *
 * The RFC leaves the scheduler open; this discipline uses a weighted one. The low-latency queue goes first, but
 * while both queues hold packets the classic queue gets a fixed share of the bytes (as in Linux:
 * classic_protection, 10 %). The queueing delay is the sojourn time of the first packet; PI2 uses the longer
 * delay of the two queues.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/queue.h"

/* [Th_len]: smallest number of packets in the low-latency queue at which its native marking acts. */
enum { RAMP_PACKETS = 1 };

struct dualpi2_config {
	uint64_t target_ns;     /* [target] of the RFC */
	uint64_t update_ns;     /* [Tupdate] of the RFC */
	uint64_t rtt_max_ns;    /* [RTT_max] of the RFC */
	double coupling;        /* [k] of the RFC */
	uint64_t ramp_from_ns;  /* [minTh] of the RFC */
	uint64_t ramp_range_ns; /* [range] of the RFC */
	double classic_ratio;   /* smallest share of the bytes that the classic queue gets */
};

struct part {
	struct packet_list list;
	double count; /* state of recur(), between 0 and 1 */
};

struct dualpi2 {
	struct queue queue;
	struct dualpi2_config config;
	struct part low_latency, classic;
	uint64_t update_at_ns;
	double alpha_hz, beta_hz;
	double base_probability;    /* [p'] of the RFC */
	double coupled_probability; /* [p_CL] of the RFC */
	double classic_probability; /* [p_C] of the RFC */
	double delay_old_s;         /* [prevq] of the RFC */
	double classic_credit_bytes;
};

static double waited_s(const struct part *part, uint64_t now_ns)
{
	return part->list.first ? (double)(now_ns - part->list.first->enqueued_ns) * 1e-9 : 0;
}

/* Updates the probabilities from the queueing delay (dualpi2_update() of the RFC). */
static void update(struct dualpi2 *dual, uint64_t now_ns)
{
	double delay_s = fmax(waited_s(&dual->classic, now_ns), waited_s(&dual->low_latency, now_ns));
	double change = dual->alpha_hz * (delay_s - (double)dual->config.target_ns * 1e-9)
	                + dual->beta_hz * (delay_s - dual->delay_old_s);

	dual->base_probability = fmin(fmax(dual->base_probability + change, 0), 1);
	dual->coupled_probability = fmin(dual->config.coupling * dual->base_probability, 1);
	dual->classic_probability = dual->base_probability * dual->base_probability;
	dual->delay_old_s = delay_s;
}

static void catch_up(struct dualpi2 *dual, uint64_t now_ns)
{
	for (; dual->update_at_ns <= now_ns; dual->update_at_ns += dual->config.update_ns)
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

/* Returns the queue that sends next; at least one of them must hold a packet (scheduler() of the RFC). */
static struct part *choose(struct dualpi2 *dual)
{
	double share = dual->config.classic_ratio;

	if (!dual->low_latency.list.first || !dual->classic.list.first)
		return dual->low_latency.list.first ? &dual->low_latency : &dual->classic;
	if (dual->classic_credit_bytes > 0) {
		dual->classic_credit_bytes -= (1 - share) * dual->classic.list.first->cost;
		return &dual->classic;
	}
	dual->classic_credit_bytes += share * dual->low_latency.list.first->cost;
	return &dual->low_latency;
}

/* Returns true with frequency `likelihood`, evenly spread (recur() of the RFC). */
static bool recur(struct part *part, double likelihood)
{
	part->count += likelihood;
	if (part->count <= 1)
		return false;
	part->count -= 1;
	return true;
}

/*
 * Returns the native marking probability of the low-latency queue (laqm() of the RFC). `waited_ns`: delay of
 * the packet that was just taken. `left`: number of packets behind it.
 */
static double native_probability(const struct dualpi2 *dual, double waited_ns, uint32_t left)
{
	double from_ns = (double)dual->config.ramp_from_ns, range_ns = (double)dual->config.ramp_range_ns;

	if (left < RAMP_PACKETS || waited_ns <= from_ns)
		return 0;
	return range_ns == 0 ? 1 : fmin((waited_ns - from_ns) / range_ns, 1);
}

/* Marks or drops the packet by the probabilities of its queue. False: the packet was dropped. */
static bool passes(struct dualpi2 *dual, struct part *part, struct packet *packet, uint64_t now_ns)
{
	struct queue *queue = &dual->queue;
	double classic_max = fmin(1 / (dual->config.coupling * dual->config.coupling), 1); /* [p_Cmax] */

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

static struct queue *create(const struct queue_config *config, uint64_t now_ns)
{
	struct dualpi2 *dual = calloc(1, sizeof(*dual));

	if (!dual)
		return NULL;
	memcpy(&dual->config, config->parameters, sizeof(dual->config));

	double rtt_max_s = (double)dual->config.rtt_max_ns * 1e-9;

	dual->update_at_ns = now_ns + dual->config.update_ns;
	dual->alpha_hz = 0.1 * (double)dual->config.update_ns * 1e-9 / (rtt_max_s * rtt_max_s);
	dual->beta_hz = 0.3 / rtt_max_s;
	return &dual->queue;
}

const struct discipline dualpi2_discipline = {
	.parameters = {
		PARAMETER("targetUs", struct dualpi2_config, target_ns, .usual = 15000, PERIOD_US),
		PARAMETER("updateUs", struct dualpi2_config, update_ns, .usual = 15000, PERIOD_US),
		PARAMETER("rttMaxUs", struct dualpi2_config, rtt_max_ns, .usual = 100000, PERIOD_US),
		PARAMETER("coupling", struct dualpi2_config, coupling, .usual = 2, .least = 0.1, .most = 10),
		PARAMETER("rampFromUs", struct dualpi2_config, ramp_from_ns, .usual = 800, .least = 0, .most = 60e6),
		PARAMETER("rampRangeUs", struct dualpi2_config, ramp_range_ns, .usual = 400, .least = 0, .most = 60e6),
		PARAMETER("classicRatio", struct dualpi2_config, classic_ratio, .usual = 0.1, .least = 0, .most = 0.5,
		          .above = true),
	},
	.ecn_refusal = { [false] = "must be true: DualPI2 tells its two kinds of traffic apart by it" },
	.create = create,
	.enqueue = enqueue,
	.dequeue = dequeue,
};
