/* SPDX-License-Identifier: MIT */
/*
 * CoDel, RFC 8289 section 5: the pseudocode of its dequeue routine, name for name.
 *
 * MAXPACKET is the largest packet of the link. Where ECN is on, a packet is marked instead of dropped and sent at
 * once, as Linux does (include/net/codel_impl.h); the RFC leaves that open.
 */
#include <math.h>
#include <stdlib.h>
#include "codel.h"

struct codel_queue {
	struct queue queue;
	struct codel codel;
	struct packet_list list;
};

struct taken {
	struct packet *packet;
	bool ok_to_drop;
};

static struct taken take(struct codel *codel, struct queue *queue, struct packet_list *list, uint64_t now_ns)
{
	struct taken taken = { .packet = queue_pop(queue, list) };

	if (!taken.packet) {
		codel->first_above_ns = 0;
		return taken;
	}

	uint64_t sojourn_ns = now_ns - taken.packet->enqueued_ns;

	if (sojourn_ns < queue->config.target_ns || list->bytes <= queue->config.largest_bytes)
		codel->first_above_ns = 0;
	else if (codel->first_above_ns == 0)
		codel->first_above_ns = now_ns + queue->config.interval_ns;
	else
		taken.ok_to_drop = now_ns >= codel->first_above_ns;
	return taken;
}

static uint64_t control_law(const struct queue *queue, uint64_t time_ns, uint32_t count)
{
	return time_ns + (uint64_t)((double)queue->config.interval_ns / sqrt(count));
}

struct packet *codel_dequeue(struct codel *codel, struct queue *queue, struct packet_list *list, uint64_t now_ns)
{
	struct taken taken = take(codel, queue, list, now_ns);

	if (codel->dropping) {
		if (!taken.ok_to_drop)
			codel->dropping = false;
		while (now_ns >= codel->drop_next_ns && codel->dropping) {
			codel->count++;
			if (queue_mark(queue, taken.packet, now_ns)) {
				codel->drop_next_ns = control_law(queue, codel->drop_next_ns, codel->count);
				return taken.packet;
			}
			queue_drop(queue, taken.packet, DROP_AQM, now_ns);
			taken = take(codel, queue, list, now_ns);
			if (taken.ok_to_drop)
				codel->drop_next_ns = control_law(queue, codel->drop_next_ns, codel->count);
			else
				codel->dropping = false;
		}
	} else if (taken.ok_to_drop) {
		if (!queue_mark(queue, taken.packet, now_ns)) {
			queue_drop(queue, taken.packet, DROP_AQM, now_ns);
			taken = take(codel, queue, list, now_ns);
		}
		codel->dropping = true;

		/* one that was dropping a short while ago goes on at the rate it had reached */
		uint32_t delta = codel->count - codel->last_count;
		int64_t since_ns = (int64_t)(now_ns - codel->drop_next_ns);

		codel->count = delta > 1 && since_ns < (int64_t)(16 * queue->config.interval_ns) ? delta : 1;
		codel->drop_next_ns = control_law(queue, now_ns, codel->count);
		codel->last_count = codel->count;
	}
	return taken.packet;
}

static void enqueue(struct queue *queue, struct packet *packet, uint64_t now_ns)
{
	if (queue_exceeds(queue, 1, packet->cost))
		queue_drop(queue, packet, DROP_OVERFLOW, now_ns);
	else
		queue_push(queue, &((struct codel_queue *)queue)->list, packet, now_ns);
}

static struct packet *dequeue(struct queue *queue, uint64_t now_ns)
{
	struct codel_queue *codel = (struct codel_queue *)queue;

	return codel_dequeue(&codel->codel, queue, &codel->list, now_ns);
}

struct queue *codel_create(void)
{
	static const struct queue_operations operations = { enqueue, dequeue };
	struct codel_queue *codel = calloc(1, sizeof(*codel));

	if (!codel)
		return NULL;
	codel->queue.operations = &operations;
	return &codel->queue;
}
