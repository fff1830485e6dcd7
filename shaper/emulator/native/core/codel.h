/* SPDX-License-Identifier: MIT */
/* The control law of CoDel (RFC 8289 section 5), for one list of packets: a queue's only one, or one of FQ-CoDel's. */
#ifndef COEXIST_LINK_CODEL_H
#define COEXIST_LINK_CODEL_H

#include "queue.h"

struct codel {
	bool dropping;
	uint32_t count, last_count;
	uint64_t first_above_ns; /* 0: the delay is below the target */
	uint64_t drop_next_ns;
};

/* The next packet that is not dropped; NULL: the list is empty. */
struct packet *codel_dequeue(struct codel *codel, struct queue *queue, struct packet_list *list, uint64_t now_ns);

#endif
