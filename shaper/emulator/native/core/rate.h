/* SPDX-License-Identifier: MIT */
/*
 * The rate of the link over time: a base rate, then steps and linear ramps. Times of steps count from the start
 * of the schedule. Times are whole nanoseconds, and rounding errors are carried over, so that the mean rate is
 * exact. A step may suspend the link: nothing is then sent until a later step.
 */
#ifndef COEXIST_LINK_RATE_H
#define COEXIST_LINK_RATE_H

#include "packet.h"

/* Step of a schedule. Steps are in order of time, and a ramp ends before the next step. */
struct rate_step {
	uint64_t at_ns;   /* time after the start */
	uint64_t ramp_ns; /* length of the ramp; 0: the rate changes at once */
	double rate_bps;
	bool suspended; /* no bit is sent; `rate_bps` is the rate that the limit of the queue follows */
};

/* The rate at a moment and its further course. */
struct rate_state {
	double rate_bps; /* during a ramp, the rate at its end */
	bool ramping, suspended;
	uint64_t ramp_from_ns, ramp_to_ns;
	double ramp_from_bps;
	uint64_t since_ns; /* time of the last change */
	uint64_t next;     /* number of the next step, over all rounds */
};

struct rate {
	double base_bps;
	const struct rate_step *steps;
	uint32_t count;
	uint64_t period_ns; /* time after which the steps start again; 0: they do not */
	bool started;
	uint64_t zero_ns;
	struct rate_state state; /* valid for times from the last rate_settle on */
};

void rate_init(struct rate *rate, double base_bps, const struct rate_step *steps, uint32_t count);

/* Starts the schedule at the base rate. `offset_ns`: time of the schedule at which it starts. */
void rate_start(struct rate *rate, uint64_t now_ns, uint64_t offset_ns);

/* Sets the rate until the schedule's next step, and ends a present ramp. */
void rate_set(struct rate *rate, uint64_t now_ns, double rate_bps);

/* Advances the state to `time_ns`. */
void rate_settle(struct rate *rate, uint64_t time_ns);

double rate_at(const struct rate *rate, uint64_t time_ns);

/* Returns the time since the last change of the rate; 0 on a ramp. */
uint64_t rate_steady_ns(const struct rate *rate, uint64_t time_ns);

/* Returns the part of the time between two times in which the link is suspended. */
uint64_t rate_suspended_ns(const struct rate *rate, uint64_t from_ns, uint64_t to_ns);

/* Returns the number of bits that can be sent between two times. */
double rate_bits(const struct rate *rate, uint64_t from_ns, uint64_t to_ns);

/*
 * Returns the time at which `bits` (more than 0) are sent if sending begins at `from_ns`. `carry_ns`: rounding
 * error of the results so far, which is updated.
 */
uint64_t rate_finish_ns(const struct rate *rate, uint64_t from_ns, double bits, double *carry_ns);

#endif
