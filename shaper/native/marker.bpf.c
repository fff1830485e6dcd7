// SPDX-License-Identifier: MIT OR GPL-2.0-only
/*
 * Sets the ECN field and the DSCP of packets that leave a host, as a tc classifier at clsact egress.
 *
 * A sender in Node cannot set the type of service of its UDP packets, and a kernel without L4S does not send TCP with
 * ECT(1). The classifier changes the header of IPv4 packets and its checksum (RFC 1624); all packets go on to the next
 * classifier (TC_ACT_UNSPEC).
 */
#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <linux/in.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include "ipv4-of.h"
#include "marker.h"

enum {
	ECN_BITS = 3,
	RTP_VERSION = 2,
	/* payload types that are RTCP packets on a port with RTP (RFC 5761, section 4) */
	RTCP_FIRST = 64,
	RTCP_LAST = 95,
};

const volatile struct marker_constants constants = {};

/* Number of packets that were changed. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} changed SEC(".maps");

struct start_of_udp {
	__u16 source, destination, length, checksum;
	__u8 rtp[2]; /* version and flags, then marker bit and payload type */
};

static __always_inline bool has_port(__u16 source, __u16 destination)
{
	return constants.port == 0 || bpf_ntohs(source) == constants.port || bpf_ntohs(destination) == constants.port;
}

/* Returns true for a packet that the marker is for. `offset`: start of the transport header. */
static __always_inline bool is_wanted(struct __sk_buff *skb, __u8 protocol, __u32 offset)
{
	struct start_of_udp udp;

	if (constants.protocol != 0 && protocol != constants.protocol)
		return false;
	if (constants.port != 0) {
		__u16 ports[2];

		if (bpf_skb_load_bytes(skb, offset, ports, sizeof(ports)) != 0 || !has_port(ports[0], ports[1]))
			return false;
	}
	if (!constants.is_rtp)
		return true;
	if (protocol != IPPROTO_UDP || bpf_skb_load_bytes(skb, offset, &udp, sizeof(udp)) != 0)
		return false;

	__u8 type = udp.rtp[1] & 0x7f;

	return udp.rtp[0] >> 6 == RTP_VERSION && !(type >= RTCP_FIRST && type <= RTCP_LAST);
}

SEC("tc")
int marker(struct __sk_buff *skb)
{
	struct iphdr *ip = ipv4_of(skb);

	if (ip == NULL)
		return TC_ACT_UNSPEC;

	__u8 service = ip->tos, now = service;
	__u16 before = *(__u16 *)ip;
	bool is_first = (ip->frag_off & bpf_htons(0x1fff)) == 0;

	/* fragments other than the first have no ports, and need none to get a DSCP alone */
	if ((!is_first && (constants.port != 0 || constants.is_rtp))
	    || !is_wanted(skb, ip->protocol, sizeof(struct ethhdr) + ip->ihl * 4u))
		return TC_ACT_UNSPEC;
	if (constants.to != MARKER_KEEP && (service & ECN_BITS) == constants.from)
		now = (now & ~ECN_BITS) | constants.to;
	if (constants.dscp != MARKER_KEEP)
		now = (now & ECN_BITS) | constants.dscp << 2;
	if (now == service)
		return TC_ACT_UNSPEC;

	__u16 after = bpf_htons((bpf_ntohs(before) & 0xff00) | now);
	__u32 zero = 0;
	__u64 *count = bpf_map_lookup_elem(&changed, &zero);

	if (bpf_l3_csum_replace(skb, sizeof(struct ethhdr) + offsetof(struct iphdr, check), before, after, 2) != 0
	    || bpf_skb_store_bytes(skb, sizeof(struct ethhdr) + offsetof(struct iphdr, tos), &now, 1, 0) != 0)
		return TC_ACT_UNSPEC;
	if (count)
		__sync_fetch_and_add(count, 1);
	return TC_ACT_UNSPEC;
}

char license_text[] SEC("license") = "Dual MIT/GPL";
