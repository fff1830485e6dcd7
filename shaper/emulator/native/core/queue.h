/* SPDX-License-Identifier: MIT */
/*
 * A queue with its management, one file each: fifo, codel, fq-codel, pie, dualpi2.
 *
 * A queue holds what waits. The packet that is being sent has left it, but counts against the limits: with a limit
 * of 100 packets there are never more than 100 in queue and service, and one that is let in leaves after 100 at most.
 */
#ifndef COEXIST_LINK_QUEUE_H
#define COEXIST_LINK_QUEUE_H

#include "packet.h"

enum queue_kind { QUEUE_FIFO, QUEUE_CODEL, QUEUE_FQ_CODEL, QUEUE_PIE, QUEUE_DUALPI2 };
enum queue_drop { DROP_OVERFLOW, DROP_AQM };

struct queue_config {
	enum queue_kind kind;
	uint64_t limit_packets; /* NEVER: none */
	uint64_t limit_bytes;   /* NEVER: none */
	uint64_t
		limit_ns; /* 0: none; what the link sends in that time at its present rate is then the limit in bytes */
	bool ecn;         /* mark instead of drop where the packet allows it */
	uint32_t largest_bytes; /* what the largest packet counts */
	uint64_t seed;
	uint64_t target_ns;   /* of the queueing delay: CoDel, FQ-CoDel, PIE, DualPI2 */
	uint64_t interval_ns; /* CoDel, FQ-CoDel */
	uint64_t update_ns;   /* PIE, DualPI2 */
	uint64_t burst_ns;    /* PIE: MAX_BURST */
	uint32_t flows;       /* FQ-CoDel */
	uint32_t quantum_bytes;
	uint64_t rtt_max_ns;    /* DualPI2: worst case of the round-trip time */
	double coupling;        /* k */
	uint64_t ramp_from_ns;  /* minTh */
	uint64_t ramp_range_ns; /* range */
	double classic_ratio;   /* share of the bytes that the classic queue gets at least */
};

/* What a queue tells its owner, to whom a dropped packet goes back. */
struct queue_owner {
	void *context;
	void (*enqueued)(void *context, const struct packet *packet, uint64_t now_ns);
	void (*dropped)(void *context, struct packet *packet, enum queue_drop why, uint64_t now_ns);
	void (*marked)(void *context, const struct packet *packet, uint64_t now_ns);
};

struct queue;

struct queue_operations {
	void (*enqueue)(struct queue *queue, struct packet *packet, uint64_t now_ns);
	struct packet *(*dequeue)(struct queue *queue, uint64_t now_ns); /* NULL: empty, perhaps after drops */
};

/* The first member of each kind. Times that a queue is told never go back. */
struct queue {
	const struct queue_operations *operations;
	struct queue_config config;
	struct queue_owner owner;
	uint32_t packets; /* that wait */
	uint64_t bytes;
	uint32_t serving_packets; /* written by the bottleneck */
	uint64_t serving_bytes;
};

/* NULL: no memory. Freed with free(). */
struct queue *queue_create(const struct queue_config *config, const struct queue_owner *owner, uint64_t now_ns);

struct queue *fifo_create(void);
struct queue *codel_create(void);
struct queue *fq_codel_create(const struct queue_config *config);
struct queue *pie_create(const struct queue_config *config, uint64_t now_ns);
struct queue *dualpi2_create(const struct queue_config *config, uint64_t now_ns);

/* For the kinds. */
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
