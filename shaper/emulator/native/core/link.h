/* SPDX-License-Identifier: MIT */
/*
 * The link: paths, then a bottleneck, in each direction. Pure: no clock, no socket, no thread. Time is an
 * argument.
 *
 * Packets from the server side go "down": duplication, loss "before", delay, bottleneck, loss "after". Packets
 * from the client go "up", through the same stages. A direction may have no bottleneck. A packet whose peer has
 * no path passes at once.
 *
 * Packets enter with their arrival times, however late they are processed. A packet leaves a bottleneck when
 * the caller reports that it was sent (bottleneck.h). A late caller therefore makes the link pause, without a
 * burst afterwards.
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
	uint32_t overhead_bytes; /* bytes that are counted for each packet in addition to its IP bytes */
	uint32_t path_count;
	struct path_config paths[PATHS_MAX];
	bool has_bottleneck[DIRECTIONS];
	struct bottleneck_config bottlenecks[DIRECTIONS];
};

enum link_reason { REASON_NONE, REASON_OVERFLOW, REASON_RANDOM_LOSS, REASON_AQM };

/* Event at a queue, for a log. */
struct link_event {
	enum bottleneck_event event;
	enum link_reason reason;
	uint64_t time_ns;
	uint64_t sojourn_ns; /* time in the queue, for a packet that leaves it */
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
	uint64_t ignored_packets; /* packets that are not IPv4 */
	uint64_t no_room_packets; /* no buffer was free for them, or for their duplicate */
};

struct link {
	struct link_config config;     /* the bottlenecks own its traces and tables */
	struct link_observer observer; /* its `event` may be NULL */
	struct link_counters counters;
	struct path paths[PATHS_MAX];
	struct flows flows;
	struct bottleneck *bottlenecks[DIRECTIONS]; /* NULL for a direction without a bottleneck */
	struct heap delayed[DIRECTIONS];
	struct packet_list leaving; /* packets at the end of the link, in order of time */
	struct packet *pool;
	struct packet_list free_packets;
	uint32_t pool_packets;
	uint64_t now_ns, order, ids;
	uint64_t left_ns; /* time of the last departure */
};

/* Creates a link without paths. `packets`: number of packet buffers. NULL: no memory. */
struct link *link_create(uint32_t packets, const struct link_observer *observer);
void link_destroy(struct link *link);

/*
 * Resets the link: no packets, counters and generators at zero. The link then owns the traces and tables of `config`.
 * False: no memory, and nothing has changed.
 */
bool link_configure(struct link *link, const struct link_config *config, uint64_t now_ns);

/* Starts the schedules and the traces of the bottlenecks. */
void link_start(struct link *link, uint64_t now_ns);

/* Changes the rate of a direction. False: the direction has no bottleneck with a rate. */
bool link_set_rate(struct link *link, uint64_t now_ns, enum direction direction, double rate_bps);

/*
 * Changes a direction's limits for new packets. Waiting packets stay, even above the limit. False: the direction has
 * no bottleneck.
 */
bool link_set_limit(struct link *link, uint64_t now_ns, enum direction direction, uint64_t limit_packets,
                    uint64_t limit_bytes, uint64_t limit_ns);

/* Changes the loss on every path towards the client. */
void link_set_loss(struct link *link, uint64_t now_ns, const struct loss_config *loss);

/*
 * Returns a buffer for a packet; `link_release` or `link_arrive` takes it back. NULL: all buffers are in use,
 * and a packet is counted as refused.
 */
struct packet *link_take(struct link *link);
void link_release(struct link *link, struct packet *packet);

/* Handles the arrival of a packet in a buffer of `link_take`, with `length` and `data` filled in. */
void link_arrive(struct link *link, struct packet *packet, enum direction direction, uint64_t now_ns);

/* Processes everything up to `now_ns`, except departures. */
void link_advance(struct link *link, uint64_t now_ns);

/*
 * Returns the next packet that is due by `now_ns`, with its `time_ns`. The caller must send it at once. NULL:
 * none is due.
 */
struct packet *link_leave(struct link *link, uint64_t now_ns);

/*
 * Records that the packet of the last `link_leave` was sent at `sent_ns`. The link then owns the packet again.
 */
void link_sent(struct link *link, struct packet *packet, uint64_t sent_ns);

/* Returns the latest time of the next call; NEVER: no call is needed before the next arrival. */
uint64_t link_next_ns(const struct link *link);

/*
 * Returns a time before which no packet that arrives from now on can leave. Until then the caller need not poll
 * for arrivals, if it later passes them with their arrival times.
 */
uint64_t link_deaf_ns(const struct link *link);

/* Returns the number of packets anywhere in the link. */
uint32_t link_waiting(const struct link *link);

#endif
