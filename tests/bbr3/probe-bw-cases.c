/* SPDX-License-Identifier: MIT */
/* The draft's test cases about ProbeBW. */
#include "simulation.h"
#include "testing.h"

static const struct path wide = { .bits_per_second = 40000000, .round_trip = 40 * MS, .queue_packets = 1000 };

static void limit_application(struct simulation *s, u64 rate)
{
	s->application_written = s->next_sequence;
	s->application_since = s->now;
	s->application_bits_per_second = rate;
}

static void up_exits_on_plateau(void)
{
	struct simulation *s = simulation_new(wide);
	const struct logged *up = &s->log[run_until_state(s, BBR3_UP, 10 * SECOND)];

	CHECK_EQUAL(up->b.pacing_gain, 125);
	CHECK_EQUAL(up->b.cwnd_gain, 225);
	CHECK_EQUAL(up->from, BBR3_REFILL);

	const struct logged *down = &s->log[run_until_state(s, BBR3_DOWN, s->now + 2 * SECOND)];

	CHECK_EQUAL(down->event, BBR3_PLATEAU);
	CHECK(down->b.full_bw_now);
	CHECK_EQUAL(down->b.full_bw_count, BBR3_FULL_BW_COUNT);
	CHECK_BETWEEN(down->b.round_count - up->b.round_count, 3, 4);
	CHECK_EQUAL(s->c.lost, 0);
	simulation_free(s);
}

static void up_exits_on_loss_when_app_limited(void)
{
	struct simulation *s = simulation_new(wide);

	run_until_state(s, BBR3_UP, 10 * SECOND);
	limit_application(s, 30000000);
	simulation_run(s, s->now + 150 * MS);
	CHECK_EQUAL(s->b.state, BBR3_UP);
	CHECK(s->rs.is_app_limited);
	s->path.lose_next = 12;

	const struct logged *down = &s->log[run_until_state(s, BBR3_DOWN, s->now + SECOND)];

	CHECK_EQUAL(down->event, BBR3_TOO_HIGH);
	CHECK_EQUAL(down->from, BBR3_UP);
	CHECK(down->b.prev_probe_too_high);
	/* the pseudocode of 5.5.10.2 leaves the bound alone when the lost packet was application-limited */
	CHECK_EQUAL(down->b.inflight_longterm, BBR3_INFINITE32);
	simulation_free(s);
}

static void up_never_exits_when_app_limited(void)
{
	struct simulation *s = simulation_new(wide);
	u64 begin;

	run_until_state(s, BBR3_UP, 10 * SECOND);
	begin = s->now;
	limit_application(s, 20000000);

	u32 from = s->logged;

	simulation_run(s, begin + 30 * SECOND);
	CHECK_EQUAL(s->c.lost, 0);
	/* it is only ever left for ProbeRTT, and taken up again after that */
	for (u32 i = from; i < s->logged; i++)
		CHECK(s->log[i].from != BBR3_UP || s->log[i].to == BBR3_PROBE_RTT);
	simulation_free(s);
}

static void down_exits_on_inflight(void)
{
	struct simulation *s = simulation_new(wide);

	run_until_state(s, BBR3_UP, 10 * SECOND);

	const struct logged *down = &s->log[run_until_state(s, BBR3_DOWN, s->now + 2 * SECOND)];

	CHECK_EQUAL(down->b.pacing_gain, 90);
	CHECK(down->c.inflight > bbr3_inflight(&down->b, down->b.max_bw));

	const struct logged *cruise = &s->log[run_until_state(s, BBR3_CRUISE, s->now + 2 * SECOND)];

	CHECK_EQUAL(cruise->event, BBR3_DRAINED);
	CHECK(cruise->c.inflight <= bbr3_inflight_with_headroom(&cruise->b));
	CHECK(cruise->c.inflight <= bbr3_inflight(&cruise->b, cruise->b.max_bw));
	simulation_free(s);
}

/* The draft takes 10 percent of the bandwidth away in DOWN; here more is taken in Drain, so that DOWN begins with the
 * queue that it wants. */
static void down_exits_after_max_time(void)
{
	struct simulation *s = simulation_new(wide);

	run_until_state(s, BBR3_DRAIN, 5 * SECOND);
	s->path.bits_per_second = 12000000;
	run_until_state(s, BBR3_DOWN, s->now + 2 * SECOND);

	u64 begin = s->now;
	u32 wait = s->b.bw_probe_wait;
	const struct logged *refill = &s->log[run_until_state(s, BBR3_REFILL, begin + 4 * SECOND)];

	CHECK_EQUAL(refill->from, BBR3_DOWN);
	CHECK_EQUAL(refill->event, BBR3_PROBE_TIME);
	CHECK(refill->c.inflight > bbr3_inflight(&refill->b, refill->b.max_bw));
	CHECK_BETWEEN(wait, 2000000, 3000000);
	CHECK_BETWEEN((refill->time - begin) / 1000, wait, wait + 10000);
	simulation_free(s);
}

