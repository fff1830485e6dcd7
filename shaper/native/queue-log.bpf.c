// SPDX-License-Identifier: MIT OR GPL-2.0-only
/*
 * Reports every packet of one device's queue discipline, from the kernel's own trace points.
 *
 * A packet is followed from its offer to the queue until it leaves (qdisc_dequeue) or is freed (kfree_skb). Meanwhile
 * it is in `packets`, by the address of its data, which it does not share: a router copies each packet that it
 * forwards (skb_cow in ip_forward). The kernel traces qdisc_enqueue only if the queue took the packet and dropped
 * nothing for it, which leaves three cases:
 *
 * - traced: an enqueue;
 * - freed by the CPU that has just offered it: refused on arrival, one drop, no enqueue;
 * - neither: it was taken, and another packet of the queue was pushed out for it (NET_XMIT_CN). The enqueue is
 *   reported when the packet leaves, with the time of the offer.
 *
 * The loss classifier at clsact drops packets before they are offered to the queue, so random loss takes no room in
 * the queue and has no enqueue. Drops of packets that arrive through the same device do not belong to the queue and
 * are left out, except those of a loss classifier.
 *
 * Some hardened kernels do not run tracing programs in an interrupt that hits certain processes, but always run
 * classifiers and filters. So a classifier sees the offers, and the filter of a packet socket checks every packet
 * that leaves. A packet that is still in `packets` there is reported some microseconds late. An enqueue that was not
 * traced is the third case above.
 *
 * Works on Linux 6.1 to 6.18 by CO-RE: types and drop reasons are found by their names.
 */
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/if_packet.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "packet-fields.h"
#include "queue-log.h"

/*
 * Largest number of packets in a chain from one dequeue that this program reports. The kernel makes chains of 9
 * packets for devices with several queues. For hardware with byte queue limits chains may be longer; the filter
 * behind the queue reports the other packets.
 */
#define MOST_AT_ONCE 16
/* Number of low bits of a packet number that count packets; the bits above are the number of the CPU. */
#define COUNT_BITS 40

/* the expansion of BPF_PROG has unused parameters */
#pragma clang diagnostic ignored "-Wunused-parameter"

const volatile struct queue_log_constants constants = {};

struct cpu {
	__u64 count;   /* packets numbered so far on this CPU */
	__u64 offered; /* key in `packets` of the packet offered last */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1 << 15);
	__type(key, __u64); /* key: sk_buff.head, the address of the data */
	__type(value, struct queue_log_packet);
} packets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct cpu);
} cpus SEC(".maps");

/* Ring of records on their way to the loader; it has room for three seconds at 100 Mbit/s. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 22);
} records SEC(".maps");

/* Number of records that were lost because `records` was full. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} lost SEC(".maps");

/* Switch of all trace points: not 0 while recording. It starts and ends them all at the same time. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} recording SEC(".maps");

static __always_inline bool wanted(const struct net_device *device)
{
	__u32 zero = 0;

	if (device->ifindex != (int)constants.device || device->nd_net.net->ns.inum != constants.network_namespace)
		return false;

	const __u32 *on = bpf_map_lookup_elem(&recording, &zero);

	return on && *on;
}

static __always_inline void count_lost(void)
{
	__u32 zero = 0;
	__u64 *count = bpf_map_lookup_elem(&lost, &zero);

	if (count)
		__sync_fetch_and_add(count, 1);
}

/* Returns a new packet number, unique among all CPUs. */
static __always_inline __u64 new_number(struct cpu *cpu)
{
	return (__u64)bpf_get_smp_processor_id() << COUNT_BITS | ++cpu->count;
}

static __always_inline struct cpu *this_cpu(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&cpus, &zero);
}

/* Reserves a record and fills in the fields of the packet. The caller adds the event and submits the record. */
static __always_inline struct queue_log_record *reserve(const struct sk_buff *skb)
{
	struct queue_log_record *record = bpf_ringbuf_reserve(&records, sizeof(*record), 0);

	if (!record) {
		count_lost();
		return NULL;
	}
	__builtin_memset(record, 0, sizeof(*record));
	record->length = length_of(skb);
	read_headers(record, skb);
	return record;
}

static __always_inline void submit(struct queue_log_record *record, __u8 event, __u64 number, __u64 time_ns,
                                   __u32 queue_packets, __u32 queue_bytes)
{
	record->event = event;
	record->packet = number;
	record->time_ns = time_ns;
	record->queue_packets = queue_packets;
	record->queue_bytes = queue_bytes;
	bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
}

