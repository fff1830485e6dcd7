/* SPDX-License-Identifier: MIT */
#include <math.h>
#include "rate.h"

/* A period in which the rate is linear. Rates in bits per nanosecond. */
struct piece {
	double rate, slope;
	uint64_t end_ns;
};

void rate_init(struct rate *rate, double base_bps, const struct rate_step *steps, uint32_t count)
{
	*rate = (struct rate){
		.base_bps = base_bps, .steps = steps, .count = count, .state = { .rate_bps = base_bps }
	};
}

/* Returns the time of the n-th step, over all rounds, after the zero of the schedule. */
static uint64_t step_at_ns(const struct rate *rate, uint64_t n)
{
	return n / rate->count * rate->period_ns + rate->steps[n % rate->count].at_ns;
}

static bool has_step(const struct rate *rate, uint64_t n)
{
	return n < rate->count || (rate->count > 0 && rate->period_ns != 0);
}

void rate_start(struct rate *rate, uint64_t now_ns, uint64_t offset_ns)
{
	struct rate_state *state = &rate->state;

	rate->started = true;
	/* may be before the zero of the clock: differences of times remain right */
	rate->zero_ns = now_ns - offset_ns;
	*state = (struct rate_state){ .rate_bps = rate->base_bps, .since_ns = now_ns };
	/* with an offset, steps that lie in the past have no ramps */
	for (; offset_ns > 0 && has_step(rate, state->next) && step_at_ns(rate, state->next) <= offset_ns;
	     state->next++) {
		const struct rate_step *step = &rate->steps[state->next % rate->count];

		state->rate_bps = step->rate_bps;
		state->suspended = step->suspended;
	}
}

static double state_rate(const struct rate_state *state, uint64_t time_ns)
{
	if (!state->ramping)
		return state->rate_bps;

	double share = (double)(time_ns - state->ramp_from_ns) / (double)(state->ramp_to_ns - state->ramp_from_ns);

	return state->ramp_from_bps + (state->rate_bps - state->ramp_from_bps) * share;
}

static uint64_t next_step_ns(const struct rate *rate, const struct rate_state *state)
{
	return rate->started && has_step(rate, state->next) ? rate->zero_ns + step_at_ns(rate, state->next) : NEVER;
}

static void settle(const struct rate *rate, struct rate_state *state, uint64_t time_ns)
{
	for (;;) {
		uint64_t step_ns = next_step_ns(rate, state);

		if (state->ramping && state->ramp_to_ns <= time_ns && state->ramp_to_ns <= step_ns) {
			state->ramping = false;
			state->since_ns = state->ramp_to_ns;
		} else if (step_ns <= time_ns) {
			const struct rate_step *step = &rate->steps[state->next++ % rate->count];

			state->ramp_from_bps = state_rate(state, step_ns);
			state->rate_bps = step->rate_bps;
			state->ramping = step->ramp_ns != 0;
			state->suspended = step->suspended;
			state->ramp_from_ns = step_ns;
			state->ramp_to_ns = step_ns + step->ramp_ns;
			state->since_ns = step_ns;
		} else {
			return;
		}
	}
}

static struct piece piece_at(const struct rate *rate, struct rate_state *state, uint64_t time_ns)
{
	settle(rate, state, time_ns);

	struct piece piece = { .rate = state->suspended ? 0 : state_rate(state, time_ns) * 1e-9,
		               .end_ns = next_step_ns(rate, state) };

	if (state->ramping && !state->suspended) {
		piece.slope = (state->rate_bps - state->ramp_from_bps) * 1e-9
		              / (double)(state->ramp_to_ns - state->ramp_from_ns);
		if (state->ramp_to_ns < piece.end_ns)
			piece.end_ns = state->ramp_to_ns;
	}
	return piece;
}

void rate_settle(struct rate *rate, uint64_t time_ns)
{
	settle(rate, &rate->state, time_ns);
}

void rate_set(struct rate *rate, uint64_t now_ns, double rate_bps)
{
	rate_settle(rate, now_ns);
	rate->state.ramping = false;
	rate->state.rate_bps = rate_bps;
	rate->state.since_ns = now_ns;
}

double rate_at(const struct rate *rate, uint64_t time_ns)
{
	struct rate_state state = rate->state;

	settle(rate, &state, time_ns);
	return state_rate(&state, time_ns);
}

uint64_t rate_steady_ns(const struct rate *rate, uint64_t time_ns)
{
	struct rate_state state = rate->state;

	settle(rate, &state, time_ns);
	return state.ramping ? 0 : time_ns - state.since_ns;
}

uint64_t rate_suspended_ns(const struct rate *rate, uint64_t from_ns, uint64_t to_ns)
{
	struct rate_state state = rate->state;
	uint64_t suspended_ns = 0;

	while (from_ns < to_ns) {
		struct piece piece = piece_at(rate, &state, from_ns);
		uint64_t end_ns = piece.end_ns < to_ns ? piece.end_ns : to_ns;

		suspended_ns += state.suspended ? end_ns - from_ns : 0;
		from_ns = end_ns;
	}
	return suspended_ns;
}

static double piece_bits(const struct piece *piece, uint64_t duration_ns)
{
	double duration = (double)duration_ns;

	return duration * (piece->rate + piece->slope * duration / 2);
}

double rate_bits(const struct rate *rate, uint64_t from_ns, uint64_t to_ns)
{
	struct rate_state state = rate->state;
	double bits = 0;

	while (from_ns < to_ns) {
		struct piece piece = piece_at(rate, &state, from_ns);
		uint64_t end_ns = piece.end_ns < to_ns ? piece.end_ns : to_ns;

		bits += piece_bits(&piece, end_ns - from_ns);
		from_ns = end_ns;
	}
	return bits;
}

uint64_t rate_finish_ns(const struct rate *rate, uint64_t from_ns, double bits, double *carry_ns)
{
	struct rate_state state = rate->state;

	for (;;) {
		struct piece piece = piece_at(rate, &state, from_ns);
		double all = piece.end_ns == NEVER ? INFINITY : piece_bits(&piece, piece.end_ns - from_ns);

		if (bits <= all) {
			/* root of slope/2 t^2 + rate t = bits, in a form that is also valid for slope 0 */
			double duration =
				2 * bits
				/ (piece.rate + sqrt(fmax(piece.rate * piece.rate + 2 * piece.slope * bits, 0)));
			double exact = duration + *carry_ns;
			double whole = fmax(floor(exact + 0.5), 0);

			*carry_ns = exact - whole;
			return from_ns + (uint64_t)whole;
		}
		bits -= all;
		from_ns = piece.end_ns;
	}
}
