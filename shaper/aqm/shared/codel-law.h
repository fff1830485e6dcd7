/* SPDX-License-Identifier: MIT */
/*
 * Control law of CoDel, RFC 8289 section 5: the pseudocode of its dequeue routine, with the same names. The law
 * acts on one list of packets: a whole queue, or one queue of FQ-CoDel.
 *
 * MAXPACKET is the largest packet of the link. With ECN, a packet is marked and sent at once instead of
 * dropped, as in Linux (include/net/codel_impl.h); the RFC does not specify this.
 */
#ifndef COEXIST_AQM_CODEL_LAW_H
#define COEXIST_AQM_CODEL_LAW_H

#include <math.h>
#include "core/queue.h"

struct codel_config {
	uint64_t target_ns, interval_ns;
};

/* Parameters of a discipline whose config struct begins with a `struct codel_config`. */
#define CODEL_PARAMETERS \
	PARAMETER("targetUs", struct codel_config, target_ns, .usual = 5000, PERIOD_US), \
		PARAMETER("intervalUs", struct codel_config, interval_ns, .usual = 100000, PERIOD_US)

struct codel {
	bool dropping;
	uint32_t count, last_count;
	uint64_t first_above_ns; /* 0: the delay is below the target */
	uint64_t drop_next_ns;
};

struct taken {
	struct packet *packet;
	bool ok_to_drop;
};

static struct taken take(struct codel *codel, const struct codel_config *config, struct queue *queue,
                         struct packet_list *list, uint64_t now_ns)
{
	struct taken taken = { .packet = queue_pop(queue, list) };

	if (!taken.packet) {
		codel->first_above_ns = 0;
		return taken;
	}

	uint64_t sojourn_ns = now_ns - taken.packet->enqueued_ns;

	if (sojourn_ns < config->target_ns || list->bytes <= queue->config.largest_bytes)
		codel->first_above_ns = 0;
	else if (codel->first_above_ns == 0)
		codel->first_above_ns = now_ns + config->interval_ns;
	else
		taken.ok_to_drop = now_ns >= codel->first_above_ns;
	return taken;
}

static uint64_t control_law(const struct codel_config *config, uint64_t time_ns, uint32_t count)
{
	return time_ns + (uint64_t)((double)config->interval_ns / sqrt(count));
}

/* Drops packets by the control law and returns the next packet that is not dropped. NULL: the list is empty. */
static struct packet *codel_dequeue(struct codel *codel, const struct codel_config *config, struct queue *queue,
                                    struct packet_list *list, uint64_t now_ns)
{
	struct taken taken = take(codel, config, queue, list, now_ns);

	if (codel->dropping) {
		if (!taken.ok_to_drop)
			codel->dropping = false;
		while (now_ns >= codel->drop_next_ns && codel->dropping) {
			codel->count++;
			if (queue_mark(queue, taken.packet, now_ns)) {
				codel->drop_next_ns = control_law(config, codel->drop_next_ns, codel->count);
				return taken.packet;
			}
			queue_drop(queue, taken.packet, DROP_AQM, now_ns);
			taken = take(codel, config, queue, list, now_ns);
			if (taken.ok_to_drop)
				codel->drop_next_ns = control_law(config, codel->drop_next_ns, codel->count);
			else
				codel->dropping = false;
		}
	} else if (taken.ok_to_drop) {
		if (!queue_mark(queue, taken.packet, now_ns)) {
			queue_drop(queue, taken.packet, DROP_AQM, now_ns);
			taken = take(codel, config, queue, list, now_ns);
		}
		codel->dropping = true;

		/* soon after a dropping state, a new one resumes at the rate that the old one had reached */
		uint32_t delta = codel->count - codel->last_count;
		int64_t since_ns = (int64_t)(now_ns - codel->drop_next_ns);

		codel->count = delta > 1 && since_ns < (int64_t)(16 * config->interval_ns) ? delta : 1;
		codel->drop_next_ns = control_law(config, now_ns, codel->count);
		codel->last_count = codel->count;
	}
	return taken.packet;
}

#endif
