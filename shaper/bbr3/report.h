/* SPDX-License-Identifier: MIT */
/* What coexist-bbr3 prints about a registered BBRv3, as JSON. */
#ifndef COEXIST_BBR3_REPORT_H
#define COEXIST_BBR3_REPORT_H

#include "kernel.h"

/* The members that say what is loaded, without braces. */
void print_identity(const struct registered *found);

/* Counters and sockets, and with events everything that is known. 0, or an errno. */
int print_telemetry(const struct registered *found, bool with_events, bool monotonic);

/* A line for each living socket every so many ms, and one for each event that happened, until SIGTERM or the end of
 * stdin. */
int watch(const struct registered *found, uint32_t interval_ms, bool monotonic);

#endif