/* T_probe = min(T_bbr, T_reno), 5.3.3.8.2: 2 to 3 s, or as many rounds as the BDP has packets, 62 or 63 at most */
static void probes_in_time(void)
{
	struct simulation *s = simulation_new(
		(struct path){ .bits_per_second = 10000000, .round_trip = 20 * MS, .queue_packets = 500 });
	u32 cycles = 0, down = 0;

	simulation_run(s, 30 * SECOND);
	for (u32 i = 0; i < s->logged; i++) {
		const struct logged *entry = &s->log[i];

		if (entry->to == BBR3_DOWN)
			down = i;
		if (entry->to != BBR3_REFILL || down == 0)
			continue;
		cycles++;
		/* BDP of 17.3 packets */
		if (entry->event == BBR3_RENO_TIME)
			CHECK_BETWEEN(entry->b.round_count - s->log[down].b.round_count, 16, 19);
		else
			CHECK_BETWEEN((double)(entry->time - s->log[down].time) / 1e9, 2, 3.1);
	}
	CHECK(cycles >= 10);
	simulation_free(s);
}

static void increases_tenfold(void)
{
	struct simulation *s =
		simulation_new((struct path){ .bits_per_second = 10000000, .round_trip = 40 * MS, .queue_packets = 6 });
	u32 growth[32], rounds = 0, last_round = 0, last_bound = 0;
	u64 begin;

	simulation_run(s, 12 * SECOND);
	CHECK(s->b.inflight_longterm != BBR3_INFINITE32); /* so that there is a bound to raise */
	begin = s->now;
	s->path.bits_per_second = 100000000;
	s->path.queue_packets = 300;
	/* watch the first probe that stays */
	while (s->now < begin + 10 * SECOND && rounds < 5) {
		simulation_run(s, s->now + MS / 2);
		if (s->b.state != BBR3_UP) {
			rounds = 0;
			last_round = 0;
			continue;
		}
		if (s->b.round_count == last_round)
			continue;
		if (last_round != 0)
			growth[rounds++] = s->b.inflight_longterm - last_bound;
		last_round = s->b.round_count;
		last_bound = s->b.inflight_longterm;
	}
	CHECK_EQUAL(rounds, 5);
	/* it doubles each round, give or take a packet; so it quadruples in two */
	for (u32 i = 3; i < rounds; i++)
		CHECK_BETWEEN((double)growth[i] / growth[i - 2], 2.4, 6);
	simulation_run(s, begin + 12 * SECOND);
	CHECK_BETWEEN(as_bits(s->b.max_bw), 0.95 * 100e6, 1.05 * 100e6);
	simulation_free(s);
}

static void decreases_tenfold(void)
{
	struct simulation *s = simulation_new(
		(struct path){ .bits_per_second = 100000000, .round_trip = 40 * MS, .queue_packets = 400 });
	u64 begin, lowest = BBR3_INFINITE64;
	u32 cycles = 0, from;

	run_until_state(s, BBR3_UP, 10 * SECOND);
	run_until_state(s, BBR3_CRUISE, s->now + 5 * SECOND);
	begin = s->now;
	from = s->logged;
	s->path.bits_per_second = 10000000;
	s->path.queue_packets = 40;
	while (s->now < begin + 2 * SECOND) {
		simulation_run(s, s->now + 10 * MS);
		lowest = bbr3_min64(lowest, s->b.bw_shortterm);
	}
	CHECK_BETWEEN(as_bits(lowest), 5e6, 20e6); /* the short-term model follows the losses at once */
	/* two cycles, and the one in which it happened */
	while (cycles < 3 && s->now < begin + 30 * SECOND) {
		simulation_run(s, s->now + 10 * MS);
		for (; from < s->logged; from++)
			cycles += s->log[from].from == BBR3_UP && s->log[from].to == BBR3_DOWN
			          && s->log[from].event != BBR3_PRECAUTION;
	}
	CHECK_EQUAL(cycles, 3);
	simulation_run(s, s->now + SECOND);
	CHECK_BETWEEN(as_bits(s->b.max_bw), 0.95 * 10e6, 1.1 * 10e6);
	simulation_free(s);
}

