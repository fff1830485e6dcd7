/* SPDX-License-Identifier: MIT */
/* Changes of a link while it carries packets. */
#include "link.h"

void link_start(struct link *link, uint64_t now_ns)
{
	link_advance(link, now_ns);
	for (int i = 0; i < DIRECTIONS; i++)
		if (link->bottlenecks[i])
			bottleneck_start(link->bottlenecks[i], link->now_ns);
}

bool link_set_rate(struct link *link, uint64_t now_ns, enum direction direction, double rate_bps)
{
	struct bottleneck *bottleneck = link->bottlenecks[direction];

	if (!bottleneck || bottleneck->trace)
		return false;
	link_advance(link, now_ns);
	bottleneck_set_rate(bottleneck, link->now_ns, rate_bps);
	return true;
}

bool link_set_limit(struct link *link, uint64_t now_ns, enum direction direction, uint64_t limit_packets,
                    uint64_t limit_bytes, uint64_t limit_ns)
{
	struct bottleneck *bottleneck = link->bottlenecks[direction];

	if (!bottleneck)
		return false;
	link_advance(link, now_ns);
	bottleneck_set_limit(bottleneck, limit_packets, limit_bytes, limit_ns);
	return true;
}

void link_set_loss(struct link *link, uint64_t now_ns, const struct loss_config *loss)
{
	link_advance(link, now_ns);
	for (uint32_t i = 0; i < link->config.path_count; i++)
		if (link->paths[i].config.direction == DOWN)
			link->paths[i].config.loss = *loss;
}
