/* SPDX-License-Identifier: MIT */
/*
 * A link over time: rate and suspensions, delay, and random loss of one direction, each as a list of rows. A row holds
 * from its time to the time of the next row. shaper/backend/table-file.ts writes the format that is read here.
 */
#ifndef COEXIST_LINK_TABLE_H
#define COEXIST_LINK_TABLE_H

#include "path.h"
#include "rate.h"

enum { TABLE_ROWS_MAX = 1 << 21 };

/* Mark at the start of a table. */
#define TABLE_MAGIC "CXTABLE1"

struct delay_row {
	uint64_t at_ns, delay_ns;
};

struct loss_row {
	uint64_t at_ns;
	struct loss_config loss;
};

/* The first row of each list is at 0. A list may be empty. */
struct table {
	uint64_t period_ns; /* time after which the table starts again; 0: the last rows hold for ever */
	bool linear;        /* the delay changes in a straight line from row to row */
	uint32_t rate_count, delay_count, loss_count;
	struct rate_step *rates;
	struct delay_row *delays;
	struct loss_row *losses;
};

/* Parses a table. NULL: the bytes are not a table, and `error` has a sentence about it. */
struct table *table_read(const unsigned char *bytes, size_t length, char *error, size_t room);
void table_free(struct table *table);

/* Returns the delay at `time_ns` after the zero of the table; 0 without rows of delay. */
uint64_t table_delay_ns(const struct table *table, uint64_t time_ns);

/* Returns the loss at `time_ns` after the zero of the table; NULL without rows of loss. */
const struct loss_config *table_loss(const struct table *table, uint64_t time_ns);

#endif
