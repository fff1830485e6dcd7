// SPDX-License-Identifier: MIT OR GPL-2.0-only
/*
 * Random packet loss as a tc classifier, repeatable under a seed.
 *
 * The fate of the k-th packet from one sender to one receiver over one protocol is the k-th output of
 * the splitmix64 generator (Steele, Lea, Flood, OOPSLA 2014) that the seed and those three name. Ports
 * do not enter, so the k-th media packet is lost in every trial with that seed, whatever port the
 * browser chose and whatever else is on the link. harness/base/random.ts is the same generator.
 *
 * Only IPv4 is touched: address resolution is never lost. Attached at clsact egress the packet is
 * lost before it takes room in the queue.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include "loss.h"

const volatile struct loss_constants constants = {};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, struct loss_flow);
	__type(value, struct loss_counters);
} flows SEC(".maps");

static __always_inline __u64 mix64(__u64 z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

SEC("tc")
int loss(struct __sk_buff *skb)
{
	void *start = (void *)(long)skb->data;
	void *end = (void *)(long)skb->data_end;
	struct ethhdr *ethernet = start;
	struct iphdr *ip = (void *)(ethernet + 1);

	if ((void *)(ip + 1) > end || ethernet->h_proto != bpf_htons(ETH_P_IP))
		return TC_ACT_OK;

	struct loss_flow flow = { .source = ip->saddr, .destination = ip->daddr, .protocol = ip->protocol };
	struct loss_counters *counters = bpf_map_lookup_elem(&flows, &flow);

	if (!counters) {
		struct loss_counters zero = {};

		bpf_map_update_elem(&flows, &flow, &zero, BPF_NOEXIST);
		counters = bpf_map_lookup_elem(&flows, &flow);
		if (!counters)
			return TC_ACT_OK;
	}

	__u64 k = __sync_fetch_and_add(&counters->packets, 1);
	__u64 generator = mix64(mix64(constants.seed ^ ((__u64)bpf_ntohl(flow.source) << 32 | bpf_ntohl(flow.destination))) ^ flow.protocol);
	__u64 random = mix64(generator + (k + 1) * 0x9e3779b97f4a7c15ULL);

	__sync_fetch_and_add(&counters->bytes, skb->len);
	if ((__u32)(random >> 32) >= constants.threshold)
		return TC_ACT_OK;
	__sync_fetch_and_add(&counters->lost_packets, 1);
	__sync_fetch_and_add(&counters->lost_bytes, skb->len);
	return TC_ACT_SHOT;
}

char license_text[] SEC("license") = "Dual MIT/GPL";
