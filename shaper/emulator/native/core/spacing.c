/* SPDX-License-Identifier: MIT */
#include "spacing.h"

/* Lateness that does not count at any rate: a usual delay of some wake-ups. */
static const uint64_t tolerated_least_ns = 60000;
static const uint64_t slack_most_ns = 25000;

static uint64_t later(uint64_t a_ns, uint64_t b_ns)
{
	return a_ns > b_ns ? a_ns : b_ns;
}

/* Returns the time by which ten packets in a row may be faster than the rate. `row_ns`: their service time. */
static uint64_t slack_ns(uint64_t row_ns)
{
	return later(row_ns / 80, row_ns / 56 < slack_most_ns ? row_ns / 56 : slack_most_ns);
}

/* Returns the total service time of all packets so far. */
static uint64_t served_ns(const struct spacing *spacing)
{
	return spacing->count == 0 ? 0 : spacing->served_ns[(spacing->count - 1) % SPACING_ROW];
}

/* Returns the earliest departure of the next packet at the catch-up rate. */
static uint64_t plan_ns(const struct spacing *spacing, uint64_t service_ns)
{
	uint64_t sent_ns = spacing->sent_ns[(spacing->count - 1) % SPACING_ROW];
	uint64_t tolerated_ns = later(service_ns / 4, tolerated_least_ns);
	uint64_t from_ns = sent_ns > tolerated_ns ? sent_ns - tolerated_ns : 0;

	return later(spacing->planned_ns, from_ns) + service_ns - service_ns / 101;
}

uint64_t spacing_earliest_ns(const struct spacing *spacing, uint64_t service_ns)
{
	if (spacing->count == 0)
		return 0;

	uint64_t apart_ns = spacing->sent_ns[(spacing->count - 1) % SPACING_ROW] + service_ns - service_ns / 10;
	uint64_t earliest_ns = later(apart_ns, plan_ns(spacing, service_ns));

	if (spacing->count < SPACING_ROW)
		return earliest_ns;

	uint64_t first = spacing->count % SPACING_ROW;
	uint64_t row_ns = served_ns(spacing) + service_ns - spacing->served_ns[first];

	return later(earliest_ns, spacing->sent_ns[first] + row_ns - slack_ns(row_ns));
}

void spacing_sent(struct spacing *spacing, uint64_t service_ns, uint64_t sent_ns)
{
	uint64_t all_ns = served_ns(spacing) + service_ns, at = spacing->count % SPACING_ROW;

	spacing->planned_ns = spacing->count == 0 ? sent_ns : plan_ns(spacing, service_ns);
	spacing->sent_ns[at] = sent_ns;
	spacing->served_ns[at] = all_ns;
	spacing->count++;
}
