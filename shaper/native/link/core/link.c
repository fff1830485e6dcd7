/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include "link.h"

static void tell(const struct link *link, enum bottleneck_event event, enum link_reason reason, const struct packet *packet, uint64_t time_ns, uint64_t sojourn_ns)
{
	struct link_event what = { .event = event, .reason = reason, .time_ns = time_ns, .sojourn_ns = sojourn_ns, .packet = packet };

	if (!link->observer.event)
		return;
	if (link->bottleneck) {
		what.queue_packets = bottleneck_backlog_packets(link->bottleneck);
		what.queue_bytes = bottleneck_backlog_bytes(link->bottleneck);
	}
	link->observer.event(link->observer.context, &what);
}

struct packet *link_take(struct link *link)
{
	struct packet *packet = list_pop(&link->free_packets);

	if (packet)
		packet->cost = 0;
	else
		link->counters.no_room_packets++;
	return packet;
}

void link_release(struct link *link, struct packet *packet)
{
	/* the one used last is the one whose memory is still in the cache */
	packet->cost = 0;
	packet->next = link->free_packets.first;
	link->free_packets.first = packet;
	if (!link->free_packets.last)
		link->free_packets.last = packet;
	link->free_packets.packets++;
}

static void give_up(struct link *link, struct packet *packet, struct tally *tally)
{
	tally_add(tally, packet);
	tally_remove(&link->paths[packet->path].waiting, packet);
	link_release(link, packet);
}

/* Whether the loss at this place takes the packet; then it is gone. */
static bool lose(struct link *link, struct packet *packet, enum loss_place where, uint64_t time_ns)
{
	struct path *path = &link->paths[packet->path];

	if (path->config.loss.kind == LOSS_NONE || path->config.loss.where != where)
		return false;

	struct flow *flow = flows_find(&link->flows, packet);

	if (!flow || !path_loses(path, flow, packet))
		return false;
	if (packet->direction == DOWN)
		tell(link, EVENT_DROP, REASON_RANDOM_LOSS, packet, time_ns, 0);
	give_up(link, packet, &path->lost);
	return true;
}

static void leave(struct link *link, struct packet *packet, uint64_t time_ns)
{
	if (lose(link, packet, LOSS_AFTER, time_ns))
		return;
	packet->time_ns = time_ns;
	list_push(&link->leaving, packet);
}

static void on_sent(void *context, struct packet *packet, uint64_t time_ns)
{
	leave(context, packet, time_ns);
}

static void on_dropped(void *context, struct packet *packet, enum queue_drop why, uint64_t time_ns)
{
	struct link *link = context;

	(void)why;
	(void)time_ns;
	give_up(link, packet, &link->paths[packet->path].dropped);
}

static void on_happened(void *context, enum bottleneck_event event, enum queue_drop why, const struct packet *packet, uint64_t time_ns)
{
	bool leaves = event == EVENT_DEQUEUE || event == EVENT_DROP;
	enum link_reason reason = event != EVENT_DROP ? REASON_NONE : why == DROP_OVERFLOW ? REASON_OVERFLOW : REASON_AQM;

	tell(context, event, reason, packet, time_ns, leaves ? time_ns - packet->enqueued_ns : 0);
}

struct link *link_create(uint32_t packets, const struct link_observer *observer)
{
	struct link *link = calloc(1, sizeof(*link));

	if (!link)
		return NULL;
	link->observer = *observer;
	link->pool_packets = packets;
	link->pool = calloc(packets, sizeof(*link->pool));
	for (int i = 0; i < DIRECTIONS; i++)
		link->delayed[i].packets = calloc(packets, sizeof(struct packet *));
	if (!link->pool || !link->delayed[DOWN].packets || !link->delayed[UP].packets || !link_configure(link, &(struct link_config){}, 0)) {
		link_destroy(link);
		return NULL;
	}
	return link;
}

