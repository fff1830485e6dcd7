/* SPDX-License-Identifier: MIT */
/*
 * A recorded link: each time of a trace is one in ms at which 1500 bytes may leave; several may be the same. After
 * the last one the trace begins again (Netravali et al., USENIX ATC 2015, section 3; mm-link(1)). Bytes that find
 * nothing to carry are lost. Files that people write are read by shaper/backend/trace.ts, which gives the times here.
 */
#ifndef COEXIST_LINK_TRACE_H
#define COEXIST_LINK_TRACE_H

#include "packet.h"

enum { TRACE_OPPORTUNITY_BYTES = 1500, TRACE_OPPORTUNITIES_MAX = 1 << 25 };

/* The first bytes of a trace; its times follow, 32 bits each, little-endian. */
#define TRACE_MAGIC "CXTRACE1"

struct trace {
	uint32_t count;
	uint32_t times_ms[];
};

/* NULL with a sentence in `error` where the bytes are no trace. */
struct trace *trace_read(const unsigned char *bytes, size_t length, char *error, size_t room);

/* When the n-th opportunity (from 0) comes, from the trace's zero. */
uint64_t trace_ns(const struct trace *trace, uint64_t n);

/* The first opportunity later than a time from the trace's zero. */
uint64_t trace_after(const struct trace *trace, uint64_t time_ns);

#endif
