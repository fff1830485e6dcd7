/* SPDX-License-Identifier: MIT */
/*
 * The bottleneck: a queue, and a link that sends one packet after another at a rate, or by a trace.
 *
 * Packets enter with their arrival times, however late they are processed. A packet leaves when the caller has sent
 * it. Time that the link lost because the program was late or stopped is made up for gradually (spacing.h), up to
 * 50 ms: the mean rate is exact, and the link is never faster than 1.01 times its rate for long. Time lost before the
 * last change of the rate is not made up for, so that no packet leaves at an outdated rate. Opportunities of a trace
 * that passed more than a millisecond ago are lost.
 */
#ifndef COEXIST_LINK_BOTTLENECK_H
#define COEXIST_LINK_BOTTLENECK_H

#include "queue.h"
#include "rate.h"
#include "spacing.h"
#include "trace.h"

enum { RATE_STEPS_MAX = 1024 };

struct bottleneck_config {
	double rate_bps; /* unused with a trace */
	struct queue_config queue;
	uint32_t step_count;
	struct rate_step steps[RATE_STEPS_MAX];
	struct trace *trace; /* or NULL; owned by the bottleneck after creation */
};

/* in = sent + overflow + aqm_dropped + backlog */
struct bottleneck_counters {
	struct tally in, sent, overflow, aqm_dropped;
	uint64_t marked_packets;
};

enum bottleneck_event { EVENT_ENQUEUE = 1, EVENT_DEQUEUE = 2, EVENT_DROP = 3, EVENT_MARK = 4 };

struct bottleneck_owner {
	void *context;
	/* A packet was dropped; the owner owns it again. */
	void (*dropped)(void *context, struct packet *packet, enum queue_drop why, uint64_t time_ns);
	/* Event for a log; called before `dropped`. */
	void (*happened)(void *context, enum bottleneck_event event, enum queue_drop why, const struct packet *packet,
	                 uint64_t time_ns);
};

struct bottleneck {
	struct queue *queue;
	struct rate rate;
	uint32_t step_count;
	struct rate_step steps[RATE_STEPS_MAX];
	struct trace *trace;
	struct bottleneck_owner owner;
	struct bottleneck_counters counters;

	struct packet *serving;
	double left_bits; /* of the packet in service, at `from_ns` (rate) or at the last opportunity (trace) */

	/* with a rate */
	uint64_t from_ns, served_ns; /* served_ns: its service before `from_ns`, at other rates */
	uint64_t finish_ns;          /* departure of its last bit from a punctual link */
	uint64_t due_ns;             /* departure by the spacing */
	double carry_ns;             /* rounding error of this busy period */
	struct spacing spacing;

	/* with a trace */
	uint64_t zero_ns;
	uint64_t opportunity; /* next opportunity, while not idle */
	double room_bits;     /* rest of the last opportunity, while not idle */
	uint64_t opened_ns;   /* time of the last opportunity */
};

/* NULL: no memory; the caller still owns the trace. */
struct bottleneck *bottleneck_create(const struct bottleneck_config *config, const struct bottleneck_owner *owner,
                                     uint64_t now_ns);
void bottleneck_destroy(struct bottleneck *bottleneck);

/* Times of successive calls must not decrease. */
void bottleneck_enqueue(struct bottleneck *bottleneck, struct packet *packet, uint64_t now_ns);
void bottleneck_start(struct bottleneck *bottleneck, uint64_t now_ns);
void bottleneck_set_rate(struct bottleneck *bottleneck, uint64_t now_ns, double rate_bps);
void bottleneck_set_limit(struct bottleneck *bottleneck, uint64_t limit_packets, uint64_t limit_bytes,
                          uint64_t limit_ns);

/* Due time of the next packet, or next opportunity of the trace; NEVER while idle. */
uint64_t bottleneck_next_ns(const struct bottleneck *bottleneck);

/* Returns the packet due by now, with `time_ns`, still owned by the bottleneck; NULL: none. */
struct packet *bottleneck_due(struct bottleneck *bottleneck, uint64_t now_ns);

/* The due packet has left at `sent_ns`, and the caller owns it; the next one is served. */
void bottleneck_sent(struct bottleneck *bottleneck, uint64_t sent_ns);

/* In queue and in service. */
uint32_t bottleneck_backlog_packets(const struct bottleneck *bottleneck);
uint64_t bottleneck_backlog_bytes(const struct bottleneck *bottleneck);

#endif
