/* SPDX-License-Identifier: MIT */
/*
 * The bottleneck: a queue, and a link that sends one packet after the other at a rate, or by a trace.
 *
 * Everything happens in virtual time: an event that is processed late still has the time at which it was due.
 */
#ifndef COEXIST_LINK_BOTTLENECK_H
#define COEXIST_LINK_BOTTLENECK_H

#include "queue.h"
#include "rate.h"
#include "trace.h"

enum { RATE_STEPS_MAX = 1024 };

struct bottleneck_config {
	double rate_bps; /* not with a trace */
	struct queue_config queue;
	uint32_t step_count;
	struct rate_step steps[RATE_STEPS_MAX];
	struct trace *trace; /* or NULL; belongs to the bottleneck from then on */
};

/* in = sent + overflow + aqm_dropped + backlog */
struct bottleneck_counters {
	struct tally in, sent, overflow, aqm_dropped;
	uint64_t marked_packets;
};

enum bottleneck_event { EVENT_ENQUEUE = 1, EVENT_DEQUEUE = 2, EVENT_DROP = 3, EVENT_MARK = 4 };

struct bottleneck_owner {
	void *context;
	/* A packet has left the link; it is the owner's again. */
	void (*sent)(void *context, struct packet *packet, uint64_t time_ns);
	/* A packet was dropped; it is the owner's again. */
	void (*dropped)(void *context, struct packet *packet, enum queue_drop why, uint64_t time_ns);
	/* Anything that a log wants; called before `sent` and `dropped`. */
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
	double left_bits; /* of the packet being sent, at `from_ns` (by rate) or at the last opportunity (by trace) */
	uint64_t from_ns;
	uint64_t finish_ns;   /* by rate */
	double carry_ns;      /* what rounding left over in this busy period */
	uint64_t zero_ns;     /* of the trace */
	uint64_t opportunity; /* the next that counts, while there is something to send */
};

/* NULL: no memory; the trace is the caller's still. */
struct bottleneck *bottleneck_create(const struct bottleneck_config *config, const struct bottleneck_owner *owner,
                                     uint64_t now_ns);
void bottleneck_destroy(struct bottleneck *bottleneck);

/* Each time is no earlier than that of the last call, and no later than `bottleneck_next_ns`. */
void bottleneck_enqueue(struct bottleneck *bottleneck, struct packet *packet, uint64_t now_ns);
void bottleneck_start(struct bottleneck *bottleneck, uint64_t now_ns);
void bottleneck_set_rate(struct bottleneck *bottleneck, uint64_t now_ns, double rate_bps);
void bottleneck_set_limit(struct bottleneck *bottleneck, uint64_t limit_packets, uint64_t limit_bytes,
                          uint64_t limit_ns);

/* When it next does something by itself; NEVER while it is idle. */
uint64_t bottleneck_next_ns(const struct bottleneck *bottleneck);

/* Does it. */
void bottleneck_run(struct bottleneck *bottleneck);

/* In queue and service. */
uint32_t bottleneck_backlog_packets(const struct bottleneck *bottleneck);
uint64_t bottleneck_backlog_bytes(const struct bottleneck *bottleneck);

#endif
