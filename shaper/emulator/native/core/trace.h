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

/* Magic at the start of a trace; the times follow, 32 bits each, little-endian. */
#define TRACE_MAGIC "CXTRACE1"

struct trace {
	uint32_t count;
	uint32_t times_ms[];
};

/* NULL, with a sentence in `error`, if the bytes are not a trace. */
struct trace *trace_read(const unsigned char *bytes, size_t length, char *error, size_t room);

/* Time of the n-th opportunity (from 0), from the trace's zero. */
uint64_t trace_ns(const struct trace *trace, uint64_t n);

/* First opportunity later than a time from the trace's zero. */
uint64_t trace_after(const struct trace *trace, uint64_t time_ns);

#endif
