/* SPDX-License-Identifier: MIT */
/* Tests of the rate of the link: it is exact, even if it changes in the middle of a packet. */
#include "support.h"

static struct bench bench;

/* Sends `packets` full packets at time 0. */
static void burst(int packets)
{
	for (int i = 0; i < packets; i++)
		bench_send(&bench, &media, DOWN, 0);
}

static void exact_rates(void)
{
	static const double rates[] = { 0.5e6, 0.7e6, 1e6, 3e6, 8e6, 13.37e6, 40e6, 50e6, 99.9e6, 100e6 };

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		bench_open(&bench);
		bench_bottleneck(&bench, rates[i]);
		bench_apply(&bench, 0);
		burst(3000);
		bench_finish(&bench);
		CHECK_EQUAL(bench.count, 3000);
		for (uint32_t k = 0; k < bench.count; k++)
			CHECK_NEAR((double)bench.out[k].time_ns, (k + 1) * 1514 * 8 / rates[i] * 1e9, 1);
		bench_close(&bench);
	}
}

static void idle_link(void)
{
	bench_open(&bench);
	bench_bottleneck(&bench, 12.112e6);
	bench_apply(&bench, 0);
	for (uint64_t k = 0; k < 10; k++)
		bench_send(&bench, &media, DOWN, k * 5 * ms);
	bench_finish(&bench);
	for (uint32_t k = 0; k < 10; k++)
		CHECK_EQUAL(bench.out[k].time_ns, k * 5 * ms + 1 * ms);
	bench_close(&bench);
}

static void ip_bytes(void)
{
	bench_open(&bench);
	bench_bottleneck(&bench, 12e6);
	bench.config.overhead_bytes = 0;
	bench_apply(&bench, 0);
	burst(2);
	bench_finish(&bench);
	CHECK_EQUAL(bench.out[1].time_ns, 2 * ms);
	bench_close(&bench);
}

/* 1514 bytes take 1 ms at 12.112 Mbit/s, and 4 ms at a quarter of it. */
static void rate_request(void)
{
	bench_open(&bench);
	bench_bottleneck(&bench, 12.112e6);
	bench_apply(&bench, 0);
	burst(10);
	bench_advance(&bench, 2500 * us);
	CHECK(link_set_rate(bench.link, 2500 * us, DOWN, 3.028e6));
	bench_advance(&bench, 8500 * us);
	CHECK(link_set_rate(bench.link, 8500 * us, DOWN, 12.112e6));
	bench_finish(&bench);

	/*
	 * the third packet had half its bytes left: 2 ms; the fourth took 4 ms; the fifth started at 8.5 ms,
	 * after the end of the step
	 */
	static const uint64_t expected_us[] = { 1000, 2000, 4500, 8500, 9500, 10500, 11500, 12500, 13500, 14500 };

	CHECK_EQUAL(bench.count, 10);
	for (uint32_t k = 0; k < 10; k++)
		CHECK_NEAR((double)bench.out[k].time_ns, (double)(expected_us[k] * us), 1);
	bench_close(&bench);
}

/* Steps 40 -> 10 -> 40 Mbit/s, as in a study. The packet in service finishes at the new rate. */
static void schedule(void)
{
	const double bits = 1514 * 8;

	bench_open(&bench);
	bench_bottleneck(&bench, 40e6);
	bench.config.bottlenecks[DOWN].step_count = 2;
	bench.config.bottlenecks[DOWN].steps[0] = (struct rate_step){ .at_ns = 10 * ms, .rate_bps = 10e6 };
	bench.config.bottlenecks[DOWN].steps[1] = (struct rate_step){ .at_ns = 30 * ms, .rate_bps = 40e6 };
	bench_apply(&bench, 5 * second);
	for (int i = 0; i < 200; i++)
		bench_send(&bench, &media, DOWN, 5 * second);
	bench_advance(&bench, 5 * second + 1 * ms);
	/* the schedule starts with link_start, 1 ms after the packets arrived */
	link_start(bench.link, 5 * second + 1 * ms);
	bench_finish(&bench);
	CHECK_EQUAL(bench.count, 200);

	double sent = 0;

	for (uint32_t k = 0; k < bench.count; k++) {
		double at = (double)(bench.out[k].time_ns - 5 * second) * 1e-9;
		double could = at < 0.011   ? 40e6 * at
		               : at < 0.031 ? 40e6 * 0.011 + 10e6 * (at - 0.011)
		                            : 40e6 * 0.011 + 10e6 * 0.02 + 40e6 * (at - 0.031);

		sent += bits;
		CHECK_NEAR(could, sent, 0.1);
	}
	/* the first whole gap at 10 Mbit/s */
	CHECK_NEAR((double)(bench.out[38].time_ns - bench.out[37].time_ns), bits / 10e6 * 1e9, 1);
	bench_close(&bench);
}

