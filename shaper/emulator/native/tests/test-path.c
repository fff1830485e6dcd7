/* SPDX-License-Identifier: MIT */
/* Tests of delay, jitter, reordering and duplication. */
#include "core/random.h"
#include "support.h"

static struct bench bench;
enum { COUNT = 100000 };

/* Sends COUNT packets, one every `gap_ns`, and collects all departures. */
static void run(uint64_t gap_ns)
{
	bench_apply(&bench, 0);
	for (uint64_t k = 0; k < COUNT; k++)
		bench_send(&bench, &media, DOWN, k * gap_ns);
	bench_finish(&bench);
}

static void delay(void)
{
	bench_open(&bench);
	bench.config.paths[0].delay_ns = 25 * ms;
	bench.config.paths[1].delay_ns = 7 * ms + 1;
	bench.config.paths[2].delay_ns = 40 * ms;
	bench_apply(&bench, 0);

	struct spec up = { .source = "10.0.2.2", .destination = "10.0.1.2", .length = 52, .protocol = 6 };

	bench_send(&bench, &media, DOWN, 10 * ms);
	bench_send(&bench, &flood, DOWN, 11 * ms);
	bench_send(&bench, &up, UP, 12 * ms);
	bench_finish(&bench);
	CHECK_EQUAL(bench.out[0].time_ns, 18 * ms + 1);
	CHECK_EQUAL(bench.out[1].time_ns, 35 * ms);
	CHECK_EQUAL(bench.out[2].time_ns, 52 * ms);
	CHECK_EQUAL(bench.out[2].direction, UP);
	bench_close(&bench);
}

/* Checks that the packets collected from index `from` on left at `now_ns`. */
static void check_woken(const struct bench *woken, uint32_t from, uint64_t now_ns)
{
	for (; from < woken->count; from++)
		CHECK_EQUAL(woken->out[from].time_ns, now_ns);
}

/* Sends bursts of 30 packets every 10 ms, of which 20 fit into the queue. */
static void bursts(struct bench *link, bool punctual)
{
	bench_open(link);
	bench_bottleneck(link, 80e6);
	link->config.paths[0].delay_ns = 25300 * us;
	link->config.bottlenecks[DOWN].queue.limit_packets = 20;
	bench_apply(link, 0);
	for (uint64_t k = 0; k < 40; k++) {
		for (int i = 0; i < 30; i++) {
			uint32_t before = link->count;

			bench_send(link, &media, DOWN, k * 10 * ms);
			if (punctual)
				check_woken(link, before, k * 10 * ms);
		}
		while (punctual && link_next_ns(link->link) < (k + 1) * 10 * ms) {
			uint32_t before = link->count;
			uint64_t next_ns = link_next_ns(link->link);

			bench_advance(link, next_ns);
			check_woken(link, before, next_ns);
		}
	}
	bench_finish(link);
}

/*
 * A late call changes no departure time. Calls at the times that the link returns are in time for each
 * departure.
 */
static void late(void)
{
	static struct bench punctual;

	bursts(&punctual, true);
	bursts(&bench, false);
	CHECK_EQUAL(bench.link->paths[0].dropped.packets, 40 * 10);
	CHECK_EQUAL(bench.count, punctual.count);
	for (uint32_t i = 0; i < bench.count; i++)
		CHECK(bench.out[i].time_ns == punctual.out[i].time_ns && bench.out[i].id == punctual.out[i].id);
	bench_close(&bench);
	bench_close(&punctual);
}

static void jitter_bounds(void)
{
	uint64_t least = NEVER, most = 0;

	bench_open(&bench);
	bench.config.paths[0].delay_ns = 25 * ms;
	bench.config.paths[0].jitter_max_ns = 15 * ms;
	run(300 * us);
	CHECK_EQUAL(bench.count, COUNT);
	for (uint32_t k = 0; k < COUNT; k++) {
		uint64_t added_ns = bench.out[k].time_ns - k * 300 * us - 25 * ms;

		CHECK_EQUAL(bench.out[k].id, k + 1);
		CHECK(added_ns <= 15 * ms);
		least = added_ns < least ? added_ns : least;
		most = added_ns > most ? added_ns : most;
	}
	CHECK(least < 2 * ms && most > 14 * ms);
	bench_close(&bench);
}

/*
 * If no packet can overtake another, the distribution is |N(0, 5 ms)| cut off at 15 ms. Except for the tail,
 * its mean is 5 sqrt(2/pi) = 3.989 ms.
 */
static void jitter_distribution(void)
{
	uint32_t within[4] = {};
	double sum_ms = 0;

	bench_open(&bench);
	bench.config.paths[0].jitter_max_ns = 15 * ms;
	run(20 * ms);
	for (uint32_t k = 0; k < COUNT; k++) {
		double added_ms = (double)(bench.out[k].time_ns - k * 20 * ms) * 1e-6;

		sum_ms += added_ms;
		for (int deviations = 1; deviations < 4; deviations++)
			within[deviations] += added_ms < 5 * deviations;
	}
	CHECK_NEAR(sum_ms / COUNT, 3.989, 0.03);
	CHECK_NEAR(within[1] / (double)COUNT, 0.6827, 0.005);
	CHECK_NEAR(within[2] / (double)COUNT, 0.9545, 0.003);
	CHECK_NEAR(within[3] / (double)COUNT, 0.9973, 0.001);
	bench_close(&bench);
}

