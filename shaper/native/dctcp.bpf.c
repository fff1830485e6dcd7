// SPDX-License-Identifier: MIT OR GPL-2.0-only
/*
 * A scalable TCP congestion control "dctcp_like" of an unmodified kernel (BPF struct_ops): the reaction to CE marks is
 * that of DCTCP, RFC 8257. Both ends of a connection need it, since its receiver echoes every mark.
 *
 * Packets leave with ECT(0), as the kernel sends them; the marker (marker.bpf.c) makes ECT(1) of it. It is not TCP Prague:
 * it does not meet the requirements of RFC 9331 on fall-back, on short round trips and on reordering.
 */
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef _Bool bool;

/* names of types that libbpf's headers use */
typedef u8 __u8;
typedef unsigned short __u16;
typedef u32 __u32;
typedef u64 __u64;
typedef signed int __s32;
typedef signed long long __s64;
typedef __u16 __be16;
typedef u32 __be32;
typedef u64 __be64;
typedef u32 __wsum;

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

enum {
	/* enum tcp_ca_state (linux/tcp.h, uapi) */
	CA_RECOVERY = 3,
	CA_LOSS = 4,
	/* TCP_ECN_DEMAND_CWR: acknowledgments carry the echo of a mark (ECE) */
	DEMAND_CWR = 4,
	/* TCP_CONG_NON_RESTRICTED and TCP_CONG_NEEDS_ECN */
	FLAGS = 1 | 2,
	LEAST_WINDOW_PACKETS = 2,
	/* weight of a new share of marks, as a shift: g = 1/16 (RFC 8257, section 4.2) */
	GAIN_SHIFT = 4,
};

/* The share of marked packets is a fixed-point number; this is 1. */
#define ONE (1u << 20)

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

enum tcp_ca_event {
	CA_EVENT_ECN_NO_CE = 4,
	CA_EVENT_ECN_IS_CE = 5,
};

enum inet_csk_ack_state_t {
	ICSK_ACK_TIMER = 2,
	ICSK_ACK_NOW = 16,
};

struct sock {
	int unused;
};

struct inet_connection_sock {
	struct {
		u8 pending;
	} icsk_ack;
	u64 icsk_ca_priv[13];
};

struct tcp_sock {
	struct inet_connection_sock inet_conn;
	u32 snd_cwnd;
	u32 snd_ssthresh;
	u32 snd_una;
	u32 snd_nxt;
	u32 rcv_nxt;
	u32 delivered;
	u32 delivered_ce;
	u8 ecn_flags;
};

struct tcp_congestion_ops {
	char name[16];
	u32 flags;
	void (*init)(struct sock *sk);
	u32 (*ssthresh)(struct sock *sk);
	void (*cong_avoid)(struct sock *sk, u32 ack, u32 acked);
	void (*set_state)(struct sock *sk, u8 state);
	void (*cwnd_event)(struct sock *sk, enum tcp_ca_event event);
	void (*in_ack_event)(struct sock *sk, u32 flags);
	u32 (*undo_cwnd)(struct sock *sk);
};

#pragma clang attribute pop

/* State of a socket, in icsk_ca_priv. */
struct dctcp {
	u32 alpha;      /* average share of marked packets, times ONE (DCTCP.Alpha) */
	u32 window_end; /* sequence number at which the observation window ends (DCTCP.WindowEnd) */
	u32 delivered;  /* values of the counters at the start of the observation window */
	u32 delivered_ce;
	u32 window_before; /* congestion window before the last reduction */
	u32 received;      /* rcv_nxt at the last packet (the receiver's side) */
	u32 saw_ce;        /* 1 if the last packet was marked (DCTCP.CE) */
};

_Static_assert(sizeof(struct dctcp) <= 104, "the kernel has no more room");

/* Function of the kernel: additive increase and slow start of Reno. */
extern void tcp_reno_cong_avoid(struct sock *sk, u32 ack, u32 acked) __ksym;

static __always_inline struct dctcp *state_of(struct sock *sk)
{
	return (struct dctcp *)((struct inet_connection_sock *)sk)->icsk_ca_priv;
}

static __always_inline u32 at_least(u32 value, u32 least)
{
	return value > least ? value : least;
}

static __always_inline void open_window(struct dctcp *dctcp, const struct tcp_sock *tp)
{
	dctcp->window_end = tp->snd_nxt;
	dctcp->delivered = tp->delivered;
	dctcp->delivered_ce = tp->delivered_ce;
}

/* Alpha begins at 1, so that the first mark halves the window (section 3.3). */
SEC("struct_ops/dctcp_init")
void BPF_PROG(dctcp_init, struct sock *sk)
{
	const struct tcp_sock *tp = (struct tcp_sock *)sk;
	struct dctcp *dctcp = state_of(sk);

	dctcp->alpha = ONE;
	dctcp->window_before = 0;
	dctcp->received = tp->rcv_nxt;
	dctcp->saw_ce = 0;
	open_window(dctcp, tp);
}

