/* SPDX-License-Identifier: MIT */
/* Histogram of delays with a resolution of 1 us below 1 ms, and of 1/64 of the delay above. */
#ifndef COEXIST_HISTOGRAM_H
#define COEXIST_HISTOGRAM_H

#include <stdint.h>

enum {
	HISTOGRAM_EXACT = 1024, /* delays below this have bins of 1 us; 2^10 */
	HISTOGRAM_STEPS = 64,   /* number of bins from one power of two to the next */
	HISTOGRAM_POWERS = 22,  /* number of powers above: up to 2^32 us, more than an hour */
	HISTOGRAM_BINS = HISTOGRAM_EXACT + HISTOGRAM_STEPS * HISTOGRAM_POWERS,
};

struct histogram {
	uint64_t count;
	uint64_t max_ns;
	uint32_t bins[HISTOGRAM_BINS];
};

void histogram_add(struct histogram *histogram, uint64_t ns);
void histogram_merge(struct histogram *into, const struct histogram *other);
/* Returns the quantile p (0 to 1) in us, as the middle of its bin; 0 if the histogram is empty. */
double histogram_quantile_us(const struct histogram *histogram, double p);

#endif
