/* SPDX-License-Identifier: MIT */
/* Table of flows: a hash table with linear probing, without removal. */
#include <string.h>
#include "flows.h"
#include "random.h"

void flows_reset(struct flows *flows, uint64_t seed)
{
	memset(flows, 0, sizeof(*flows));
	flows->seed = seed;
}

static bool is_of(const struct flow *flow, const struct packet *packet)
{
	return flow->source == packet->source && flow->destination == packet->destination
	       && flow->protocol == packet->protocol && flow->path == packet->path;
}

struct flow *flows_find(struct flows *flows, const struct packet *packet)
{
	uint64_t hash = mix64(((uint64_t)packet->source << 32 | packet->destination) ^ (uint64_t)packet->protocol << 16
	                      ^ packet->path);

	for (uint32_t i = 0; i < FLOW_SLOTS; i++) {
		struct flow *flow = &flows->slots[(hash + i) % FLOW_SLOTS];

		if (flow->used && is_of(flow, packet))
			return flow;
		if (flow->used)
			continue;
		if (flows->count == FLOWS_MAX)
			return NULL;
		flows->count++;
		*flow = (struct flow){ .used = true,
			               .source = packet->source,
			               .destination = packet->destination,
			               .protocol = packet->protocol,
			               .path = packet->path };
		flow->loss = random_generator(flows->seed, packet->source, packet->destination, packet->protocol);
		flow->jitter = random_generator(random_purpose(flows->seed, PURPOSE_JITTER), packet->source,
		                                packet->destination, packet->protocol);
		flow->reorder = random_generator(random_purpose(flows->seed, PURPOSE_REORDER), packet->source,
		                                 packet->destination, packet->protocol);
		flow->duplicate = random_generator(random_purpose(flows->seed, PURPOSE_DUPLICATE), packet->source,
		                                   packet->destination, packet->protocol);
		return flow;
	}
	return NULL;
}