static void loses_in_up_with_a_bound(void)
{
	struct simulation *s = simulation_new(
		(struct path){ .bits_per_second = 40000000, .round_trip = 40 * MS, .queue_packets = 30 });

	simulation_run(s, 8 * SECOND);
	CHECK(s->b.inflight_longterm != BBR3_INFINITE32);
	s->path.queue_packets = 1000;
	do {
		run_until_state(s, BBR3_UP, s->now + 10 * SECOND);
	} while (s->b.prev_probe_too_high);
	simulation_run(s, s->now + 60 * MS);
	CHECK_EQUAL(s->b.state, BBR3_UP);
	s->path.lose_next = 20;

	const struct logged *down = &s->log[run_until_state(s, BBR3_DOWN, s->now + SECOND)];
	u32 bdp = bbr3_bdp_multiple(&down->b, down->b.bw, 100);

	CHECK_EQUAL(down->event, BBR3_TOO_HIGH);
	CHECK_EQUAL(down->from, BBR3_UP);
	CHECK(down->b.prev_probe_too_high && !down->b.is_bw_probe_sample);
	CHECK_EQUAL(down->b.undo_state, BBR3_UNDO_UP);
	CHECK(down->b.inflight_longterm >= bdp * BBR3_BETA / 100);
	CHECK_BETWEEN(down->b.inflight_longterm, 0.9 * bdp,
	              1.5 * bdp); /* what was in flight when the losses crossed 2 percent */
	simulation_free(s);
}

/* 5.3.3.6: after a probe that went too high the next one stops at the bound; where that was harmless it is taken up at
 * once */
static void probes_with_precaution(void)
{
	struct simulation *s = simulation_new(
		(struct path){ .bits_per_second = 40000000, .round_trip = 40 * MS, .queue_packets = 30 });
	u32 high, stop, again;

	simulation_run(s, 20 * SECOND);
	high = find_event(s, 0, BBR3_TOO_HIGH);
	stop = find_event(s, high, BBR3_PRECAUTION);
	again = find_event(s, stop, BBR3_PRECAUTION_OK);
	CHECK(again < s->logged);
	CHECK_EQUAL(s->log[stop].to, BBR3_DOWN);
	CHECK(s->log[stop].c.prior_inflight >= s->log[stop].b.inflight_longterm);
	CHECK_EQUAL(s->log[again].from, BBR3_DOWN);
	CHECK_EQUAL(s->log[again].to, BBR3_REFILL);
	CHECK_BETWEEN((s->log[again].time - s->log[stop].time) / MS, 40, 100); /* one round */
	/* and that one stays until its own end */
	CHECK_EQUAL(s->log[find_state(s, find_state(s, again, BBR3_UP), BBR3_DOWN)].event, BBR3_TOO_HIGH);
	simulation_free(s);
}

static void refills_when_app_limited(void)
{
	struct simulation *s = simulation_new(wide);
	u64 before;

	run_until_state(s, BBR3_REFILL, 10 * SECOND);
	before = s->b.max_bw;
	limit_application(s, 2000000);

	const struct logged *up = &s->log[run_until_state(s, BBR3_UP, s->now + SECOND)];

	CHECK_EQUAL(up->event, BBR3_REFILLED);
	CHECK_EQUAL(up->b.max_bw, before);
	simulation_run(s, s->now + 400 * MS);
	CHECK(s->rs.is_app_limited && s->rs.delivery_rate < before / 4);
	CHECK_EQUAL(s->b.max_bw, before);
	CHECK_EQUAL(s->b.state, BBR3_UP);
	/* when the application sends again the probe goes on and ends by itself */
	s->application_bits_per_second = 0;
	CHECK_EQUAL(s->log[run_until_state(s, BBR3_DOWN, s->now + 2 * SECOND)].event, BBR3_PLATEAU);
	simulation_free(s);
}

const struct test_case probe_bw_cases[] = {
	{ "Exiting PROBE_UP on Bandwidth Plateau", up_exits_on_plateau },
	{ "Exiting PROBE_UP on Loss When Application-Limited", up_exits_on_loss_when_app_limited },
	{ "Never Exiting PROBE_UP When Application-Limited With No Loss", up_never_exits_when_app_limited },
	{ "Exiting PROBE_DOWN on Inflight", down_exits_on_inflight },
	{ "Exiting PROBE_DOWN After Max Time", down_exits_after_max_time },
	{ "Probing after 2 to 3 s or as many rounds as Reno would take", probes_in_time },
	{ "Increasing Bandwidth 10x and Ensuring Full Bandwidth is Reached", increases_tenfold },
	{ "Decreasing Bandwidth 10x and Ensuring Max Bandwidth Adapts Down", decreases_tenfold },
	{ "Handling Loss During PROBE_UP After inflight_longterm is Set", loses_in_up_with_a_bound },
	{ "Precautionary Bandwidth Probing", probes_with_precaution },
	{ "Handling Application-Limited Sending During PROBE_REFILL", refills_when_app_limited },
	{ 0 },
};
