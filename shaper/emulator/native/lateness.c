/* SPDX-License-Identifier: MIT */
#include "lateness.h"

/* Returns the bucket of a time. Above the fine buckets, the width of buckets doubles with each bit of `us`. */
static uint32_t bucket_of(uint64_t us)
{
	uint32_t shift = 0;

	if (us < LATENESS_FINE)
		return (uint32_t)us;
	while (us >> shift >= 2 * LATENESS_PARTS)
		shift++;

	/* `shift` is at least 5 here: 1024 = 32 << 5 */
	uint64_t bucket = LATENESS_FINE + (uint64_t)(shift - 5) * LATENESS_PARTS + (us >> shift) - LATENESS_PARTS;

	return bucket < LATENESS_BUCKETS ? (uint32_t)bucket : LATENESS_BUCKETS - 1;
}

/* Returns the end of a bucket, which does not belong to the bucket. */
static uint64_t bucket_end_us(uint32_t bucket)
{
	if (bucket < LATENESS_FINE)
		return bucket + 1;

	uint32_t coarse = bucket - LATENESS_FINE;

	return (uint64_t)(coarse % LATENESS_PARTS + LATENESS_PARTS + 1) << (coarse / LATENESS_PARTS + 5);
}

void lateness_add(struct lateness *lateness, uint64_t late_ns)
{
	lateness->packets++;
	lateness->buckets[bucket_of(late_ns / 1000)]++;
	if (late_ns > lateness->max_ns)
		lateness->max_ns = late_ns;
}

double lateness_quantile_us(const struct lateness *lateness, double share)
{
	double most = (double)lateness->packets * (1 - share);
	uint64_t later = lateness->packets;

	for (uint32_t bucket = 0; bucket < LATENESS_BUCKETS; bucket++) {
		later -= lateness->buckets[bucket];
		if ((double)later > most)
			continue;

		double max_us = (double)lateness->max_ns / 1000, end_us = (double)bucket_end_us(bucket);

		return end_us < max_us ? end_us : max_us;
	}
	return 0;
}