/* Reports the enqueue of a packet for which the kernel did not trace an enqueue. */
static __always_inline void submit_late_enqueue(const struct queue_log_packet *packet, const struct sk_buff *skb)
{
	struct queue_log_record *record = reserve(skb);

	if (record)
		submit(record, QUEUE_LOG_ENQUEUE, packet->number, packet->time_ns, packet->queue_packets,
		       packet->queue_bytes);
}

static __always_inline void offer(const struct sk_buff *skb)
{
	if (!wanted(skb->dev))
		return;

	struct cpu *cpu = this_cpu();
	struct Qdisc *qdisc = skb->dev->_tx->qdisc;
	__u64 key = (__u64)skb->head;

	if (!cpu || !qdisc->enqueue) /* a device may have no queue that packets enter */
		return;

	struct queue_log_packet packet = {
		.number = new_number(cpu),
		.time_ns = bpf_ktime_get_ns(),
		.service = service_of(skb),
		.queue_packets = qdisc->q.qlen,
		.queue_bytes = qdisc->qstats.backlog,
	};

	cpu->offered = key;
	if (bpf_map_update_elem(&packets, &key, &packet, BPF_ANY) != 0)
		count_lost();
}

/*
 * Function of the kernel since Linux 6.2. If it is missing, the loader attaches the trace point instead of the
 * classifier, and no filter.
 */
extern void *bpf_cast_to_kern_ctx(void *context) __ksym __weak;

/*
 * Sees each packet that is offered to the queue. It is the last classifier at clsact, because packets that
 * another classifier drops are not offered.
 */
SEC("tc")
int arrived(struct __sk_buff *context)
{
	offer(bpf_cast_to_kern_ctx(context));
	return TC_ACT_UNSPEC;
}

SEC("tp_btf/net_dev_queue")
int BPF_PROG(offered, struct sk_buff *skb)
{
	offer(skb);
	return 0;
}

SEC("tp_btf/qdisc_enqueue")
int BPF_PROG(enqueued, struct Qdisc *qdisc, const struct netdev_queue *queue, struct sk_buff *skb)
{
	if (!wanted(queue->dev))
		return 0;

	__u64 key = (__u64)skb->head, time_ns = bpf_ktime_get_ns();
	struct queue_log_packet *packet = bpf_map_lookup_elem(&packets, &key);

	if (!packet) { /* the packet was offered before the log began */
		struct cpu *cpu = this_cpu();

		if (!cpu)
			return 0;

		struct queue_log_packet late = { .number = new_number(cpu), .service = service_of(skb) };

		bpf_map_update_elem(&packets, &key, &late, BPF_ANY);
		packet = bpf_map_lookup_elem(&packets, &key);
		if (!packet) {
			count_lost();
			return 0;
		}
	}
	packet->enqueued = 1;
	packet->time_ns = time_ns;

	struct queue_log_record *record = reserve(skb);

	if (record)
		submit(record, QUEUE_LOG_ENQUEUE, packet->number, time_ns, qdisc->q.qlen, qdisc->qstats.backlog);
	return 0;
}

static __always_inline void left(const struct sk_buff *skb, __u64 time_ns, __u32 queue_packets, __u32 queue_bytes)
{
	__u64 key = (__u64)skb->head, number, sojourn_ns = 0;
	struct queue_log_packet *packet = bpf_map_lookup_elem(&packets, &key);
	struct queue_log_record *record;

	if (packet) {
		__u8 before = packet->service;

		number = packet->number;
		sojourn_ns = time_ns - packet->time_ns;
		if (!packet->enqueued)
			submit_late_enqueue(packet, skb);
		if ((service_of(skb) & 3) == 3 && (before & 3) != 3) {
			record = reserve(skb);
			if (record)
				record->service = before;
			if (record)
				submit(record, QUEUE_LOG_MARK, number, time_ns, queue_packets, queue_bytes);
		}
		bpf_map_delete_elem(&packets, &key);
	} else { /* the packet was enqueued before the log began */
		struct cpu *cpu = this_cpu();

		if (!cpu)
			return;
		number = new_number(cpu);
	}
	record = reserve(skb);
	if (!record)
		return;
	record->sojourn_ns = sojourn_ns;
	submit(record, QUEUE_LOG_DEQUEUE, number, time_ns, queue_packets, queue_bytes);
}

