/* SPDX-License-Identifier: MIT */
/* The bottleneck sends one packet at a time and holds at most queue_packets, that one included. */
#include "path.h"

#include "testing.h"

static u64 serialisation(const struct simulation *s)
{
	return (u64)SMSS * 8 * SECOND / s->path.bits_per_second;
}

/* Earliest first; of two that come at the same moment the one that was sent first. */
static bool is_before(const struct arrival *a, const struct arrival *b)
{
	return a->time < b->time || (a->time == b->time && a->packet < b->packet);
}

static void swap(struct arrival *a, struct arrival *b)
{
	struct arrival kept = *a;

	*a = *b;
	*b = kept;
}

static void add_arrival(struct simulation *s, u64 time, u32 packet)
{
	struct arrival *heap = s->arrivals;
	u32 i = s->arrival_count++;

	CHECK(s->arrival_count < MOST_PACKETS);
	heap[i] = (struct arrival){ .time = time, .packet = packet };
	for (; i > 0 && is_before(&heap[i], &heap[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&heap[i], &heap[(i - 1) / 2]);
}

static u64 next_arrival(const struct simulation *s)
{
	return s->arrival_count == 0 ? NEVER : s->arrivals[0].time;
}

bool path_take_arrival(struct simulation *s, u32 *number)
{
	struct arrival *heap = s->arrivals;
	u32 i = 0;

	if (next_arrival(s) > s->now)
		return false;
	*number = heap[0].packet;
	heap[0] = heap[--s->arrival_count];
	for (;;) {
		u32 least = i, left = 2 * i + 1;

		for (u32 child = left; child <= left + 1 && child < s->arrival_count; child++) {
			if (is_before(&heap[child], &heap[least]))
				least = child;
		}
		if (least == i)
			return true;
		swap(&heap[i], &heap[least]);
		i = least;
	}
}

static bool passes_policer(struct simulation *s)
{
	s->tokens += (double)(s->now - s->tokens_time) * (double)s->path.bits_per_second / (8.0 * SMSS * SECOND);
	s->tokens_time = s->now;
	if (s->tokens > s->path.policer_packets)
		s->tokens = s->path.policer_packets;
	if (s->tokens < 1)
		return false;
	s->tokens -= 1;
	return true;
}

/* A packet has left the bottleneck: its acknowledgment comes a round trip later. */
static void leave(struct simulation *s, u32 number)
{
	struct path *path = &s->path;
	u64 comes = s->now + path->round_trip + s->late[number];

	if (path->aggregation > 0)
		comes = (comes + path->aggregation - 1) / path->aggregation * path->aggregation;
	add_arrival(s, comes, number);
}

u64 path_next_event(const struct simulation *s)
{
	return bbr3_min64(next_arrival(s), s->queue_first < s->queue_last ? s->sending_until : NEVER);
}

bool path_advance(struct simulation *s)
{
	while (s->queue_first < s->queue_last && s->sending_until <= s->now) {
		leave(s, s->queue[s->queue_first++]);
		s->sending_until = s->now + serialisation(s);
	}
	return next_arrival(s) <= s->now;
}

void path_send(struct simulation *s, u32 number)
{
	struct path *path = &s->path;

	if (path->lose_next > 0) {
		path->lose_next--;
		return;
	}
	if (path->loss_per_mille > 0 && simulation_random() % 1000 < path->loss_per_mille)
		return;
	if (path->delay_packets > 0) {
		path->delay_packets--;
		s->late[number] = path->delay_next;
	}
	if (path->queue_packets == 0) {
		if (passes_policer(s))
			leave(s, number);
	} else if (s->queue_last - s->queue_first < path->queue_packets) {
		if (s->queue_first == s->queue_last)
			s->sending_until = s->now + serialisation(s);
		s->queue[s->queue_last++] = number;
	}
}
