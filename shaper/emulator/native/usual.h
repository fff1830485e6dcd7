/* SPDX-License-Identifier: MIT */
/* Running median of a series of times. */
#ifndef COEXIST_LINK_USUAL_H
#define COEXIST_LINK_USUAL_H

#include <stdint.h>

/* Moves the median by `step_ns` towards the time `took_ns`. */
static inline void usual_learn(uint64_t *usual_ns, uint64_t took_ns, uint64_t step_ns)
{
	if (took_ns > *usual_ns)
		*usual_ns += step_ns;
	else
		*usual_ns -= *usual_ns > step_ns ? step_ns : *usual_ns;
}

#endif
