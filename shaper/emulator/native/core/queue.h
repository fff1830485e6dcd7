/* SPDX-License-Identifier: MIT */
/*
 * A queue, and the interface of its disciplines. Each discipline is a folder of shaper/aqm.
 *
 * A queue holds the waiting packets. The packet in service has left the queue, but counts against the limits:
 * with a limit of 100 packets there are never more than 100 in queue and service, and an admitted packet leaves
 * after 100 at most.
 */
#ifndef COEXIST_LINK_QUEUE_H
#define COEXIST_LINK_QUEUE_H

#include "packet.h"

enum queue_drop { DROP_OVERFLOW, DROP_AQM };
enum { PARAMETERS_MAX = 16 };

struct queue_config {
	const struct discipline *discipline;
	uint64_t limit_packets; /* NEVER: no limit */
	uint64_t limit_bytes;   /* NEVER: no limit */
	uint64_t limit_ns;      /* 0: none; otherwise limit_bytes follows the rate */
	bool ecn;               /* true: ECN-capable packets are marked instead of dropped */
	uint32_t largest_bytes; /* bytes that the link counts for the largest packet */
	uint64_t seed;
	uint64_t parameters[PARAMETERS_MAX]; /* copy of the config struct of the discipline */
};

/* Callbacks to the owner of the queue. The owner owns dropped packets. */
struct queue_owner {
	void *context;
	void (*enqueued)(void *context, const struct packet *packet, uint64_t now_ns);
	void (*dropped)(void *context, struct packet *packet, enum queue_drop why, uint64_t now_ns);
	/* called before the packet's ECN field changes */
	void (*marked)(void *context, const struct packet *packet, uint64_t now_ns);
};

/*
 * Common part of all queues, the first member of each discipline's queue struct. Times passed to a queue never
 * decrease.
 */
struct queue {
	struct queue_config config;
	struct queue_owner owner;
	uint32_t packets; /* waiting packets */
	uint64_t bytes;
	uint32_t serving_packets; /* packets in service; set by the bottleneck */
	uint64_t serving_bytes;
};

/*
 * Kind of a parameter. PARAMETER_TIME: given in us, stored in ns. PARAMETER_COUNT: a whole number.
 * PARAMETER_NUMBER: any number.
 */
enum parameter_kind { PARAMETER_TIME, PARAMETER_COUNT, PARAMETER_NUMBER };

struct parameter {
	const char *field; /* name in a configuration; NULL ends the list */
	enum parameter_kind kind;
	size_t offset;
	double usual;       /* default value */
	double least, most; /* range of the value */
	bool above;         /* true: the value must be more than `least`, not equal */
};

/*
 * Defines a parameter of a discipline. Its kind follows from the type of the member: uint64_t, uint32_t or
 * double.
 */
#define PARAMETER(name, own, member, ...) \
	{ .field = (name), \
	  .kind = _Generic(((own *)0)->member, \
		  uint64_t: PARAMETER_TIME, \
		  uint32_t: PARAMETER_COUNT, \
		  double: PARAMETER_NUMBER), \
	  .offset = offsetof(own, member), \
	  __VA_ARGS__ }

/* Range of a parameter that is a period or a divisor. */
#define PERIOD_US .least = 100, .most = 60e6

/*
 * Functions and parameters of a discipline. Each folder shaper/aqm/ID defines a constant `ID_discipline` of
 * this type, with _ for each - of ID. The name of the discipline is ID.
 */
struct discipline {
	struct parameter parameters[PARAMETERS_MAX];
	const char *ecn_refusal[2]; /* reason why ECN cannot be off ([0]) or on ([1]); NULL: allowed */
	/*
	 * Creates a queue by calloc(), which is freed by free(). The caller fills in the member `struct queue`.
	 * NULL: no memory.
	 */
	struct queue *(*create)(const struct queue_config *config, uint64_t now_ns);
	void (*enqueue)(struct queue *queue, struct packet *packet, uint64_t now_ns);
	struct packet *(*dequeue)(struct queue *queue, uint64_t now_ns); /* NULL: empty, perhaps after drops */
};

/*
 * Names of all disciplines, ended by NULL, and the disciplines in the same order. The Makefile generates the
 * source of both lists.
 */
extern const char *const discipline_names[];
extern const struct discipline *const disciplines[];

/* Sets a parameter. `value`: in the unit of the configuration. */
void queue_set_parameter(struct queue_config *config, const struct parameter *parameter, double value);

/* Creates a queue, which is freed by free(). NULL: no memory. */
struct queue *queue_create(const struct queue_config *config, const struct queue_owner *owner, uint64_t now_ns);

/* Functions for the disciplines. */
void queue_push(struct queue *queue, struct packet_list *list, struct packet *packet, uint64_t now_ns);
struct packet *queue_pop(struct queue *queue, struct packet_list *list);
void queue_drop(struct queue *queue, struct packet *packet, enum queue_drop why, uint64_t now_ns);

/* Returns true if `packets` more packets with `bytes` in total exceed a limit of the queue. */
static inline bool queue_exceeds(const struct queue *queue, uint32_t packets, uint64_t bytes)
{
	return queue->packets + queue->serving_packets + packets > queue->config.limit_packets
	       || queue->bytes + queue->serving_bytes + bytes > queue->config.limit_bytes;
}

/* Marks an ECN-capable packet. False: the packet is not ECN-capable, or marking is off. */
bool queue_mark(struct queue *queue, struct packet *packet, uint64_t now_ns);

#endif
