/* SPDX-License-Identifier: MIT */
#ifndef COEXIST_LINK_CLOCK_H
#define COEXIST_LINK_CLOCK_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC: the time of everything the program does. */
static inline uint64_t clock_now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000ULL + (uint64_t)time.tv_nsec;
}

#endif
