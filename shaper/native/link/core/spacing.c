/* SPDX-License-Identifier: MIT */
#include "spacing.h"

static const uint64_t wake_ns = 60000, late_wake_ups_ns = 250000, behind_ns = 2000000, stopped_ns = 5000000;

static uint64_t later(uint64_t a_ns, uint64_t b_ns)
{
	return a_ns > b_ns ? a_ns : b_ns;
}

uint64_t spacing_send_ns(const struct spacing *spacing, const struct packet *packet, uint64_t now_ns)
{
	uint64_t service_ns = packet->service_ns, due_ns = packet->time_ns;
	/* if nothing is made up for */
	uint64_t then_ns = later(now_ns, spacing->sent_ns + service_ns),
		 late_ns = then_ns > due_ns ? then_ns - due_ns : 0;
	uint64_t planned_ns = spacing->planned_ns + service_ns - service_ns / 24;
	uint64_t least = late_ns > behind_ns ? 4 : late_ns > late_wake_ups_ns ? 8 : 10;
	uint64_t apart_ns = spacing->sent_ns + service_ns - service_ns / least;

	return late_ns > stopped_ns ? due_ns : later(due_ns, later(planned_ns, apart_ns));
}

void spacing_sent(struct spacing *spacing, uint64_t when_ns, uint64_t now_ns)
{
	spacing->planned_ns = now_ns - when_ns > wake_ns ? now_ns - wake_ns : when_ns;
	spacing->sent_ns = now_ns;
}
