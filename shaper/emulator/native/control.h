/* SPDX-License-Identifier: MIT */
/*
 * Control of the program: one line of JSON as request, one line of JSON as answer. main.c lists the requests.
 */
#ifndef COEXIST_LINK_CONTROL_H
#define COEXIST_LINK_CONTROL_H

#include "lateness.h"
#include "log.h"
#include "text.h"

struct control {
	struct link *link;
	const struct log *log;
	struct lateness lateness;
	uint64_t write_errors;
	double cpu_zero_ms; /* processor time at the last reset of the counters */
	struct link_config config;
};

/* Appends the answer to a line. `line[length]` must be NUL. */
void control_answer(struct control *control, const char *line, size_t length, uint64_t now_ns, struct text *answer);

void control_refuse(struct text *answer, const char *why);

#endif
