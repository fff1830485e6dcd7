/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "trace.h"

static const uint64_t ns_per_ms = 1000000;

/* One time, or -1: not a number of ms below 2^32. */
static int64_t parse_ms(const char *text, size_t length)
{
	uint64_t value = 0;

	if (length == 0)
		return -1;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return -1;
		value = value * 10 + (uint64_t)(text[i] - '0');
		if (value > UINT32_MAX)
			return -1;
	}
	return (int64_t)value;
}

static uint32_t count_lines(const char *text, size_t length)
{
	size_t lines = 1;

	for (size_t i = 0; i < length; i++)
		lines += text[i] == '\n';
	return lines > TRACE_LINES_MAX ? UINT32_MAX : (uint32_t)lines;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

struct trace *trace_parse(const char *text, size_t length, char *error, size_t room)
{
	uint32_t lines = count_lines(text, length);

	if (lines == UINT32_MAX) {
		snprintf(error, room, "has more than %d lines", TRACE_LINES_MAX);
		return NULL;
	}

	struct trace *trace = malloc(sizeof(*trace) + lines * sizeof(trace->times_ms[0]));

	if (!trace) {
		snprintf(error, room, "is too long for this machine's memory");
		return NULL;
	}
	trace->count = 0;

	size_t at = 0;

	for (uint32_t line = 1; line <= lines; line++) {
		const char *end = at < length ? memchr(text + at, '\n', length - at) : NULL;
		size_t stop = end ? (size_t)(end - text) : length, from = at, to = stop;

		at = stop + 1;
		while (from < to && is_space(text[from]))
			from++;
		while (to > from && is_space(text[to - 1]))
			to--;
		if (from == to || text[from] == '#')
			continue;

		int64_t ms = parse_ms(text + from, to - from);

		if (ms < 0) {
			snprintf(error, room, "line %u is not a time in whole ms", line);
			goto refuse;
		}
		if (trace->count > 0 && (uint32_t)ms < trace->times_ms[trace->count - 1]) {
			snprintf(error, room, "line %u goes back in time", line);
			goto refuse;
		}
		trace->times_ms[trace->count++] = (uint32_t)ms;
	}
	if (trace->count > 0 && trace->times_ms[trace->count - 1] > 0)
		return trace;
	snprintf(error, room, "%s", trace->count == 0 ? "has no line" : "must end later than at 0 ms");
refuse:
	free(trace);
	return NULL;
}

static uint64_t period_ns(const struct trace *trace)
{
	return trace->times_ms[trace->count - 1] * ns_per_ms;
}

uint64_t trace_ns(const struct trace *trace, uint64_t n)
{
	return n / trace->count * period_ns(trace) + trace->times_ms[n % trace->count] * ns_per_ms;
}

uint64_t trace_after(const struct trace *trace, uint64_t time_ns)
{
	uint64_t round = time_ns / period_ns(trace);
	uint64_t within_ms = time_ns % period_ns(trace) / ns_per_ms;
	uint32_t low = 0, high = trace->count;

	/* a trace has an opportunity later than any time within its period: the last */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (trace->times_ms[middle] <= within_ms)
			low = middle + 1;
		else
			high = middle;
	}
	return round * trace->count + low;
}
