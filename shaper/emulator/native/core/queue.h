/* SPDX-License-Identifier: MIT */
/*
 * A queue, and the port of the disciplines that manage one. Each is a folder of shaper/aqm.
 *
 * A queue holds what waits. The packet that is being sent has left it, but counts against the limits: with a limit
 * of 100 packets there are never more than 100 in queue and service, and one that is let in leaves after 100 at most.
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
		limit_ns; /* 0: none; what the link sends in that time at its present rate is then the limit in bytes */
	bool ecn;         /* mark instead of drop where the packet allows it */
	uint32_t largest_bytes; /* what the largest packet counts */
	uint64_t seed;
	uint64_t parameters[PARAMETERS_MAX]; /* the discipline's own struct, to be copied from here */
};

/* What a queue tells its owner, to whom a dropped packet goes back. */
struct queue_owner {
	void *context;
	void (*enqueued)(void *context, const struct packet *packet, uint64_t now_ns);
	void (*dropped)(void *context, struct packet *packet, enum queue_drop why, uint64_t now_ns);
	void (*marked)(void *context, const struct packet *packet, uint64_t now_ns);
};

/* The first member of each discipline's queue. Times that a queue is told never go back. */
struct queue {
	struct queue_config config;
	struct queue_owner owner;
	uint32_t packets; /* that wait */
	uint64_t bytes;
	uint32_t serving_packets; /* written by the bottleneck */
	uint64_t serving_bytes;
};

/* A member of a discipline's own struct: ns of a time that is given in us, a whole number, or any number. */
enum parameter_kind { PARAMETER_TIME, PARAMETER_COUNT, PARAMETER_NUMBER };

struct parameter {
	const char *field; /* its name in a configuration; NULL: there is no parameter */
	enum parameter_kind kind;
	size_t offset;
	double usual;       /* where it is not given */
	double least, most; /* where it is given */
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

/* A time that something is repeated after, or that is divided by. */
#define PERIOD_US .least = 100, .most = 60e6

/* `const struct discipline ID_discipline` of the folder shaper/aqm/ID, with _ for each -. ID is its name. */
struct discipline {
	struct parameter parameters[PARAMETERS_MAX];
	const char *ecn_refusal[2]; /* why ECN may not be [0] off, [1] on; NULL: it may */
	/* By calloc(), to be freed by free(); the caller fills in `struct queue`. NULL: no memory. */
	struct queue *(*create)(const struct queue_config *config, uint64_t now_ns);
	void (*enqueue)(struct queue *queue, struct packet *packet, uint64_t now_ns);
	struct packet *(*dequeue)(struct queue *queue, uint64_t now_ns); /* NULL: empty, perhaps after drops */
};

/* All there are, by name; the names end with NULL. The Makefile writes the file. */
extern const char *const discipline_names[];
extern const struct discipline *const disciplines[];

/* `value` as a configuration has it. */
void queue_set_parameter(struct queue_config *config, const struct parameter *parameter, double value);

/* NULL: no memory. Freed with free(). */
struct queue *queue_create(const struct queue_config *config, const struct queue_owner *owner, uint64_t now_ns);

/* For the disciplines. */
void queue_push(struct queue *queue, struct packet_list *list, struct packet *packet, uint64_t now_ns);
struct packet *queue_pop(struct queue *queue, struct packet_list *list);
void queue_drop(struct queue *queue, struct packet *packet, enum queue_drop why, uint64_t now_ns);

/* Whether `packets` more of `bytes` in all would be too many. */
static inline bool queue_exceeds(const struct queue *queue, uint32_t packets, uint64_t bytes)
{
	return queue->packets + queue->serving_packets + packets > queue->config.limit_packets
	       || queue->bytes + queue->serving_bytes + bytes > queue->config.limit_bytes;
}

/* Marks a packet that is ECN-capable; false: it is not, or marking is off. */
bool queue_mark(struct queue *queue, struct packet *packet, uint64_t now_ns);

#endif
