/* SPDX-License-Identifier: MIT */
/* Tests of a bottleneck whose program is sometimes late or stopped: it is never faster than its rate. */
#include "core/random.h"
#include "support.h"

enum { PACKETS = 20000, ROW = 10 };

/* Full packets of 1514 bytes take 302.8 us at 40 Mbit/s. */
static const uint64_t service_ns = 302800, fast_service_ns = 121120;
static const double rate_bps = 40e6, fast_rate_bps = 100e6;

static struct bench bench;
static uint64_t state;

static uint64_t draw(uint64_t below)
{
	return random_output(mix64(7), state++) % below;
}

static uint64_t ideal_ns(uint32_t number)
{
	return (number + 1) * service_ns;
}

/*
 * Prepares a train of packets that waits from the start. `any_size`: packets of 66 to 1500 bytes, otherwise
 * full packets.
 */
static void open_train_at(double bps, uint32_t packets, bool any_size)
{
	state = 0;
	bench_open(&bench);
	bench_bottleneck(&bench, bps);
	bench_apply(&bench, 0);
	for (uint32_t i = 0; i < packets; i++) {
		struct spec spec = media;
		struct packet *packet = link_take(bench.link);

		spec.length = any_size && draw(2) ? 52 + (uint32_t)draw(1449) : 1500;
		CHECK(packet);
		fill(packet, &spec);
		link_arrive(bench.link, packet, DOWN, 0);
	}
}

static void open_train(uint32_t packets, bool any_size)
{
	open_train_at(rate_bps, packets, any_size);
}

/* Sends each packet `late_ns(number)` after its due time. */
static void send_late(uint64_t (*late_ns)(uint32_t number))
{
	uint64_t next_ns;

	for (uint32_t i = 0; (next_ns = link_next_ns(bench.link)) != NEVER; i++) {
		uint64_t now_ns = next_ns + late_ns(i);
		uint32_t before = bench.count;

		bench_leave(&bench, now_ns);
		CHECK_EQUAL(bench.count, before + 1);
	}
}

static uint64_t apart_ns(uint32_t number)
{
	return bench.out[number].sent_ns - bench.out[number - 1].sent_ns;
}

static uint64_t slack_ns(uint64_t row_ns)
{
	return row_ns / 80 > 25 * us ? row_ns / 80 : row_ns / 56 < 25 * us ? row_ns / 56 : 25 * us;
}

/*
 * Checks that no two packets, and no ten in a row, are too close together, with a tolerance of 1 ns for each
 * division.
 */
static void check_spacing(void)
{
	uint64_t row_ns = 0;

	for (uint32_t i = 1; i < bench.count; i++) {
		CHECK(apart_ns(i) + 1 >= bench.out[i].service_ns * 9 / 10);
		row_ns += bench.out[i].service_ns;
		if (i < ROW)
			continue;
		CHECK(bench.out[i].sent_ns - bench.out[i - ROW].sent_ns + 1 >= row_ns - slack_ns(row_ns));
		row_ns -= bench.out[i - ROW + 1].service_ns;
	}
}

static uint64_t never(uint32_t number)
{
	(void)number;
	return 0;
}

static void in_time(void)
{
	open_train(100, false);
	send_late(never);
	for (uint32_t i = 0; i < 100; i++)
		CHECK_EQUAL(bench.out[i].sent_ns, ideal_ns(i));
	bench_close(&bench);
}

static uint64_t once_500_us(uint32_t number)
{
	return number == 10 ? 500 * us : 0;
}

/*
 * Checks that after a late eleventh packet the link is still behind at packet `behind`, and no longer at packet
 * `caught_up`.
 */
static void made_up_by(uint64_t (*late_ns)(uint32_t number), uint32_t behind, uint32_t caught_up)
{
	open_train(caught_up + 150, false);
	send_late(late_ns);
	check_spacing();
	CHECK_EQUAL(bench.out[10].sent_ns, ideal_ns(10) + late_ns(10));
	CHECK(bench.out[behind].sent_ns > ideal_ns(behind));
	/*
	 * by the bound for ten in a row until a quarter of a packet's time is made up for, then by a 101st of
	 * that time with each packet
	 */
	for (uint32_t i = 115; i < behind; i++)
		CHECK(apart_ns(i) + 1 >= service_ns - service_ns / 101);
	CHECK_EQUAL(bench.out[caught_up].sent_ns, ideal_ns(caught_up));
	bench_close(&bench);
}

