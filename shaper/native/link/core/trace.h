/* SPDX-License-Identifier: MIT */
/*
 * A recorded link: each line of a trace is a time in ms at which 1500 bytes may leave; several lines may say the
 * same time. After the last line the trace begins again. The format is mahimahi's (Netravali et al., USENIX ATC
 * 2015, section 3; mm-link(1)). Bytes that find nothing to carry are lost.
 */
#ifndef COEXIST_LINK_TRACE_H
#define COEXIST_LINK_TRACE_H

#include "packet.h"

enum { TRACE_OPPORTUNITY_BYTES = 1500, TRACE_LINES_MAX = 4000000, TRACE_LINE_MAX = 32 };

struct trace {
	uint32_t count;
	uint32_t times_ms[];
};

/* Text -> trace; NULL with a sentence in `error` where it is none. Blank lines and lines after "#" are left out. */
struct trace *trace_parse(const char *text, size_t length, char *error, size_t room);

/* When the n-th opportunity (from 0) comes, from the trace's zero. */
uint64_t trace_ns(const struct trace *trace, uint64_t n);

/* The first opportunity later than a time from the trace's zero. */
uint64_t trace_after(const struct trace *trace, uint64_t time_ns);

#endif
