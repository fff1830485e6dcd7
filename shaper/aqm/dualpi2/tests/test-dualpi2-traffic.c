/* SPDX-License-Identifier: MIT */
/*
 * Tests of DualPI2 under unresponsive traffic in virtual time: laws of RFC 9332 that follow from its controller
 * (appendix A.1), its overload strategy (appendix A.2) and a scheduler that protects classic traffic.
 */
#include "support.h"

/* Rate at which a full packet of 1514 bytes takes a millisecond, bit/s. */
static const double rate_bps = 12.112e6;

static struct queue_config config;
static struct bench link;
static struct spec l4s;

/* Departures from `from_ns` on: packets of L4S, those of them that are marked, and classic packets. */
struct counts {
	double l4s, marked, classic;
};

static void open_link(double rate)
{
	bench_open(&link);
	bench_bottleneck(&link, rate);
	link.config.bottlenecks[DOWN].queue = config;
	bench_apply(&link, 0);
}

static struct counts departures(uint64_t from_ns, uint64_t to_ns)
{
	struct counts counts = {};

	for (uint32_t i = 0; i < link.count; i++) {
		if (link.out[i].time_ns < from_ns || link.out[i].time_ns >= to_ns)
			continue;
		counts.l4s += link.out[i].ecn != ECN_NONE;
		counts.marked += link.out[i].ecn == ECN_CE;
		counts.classic += link.out[i].ecn == ECN_NONE;
	}
	return counts;
}

/* Sends L4S and classic packets, each evenly spaced, for `seconds`. The loads are shares of the rate. */
static void send_both(double l4s_load, double classic_load, uint64_t seconds)
{
	double l4s_gap_ns = 1e6 / l4s_load, classic_gap_ns = 1e6 / classic_load, end_ns = (double)(seconds * second);
	double l4s_ns = 0, classic_ns = 0.3e6;

	while (fmin(l4s_ns, classic_ns) < end_ns) {
		bool is_l4s = l4s_ns <= classic_ns;
		double *next_ns = is_l4s ? &l4s_ns : &classic_ns;

		bench_send(&link, is_l4s ? &l4s : &media, DOWN, (uint64_t)*next_ns);
		*next_ns += is_l4s ? l4s_gap_ns : classic_gap_ns;
	}
}

/* Classic traffic of 1.1 times the rate: p_C settles near 1/11, and the delay at the target. */
static void settles(void)
{
	double sum_ns = 0, count = 0;

	open_link(rate_bps);
	for (uint64_t i = 0; i < 110000; i++)
		bench_send(&link, &media, DOWN, i * 909090);
	for (uint32_t i = 0; i < link.event_count; i++) {
		if (link.events[i].event != EVENT_DEQUEUE || link.events[i].time_ns < 60 * second)
			continue;
		sum_ns += (double)link.events[i].sojourn_ns;
		count++;
	}
	CHECK_NEAR(sum_ns / count, 15e6, 3e6);
	CHECK_NEAR((double)link.link->bottlenecks[DOWN]->counters.aqm_dropped.packets / 110000, 0.0909, 0.01);
	bench_finish(&link);
	bench_close(&link);
}

/*
 * Loads of 0.4 and 0.7: one classic packet in seven is too many. The low-latency queue is never longer than a
 * packet, so all its marks are coupled: p_CL = k sqrt(p_C) = 2 sqrt(1 / 7) = 0.756.
 */
static void coupled(void)
{
	struct counts counts;

	open_link(rate_bps);
	send_both(0.4, 0.7, 100);
	counts = departures(40 * second, 100 * second);
	CHECK_NEAR(counts.l4s, 60 * 400, 100);
	CHECK_NEAR(1 - counts.classic / (60 * 700), 1.0 / 7, 0.01);
	CHECK_NEAR(counts.marked / counts.l4s, 2 * sqrt(1.0 / 7), 0.03);
	bench_finish(&link);
	bench_close(&link);
}

/*
 * L4S traffic that takes 1.5 times the rate and ignores marks. Until the controller has caught up, the scheduler alone
 * keeps the share of the classic queue; then both queues lose the same share: (1.5 + 0.3 - 1) / 1.8.
 */
static void protected_classic(void)
{
	static const double ratios[] = { 0.1, 0.2 };

	for (size_t i = 0; i < sizeof(ratios) / sizeof(ratios[0]); i++) {
		struct counts counts;

		CHECK(set_parameter(&config, "classicRatio", ratios[i]));
		open_link(rate_bps);
		send_both(1.5, 0.3, 100);
		counts = departures(0, second / 4);
		CHECK_NEAR(counts.classic / (counts.classic + counts.l4s), ratios[i], 0.02);
		counts = departures(60 * second, 100 * second);
		CHECK_NEAR(counts.classic / (40 * 300), 1 / 1.8, 0.03);
		CHECK_NEAR(counts.l4s / (40 * 1500), 1 / 1.8, 0.03);
		bench_finish(&link);
		bench_close(&link);
	}
	CHECK(set_parameter(&config, "classicRatio", 0.1));
}

/*
 * Bursts of ten packets at 0.6 ms each, alone: a step at 1 ms marks those that waited 1.2 ms and more, but not the
 * last, which leaves an empty queue.
 */
static void step(void)
{
	struct counts counts;

	CHECK(set_parameter(&config, "rampFromUs", 1000));
	CHECK(set_parameter(&config, "rampRangeUs", 0));
	open_link(rate_bps / 0.6);
	for (uint64_t burst = 0; burst < 1000; burst++)
		for (int i = 0; i < 10; i++)
			bench_send(&link, &l4s, DOWN, burst * 20 * ms);
	bench_finish(&link);
	counts = departures(0, NEVER);
	CHECK_EQUAL(counts.l4s, 10000);
	/* the coupled probability is above 0 while a burst makes the delay rise */
	CHECK_NEAR(counts.marked, 7000, 20);
	bench_close(&link);
}

int main(void)
{
	config = managed("dualpi2");
	config.ecn = true;
	l4s = media;
	l4s.ecn = ECN_ECT1;
	test("under a steady overload of classic traffic the delay settles at the target", settles);
	test("the marks of L4S follow the drops of classic traffic by the square law", coupled);
	test("L4S traffic that ignores marks leaves classic traffic its share", protected_classic);
	test("a burst is marked from the step on", step);
	return tests_done("dualpi2-traffic");
}
