/* SPDX-License-Identifier: MIT */
/*
 * The bottleneck: a queue, and a link that sends one packet after the other at a rate, or by a trace.
 *
 * What comes in has the time at which it came, whenever that is looked at. What leaves does so when the caller has sent
 * it. Time that the link lost because the program was late or stopped is made up for by and by (spacing.h), up to
 * 50 ms: the mean rate is exact, and the link is never faster than 1.01 times its rate for long. Time that was lost
 * before the last change of the rate is not made up for, so that no packet leaves at a rate that is over; opportunities
 * of a trace that went by more than a millisecond ago are lost.
 */
#ifndef COEXIST_LINK_BOTTLENECK_H
#define COEXIST_LINK_BOTTLENECK_H

#include "queue.h"
#include "rate.h"
#include "spacing.h"
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
	/* A packet was dropped; it is the owner's again. */
	void (*dropped)(void *context, struct packet *packet, enum queue_drop why, uint64_t time_ns);
	/* Anything that a log wants; called before `dropped`. */
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

	/* by rate */
	uint64_t from_ns, served_ns; /* it was served for so long before `from_ns`, at other rates */
	uint64_t finish_ns;          /* when its last bit leaves a link that is never late */
	uint64_t due_ns;             /* the same, by the spacing */
	double carry_ns;             /* what rounding left over in this busy period */
	struct spacing spacing;

	/* by trace */
	uint64_t zero_ns;
	uint64_t opportunity; /* the next that counts, while there is something to send */
	double room_bits;     /* what the last one can still carry, while there is something to send */
	uint64_t opened_ns;   /* when it came */
};

/* NULL: no memory; the trace is the caller's still. */
struct bottleneck *bottleneck_create(const struct bottleneck_config *config, const struct bottleneck_owner *owner,
                                     uint64_t now_ns);
void bottleneck_destroy(struct bottleneck *bottleneck);

/* Each time is no earlier than that of the last call. */
void bottleneck_enqueue(struct bottleneck *bottleneck, struct packet *packet, uint64_t now_ns);
void bottleneck_start(struct bottleneck *bottleneck, uint64_t now_ns);
void bottleneck_set_rate(struct bottleneck *bottleneck, uint64_t now_ns, double rate_bps);
void bottleneck_set_limit(struct bottleneck *bottleneck, uint64_t limit_packets, uint64_t limit_bytes,
                          uint64_t limit_ns);

/* When the next packet is due, or the trace has the next opportunity; NEVER while it is idle. */
uint64_t bottleneck_next_ns(const struct bottleneck *bottleneck);

/* The packet that is due by now, at its `time_ns`, still the bottleneck's; NULL: none. */
struct packet *bottleneck_due(struct bottleneck *bottleneck, uint64_t now_ns);

/* The packet that was due has left at that time, and is the caller's; the next one is served. */
void bottleneck_sent(struct bottleneck *bottleneck, uint64_t sent_ns);

/* In queue and service. */
uint32_t bottleneck_backlog_packets(const struct bottleneck *bottleneck);
uint64_t bottleneck_backlog_bytes(const struct bottleneck *bottleneck);

#endif
