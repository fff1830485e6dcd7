/* SPDX-License-Identifier: MIT */
/* Estimate of the median of a series of times, updated with each time. */
#ifndef COEXIST_LINK_USUAL_H
#define COEXIST_LINK_USUAL_H

#include <stdint.h>

/* Moves the estimated median by `step_ns` towards the time `took_ns`. */
static inline void usual_learn(uint64_t *usual_ns, uint64_t took_ns, uint64_t step_ns)
{
	if (took_ns > *usual_ns)
		*usual_ns += step_ns;
	else
		*usual_ns -= *usual_ns > step_ns ? step_ns : *usual_ns;
}

#endif
