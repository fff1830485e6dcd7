/* SPDX-License-Identifier: MIT */
/*
 * Seeded choices: splitmix64 (Steele, Lea, Flood, OOPSLA 2014), as in loss.bpf.c and core/random.ts.
 *
 * A generator belongs to one flow: sender, receiver and protocol. The k-th output is computed from k, so a
 * choice depends only on the seed and on the number of earlier packets of the flow. Each purpose except loss
 * first mixes a constant into the seed, so that jitter does not change other choices.
 */
#ifndef COEXIST_LINK_RANDOM_H
#define COEXIST_LINK_RANDOM_H

#include <arpa/inet.h>
#include <stdint.h>

/*
 * Constants that make the generators of each purpose different. Each is eight letters, as in the disciplines.
 */
#define PURPOSE_JITTER 0x6a69747465722020ULL
#define PURPOSE_REORDER 0x72656f7264657220ULL
#define PURPOSE_DUPLICATE 0x6475706c69636174ULL

static inline uint64_t mix64(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* Returns the k-th output (k = 0, 1, ...) of a generator. */
static inline uint64_t random_output(uint64_t generator, uint64_t k)
{
	return mix64(generator + (k + 1) * 0x9e3779b97f4a7c15ULL);
}

/* Returns the generator of a flow. Addresses in network order. */
static inline uint64_t random_generator(uint64_t seed, uint32_t source, uint32_t destination, uint8_t protocol)
{
	uint64_t pair = (uint64_t)ntohl(source) << 32 | ntohl(destination);

	return mix64(mix64(seed ^ pair) ^ protocol);
}

static inline uint64_t random_purpose(uint64_t seed, uint64_t purpose)
{
	return mix64(seed ^ purpose);
}

/* Converts an output to a number in [0, 1). */
static inline double random_uniform(uint64_t output)
{
	return (double)(output >> 11) * 0x1p-53;
}

/*
 * Converts a probability to a threshold; the event happens if 32 random bits are below it (lossThreshold in
 * shaper/tc/loss.ts).
 */
static inline uint32_t random_threshold(double ratio)
{
	double threshold = ratio * 4294967296.0 + 0.5;

	return threshold >= 4294967295.0 ? UINT32_MAX : (uint32_t)threshold;
}

static inline int random_chosen(uint64_t output, uint32_t threshold)
{
	return (uint32_t)(output >> 32) < threshold;
}

#endif
