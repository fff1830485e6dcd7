/* SPDX-License-Identifier: MIT */
/* Histogram of the lateness of packets, with a resolution of 1 us up to about 1 ms, and of 3 % above. */
#ifndef COEXIST_LINK_LATENESS_H
#define COEXIST_LINK_LATENESS_H

#include <stdint.h>

enum { LATENESS_FINE = 1024, LATENESS_PARTS = 32, LATENESS_BUCKETS = LATENESS_FINE + 32 * LATENESS_PARTS };

struct lateness {
	uint64_t packets, max_ns;
	uint64_t buckets[LATENESS_BUCKETS];
};

void lateness_add(struct lateness *lateness, uint64_t late_ns);

/* Returns a quantile in us: at most `1 - share` of all packets were later; 0 without packets. */
double lateness_quantile_us(const struct lateness *lateness, double share);

#endif
