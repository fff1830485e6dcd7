/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "trace.h"

static const uint64_t ns_per_ms = 1000000;

static const size_t magic_bytes = sizeof(TRACE_MAGIC) - 1;

static uint32_t little_endian(const unsigned char *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

struct trace *trace_read(const unsigned char *bytes, size_t length, char *error, size_t room)
{
	if (length < magic_bytes || memcmp(bytes, TRACE_MAGIC, magic_bytes) != 0) {
		snprintf(error, room, "is no trace in the emulator's format");
		return NULL;
	}

	size_t count = (length - magic_bytes) / sizeof(uint32_t);

	if ((length - magic_bytes) % sizeof(uint32_t) != 0 || count == 0 || count > TRACE_OPPORTUNITIES_MAX) {
		snprintf(error, room, "must have 1 to %d whole times", TRACE_OPPORTUNITIES_MAX);
		return NULL;
	}

	struct trace *trace = malloc(sizeof(*trace) + count * sizeof(trace->times_ms[0]));

	if (!trace) {
		snprintf(error, room, "is too long for this machine's memory");
		return NULL;
	}
	trace->count = (uint32_t)count;
	for (uint32_t i = 0; i < trace->count; i++) {
		trace->times_ms[i] = little_endian(bytes + magic_bytes + i * sizeof(uint32_t));
		if (i > 0 && trace->times_ms[i] < trace->times_ms[i - 1]) {
			snprintf(error, room, "goes back in time after %u times", i);
			goto refuse;
		}
	}
	if (trace->times_ms[trace->count - 1] > 0)
		return trace;
	snprintf(error, room, "must end later than at 0 ms");
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

	/*
	 * finds the first later opportunity; the last one of a trace is later than any time within the trace's
	 * period
	 */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (trace->times_ms[middle] <= within_ms)
			low = middle + 1;
		else
			high = middle;
	}
	return round * trace->count + low;
}
