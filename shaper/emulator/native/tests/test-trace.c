/* SPDX-License-Identifier: MIT */
/* Tests of traces: parser, opportunities, and a bottleneck that follows a trace. */
#include "support.h"

static struct bench bench;
static char error[256];

/*
 * Returns a trace with the given times, from a buffer of the exact size, so that the sanitizer detects an
 * overrun.
 */
static struct trace *trace_of(const uint32_t *times_ms, size_t count)
{
	size_t length = 8 + 4 * count;
	unsigned char *bytes = malloc(length);

	CHECK(bytes);
	memcpy(bytes, TRACE_MAGIC, 8);
	for (size_t i = 0; i < 4 * count; i++)
		bytes[8 + i] = (unsigned char)(times_ms[i / 4] >> i % 4 * 8);
	error[0] = '\0';

	struct trace *trace = trace_read(bytes, length, error, sizeof(error));

	free(bytes);
	return trace;
}

#define TRACE(...) trace_of((const uint32_t[]){ __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static void good(void)
{
	struct trace *trace = TRACE(0, 5, 5, 12);

	CHECK(trace);
	CHECK_EQUAL(trace->count, 4);

	static const uint64_t times_ms[] = { 0, 5, 5, 12, 12, 17, 17, 24, 24 };

	for (uint64_t n = 0; n < 9; n++)
		CHECK_EQUAL(trace_ns(trace, n), times_ms[n] * ms);
	free(trace);

	trace = TRACE(UINT32_MAX);
	CHECK(trace);
	CHECK_EQUAL(trace_ns(trace, 1), 2 * UINT64_C(4294967295) * ms);
	free(trace);
}

static void bad(void)
{
	static const struct {
		const char *bytes;
		size_t length;
		const char *error;
	} cases[] = {
		{ "", 0, "is no trace in the emulator's format" },
		{ "1\n2\n3\n", 6, "is no trace in the emulator's format" },
		{ "1\n2\n3\n4\n5\n6\n", 12, "is no trace in the emulator's format" },
		{ TRACE_MAGIC, 8, "must have 1 to 33554432 whole times" },
		{ TRACE_MAGIC "\1\0\0", 11, "must have 1 to 33554432 whole times" },
		{ TRACE_MAGIC "\0\0\0\0", 12, "must end later than at 0 ms" },
		{ TRACE_MAGIC "\5\0\0\0\4\0\0\0", 16, "goes back in time after 1 times" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK(!trace_read((const unsigned char *)cases[i].bytes, cases[i].length, error, sizeof(error)));
		CHECK_TEXT(error, cases[i].error);
	}
}

static void after(void)
{
	struct trace *trace = TRACE(0, 5, 5, 12);

	for (uint64_t time_us = 0; time_us < 60000; time_us += 250) {
		uint64_t n = trace_after(trace, time_us * us);

		CHECK(trace_ns(trace, n) > time_us * us);
		CHECK(n == 0 || trace_ns(trace, n - 1) <= time_us * us);
	}
	free(trace);
}

static void open_trace(struct trace *trace, uint32_t overhead)
{
	bench_open(&bench);
	bench_bottleneck(&bench, 1);
	bench.config.overhead_bytes = overhead;
	bench.config.bottlenecks[DOWN].trace = trace;
	CHECK(bench.config.bottlenecks[DOWN].trace);
	bench_apply(&bench, 0);
}

static void one_each(void)
{
	open_trace(TRACE(2, 4, 4, 10), 0);
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

	open_trace(TRACE(1, 2, 3, 4), 0);
	for (int i = 0; i < 4; i++)
		bench_send(&bench, &small, DOWN, 0);
	bench_finish(&bench);

	/* 700 + 700 bytes and 100 of the third packet at 1 ms; its other 600 and the fourth packet at 2 ms */
	static const uint64_t expected_ms[] = { 1, 1, 2, 2 };

	for (int i = 0; i < 4; i++)
		CHECK_EQUAL(bench.out[i].time_ns, expected_ms[i] * ms);
	bench_close(&bench);
}

static void lost_opportunities(void)
{
	open_trace(TRACE(1, 2, 3, 4), 0);
	bench_send(&bench, &media, DOWN, 3500 * us);
	bench_send(&bench, &media, DOWN, 100 * ms + 500 * us);
	bench_finish(&bench);
	CHECK_EQUAL(bench.out[0].time_ns, 4 * ms);
	CHECK_EQUAL(bench.out[1].time_ns, 101 * ms);
	bench_close(&bench);
}

static void frames(void)
{
	open_trace(TRACE(1), 14);
	for (int i = 0; i < 200; i++)
		bench_send(&bench, &media, DOWN, 0);
	bench_finish(&bench);
	/* 200 frames of 1514 bytes need 201.87 opportunities */
	CHECK_EQUAL(bench.out[199].time_ns, 202 * ms);
	bench_close(&bench);
}

static void start(void)
{
	open_trace(TRACE(7, 100), 0);
	bench_send(&bench, &media, DOWN, 50 * ms);
	link_start(bench.link, 60 * ms);
	bench_finish(&bench);
	CHECK_EQUAL(bench.out[0].time_ns, 67 * ms);
	bench_close(&bench);
}

static void rate_refused(void)
{
	open_trace(TRACE(1), 0);
	CHECK(!link_set_rate(bench.link, 0, DOWN, 1e6));
	bench_close(&bench);
}

int main(void)
{
	test("times are read, and after the last one it begins again", good);
	test("what is no trace is refused", bad);
	test("the next opportunity is found at any time, over the end of the trace and on", after);
	test("each opportunity carries 1500 bytes", one_each);
	test("an opportunity carries several packets, and a part of one", parts);
	test("opportunities that find nothing to carry are lost", lost_opportunities);
	test("with Ethernet bytes a full frame needs more than one opportunity", frames);
	test("start is the zero of the trace", start);
	test("a link with a trace has no rate to set", rate_refused);
	return tests_done("trace");
}