SEC("tp_btf/qdisc_dequeue")
int BPF_PROG(dequeued, struct Qdisc *qdisc, const struct netdev_queue *queue, int count, struct sk_buff *skb)
{
	if (!skb || !wanted(queue->dev))
		return 0;

	__u64 time_ns = bpf_ktime_get_ns();
	__u32 queue_packets = qdisc->q.qlen, queue_bytes = qdisc->qstats.backlog;

	/*
	 * a dequeue may return a chain of packets: at the dequeue of each one, those behind it were still in
	 * the queue
	 */
	struct sk_buff *next = skb->next;

	for (int i = 1; i < MOST_AT_ONCE && next; i++, next = next->next) {
		queue_packets++;
		queue_bytes += length_of(next);
	}
	for (int i = 0; i < MOST_AT_ONCE && skb; i++) {
		left(skb, time_ns, queue_packets, queue_bytes);
		skb = skb->next;
		if (skb) {
			queue_packets--;
			queue_bytes -= length_of(skb);
		}
	}
	return 0;
}

/*
 * Checks each packet that leaves the device. It is the filter of a packet socket, and makes the socket receive
 * nothing.
 */
SEC("socket")
int departed(struct __sk_buff *context)
{
	struct sk_buff *skb = bpf_cast_to_kern_ctx(context);
	struct net_device *device = skb->dev;
	__u64 key = (__u64)skb->head;

	if (context->pkt_type != PACKET_OUTGOING || !bpf_map_lookup_elem(&packets, &key) || !wanted(device))
		return 0;

	struct Qdisc *qdisc = device->_tx->qdisc;

	left(skb, bpf_ktime_get_ns(), qdisc->q.qlen, qdisc->qstats.backlog);
	return 0;
}

/*
 * Returns the reason of a drop for the record. Linux before 6.14 has QDISC_DROP for all packets refused on
 * arrival, and no reason for CoDel's drops, which become "other".
 */
static __always_inline __u8 reason_of(__u32 code)
{
	if (HAS_REASON(code, QDISC_DROP) || HAS_REASON(code, QDISC_OVERLIMIT) || HAS_REASON(code, FQ_BAND_LIMIT)
	    || HAS_REASON(code, FQ_FLOW_LIMIT))
		return QUEUE_LOG_OVERFLOW;
	if (HAS_REASON(code, TC_EGRESS) || HAS_REASON(code, TC_INGRESS))
		return QUEUE_LOG_RANDOM_LOSS;
	if (HAS_REASON(code, QDISC_CONGESTED) || HAS_REASON(code, CAKE_FLOOD) || HAS_REASON(code, DUALPI2_STEP_DROP))
		return QUEUE_LOG_AQM;
	return QUEUE_LOG_OTHER;
}

SEC("tp_btf/kfree_skb")
int BPF_PROG(freed, struct sk_buff *skb, void *location, enum skb_drop_reason code)
{
	struct net_device *device = skb->dev;

	if (!device || !wanted(device))
		return 0;

	struct cpu *cpu = this_cpu();
	__u64 key = (__u64)skb->head, time_ns = bpf_ktime_get_ns(), number, sojourn_ns = 0;
	__u8 reason = reason_of(code);
	struct queue_log_packet *packet = NULL;

	if (!cpu)
		return 0;
	if (reason == QUEUE_LOG_RANDOM_LOSS) {
		number = new_number(cpu);
	} else {
		packet = bpf_map_lookup_elem(&packets, &key);
		if (!packet || skb->skb_iif == (int)constants.device)
			return 0;
		number = packet->number;
		if (!packet->enqueued && cpu->offered != key) {
			submit_late_enqueue(packet, skb);
			packet->enqueued = 1;
		}
		if (packet->enqueued)
			sojourn_ns = time_ns - packet->time_ns;
		bpf_map_delete_elem(&packets, &key);
	}

	struct queue_log_record *record = reserve(skb);

	if (!record)
		return 0;

	struct Qdisc *qdisc = device->_tx->qdisc;

	/* at ingress the frame's header is removed before the classifier runs */
	if (HAS_REASON(code, TC_INGRESS))
		record->length = skb->len + skb->network_header - skb->mac_header;
	record->reason = reason;
	record->reason_code = (__u16)code;
	record->reason_group = (__u8)(code >> 16);
	record->sojourn_ns = sojourn_ns;
	submit(record, QUEUE_LOG_DROP, number, time_ns, qdisc->q.qlen, qdisc->qstats.backlog);
	return 0;
}

char license_text[] SEC("license") = "Dual MIT/GPL";
