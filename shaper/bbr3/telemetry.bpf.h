/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/* Writes what telemetry.h describes. Without telemetry the verifier removes all of it but the counters. */
#ifndef COEXIST_BBR3_TELEMETRY_BPF_H
#define COEXIST_BBR3_TELEMETRY_BPF_H

#include "pacing.h"
#include "socket.bpf.h"
#include "telemetry.h"

const volatile struct bbr3_constants bbr3_constants = {
	.magic = BBR3_MAGIC, .version = BBR3_VERSION, .cong_control_arguments = 4, .draft = BBR3_DRAFT,
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

static __noinline void bbr3_trace(struct bbr3 *b, const struct bbr3_connection *c, u32 from, u32 event)
{
	struct bbr3_socket *s = (struct bbr3_socket *)b;
	struct bbr3_transition *t;
	u64 number;
	u32 place;

	if (event == BBR3_LOSS_ROUND)
		s->loss_rounds++;
	if (event == BBR3_PROBE_RTT_DUE)
		s->probe_rtt_episodes++;
	if (from != b->state)
		s->transitions++;
	if (!bbr3_constants.telemetry)
		return;
	number = __sync_fetch_and_add(&bbr3_counters.events, 1) + 1;
	place = number % BBR3_TRANSITIONS;
	t = bpf_map_lookup_elem(&bbr3_events, &place);
	if (!t)
		return;
	t->number = 0; /* not to be read until it is whole */
	t->socket = s->number;
	t->time = c->now;
	t->max_bw = as_bytes_per_second(c, b->max_bw);
	t->bw_shortterm = as_bytes_per_second(c, b->bw_shortterm);
	t->pacing_rate = c->pacing_rate;
	t->from = from;
	t->to = b->state;
	t->event = event;
	t->gain = b->pacing_gain;
	t->min_rtt = b->min_rtt;
	t->cwnd = c->cwnd;
	t->inflight = c->inflight;
	t->inflight_longterm = b->inflight_longterm;
	t->inflight_shortterm = b->inflight_shortterm;
	t->round_count = b->round_count;
	t->delivered = c->delivered;
	t->lost = c->lost;
	t->bw_probe_wait = b->bw_probe_wait;
	__sync_lock_test_and_set(&t->number, number);
}

static __always_inline void write_record(struct sock *sk, const struct bbr3_socket *s, const struct bbr3_connection *c, u64 end_time)
{
	const struct bbr3 *b = &s->b;
	u32 place = s->number % BBR3_RECORDS;
	struct bbr3_record *r;

	if (!bbr3_constants.telemetry)
		return;
	r = bpf_map_lookup_elem(&bbr3_records, &place);
	if (!r)
		return;
	r->socket = s->number;
	r->begin_time = s->begin_time;
	r->time = c->now;
	r->end_time = end_time;
	r->acknowledgments = s->acknowledgments;
	r->max_bw = as_bytes_per_second(c, b->max_bw);
	r->bw_shortterm = as_bytes_per_second(c, b->bw_shortterm);
	r->bw = as_bytes_per_second(c, b->bw);
	r->pacing_rate = c->pacing_rate;
	r->source = sk->__sk_common.skc_rcv_saddr;
	r->destination = sk->__sk_common.skc_daddr;
	if (sk->__sk_common.skc_num) /* a closed socket has given it back */
		r->source_port = sk->__sk_common.skc_num;
	r->destination_port = __builtin_bswap16(sk->__sk_common.skc_dport);
	r->state = b->state;
	r->version = BBR3_VERSION;
	r->min_rtt = b->min_rtt;
	r->rtt = s->rtt;
	r->cwnd = c->cwnd;
	r->inflight = c->inflight;
	r->inflight_longterm = b->inflight_longterm;
	r->inflight_shortterm = b->inflight_shortterm;
	r->extra_acked = b->extra_acked;
	r->round_count = b->round_count;
	r->loss_rounds = s->loss_rounds;
	r->delivered = c->delivered;
	r->lost = c->lost;
	r->ring_hits = s->ring.hits;
	r->ring_misses = s->ring.misses;
	r->lost_packets_seen = s->lost_packets_seen;
	r->transitions = s->transitions;
	r->probe_rtt_episodes = s->probe_rtt_episodes;
}

#endif
