/* SPDX-License-Identifier: MIT */
/*
 * The path between a peer and the client, in one direction: random loss, duplication, delay, jitter,
 * reordering.
 *
 * Loss is independent (each packet alike) or Gilbert's model with Elliott's loss in both states (E. O. Elliott,
 * "Estimates of error rates for codes on burst-noise channels", BSTJ 42, 1963). Jitter is RFC 8868's
 * "approximately random subject to no-reordering bounded PDV" (section 4.5.2) with the recommended distribution
 * (section 4.5.3). Deviation: serial(n) of the RFC is 0, because the bottleneck itself spreads the packets that
 * follow.
 */
#ifndef COEXIST_LINK_PATH_H
#define COEXIST_LINK_PATH_H

#include "flows.h"

enum loss_kind { LOSS_NONE, LOSS_INDEPENDENT, LOSS_GILBERT_ELLIOTT };
enum loss_place { LOSS_BEFORE, LOSS_AFTER }; /* place of the loss relative to the queue */

struct loss_config {
	enum loss_kind kind;
	enum loss_place where;
	uint32_t good_loss; /* thresholds of 32 bits; independent loss uses only good_loss */
	uint32_t bad_loss;
	uint32_t to_bad;
	uint32_t to_good;
};

struct path_config {
	enum direction direction;
	uint32_t peer; /* IPv4, network order: source of "down", destination of "up" */
	uint64_t delay_ns;
	uint64_t jitter_max_ns; /* 0: no jitter */
	struct loss_config loss;
	uint32_t reorder; /* threshold of 32 bits for the ratio */
	uint64_t reorder_delay_ns;
	uint32_t duplicate; /* threshold of 32 bits for the ratio */
};

/*
 * State and counters of a path. in + duplicated = lost + dropped (by the queue) + out + waiting, in packets and
 * in bytes.
 */
struct path {
	struct path_config config;
	uint64_t turn_ns; /* departure of the previous packet; the next one does not leave before it */
	struct tally in, duplicated, lost, dropped, out, waiting;
};

/* Returns true if a path makes random choices; the caller must then find the flow of each packet. */
bool path_is_random(const struct path_config *config);

/* Random choices for a packet. Each of these functions also counts the packet at its choice. */
bool path_duplicates(const struct path *path, struct flow *flow);
bool path_loses(const struct loss_config *loss, struct flow *flow, const struct packet *packet);

/*
 * Returns the time at which a packet that arrives at `now_ns` leaves the delay line. `table_ns`: delay that a table of
 * the link adds. If `flow` is NULL, nothing is random.
 */
uint64_t path_leave_ns(struct path *path, struct flow *flow, uint64_t now_ns, uint64_t table_ns);

#endif
