/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * Types of the kernel, with only those members that bbr3.bpf.c uses. libbpf finds the offsets of the members in
 * the running kernel by their names (CO-RE), so order and offsets in this file have no meaning, and no kernel
 * headers are needed to build the object.
 */
#ifndef COEXIST_BBR3_KERNEL_TYPES_H
#define COEXIST_BBR3_KERNEL_TYPES_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed int s32;
typedef signed long long s64;
typedef _Bool bool;
enum { false = 0, true = 1 };

/* names of types that libbpf's headers use */
typedef u8 __u8;
typedef u16 __u16;
typedef u32 __u32;
typedef u64 __u64;
typedef signed char __s8;
typedef signed short __s16;
typedef s32 __s32;
typedef s64 __s64;
typedef u16 __be16;
typedef u32 __be32;
typedef u64 __be64;
typedef u16 __sum16;
typedef u32 __wsum;

/* Constants of the kernel's BPF interface (linux/bpf.h); the numbers are fixed. */
enum { BPF_MAP_TYPE_ARRAY = 2, BPF_MAP_TYPE_SK_STORAGE = 24 };
enum { BPF_F_NO_PREALLOC = 1, BPF_SK_STORAGE_GET_F_CREATE = 1 };

/* enum tcp_ca_state (linux/tcp.h, uapi) */
enum { TCP_CA_RECOVERY = 3, TCP_CA_LOSS = 4 };
/* bits of the scoreboard, in tcp_skb_cb.sacked */
enum { TCPCB_SACKED_RETRANS = 2, TCPCB_LOST = 4 };
/* enum sk_pacing: TCP paces packets without a pacing qdisc */
enum { SK_PACING_NONE = 0, SK_PACING_NEEDED = 1 };
/* TCP_CONG_NON_RESTRICTED: any user may choose the congestion control */
enum { NON_RESTRICTED = 1 };

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct sock_common {
	u32 skc_daddr;
	u32 skc_rcv_saddr;
	u16 skc_dport;
	u16 skc_num;
	u16 skc_family;
};

struct rb_node {
	unsigned long __rb_parent_color;
	struct rb_node *rb_right;
	struct rb_node *rb_left;
};

struct rb_root {
	struct rb_node *rb_node;
};

struct sock {
	struct sock_common __sk_common;
	unsigned long sk_pacing_rate;
	unsigned long sk_max_pacing_rate;
	u32 sk_pacing_status;
	struct rb_root tcp_rtx_queue;
};

struct inet_connection_sock {
	u8 icsk_ca_state:5;
};

struct minmax_sample {
	u32 v;
};

struct minmax {
	struct minmax_sample s[3];
};

struct tcp_options_received {
	u16 sack_ok:3;
};

struct sk_buff {
	struct rb_node rbnode;
	char cb[48];
};

struct tcp_sock {
	u32 packets_out;
	u32 sacked_out;
	u32 lost_out;
	u32 retrans_out;
	u32 snd_cwnd;
	u32 snd_cwnd_clamp;
	u32 snd_ssthresh;
	u32 mss_cache;
	u32 srtt_us;
	u32 delivered;
	u32 delivered_ce;
	u32 lost;
	u32 app_limited;
	u32 snd_nxt;
	u64 tcp_mstamp;
	u8 is_cwnd_limited:1;
	struct tcp_options_received rx_opt;
	struct sk_buff *retransmit_skb_hint;
};

struct rate_sample {
	u64 prior_mstamp;
	u32 prior_delivered;
	s32 delivered;
	long interval_us;
	long rtt_us;
	int losses;
	u32 acked_sacked;
	u32 prior_in_flight;
	u32 last_end_seq;
	bool is_app_limited;
};

struct tcp_skb_cb {
	u32 end_seq;
	u8 sacked;
	u16 tcp_gso_segs;
	struct {
		u32 is_app_limited:1;
		u32 delivered;
		u64 delivered_mstamp;
	} tx;
};

struct tcp_congestion_ops {
	u32 (*ssthresh)(struct sock *sk);
	void (*set_state)(struct sock *sk, u8 state);
	u32 (*min_tso_segs)(struct sock *sk);
	void (*cong_control)(struct sock *sk);
	u32 (*undo_cwnd)(struct sock *sk);
	u32 (*sndbuf_expand)(struct sock *sk);
	void (*init)(struct sock *sk);
	void (*release)(struct sock *sk);
	u32 flags;
	char name[16];
};

#pragma clang attribute pop

#endif
