/* SPDX-License-Identifier: MIT */
/*
 * A queue, and the interface of its disciplines. Each discipline is a folder of shaper/aqm.
 *
 * A queue holds the waiting packets. The packet in service has left it, but counts against the limits: with a limit
 * of 100 packets there are never more than 100 in queue and service, and an admitted packet leaves after 100 at most.
 */
#ifndef COEXIST_LINK_QUEUE_H
#define COEXIST_LINK_QUEUE_H

#include "packet.h"

enum queue_drop { DROP_OVERFLOW, DROP_AQM };
enum { PARAMETERS_MAX = 16 };

struct queue_config {
	const struct discipline *discipline;
	uint64_t limit_packets; /* NEVER: none */
	uint64_t limit_bytes;   /* NEVER: none */
	uint64_t
		limit_ns; /* 0: none; else the limit in bytes is what the link sends in that time at its present rate */
	bool ecn;         /* mark ECN-capable packets instead of dropping them */
	uint32_t largest_bytes; /* bytes counted for the largest packet */
	uint64_t seed;
	uint64_t parameters[PARAMETERS_MAX]; /* copy of the discipline's config struct */
};

/* Callbacks to the queue's owner, which owns dropped packets. */
struct queue_owner {
	void *context;
	void (*enqueued)(void *context, const struct packet *packet, uint64_t now_ns);
	void (*dropped)(void *context, struct packet *packet, enum queue_drop why, uint64_t now_ns);
	void (*marked)(void *context, const struct packet *packet, uint64_t now_ns);
};

/* First member of each discipline's queue. Times passed to a queue never decrease. */
struct queue {
	struct queue_config config;
	struct queue_owner owner;
	uint32_t packets; /* waiting packets */
	uint64_t bytes;
	uint32_t serving_packets; /* set by the bottleneck */
	uint64_t serving_bytes;
};

/* Member of a discipline's config struct: ns of a time given in us, a whole number, or any number. */
enum parameter_kind { PARAMETER_TIME, PARAMETER_COUNT, PARAMETER_NUMBER };

struct parameter {
	const char *field; /* name in a configuration; NULL: end of the list */
	enum parameter_kind kind;
	size_t offset;
	double usual;       /* default */
	double least, most; /* range */
	bool above;         /* more than `least` */
};

/* The kind follows from the member: uint64_t, uint32_t or double. */
#define PARAMETER(name, own, member, ...) \
	{ .field = (name), \
	  .kind = _Generic(((own *)0)->member, \
		  uint64_t: PARAMETER_TIME, \
		  uint32_t: PARAMETER_COUNT, \
		  double: PARAMETER_NUMBER), \
	  .offset = offsetof(own, member), \
	  __VA_ARGS__ }

/* Range of a period or of a divisor. */
#define PERIOD_US .least = 100, .most = 60e6

/* `const struct discipline ID_discipline` of the folder shaper/aqm/ID, with _ for each -. ID is its name. */
struct discipline {
	struct parameter parameters[PARAMETERS_MAX];
	const char *ecn_refusal[2]; /* reason why ECN may not be [0] off, [1] on; NULL: allowed */
	/* Allocates by calloc(), freed by free(); the caller fills in `struct queue`. NULL: no memory. */
	struct queue *(*create)(const struct queue_config *config, uint64_t now_ns);
	void (*enqueue)(struct queue *queue, struct packet *packet, uint64_t now_ns);
	struct packet *(*dequeue)(struct queue *queue, uint64_t now_ns); /* NULL: empty, perhaps after drops */
};

/* All disciplines by name; the names end with NULL. The Makefile generates the file. */
extern const char *const discipline_names[];
extern const struct discipline *const disciplines[];

/* `value`: in the configuration's unit. */
void queue_set_parameter(struct queue_config *config, const struct parameter *parameter, double value);

/* NULL: no memory. Freed with free(). */
struct queue *queue_create(const struct queue_config *config, const struct queue_owner *owner, uint64_t now_ns);

/* For use by the disciplines. */
void queue_push(struct queue *queue, struct packet_list *list, struct packet *packet, uint64_t now_ns);
struct packet *queue_pop(struct queue *queue, struct packet_list *list);
void queue_drop(struct queue *queue, struct packet *packet, enum queue_drop why, uint64_t now_ns);

/* True if `packets` more packets with `bytes` in total exceed a limit. */
static inline bool queue_exceeds(const struct queue *queue, uint32_t packets, uint64_t bytes)
{
	return queue->packets + queue->serving_packets + packets > queue->config.limit_packets
	       || queue->bytes + queue->serving_bytes + bytes > queue->config.limit_bytes;
}

/* Marks an ECN-capable packet. False: it is not ECN-capable, or marking is off. */
bool queue_mark(struct queue *queue, struct packet *packet, uint64_t now_ns);

#endif
