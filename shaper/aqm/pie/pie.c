/* SPDX-License-Identifier: MIT */
/*
 * PIE, RFC 8033: the pseudocode of its appendix A, with ECN (section 5.1) and de-randomization (section 5.4).
 *
 * The queueing delay is the waiting time of the last packet that left (section 5.2 allows time stamps), and 0 when
 * the queue is empty.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/queue.h"
#include "core/random.h"

static const double alpha_hz = 0.125, beta_hz = 1.25;
/* Drop probability below which ECN-capable packets are marked instead (mark_ecnth). */
static const double mark_below = 0.1;
/*
 * Bounds of the accumulated probability: below the first a packet is always enqueued, above the second it is
 * always dropped.
 */
static const double accumulated_low = 0.85, accumulated_high = 8.5;

static const uint64_t purpose = 0x7069652020202020ULL; /* letters of "pie" */

struct pie_config {
	uint64_t target_ns; /* QDELAY_REF of the RFC */
	uint64_t update_ns; /* T_UPDATE of the RFC */
	uint64_t burst_ns;  /* MAX_BURST of the RFC */
};

struct pie {
	struct queue queue;
	struct pie_config config;
	struct packet_list list;
	uint64_t generator, drawn;
	uint64_t update_at_ns;
	uint64_t burst_allowance_ns;
	double drop_probability, accumulated_probability;
	double delay_s, delay_old_s;
};

/*
 * Returns the factor by which a change of the probability is scaled, as in RFC 8033 section 4.2: small
 * probabilities change in small steps.
 */
static double auto_tune(double probability)
{
	static const struct {
		double below, divisor;
	} steps[] = {
		{ 0.000001, 2048 }, { 0.00001, 512 }, { 0.0001, 128 }, { 0.001, 32 }, { 0.01, 8 }, { 0.1, 2 },
	};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (probability < steps[i].below)
			return 1 / steps[i].divisor;
	return 1;
}

static double target_s(const struct pie *pie)
{
	return (double)pie->config.target_ns * 1e-9;
}

static bool is_calm(const struct pie *pie)
{
	return pie->delay_s < target_s(pie) / 2 && pie->delay_old_s < target_s(pie) / 2;
}

/* Updates the drop probability (calculate_drop_prob() of the RFC). */
static void update(struct pie *pie)
{
	if (pie->queue.packets == 0)
		pie->delay_s = 0;

	double change = alpha_hz * (pie->delay_s - target_s(pie)) + beta_hz * (pie->delay_s - pie->delay_old_s);

	change *= auto_tune(pie->drop_probability);
	if (pie->drop_probability >= 0.1 && change > 0.02)
		change = 0.02;
	pie->drop_probability += change;
	if (pie->delay_s == 0 && pie->delay_old_s == 0)
		pie->drop_probability *= 0.98;
	pie->drop_probability = fmin(fmax(pie->drop_probability, 0), 1);
	pie->burst_allowance_ns -=
		pie->burst_allowance_ns < pie->config.update_ns ? pie->burst_allowance_ns : pie->config.update_ns;
	if (pie->drop_probability == 0 && is_calm(pie))
		pie->burst_allowance_ns = pie->config.burst_ns;
	pie->delay_old_s = pie->delay_s;
}

static void catch_up(struct pie *pie, uint64_t now_ns)
{
	for (; pie->update_at_ns <= now_ns; pie->update_at_ns += pie->config.update_ns)
		update(pie);
}

/* Returns true if an arriving packet is dropped or marked (drop_early() of the RFC). */
static bool drops_early(struct pie *pie)
{
	if ((pie->delay_old_s < target_s(pie) / 2 && pie->drop_probability < 0.2)
	    || pie->queue.bytes <= 2 * pie->queue.config.largest_bytes)
		return false;
	if (pie->drop_probability == 0)
		pie->accumulated_probability = 0;
	pie->accumulated_probability += pie->drop_probability;
	if (pie->accumulated_probability < accumulated_low)
		return false;
	if (pie->accumulated_probability < accumulated_high
	    && random_uniform(random_output(pie->generator, pie->drawn++)) >= pie->drop_probability)
		return false;
	pie->accumulated_probability = 0;
	return true;
}

static void enqueue(struct queue *queue, struct packet *packet, uint64_t now_ns)
{
	struct pie *pie = (struct pie *)queue;

	catch_up(pie, now_ns);
	if (queue_exceeds(queue, 1, packet->cost)) {
		queue_drop(queue, packet, DROP_OVERFLOW, now_ns);
		return;
	}
	if (pie->burst_allowance_ns == 0 && drops_early(pie)
	    && !(pie->drop_probability < mark_below && queue_mark(queue, packet, now_ns))) {
		queue_drop(queue, packet, DROP_AQM, now_ns);
		return;
	}
	queue_push(queue, &pie->list, packet, now_ns);
}

static struct packet *dequeue(struct queue *queue, uint64_t now_ns)
{
	struct pie *pie = (struct pie *)queue;

	catch_up(pie, now_ns);

	struct packet *packet = queue_pop(queue, &pie->list);

	if (packet)
		pie->delay_s = (double)(now_ns - packet->enqueued_ns) * 1e-9;
	return packet;
}

static struct queue *create(const struct queue_config *config, uint64_t now_ns)
{
	struct pie *pie = calloc(1, sizeof(*pie));

	if (!pie)
		return NULL;
	memcpy(&pie->config, config->parameters, sizeof(pie->config));
	pie->generator = random_purpose(config->seed, purpose);
	pie->update_at_ns = now_ns + pie->config.update_ns;
	pie->burst_allowance_ns = pie->config.burst_ns;
	return &pie->queue;
}

const struct discipline pie_discipline = {
	.parameters = {
		PARAMETER("targetUs", struct pie_config, target_ns, .usual = 15000, PERIOD_US),
		PARAMETER("updateUs", struct pie_config, update_ns, .usual = 15000, PERIOD_US),
		PARAMETER("burstUs", struct pie_config, burst_ns, .usual = 150000, .least = 0, .most = 60e6),
	},
	.create = create,
	.enqueue = enqueue,
	.dequeue = dequeue,
};
