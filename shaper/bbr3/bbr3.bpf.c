// SPDX-License-Identifier: MIT OR GPL-2.0-only
/*
 * BBRv3 as a TCP congestion control "bbr3" of an unmodified kernel (BPF struct_ops), from Linux 6.0 on.
 *
 * The algorithm is draft-ietf-ccwg-bbr, one header for each of its parts (bbr3.h); this file connects it to the hooks
 * that every kernel since 6.0 has. Three requirements of the draft have no hook there, and are met as follows:
 *
 *   P.tx_in_flight, P.lost        the ring of transmit-ring.h, found by the P.delivered that Linux keeps
 *   a call for each lost packet   in cong_control, which runs after loss detection and before retransmission: the
 *                                 first packet that waits for retransmission (rtx-queue.bpf.h), looked up in the same
 *                                 ring; the sample of the acknowledgment itself if none is found
 *   a call before transmission    min_tso_segs, which the kernel calls at the head of every burst
 *
 * The draft leaves C.cwnd in a recovery to the congestion control, and so it is here: with cong_control set, Linux
 * does no proportional rate reduction.
 */
#include "types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "rtx-queue.bpf.h"
#include "telemetry.bpf.h"
#include "bbr3.h"

char license_text[] SEC("license") = "Dual MIT/GPL";

static __always_inline struct bbr3_socket *socket_of(struct sock *sk)
{
	struct bbr3_socket *s = bpf_sk_storage_get(&bbr3_sockets, sk, 0, 0);

	if (!s || !s->b.initialised)
		return 0;
	take_connection(sk, &s->c);
	return s;
}

static __always_inline void open_interval(struct bbr3_socket *s, const struct tcp_sock *tp)
{
	bbr3_ring_open(&s->ring, s->c.delivered, s->c.lost, s->c.inflight, tp->snd_nxt, s->c.cwnd);
}

SEC("struct_ops/bbr3_init")
void BPF_PROG(bbr3_init, struct sock *sk)
{
	struct tcp_sock *tp = (struct tcp_sock *)sk;
	struct bbr3_socket *s = bpf_sk_storage_get(&bbr3_sockets, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);

	tp->snd_ssthresh = 0x7fffffff;
	if (sk->sk_pacing_status == SK_PACING_NONE)
		sk->sk_pacing_status = SK_PACING_NEEDED;
	if (!s) {
		/*
		 * without memory for its state BBR does not run: the initial window stays, paced over 1 s at
		 * most; a counter counts this
		 */
		__sync_fetch_and_add(&bbr3_counters.store_failures, 1);
		sk->sk_pacing_rate = (unsigned long)tp->snd_cwnd * tp->mss_cache;
		return;
	}
	take_connection(sk, &s->c);
	s->number = __sync_fetch_and_add(&bbr3_counters.sockets, 1) + 1;
	s->begin_time = s->c.now;
	s->source = sk->__sk_common.skc_rcv_saddr;
	s->destination = sk->__sk_common.skc_daddr;
	s->source_port = sk->__sk_common.skc_num;
	s->destination_port = __builtin_bswap16(sk->__sk_common.skc_dport);
	s->delivered_ce = tp->delivered_ce;
	s->rtt = s->c.srtt;
	s->b.has_kernel_budget = bbr3_constants.budget == BBR3_BUDGET_KERNEL;
	bbr3_on_init(&s->b, &s->c);
	open_interval(s, tp);
	give_pacing_rate(sk, &s->c);
	bbr3_write_record(s, 0);
}

/*
 * Steps of the processing of an acknowledgment. They are functions, so that the verifier checks each one
 * separately.
 */
__noinline int bbr3_ack_lost(struct bbr3_socket *s, u32 size)
{
	if (s)
		bbr3_handle_lost_packet(&s->b, &s->c, &s->lost_packet, size);
	return 0;
}

__noinline int bbr3_ack_model(struct bbr3_socket *s)
{
	if (s)
		bbr3_update_model_and_state(&s->b, &s->c, &s->rs);
	return 0;
}

__noinline int bbr3_ack_control(struct bbr3_socket *s)
{
	if (s)
		bbr3_update_control_parameters(&s->b, &s->c, &s->rs);
	return 0;
}

