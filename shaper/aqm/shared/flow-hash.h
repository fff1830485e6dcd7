/* SPDX-License-Identifier: MIT */
/* Hash that sends the packets of a flow to one of several queues. */
#ifndef COEXIST_AQM_FLOW_HASH_H
#define COEXIST_AQM_FLOW_HASH_H

#include "core/packet.h"
#include "core/random.h"

static const uint64_t hash_purpose = 0x6861736820202020ULL; /* letters of "hash" */

/* Returns the key of the hash for the seed of a queue. */
static inline uint64_t hash_key(uint64_t seed)
{
	return random_purpose(seed, hash_purpose);
}

/* Returns the number of the packet's queue, 0 to `queues` - 1, from addresses, protocol and ports. */
static inline uint32_t hash_flow(uint64_t key, const struct packet *packet, uint32_t queues)
{
	uint64_t hash = mix64(key ^ ((uint64_t)packet->source << 32 | packet->destination));

	hash = mix64(
		hash
		^ ((uint64_t)packet->protocol << 32 | (uint32_t)packet->source_port << 16 | packet->destination_port));
	return (uint32_t)(hash % queues);
}

#endif