static void made_up_for(void)
{
	made_up_by(once_500_us, 140, 250);
}

static uint64_t any_to_40_us(uint32_t number)
{
	(void)number;
	return draw(40 * us);
}

static void the_rate_is_kept(void)
{
	open_train(PACKETS, false);
	send_late(any_to_40_us);
	check_spacing();
	for (uint32_t i = 0; i < PACKETS; i++)
		CHECK(bench.out[i].sent_ns - ideal_ns(i) < 200 * us);
	bench_close(&bench);
}

/*
 * Returns a lateness similar to measurements at 100 Mbit/s: nine of ten wake-ups within 5 us, the others within
 * 60 us.
 */
static uint64_t one_of_ten_to_60_us(uint32_t number)
{
	(void)number;
	return draw(10) ? draw(5 * us) : draw(60 * us);
}

static void the_rate_is_kept_at_100_mbit(void)
{
	open_train_at(fast_rate_bps, PACKETS, false);
	send_late(one_of_ten_to_60_us);
	check_spacing();
	for (uint32_t i = 0; i < PACKETS; i++)
		CHECK(bench.out[i].sent_ns - (i + 1) * fast_service_ns < 1000 * us);
	bench_close(&bench);
}

static uint64_t always_400_us(uint32_t number)
{
	(void)number;
	return 400 * us;
}

/*
 * Each packet is later than its service time. The link cannot make up for this, and the lateness does not
 * accumulate either.
 */
static void too_slow(void)
{
	open_train(300, false);
	send_late(always_400_us);
	for (uint32_t i = 100; i < 200; i++)
		CHECK(apart_ns(i) >= 400 * us);
	bench_close(&bench);
}

static uint64_t once_8_ms(uint32_t number)
{
	return number == 10 ? 8 * ms : 0;
}

static void stopped(void)
{
	made_up_by(once_8_ms, 2600, 2700);
}

static uint64_t once_80_ms(uint32_t number)
{
	return number == 200 ? 80 * ms : 0;
}

static void stopped_for_long(void)
{
	open_train(PACKETS, false);
	send_late(once_80_ms);
	check_spacing();
	CHECK(bench.out[16000].sent_ns > ideal_ns(16000) + 30 * ms);
	CHECK_EQUAL(bench.out[PACKETS - 1].sent_ns, ideal_ns(PACKETS - 1) + 30 * ms);
	bench_close(&bench);
}

/*
 * A stop of 20 ms across a step from 40 to 10 Mbit/s: after the packet in service no packet leaves at 40
 * Mbit/s.
 */
static void stopped_at_a_step(void)
{
	open_train(0, false);
	bench.config.bottlenecks[DOWN].step_count = 1;
	bench.config.bottlenecks[DOWN].steps[0] = (struct rate_step){ .at_ns = 10 * ms, .rate_bps = 10e6 };
	bench_apply(&bench, 0);
	link_start(bench.link, 0);
	for (int i = 0; i < 100; i++)
		bench_send(&bench, &media, DOWN, 0);
	bench_advance(&bench, 9900 * us);

	uint32_t before = bench.count;

	bench_leave(&bench, 29900 * us);
	CHECK_EQUAL(bench.count, before + 1);
	bench_finish(&bench);
	for (uint32_t i = before + 2; i < bench.count; i++)
		CHECK(apart_ns(i) + 1 >= 4 * service_ns * 9 / 10);
	bench_close(&bench);
}

static uint64_t now_and_then_to_20_ms(uint32_t number)
{
	(void)number;
	return draw(50) ? draw(60 * us) : draw(20 * ms);
}

static void any_sizes(void)
{
	open_train(PACKETS, true);
	send_late(now_and_then_to_20_ms);
	check_spacing();
	for (uint32_t i = 1; i < bench.event_count; i++)
		CHECK(bench.events[i].time_ns >= bench.events[i - 1].time_ns);
	bench_close(&bench);
}

