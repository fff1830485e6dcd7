/* SPDX-License-Identifier: MIT */
/*
 * The link: paths, then a bottleneck, in each direction. Pure: no clock, no socket, no thread. Time comes in as an
 * argument.
 *
 * Packets from the server side go "down": duplication, loss "before", delay, bottleneck, loss "after". Packets from the
 * client go "up", through the same stages. A direction may have no bottleneck. A packet whose peer has no path passes
 * at once.
 *
 * What comes in has the time at which it came, however late that is looked at. What leaves a bottleneck does so when
 * the caller says that it was sent (bottleneck.h): a caller that is late has a link that paused, not one that hurries
 * afterwards.
 */
#ifndef COEXIST_LINK_LINK_H
#define COEXIST_LINK_LINK_H

#include "bottleneck.h"
#include "flows.h"
#include "heap.h"
#include "path.h"

enum { PATHS_MAX = 128 };

struct link_config {
	uint64_t seed;
	uint32_t overhead_bytes; /* what a packet counts beyond its IP bytes */
	uint32_t path_count;
	struct path_config paths[PATHS_MAX];
	bool has_bottleneck[DIRECTIONS];
	struct bottleneck_config bottlenecks[DIRECTIONS];
};

enum link_reason { REASON_NONE, REASON_OVERFLOW, REASON_RANDOM_LOSS, REASON_AQM };

/* What happened at the queue, for a log. */
struct link_event {
	enum bottleneck_event event;
	enum link_reason reason;
	uint64_t time_ns;
	uint64_t sojourn_ns; /* of a packet that leaves the queue */
	uint64_t queue_bytes;
	uint32_t queue_packets;
	const struct packet *packet;
};

struct link_observer {
	void *context;
	void (*event)(void *context, const struct link_event *event);
};

struct link_counters {
	struct tally passed;      /* packets without a path */
	uint64_t ignored_packets; /* not IPv4 */
	uint64_t no_room_packets; /* arrived while every packet buffer was taken, or could not be duplicated for that */
};

struct link {
	struct link_config config;     /* its traces belong to the bottlenecks */
	struct link_observer observer; /* `event` may be NULL */
	struct link_counters counters;
	struct path paths[PATHS_MAX];
	struct flows flows;
	struct bottleneck *bottlenecks[DIRECTIONS]; /* NULL where a direction has none */
	struct heap delayed[DIRECTIONS];
	struct packet_list leaving; /* in order of time */
	struct packet *pool;
	struct packet_list free_packets;
	uint32_t pool_packets;
	uint64_t now_ns, order, ids;
	uint64_t left_ns; /* when the last packet was sent */
};

/* With room for so many packets, and no path yet. NULL: no memory. */
struct link *link_create(uint32_t packets, const struct link_observer *observer);
void link_destroy(struct link *link);

/* Begins anew: empty, counters and generators at zero. The traces belong to the link then. False: no memory, nothing
 * changed. */
bool link_configure(struct link *link, const struct link_config *config, uint64_t now_ns);

/* The schedules and the traces begin now. */
void link_start(struct link *link, uint64_t now_ns);

/* Another rate of a direction from now on. False: it has no bottleneck with a rate. */
bool link_set_rate(struct link *link, uint64_t now_ns, enum direction direction, double rate_bps);

/* Other limits for what comes from now on; what waits stays, also where it is more. False: the direction has no
 * bottleneck. */
bool link_set_limit(struct link *link, uint64_t now_ns, enum direction direction, uint64_t limit_packets,
                    uint64_t limit_bytes, uint64_t limit_ns);

/* Another loss on every way towards the client from now on. */
void link_set_loss(struct link *link, uint64_t now_ns, const struct loss_config *loss);

/* A buffer to read into; NULL: all are taken, and one more packet is counted as turned away. Given back by the next
 * two. */
struct packet *link_take(struct link *link);
void link_release(struct link *link, struct packet *packet);

/* A packet with `length` and `data` filled in arrives. */
void link_arrive(struct link *link, struct packet *packet, enum direction direction, uint64_t now_ns);

/* Everything up to now happens, but for departures. */
void link_advance(struct link *link, uint64_t now_ns);

/* The next packet that is due by now, at its `time_ns`, for the caller to send at once; NULL: none. */
struct packet *link_leave(struct link *link, uint64_t now_ns);

/* The packet of the last `link_leave` was sent at that time, and is the link's again. */
void link_sent(struct link *link, struct packet *packet, uint64_t sent_ns);

/* When to ask again at the latest; NEVER: not before the next arrival. */
uint64_t link_next_ns(const struct link *link);

/* Packets that arrive from now on cannot leave before then. Until then nobody needs to poll, if arrivals carry the time
 * at which they came. */
uint64_t link_deaf_ns(const struct link *link);

/* Packets that are somewhere in the link. */
uint32_t link_waiting(const struct link *link);

#endif
