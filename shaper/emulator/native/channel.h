/* SPDX-License-Identifier: MIT */
/* The control lines: requests on standard input, answers on standard output, in order, and nobody waits for either. */
#ifndef COEXIST_LINK_CHANNEL_H
#define COEXIST_LINK_CHANNEL_H

#include <stdbool.h>
#include "control.h"

enum { CHANNEL_LINE_MAX = 1 << 20 };

struct channel {
	struct control *control;
	struct text out; /* answers that are not written yet */
	bool closed;     /* standard input has ended */
	bool skipping;   /* the rest of a line that was too long */
	size_t length;
	char line[CHANNEL_LINE_MAX + 1];
};

/* Reads what there is and answers whole lines. Not while answers wait: who does not read gets no more. */
void channel_read(struct channel *channel);

/* Writes as much as the other side takes. */
void channel_write(struct channel *channel);

#endif
