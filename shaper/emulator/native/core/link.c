/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include "link.h"

static void tell(const struct link *link, enum bottleneck_event event, enum link_reason reason,
                 const struct packet *packet, uint64_t time_ns, uint64_t sojourn_ns)
{
	const struct bottleneck *bottleneck = link->bottlenecks[packet->direction];
	struct link_event what = {
		.event = event, .reason = reason, .time_ns = time_ns, .sojourn_ns = sojourn_ns, .packet = packet
	};

	if (!link->observer.event)
		return;
	if (bottleneck) {
		what.queue_packets = bottleneck_backlog_packets(bottleneck);
		what.queue_bytes = bottleneck_backlog_bytes(bottleneck);
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
	/* buffers are used last in, first out, because the last one is still in the cache */
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

/* Returns the loss that a packet meets at `now_ns`: that of the direction's table, otherwise that of its path. */
static const struct loss_config *loss_of(const struct link *link, const struct packet *packet, uint64_t now_ns)
{
	const struct bottleneck *bottleneck = link->bottlenecks[packet->direction];
	const struct loss_config *loss =
		bottleneck && bottleneck->table ? table_loss(bottleneck->table, now_ns - bottleneck->zero_ns) : NULL;

	return loss ? loss : &link->paths[packet->path].config.loss;
}

/* Returns true if the random loss at place `where` drops the packet. */
static bool loses(struct link *link, struct packet *packet, enum loss_place where, uint64_t now_ns)
{
	const struct loss_config *loss = loss_of(link, packet, now_ns);

	if (loss->kind == LOSS_NONE || loss->where != where)
		return false;

	struct flow *flow = flows_find(&link->flows, packet);

	return flow && path_loses(loss, flow, packet);
}

/* Returns the delay that the direction's table adds at `now_ns`; 0 without a table. */
static uint64_t table_delay(const struct link *link, enum direction direction, uint64_t now_ns)
{
	const struct bottleneck *bottleneck = link->bottlenecks[direction];

	return bottleneck && bottleneck->table ? table_delay_ns(bottleneck->table, now_ns - bottleneck->zero_ns) : 0;
}

static void lost(struct link *link, struct packet *packet, uint64_t time_ns)
{
	/* the log of a direction contains its queue and the losses before and after the queue */
	if (packet->direction == DOWN || link->bottlenecks[UP])
		tell(link, EVENT_DROP, REASON_RANDOM_LOSS, packet, time_ns, 0);
	give_up(link, packet, &link->paths[packet->path].lost);
}

static void on_dropped(void *context, struct packet *packet, enum queue_drop why, uint64_t time_ns)
{
	struct link *link = context;

	(void)why;
	(void)time_ns;
	give_up(link, packet, &link->paths[packet->path].dropped);
}

static void on_happened(void *context, enum bottleneck_event event, enum queue_drop why, const struct packet *packet,
                        uint64_t time_ns)
{
	bool leaves = event == EVENT_DEQUEUE || event == EVENT_DROP;
	enum link_reason reason = event != EVENT_DROP    ? REASON_NONE
	                          : why == DROP_OVERFLOW ? REASON_OVERFLOW
	                                                 : REASON_AQM;

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
	if (!link->pool || !link->delayed[DOWN].packets || !link->delayed[UP].packets
	    || !link_configure(link, &(struct link_config){}, 0)) {
		link_destroy(link);
		return NULL;
	}
	return link;
}

void link_destroy(struct link *link)
{
	for (int i = 0; i < DIRECTIONS; i++)
		bottleneck_destroy(link->bottlenecks[i]);
	free(link->delayed[DOWN].packets);
	free(link->delayed[UP].packets);
	free(link->pool);
	free(link);
}

bool link_configure(struct link *link, const struct link_config *config, uint64_t now_ns)
{
	struct bottleneck *bottlenecks[DIRECTIONS] = {};

	for (int i = 0; i < DIRECTIONS; i++) {
		if (!config->has_bottleneck[i])
			continue;
		bottlenecks[i] = bottleneck_create(&config->bottlenecks[i],
		                                   &(struct bottleneck_owner){ link, on_dropped, on_happened }, now_ns);
		if (bottlenecks[i])
			continue;
		if (bottlenecks[DOWN])
			bottleneck_keep(bottlenecks[DOWN]); /* the caller keeps its trace and its table */
		bottleneck_destroy(bottlenecks[DOWN]);
		return false;
	}
	for (int i = 0; i < DIRECTIONS; i++) {
		bottleneck_destroy(link->bottlenecks[i]);
		link->bottlenecks[i] = bottlenecks[i];
	}
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
	link->order = 0; /* `ids` continues, so that no id is used twice */
	return true;
}

/* Returns the due time of the next packet of a direction's bottleneck; NEVER without one. */
static uint64_t served_ns(const struct link *link, enum direction direction)
{
	return link->bottlenecks[direction] ? bottleneck_next_ns(link->bottlenecks[direction]) : NEVER;
}

/* Returns the direction with the earlier time; DOWN if the times are equal. */
static enum direction first_of(const uint64_t ns[DIRECTIONS])
{
	return ns[DOWN] <= ns[UP] ? DOWN : UP;
}

/*
 * Moves delayed packets whose delay has ended by `until_ns` to their queue, or to the end of the link. False:
 * there were none.
 */
static bool come(struct link *link, uint64_t until_ns)
{
	bool any = false;

	for (;;) {
		uint64_t delayed[DIRECTIONS] = { heap_next_ns(&link->delayed[DOWN]), heap_next_ns(&link->delayed[UP]) };
		enum direction due = first_of(delayed);

		if (delayed[due] > until_ns || delayed[due] == NEVER)
			return any;

		struct packet *packet = heap_pop(&link->delayed[due]);

		any = true;
		/* a packet that is processed late joins behind the packets that have left since */
		if (packet->time_ns < link->left_ns)
			packet->time_ns = link->left_ns;
		if (link->bottlenecks[due])
			bottleneck_enqueue(link->bottlenecks[due], packet, packet->time_ns);
		else if (loses(link, packet, LOSS_AFTER, packet->time_ns))
			lost(link, packet, packet->time_ns);
		else
			list_push(&link->leaving, packet);
	}
}

void link_advance(struct link *link, uint64_t now_ns)
{
	come(link, now_ns);
	if (link->now_ns < now_ns)
		link->now_ns = now_ns;
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
	if (loses(link, packet, LOSS_BEFORE, link->now_ns)) {
		lost(link, packet, link->now_ns);
		return;
	}

	struct flow *flow = path_is_random(&path->config) ? flows_find(&link->flows, packet) : NULL;

	packet->time_ns = path_leave_ns(path, flow, link->now_ns,
	                                table_delay(link, (enum direction)packet->direction, link->now_ns));
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
	packet->service_ns = 0;
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

/* Returns the packet due by now; NULL: none. */
static struct packet *due(struct link *link, uint64_t now_ns)
{
	for (;;) {
		uint64_t served[DIRECTIONS] = { served_ns(link, DOWN), served_ns(link, UP) };
		enum direction busy = first_of(served);

		/* the packet has passed a path without a bottleneck, and is the next to leave */
		if (link->leaving.first && link->leaving.first->time_ns <= served[busy])
			return list_pop(&link->leaving);
		if (served[busy] > now_ns)
			return NULL;

		struct packet *packet = bottleneck_due(link->bottlenecks[busy], now_ns);

		if (!packet)
			continue; /* an opportunity of a trace carried a part of the packet */
		if (!loses(link, packet, LOSS_AFTER, now_ns))
			return packet;
		bottleneck_sent(link->bottlenecks[busy], now_ns);
		lost(link, packet, now_ns);
	}
}

struct packet *link_leave(struct link *link, uint64_t now_ns)
{
	struct packet *packet;

	/* packets that leave now make room for packets that arrive now */
	come(link, now_ns == 0 ? 0 : now_ns - 1);
	do
		packet = due(link, now_ns);
	while (!packet && come(link, now_ns));
	if (link->now_ns < now_ns)
		link->now_ns = now_ns;
	return packet;
}

void link_sent(struct link *link, struct packet *packet, uint64_t sent_ns)
{
	struct bottleneck *bottleneck = link->bottlenecks[packet->direction];

	if (packet->path == NO_PATH) {
		tally_add(&link->counters.passed, packet);
	} else {
		tally_add(&link->paths[packet->path].out, packet);
		tally_remove(&link->paths[packet->path].waiting, packet);
		if (bottleneck)
			bottleneck_sent(bottleneck, sent_ns);
	}
	link->left_ns = sent_ns;
	link_release(link, packet);
}

uint64_t link_next_ns(const struct link *link)
{
	uint64_t next_ns = NEVER;

	if (link->leaving.first)
		return link->leaving.first->time_ns;
	for (int i = 0; i < DIRECTIONS; i++) {
		uint64_t served = served_ns(link, i), delayed = heap_next_ns(&link->delayed[i]);
		/* while a bottleneck is busy, packets may join its queue without a wake-up of the program */
		uint64_t own_ns = served != NEVER ? served : delayed;

		if (own_ns < next_ns)
			next_ns = own_ns;
	}
	return next_ns;
}

/* Longest time without a look at arrivals, so that a device's buffer does not overflow while the link is suspended. */
static const uint64_t longest_deaf_ns = 20000000;

uint64_t link_deaf_ns(const struct link *link)
{
	uint64_t deaf_ns = NEVER;

	for (uint32_t i = 0; i < link->config.path_count; i++) {
		const struct path_config *path = &link->config.paths[i];
		uint64_t leaves_ns = link->now_ns + path->delay_ns, served = served_ns(link, path->direction);

		if (served != NEVER && served > leaves_ns)
			leaves_ns = served;
		if (leaves_ns < deaf_ns)
			deaf_ns = leaves_ns;
	}
	if (deaf_ns == NEVER)
		return link->now_ns;
	return deaf_ns - link->now_ns > longest_deaf_ns ? link->now_ns + longest_deaf_ns : deaf_ns;
}

uint32_t link_waiting(const struct link *link)
{
	uint32_t packets = link->leaving.packets;

	for (int i = 0; i < DIRECTIONS; i++)
		packets += link->delayed[i].count
		           + (link->bottlenecks[i] ? bottleneck_backlog_packets(link->bottlenecks[i]) : 0);
	return packets;
}
