/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bottleneck.h"

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
	bottleneck->zero_ns = now_ns;
	bottleneck->step_count = config->step_count;
	memcpy(bottleneck->steps, config->steps, config->step_count * sizeof(config->steps[0]));
	rate_init(&bottleneck->rate, config->rate_bps, bottleneck->steps, bottleneck->step_count);
	return bottleneck;
}

void bottleneck_destroy(struct bottleneck *bottleneck)
{
	if (!bottleneck)
		return;
	free(bottleneck->trace);
	free(bottleneck->queue);
	free(bottleneck);
}

/* Takes the next packet from the queue into service, if there is one. */
static bool serve(struct bottleneck *bottleneck, uint64_t now_ns)
{
	struct packet *packet = bottleneck->queue->operations->dequeue(bottleneck->queue, now_ns);

	bottleneck->serving = packet;
	bottleneck->queue->serving_packets = packet ? 1 : 0;
	bottleneck->queue->serving_bytes = packet ? packet->cost : 0;
	bottleneck->left_bits = packet ? packet->cost * 8.0 : 0;
	return packet;
}

/* By rate: from now on, at whatever the rate is. */
static void begin(struct bottleneck *bottleneck, uint64_t now_ns)
{
	rate_settle(&bottleneck->rate, now_ns);
	bottleneck->from_ns = now_ns;
	bottleneck->finish_ns = rate_finish_ns(&bottleneck->rate, now_ns, bottleneck->left_bits, &bottleneck->carry_ns);
}

static void leave(struct bottleneck *bottleneck, uint64_t now_ns)
{
	struct packet *packet = bottleneck->serving;

	packet->service_ns = bottleneck->trace ? 0 : now_ns - bottleneck->from_ns;
	bottleneck->serving = NULL;
	bottleneck->queue->serving_packets = 0;
	bottleneck->queue->serving_bytes = 0;
	tally_add(&bottleneck->counters.sent, packet);
	bottleneck->owner.happened(bottleneck->owner.context, EVENT_DEQUEUE, DROP_AQM, packet, now_ns);
	bottleneck->owner.sent(bottleneck->owner.context, packet, now_ns);
}

static bool is_idle(const struct bottleneck *bottleneck)
{
	return !bottleneck->serving && bottleneck->queue->packets == 0;
}

/* A limit in time is one in bytes that changes with the rate. What waits stays, also where it is more. */
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
	bottleneck->queue->operations->enqueue(bottleneck->queue, packet, now_ns);
	if (!bottleneck->trace && !bottleneck->serving) {
		bottleneck->carry_ns = 0;
		if (serve(bottleneck, now_ns))
			begin(bottleneck, now_ns);
	}
}

/* The packet being sent goes on with what is left of it. */
static void change(struct bottleneck *bottleneck, uint64_t now_ns)
{
	if (bottleneck->serving) {
		/* at least a moment, where rounding says that nothing is left */
		bottleneck->left_bits =
			fmax(bottleneck->left_bits - rate_bits(&bottleneck->rate, bottleneck->from_ns, now_ns), 1e-9);
		bottleneck->carry_ns = 0;
	}
}

void bottleneck_start(struct bottleneck *bottleneck, uint64_t now_ns)
{
	bottleneck->zero_ns = now_ns;
	if (bottleneck->trace) {
		bottleneck->opportunity = trace_after(bottleneck->trace, 0);
		return;
	}
	change(bottleneck, now_ns);
	rate_start(&bottleneck->rate, now_ns);
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

uint64_t bottleneck_next_ns(const struct bottleneck *bottleneck)
{
	if (is_idle(bottleneck))
		return NEVER;
	return bottleneck->trace ? bottleneck->zero_ns + trace_ns(bottleneck->trace, bottleneck->opportunity)
	                         : bottleneck->finish_ns;
}

/* One opportunity: whole packets as far as it goes, then a part of the next. */
static void use_opportunity(struct bottleneck *bottleneck)
{
	uint64_t now_ns = bottleneck->zero_ns + trace_ns(bottleneck->trace, bottleneck->opportunity++);
	double room_bits = TRACE_OPPORTUNITY_BYTES * 8;

	while (room_bits > 0 && (bottleneck->serving || serve(bottleneck, now_ns))) {
		if (bottleneck->left_bits > room_bits) {
			bottleneck->left_bits -= room_bits;
			return;
		}
		room_bits -= bottleneck->left_bits;
		leave(bottleneck, now_ns);
	}
}

void bottleneck_run(struct bottleneck *bottleneck)
{
	uint64_t now_ns = bottleneck->finish_ns;

	if (bottleneck->trace) {
		use_opportunity(bottleneck);
		return;
	}
	leave(bottleneck, now_ns);
	if (serve(bottleneck, now_ns))
		begin(bottleneck, now_ns);
}

uint32_t bottleneck_backlog_packets(const struct bottleneck *bottleneck)
{
	return bottleneck->queue->packets + bottleneck->queue->serving_packets;
}

uint64_t bottleneck_backlog_bytes(const struct bottleneck *bottleneck)
{
	return bottleneck->queue->bytes + bottleneck->queue->serving_bytes;
}
