/* SPDX-License-Identifier: MIT */
/* The draft's test cases about ProbeRTT and idleness. */
#include "simulation.h"
#include "testing.h"

static const struct path wide = { .bits_per_second = 40000000, .round_trip = 40 * MS, .queue_packets = 1000 };

static void enters_and_exits(void)
{
	struct simulation *s = simulation_new(wide);
	u64 before = s->now;
	u32 from = 0;

	simulation_run(s, 27 * SECOND);
	for (int episode = 0; episode < 4; episode++) {
		const struct logged *due = &s->log[from = find_event(s, from, BBR3_PROBE_RTT_DUE)];
		const struct logged *low = &s->log[find_event(s, from, BBR3_PROBE_RTT_LOW)];
		const struct logged *done = &s->log[from = find_event(s, from, BBR3_PROBE_RTT_DONE)];

		CHECK(from + 1 < s->logged);
		CHECK_BETWEEN((double)(due->time - before) / 1e9, 5.0, 5.3);
		CHECK_EQUAL(due->b.cwnd_gain, 50);
		CHECK_EQUAL(due->b.pacing_gain, 100);
		CHECK(low->c.inflight <= bbr3_probe_rtt_cwnd(&low->b));
		CHECK_BETWEEN(low->c.inflight, 60, 70); /* half of 138 packets */
		CHECK_BETWEEN((done->time - low->time) / MS, 200, 300);
		CHECK(done->b.probe_rtt_round_done);
		CHECK_EQUAL(done->to, BBR3_DOWN);
		CHECK_EQUAL(done[1].to, BBR3_CRUISE);
		CHECK_EQUAL(done[1].time, done->time);
		CHECK(done->c.cwnd >= 2 * 138);
		before = done->time;
	}
	CHECK_BETWEEN(s->b.min_rtt, 40000, 40600);
	/* 2 percent of the bandwidth, as 5.3.4.2 reckons */
	CHECK_BETWEEN(bits_per_second(s->c.delivered, s->now - SECOND), 0.95 * 40e6, 40e6);
	simulation_free(s);
}

static void is_skipped_after_idleness(void)
{
	struct simulation *s = simulation_new(wide);
	u32 from;

	run_until_state(s, BBR3_CRUISE, 5 * SECOND);
	s->application_written = s->next_sequence;
	s->application_paused = true;
	simulation_run(s, s->now + 6 * SECOND);
	CHECK_EQUAL(s->c.inflight, 0);
	from = s->logged;
	s->application_paused = false;
	s->application_bits_per_second = 0;

	const struct logged *restart = &s->log[run_until_event(s, BBR3_RESTART, s->now + SECOND)];

	CHECK_EQUAL(restart->to, BBR3_CRUISE);
	simulation_run(s, s->now + 5 * MS);
	CHECK(s->b.idle_restart);
	CHECK_BETWEEN(s->c.pacing_rate * 8, 0.98 * as_bits(s->b.bw),
	              as_bits(s->b.bw)); /* exactly bw, less the margin */
	simulation_run(s, s->now + 3 * SECOND);
	CHECK(!s->b.idle_restart);
	CHECK_EQUAL(find_event(s, from, BBR3_PROBE_RTT_DUE), s->logged);
	/* idleness has not cost the estimate either */
	CHECK_BETWEEN(as_bits(s->b.max_bw), 0.97 * 40e6, 1.03 * 40e6);
	simulation_free(s);
}

/* 5.4.1: the exit conditions of ProbeRTT may have been met by being idle */
static void ends_by_idleness(void)
{
	struct simulation *s = simulation_new(wide);

	run_until_event(s, BBR3_PROBE_RTT_LOW, 10 * SECOND);
	s->application_written = s->next_sequence;
	s->application_paused = true;
	simulation_run(s, s->now + SECOND);
	CHECK_EQUAL(s->b.state, BBR3_PROBE_RTT);
	s->application_paused = false;

	const struct logged *done = &s->log[run_until_event(s, BBR3_PROBE_RTT_DONE, s->now + 10 * MS)];

	CHECK_EQUAL(done->c.inflight, 0); /* before the first packet */
	CHECK(s->c.cwnd >= 2 * 138);
	simulation_free(s);
}

/* 5.3.4.3: min_rtt remembers two episodes, so a longer path is believed after 10 s, not at once */
static void follows_a_longer_path(void)
{
	struct simulation *s = simulation_new(wide);

	simulation_run(s, 8 * SECOND);
	CHECK_BETWEEN(s->b.min_rtt, 40000, 40600);
	s->path.round_trip = 80 * MS;
	simulation_run(s, s->now + 4 * SECOND);
	CHECK_BETWEEN(s->b.min_rtt, 40000, 40600);
	simulation_run(s, s->now + 16 * SECOND);
	CHECK_BETWEEN(s->b.min_rtt, 80000, 84000);
	simulation_free(s);
}

/* 2.12: where the round trip is shorter than the spacing of the packets, a window of four is idle before each of them.
 * What was delivered before such a restart must not be held against the time since it. */
static void forgets_what_came_before_a_restart(void)
{
	struct simulation *s = simulation_new((struct path){
		.bits_per_second = 40000000, .round_trip = MS / 20, .queue_packets = 1000, .loss_per_mille = 20 });
	u32 restarts = 0;

	for (int episode = 0; episode < 6; episode++) {
		u32 due = run_until_event(s, BBR3_PROBE_RTT_DUE, s->now + 7 * SECOND);
		u32 done = run_until_event(s, BBR3_PROBE_RTT_DONE, s->now + SECOND);
		u64 until = s->log[done].time + SECOND;

		for (u32 i = find_event(s, due, BBR3_RESTART); i < done; i = find_event(s, i + 1, BBR3_RESTART))
			restarts++;
		while (s->now < until) {
			simulation_step(s, until);
			CHECK_BETWEEN(s->b.extra_acked, 0, 8);
			CHECK_BETWEEN(s->queue_last - s->queue_first, 0,
			              2 * bbr3_bdp_multiple(&s->b, s->b.max_bw, 100) + 20);
		}
	}
	CHECK(restarts >= 50);
	simulation_free(s);
}

const struct test_case probe_rtt_cases[] = {
	{ "Entering and Exiting PROBE_RTT", enters_and_exits },
	{ "Skipping PROBE_RTT Due to Application-Limited Sending", is_skipped_after_idleness },
	{ "Exiting PROBE_RTT when restarting from idle", ends_by_idleness },
	{ "Raising min_rtt only after MinRTTFilterLen", follows_a_longer_path },
	{ "Restarting from idle at each packet of PROBE_RTT", forgets_what_came_before_a_restart },
	{ 0 },
};
