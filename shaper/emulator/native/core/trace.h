/* SPDX-License-Identifier: MIT */
/*
 * A recorded link: each time of a trace, in ms, is an opportunity for 1500 bytes to leave; times may repeat. After
 * the last one the trace starts again (Netravali et al., USENIX ATC 2015, section 3; mm-link(1)). Unused
 * opportunities are lost. shaper/backend/trace.ts parses trace files of users and writes the format read here.
 */
#ifndef COEXIST_LINK_TRACE_H
#define COEXIST_LINK_TRACE_H

#include "packet.h"

enum { TRACE_OPPORTUNITY_BYTES = 1500, TRACE_OPPORTUNITIES_MAX = 1 << 25 };

/* Mark at the start of a trace. The times follow it, 32 bits each, little-endian. */
#define TRACE_MAGIC "CXTRACE1"

struct trace {
	uint32_t count;
	uint32_t times_ms[];
};

/* Parses a trace. NULL: the bytes are not a trace, and `error` has a sentence about it. */
struct trace *trace_read(const unsigned char *bytes, size_t length, char *error, size_t room);

/* Returns the time of the n-th opportunity (from 0) after the zero of the trace. */
uint64_t trace_ns(const struct trace *trace, uint64_t n);

/* Returns the number of the first opportunity that is later than `time_ns` after the zero of the trace. */
uint64_t trace_after(const struct trace *trace, uint64_t time_ns);

#endif
