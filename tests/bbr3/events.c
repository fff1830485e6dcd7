/* SPDX-License-Identifier: MIT */
/* The log of a simulation: what happened, and running until something does. */
#include <stdio.h>
#include <stdlib.h>
#include "simulation.h"
#include "testing.h"

void simulation_clean(void)
{
	if (current == NULL)
		return;
	for (u32 i = 0; i < current->logged && getenv("SIMULATION_LOG") != NULL; i++) {
		const struct logged *l = &current->log[i];

		printf("# %8.3f s event %2u %u->%u round %u bw %.2f Mbit/s low %.2f rtt %u us cwnd %u inflight %u bounds %d %d lost %u\n",
		       (double)l->time / SECOND, l->event, l->from, l->to, l->b.round_count,
		       (double)as_bits(l->b.max_bw) / 1e6,
		       l->b.bw_shortterm == BBR3_INFINITE64 ? -1 : (double)as_bits(l->b.bw_shortterm) / 1e6,
		       l->b.min_rtt, l->c.cwnd, l->c.inflight, (int)l->b.inflight_longterm,
		       (int)l->b.inflight_shortterm, l->c.lost);
	}
	simulation_free(current);
}

static u32 run_until(struct simulation *s, bool is_event, u32 what, u64 deadline)
{
	u32 from = s->logged;

	while (s->now < deadline) {
		u32 found = is_event ? find_event(s, from, what) : find_state(s, from, what);

		if (found < s->logged)
			return found;
		simulation_step(s, deadline);
	}
	fail_test("%s %u did not come by %.3f s; the state is %u", is_event ? "event" : "state", what,
	          (double)deadline / SECOND, s->b.state);
}

u32 run_until_event(struct simulation *s, u32 event, u64 deadline)
{
	return run_until(s, true, event, deadline);
}

u32 run_until_state(struct simulation *s, u32 state, u64 deadline)
{
	return run_until(s, false, state, deadline);
}

u32 find_event(const struct simulation *s, u32 from, u32 event)
{
	while (from < s->logged && s->log[from].event != event)
		from++;
	return from;
}

u32 find_state(const struct simulation *s, u32 from, u32 state)
{
	while (from < s->logged && !(s->log[from].to == state && s->log[from].from != state))
		from++;
	return from;
}

u64 bits_per_second(u32 packets, u64 time)
{
	return (u64)packets * SMSS * 8 * 1000000 / (time / 1000);
}

u64 as_bits(u64 bw)
{
	return bw * SMSS * 8 * 1000000 >> BBR3_BW_SHIFT;
}