void link_destroy(struct link *link)
{
	bottleneck_destroy(link->bottleneck);
	free(link->delayed[DOWN].packets);
	free(link->delayed[UP].packets);
	free(link->pool);
	free(link);
}

bool link_configure(struct link *link, const struct link_config *config, uint64_t now_ns)
{
	struct bottleneck *bottleneck = NULL;

	if (config->has_bottleneck) {
		bottleneck = bottleneck_create(&config->bottleneck, &(struct bottleneck_owner){ link, on_sent, on_dropped, on_happened }, now_ns);
		if (!bottleneck)
			return false;
	}
	bottleneck_destroy(link->bottleneck);
	link->bottleneck = bottleneck;
	if (config != &link->config)
		link->config = *config;
	link->counters = (struct link_counters){};
	link->delayed[DOWN].count = link->delayed[UP].count = 0;
	link->leaving = link->free_packets = (struct packet_list){};
	for (uint32_t i = 0; i < link->pool_packets; i++) {
		link->pool[i].cost = 0;
		list_push(&link->free_packets, &link->pool[i]);
	}
	for (uint32_t i = 0; i < config->path_count; i++)
		link->paths[i] = (struct path){ .config = config->paths[i] };
	flows_reset(&link->flows, config->seed);
	link->now_ns = now_ns;
	link->order = 0; /* but `ids` goes on: an id is never used twice */
	return true;
}

/* Whichever comes first; where times are the same, what leaves the bottleneck makes room for what comes. */
static uint64_t step(struct link *link, uint64_t until_ns)
{
	uint64_t served_ns = link->bottleneck ? bottleneck_next_ns(link->bottleneck) : NEVER;
	uint64_t down_ns = heap_next_ns(&link->delayed[DOWN]), up_ns = heap_next_ns(&link->delayed[UP]);
	uint64_t delayed_ns = down_ns <= up_ns ? down_ns : up_ns;
	uint64_t next_ns = served_ns <= delayed_ns ? served_ns : delayed_ns;

	if (next_ns > until_ns || next_ns == NEVER)
		return NEVER;
	if (served_ns == next_ns) {
		bottleneck_run(link->bottleneck);
		return next_ns;
	}

	struct packet *packet = heap_pop(&link->delayed[down_ns <= up_ns ? DOWN : UP]);

	if (packet->direction == DOWN && link->bottleneck)
		bottleneck_enqueue(link->bottleneck, packet, next_ns);
	else
		leave(link, packet, next_ns);
	return next_ns;
}

void link_advance(struct link *link, uint64_t now_ns)
{
	while (step(link, now_ns) != NEVER)
		;
	if (link->now_ns < now_ns)
		link->now_ns = now_ns;
}

void link_start(struct link *link, uint64_t now_ns)
{
	link_advance(link, now_ns);
	if (link->bottleneck)
		bottleneck_start(link->bottleneck, link->now_ns);
}

bool link_set_rate(struct link *link, uint64_t now_ns, double rate_bps)
{
	if (!link->bottleneck || link->bottleneck->trace)
		return false;
	link_advance(link, now_ns);
	bottleneck_set_rate(link->bottleneck, link->now_ns, rate_bps);
	return true;
}

bool link_set_limit(struct link *link, uint64_t now_ns, uint64_t limit_packets, uint64_t limit_bytes)
{
	if (!link->bottleneck)
		return false;
	link_advance(link, now_ns);
	bottleneck_set_limit(link->bottleneck, limit_packets, limit_bytes);
	return true;
}

void link_set_loss(struct link *link, uint64_t now_ns, const struct loss_config *loss)
{
	link_advance(link, now_ns);
	for (uint32_t i = 0; i < link->config.path_count; i++)
		if (link->paths[i].config.direction == DOWN)
			link->paths[i].config.loss = *loss;
}

