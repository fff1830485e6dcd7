/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "table.h"

/* All numbers are little-endian. Header: mark, period, three numbers of rows, flags. */
enum { MAGIC_BYTES = sizeof(TABLE_MAGIC) - 1, HEADER_BYTES = 32 };
enum { RATE_BYTES = 24, DELAY_BYTES = 16, LOSS_BYTES = 24 };
enum { FLAG_LINEAR = 1 };

/* Bounds that keep the number of rows small that a packet takes to be sent. */
static const uint64_t least_period_ns = 1000000;
static const double least_rate_bps = 1;

static uint32_t word(const unsigned char *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint64_t long_word(const unsigned char *bytes)
{
	return word(bytes) | (uint64_t)word(bytes + 4) << 32;
}

static double real(const unsigned char *bytes)
{
	uint64_t bits = long_word(bytes);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Returns true if row `i` of a list has its place: the first at 0, each later than the one before, within the period. */
static bool in_order(uint64_t at_ns, uint64_t before_ns, uint32_t i, uint64_t period_ns)
{
	return (i == 0 ? at_ns == 0 : at_ns > before_ns) && (period_ns == 0 || at_ns <= period_ns);
}

/* Returns the mean rate over a period of a table that starts again, bit/s. */
static double mean_bps(const struct table *table)
{
	double sum = 0;

	for (uint32_t i = 0; i < table->rate_count; i++) {
		const struct rate_step *row = &table->rates[i];
		uint64_t end_ns = i + 1 < table->rate_count ? row[1].at_ns : table->period_ns;

		sum += row->suspended ? 0 : row->rate_bps * (double)(end_ns - row->at_ns);
	}
	return sum / (double)table->period_ns;
}

static const char *read_rates(struct table *table, const unsigned char *bytes)
{
	for (uint32_t i = 0; i < table->rate_count; i++, bytes += RATE_BYTES) {
		struct rate_step *row = &table->rates[i];

		*row = (struct rate_step){ .at_ns = long_word(bytes),
			                   .rate_bps = real(bytes + 8),
			                   .suspended = long_word(bytes + 16) != 0 };
		if (!in_order(row->at_ns, i == 0 ? 0 : row[-1].at_ns, i, table->period_ns))
			return "has rates out of order";
		if (!isfinite(row->rate_bps) || row->rate_bps < least_rate_bps)
			return "has a rate of less than 1 bit/s";
	}
	if (table->rate_count == 0)
		return NULL;
	/* a link that is suspended for ever would never send its packets */
	if (table->period_ns == 0 && table->rates[table->rate_count - 1].suspended)
		return "suspends the link for ever";
	return table->period_ns != 0 && mean_bps(table) < least_rate_bps ? "has a mean of less than 1 bit/s" : NULL;
}

static const char *read_delays(struct table *table, const unsigned char *bytes)
{
	for (uint32_t i = 0; i < table->delay_count; i++, bytes += DELAY_BYTES) {
		struct delay_row *row = &table->delays[i];

		*row = (struct delay_row){ .at_ns = long_word(bytes), .delay_ns = long_word(bytes + 8) };
		if (!in_order(row->at_ns, i == 0 ? 0 : row[-1].at_ns, i, table->period_ns))
			return "has delays out of order";
		if (row->delay_ns > 60000000000)
			return "has a delay of more than 60 s";
	}
	return NULL;
}

static const char *read_losses(struct table *table, const unsigned char *bytes)
{
	for (uint32_t i = 0; i < table->loss_count; i++, bytes += LOSS_BYTES) {
		struct loss_row *row = &table->losses[i];

		*row = (struct loss_row){ long_word(bytes),
			                  { .kind = LOSS_GILBERT_ELLIOTT,
			                    .where = LOSS_AFTER,
			                    .good_loss = word(bytes + 8),
			                    .bad_loss = word(bytes + 12),
			                    .to_bad = word(bytes + 16),
			                    .to_good = word(bytes + 20) } };
		if (!in_order(row->at_ns, i == 0 ? 0 : row[-1].at_ns, i, table->period_ns))
			return "has losses out of order";
	}
	return NULL;
}

static bool allocate(struct table *table)
{
	table->rates = calloc(table->rate_count + 1, sizeof(table->rates[0]));
	table->delays = calloc(table->delay_count + 1, sizeof(table->delays[0]));
	table->losses = calloc(table->loss_count + 1, sizeof(table->losses[0]));
	return table->rates && table->delays && table->losses;
}

static const char *read_rows(struct table *table, const unsigned char *bytes)
{
	const unsigned char *delays = bytes + (size_t)table->rate_count * RATE_BYTES;
	const unsigned char *losses = delays + (size_t)table->delay_count * DELAY_BYTES;
	const char *why = read_rates(table, bytes);

	if (!why)
		why = read_delays(table, delays);
	return why ? why : read_losses(table, losses);
}

struct table *table_read(const unsigned char *bytes, size_t length, char *error, size_t room)
{
	if (length < HEADER_BYTES || memcmp(bytes, TABLE_MAGIC, MAGIC_BYTES) != 0) {
		snprintf(error, room, "is no table in the emulator's format");
		return NULL;
	}

	struct table *table = calloc(1, sizeof(*table));
	const char *why = "is too long for this machine's memory";

	if (!table)
		goto refuse;
	table->period_ns = long_word(bytes + 8);
	table->rate_count = word(bytes + 16);
	table->delay_count = word(bytes + 20);
	table->loss_count = word(bytes + 24);
	table->linear = word(bytes + 28) & FLAG_LINEAR;
	if (table->rate_count > TABLE_ROWS_MAX || table->delay_count > TABLE_ROWS_MAX
	    || table->loss_count > TABLE_ROWS_MAX
	    || length
	               != HEADER_BYTES + (size_t)table->rate_count * RATE_BYTES
	                          + (size_t)table->delay_count * DELAY_BYTES + (size_t)table->loss_count * LOSS_BYTES) {
		why = "does not have the rows that it announces";
		goto refuse;
	}
	if (table->period_ns != 0 && table->period_ns < least_period_ns) {
		why = "starts again after less than a millisecond";
		goto refuse;
	}
	if (!allocate(table))
		goto refuse;
	why = read_rows(table, bytes + HEADER_BYTES);
	if (!why)
		return table;
refuse:
	snprintf(error, room, "%s", why);
	table_free(table);
	return NULL;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	free(table->rates);
	free(table->delays);
	free(table->losses);
	free(table);
}

static uint64_t within(const struct table *table, uint64_t time_ns)
{
	return table->period_ns == 0 ? time_ns : time_ns % table->period_ns;
}

uint64_t table_delay_ns(const struct table *table, uint64_t time_ns)
{
	uint64_t at_ns = within(table, time_ns);
	uint32_t low = 0, high = table->delay_count;

	if (high == 0)
		return 0;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (table->delays[middle].at_ns <= at_ns)
			low = middle;
		else
			high = middle;
	}

	const struct delay_row *row = &table->delays[low], *next = row + 1;

	if (!table->linear || low + 1 == table->delay_count)
		return row->delay_ns;

	double share = (double)(at_ns - row->at_ns) / (double)(next->at_ns - row->at_ns);

	return (uint64_t)llround((double)row->delay_ns + share * ((double)next->delay_ns - (double)row->delay_ns));
}

const struct loss_config *table_loss(const struct table *table, uint64_t time_ns)
{
	uint64_t at_ns = within(table, time_ns);
	uint32_t low = 0, high = table->loss_count;

	if (high == 0)
		return NULL;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (table->losses[middle].at_ns <= at_ns)
			low = middle;
		else
			high = middle;
	}
	return &table->losses[low].loss;
}
