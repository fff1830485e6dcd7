/* SPDX-License-Identifier: MIT */
#ifndef COEXIST_LINK_CLOCK_H
#define COEXIST_LINK_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_read_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000ULL + (uint64_t)time.tv_nsec;
}

/* Returns the time of CLOCK_MONOTONIC, the program's clock. */
static inline uint64_t clock_now_ns(void)
{
	return clock_read_ns(CLOCK_MONOTONIC);
}

/* Returns the time of CLOCK_REALTIME, by which the kernel stamps arrivals. */
static inline uint64_t clock_real_ns(void)
{
	return clock_read_ns(CLOCK_REALTIME);
}

#endif
