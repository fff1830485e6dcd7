/* SPDX-License-Identifier: MIT */
/* Tests of FQ-CoDel: shares, sparse flows, drops on overflow (RFC 8290). */
#include "../fq-codel.c"
#include "support.h"

static struct bench bench;

static void open_link(uint64_t limit_packets)
{
	bench_open(&bench);
	bench_bottleneck(&bench, 12.112e6);
	bench.config.bottlenecks[DOWN].queue = managed("fq-codel");
	bench.config.bottlenecks[DOWN].queue.limit_packets = limit_packets;
	bench_apply(&bench, 0);
}

static uint64_t bytes_of(const char *source)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < bench.count; i++)
		if (bench.out[i].source == address(source))
			bytes += bench.out[i].length + 14;
	return bytes;
}

static void fairness(void)
{
	struct spec small = flood;

	small.length = 486;
	open_link(1000);
	/*
	 * 2000 packets of 1514 bytes a second against 4000 of 500: both flows want more than half of 1514 bytes
	 * per ms
	 */
	for (uint64_t i = 0; i < 8000; i++) {
		if (i % 2 == 0)
			bench_send(&bench, &media, DOWN, i * 250 * us);
		bench_send(&bench, &small, DOWN, i * 250 * us);
	}

	double all = (double)(bytes_of("10.0.1.2") + bytes_of("10.0.3.2"));

	CHECK_NEAR(all, 2000 * 1514, 3 * 1514);
	CHECK_NEAR((double)bytes_of("10.0.1.2") / all, 0.5, 0.005);
	bench_finish(&bench);
	bench_close(&bench);
}

/*
 * With five greedy flows, a sparse flow waits only for the packet in service, not for a round of the other
 * queues.
 */
static void sparse(void)
{
	struct spec probe = flood, greedy = media;
	uint32_t probes = 0;

	probe.length = 86;
	open_link(NEVER);
	for (uint64_t i = 0; i < 4000; i++) {
		greedy.port = (uint16_t)(5000 + i % 5);
		bench_send(&bench, &greedy, DOWN, i * 500 * us);
		if (i % 40 == 20)
			bench_send(&bench, &probe, DOWN, i * 500 * us + 100 * us);
	}
	for (uint32_t i = 0; i < bench.event_count; i++) {
		if (bench.events[i].event != EVENT_DEQUEUE)
			continue;
		/* 1 ms for a full packet in service, 0.066 ms for 100 bytes of its own */
		if (bench.events[i].sojourn_ns < 1100 * us && bench.events[i].time_ns > 100 * ms)
			probes++;
	}
	CHECK_EQUAL(probes, 100 - 5);
	bench_finish(&bench);
	bench_close(&bench);
}

/*
 * A flow that sends a small packet whenever its queue has run empty is not new each time. Every second packet
 * goes at once, the other one waits for the four greedy flows, so two of its packets are sent for every four of
 * theirs. Without the rule against this, every second packet sent would be one of this flow.
 */
static void no_gaming(void)
{
	static struct queue_bench queue;
	const struct queue_config config = managed("fq-codel");
	struct spec greedy = media, small = flood;
	uint32_t of_gamer = 0;
	bool queued = false;

	small.length = 86;
	queue_open(&queue, &config, 0, 3000);
	for (int i = 0; i < 2000; i++) {
		greedy.port = (uint16_t)(5000 + i % 4);
		queue_send(&queue, &greedy, 0);
	}
	for (int i = 0; i < 1000; i++) {
		struct packet *packet = queue.queue->config.discipline->dequeue(queue.queue, 0);

		if (packet->source == address(flood.source)) {
			of_gamer++;
			queued = false;
		} else if (!queued) {
			queue_send(&queue, &small, 0);
			queued = true;
		}
	}
	CHECK_NEAR(of_gamer, 1000 * 2.0 / 6, 10);
	queue_close(&queue);
}

static void fattest_pays(void)
{
	open_link(50);
	for (int i = 0; i < 30; i++)
		bench_send(&bench, &media, DOWN, 0);
	for (int i = 0; i < 10; i++)
		bench_send(&bench, &flood, DOWN, 0);
	for (int i = 0; i < 20; i++)
		bench_send(&bench, &media, DOWN, 0);
	CHECK_EQUAL(bench.link->bottlenecks[DOWN]->counters.overflow.packets, 10);
	CHECK_EQUAL(bench.link->paths[0].dropped.packets, 10);
	CHECK_EQUAL(bench.link->paths[1].dropped.packets, 0);

	/*
	 * drops are from the head: packets 2 to 11 of the media flood were dropped, because packet 1 was in
	 * service
	 */
	uint64_t expected = 2;

	for (uint32_t i = 0; i < bench.event_count; i++)
		if (bench.events[i].event == EVENT_DROP)
			CHECK_EQUAL(bench.event_ids[i], expected++);
	bench_finish(&bench);
	CHECK_EQUAL(bench.count, 50);
	bench_close(&bench);
}

/* Flows that share a queue share its CoDel. With a single queue FQ-CoDel behaves as CoDel. */
static void one_queue_is_codel(void)
{
	static struct bench other;
	struct queue_config kinds[] = { managed("codel"), managed("fq-codel") };
	struct bench *benches[] = { &bench, &other };

	set_parameter(&kinds[1], "flows", 1);
	for (int k = 0; k < 2; k++) {
		bench_open(benches[k]);
		bench_bottleneck(benches[k], 12.112e6);
		benches[k]->config.bottlenecks[DOWN].queue = kinds[k];
		bench_apply(benches[k], 0);
		for (uint64_t i = 0; i < 3000; i++)
			bench_send(benches[k], i % 3 ? &media : &flood, DOWN, i * 700 * us);
		bench_finish(benches[k]);
	}
	CHECK(bench.link->bottlenecks[DOWN]->counters.aqm_dropped.packets > 10);
	CHECK_EQUAL(bench.count, other.count);
	for (uint32_t i = 0; i < bench.count; i++)
		CHECK(bench.out[i].id == other.out[i].id && bench.out[i].time_ns == other.out[i].time_ns);
	bench_close(&bench);
	bench_close(&other);
}

static void quantum(void)
{
	static struct queue_bench queue;
	struct queue_config config = managed("fq-codel");

	queue_open(&queue, &config, 0, 1);
	CHECK_EQUAL(((struct fq_codel *)queue.queue)->config.quantum_bytes, 1514);
	queue_close(&queue);
	CHECK(set_parameter(&config, "quantumBytes", 300));
	queue_open(&queue, &config, 0, 1);
	CHECK_EQUAL(((struct fq_codel *)queue.queue)->config.quantum_bytes, 300);
	queue_close(&queue);
}

int main(void)
{
	test("two greedy flows get half of the bytes each, whatever the size of their packets", fairness);
	test("a sparse flow waits for no queue", sparse);
	test("a flow cannot be sparse by waiting until its queue is empty", no_gaming);
	test("over the limit the longest queue loses packets from its head", fattest_pays);
	test("with a single queue it does what CoDel does", one_queue_is_codel);
	test("the quantum is a full packet unless another is given", quantum);
	return tests_done("fq-codel");
}
