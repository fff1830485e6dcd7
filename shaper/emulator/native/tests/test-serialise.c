/* SPDX-License-Identifier: MIT */
/*
 * Tests of serialisation: a packet leaves when its last bit would have left, also after an idle time. The
 * program may sleep while packets arrive.
 */
#include "core/random.h"
#include "support.h"

enum { ARRIVALS = 4000 };

static struct bench bench;

static const double rate_bps = 40e6;

static void open_managed(struct bench *link, const char *discipline)
{
	struct queue_config queue = managed(discipline);

	queue.ecn = queue.discipline->ecn_refusal[false];
	bench_open(link);
	bench_bottleneck(link, rate_bps);
	link->config.bottlenecks[DOWN].queue = queue;
}

static double own_time_ns(uint32_t length)
{
	return (length + 14) * 8e9 / rate_bps;
}

static void after_idle(void)
{
	static const uint32_t lengths[] = { 1500, 600, 100 };

	for (int k = 0; discipline_names[k]; k++) {
		open_managed(&bench, discipline_names[k]);
		bench_apply(&bench, 0);
		for (uint32_t i = 0; i < 3; i++) {
			struct spec spec = media;

			spec.length = lengths[i];
			bench_send(&bench, &spec, DOWN, (i + 1) * 10 * ms);
		}
		bench_finish(&bench);
		CHECK_EQUAL(bench.count, 3);
		for (uint32_t i = 0; i < 3; i++) {
			CHECK_NEAR((double)(bench.out[i].time_ns - (i + 1) * 10 * ms), own_time_ns(lengths[i]), 1);
			CHECK_NEAR((double)bench.out[i].service_ns, own_time_ns(lengths[i]), 1);
		}
		bench_close(&bench);
	}
}

static void trains(void)
{
	for (int k = 0; discipline_names[k]; k++) {
		open_managed(&bench, discipline_names[k]);
		bench_apply(&bench, 0);
		for (uint32_t i = 0; i < 10; i++) {
			struct spec spec = media;

			spec.length = 100 + 140 * (i % 4);
			bench_send(&bench, &spec, DOWN, 5 * ms);
		}
		bench_finish(&bench);
		CHECK_EQUAL(bench.count, 10);
		for (uint32_t i = 0; i < 10; i++)
			CHECK_NEAR((double)(bench.out[i].time_ns - (i == 0 ? 5 * ms : bench.out[i - 1].time_ns)),
			           own_time_ns(bench.out[i].length), 2);
		bench_close(&bench);
	}
}

struct arrival {
	uint64_t time_ns;
	struct spec spec;
	enum direction direction;
};

static struct arrival arrivals[ARRIVALS];

static void make_arrivals(void)
{
	const struct spec specs[] = {
		media, flood, { .source = "10.0.2.2", .destination = "10.0.1.2", .port = 5000, .protocol = 17 }
	};
	uint64_t generator = mix64(7), now_ns = 0;

	for (uint64_t k = 0; k < ARRIVALS; k++) {
		uint64_t random = random_output(generator, k);

		/* bursts and pauses, and sometimes two packets at the same time */
		now_ns += random % 7 == 0 ? random / 7 % (4 * ms) : random / 7 % (300 * us);
		arrivals[k] = (struct arrival){ .time_ns = now_ns,
			                        .spec = specs[random % 3],
			                        .direction = random % 3 == 2 ? UP : DOWN };
		arrivals[k].spec.length = 28 + (uint32_t)(random >> 32) % 1473;
	}
}

static void arrive(struct bench *link, const struct arrival *arrival)
{
	struct packet *packet = link_take(link->link);

	CHECK(packet);
	fill(packet, &arrival->spec);
	link_arrive(link->link, packet, arrival->direction, arrival->time_ns);
}

/*
 * Runs the link as main.c does: arrivals are processed when the program wakes. It wakes when a packet is due
 * or, if an arrival can change the next due time, at once.
 */
static uint32_t run_sleepily(struct bench *link)
{
	uint32_t read = 0, wakes = 0;

	for (;;) {
		uint64_t next_ns = link_next_ns(link->link), now_ns = next_ns;
		uint32_t before = link->count;

		if (next_ns > link_deaf_ns(link->link) && read < ARRIVALS && arrivals[read].time_ns < next_ns)
			now_ns = arrivals[read].time_ns;
		if (now_ns == NEVER)
			return wakes;
		wakes++;
		while (read < ARRIVALS && arrivals[read].time_ns <= now_ns)
			arrive(link, &arrivals[read++]);
		bench_advance(link, now_ns);
		for (uint32_t i = before; i < link->count; i++)
			CHECK_EQUAL(link->out[i].time_ns, now_ns);
	}
}

