/* SPDX-License-Identifier: MIT */
/* Tests of tables: parser, and a link whose rate, suspensions, delay and loss follow a table. */
#include "core/random.h"
#include "support.h"

static struct bench bench;
static char error[256];

/* Bytes of a table under construction. */
static unsigned char bytes[4096];
static size_t length;

static void add(uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[length++] = (unsigned char)(value >> 8 * i);
}

static void header(uint64_t period_ns, uint32_t rates, uint32_t delays, uint32_t losses, uint32_t flags)
{
	length = 0;
	memcpy(bytes, TABLE_MAGIC, 8);
	length = 8;
	add(period_ns, 8);
	add(rates, 4);
	add(delays, 4);
	add(losses, 4);
	add(flags, 4);
}

static void rate_row(uint64_t at_ns, double rate_bps, bool suspended)
{
	uint64_t bits;

	memcpy(&bits, &rate_bps, sizeof(bits));
	add(at_ns, 8);
	add(bits, 8);
	add(suspended, 8);
}

static void delay_row(uint64_t at_ns, uint64_t delay_ns)
{
	add(at_ns, 8);
	add(delay_ns, 8);
}

static void loss_row(uint64_t at_ns, double good, double bad, double to_bad, double to_good)
{
	add(at_ns, 8);
	add(random_threshold(good), 4);
	add(random_threshold(bad), 4);
	add(random_threshold(to_bad), 4);
	add(random_threshold(to_good), 4);
}

/* Parses the bytes from a buffer of their exact size, so that the sanitizer detects an overrun. */
static struct table *parse(void)
{
	unsigned char *own = malloc(length);

	CHECK(own);
	memcpy(own, bytes, length);
	error[0] = '\0';

	struct table *table = table_read(own, length, error, sizeof(error));

	free(own);
	return table;
}

static void refused(const char *why)
{
	CHECK(!parse());
	CHECK_TEXT(error, why);
}

static void bad(void)
{
	length = 3;
	refused("is no table in the emulator's format");
	header(0, 1, 0, 0, 0);
	refused("does not have the rows that it announces");
	header(0, UINT32_MAX, UINT32_MAX, UINT32_MAX, 0);
	refused("does not have the rows that it announces");
	header(0, 1, 0, 0, 0);
	rate_row(1, 1e6, false);
	refused("has rates out of order");
	header(0, 2, 0, 0, 0);
	rate_row(0, 1e6, false);
	rate_row(0, 1e6, false);
	refused("has rates out of order");
	header(second, 2, 0, 0, 0);
	rate_row(0, 1e6, false);
	rate_row(second + 1, 1e6, false);
	refused("has rates out of order");
	header(0, 1, 0, 0, 0);
	rate_row(0, 0, false);
	refused("has a rate of less than 1 bit/s");
	header(0, 1, 0, 0, 0);
	rate_row(0, NAN, false);
	refused("has a rate of less than 1 bit/s");
	header(0, 2, 0, 0, 0);
	rate_row(0, 1e6, false);
	rate_row(5, 1e6, true);
	refused("suspends the link for ever");
	header(second, 1, 0, 0, 0);
	rate_row(0, 1e6, true);
	refused("has a mean of less than 1 bit/s");
	header(ms - 1, 1, 0, 0, 0);
	rate_row(0, 1e6, false);
	refused("starts again after less than a millisecond");
	header(0, 0, 1, 0, 0);
	delay_row(0, 61 * second);
	refused("has a delay of more than 60 s");
	header(0, 0, 2, 0, 0);
	delay_row(0, 1);
	delay_row(0, 1);
	refused("has delays out of order");
	header(0, 0, 0, 1, 0);
	loss_row(4, 0, 0, 0, 0);
	refused("has losses out of order");
}

/* Opens a link of 12 Mbit/s, on which a full packet takes a millisecond, with the table from `bytes`. */
static void open_table(uint64_t offset_ns)
{
	bench_open(&bench);
	bench_bottleneck(&bench, 12e6);
	bench.config.bottlenecks[DOWN].table = parse();
	CHECK_TEXT(error, "");
	bench.config.bottlenecks[DOWN].offset_ns = offset_ns;
	bench.config.overhead_bytes = 0;
	bench_apply(&bench, 0);
}

static void send_each(uint32_t count, uint64_t every_ns)
{
	for (uint64_t k = 0; k < count; k++)
		bench_send(&bench, &media, DOWN, k * every_ns);
	bench_finish(&bench);
	CHECK_EQUAL(bench.count, count);
}

