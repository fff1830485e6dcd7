/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bottleneck.h"

/* Lateness that the link always makes up for, also with a trace. */
static const uint64_t owed_least_ns = 1000000;
/*
 * Largest lateness that the link makes up for. It is also limited to the time since the last change of the
 * rate, so that no packet leaves at an outdated rate.
 */
static const uint64_t owed_most_ns = 50000000;

static void on_enqueued(void *context, const struct packet *packet, uint64_t now_ns)
{
	struct bottleneck *bottleneck = context;

	bottleneck->owner.happened(bottleneck->owner.context, EVENT_ENQUEUE, DROP_AQM, packet, now_ns);
}

static void on_dropped(void *context, struct packet *packet, enum queue_drop why, uint64_t now_ns)
{
	struct bottleneck *bottleneck = context;

	tally_add(why == DROP_OVERFLOW ? &bottleneck->counters.overflow : &bottleneck->counters.aqm_dropped, packet);
	bottleneck->owner.happened(bottleneck->owner.context, EVENT_DROP, why, packet, now_ns);
	bottleneck->owner.dropped(bottleneck->owner.context, packet, why, now_ns);
}

static void on_marked(void *context, const struct packet *packet, uint64_t now_ns)
{
	struct bottleneck *bottleneck = context;

	bottleneck->counters.marked_packets++;
	bottleneck->owner.happened(bottleneck->owner.context, EVENT_MARK, DROP_AQM, packet, now_ns);
}

struct bottleneck *bottleneck_create(const struct bottleneck_config *config, const struct bottleneck_owner *owner,
                                     uint64_t now_ns)
{
	struct bottleneck *bottleneck = calloc(1, sizeof(*bottleneck));

	if (!bottleneck)
		return NULL;
	bottleneck->queue = queue_create(
		&config->queue, &(struct queue_owner){ bottleneck, on_enqueued, on_dropped, on_marked }, now_ns);
	if (!bottleneck->queue) {
		free(bottleneck);
		return NULL;
	}
	bottleneck->owner = *owner;
	bottleneck->trace = config->trace;
	bottleneck->trace_scale = config->trace_scale;
	bottleneck->table = config->table;
	bottleneck->offset_ns = config->offset_ns;
	bottleneck->zero_ns = now_ns - config->offset_ns;
	bottleneck->step_count = config->step_count;
	memcpy(bottleneck->steps, config->steps, config->step_count * sizeof(config->steps[0]));
	rate_init(&bottleneck->rate, config->rate_bps, bottleneck->steps, bottleneck->step_count);
	if (config->table && config->table->rate_count > 0) {
		/* a table plays from the beginning, as a trace does; a schedule waits for the start */
		rate_init(&bottleneck->rate, config->rate_bps, config->table->rates, config->table->rate_count);
		bottleneck->rate.period_ns = config->table->period_ns;
		rate_start(&bottleneck->rate, now_ns, config->offset_ns);
	}
	return bottleneck;
}

void bottleneck_keep(struct bottleneck *bottleneck)
{
	bottleneck->trace = NULL;
	bottleneck->table = NULL;
}

void bottleneck_destroy(struct bottleneck *bottleneck)
{
	if (!bottleneck)
		return;
	free(bottleneck->trace);
	table_free(bottleneck->table);
	free(bottleneck->queue);
	free(bottleneck);
}

/* Takes the next packet from the queue into service. False: the queue is empty. */
static bool serve(struct bottleneck *bottleneck, uint64_t now_ns)
{
	struct packet *packet = bottleneck->queue->config.discipline->dequeue(bottleneck->queue, now_ns);

	bottleneck->serving = packet;
	bottleneck->queue->serving_packets = packet ? 1 : 0;
	bottleneck->queue->serving_bytes = packet ? packet->cost : 0;
	bottleneck->left_bits = packet ? packet->cost * 8.0 : 0;
	bottleneck->served_ns = 0;
	return packet;
}

