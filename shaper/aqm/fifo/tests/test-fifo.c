/* SPDX-License-Identifier: MIT */
/* Tests of drop-tail: the limits hold to the packet and to the byte. */
#include "support.h"

static struct bench bench;

/* Sends `packets` packets at twice the rate; returns the largest backlog after the queue had filled. */
static uint32_t overload(uint32_t packets)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < packets; i++) {
		bench_send(&bench, &media, DOWN, i * 500 * us);

		uint32_t backlog = bottleneck_backlog_packets(bench.link->bottlenecks[DOWN]);

		if (backlog > most)
			most = backlog;
	}
	return most;
}

static void packets_limit(void)
{
	bench_open(&bench);
	bench_bottleneck(&bench, 12.112e6);
	bench.config.bottlenecks[DOWN].queue.limit_packets = 100;
	bench_apply(&bench, 0);
	CHECK_EQUAL(overload(1000), 100);

	const struct bottleneck_counters *counters = &bench.link->bottlenecks[DOWN]->counters;

	CHECK_EQUAL(counters->in.packets, 1000);
	CHECK_EQUAL(counters->sent.packets + counters->overflow.packets + 100, 1000);
	bench_finish(&bench);
	CHECK_EQUAL(bench.count + counters->overflow.packets, 1000);
	CHECK_EQUAL(bench.link->paths[0].dropped.packets, counters->overflow.packets);
	bench_close(&bench);
}

/*
 * When the queue is full, a packet is admitted just after the previous one has left. It waits for 99 other
 * packets and its own service, 1 ms each.
 */
static void plateau(void)
{
	uint64_t least = NEVER, most = 0;

	bench_open(&bench);
	bench_bottleneck(&bench, 12.112e6);
	bench.config.bottlenecks[DOWN].queue.limit_packets = 100;
	bench_apply(&bench, 0);
	overload(2000);
	bench_finish(&bench);
	for (uint32_t i = 0; i < bench.event_count; i++) {
		const struct link_event *event = &bench.events[i];

		if (event->event != EVENT_DEQUEUE || event->time_ns < 500 * ms || event->time_ns > 900 * ms)
			continue;
		least = event->sojourn_ns < least ? event->sojourn_ns : least;
		most = event->sojourn_ns > most ? event->sojourn_ns : most;
	}
	CHECK_NEAR((double)least, 100e6, 0.5e6);
	CHECK_NEAR((double)most, 100e6, 0.5e6);
	bench_close(&bench);
}

static void bytes_limit(void)
{
	const struct spec small = {
		.source = "10.0.1.2", .destination = "10.0.2.2", .length = 86, .port = 1, .protocol = 17
	};

	bench_open(&bench);
	bench_bottleneck(&bench, 12.112e6);
	bench.config.bottlenecks[DOWN].queue.limit_bytes = 10 * 1514 + 250;
	bench_apply(&bench, 0);
	for (int i = 0; i < 12; i++)
		bench_send(&bench, &media, DOWN, 0);
	CHECK_EQUAL(bottleneck_backlog_bytes(bench.link->bottlenecks[DOWN]), 10 * 1514);
	for (int i = 0; i < 3; i++)
		bench_send(&bench, &small, DOWN, 0);
	/* 250 bytes are free: two packets of 100 bytes fit, a full one does not */
	CHECK_EQUAL(bottleneck_backlog_bytes(bench.link->bottlenecks[DOWN]), 10 * 1514 + 200);
	CHECK_EQUAL(bench.link->bottlenecks[DOWN]->counters.overflow.packets, 3);
	bench_finish(&bench);
	CHECK_EQUAL(bench.count, 12);
	bench_close(&bench);
}

/* A limit in time is a limit in bytes at the present rate. */
static void time_limit(void)
{
	bench_open(&bench);
	bench_bottleneck(&bench, 12.112e6); /* 1 ms for each packet */
	bench.config.bottlenecks[DOWN].queue.limit_ns = 10 * ms;
	bench.config.bottlenecks[DOWN].steps[0] = (struct rate_step){ .at_ns = 100 * ms, .rate_bps = 6.056e6 };
	bench.config.bottlenecks[DOWN].step_count = 1;
	bench_apply(&bench, 0);
	bottleneck_start(bench.link->bottlenecks[DOWN], 0);
	for (int i = 0; i < 15; i++)
		bench_send(&bench, &media, DOWN, 0);
	CHECK_EQUAL(bottleneck_backlog_bytes(bench.link->bottlenecks[DOWN]), 10 * 1514);
	for (int i = 0; i < 15; i++)
		bench_send(&bench, &media, DOWN, 200 * ms);
	CHECK_EQUAL(bottleneck_backlog_bytes(bench.link->bottlenecks[DOWN]), 5 * 1514);
	bench_finish(&bench);
	CHECK_EQUAL(bench.count, 15);
	bench_close(&bench);
}

static void order(void)
{
	bench_open(&bench);
	bench_bottleneck(&bench, 12.112e6);
	bench_apply(&bench, 0);
	for (int i = 0; i < 300; i++)
		bench_send(&bench, i % 3 ? &media : &flood, DOWN, (uint64_t)i * 10 * us);
	bench_finish(&bench);
	for (uint32_t i = 0; i < 300; i++)
		CHECK_EQUAL(bench.out[i].id, i + 1);
	bench_close(&bench);
}

static void tie(void)
{
	bench_open(&bench);
	bench_bottleneck(&bench, 12.112e6);
	bench.config.bottlenecks[DOWN].queue.limit_packets = 1;
	bench.config.paths[0].delay_ns = 10 * ms;
	bench_apply(&bench, 0);
	/* each packet leaves the delay line when the previous one has been sent */
	for (uint64_t i = 0; i < 5; i++)
		bench_send(&bench, &media, DOWN, i * ms);
	bench_finish(&bench);
	CHECK_EQUAL(bench.count, 5);
	bench_close(&bench);
}

int main(void)
{
	test("with a limit of packets there are never more in queue and service, and always as many under overload",
	     packets_limit);
	test("on the plateau every packet stays as long as the limit takes to send, to half a packet", plateau);
	test("a limit of bytes holds to the byte, and lets in whatever still fits", bytes_limit);
	test("a limit in time follows the rate", time_limit);
	test("first in, first out", order);
	test("a packet that arrives at the moment when another leaves finds its place free", tie);
	return tests_done("fifo");
}