static void rates(void)
{
	header(20 * ms, 2, 0, 0, 0);
	rate_row(0, 12e6, false);
	rate_row(10 * ms, 6e6, false);
	open_table(0);
	send_each(60, 0);
	/* ten packets in the first 10 ms of a round, five in the other 10 ms */
	for (uint64_t k = 0; k < 60; k++) {
		uint64_t within = k % 15;

		CHECK_EQUAL(bench.out[k].time_ns,
		            k / 15 * 20 * ms + (within < 10 ? (within + 1) * ms : 10 * ms + (within - 9) * 2 * ms));
	}
	bench_close(&bench);
}

static void suspensions(void)
{
	header(0, 3, 0, 0, 0);
	rate_row(0, 12e6, false);
	rate_row(10 * ms + 500 * us, 12e6, true);
	rate_row(110 * ms + 500 * us, 12e6, false);
	open_table(0);
	send_each(200, 500 * us);
	for (uint64_t k = 0; k < 200; k++)
		CHECK_EQUAL(bench.out[k].time_ns, (k + 1) * ms + (k < 10 ? 0 : 100 * ms));
	/* the time of the suspension is no time of service, so the spacing of packets is that of the rate */
	CHECK_EQUAL(bench.out[10].service_ns, ms);
	bench_close(&bench);
}

/* Checks that a late program does not make up for time before a suspension ended. */
static void late_after_suspension(void)
{
	header(0, 3, 0, 0, 0);
	rate_row(0, 12e6, false);
	rate_row(10 * ms, 12e6, true);
	rate_row(40 * ms, 12e6, false);
	open_table(0);
	for (int k = 0; k < 30; k++)
		bench_send(&bench, &media, DOWN, 0);
	bench_leave(&bench, 9 * ms);
	bench_leave(&bench, 39 * ms);
	bench_leave(&bench, 41 * ms);
	bench_finish(&bench);

	uint32_t by_39_ms = 0;

	for (uint32_t k = 0; k < bench.count; k++)
		by_39_ms += bench.out[k].sent_ns < 40 * ms;
	CHECK(by_39_ms <= 10);
	CHECK(bench.out[29].sent_ns >= 59 * ms);
	bench_close(&bench);
}

static void limit_in_suspension(void)
{
	header(0, 3, 0, 0, 0);
	rate_row(0, 12e6, false);
	rate_row(ms, 12e6, true);
	rate_row(50 * ms, 12e6, false);
	bench_open(&bench);
	bench_bottleneck(&bench, 12e6);
	bench.config.bottlenecks[DOWN].table = parse();
	bench.config.bottlenecks[DOWN].queue.limit_ns = 10 * ms;
	bench.config.overhead_bytes = 0;
	bench_apply(&bench, 0);
	for (uint64_t k = 0; k < 30; k++)
		bench_send(&bench, &media, DOWN, 2 * ms + k * ms);
	bench_finish(&bench);
	/* the limit is that of the rate, also while the link is suspended: ten packets */
	CHECK_EQUAL(bench.count, 10);
	bench_close(&bench);
}

static void offset(void)
{
	header(20 * ms, 3, 0, 0, 0);
	rate_row(0, 12e6, false);
	rate_row(10 * ms, 12e6, true);
	rate_row(15 * ms, 12e6, false);
	open_table(9 * ms);
	for (int k = 0; k < 20; k++)
		bench_send(&bench, &media, DOWN, 0);
	bench_finish(&bench);
	/* suspended from 1 to 6 ms and from 21 to 26 ms */
	for (uint64_t k = 0; k < 20; k++)
		CHECK_EQUAL(bench.out[k].time_ns, (k + 1) * ms + (k < 1 ? 0 : k < 16 ? 5 * ms : 10 * ms));
	bench_close(&bench);

	/* started again at 100 ms, and again from the offset */
	open_table(12 * ms);
	link_start(bench.link, 100 * ms);
	bench_send(&bench, &media, DOWN, 100 * ms);
	bench_finish(&bench);
	CHECK_EQUAL(bench.out[0].time_ns, 104 * ms);
	bench_close(&bench);
}

static void delay_steps(void)
{
	header(100 * ms, 0, 3, 0, 0);
	delay_row(0, 5 * ms);
	delay_row(40 * ms, 30 * ms);
	delay_row(60 * ms, 5 * ms);
	open_table(0);
	bench.config.paths[0].delay_ns = 0;
	send_each(300, 2 * ms);

	uint64_t left_ns = 0;

	for (uint64_t k = 0; k < 300; k++) {
		uint64_t sent_ns = k * 2 * ms, within = sent_ns % (100 * ms);
		uint64_t ready_ns = sent_ns + (within >= 40 * ms && within < 60 * ms ? 30 * ms : 5 * ms);

		/* packets keep their order: after the delay has fallen, they wait for those before them */
		left_ns = (ready_ns > left_ns ? ready_ns : left_ns) + ms;
		CHECK_EQUAL(bench.out[k].id, k + 1);
		CHECK_EQUAL(bench.out[k].time_ns, left_ns);
	}
	bench_close(&bench);
}