static void sleeping(void)
{
	static struct bench sleepy;

	make_arrivals();
	for (int variant = 0; discipline_names[variant / 2]; variant++) {
		struct bench *both[] = { &bench, &sleepy };

		for (int i = 0; i < 2; i++) {
			open_managed(both[i], discipline_names[variant / 2]);
			both[i]->config.bottlenecks[DOWN].queue.limit_packets = 15;
			both[i]->config.paths[2].delay_ns = 3 * ms;
			if (variant % 2 == 1)
				both[i]->config.paths[0].delay_ns = both[i]->config.paths[1].delay_ns = 2 * ms;
			bench_apply(both[i], 0);
		}
		for (uint32_t k = 0; k < ARRIVALS; k++)
			bench_send(&bench, &arrivals[k].spec, arrivals[k].direction, arrivals[k].time_ns);
		bench_finish(&bench);

		uint32_t wakes = run_sleepily(&sleepy);

		CHECK_EQUAL(sleepy.count, bench.count);
		for (uint32_t i = 0; i < bench.count; i++)
			CHECK(sleepy.out[i].time_ns == bench.out[i].time_ns && sleepy.out[i].id == bench.out[i].id);
		CHECK(wakes < ARRIVALS + bench.count);
		bench_close(&bench);
		bench_close(&sleepy);
	}
}

/* Each direction has a rate that does not depend on the other direction. */
static void both_ways(void)
{
	const struct spec back = {
		.source = "10.0.2.2", .destination = "10.0.1.2", .length = 1500, .port = 5000, .protocol = 17
	};

	bench_open(&bench);
	bench_bottleneck(&bench, rate_bps);
	bench.config.has_bottleneck[UP] = true;
	bench.config.bottlenecks[UP] = bench.config.bottlenecks[DOWN];
	bench.config.bottlenecks[UP].rate_bps = 1e6;
	bench.config.bottlenecks[UP].queue.limit_packets = 5;
	bench_apply(&bench, 0);
	for (uint32_t i = 0; i < 10; i++) {
		bench_send(&bench, &media, DOWN, 1 * ms);
		bench_send(&bench, &back, UP, 1 * ms);
	}
	CHECK_EQUAL(bottleneck_backlog_packets(bench.link->bottlenecks[DOWN]), 10);
	CHECK_EQUAL(bottleneck_backlog_packets(bench.link->bottlenecks[UP]), 5);
	CHECK_EQUAL(link_waiting(bench.link), 15);
	CHECK(link_set_rate(bench.link, 1 * ms, UP, 1e6));
	bench_finish(&bench);

	uint32_t count[DIRECTIONS] = {};

	for (uint32_t i = 0; i < bench.count; i++) {
		double own_ns = bench.out[i].direction == DOWN ? own_time_ns(1500) : 1514 * 8e3;

		CHECK_NEAR((double)(bench.out[i].time_ns - 1 * ms), ++count[bench.out[i].direction] * own_ns, 10);
	}
	CHECK_EQUAL(count[DOWN], 10);
	CHECK_EQUAL(count[UP], 5);
	CHECK_EQUAL(bench.link->bottlenecks[UP]->counters.overflow.packets, 5);
	CHECK_EQUAL(bench.link->paths[2].dropped.packets, 5);
	for (uint32_t i = 0; i < bench.event_count; i++)
		CHECK(bench.events[i].queue_packets <= (bench.events[i].event == EVENT_DROP ? 5 : 10));
	bench_close(&bench);
}

static void listening(void)
{
	bench_open(&bench);
	bench_apply(&bench, 0);
	CHECK_EQUAL(link_deaf_ns(bench.link), 0); /* a path without delay: packets may leave at once */
	for (int i = 0; i < 3; i++)
		bench.config.paths[i].delay_ns = (uint64_t)(5 + i) * ms;
	bench_apply(&bench, 1 * ms);
	CHECK_EQUAL(link_deaf_ns(bench.link), 6 * ms);
	bench.config.path_count = 0;
	bench_apply(&bench, 2 * ms);
	CHECK_EQUAL(link_deaf_ns(bench.link), 2 * ms); /* a packet without a path passes at once */
	bench_close(&bench);
}

int main(void)
{
	test("after idle a packet of any size leaves when its last bit would have left, whatever manages the queue",
	     after_idle);
	test("in a train each packet leaves its own time after the one before it", trains);
	test("who sleeps through arrivals while nothing can leave sooner sends the same packets at the same times, none late",
	     sleeping);
	test("a bottleneck in each direction: each serves, fills and drops by itself", both_ways);
	test("how long nobody needs to listen: the shortest delay, none without paths", listening);
	return tests_done("serialise");
}
