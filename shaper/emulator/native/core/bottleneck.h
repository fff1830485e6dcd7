/* SPDX-License-Identifier: MIT */
/*
 * The bottleneck: a queue, and a link that sends one packet after another at a rate, or by a trace. A table may give
 * its rate and suspend it.
 *
 * Packets enter with their arrival times, however late they are processed. A packet leaves when the caller has
 * sent it. If the program was late or stopped, the link makes up for the lost time gradually (spacing.h), up to
 * 50 ms: the mean rate is exact, and the link is never faster than 1.01 times its rate for long. The link does
 * not make up for time lost before the last change of the rate, so that no packet leaves at an outdated rate.
 * Opportunities of a trace that passed more than a millisecond ago are lost.
 */
#ifndef COEXIST_LINK_BOTTLENECK_H
#define COEXIST_LINK_BOTTLENECK_H

#include "queue.h"
#include "rate.h"
#include "spacing.h"
#include "table.h"
#include "trace.h"

enum { RATE_STEPS_MAX = 1024 };

struct bottleneck_config {
	double rate_bps; /* bit/s; unused with a trace */
	struct queue_config queue;
	uint32_t step_count;
	struct rate_step steps[RATE_STEPS_MAX];
	struct trace *trace; /* NULL: no trace; owned by the bottleneck after creation */
	double trace_scale;  /* share of TRACE_OPPORTUNITY_BYTES that an opportunity carries */
	struct table *table; /* NULL: no table; owned as the trace */
	uint64_t offset_ns;  /* time of the trace and of the table at which both start */
};

/* Counters: in = sent + overflow + aqm_dropped + backlog. */
struct bottleneck_counters {
	struct tally in, sent, overflow, aqm_dropped;
	uint64_t marked_packets;
};

enum bottleneck_event { EVENT_ENQUEUE = 1, EVENT_DEQUEUE = 2, EVENT_DROP = 3, EVENT_MARK = 4 };

struct bottleneck_owner {
	void *context;
	/* Called when a packet was dropped. The owner of the bottleneck then owns the packet again. */
	void (*dropped)(void *context, struct packet *packet, enum queue_drop why, uint64_t time_ns);
	/* Called for each event, for a log; for a drop before `dropped`. */
	void (*happened)(void *context, enum bottleneck_event event, enum queue_drop why, const struct packet *packet,
	                 uint64_t time_ns);
};

struct bottleneck {
	struct queue *queue;
	struct rate rate;
	uint32_t step_count;
	struct rate_step steps[RATE_STEPS_MAX];
	struct trace *trace;
	double trace_scale;
	struct table *table;
	uint64_t offset_ns;
	struct bottleneck_owner owner;
	struct bottleneck_counters counters;

	struct packet *serving;
	double left_bits; /* unsent bits of the packet at `from_ns` (rate) or the last opportunity (trace) */

	/* Used with a rate */
	uint64_t from_ns, served_ns; /* served_ns: service of the packet before `from_ns`, at other rates */
	uint64_t finish_ns;          /* time at which a punctual link would have sent its last bit */
	uint64_t due_ns;             /* due time by the spacing */
	double carry_ns;             /* rounding error so far in this busy period */
	struct spacing spacing;

	uint64_t zero_ns; /* zero of the trace and of the table, which may be before the zero of the clock */

	/* Used with a trace */
	uint64_t opportunity; /* number of the next opportunity, while not idle */
	double room_bits;     /* unused bits of the last opportunity, while not idle */
	uint64_t opened_ns;   /* time of the last opportunity */
};

/* Creates a bottleneck. NULL: no memory, and the caller still owns the trace and the table. */
struct bottleneck *bottleneck_create(const struct bottleneck_config *config, const struct bottleneck_owner *owner,
                                     uint64_t now_ns);
void bottleneck_destroy(struct bottleneck *bottleneck);

/* Gives the trace and the table back to the caller, before the bottleneck is destroyed. */
void bottleneck_keep(struct bottleneck *bottleneck);

/* Adds an arriving packet. Times of successive calls must not decrease. */
void bottleneck_enqueue(struct bottleneck *bottleneck, struct packet *packet, uint64_t now_ns);
void bottleneck_start(struct bottleneck *bottleneck, uint64_t now_ns);
void bottleneck_set_rate(struct bottleneck *bottleneck, uint64_t now_ns, double rate_bps);
void bottleneck_set_limit(struct bottleneck *bottleneck, uint64_t limit_packets, uint64_t limit_bytes,
                          uint64_t limit_ns);

/*
 * Returns the due time of the next packet, or the time of the next opportunity of the trace; NEVER while idle.
 */
uint64_t bottleneck_next_ns(const struct bottleneck *bottleneck);

/*
 * Returns the packet that is due by `now_ns`, with its `time_ns`. The bottleneck still owns it. NULL: no packet
 * is due.
 */
struct packet *bottleneck_due(struct bottleneck *bottleneck, uint64_t now_ns);

/*
 * Records that the due packet was sent at `sent_ns`. The caller then owns the packet, and the next one is
 * served.
 */
void bottleneck_sent(struct bottleneck *bottleneck, uint64_t sent_ns);

/* Returns the number of packets in the queue and in service. */
uint32_t bottleneck_backlog_packets(const struct bottleneck *bottleneck);
uint64_t bottleneck_backlog_bytes(const struct bottleneck *bottleneck);

#endif