static uint16_t path_of(const struct link *link, const struct packet *packet)
{
	uint32_t peer = packet->direction == DOWN ? packet->source : packet->destination;

	for (uint32_t i = 0; i < link->config.path_count; i++)
		if (link->paths[i].config.direction == packet->direction && link->paths[i].config.peer == peer)
			return (uint16_t)i;
	return NO_PATH;
}

static struct packet *duplicate(struct link *link, const struct packet *packet)
{
	struct packet *copy = link_take(link);

	if (copy) {
		*copy = *packet;
		copy->id = ++link->ids;
	}
	return copy;
}

static void admit(struct link *link, struct packet *packet)
{
	struct path *path = &link->paths[packet->path];

	tally_add(&path->waiting, packet);
	if (lose(link, packet, LOSS_BEFORE, link->now_ns))
		return;

	struct flow *flow = path_is_random(&path->config) ? flows_find(&link->flows, packet) : NULL;

	packet->time_ns = path_leave_ns(path, flow, link->now_ns);
	packet->order = link->order++;
	heap_push(&link->delayed[packet->direction], packet);
}

void link_arrive(struct link *link, struct packet *packet, enum direction direction, uint64_t now_ns)
{
	link_advance(link, now_ns);
	if (!packet_parse(packet)) {
		link->counters.ignored_packets++;
		link_release(link, packet);
		return;
	}
	packet->direction = direction;
	packet->cost = packet->length + link->config.overhead_bytes;
	packet->id = ++link->ids;
	packet->path = path_of(link, packet);
	if (packet->path == NO_PATH) {
		packet->time_ns = link->now_ns;
		list_push(&link->leaving, packet);
		return;
	}

	struct path *path = &link->paths[packet->path];
	struct flow *flow = path->config.duplicate == 0 ? NULL : flows_find(&link->flows, packet);
	struct packet *copy = flow && path_duplicates(path, flow) ? duplicate(link, packet) : NULL;

	tally_add(&path->in, packet);
	admit(link, packet);
	if (copy) {
		tally_add(&path->duplicated, copy);
		admit(link, copy);
	}
}

struct packet *link_leave(struct link *link)
{
	struct packet *packet = list_pop(&link->leaving);

	if (packet && packet->path == NO_PATH) {
		tally_add(&link->counters.passed, packet);
	} else if (packet) {
		tally_add(&link->paths[packet->path].out, packet);
		tally_remove(&link->paths[packet->path].waiting, packet);
	}
	return packet;
}

uint64_t link_next_ns(const struct link *link)
{
	uint64_t next_ns = heap_next_ns(&link->delayed[UP]);
	uint64_t down_ns = heap_next_ns(&link->delayed[DOWN]);
	uint64_t served_ns = link->bottleneck ? bottleneck_next_ns(link->bottleneck) : NEVER;

	if (link->leaving.first)
		return link->leaving.first->time_ns;
	if (served_ns < next_ns)
		next_ns = served_ns;
	/* while the bottleneck is busy, what joins its queue needs nobody to be awake */
	if (served_ns == NEVER && down_ns < next_ns)
		next_ns = down_ns;
	return next_ns;
}

uint64_t link_deaf_ns(const struct link *link)
{
	uint64_t served_ns = link->bottleneck ? bottleneck_next_ns(link->bottleneck) : NEVER, deaf_ns = NEVER;

	for (uint32_t i = 0; i < link->config.path_count; i++) {
		const struct path_config *path = &link->config.paths[i];
		uint64_t leaves_ns = link->now_ns + path->delay_ns;

		if (path->direction == DOWN && served_ns != NEVER && served_ns > leaves_ns)
			leaves_ns = served_ns;
		if (leaves_ns < deaf_ns)
			deaf_ns = leaves_ns;
	}
	return deaf_ns == NEVER ? link->now_ns : deaf_ns;
}

uint32_t link_waiting(const struct link *link)
{
	return link->delayed[DOWN].count + link->delayed[UP].count + link->leaving.packets +
	       (link->bottleneck ? bottleneck_backlog_packets(link->bottleneck) : 0);
}
