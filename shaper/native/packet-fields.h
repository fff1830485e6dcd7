/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/* Fields of a packet for its record in the queue log, read by a BPF program. */
#ifndef COEXIST_PACKET_FIELDS_H
#define COEXIST_PACKET_FIELDS_H

#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include "kernel-types.h"
#include "queue-log.h"

/* Returns the type of service in the IP header; its last two bits are the ECN field (RFC 3168). */
static __always_inline __u8 service_of(const struct sk_buff *skb)
{
	__u8 service = 0;

	if (skb->protocol == bpf_htons(ETH_P_IP))
		bpf_probe_read_kernel(&service, sizeof(service),
		                      skb->head + skb->network_header + __builtin_offsetof(struct iphdr, tos));
	return service;
}

/* Returns the length of the packet as the queue counts it, bytes. */
static __always_inline __u32 length_of(const struct sk_buff *skb)
{
	__u32 length = 0;

	bpf_probe_read_kernel(&length, sizeof(length), &((const struct qdisc_skb_cb *)skb->cb)->pkt_len);
	return length;
}

struct transport_start {
	__u16 source_port, destination_port;
	__u8 rest[8];
};

static __always_inline void read_headers(struct queue_log_record *record, const struct sk_buff *skb)
{
	struct {
		struct iphdr ip;
		struct transport_start transport;
	} headers = {};
	const __u32 shorter = sizeof(headers.ip) + 8;
	__u32 offset = skb->network_header;

	if (skb->protocol != bpf_htons(ETH_P_IP))
		return;
	/* for a shorter packet `headers` keeps zeros: the bytes behind it are not part of the packet */
	if (offset + sizeof(headers) <= skb->tail)
		bpf_probe_read_kernel(&headers, sizeof(headers), skb->head + offset);
	else if (offset + shorter <= skb->tail)
		bpf_probe_read_kernel(&headers, shorter, skb->head + offset);
	else
		bpf_probe_read_kernel(&headers, sizeof(headers.ip), skb->head + offset);
	if (headers.ip.ihl > 5) {
		struct transport_start none = {};

		offset += headers.ip.ihl * 4;
		headers.transport = none;
		if (offset + sizeof(headers.transport) <= skb->tail)
			bpf_probe_read_kernel(&headers.transport, sizeof(headers.transport), skb->head + offset);
	}
	record->source = headers.ip.saddr;
	record->destination = headers.ip.daddr;
	record->protocol = headers.ip.protocol;
	record->service = headers.ip.tos;
	if (headers.ip.frag_off & bpf_htons(0x1fff))
		return; /* fragments other than the first have no ports */
	if (headers.ip.protocol == IPPROTO_TCP || headers.ip.protocol == IPPROTO_UDP) {
		record->source_port = headers.transport.source_port;
		record->destination_port = headers.transport.destination_port;
	}
	__builtin_memcpy(&record->transport, headers.transport.rest, sizeof(headers.transport.rest));
}

#endif