SEC("struct_ops/bbr3_cong_control")
int bbr3_cong_control(unsigned long long *ctx)
{
	struct sock *sk = (struct sock *)ctx[0];
	struct tcp_sock *tp = (struct tcp_sock *)sk;
	struct bbr3_socket *s = socket_of(sk);
	const struct rate_sample *rs;

	/*
	 * arguments are (sk, rs), or since Linux 6.10 (sk, ack, flag, rs). In assembly, because the compiler
	 * would merge both loads into one that the verifier refuses
	 */
	if (bbr3_constants.cong_control_arguments == 4)
		asm volatile("%0 = *(u64 *)(%1 + 24)" : "=r"(rs) : "r"(ctx));
	else
		asm volatile("%0 = *(u64 *)(%1 + 8)" : "=r"(rs) : "r"(ctx));
	if (!s)
		return 0;
	s->c.prior_inflight = rs->prior_in_flight;
	bbr3_ring_close(&s->ring, s->c.prior_inflight);
	take_sample(s, &s->c, rs, &s->rs);
	s->rs.newly_lost = (rs->losses > 0 ? rs->losses : 0) + (tp->delivered_ce - s->delivered_ce);
	if (s->rs.newly_lost > 0) {
		const struct tcp_skb_cb *packet = rs->losses > 0 && s->b.is_bw_probe_sample ? first_lost(sk) : 0;
		u32 size = 1;

		s->lost_packet = s->rs;
		if (packet)
			size = take_lost_packet(s, &s->c, packet, &s->lost_packet);
		bbr3_ack_lost(s, size);
	}
	bbr3_ack_model(s);
	bbr3_ack_control(s);
	give_connection(sk, &s->c);
	open_interval(s, tp);
	s->delivered_ce = tp->delivered_ce;
	s->acknowledgments++;
	if (s->rs.rtt != BBR3_INFINITE32)
		s->rtt = s->rs.rtt;
	bbr3_write_record(s, 0);
	return 0;
}

/* Called when a loss recovery episode starts, before any change. BBR has no slow-start threshold. */
SEC("struct_ops/bbr3_ssthresh")
u32 BPF_PROG(bbr3_ssthresh, struct sock *sk)
{
	struct bbr3_socket *s = socket_of(sk);

	if (s)
		bbr3_on_enter_recovery(&s->b, &s->c);
	return ((struct tcp_sock *)sk)->snd_ssthresh;
}

/* Called when Linux detects that a recovery was spurious. The result becomes the congestion window. */
SEC("struct_ops/bbr3_undo_cwnd")
u32 BPF_PROG(bbr3_undo_cwnd, struct sock *sk)
{
	struct bbr3_socket *s = socket_of(sk);

	if (!s)
		return BPF_CORE_READ((struct tcp_sock *)sk,
		                     snd_cwnd); /* by a helper: the compiler would merge this load with the next */
	bbr3_handle_spurious_loss_detection(&s->b, &s->c);
	return s->c.cwnd;
}

/* Called before the state of the socket changes, so the socket still has the old state. */
SEC("struct_ops/bbr3_set_state")
void BPF_PROG(bbr3_set_state, struct sock *sk, u8 state)
{
	struct bbr3_socket *s = socket_of(sk);

	if (!s)
		return;
	if (state == TCP_CA_LOSS) {
		const struct tcp_skb_cb *packet = first_unacknowledged(sk);
		u32 size = 1;

		s->lost_packet = (struct bbr3_sample){ .rtt = BBR3_INFINITE32 };
		if (packet)
			size = take_lost_packet(s, &s->c, packet, &s->lost_packet);
		s->c.in_rto_recovery = true; /* Linux has already set the window for the timeout */
		bbr3_on_enter_rto(&s->b, &s->c, &s->lost_packet, size);
	} else if (state < TCP_CA_RECOVERY && bbr3_in_loss_recovery(&s->c)) {
		bbr3_on_exit_recovery(&s->b, &s->c);
		give_connection(sk, &s->c);
	}
}

/*
 * Called at the head of every burst, including retransmissions. Returns the smallest send quantum of the draft
 * (5.6.3). Also detects a restart from idle: no data is in flight (C.inflight), though a lost packet may wait
 * for retransmission.
 */
SEC("struct_ops/bbr3_min_tso_segs")
u32 BPF_PROG(bbr3_min_tso_segs, struct sock *sk)
{
	if (in_flight((struct tcp_sock *)sk) == 0) {
		struct bbr3_socket *s = socket_of(sk);

		if (s) {
			bbr3_on_transmit(&s->b, &s->c);
			give_connection(sk, &s->c);
		}
	}
	return BBR3_SEND_QUANTUM_MIN;
}

/*
 * Returns the size of the send buffer in congestion windows. Startup sends up to one window of new data while
 * lost data is repaired.
 */
SEC("struct_ops/bbr3_sndbuf_expand")
u32 BPF_PROG(bbr3_sndbuf_expand, struct sock *sk)
{
	return 3;
}

SEC("struct_ops/bbr3_release")
void BPF_PROG(bbr3_release, struct sock *sk)
{
	struct bbr3_socket *s = socket_of(sk);

	if (s)
		bbr3_write_record(s, bpf_ktime_get_ns() / 1000);
	bpf_sk_storage_delete(&bbr3_sockets, sk);
}

SEC(".struct_ops")
struct tcp_congestion_ops bbr3 = {
	.init = (void *)bbr3_init,
	.release = (void *)bbr3_release,
	.cong_control = (void *)bbr3_cong_control,
	.ssthresh = (void *)bbr3_ssthresh,
	.undo_cwnd = (void *)bbr3_undo_cwnd,
	.set_state = (void *)bbr3_set_state,
	.min_tso_segs = (void *)bbr3_min_tso_segs,
	.sndbuf_expand = (void *)bbr3_sndbuf_expand,
	.flags = NON_RESTRICTED,
	.name = "bbr3",
};
