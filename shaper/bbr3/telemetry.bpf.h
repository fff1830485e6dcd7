/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * Functions that write the structs of telemetry.h. If the object is loaded without telemetry, the verifier
 * removes everything except the counters.
 */
#ifndef COEXIST_BBR3_TELEMETRY_BPF_H
#define COEXIST_BBR3_TELEMETRY_BPF_H

#include "pacing.h"
#include "socket.bpf.h"
#include "telemetry.h"

const volatile struct bbr3_constants bbr3_constants = {
	.magic = BBR3_MAGIC,
	.version = BBR3_VERSION,
	.cong_control_arguments = 4,
	.draft = BBR3_DRAFT,
};

struct bbr3_counters bbr3_counters = {};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, BBR3_RECORDS);
	__type(key, u32);
	__type(value, struct bbr3_record);
} bbr3_records SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, BBR3_TRANSITIONS);
	__type(key, u32);
	__type(value, struct bbr3_transition);
} bbr3_events SEC(".maps");

static u32 bbr3_random(void)
{
	return bpf_get_prandom_u32();
}

static __always_inline u64 as_bytes_per_second(const struct bbr3_connection *c, u64 bw)
{
	return bw == BBR3_INFINITE64 ? bw : bbr3_bytes_per_second(c, bw, 100);
}

/*
 * Writes an event. All functions that are called from many places are global: the verifier checks such a
 * function once, separately. The function must therefore check its argument.
 */
__noinline int bbr3_write_event(struct bbr3_socket *s, u32 from, u32 event)
{
	struct bbr3_transition *t;
	u64 number;
	u32 place;

	if (!s)
		return 0;
	if (event == BBR3_LOSS_ROUND)
		s->loss_rounds++;
	if (event == BBR3_PROBE_RTT_DUE)
		s->probe_rtt_episodes++;
	if (from != s->b.state)
		s->transitions++;
	if (!bbr3_constants.telemetry)
		return 0;
	number = __sync_fetch_and_add(&bbr3_counters.events, 1) + 1;
	place = number % BBR3_TRANSITIONS;
	t = bpf_map_lookup_elem(&bbr3_events, &place);
	if (!t)
		return 0;
	t->number = 0; /* the entry is not valid for readers until it is complete */
	t->socket = s->number;
	t->time = s->c.now;
	t->max_bw = as_bytes_per_second(&s->c, s->b.max_bw);
	t->bw_shortterm = as_bytes_per_second(&s->c, s->b.bw_shortterm);
	t->pacing_rate = s->c.pacing_rate;
	t->from = from;
	t->to = s->b.state;
	t->event = event;
	t->gain = s->b.pacing_gain;
	t->min_rtt = s->b.min_rtt;
	t->cwnd = s->c.cwnd;
	t->inflight = s->c.inflight;
	t->inflight_longterm = s->b.inflight_longterm;
	t->inflight_shortterm = s->b.inflight_shortterm;
	t->round_count = s->b.round_count;
	t->delivered = s->c.delivered;
	t->lost = s->c.lost;
	t->bw_probe_wait = s->b.bw_probe_wait;
	__sync_lock_test_and_set(&t->number, number);
	return 0;
}

static __always_inline void bbr3_trace(struct bbr3 *b, const struct bbr3_connection *c, u32 from, u32 event)
{
	bbr3_write_event((struct bbr3_socket *)b, from, event);
}

__noinline int bbr3_write_record(struct bbr3_socket *s, u64 end_time)
{
	struct bbr3_record *r;
	u32 place;

	if (!s || !bbr3_constants.telemetry)
		return 0;
	place = s->number % BBR3_RECORDS;
	r = bpf_map_lookup_elem(&bbr3_records, &place);
	if (!r)
		return 0;
	r->socket = s->number;
	r->begin_time = s->begin_time;
	r->time = s->c.now;
	r->end_time = end_time;
	r->acknowledgments = s->acknowledgments;
	r->max_bw = as_bytes_per_second(&s->c, s->b.max_bw);
	r->bw_shortterm = as_bytes_per_second(&s->c, s->b.bw_shortterm);
	r->bw = as_bytes_per_second(&s->c, s->b.bw);
	r->pacing_rate = s->c.pacing_rate;
	r->source = s->source;
	r->destination = s->destination;
	r->source_port = s->source_port;
	r->destination_port = s->destination_port;
	r->state = s->b.state;
	r->version = BBR3_VERSION;
	r->min_rtt = s->b.min_rtt;
	r->rtt = s->rtt;
	r->cwnd = s->c.cwnd;
	r->inflight = s->c.inflight;
	r->inflight_longterm = s->b.inflight_longterm;
	r->inflight_shortterm = s->b.inflight_shortterm;
	r->extra_acked = s->b.extra_acked;
	r->round_count = s->b.round_count;
	r->loss_rounds = s->loss_rounds;
	r->delivered = s->c.delivered;
	r->lost = s->c.lost;
	r->ring_hits = s->ring.hits;
	r->ring_misses = s->ring.misses;
	r->lost_packets_seen = s->lost_packets_seen;
	r->transitions = s->transitions;
	r->probe_rtt_episodes = s->probe_rtt_episodes;
	r->budget = s->b.has_kernel_budget ? BBR3_BUDGET_KERNEL : BBR3_BUDGET_DRAFT;
	return 0;
}

#endif