/* Updates alpha once per observation window, about a round trip (section 3.3, steps 1 to 8). */
SEC("struct_ops/dctcp_in_ack_event")
void BPF_PROG(dctcp_in_ack_event, struct sock *sk, u32 flags)
{
	const struct tcp_sock *tp = (struct tcp_sock *)sk;
	struct dctcp *dctcp = state_of(sk);
	u32 delivered = tp->delivered - dctcp->delivered, marked = tp->delivered_ce - dctcp->delivered_ce;

	if ((__s32)(tp->snd_una - dctcp->window_end) < 0)
		return;
	if (delivered > 0) {
		u64 share = (u64)marked * ONE / delivered;
		u64 alpha = dctcp->alpha - (dctcp->alpha >> GAIN_SHIFT) + (share >> GAIN_SHIFT);

		dctcp->alpha = alpha < ONE ? alpha : ONE;
	}
	open_window(dctcp, tp);
}

/* Called at a reduction of the window: cwnd = cwnd (1 - alpha / 2) (section 3.3, step 9). */
SEC("struct_ops/dctcp_ssthresh")
u32 BPF_PROG(dctcp_ssthresh, struct sock *sk)
{
	const struct tcp_sock *tp = (struct tcp_sock *)sk;
	struct dctcp *dctcp = state_of(sk);
	u32 window = tp->snd_cwnd;

	dctcp->window_before = window;
	return at_least(window - (u32)((u64)window * dctcp->alpha / (2 * (u64)ONE)), LEAST_WINDOW_PACKETS);
}

/* A loss halves the window whatever alpha is (section 3.5). The kernel has called ssthresh before. */
SEC("struct_ops/dctcp_set_state")
void BPF_PROG(dctcp_set_state, struct sock *sk, u8 state)
{
	if (state == CA_RECOVERY || state == CA_LOSS)
		((struct tcp_sock *)sk)->snd_ssthresh = at_least(state_of(sk)->window_before / 2, LEAST_WINDOW_PACKETS);
}

static __always_inline void set_echo(struct tcp_sock *tp, u32 is_on)
{
	if (is_on)
		tp->ecn_flags |= DEMAND_CWR;
	else
		tp->ecn_flags &= ~DEMAND_CWR;
}

/*
 * The receiver's side (section 3.2): every acknowledgment says whether its packets were marked. When that changes,
 * packets before the change are acknowledged at once with the old state.
 */
SEC("struct_ops/dctcp_cwnd_event")
void BPF_PROG(dctcp_cwnd_event, struct sock *sk, enum tcp_ca_event event)
{
	struct tcp_sock *tp = (struct tcp_sock *)sk;
	struct inet_connection_sock *connection = (struct inet_connection_sock *)sk;
	struct dctcp *dctcp = state_of(sk);
	u32 is_ce = event == bpf_core_enum_value(enum tcp_ca_event, CA_EVENT_ECN_IS_CE);

	if (!is_ce && event != bpf_core_enum_value(enum tcp_ca_event, CA_EVENT_ECN_NO_CE))
		return;
	if (dctcp->saw_ce != is_ce) {
		if (connection->icsk_ack.pending & bpf_core_enum_value(enum inet_csk_ack_state_t, ICSK_ACK_TIMER)) {
			set_echo(tp, dctcp->saw_ce);
			bpf_tcp_send_ack(tp, dctcp->received);
		}
		connection->icsk_ack.pending |= bpf_core_enum_value(enum inet_csk_ack_state_t, ICSK_ACK_NOW);
	}
	dctcp->received = tp->rcv_nxt;
	dctcp->saw_ce = is_ce;
	set_echo(tp, is_ce);
}

SEC("struct_ops/dctcp_cong_avoid")
void BPF_PROG(dctcp_cong_avoid, struct sock *sk, u32 ack, u32 acked)
{
	tcp_reno_cong_avoid(sk, ack, acked);
}

SEC("struct_ops/dctcp_undo_cwnd")
u32 BPF_PROG(dctcp_undo_cwnd, struct sock *sk)
{
	return at_least(((struct tcp_sock *)sk)->snd_cwnd, state_of(sk)->window_before);
}

SEC(".struct_ops")
struct tcp_congestion_ops dctcp_like = {
	.init = (void *)dctcp_init,
	.in_ack_event = (void *)dctcp_in_ack_event,
	.ssthresh = (void *)dctcp_ssthresh,
	.set_state = (void *)dctcp_set_state,
	.cwnd_event = (void *)dctcp_cwnd_event,
	.cong_avoid = (void *)dctcp_cong_avoid,
	.undo_cwnd = (void *)dctcp_undo_cwnd,
	.flags = FLAGS,
	.name = "dctcp_like",
};

char license_text[] SEC("license") = "Dual MIT/GPL";
