/* SPDX-License-Identifier: MIT */
/*
 * The control lines: requests on standard input, and answers in the same order on standard output. Neither
 * blocks.
 */
#ifndef COEXIST_LINK_CHANNEL_H
#define COEXIST_LINK_CHANNEL_H

#include <stdbool.h>
#include "control.h"

enum { CHANNEL_LINE_MAX = 1 << 20 };

struct channel {
	struct control *control;
	struct text out; /* answers that are not written yet */
	bool closed;     /* standard input has ended */
	bool skipping;   /* rest of a line that was too long */
	size_t length;
	char line[CHANNEL_LINE_MAX + 1];
};

/* Reads the available input and answers whole lines. Does not read while answers wait to be written. */
void channel_read(struct channel *channel);

/* Writes as much of the answers as the other side accepts. */
void channel_write(struct channel *channel);

#endif