static void ramp(void)
{
	bench_open(&bench);
	bench_bottleneck(&bench, 40e6);
	bench.config.bottlenecks[DOWN].step_count = 2;
	bench.config.bottlenecks[DOWN].steps[0] =
		(struct rate_step){ .at_ns = 100 * ms, .ramp_ns = 200 * ms, .rate_bps = 8e6 };
	bench.config.bottlenecks[DOWN].steps[1] =
		(struct rate_step){ .at_ns = 300 * ms, .ramp_ns = 100 * ms, .rate_bps = 20e6 };
	bench_apply(&bench, 0);
	link_start(bench.link, 0);
	burst(1200);
	bench_finish(&bench);
	CHECK_EQUAL(bench.count, 1200);
	CHECK(bench.out[1199].time_ns > 450 * ms);
	for (uint32_t k = 0; k < bench.count; k++) {
		double at = (double)bench.out[k].time_ns * 1e-9, could = 40e6 * fmin(at, 0.1);

		/* bits are areas under the line of the rate */
		if (at > 0.1)
			could += (40e6 + (40e6 - 160e6 * (fmin(at, 0.3) - 0.1))) / 2 * (fmin(at, 0.3) - 0.1);
		if (at > 0.3)
			could += (8e6 + (8e6 + 120e6 * (fmin(at, 0.4) - 0.3))) / 2 * (fmin(at, 0.4) - 0.3);
		if (at > 0.4)
			could += 20e6 * (at - 0.4);
		CHECK_NEAR(could, (k + 1) * 1514 * 8.0, 1);
	}
	bench_close(&bench);
}

static void rate_values(void)
{
	static const struct rate_step steps[] = { { 10, 20, 300, false }, { 30, 0, 50, false }, { 30, 0, 60, false } };
	struct rate rate;

	rate_init(&rate, 100, steps, 3);
	CHECK_NEAR(rate_at(&rate, 1000), 100, 0);
	rate_start(&rate, 1000, 0);
	CHECK_NEAR(rate_at(&rate, 1009), 100, 0);
	CHECK_NEAR(rate_at(&rate, 1015), 150, 1e-9);
	CHECK_NEAR(rate_at(&rate, 1029), 290, 1e-9);
	CHECK_NEAR(rate_at(&rate, 1030), 60, 0);
	rate_set(&rate, 1020, 80);
	CHECK_NEAR(rate_at(&rate, 1029), 80, 0);
	CHECK_NEAR(rate_at(&rate, 1030), 60, 0);
	rate_start(&rate, 2000, 0);
	CHECK_NEAR(rate_at(&rate, 2000), 100, 0);
}

static void ramp_in_bits(void)
{
	static const struct rate_step steps[] = { { 0, 1000, 3e9, false } };
	struct rate rate;
	double carry = 0;

	/* from 1 to 3 bits per ns within 1000 ns: 2000 bits */
	rate_init(&rate, 1e9, steps, 1);
	rate_start(&rate, 0, 0);
	CHECK_NEAR(rate_bits(&rate, 0, 1000), 2000, 1e-6);
	CHECK_NEAR(rate_bits(&rate, 0, 500), 750, 1e-6);
	CHECK_NEAR(rate_bits(&rate, 500, 2000), 1250 + 3000, 1e-6);
	CHECK_EQUAL(rate_finish_ns(&rate, 0, 750, &carry), 500);
	CHECK_EQUAL(rate_finish_ns(&rate, 0, 2000, &carry), 1000);
	CHECK_EQUAL(rate_finish_ns(&rate, 500, 1250 + 3000, &carry), 2000);
	CHECK_NEAR(carry, 0, 1e-6);
}

int main(void)
{
	test("from 0.5 to 100 Mbit/s each of 3000 packets leaves within 1 ns of its time", exact_rates);
	test("a packet that finds the link idle takes its own time and no more", idle_link);
	test("without overhead IP bytes count", ip_bytes);
	test("a rate request changes the packet on the wire, loses nothing, flushes nothing", rate_request);
	test("a step at its time after start: what left equals the area under the rate, and the first gap is right",
	     schedule);
	test("a ramp is linear: what left equals the area under it", ramp);
	test("steps, ramps and requests follow each other; a step at the same time as another wins", rate_values);
	test("bits and times of a ramp are each other's inverse", ramp_in_bits);
	return tests_done("rate");
}
