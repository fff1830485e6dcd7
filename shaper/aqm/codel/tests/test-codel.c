/* SPDX-License-Identifier: MIT */
/* Tests of CoDel's control law against an example worked by hand from RFC 8289 section 5. */
#include "support.h"

static struct queue_config config;
static struct queue_bench bench;

/* Takes a packet from the queue. Returns the number of packets dropped before it. */
static uint32_t take(uint64_t now_ns)
{
	uint32_t before = bench.aqm;

	bench.queue->config.discipline->dequeue(bench.queue, now_ns);
	return bench.aqm - before;
}

/*
 * 1000 packets wait since time 0, and one is taken each ms. From 10 ms on the delay is above the target, so
 * first_above_time is 110 ms. At 110 ms the first packet is dropped, count is 1 and drop_next 110 + 100. Then
 * drop_next grows by 100/sqrt(2), 100/sqrt(3), ...: 210, 280.71, 338.45, 388.45, 433.17, 473.99, 511.79. Each
 * drop is at the next whole ms, when a packet is taken.
 */
static void control_law(void)
{
	static const uint64_t expected_ms[] = { 110, 210, 281, 339, 389, 434, 474, 512 };
	uint32_t drops = 0;

	queue_open(&bench, &config, 0, 1000);
	for (int i = 0; i < 1000; i++)
		queue_send(&bench, &media, 0);
	for (uint64_t now_ms = 10; now_ms <= 540; now_ms++) {
		uint32_t dropped = take(now_ms * ms);

		if (dropped > 0) {
			CHECK_EQUAL(dropped, 1);
			CHECK(drops < 8);
			CHECK_EQUAL(now_ms, expected_ms[drops]);
			drops++;
		}
	}
	CHECK_EQUAL(drops, 8);
	queue_close(&bench);
}

/*
 * After the eight drops above, count is 8 and lastcount 1. The queue runs empty and fills again within 16
 * intervals. Dropping then resumes with count 7, so the next drop comes 100/sqrt(7) = 37.80 ms after the first,
 * and the following one 100/sqrt(8) = 35.36 ms later.
 */
static void resume(void)
{
	static const uint64_t expected_ms[] = { 810, 848, 884 };
	uint32_t drops = 0;

	queue_open(&bench, &config, 0, 1000);
	for (int i = 0; i < 540; i++)
		queue_send(&bench, &media, 0);
	for (uint64_t now_ms = 10; bench.queue->packets > 0; now_ms++)
		take(now_ms * ms);
	CHECK_EQUAL(bench.aqm, 8);
	for (int i = 0; i < 300; i++)
		queue_send(&bench, &media, 700 * ms);
	for (uint64_t now_ms = 710; now_ms <= 900; now_ms++) {
		if (take(now_ms * ms) > 0) {
			CHECK(drops < 3);
			CHECK_EQUAL(now_ms, expected_ms[drops]);
			drops++;
		}
	}
	CHECK_EQUAL(drops, 3);
	queue_close(&bench);
}

static void short_burst(void)
{
	queue_open(&bench, &config, 0, 200);
	for (int i = 0; i < 100; i++)
		queue_send(&bench, &media, 0);
	for (uint64_t now_ms = 1; bench.queue->packets > 0; now_ms++)
		take(now_ms * ms);
	CHECK_EQUAL(bench.aqm, 0);
	queue_close(&bench);
}

/* CoDel does not drop the last packet of a queue, however long it waited. */
static void last_packet(void)
{
	queue_open(&bench, &config, 0, 2000);
	queue_send(&bench, &media, 0);
	for (uint64_t now_ms = 0; now_ms < 1000; now_ms++) {
		queue_send(&bench, &media, now_ms * 20 * ms);
		take(now_ms * 20 * ms + 19 * ms);
	}
	CHECK_EQUAL(bench.aqm, 0);
	queue_close(&bench);
}

static void marks(void)
{
	struct queue_config with_ecn = config;
	struct spec ect = media;
	uint32_t taken = 0;

	ect.ecn = ECN_ECT0;
	with_ecn.ecn = true;
	queue_open(&bench, &with_ecn, 0, 1000);
	for (int i = 0; i < 1000; i++)
		queue_send(&bench, &ect, 0);
	for (uint64_t now_ms = 10; now_ms <= 540; now_ms++) {
		take(now_ms * ms);
		taken++;
	}
	/* number and times of the marks are those of the drops without ECN, and no packet is lost */
	CHECK_EQUAL(bench.marked, 8);
	CHECK_EQUAL(bench.aqm, 0);
	CHECK_EQUAL(bench.queue->packets, 1000 - taken);
	queue_close(&bench);
}

static void no_ect(void)
{
	struct queue_config with_ecn = config;

	with_ecn.ecn = true;
	queue_open(&bench, &with_ecn, 0, 1000);
	for (int i = 0; i < 1000; i++)
		queue_send(&bench, &media, 0);
	for (uint64_t now_ms = 10; now_ms <= 300; now_ms++)
		take(now_ms * ms);
	CHECK_EQUAL(bench.marked, 0);
	CHECK_EQUAL(bench.aqm, 3);
	queue_close(&bench);
}

/* Against an unresponsive sender CoDel drops more and more often, until the delay is below the target. */
static void overload(void)
{
	static struct bench link;
	uint64_t last_sojourn_ns = 0;

	bench_open(&link);
	bench_bottleneck(&link, 12.112e6);
	link.config.bottlenecks[DOWN].queue = config;
	bench_apply(&link, 0);
	for (uint64_t i = 0; i < 22000; i++)
		bench_send(&link, &media, DOWN, i * 950 * us);
	for (uint32_t i = 0; i < link.event_count; i++)
		if (link.events[i].event == EVENT_DEQUEUE)
			last_sojourn_ns = link.events[i].sojourn_ns;
	bench_finish(&link);
	CHECK(last_sojourn_ns < 110 * ms);
	CHECK(link.link->bottlenecks[DOWN]->counters.aqm_dropped.packets > 500);
	CHECK_EQUAL(link.count + link.link->bottlenecks[DOWN]->counters.aqm_dropped.packets, 22000);
	bench_close(&link);
}

int main(void)
{
	config = managed("codel");
	test("drops come at the times that the control law gives", control_law);
	test("dropping goes on near the rate it had reached when it stopped a short while ago", resume);
	test("a burst that is gone within the interval is left alone", short_burst);
	test("no more than one packet waiting is never dropped", last_packet);
	test("with ECN what can be marked is marked in place of every drop", marks);
	test("with ECN what cannot be marked is dropped", no_ect);
	test("in a link under constant overload the delay is kept short and every packet is accounted for", overload);
	return tests_done("codel");
}
