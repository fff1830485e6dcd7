/* SPDX-License-Identifier: MIT */
/* The draft's test cases about recoveries that turn out to be spurious, and what happens in those that are not. */
#include "simulation.h"
#include "testing.h"

static const struct path wide = { .bits_per_second = 40000000, .round_trip = 40 * MS, .queue_packets = 1000 };

static void undoes_fast_recovery_in_up(void)
{
	struct simulation *s = simulation_new(wide);
	struct bbr3 before;
	u32 cwnd, entry;

	run_until_state(s, BBR3_UP, 10 * SECOND);
	simulation_run(s, s->now + 20 * MS);
	s->path.delay_packets = 10; /* 6 percent of what is in flight, late by 35 packets */
	s->path.delay_next = 10 * MS;
	entry = run_until_event(s, BBR3_RECOVERY, s->now + SECOND);
	before = s->log[entry].b;
	cwnd = s->log[entry].c.cwnd;
	CHECK_EQUAL(before.state, BBR3_UP);
	CHECK_EQUAL(before.undo_bw_shortterm, BBR3_INFINITE64);
	CHECK_EQUAL(before.undo_inflight_longterm, before.inflight_longterm);

	const struct logged *down =
		&s->log[find_state(s, entry, BBR3_DOWN) < s->logged ? find_state(s, entry, BBR3_DOWN)
	                                                            : run_until_state(s, BBR3_DOWN, s->now + SECOND)];

	CHECK_EQUAL(down->event, BBR3_TOO_HIGH);
	CHECK(down->b.inflight_longterm != BBR3_INFINITE32);

	const struct logged *undone = &s->log[run_until_event(s, BBR3_UNDONE, s->now + SECOND)];

	CHECK_EQUAL(undone->to, BBR3_REFILL);
	CHECK_EQUAL(undone->b.inflight_longterm, BBR3_INFINITE32);
	CHECK_EQUAL(undone->b.inflight_shortterm, BBR3_INFINITE32);
	CHECK(undone->b.bw_shortterm == BBR3_INFINITE64);
	CHECK(undone->c.cwnd >= cwnd);
	CHECK_EQUAL(s->b.undo_state, BBR3_UNDO_NONE);
	CHECK_EQUAL(s->log[run_until_state(s, BBR3_UP, s->now + SECOND)].event, BBR3_REFILLED);
	simulation_free(s);
}

static void undoes_fast_recovery_in_startup(void)
{
	struct simulation *s = simulation_new(
		(struct path){ .bits_per_second = 100000000, .round_trip = 100 * MS, .queue_packets = 5000 });

	/* for a round trip some packets of every twelve or so come late */
	simulation_run(s, s->now + 650 * MS);
	CHECK_EQUAL(s->b.state, BBR3_STARTUP);
	for (int i = 0; i < 25; i++) {
		s->path.delay_packets = 2;
		s->path.delay_next = 30 * MS;
		simulation_run(s, s->now + 4 * MS);
	}
	s->path.delay_packets = 0;
	CHECK_EQUAL(s->log[run_until_state(s, BBR3_DRAIN, s->now + SECOND)].event, BBR3_STARTUP_LOSS);

	const struct logged *undone = &s->log[run_until_event(s, BBR3_UNDONE, s->now + SECOND)];

	CHECK_EQUAL(undone->to, BBR3_STARTUP);
	CHECK(!undone->b.full_bw_reached && !undone->b.full_bw_now);
	CHECK_EQUAL(undone->b.inflight_longterm, BBR3_INFINITE32);
	CHECK_BETWEEN(as_bits(s->log[run_until_state(s, BBR3_DRAIN, s->now + 5 * SECOND)].b.max_bw), 0.95 * 100e6,
	              1.05 * 100e6);
	simulation_free(s);
}