/* Computes, with a rate, the due time of the packet in service. Its service begins at `from_ns`. */
static void begin(struct bottleneck *bottleneck, uint64_t from_ns)
{
	rate_settle(&bottleneck->rate, from_ns);
	bottleneck->from_ns = from_ns;
	bottleneck->finish_ns =
		rate_finish_ns(&bottleneck->rate, from_ns, bottleneck->left_bits, &bottleneck->carry_ns);

	/* only a table suspends the link */
	uint64_t suspended_ns =
		bottleneck->table ? rate_suspended_ns(&bottleneck->rate, from_ns, bottleneck->finish_ns) : 0;
	uint64_t service_ns = bottleneck->served_ns + bottleneck->finish_ns - from_ns - suspended_ns;
	uint64_t earliest_ns = spacing_earliest_ns(&bottleneck->spacing, service_ns);

	bottleneck->serving->service_ns = service_ns;
	bottleneck->due_ns = earliest_ns > bottleneck->finish_ns ? earliest_ns : bottleneck->finish_ns;
}

static bool is_idle(const struct bottleneck *bottleneck)
{
	return !bottleneck->serving && bottleneck->queue->packets == 0;
}

/* Converts a limit in time to bytes at the present rate. Waiting packets stay, even above the limit. */
static void follow_rate(struct bottleneck *bottleneck, uint64_t now_ns)
{
	struct queue_config *config = &bottleneck->queue->config;

	if (config->limit_ns != 0)
		config->limit_bytes =
			(uint64_t)llround((double)config->limit_ns * 1e-9 * rate_at(&bottleneck->rate, now_ns) / 8);
}

void bottleneck_enqueue(struct bottleneck *bottleneck, struct packet *packet, uint64_t now_ns)
{
	if (bottleneck->trace && is_idle(bottleneck))
		bottleneck->opportunity = trace_after(bottleneck->trace, now_ns - bottleneck->zero_ns);
	tally_add(&bottleneck->counters.in, packet);
	packet->enqueued_ns = now_ns;
	follow_rate(bottleneck, now_ns);
	bottleneck->queue->config.discipline->enqueue(bottleneck->queue, packet, now_ns);
	if (!bottleneck->trace && !bottleneck->serving) {
		bottleneck->carry_ns = 0;
		if (serve(bottleneck, now_ns))
			begin(bottleneck, now_ns);
	}
}

/* Prepares a change of the rate: stores the unsent rest of the packet in service, for the next rate. */
static void change(struct bottleneck *bottleneck, uint64_t now_ns)
{
	if (bottleneck->serving) {
		/* must be more than 0, even if rounding leaves nothing */
		bottleneck->left_bits =
			fmax(bottleneck->left_bits - rate_bits(&bottleneck->rate, bottleneck->from_ns, now_ns), 1e-9);
		bottleneck->served_ns += now_ns - bottleneck->from_ns;
		if (bottleneck->table)
			bottleneck->served_ns -= rate_suspended_ns(&bottleneck->rate, bottleneck->from_ns, now_ns);
		bottleneck->carry_ns = 0;
	}
}

void bottleneck_start(struct bottleneck *bottleneck, uint64_t now_ns)
{
	bottleneck->zero_ns = now_ns - bottleneck->offset_ns;
	if (bottleneck->trace) {
		bottleneck->opportunity = trace_after(bottleneck->trace, bottleneck->offset_ns);
		return;
	}
	change(bottleneck, now_ns);
	rate_start(&bottleneck->rate, now_ns, bottleneck->offset_ns);
	if (bottleneck->serving)
		begin(bottleneck, now_ns);
}

void bottleneck_set_rate(struct bottleneck *bottleneck, uint64_t now_ns, double rate_bps)
{
	change(bottleneck, now_ns);
	rate_set(&bottleneck->rate, now_ns, rate_bps);
	if (bottleneck->serving)
		begin(bottleneck, now_ns);
}

void bottleneck_set_limit(struct bottleneck *bottleneck, uint64_t limit_packets, uint64_t limit_bytes,
                          uint64_t limit_ns)
{
	bottleneck->queue->config.limit_packets = limit_packets;
	bottleneck->queue->config.limit_bytes = limit_bytes;
	bottleneck->queue->config.limit_ns = limit_ns;
}

static uint64_t opportunity_ns(const struct bottleneck *bottleneck)
{
	return bottleneck->zero_ns + trace_ns(bottleneck->trace, bottleneck->opportunity);
}

