/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * Types of the kernel, with only those members that these BPF programs read. The loader adapts field offsets
 * and the numbers of drop reasons to the running kernel (CO-RE), so order and values in this file have no
 * meaning.
 */
#ifndef COEXIST_KERNEL_TYPES_H
#define COEXIST_KERNEL_TYPES_H

#include <linux/types.h>
#include <bpf/bpf_core_read.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct ns_common {
	unsigned int inum;
};

struct net {
	struct ns_common ns;
};

struct qdisc_skb_head {
	__u32 qlen;
};

struct gnet_stats_queue {
	__u32 backlog;
};

struct Qdisc {
	void *enqueue; /* a function; NULL if the device does not queue packets */
	struct qdisc_skb_head q;
	struct gnet_stats_queue qstats;
};

struct netdev_queue {
	struct net_device *dev;
	struct Qdisc *qdisc;
};

struct net_device {
	int ifindex;
	struct {
		struct net *net;
	} nd_net;
	struct netdev_queue *_tx;
};

struct qdisc_skb_cb {
	unsigned int pkt_len;
};

struct sk_buff {
	struct sk_buff *next;
	struct net_device *dev;
	char cb[48];
	unsigned int len;
	int skb_iif;
	__be16 protocol;
	__u16 network_header;
	__u16 mac_header;
	__u32 tail;
	unsigned char *head;
};

#pragma clang attribute pop

enum skb_drop_reason {
	SKB_DROP_REASON_TC_EGRESS,
	SKB_DROP_REASON_TC_INGRESS,
	SKB_DROP_REASON_QDISC_DROP,
	SKB_DROP_REASON_QDISC_OVERLIMIT,
	SKB_DROP_REASON_FQ_BAND_LIMIT,
	SKB_DROP_REASON_FQ_FLOW_LIMIT,
	SKB_DROP_REASON_QDISC_CONGESTED,
	SKB_DROP_REASON_CAKE_FLOOD,
	SKB_DROP_REASON_DUALPI2_STEP_DROP,
};

/* True if the drop reason `code` has the name `name`; false if the kernel has no such name. */
#define HAS_REASON(code, name) \
	(bpf_core_enum_value_exists(enum skb_drop_reason, SKB_DROP_REASON_##name) \
	 && (code) == bpf_core_enum_value(enum skb_drop_reason, SKB_DROP_REASON_##name))

#endif
