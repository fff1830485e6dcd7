/* SPDX-License-Identifier: MIT */
/* Output of coexist-bbr3 about a registered BBRv3, as JSON. */
#ifndef COEXIST_BBR3_REPORT_H
#define COEXIST_BBR3_REPORT_H

#include "kernel.h"

/* Prints the JSON members that identify the loaded object, without braces. */
void print_identity(const struct registered *found);

/* Prints counters and sockets, and with `with_events` the stored events as well. Returns 0 or an errno. */
int print_telemetry(const struct registered *found, bool with_events, bool monotonic);

/*
 * Prints a line for each live socket every `interval_ms`, and a line for each event, until SIGTERM or the end
 * of stdin. Returns 0 or an errno.
 */
int watch(const struct registered *found, uint32_t interval_ms, bool monotonic);

#endif