uint64_t bottleneck_next_ns(const struct bottleneck *bottleneck)
{
	if (is_idle(bottleneck))
		return NEVER;
	if (!bottleneck->trace)
		return bottleneck->due_ns;
	return bottleneck->serving && bottleneck->left_bits <= bottleneck->room_bits ? bottleneck->opened_ns
	                                                                             : opportunity_ns(bottleneck);
}

/* Opens the next opportunity of the trace. Skips the opportunities that the program missed. */
static void open_opportunity(struct bottleneck *bottleneck, uint64_t now_ns)
{
	if (now_ns > opportunity_ns(bottleneck) + owed_least_ns)
		bottleneck->opportunity = trace_after(bottleneck->trace, now_ns - owed_least_ns - bottleneck->zero_ns);
	bottleneck->opened_ns = opportunity_ns(bottleneck);
	bottleneck->room_bits = TRACE_OPPORTUNITY_BYTES * 8 * bottleneck->trace_scale;
	bottleneck->opportunity++;
}

/*
 * Returns true if the opportunities up to `now_ns` complete a packet in service. Each opportunity carries whole
 * packets, then part of the next one.
 */
static bool carries(struct bottleneck *bottleneck, uint64_t now_ns)
{
	while (bottleneck->serving || serve(bottleneck, now_ns)) {
		if (bottleneck->left_bits <= bottleneck->room_bits)
			return true;
		bottleneck->left_bits -= bottleneck->room_bits;
		bottleneck->room_bits = 0;
		if (opportunity_ns(bottleneck) > now_ns)
			return false;
		open_opportunity(bottleneck, now_ns);
	}
	return false;
}

struct packet *bottleneck_due(struct bottleneck *bottleneck, uint64_t now_ns)
{
	uint64_t due_ns = bottleneck_next_ns(bottleneck);

	if (due_ns > now_ns || (bottleneck->trace && !carries(bottleneck, now_ns)))
		return NULL;
	bottleneck->serving->time_ns = bottleneck->trace ? bottleneck->opened_ns : due_ns;
	return bottleneck->serving;
}

/* Returns, with a rate, the time from which the next packet is served if one waits. */
static uint64_t resumes_ns(const struct bottleneck *bottleneck, uint64_t sent_ns)
{
	/* true for nearly all packets */
	if (sent_ns <= bottleneck->finish_ns + owed_least_ns)
		return bottleneck->finish_ns;

	uint64_t owed_ns = rate_steady_ns(&bottleneck->rate, sent_ns);

	if (owed_ns < owed_least_ns)
		owed_ns = owed_least_ns;
	if (owed_ns > owed_most_ns)
		owed_ns = owed_most_ns;
	return sent_ns > bottleneck->finish_ns + owed_ns ? sent_ns - owed_ns : bottleneck->finish_ns;
}

void bottleneck_sent(struct bottleneck *bottleneck, uint64_t sent_ns)
{
	struct packet *packet = bottleneck->serving;

	bottleneck->serving = NULL;
	bottleneck->queue->serving_packets = 0;
	bottleneck->queue->serving_bytes = 0;
	tally_add(&bottleneck->counters.sent, packet);
	bottleneck->owner.happened(bottleneck->owner.context, EVENT_DEQUEUE, DROP_AQM, packet, sent_ns);
	if (bottleneck->trace) {
		bottleneck->room_bits -= bottleneck->left_bits;
		if (bottleneck->room_bits <= 0 || !serve(bottleneck, sent_ns))
			bottleneck->room_bits = 0;
		return;
	}
	spacing_sent(&bottleneck->spacing, packet->service_ns, sent_ns);

	uint64_t from_ns = resumes_ns(bottleneck, sent_ns);

	if (serve(bottleneck, sent_ns))
		/* a punctual link would have been idle before that packet arrived */
		begin(bottleneck,
		      from_ns > bottleneck->serving->enqueued_ns ? from_ns : bottleneck->serving->enqueued_ns);
}

uint32_t bottleneck_backlog_packets(const struct bottleneck *bottleneck)
{
	return bottleneck->queue->packets + bottleneck->queue->serving_packets;
}

uint64_t bottleneck_backlog_bytes(const struct bottleneck *bottleneck)
{
	return bottleneck->queue->bytes + bottleneck->queue->serving_bytes;
}
