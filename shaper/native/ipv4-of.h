/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/* The header of a packet at a tc classifier. */
#ifndef COEXIST_IPV4_OF_H
#define COEXIST_IPV4_OF_H

#include <stddef.h>
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

/* Returns the IPv4 header of a packet; NULL for another packet. */
static __always_inline struct iphdr *ipv4_of(const struct __sk_buff *skb)
{
	struct ethhdr *ethernet = (void *)(long)skb->data;
	struct iphdr *ip = (void *)(ethernet + 1);

	return (void *)(ip + 1) > (void *)(long)skb->data_end || ethernet->h_proto != bpf_htons(ETH_P_IP) ? NULL : ip;
}

#endif
