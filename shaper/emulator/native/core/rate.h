/* SPDX-License-Identifier: MIT */
/*
 * The rate of the link over time: a base rate, then steps and linear ramps at times from `start`. Time has a resolution
 * of a nanosecond, and rounding errors are carried over, so that the mean rate is exact.
 */
#ifndef COEXIST_LINK_RATE_H
#define COEXIST_LINK_RATE_H

#include "packet.h"

/* In order of time; a ramp ends before the next step begins. */
struct rate_step {
	uint64_t at_ns;   /* from start */
	uint64_t ramp_ns; /* 0: at once */
	double rate_bps;
};

/* The rate at one moment and how it goes on from there. */
struct rate_state {
	double rate_bps; /* at the end of a ramp, while there is one */
	bool ramping;
	uint64_t ramp_from_ns, ramp_to_ns;
	double ramp_from_bps;
	uint64_t since_ns; /* the last change */
	uint32_t next;     /* step */
};

struct rate {
	double base_bps;
	const struct rate_step *steps;
	uint32_t count;
	bool started;
	uint64_t zero_ns;
	struct rate_state state; /* never asked about a time before the last one it was settled for */
};

void rate_init(struct rate *rate, double base_bps, const struct rate_step *steps, uint32_t count);

/* The schedule begins now, from the base rate. */
void rate_start(struct rate *rate, uint64_t now_ns);

/* Another rate from now until the schedule's next step; a ramp under way is given up. */
void rate_set(struct rate *rate, uint64_t now_ns, double rate_bps);

/* Moves on to `time_ns`. */
void rate_settle(struct rate *rate, uint64_t time_ns);

double rate_at(const struct rate *rate, uint64_t time_ns);

/* For how long the rate has been what it is at that time; 0 on a ramp. */
uint64_t rate_steady_ns(const struct rate *rate, uint64_t time_ns);

/* What can be sent between two times. */
double rate_bits(const struct rate *rate, uint64_t from_ns, uint64_t to_ns);

/* When `bits` (more than 0) that begin at `from_ns` are sent. `carry_ns` is what the rounding of such times has left.
 */
uint64_t rate_finish_ns(const struct rate *rate, uint64_t from_ns, double bits, double *carry_ns);

#endif
