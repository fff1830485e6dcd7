/* SPDX-License-Identifier: MIT */
/* The draft's test cases about Startup and Drain. */
#include "simulation.h"
#include "testing.h"

static const struct path wide = { .bits_per_second = 40000000, .round_trip = 40 * MS, .queue_packets = 1000 };

static void exits_on_plateau(void)
{
	struct simulation *s = simulation_new(wide);
	const struct logged *end = &s->log[run_until_state(s, BBR3_DRAIN, 5 * SECOND)];

	CHECK_EQUAL(end->from, BBR3_STARTUP);
	CHECK_EQUAL(end->event, BBR3_PLATEAU);
	CHECK_BETWEEN(as_bits(end->b.max_bw), 0.98 * 40e6, 1.02 * 40e6);
	CHECK_EQUAL(end->b.full_bw_count, BBR3_FULL_BW_COUNT);
	CHECK(end->b.full_bw_now && end->b.full_bw_reached);
	CHECK_EQUAL(s->c.lost, 0);
	/* doubling each round: ten packets to a BDP of 138 take four rounds, and three more to be sure */
	CHECK_BETWEEN(end->b.round_count, 5, 12);
	simulation_free(s);
}

static void exits_on_loss_when_app_limited(void)
{
	struct simulation *s = simulation_new(wide);

	s->application_bits_per_second = 20000000;
	s->application_since = s->now;
	simulation_run(s, s->now + SECOND);
	CHECK_EQUAL(s->b.state, BBR3_STARTUP);
	s->path.loss_per_mille = 150;

	const struct logged *end = &s->log[run_until_state(s, BBR3_DRAIN, s->now + 2 * SECOND)];

	CHECK_EQUAL(end->event, BBR3_STARTUP_LOSS);
	CHECK(s->rs.is_app_limited);
	CHECK(bbr3_is_inflight_too_high(&s->c, &s->rs));
	CHECK(end->c.in_fast_recovery);
	CHECK(end->b.full_bw_now && end->b.full_bw_reached);
	CHECK_EQUAL(end->b.undo_state, BBR3_UNDO_STARTUP);
	CHECK_EQUAL(end->b.inflight_longterm,
	            bbr3_max32(bbr3_bdp_multiple(&end->b, end->b.max_bw, 100), end->b.inflight_latest));
	simulation_free(s);
}

/* 5.3.1.3: all three criteria, not one or two of them */
static void stays_when_losses_are_few(void)
{
	struct simulation *s = simulation_new(wide);

	s->application_bits_per_second = 20000000;
	s->application_since = s->now;
	for (int round = 0; round < 40; round++) {
		s->path.lose_next = 4; /* 5 percent of a round, in one range */
		simulation_run(s, s->now + 100 * MS);
	}
	CHECK(s->c.lost >= 100);
	CHECK_EQUAL(find_state(s, 0, BBR3_DRAIN), s->logged);
	simulation_free(s);
}

static void drain_exits_on_inflight(void)
{
	struct simulation *s = simulation_new(wide);
	const struct logged *drain = &s->log[run_until_state(s, BBR3_DRAIN, 5 * SECOND)];

	CHECK_EQUAL(drain->b.pacing_gain, 50);
	CHECK(drain->c.inflight > bbr3_inflight(&drain->b, drain->b.bw));

	const struct logged *down = &s->log[run_until_state(s, BBR3_DOWN, 5 * SECOND)];

	CHECK_EQUAL(down->from, BBR3_DRAIN);
	CHECK_EQUAL(down->event, BBR3_DRAINED);
	CHECK(down->c.inflight <= bbr3_inflight(&down->b, down->b.bw));
	CHECK(down->b.round_count <= down->b.drain_start_round + BBR3_DRAIN_MAX_ROUNDS);
	simulation_free(s);
}

/* The draft takes 10 percent of the bandwidth away, which alone would not keep the queue: here it is more, as its step
 * 3 wants. */
static void drain_exits_on_time(void)
{
	struct simulation *s = simulation_new(wide);
	const struct logged *drain = &s->log[run_until_state(s, BBR3_DRAIN, 5 * SECOND)];
	u32 begin = drain->b.round_count;

	s->path.bits_per_second = 12000000;

	const struct logged *down = &s->log[run_until_state(s, BBR3_DOWN, s->now + 5 * SECOND)];

	CHECK_EQUAL(down->event, BBR3_DRAIN_ROUNDS);
	CHECK_EQUAL(down->b.drain_start_round, begin);
	CHECK_EQUAL(down->b.round_count, begin + BBR3_DRAIN_MAX_ROUNDS + 1);
	CHECK(down->c.inflight > bbr3_inflight(&down->b, down->b.bw));
	simulation_free(s);
}

static void never_exits_when_app_limited(void)
{
	struct simulation *s = simulation_new(wide);

	s->application_bits_per_second = 5000000;
	s->application_since = s->now;
	simulation_run(s, s->now + 30 * SECOND);
	CHECK_EQUAL(s->c.lost, 0);
	for (u32 i = 0; i < s->logged; i++)
		CHECK(s->log[i].to == BBR3_STARTUP || s->log[i].to == BBR3_PROBE_RTT);
	CHECK(!s->b.full_bw_reached);
	simulation_free(s);
}

static void probe_rtt_during_startup(void)
{
	struct simulation *s = simulation_new(wide);

	s->application_bits_per_second = 5000000;
	s->application_since = s->now;

	const struct logged *due = &s->log[run_until_event(s, BBR3_PROBE_RTT_DUE, s->now + 6 * SECOND)];

	CHECK_EQUAL(due->from, BBR3_STARTUP);

	const struct logged *done = &s->log[run_until_event(s, BBR3_PROBE_RTT_DONE, s->now + 2 * SECOND)];

	CHECK_EQUAL(done->to, BBR3_STARTUP);
	CHECK(!done->b.full_bw_reached);
	CHECK_EQUAL(done->b.pacing_gain, BBR3_STARTUP_PACING_GAIN);
	/* and the search goes on */
	s->application_bits_per_second = 0;
	CHECK_BETWEEN(as_bits(s->log[run_until_state(s, BBR3_DRAIN, s->now + 3 * SECOND)].b.max_bw), 0.98 * 40e6,
	              1.02 * 40e6);
	simulation_free(s);
}

const struct test_case startup_cases[] = {
	{ "Exiting STARTUP on Bandwidth Plateau", exits_on_plateau },
	{ "Exiting STARTUP on Loss When Application-Limited", exits_on_loss_when_app_limited },
	{ "Staying in STARTUP when losses are high but in few ranges", stays_when_losses_are_few },
	{ "Exiting DRAIN Based on Inflight", drain_exits_on_inflight },
	{ "Exiting DRAIN Based on Time", drain_exits_on_time },
	{ "Never Exiting STARTUP When Application-Limited With No Loss", never_exits_when_app_limited },
	{ "Entering and Exiting PROBE_RTT During STARTUP", probe_rtt_during_startup },
	{ 0 },
};
