/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * Interface between a Linux socket and the state machine: the snapshot of C.* and RS.*, and the values written
 * back to the socket.
 *
 * CE marks count as losses. The draft defines no separate response to ECN, but if a connection negotiated ECN,
 * any CE mark MUST be treated as congestion (3.7). Without ECN the counter of CE marks stays 0.
 */
#ifndef COEXIST_BBR3_SOCKET_BPF_H
#define COEXIST_BBR3_SOCKET_BPF_H

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include "bandwidth.h"
#include "transmit-ring.h"

/*
 * State of a socket. With the kernel's overhead it must be smaller than 8 KB: Linux 7 allocates it from a cache
 * of pieces of that size (kmalloc_nolock), and Linux 6.1 charges it to net.core.optmem_max, 20 KB.
 */
struct bbr3_socket {
	struct bbr3 b; /* must be first, because bbr3_trace() finds the socket by the address of this member */
	struct bbr3_ring ring;
	/*
	 * arguments of the running hook. They are not on the stack, so that functions that the verifier checks
	 * separately can use them
	 */
	struct bbr3_connection c;
	struct bbr3_sample rs;
	struct bbr3_sample lost_packet;
	u64 number;
	u64 begin_time;
	u64 acknowledgments;
	u32 source; /* IPv4, network order */
	u32 destination;
	u16 source_port; /* host order */
	u16 destination_port;
	u32 delivered_ce;
	u32 rtt;
	u32 loss_rounds;
	u32 lost_packets_seen;
	u32 transitions;
	u32 probe_rtt_episodes;
};

_Static_assert(sizeof(struct bbr3_socket) < 8192 - 256, "the kernel has no larger piece for it");

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct bbr3_socket);
} bbr3_sockets SEC(".maps");

static __always_inline u32 in_flight(const struct tcp_sock *tp)
{
	return tp->packets_out - (tp->sacked_out + tp->lost_out) + tp->retrans_out;
}

static __always_inline void take_connection(struct sock *sk, struct bbr3_connection *c)
{
	struct tcp_sock *tp = (struct tcp_sock *)sk;
	struct inet_connection_sock *icsk = (struct inet_connection_sock *)sk;
	u32 ca_state = BPF_CORE_READ_BITFIELD(icsk, icsk_ca_state);

	c->now = tp->tcp_mstamp;
	c->pacing_rate = sk->sk_pacing_rate;
	c->cwnd = tp->snd_cwnd;
	c->cwnd_clamp = tp->snd_cwnd_clamp;
	c->inflight = in_flight(tp);
	c->prior_inflight = c->inflight;
	c->delivered = tp->delivered;
	c->lost = tp->lost + tp->delivered_ce;
	c->smss = tp->mss_cache;
	c->srtt = tp->srtt_us >> 3;
	c->is_cwnd_limited = BPF_CORE_READ_BITFIELD(tp, is_cwnd_limited);
	c->has_selective_acks = BPF_CORE_READ_BITFIELD(tp, rx_opt.sack_ok) != 0;
	c->in_fast_recovery = ca_state == TCP_CA_RECOVERY;
	c->in_rto_recovery = ca_state == TCP_CA_LOSS;
	c->app_limited = tp->app_limited != 0;
}

static __always_inline void give_pacing_rate(struct sock *sk, const struct bbr3_connection *c)
{
	sk->sk_pacing_rate = bbr3_min64(c->pacing_rate, sk->sk_max_pacing_rate);
}

static __always_inline void give_connection(struct sock *sk, const struct bbr3_connection *c)
{
	((struct tcp_sock *)sk)->snd_cwnd = c->cwnd;
	give_pacing_rate(sk, c);
}

/*
 * Fills in RS.* of an acknowledgment. A non-positive interval means that the kernel considers the rate
 * unreliable (4.1.2.3).
 */
static __always_inline void take_sample(struct bbr3_socket *s, const struct bbr3_connection *c,
                                        const struct rate_sample *rs, struct bbr3_sample *sample)
{
	struct bbr3_sent_packet packet = { .delivered = rs->prior_delivered, .end_sequence = rs->last_end_seq };
	long interval = rs->interval_us, rtt = rs->rtt_us;
	u32 lost_before = 0;

	sample->has_data = rs->prior_mstamp != 0 && rs->delivered >= 0;
	sample->delivered = sample->has_data ? rs->delivered : 0;
	sample->prior_delivered = rs->prior_delivered;
	sample->delivery_rate = sample->has_data && interval > 0 ? bbr3_bandwidth(sample->delivered, interval) : 0;
	sample->rtt = rtt >= 0 && rtt < BBR3_INFINITE32 ? rtt : BBR3_INFINITE32;
	sample->newly_acked = rs->acked_sacked;
	sample->is_app_limited = rs->is_app_limited;
	sample->tx_in_flight = 0;
	sample->lost = 0;
	if (sample->has_data && bbr3_ring_find(&s->ring, &packet, c->smss, &sample->tx_in_flight, &lost_before))
		sample->lost = c->lost - lost_before;
}

/*
 * Fills in RS.* of a lost packet (5.5.10.2). If the packet was sent too long ago, `sample` is unchanged.
 * Returns the size of the lost packet in packets.
 */
static __always_inline u32 take_lost_packet(struct bbr3_socket *s, const struct bbr3_connection *c,
                                            const struct tcp_skb_cb *cb, struct bbr3_sample *sample)
{
	struct bbr3_sent_packet packet = { .delivered = BPF_CORE_READ(cb, tx.delivered),
		                           .end_sequence = BPF_CORE_READ(cb, end_seq) };
	u32 size = BPF_CORE_READ(cb, tcp_gso_segs);
	u32 tx_in_flight, lost_before;

	if (BPF_CORE_READ(cb, tx.delivered_mstamp) == 0
	    || !bbr3_ring_find(&s->ring, &packet, c->smss, &tx_in_flight, &lost_before))
		return 1;
	s->lost_packets_seen++;
	sample->tx_in_flight = tx_in_flight;
	sample->lost = c->lost - lost_before;
	sample->is_app_limited = BPF_CORE_READ_BITFIELD_PROBED(cb, tx.is_app_limited);
	return size > 0 ? size : 1;
}

#endif
