/* SPDX-License-Identifier: MIT */
/* Tests of the Confucius-like queue: shares over time, heavy flows, service, drops on overflow. */
#include "../confucius-like.c"
#include "support.h"

static struct queue_bench queue;
static struct bench bench;

static struct confucius *own(void)
{
	return (struct confucius *)queue.queue;
}

static struct flow_queue *flow_of(const struct packet *packet)
{
	return &own()->flows[hash_flow(own()->key, packet, own()->config.flows)];
}

static struct spec from_port(uint16_t port)
{
	struct spec spec = flood;

	spec.port = port;
	return spec;
}

static struct packet *leave(uint64_t now_ns)
{
	return queue.queue->config.discipline->dequeue(queue.queue, now_ns);
}

/* Sends a packet of a flow that waits `waits_ns` every 10 ms. Returns the flow. */
static struct flow_queue *send_waiting(const struct spec *spec, uint64_t from_ns, uint64_t to_ns, uint64_t waits_ns)
{
	struct flow_queue *flow = NULL;

	for (uint64_t now = from_ns; now < to_ns; now += 10 * ms) {
		flow = flow_of(queue_send(&queue, spec, now));
		CHECK(leave(now + waits_ns));
	}
	return flow;
}

/* Opens a queue in which `spec` was alone until 1 s, with packets that waited `waits_ns`. Returns its flow. */
static struct flow_queue *open_with_old_flow(const struct spec *spec, uint64_t waits_ns)
{
	const struct queue_config config = managed("confucius-like");

	queue_open(&queue, &config, 0, 3000);

	struct flow_queue *flow = send_waiting(spec, 0, second, waits_ns);

	CHECK_NEAR(flow->share, 1, 1e-9);
	return flow;
}

/* With ten flows the fair share is 0.1: the excess of 0.9 is 0.45 after one halving and 0.225 after two. */
static void halving(void)
{
	struct flow_queue *old = open_with_old_flow(&media, 0), *new = NULL;

	queue_send(&queue, &media, second);
	for (uint16_t port = 0; port < 9; port++) {
		struct spec spec = from_port((uint16_t)(6000 + port));

		new = flow_of(queue_send(&queue, &spec, second));
	}
	CHECK_NEAR(old->share, 1, 1e-9);
	CHECK_NEAR(new->share, 0, 1e-9);
	compute_shares(own(), second + 430 * ms);
	CHECK_NEAR(old->share, 0.55, 1e-9);
	CHECK_NEAR(new->share, 0.05, 1e-9);
	compute_shares(own(), second + 600 * ms); /* at any time between */
	compute_shares(own(), second + 860 * ms);
	CHECK_NEAR(old->share, 0.325, 1e-9);
	CHECK_NEAR(new->share, 0.075, 1e-9);
	queue_close(&queue);
}

/* Two new flows take as long as nine: the excess over 1/3 is 2/3, and 1/3 after one halving. */
static void however_many(void)
{
	struct flow_queue *old = open_with_old_flow(&media, 0);

	for (uint16_t port = 0; port < 2; port++) {
		struct spec spec = from_port((uint16_t)(6000 + port));

		queue_send(&queue, &spec, second);
	}
	compute_shares(own(), second + 430 * ms);
	CHECK_NEAR(old->share, 2.0 / 3, 1e-9);
	queue_close(&queue);
}

/* An old flow with a standing queue of 50 ms is not protected: it has half as soon as another flow comes. */
static void heavy(void)
{
	struct flow_queue *old = open_with_old_flow(&media, 50 * ms);
	struct flow_queue *new = flow_of(queue_send(&queue, &flood, second + 50 * ms));

	CHECK(old->heavy);
	CHECK_NEAR(old->share, 0.5, 1e-9);
	CHECK_NEAR(new->share, 0.5, 1e-9);
	queue_close(&queue);
}

/*
 * Averages of delays with a half-life of 100 ms: a second is ten half-lives, so 1/1024 of the earlier average is
 * left.
 */
