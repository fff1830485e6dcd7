/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/* What a BPF program reads of a packet for its record in the queue log. */
#ifndef COEXIST_PACKET_FIELDS_H
#define COEXIST_PACKET_FIELDS_H

#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include "kernel-types.h"
#include "queue-log.h"

/* The IP header's type of service; its last two bits are the ECN field (RFC 3168). */
static __always_inline __u8 service_of(const struct sk_buff *skb)
{
	__u8 service = 0;

	if (skb->protocol == bpf_htons(ETH_P_IP))
		bpf_probe_read_kernel(&service, sizeof(service), skb->head + skb->network_header + __builtin_offsetof(struct iphdr, tos));
	return service;
}

/* Bytes as the queue counts them. */
static __always_inline __u32 length_of(const struct sk_buff *skb)
{
	__u32 length = 0;

	bpf_probe_read_kernel(&length, sizeof(length), &((const struct qdisc_skb_cb *)skb->cb)->pkt_len);
	return length;
}

static __always_inline void read_headers(struct queue_log_record *record, const struct sk_buff *skb)
{
	const unsigned char *start = skb->head + skb->network_header;
	struct iphdr ip;

	if (skb->protocol != bpf_htons(ETH_P_IP) || bpf_probe_read_kernel(&ip, sizeof(ip), start) != 0 || ip.version != 4)
		return;
	record->source = ip.saddr;
	record->destination = ip.daddr;
	record->protocol = ip.protocol;
	if (ip.frag_off & bpf_htons(0x1fff))
		return; /* a later fragment has no ports */

	struct {
		__u16 source_port, destination_port;
		__u8 rest[sizeof(record->transport)];
	} transport = {};
	__u32 offset = skb->network_header + ip.ihl * 4;

	/* a shorter one keeps its zeros: what lies behind a packet is not its own */
	if (offset + sizeof(transport) <= skb->tail)
		bpf_probe_read_kernel(&transport, sizeof(transport), skb->head + offset);
	else if (offset + 8 <= skb->tail)
		bpf_probe_read_kernel(&transport, 8, skb->head + offset);
	if (ip.protocol == IPPROTO_TCP || ip.protocol == IPPROTO_UDP) {
		record->source_port = transport.source_port;
		record->destination_port = transport.destination_port;
	}
	__builtin_memcpy(&record->transport, transport.rest, sizeof(transport.rest));
}

#endif
