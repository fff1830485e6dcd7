// SPDX-License-Identifier: MIT OR GPL-2.0-only
/*
 * Random packet loss as a tc classifier, repeatable by its seed.
 *
 * The fate of the k-th packet (k = 0, 1, ...) from one sender to one receiver over one protocol depends on the
 * outputs of the splitmix64 generator (Steele, Lea, Flood, OOPSLA 2014) that is seeded with the seed, the
 * sender, the receiver and the protocol. Ports are not used, so the k-th media packet has the same fate in
 * every trial with that seed, independent of the browser's port and of other traffic. core/random.ts has the
 * same generator.
 *
 * Independent losses: output k decides. Gilbert-Elliott (Gilbert, BSTJ 1960; Elliott, BSTJ 1963): two states,
 * good at first, each with a loss probability; output 2k decides the loss, output 2k+1 the change of the state
 * after the packet.
 *
 * Packets that are not lost go on to the next classifier (TC_ACT_UNSPEC): the queue log's is behind this one.
 *
 * Only IPv4 packets are lost, so address resolution always works. At clsact egress a packet is lost before it
 * takes room in the queue; at the ingress of the device at the other end, after the queue.
 */
#include <linux/bpf.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include "ipv4-of.h"
#include "loss.h"

const volatile struct loss_constants constants = {};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, struct loss_flow);
	__type(value, struct loss_state);
} flows SEC(".maps");

static __always_inline __u64 mix64(__u64 z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* Returns the upper 32 bits of the n-th output of a generator, n = 0, 1, ... */
static __always_inline __u32 output(__u64 generator, __u64 n)
{
	return (__u32)(mix64(generator + (n + 1) * 0x9e3779b97f4a7c15ULL) >> 32);
}

SEC("tc")
int loss(struct __sk_buff *skb)
{
	struct iphdr *ip = ipv4_of(skb);

	if (ip == NULL)
		return TC_ACT_UNSPEC;

	struct loss_flow flow = { .source = ip->saddr, .destination = ip->daddr, .protocol = ip->protocol };
	struct loss_state *state = bpf_map_lookup_elem(&flows, &flow);

	if (!state) {
		struct loss_state zero = {};

		bpf_map_update_elem(&flows, &flow, &zero, BPF_NOEXIST);
		state = bpf_map_lookup_elem(&flows, &flow);
		if (!state)
			return TC_ACT_UNSPEC;
	}

	__u64 generator =
		mix64(mix64(constants.seed ^ ((__u64)bpf_ntohl(flow.source) << 32 | bpf_ntohl(flow.destination)))
	              ^ flow.protocol);
	__u32 length = skb->len, lost;

	/* several CPUs may process packets of the same flow */
	bpf_spin_lock(&state->lock);

	__u64 k = state->counters.packets++;

	if (constants.gilbert_elliott) {
		lost = output(generator, 2 * k) < (state->bad ? constants.bad_loss : constants.good_loss);
		state->bad ^= output(generator, 2 * k + 1) < (state->bad ? constants.to_good : constants.to_bad);
	} else {
		lost = output(generator, k) < constants.good_loss;
	}
	state->counters.bytes += length;
	state->counters.lost_packets += lost;
	state->counters.lost_bytes += lost ? length : 0;
	bpf_spin_unlock(&state->lock);
	return lost ? TC_ACT_SHOT : TC_ACT_UNSPEC;
}

char license_text[] SEC("license") = "Dual MIT/GPL";