static void delay_lines(void)
{
	header(100 * ms, 0, 3, 0, 1);
	delay_row(0, 10 * ms);
	delay_row(50 * ms, 20 * ms);
	delay_row(100 * ms, 10 * ms);

	struct table *table = parse();

	CHECK(table);
	CHECK_EQUAL(table_delay_ns(table, 0), 10 * ms);
	CHECK_EQUAL(table_delay_ns(table, 25 * ms), 15 * ms);
	CHECK_EQUAL(table_delay_ns(table, 75 * ms), 15 * ms);
	CHECK_EQUAL(table_delay_ns(table, 1025 * ms), 15 * ms);
	table_free(table);
}

static void losses(void)
{
	uint32_t within[2] = {};

	header(20 * second, 0, 0, 2, 0);
	loss_row(0, 0, 0, 0, 1);
	loss_row(10 * second, 0.2, 0.2, 0, 1);
	open_table(0);
	for (uint64_t k = 0; k < 20000; k++)
		bench_send(&bench, &media, DOWN, k * 2 * ms);
	bench_finish(&bench);
	for (uint32_t i = 0; i < bench.count; i++)
		within[bench.out[i].time_ns / (10 * second) % 2]++;
	CHECK_EQUAL(within[0], 10000);
	CHECK_NEAR(within[1], 8000, 2.6 * sqrt(10000 * 0.2 * 0.8));
	CHECK_EQUAL(bench.link->paths[0].lost.packets, 10000 - within[1]);
	bench_close(&bench);
}

static void bursts(void)
{
	enum { COUNT = 100000 };
	static bool there[COUNT];
	uint32_t lost = 0, runs = 0;

	/* Gilbert's model: 1 in 4 packets that are lost ends a burst, so bursts have 4 packets */
	header(0, 0, 0, 1, 0);
	loss_row(0, 0, 1, 0.01, 0.25);
	open_table(0);
	for (uint64_t k = 0; k < COUNT; k++)
		bench_send(&bench, &media, DOWN, k * 2 * ms);
	bench_finish(&bench);
	for (uint32_t i = 0; i < bench.count; i++)
		there[bench.out[i].id - 1] = true;
	for (uint32_t k = 0; k < COUNT; k++) {
		lost += !there[k];
		runs += !there[k] && (k == 0 || there[k - 1]);
	}
	CHECK_NEAR((double)lost / COUNT, 0.01 / 0.26, 0.005);
	CHECK_NEAR((double)lost / runs, 4, 0.3);
	bench_close(&bench);
}

/* A trace gives the rate and a table the delay. */
static void with_trace(void)
{
	static const unsigned char each_ms[] = TRACE_MAGIC "\1\0\0";

	header(0, 0, 1, 0, 0);
	delay_row(0, 25 * ms);
	bench_open(&bench);
	bench_bottleneck(&bench, 12e6);
	bench.config.overhead_bytes = 0;
	bench.config.bottlenecks[DOWN].table = parse();
	bench.config.bottlenecks[DOWN].trace = trace_read(each_ms, sizeof(each_ms), error, sizeof(error));
	bench.config.bottlenecks[DOWN].trace_scale = 0.5;
	bench_apply(&bench, 0);
	send_each(10, 0);
	/* with half of its bytes, an opportunity carries half a packet */
	for (uint64_t k = 0; k < 10; k++)
		CHECK_EQUAL(bench.out[k].time_ns, 27 * ms + k * 2 * ms);
	bench_close(&bench);
}

int main(void)
{
	test("what is no table is refused", bad);
	test("the rate follows the rows, to the ns, and after the period it begins again", rates);
	test("nothing leaves while the link is suspended, and then packets leave at its rate", suspensions);
	test("a late program does not make up for a suspension", late_after_suspension);
	test("a limit in time is that of the rate while the link is suspended", limit_in_suspension);
	test("a table starts at its offset, also when it is started again", offset);
	test("the delay follows the rows, and packets keep their order", delay_steps);
	test("a linear delay is a straight line from row to row, in every round", delay_lines);
	test("random loss follows the rows", losses);
	test("bursts of loss have the length of Gilbert's model", bursts);
	test("a trace and a table go together, and a scale makes opportunities smaller", with_trace);
	return tests_done("table");
}