static void undoes_rto_recovery(void)
{
	struct simulation *s = simulation_new(wide);
	u32 entry, cwnd;

	run_until_state(s, BBR3_CRUISE, 5 * SECOND);
	simulation_run(s, s->now + 300 * MS);
	/* late by so much that the timer runs out just before the first of them comes: that is 200 ms after the last
	 * one in time */
	s->path.delay_packets = BBR3_INFINITE32;
	s->path.delay_next = 230 * MS;
	entry = run_until_event(s, BBR3_TIMEOUT, s->now + SECOND);
	s->path.delay_packets = 0;
	CHECK_EQUAL(s->c.cwnd, 1);
	entry = find_event(s, 0, BBR3_RECOVERY);
	cwnd = s->log[entry].c.cwnd;
	CHECK(cwnd >= 138);
	CHECK_EQUAL(s->log[entry].b.undo_inflight_longterm, BBR3_INFINITE32);

	const struct logged *undone = &s->log[run_until_event(s, BBR3_UNDONE, s->now + SECOND)];

	CHECK_EQUAL(undone->c.cwnd, cwnd);
	CHECK_EQUAL(undone->b.inflight_longterm, BBR3_INFINITE32);
	CHECK(bbr3_is_in_probe_bw(&undone->b));
	CHECK(undone->b.bw_shortterm == BBR3_INFINITE64);
	simulation_run(s, s->now + 100 * MS);
	CHECK(!bbr3_in_loss_recovery(&s->c));
	simulation_free(s);
}

/* 5.6.4.4: the window falls to a packet, grows by what is delivered, and is restored at the end */
static void survives_a_real_timeout(void)
{
	struct simulation *s = simulation_new(wide);
	u32 cwnd, from;

	run_until_state(s, BBR3_CRUISE, 5 * SECOND);
	simulation_run(s, s->now + 300 * MS);
	s->path.lose_next = 400;
	run_until_event(s, BBR3_TIMEOUT, s->now + SECOND);
	cwnd = s->log[find_event(s, 0, BBR3_RECOVERY)].c.cwnd;
	CHECK(cwnd > 138);
	CHECK_EQUAL(s->c.cwnd, 1);
	s->path.lose_next = 0;
	from = s->c.delivered;
	while (bbr3_in_loss_recovery(&s->c) && s->now < 20 * SECOND)
		simulation_run(s, s->now + MS);
	CHECK(!bbr3_in_loss_recovery(&s->c));
	CHECK(s->c.delivered - from > 100);
	CHECK_EQUAL(s->b.prior_cwnd, cwnd);
	CHECK(s->b.inflight_shortterm >= cwnd * BBR3_BETA / 100); /* the short-term model did not begin at one packet */
	simulation_run(s, s->now + 6 * SECOND);
	CHECK_BETWEEN(as_bits(s->b.bw), 0.9 * 40e6, 1.05 * 40e6);
	simulation_free(s);
}

/* 5.5.10.3 */
static void lowers_the_bounds_once_a_round(void)
{
	struct simulation *s = simulation_new(wide);
	u32 first, second;

	run_until_state(s, BBR3_CRUISE, 5 * SECOND);
	simulation_run(s, s->now + 200 * MS);
	s->path.loss_per_mille = 30;
	first = run_until_event(s, BBR3_LOSS_ROUND, s->now + SECOND);
	CHECK(s->log[first].b.bw_shortterm >= s->log[first].b.max_bw * BBR3_BETA / 100);
	CHECK(s->log[first].b.bw_shortterm <= s->log[first].b.max_bw);
	CHECK(s->log[first].b.inflight_shortterm <= s->log[first].c.cwnd);
	second = run_until_event(s, BBR3_LOSS_ROUND, s->now + SECOND);
	CHECK_BETWEEN((s->log[second].time - s->log[first].time) / MS, 39, 90);
	CHECK(s->log[second].b.bw_shortterm >= s->log[first].b.bw_shortterm * BBR3_BETA / 100);
	s->path.loss_per_mille = 0;
	/* the next probe forgets them */
	run_until_state(s, BBR3_REFILL, s->now + 4 * SECOND);
	CHECK(s->b.bw_shortterm == BBR3_INFINITE64);
	CHECK_EQUAL(s->b.inflight_shortterm, BBR3_INFINITE32);
	simulation_free(s);
}

const struct test_case recovery_cases[] = {
	{ "Handling Spurious Fast Recovery", undoes_fast_recovery_in_up },
	{ "Handling Spurious Fast Recovery in STARTUP", undoes_fast_recovery_in_startup },
	{ "Handling Spurious RTO Recovery", undoes_rto_recovery },
	{ "Recovering from a timeout", survives_a_real_timeout },
	{ "Lowering the short-term model once a round", lowers_the_bounds_once_a_round },
	{ 0 },
};
