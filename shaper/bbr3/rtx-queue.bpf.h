/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * Search for lost packets in the retransmission queue, a red-black tree in the order of sequence numbers.
 *
 * Linux reports how many packets an acknowledgment newly marked as lost, but not their identity. Such packets
 * are marked as lost and not yet retransmitted, since retransmission comes after congestion control. The
 * kernel's own hint for retransmission is at or before the first of these packets, often at a packet that is
 * not lost.
 */
#ifndef COEXIST_BBR3_RTX_QUEUE_BPF_H
#define COEXIST_BBR3_RTX_QUEUE_BPF_H

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include "kernel-types.h"

/* Largest number of moves along the edges of the tree. A packet takes about two moves. */
#define MOST_MOVES 96

enum direction { TO_LEFTMOST, TO_NEXT, UP, FOUND };

struct walk {
	struct rb_node *node;
	u32 direction; /* enum direction */
	bool any;      /* true: any packet matches, lost or not */
};

static __always_inline const struct tcp_skb_cb *control_of(const struct rb_node *node)
{
	return (void *)node - bpf_core_field_offset(struct sk_buff, rbnode) + bpf_core_field_offset(struct sk_buff, cb);
}

static __always_inline bool is_to_be_sent_again(const struct rb_node *node)
{
	return (BPF_CORE_READ(control_of(node), sacked) & (TCPCB_LOST | TCPCB_SACKED_RETRANS)) == TCPCB_LOST;
}

/* Visits the next packet in the order of sequence numbers. Returns 1 if the packet matches. */
static __always_inline long visit(struct walk *walk, struct rb_node *node)
{
	walk->node = node;
	walk->direction = walk->any || is_to_be_sent_again(node) ? FOUND : TO_NEXT;
	return walk->direction == FOUND;
}

/* Makes one move of an in-order traversal. Returns 1 if the traversal has ended. */
static long move_on(u32 index, struct walk *walk)
{
	struct rb_node *node = walk->node, *next;

	if (walk->direction == TO_LEFTMOST) {
		next = BPF_CORE_READ(node, rb_left);
		if (!next)
			return visit(walk, node);
		walk->node = next;
		return 0;
	}
	if (walk->direction == TO_NEXT) {
		next = BPF_CORE_READ(node, rb_right);
		walk->direction = next ? TO_LEFTMOST : UP;
		if (next)
			walk->node = next;
		return 0;
	}
	/* goes up to the first ancestor with this node in its left subtree */
	next = (struct rb_node *)(BPF_CORE_READ(node, __rb_parent_color) & ~3ul);
	if (!next)
		return 1;
	if (BPF_CORE_READ(next, rb_left) == node)
		return visit(walk, next);
	walk->node = next;
	return 0;
}

/*
 * Returns the address of the packet found; 0: none was found. This is a global function with plain numbers as
 * arguments, so that the verifier checks it once and not on every path of its callers.
 */
__noinline u64 bbr3_walk(u64 node, u32 direction, u32 any)
{
	struct walk walk = { .node = (struct rb_node *)node, .direction = direction, .any = any };

	bpf_loop(MOST_MOVES, move_on, &walk, 0);
	return walk.direction == FOUND ? (u64)walk.node : 0;
}

/*
 * Returns the oldest packet that is marked lost and not yet retransmitted; 0 if none was found near the
 * kernel's hint.
 */
static __always_inline const struct tcp_skb_cb *first_lost(struct sock *sk)
{
	struct tcp_sock *tp = (struct tcp_sock *)sk;
	struct sk_buff *hint =
		bpf_core_field_exists(tp->retransmit_skb_hint) ? BPF_CORE_READ(tp, retransmit_skb_hint) : 0;
	struct rb_node *node = hint ? (void *)hint + bpf_core_field_offset(struct sk_buff, rbnode)
	                            : BPF_CORE_READ(sk, tcp_rtx_queue.rb_node);

	if (node && !(hint && is_to_be_sent_again(node)))
		node = (struct rb_node *)bbr3_walk((u64)node, hint ? TO_NEXT : TO_LEFTMOST, false);
	return node ? control_of(node) : 0;
}

/* Returns the oldest unacknowledged packet. */
static __always_inline const struct tcp_skb_cb *first_unacknowledged(struct sock *sk)
{
	struct rb_node *node = BPF_CORE_READ(sk, tcp_rtx_queue.rb_node);

	if (node)
		node = (struct rb_node *)bbr3_walk((u64)node, TO_LEFTMOST, true);
	return node ? control_of(node) : 0;
}

#endif