static void reorder(void)
{
	uint32_t late = 0, overtaken = 0;
	uint64_t highest = 0;

	bench_open(&bench);
	bench.config.paths[0].delay_ns = 10 * ms;
	bench.config.paths[0].reorder = random_threshold(0.01);
	bench.config.paths[0].reorder_delay_ns = 3 * ms;
	run(ms);
	CHECK_EQUAL(bench.count, COUNT);
	for (uint32_t k = 0; k < COUNT; k++) {
		uint64_t added_ns = bench.out[k].time_ns - (bench.out[k].id - 1) * ms - 10 * ms;

		CHECK(added_ns == 0 || added_ns == 3 * ms);
		late += added_ns != 0;
		overtaken += bench.out[k].id < highest;
		highest = bench.out[k].id > highest ? bench.out[k].id : highest;
	}
	/* 99 % of all binomial counts lie within 2.6 standard deviations */
	CHECK_NEAR(late, COUNT * 0.01, 2.6 * sqrt(COUNT * 0.01 * 0.99));
	CHECK_NEAR(overtaken, late, late * 0.02);
	bench_close(&bench);
}

static void duplicates(void)
{
	uint32_t twice = 0;

	bench_open(&bench);
	bench.config.paths[0].delay_ns = 10 * ms;
	bench.config.paths[0].duplicate = random_threshold(0.05);
	run(ms);
	for (uint32_t i = 1; i < bench.count; i++)
		twice += bench.out[i].time_ns == bench.out[i - 1].time_ns;
	CHECK_NEAR(twice, COUNT * 0.05, 2.6 * sqrt(COUNT * 0.05 * 0.95));
	CHECK_EQUAL(bench.count, COUNT + twice);
	CHECK_EQUAL(bench.link->paths[0].duplicated.packets, twice);
	CHECK_EQUAL(bench.link->paths[0].duplicated.bytes, (uint64_t)twice * 1514);
	bench_close(&bench);
}

static void duplicates_meet_the_loss(void)
{
	bench_open(&bench);
	bench.config.paths[0].duplicate = random_threshold(1);
	bench.config.paths[0].loss = (struct loss_config){ .kind = LOSS_INDEPENDENT,
		                                           .where = LOSS_BEFORE,
		                                           .good_loss = random_threshold(0.25) };
	run(ms);
	/* all packets but one in 2^32 are duplicated */
	CHECK_EQUAL(bench.link->paths[0].duplicated.packets, COUNT);
	CHECK_NEAR(bench.count, 2 * COUNT * 0.75, 2.6 * sqrt(2 * COUNT * 0.25 * 0.75));
	bench_close(&bench);
}

/* Checks that the random choices of one purpose are the same with and without the other purposes. */
static void own_generators(void)
{
	static bool chosen[2][1000];

	for (int with = 0; with < 2; with++) {
		bench_open(&bench);
		bench.config.paths[0].reorder = random_threshold(0.2);
		bench.config.paths[0].reorder_delay_ns = 500 * ms;
		if (with) {
			bench.config.paths[0].jitter_max_ns = ms;
			bench.config.paths[0].loss = (struct loss_config){ .kind = LOSS_INDEPENDENT,
				                                           .where = LOSS_AFTER,
				                                           .good_loss = random_threshold(0.1) };
		}
		bench_apply(&bench, 0);
		for (uint64_t k = 0; k < 1000; k++)
			bench_send(&bench, &media, DOWN, k * 10 * ms);
		bench_finish(&bench);
		for (uint32_t i = 0; i < bench.count; i++)
			chosen[with][bench.out[i].id - 1] =
				bench.out[i].time_ns - (bench.out[i].id - 1) * 10 * ms >= 500 * ms;
		if (with) {
			uint32_t lost = 0;
			bool there[1000] = {};

			for (uint32_t i = 0; i < bench.count; i++)
				there[bench.out[i].id - 1] = true;
			for (uint32_t k = 0; k < 1000; k++) {
				lost += !there[k];
				CHECK(!there[k] || chosen[0][k] == chosen[1][k]);
			}
			CHECK(lost > 50);
		}
		bench_close(&bench);
	}
}

int main(void)
{
	test("each path has its delay, to the ns", delay);
	test("a link that is asked late does the same at the same times", late);
	test("jitter stays within its bound and never reorders", jitter_bounds);
	test("where it does not have to hold back, it is the distribution of RFC 8868 section 4.5.3",
	     jitter_distribution);
	test("as many packets as asked for leave that much later than their turn, and hold up nobody", reorder);
	test("as many packets as asked for leave twice", duplicates);
	test("a duplicate meets the loss by itself", duplicates_meet_the_loss);
	test("other features do not change which packets are chosen", own_generators);
	return tests_done("path");
}