static void hysteresis(void)
{
	struct flow_queue *flow = open_with_old_flow(&media, 30 * ms);

	CHECK(!flow->heavy);
	send_waiting(&media, 1100 * ms, 2100 * ms, 50 * ms);
	CHECK_NEAR(flow->delay_ns, 50e6, 0.1e6);
	CHECK(flow->heavy);
	send_waiting(&media, 2200 * ms, 3200 * ms, 30 * ms);
	CHECK_NEAR(flow->delay_ns, 30e6, 0.1e6);
	CHECK(flow->heavy);
	send_waiting(&media, 3300 * ms, 4300 * ms, 10 * ms);
	CHECK(!flow->heavy);
	queue_close(&queue);
}

/* While a share falls, the sender does not cause the queue: the flow keeps its protection until the share is fair. */
static void blameless(void)
{
	struct flow_queue *old = open_with_old_flow(&media, 0);

	queue_send(&queue, &flood, second);
	old->delay_ns = 200e6;
	queue_send(&queue, &media, second + 300 * ms);
	compute_shares(own(), second + 430 * ms);
	CHECK(!old->heavy);
	CHECK_NEAR(old->share, 0.75, 1e-9);
	/* an excess of 1 % of the fair share ends it: 2^6.64 = 100, so after seven halvings */
	compute_shares(own(), second + 7 * 430 * ms);
	compute_shares(own(), second + 7 * 430 * ms);
	CHECK(old->heavy);
	CHECK_NEAR(old->share, 0.5, 1e-9);
	queue_close(&queue);
}

static void forgets(void)
{
	struct flow_queue *old = open_with_old_flow(&media, 0), *new;

	queue_send(&queue, &media, second);
	new = flow_of(queue_send(&queue, &flood, second));
	CHECK(leave(second) && leave(second));
	queue_send(&queue, &media, second + 499 * ms);
	CHECK(leave(second + 499 * ms));
	CHECK_EQUAL(own()->known_count, 2);
	/* 500 ms after the last packet of the new flow */
	compute_shares(own(), second + 500 * ms);
	CHECK_EQUAL(own()->known_count, 1);
	CHECK(!new->known);
	CHECK_NEAR(old->share, 1, 1e-9);
	/* who comes again comes as a new flow, and the old one has its excess anew */
	queue_send(&queue, &flood, second + 510 * ms);
	CHECK_NEAR(new->share, 0, 1e-9);
	compute_shares(own(), second + 940 * ms);
	CHECK_NEAR(new->share, 0.25, 1e-9);
	queue_close(&queue);
}

/*
 * A flow with a share of 0.25 that sends its next packet only when the last one has left. Debt is kept while its
 * queue is empty, so it does not get more than 0.25 of the packets.
 */
static void no_gaming(void)
{
	struct flow_queue *old = open_with_old_flow(&media, 0), *new;
	uint32_t of_new = 0;

	for (int i = 0; i < 1000; i++)
		queue_send(&queue, &media, second);
	new = flow_of(queue_send(&queue, &flood, second));
	compute_shares(own(), second + 430 * ms);
	CHECK_NEAR(old->share, 0.75, 1e-9);
	for (int i = 0; i < 1000; i++) {
		struct packet *packet = leave(second + 430 * ms);

		if (flow_of(packet) == new) {
			of_new++;
			queue_send(&queue, &flood, second + 430 * ms);
		}
	}
	CHECK_NEAR(of_new, 250, 5);
	queue_close(&queue);
}

/* Packets of a flow that leave within 100 ms of `from_ns`. */
static uint32_t sent_by(const struct spec *spec, uint64_t from_ns)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < bench.count; i++)
		if (bench.out[i].source == address(spec->source) && bench.out[i].time_ns >= from_ns
		    && bench.out[i].time_ns < from_ns + 100 * ms)
			count++;
	return count;
}

