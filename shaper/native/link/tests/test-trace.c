/* SPDX-License-Identifier: MIT */
/* Traces in mahimahi's format. */
#include "support.h"

static struct bench bench;
static char error[256];

static struct trace *parse(const char *text)
{
	error[0] = '\0';
	return trace_parse(text, strlen(text), error, sizeof(error));
}

static void good(void)
{
	struct trace *trace = parse("# recorded\n0\n 5 \r\n5\n\n12");

	CHECK(trace);
	CHECK_EQUAL(trace->count, 4);

	static const uint64_t times_ms[] = { 0, 5, 5, 12, 12, 17, 17, 24, 24 };

	for (uint64_t n = 0; n < 9; n++)
		CHECK_EQUAL(trace_ns(trace, n), times_ms[n] * ms);
	free(trace);
}

static void bad(void)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "", "has no line" },
		{ "\n# nothing\n", "has no line" },
		{ "0\n0\n", "must end later than at 0 ms" },
		{ "5\n4\n", "line 2 goes back in time" },
		{ "1\nx\n", "line 2 is not a time in whole ms" },
		{ "-1\n", "line 1 is not a time in whole ms" },
		{ "1.5\n", "line 1 is not a time in whole ms" },
		{ "4294967296\n", "line 1 is not a time in whole ms" },
		{ "1 2\n", "line 1 is not a time in whole ms" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK(!parse(cases[i].text));
		CHECK_TEXT(error, cases[i].error);
	}
	CHECK(!trace_parse("1\0", 2, error, sizeof(error)));
}

static void after(void)
{
	struct trace *trace = parse("0\n5\n5\n12\n");

	for (uint64_t time_us = 0; time_us < 60000; time_us += 250) {
		uint64_t n = trace_after(trace, time_us * us);

		CHECK(trace_ns(trace, n) > time_us * us);
		CHECK(n == 0 || trace_ns(trace, n - 1) <= time_us * us);
	}
	free(trace);
}

static void open_trace(const char *text, uint32_t overhead)
{
	bench_open(&bench);
	bench_bottleneck(&bench, 1);
	bench.config.overhead_bytes = overhead;
	bench.config.bottlenecks[DOWN].trace = parse(text);
	CHECK(bench.config.bottlenecks[DOWN].trace);
	bench_apply(&bench, 0);
}

static void one_each(void)
{
	open_trace("2\n4\n4\n10\n", 0);
	for (int i = 0; i < 6; i++)
		bench_send(&bench, &media, DOWN, 100 * us);
	bench_finish(&bench);

	static const uint64_t expected_ms[] = { 2, 4, 4, 10, 12, 14 };

	CHECK_EQUAL(bench.count, 6);
	for (int i = 0; i < 6; i++)
		CHECK_EQUAL(bench.out[i].time_ns, expected_ms[i] * ms);
	bench_close(&bench);
}

static void parts(void)
{
	const struct spec small = {
		.source = "10.0.1.2", .destination = "10.0.2.2", .length = 700, .port = 1, .protocol = 17
	};

	open_trace("1\n2\n3\n4\n", 0);
	for (int i = 0; i < 4; i++)
		bench_send(&bench, &small, DOWN, 0);
	bench_finish(&bench);

	/* 700 + 700 and 100 of the third at 1 ms; its other 600 and the fourth at 2 ms */
	static const uint64_t expected_ms[] = { 1, 1, 2, 2 };

	for (int i = 0; i < 4; i++)
		CHECK_EQUAL(bench.out[i].time_ns, expected_ms[i] * ms);
	bench_close(&bench);
}

static void lost_opportunities(void)
{
	open_trace("1\n2\n3\n4\n", 0);
	bench_send(&bench, &media, DOWN, 3500 * us);
	bench_send(&bench, &media, DOWN, 100 * ms + 500 * us);
	bench_finish(&bench);
	CHECK_EQUAL(bench.out[0].time_ns, 4 * ms);
	CHECK_EQUAL(bench.out[1].time_ns, 101 * ms);
	bench_close(&bench);
}

static void frames(void)
{
	open_trace("1\n", 14);
	for (int i = 0; i < 200; i++)
		bench_send(&bench, &media, DOWN, 0);
	bench_finish(&bench);
	/* 200 frames of 1514 bytes need 201.87 opportunities */
	CHECK_EQUAL(bench.out[199].time_ns, 202 * ms);
	bench_close(&bench);
}

static void start(void)
{
	open_trace("7\n100\n", 0);
	bench_send(&bench, &media, DOWN, 50 * ms);
	link_start(bench.link, 60 * ms);
	bench_finish(&bench);
	CHECK_EQUAL(bench.out[0].time_ns, 67 * ms);
	bench_close(&bench);
}

static void rate_refused(void)
{
	open_trace("1\n", 0);
	CHECK(!link_set_rate(bench.link, 0, DOWN, 1e6));
	bench_close(&bench);
}

int main(void)
{
	test("times are read, comments and blank lines left out, and after the last line it begins again", good);
	test("what is no trace is refused with its line", bad);
	test("the next opportunity is found at any time, over the end of the trace and on", after);
	test("each opportunity carries 1500 bytes", one_each);
	test("an opportunity carries several packets, and a part of one", parts);
	test("opportunities that find nothing to carry are lost", lost_opportunities);
	test("with Ethernet bytes a full frame needs more than one opportunity", frames);
	test("start is the zero of the trace", start);
	test("a link with a trace has no rate to set", rate_refused);
	return tests_done("trace");
}
