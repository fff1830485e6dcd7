/* SPDX-License-Identifier: MIT */
/* The draft's test cases about paths: aggregation, tiny BDPs, policers; and random loss. */
#include "simulation.h"
#include "testing.h"

static void starts_with_aggregation(void)
{
	struct simulation *s = simulation_new((struct path){
		.bits_per_second = 40000000, .round_trip = 40 * MS, .queue_packets = 1000, .aggregation = 20 * MS });
	const struct logged *drain = &s->log[run_until_state(s, BBR3_DRAIN, 5 * SECOND)];

	CHECK(drain->b.extra_acked > 0);
	CHECK(drain->c.cwnd > 2 * bbr3_bdp_multiple(&drain->b, drain->b.max_bw, 100));
	CHECK_EQUAL(drain->event, BBR3_PLATEAU);
	/* bursts of acknowledgments do not raise the estimate: samples are capped by the send rate */
	CHECK_BETWEEN(as_bits(drain->b.max_bw), 0.95 * 40e6, 1.1 * 40e6);
	simulation_free(s);
}

static void cruises_with_aggregation(void)
{
	struct simulation *s = simulation_new(
		(struct path){ .bits_per_second = 40000000, .round_trip = 40 * MS, .queue_packets = 1000 });
	u32 delivered;

	run_until_state(s, BBR3_CRUISE, 5 * SECOND);
	simulation_run(s, s->now + 500 * MS);
	CHECK(s->b.extra_acked <= 6);
	s->path.aggregation = 30 * MS;
	simulation_run(s, s->now + 300 * MS);
	CHECK_EQUAL(s->b.state, BBR3_CRUISE);
	delivered = s->c.delivered;
	/* 30 ms at 40 Mbit/s are 104 packets at once */
	CHECK_BETWEEN(s->b.extra_acked, 60, 208);
	CHECK_EQUAL(s->b.max_inflight, bbr3_bdp_multiple(&s->b, s->b.bw, 200) + s->b.extra_acked);
	simulation_run(s, s->now + 900 * MS);
	CHECK_BETWEEN(bits_per_second(s->c.delivered - delivered, 900 * MS), 0.95 * 40e6, 1.05 * 40e6);
	/* the episode ends when acknowledgments come slower than bw, which ProbeRTT sees to; ten rounds later it is
	 * forgotten */
	s->path.aggregation = 0;
	run_until_event(s, BBR3_PROBE_RTT_DONE, s->now + 6 * SECOND);
	simulation_run(s, s->now + SECOND);
	CHECK_BETWEEN(s->b.extra_acked, 0, 12);
	simulation_free(s);
}

static void manages_sub_packet_bdp(void)
{
	struct simulation *s =
		simulation_new((struct path){ .bits_per_second = 500000, .round_trip = MS, .queue_packets = 100 });
	u32 delivered, smallest = BBR3_INFINITE32;
	u64 begin;

	run_until_state(s, BBR3_DOWN, 20 * SECOND);
	simulation_run(s, s->now + 5 * SECOND);
	begin = s->now;
	delivered = s->c.delivered;
	while (s->now < begin + 30 * SECOND) {
		simulation_run(s, s->now + 5 * MS);
		smallest = bbr3_min32(smallest, s->c.cwnd);
		if (s->b.state == BBR3_CRUISE)
			CHECK_BETWEEN(s->c.pacing_rate * 8, 0.95 * 500e3, 1.05 * 500e3);
	}
	CHECK(smallest >= BBR3_MIN_PIPE_CWND);
	CHECK_EQUAL(s->c.lost, 0);
	CHECK_BETWEEN(bits_per_second(s->c.delivered - delivered, 30 * SECOND), 0.97 * 500e3, 1.01 * 500e3);
	simulation_free(s);
}

/* Median number of rounds from DOWN to REFILL in 5 s of steady state at 40 Mbit/s, and the share of time in UP. */
static void probing_at_a_bdp_of_one_packet(bool kernel, double *rounds, double *up_share)
{
	struct simulation *s = simulation_new(
		(struct path){ .bits_per_second = 40000000, .round_trip = MS / 10, .queue_packets = 1000 });
	u32 counts[256] = { 0 }, waits = 0, down = 0, from, below = 0;
	u64 up = 0, entered = 0;

	s->b.has_kernel_budget = kernel;
	simulation_run(s, 2 * SECOND);
	from = s->logged;
	simulation_run(s, 7 * SECOND);
	for (u32 i = from; i < s->logged; i++) {
		const struct logged *entry = &s->log[i];

		if (entry->to == BBR3_DOWN)
			down = entry->b.round_count;
		if (entry->to == BBR3_REFILL && down > 0) {
			counts[bbr3_min32(entry->b.round_count - down, 255)]++;
			waits++;
		}
		if (entry->to == BBR3_UP && entry->from != BBR3_UP)
			entered = entry->time;
		if (entry->from == BBR3_UP && entry->to != BBR3_UP && entered > 0)
			up += entry->time - entered;
	}
	CHECK(waits >= 10);
	for (*rounds = 0; (below += counts[(u32)*rounds]) * 2 < waits; ++*rounds)
		;
	*up_share = (double)up / (5 * SECOND);
	simulation_free(s);
}

