/* SPDX-License-Identifier: MIT */
/*
 * Tests of PIE: updates of the probability computed by hand (RFC 8033 sections 4.2 and 4.3), and the behaviour
 * under load.
 */
#include "../pie.c"
#include "support.h"

static struct queue_config config;
static struct queue_bench bench;

/* Makes one update from the given state. Returns the new probability. */
static double updated(double probability, double delay_s, double delay_old_s)
{
	struct pie *pie = (struct pie *)bench.queue;

	bench.queue->packets = 1;
	pie->drop_probability = probability;
	pie->delay_s = delay_s;
	pie->delay_old_s = delay_old_s;
	update(pie);
	CHECK_NEAR(pie->delay_old_s, delay_s, 0);
	return pie->drop_probability;
}

/*
 * 0.125 (0.045 - 0.015) + 1.25 (0.045 - 0.015) = 0.04125. The update divides this by the factor of section 4.2
 * and, from a probability of 0.1 on, limits it to 0.02.
 */
static void probability(void)
{
	queue_open(&bench, &config, 0, 1);
	CHECK_NEAR(updated(0, 0.045, 0.015), 0.04125 / 2048, 1e-12);
	CHECK_NEAR(updated(0.000005, 0.045, 0.015), 0.000005 + 0.04125 / 512, 1e-12);
	CHECK_NEAR(updated(0.00005, 0.045, 0.015), 0.00005 + 0.04125 / 128, 1e-12);
	CHECK_NEAR(updated(0.0005, 0.045, 0.015), 0.0005 + 0.04125 / 32, 1e-12);
	CHECK_NEAR(updated(0.005, 0.045, 0.015), 0.005 + 0.04125 / 8, 1e-12);
	CHECK_NEAR(updated(0.05, 0.045, 0.015), 0.05 + 0.04125 / 2, 1e-12);
	CHECK_NEAR(updated(0.2, 0.045, 0.015), 0.22, 1e-12);
	CHECK_NEAR(updated(0.995, 0.045, 0.015), 1, 0);
	CHECK_NEAR(updated(0.2, 0.010, 0.020), 0.2 + 0.125 * -0.005 + 1.25 * -0.010, 1e-12);
	CHECK_NEAR(updated(0.00001, 0.001, 0.100), 0, 0);
	queue_close(&bench);
}

static void decay(void)
{
	queue_open(&bench, &config, 0, 1);
	CHECK_NEAR(updated(0.5, 0, 0), (0.5 + 0.125 * -0.015) * 0.98, 1e-12);
	bench.queue->packets = 0;
	((struct pie *)bench.queue)->drop_probability = 0.5;
	((struct pie *)bench.queue)->delay_s = 0.1;
	((struct pie *)bench.queue)->delay_old_s = 0;
	update((struct pie *)bench.queue);
	CHECK_NEAR(((struct pie *)bench.queue)->drop_probability, (0.5 + 0.125 * -0.015) * 0.98, 1e-12);
	queue_close(&bench);
}

static void burst_allowance(void)
{
	struct pie *pie;

	queue_open(&bench, &config, 0, 20000);
	pie = (struct pie *)bench.queue;
	pie->update_at_ns = NEVER;
	pie->drop_probability = 0.5;
	pie->delay_s = pie->delay_old_s = 0.1;
	for (int i = 0; i < 100; i++)
		queue_send(&bench, &media, 0);
	CHECK_EQUAL(bench.aqm, 0);
	for (int i = 0; i < 10; i++) {
		CHECK_EQUAL(pie->burst_allowance_ns, (uint64_t)(150 - 15 * i) * ms);
		update(pie);
	}
	CHECK_EQUAL(pie->burst_allowance_ns, 0);
	pie->drop_probability = 0.5;
	for (int i = 0; i < 10000; i++)
		queue_send(&bench, &media, 0);
	/*
	 * de-randomization: no drop before the probabilities add up to 0.85, so at most every second packet is
	 * dropped
	 */
	CHECK_NEAR(bench.aqm, 10000 / (1 + 1 / 0.5), 150);
	queue_close(&bench);
}

static void safeguards(void)
{
	struct pie *pie;

	queue_open(&bench, &config, 0, 100);
	pie = (struct pie *)bench.queue;
	pie->burst_allowance_ns = 0;
	pie->update_at_ns = NEVER;
	pie->drop_probability = 1;
	pie->delay_old_s = 0.1;
	/* PIE does not drop while two packets of 1514 bytes or less wait */
	for (int i = 0; i < 20; i++)
		queue_send(&bench, &media, 0);
	CHECK_EQUAL(bench.queue->packets, 3);
	CHECK_EQUAL(bench.aqm, 17);
	pie->drop_probability = 0.19;
	pie->delay_old_s = 0.007;
	for (int i = 0; i < 50; i++)
		queue_send(&bench, &media, 0);
	CHECK_EQUAL(bench.queue->packets, 53);
	queue_close(&bench);
}

static void marks(void)
{
	struct queue_config with_ecn = config;
	struct spec ect = media;
	struct pie *pie;

	ect.ecn = ECN_ECT0;
	with_ecn.ecn = true;
	for (int high = 0; high < 2; high++) {
		queue_open(&bench, &with_ecn, 0, 3000);
		pie = (struct pie *)bench.queue;
		pie->burst_allowance_ns = 0;
		pie->update_at_ns = NEVER;
		pie->drop_probability = high ? 0.11 : 0.09;
		pie->delay_old_s = 0.1;
		for (int i = 0; i < 2000; i++)
			queue_send(&bench, &ect, 0);
		CHECK(high ? bench.marked == 0 && bench.aqm > 80 : bench.marked > 80 && bench.aqm == 0);
		queue_close(&bench);
	}
}

/* A steady overload of 10 % settles at a drop rate of nearly 10 % and at the target delay. */
static void settles(void)
{
	static struct bench link;
	double sum_ns = 0, count = 0;

	bench_open(&link);
	bench_bottleneck(&link, 12.112e6);
	link.config.bottlenecks[DOWN].queue = config;
	bench_apply(&link, 0);
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

int main(void)
{
	config = managed("pie");
	test("the drop probability changes as worked out by hand, in each range of the auto-tuning", probability);
	test("it decays when there is no delay, and an empty queue has none", decay);
	test("within the burst allowance nothing is dropped; then as often as the probability says, spread evenly",
	     burst_allowance);
	test("a short queue, and one that is calm, loses nothing", safeguards);
	test("below 10 % what can be marked is marked, above it is dropped", marks);
	test("under a steady overload the delay settles at the target", settles);
	return tests_done("pie");
}
