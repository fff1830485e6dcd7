/* SPDX-License-Identifier: MIT */
#include <math.h>
#include "path.h"
#include "random.h"

/*
 * Number of standard deviations at which the distribution of the jitter is cut off: N_STD of RFC 8868 section
 * 4.5.3.
 */
static const double deviations = 3;

bool path_is_random(const struct path_config *config)
{
	return config->loss.kind != LOSS_NONE || config->jitter_max_ns != 0 || config->reorder != 0
	       || config->duplicate != 0;
}

bool path_duplicates(const struct path *path, struct flow *flow)
{
	return path->config.duplicate != 0
	       && random_chosen(random_output(flow->duplicate, flow->duplicated++), path->config.duplicate);
}

bool path_loses(const struct loss_config *loss, struct flow *flow, const struct packet *packet)
{
	uint64_t k = flow->packets++;
	bool lost;

	flow->bytes += packet->cost;
	if (loss->kind == LOSS_INDEPENDENT) {
		lost = random_chosen(random_output(flow->loss, k), loss->good_loss);
	} else {
		lost = random_chosen(random_output(flow->loss, 2 * k), flow->bad ? loss->bad_loss : loss->good_loss);
		if (random_chosen(random_output(flow->loss, 2 * k + 1), flow->bad ? loss->to_good : loss->to_bad))
			flow->bad = !flow->bad;
	}
	if (lost) {
		flow->lost_packets++;
		flow->lost_bytes += packet->cost;
	}
	return lost;
}

/*
 * Returns the k-th jitter of a generator, from 0 to `max_ns`: |z| of RFC 8868 section 4.5.3 with N_STD * std =
 * max. The Gaussian is computed as by Box and Muller (1958).
 */
static uint64_t jitter_ns(uint64_t generator, uint64_t k, uint64_t max_ns)
{
	double radius = sqrt(-2 * log(1 - random_uniform(random_output(generator, 2 * k))));
	double gaussian = fabs(radius * cos(2 * M_PI * random_uniform(random_output(generator, 2 * k + 1))));

	return (uint64_t)(fmin(gaussian, deviations) / deviations * (double)max_ns);
}

uint64_t path_leave_ns(struct path *path, struct flow *flow, uint64_t now_ns, uint64_t table_ns)
{
	uint64_t leave_ns = now_ns + path->config.delay_ns + table_ns;

	if (flow && path->config.jitter_max_ns != 0)
		leave_ns += jitter_ns(flow->jitter, flow->jittered++, path->config.jitter_max_ns);
	if (leave_ns < path->turn_ns)
		leave_ns = path->turn_ns;
	path->turn_ns = leave_ns;
	/* a reordered packet does not delay other packets */
	if (flow && path->config.reorder != 0
	    && random_chosen(random_output(flow->reorder, flow->reordered++), path->config.reorder))
		leave_ns += path->config.reorder_delay_ns;
	return leave_ns;
}
