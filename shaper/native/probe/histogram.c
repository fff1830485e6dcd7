/* SPDX-License-Identifier: MIT */
/* Log-linear histogram after HdrHistogram, with constant memory and bounded relative error. */
#include "histogram.h"

static unsigned int bin_of(uint64_t us)
{
	unsigned int power = 0;

	if (us < HISTOGRAM_EXACT)
		return (unsigned int)us;
	while (power + 1 < HISTOGRAM_POWERS && us >= (uint64_t)HISTOGRAM_EXACT << (power + 1))
		power++;

	uint64_t low = (uint64_t)HISTOGRAM_EXACT << power;
	uint64_t step = (us - low) * HISTOGRAM_STEPS / low;

	return HISTOGRAM_EXACT + power * HISTOGRAM_STEPS
	       + (unsigned int)(step < HISTOGRAM_STEPS ? step : HISTOGRAM_STEPS - 1);
}

static double middle_us(unsigned int bin)
{
	if (bin < HISTOGRAM_EXACT)
		return bin + 0.5;

	double low = (double)((uint64_t)HISTOGRAM_EXACT << ((bin - HISTOGRAM_EXACT) / HISTOGRAM_STEPS));

	return low * (1 + ((bin - HISTOGRAM_EXACT) % HISTOGRAM_STEPS + 0.5) / HISTOGRAM_STEPS);
}

void histogram_add(struct histogram *histogram, uint64_t ns)
{
	histogram->bins[bin_of(ns / 1000)]++;
	histogram->count++;
	if (ns > histogram->max_ns)
		histogram->max_ns = ns;
}

void histogram_merge(struct histogram *into, const struct histogram *other)
{
	for (unsigned int bin = 0; bin < HISTOGRAM_BINS; bin++)
		into->bins[bin] += other->bins[bin];
	into->count += other->count;
	if (other->max_ns > into->max_ns)
		into->max_ns = other->max_ns;
}

double histogram_quantile_us(const struct histogram *histogram, double p)
{
	uint64_t rank = (uint64_t)(p * (double)histogram->count);
	uint64_t below = 0;

	for (unsigned int bin = 0; bin < HISTOGRAM_BINS; bin++) {
		below += histogram->bins[bin];
		if (below > rank || (below == histogram->count && below > 0)) {
			double us = middle_us(bin), max_us = (double)histogram->max_ns / 1000;

			return us < max_us ? us : max_us;
		}
	}
	return 0;
}
