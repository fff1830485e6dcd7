/* SPDX-License-Identifier: MIT */
/* What half of some times take at least, learned from each in turn. */
#ifndef COEXIST_LINK_USUAL_H
#define COEXIST_LINK_USUAL_H

#include <stdint.h>

/* One took so long: moves what they usually take by `step_ns` towards it. */
static inline void usual_learn(uint64_t *usual_ns, uint64_t took_ns, uint64_t step_ns)
{
	if (took_ns > *usual_ns)
		*usual_ns += step_ns;
	else
		*usual_ns -= *usual_ns > step_ns ? step_ns : *usual_ns;
}

#endif