/* The log has the departure times of packets, and their waiting times until then. */
static void logged(void)
{
	uint32_t left = 0;

	open_train(50, false);
	send_late(once_8_ms);
	for (uint32_t i = 0; i < bench.event_count; i++) {
		if (bench.events[i].event != EVENT_DEQUEUE)
			continue;
		CHECK_EQUAL(bench.events[i].time_ns, bench.out[left].sent_ns);
		CHECK_EQUAL(bench.events[i].sojourn_ns, bench.out[left].sent_ns);
		left++;
	}
	CHECK_EQUAL(left, 50);
	bench_close(&bench);
}

/*
 * Packets that arrive while the program is stopped keep their arrival times, and leave at the rate of the link.
 */
static void arrivals(void)
{
	bench_open(&bench);
	bench_bottleneck(&bench, rate_bps);
	bench.config.bottlenecks[DOWN].queue.limit_packets = 5;
	bench.config.paths[0].delay_ns = 1 * ms;
	bench_apply(&bench, 0);
	for (uint32_t i = 0; i < 8; i++) {
		struct packet *packet = link_take(bench.link);

		CHECK(packet);
		fill(packet, &media);
		link_arrive(bench.link, packet, DOWN, i * ms);
	}
	/*
	 * a packet was due at 1.3 ms, but is processed after 20 ms: the link has sent nothing since, and five
	 * have room
	 */
	bench_leave(&bench, 20 * ms);
	CHECK_EQUAL(bench.count, 1);
	bench_finish(&bench);
	CHECK_EQUAL(bench.count, 5);
	for (uint32_t i = 0; i < 5; i++) {
		CHECK(bench.out[i].sent_ns + 5 >= 20 * ms + i * (service_ns - service_ns / 80));
		CHECK(bench.out[i].sent_ns <= 20 * ms + i * service_ns);
		CHECK_EQUAL(bench.events[i].time_ns, (i + 1) * ms);
	}
	bench_close(&bench);
}

static void trace_stopped(void)
{
	static const uint8_t each_ms[] = TRACE_MAGIC "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0";
	char error[64];

	open_train(0, false);
	bench.config.bottlenecks[DOWN].trace = trace_read(each_ms, sizeof(each_ms), error, sizeof(error));
	CHECK(bench.config.bottlenecks[DOWN].trace);
	bench.config.overhead_bytes = 0;
	bench_apply(&bench, 0);
	for (int i = 0; i < 30; i++)
		bench_send(&bench, &media, DOWN, 100 * us);
	bench_advance(&bench, 5 * ms);
	CHECK_EQUAL(bench.count, 5);
	/* the opportunities of 6 to 24 ms are lost; the one of the last millisecond is only late */
	bench_leave(&bench, 25 * ms + 500 * us);
	CHECK_EQUAL(bench.count, 6);
	bench_advance(&bench, 30 * ms);
	CHECK_EQUAL(bench.count, 11);
	bench_finish(&bench);
	bench_close(&bench);
}

int main(void)
{
	test("who is woken in time sends each packet when it is due", in_time);
	test("after one that was late the next ones make up for it, a 101st of their time each", made_up_for);
	test("with every wake-up late by up to 40 us the rate is kept", the_rate_is_kept);
	test("at 100 Mbit/s, where one of ten is late by up to 60 us, it is kept, too", the_rate_is_kept_at_100_mbit);
	test("who is always late sends more slowly", too_slow);
	test("after a stop the link makes up for it at less than 1.01 times its rate", stopped);
	test("of a stop of 80 ms the link makes up for 50, the rest is lost", stopped_for_long);
	test("what was lost before a step of the rate is not made up for at the old rate", stopped_at_a_step);
	test("whatever the sizes and the stops, no ten packets in a row are faster than the bound", any_sizes);
	test("the log has the times at which packets were sent", logged);
	test("what comes during a stop waits in the queue, and finds it as long as it is", arrivals);
	test("opportunities of a trace that went by during a stop are lost", trace_stopped);
	return tests_done("spacing");
}
