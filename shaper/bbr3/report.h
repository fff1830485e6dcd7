/* SPDX-License-Identifier: MIT */
/* What coexist-bbr3 prints about a registered BBRv3, as JSON. */
#ifndef COEXIST_BBR3_REPORT_H
#define COEXIST_BBR3_REPORT_H

#include "kernel.h"

/* The members that say what is loaded, without braces. */
void print_identity(const struct registered *found);

/* Everything that is known: counters, sockets, events. 0, or an errno. */
int print_all(const struct registered *found);

/* A line for each living socket every so many ms, and one for each event as it happens, until SIGTERM or the end of stdin. */
int watch(const struct registered *found, uint32_t interval_ms);

#endif