static uint64_t longest_wait(const struct spec *spec, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t longest_ns = 0;

	for (uint32_t i = 0; i < bench.event_count; i++) {
		const struct link_event *event = &bench.events[i];

		if (event->event != EVENT_DEQUEUE || event->time_ns < from_ns || event->time_ns >= to_ns)
			continue;
		for (uint32_t k = 0; k < bench.count; k++)
			if (bench.out[k].id == bench.event_ids[i] && bench.out[k].source == address(spec->source)
			    && event->sojourn_ns > longest_ns)
				longest_ns = event->sojourn_ns;
	}
	return longest_ns;
}

/*
 * A link of one packet per ms. A call sends a packet every 2 ms; after 1 s nine greedy flows come. The share of the
 * call is 0.1 + 0.9 * 2^(-t/430 ms), which is 0.5 at t = 503 ms.
 */
static void burst(const char *discipline)
{
	bench_open(&bench);
	bench_bottleneck(&bench, 12.112e6);
	bench.config.bottlenecks[DOWN].queue = managed(discipline);
	bench_apply(&bench, 0);
	for (uint64_t i = 0; i < 2500; i++) {
		if (i % 2 == 0)
			bench_send(&bench, &media, DOWN, i * ms);
		for (uint16_t port = 6000; i >= 1000 && i < 1900 && port < 6009; port++) {
			struct spec spec = from_port(port);

			bench_send(&bench, &spec, DOWN, i * ms);
		}
	}
	bench_finish(&bench);
}

static void protects(void)
{
	burst("confucius-like");
	/* until the share is less than its rate, a packet of the call waits at most for one of each flow and its own */
	CHECK(longest_wait(&media, second, 1450 * ms) <= 12 * ms);
	CHECK_NEAR(sent_by(&media, 1400 * ms), 50, 2);
	/* two seconds on, it has 0.1 + 0.9 * 2^(-2.2/0.43) = 0.126 of the link */
	CHECK_NEAR(sent_by(&media, 3150 * ms), 12.6, 2);
	bench_close(&bench);

	/* a queue for each flow at equal parts makes the same call wait */
	burst("fq-codel");
	CHECK(longest_wait(&media, second, 1450 * ms) > 100 * ms);
	bench_close(&bench);
}

static void longest_pays(void)
{
	bench_open(&bench);
	bench_bottleneck(&bench, 12.112e6);
	bench.config.bottlenecks[DOWN].queue = managed("confucius-like");
	bench.config.bottlenecks[DOWN].queue.limit_packets = 50;
	bench_apply(&bench, 0);
	for (int i = 0; i < 30; i++)
		bench_send(&bench, &media, DOWN, 0);
	for (int i = 0; i < 10; i++)
		bench_send(&bench, &flood, DOWN, 0);
	for (int i = 0; i < 20; i++)
		bench_send(&bench, &media, DOWN, 0);
	CHECK_EQUAL(bench.link->paths[0].dropped.packets, 10);
	CHECK_EQUAL(bench.link->paths[1].dropped.packets, 0);

	/* from the head: packet 1 is in service, packets 2 to 11 are dropped */
	uint64_t expected = 2;

	for (uint32_t i = 0; i < bench.event_count; i++)
		if (bench.events[i].event == EVENT_DROP)
			CHECK_EQUAL(bench.event_ids[i], expected++);
	bench_finish(&bench);
	CHECK_EQUAL(bench.count, 50);
	bench_close(&bench);
}

int main(void)
{
	test("the excess of an old flow over its fair share halves every 430 ms", halving);
	test("it falls as fast beside two new flows as beside nine", however_many);
	test("an old flow with a standing queue has no protection", heavy);
	test("a heavy flow is light again at half of the delay that made it heavy", hysteresis);
	test("a flow whose share falls keeps its protection, whatever its queue", blameless);
	test("a flow without packets is forgotten, and the others have its share", forgets);
	test("a flow cannot get more than its share by letting one packet wait at a time", no_gaming);
	test("a call beside a burst waits for no queue while its share is more than its rate", protects);
	test("over the limit the longest queue loses packets from its head", longest_pays);
	return tests_done("confucius-like");
}