/* 5.3.3.8.2 counts BDPs: at two packets or fewer the next probe is due in the round after the last. Google's kernel
 * counts its budget. */
static void probes_by_the_budget(void)
{
	double rounds, up;

	probing_at_a_bdp_of_one_packet(false, &rounds, &up);
	CHECK_BETWEEN(rounds, 0, 2);
	CHECK_BETWEEN(up, 0.4, 0.8);
	probing_at_a_bdp_of_one_packet(true, &rounds, &up);
	CHECK_BETWEEN(rounds, 20, 64);
	CHECK_BETWEEN(up, 0.01, 0.3);
}

static void handles_a_policer(void)
{
	struct simulation *s = simulation_new(
		(struct path){ .bits_per_second = 10000000, .round_trip = 40 * MS, .policer_packets = 50 });
	u32 delivered, lost, sent;
	bool adapted = false;

	run_until_event(s, BBR3_LOSS_ROUND, 20 * SECOND);
	simulation_run(s, 10 * SECOND);
	delivered = s->c.delivered;
	lost = s->c.lost;
	sent = s->sent;
	while (s->now < 40 * SECOND) {
		simulation_run(s, s->now + 5 * MS);
		adapted =
			adapted || (s->b.bw_shortterm != BBR3_INFINITE64 && s->b.inflight_shortterm != BBR3_INFINITE32);
	}
	CHECK(adapted);
	CHECK_BETWEEN(bits_per_second(s->c.delivered - delivered, 30 * SECOND), 0.8 * 10e6, 10e6);
	CHECK_BETWEEN((double)(s->c.lost - lost) / (s->sent - sent), 0, 0.05);
	simulation_free(s);
}

static double goodput_with_loss(u32 per_mille)
{
	struct simulation *s = simulation_new((struct path){ .bits_per_second = 40000000,
	                                                     .round_trip = 40 * MS,
	                                                     .queue_packets = 1000,
	                                                     .loss_per_mille = per_mille });
	double goodput;

	simulation_run(s, 21 * SECOND);
	goodput = (double)bits_per_second(s->c.delivered, 20 * SECOND) / 40e6;
	simulation_free(s);
	return goodput;
}

/* 5.3.3.8.4: 1 percent is tolerated, what is above LossThresh is not */
static void bears_random_loss(void)
{
	CHECK_BETWEEN(goodput_with_loss(0), 0.95, 1);
	CHECK_BETWEEN(goodput_with_loss(10), 0.6, 0.95);
	CHECK_BETWEEN(goodput_with_loss(50), 0.02, 0.5);
}

static void keeps_a_shallow_buffer(void)
{
	struct simulation *s = simulation_new(
		(struct path){ .bits_per_second = 40000000, .round_trip = 40 * MS, .queue_packets = 28 });

	simulation_run(s, 26 * SECOND);
	CHECK_BETWEEN((double)s->retransmissions / s->sent, 0, 0.012);
	CHECK_BETWEEN(bits_per_second(s->c.delivered, 25 * SECOND), 0.93 * 40e6, 40e6);
	simulation_free(s);
}

const struct test_case path_cases[] = {
	{ "Achieving Expected STARTUP Bandwidth on a Link With Aggregation", starts_with_aggregation },
	{ "Achieving Expected Cruise Bandwidth on a Link With Aggregation", cruises_with_aggregation },
	{ "Correctly Managing Sub-Packet BDPs", manages_sub_packet_bdp },
	{ "Probing at a BDP of a packet, with the draft's budget and that of Google's kernel", probes_by_the_budget },
	{ "Handling Token Bucket Policers", handles_a_policer },
	{ "Bearing 1 percent of random loss and not 5", bears_random_loss },
	{ "Keeping a buffer of a fifth of the BDP", keeps_a_shallow_buffer },
	{ 0 },
};
