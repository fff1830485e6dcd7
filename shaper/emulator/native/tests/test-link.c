/* SPDX-License-Identifier: MIT */
/* Tests of the link as a whole: all counters add up, and the same seed gives the same run. */
#include "core/random.h"
#include "support.h"

static struct bench bench;

static void all_features(struct bench *full, const char *discipline, uint64_t seed)
{
	struct queue_config *queue = &full->config.bottlenecks[DOWN].queue;

	bench_open(full);
	bench_bottleneck(full, 10e6);
	full->config.seed = seed;
	*queue = managed(discipline);
	queue->seed = seed;
	queue->ecn = !queue->discipline->ecn_refusal[true];
	queue->limit_packets = 60;
	queue->limit_bytes = 60000;
	set_parameter(queue, "targetUs", 5000);
	set_parameter(queue, "flows", 8);
	full->config.bottlenecks[DOWN].step_count = 2;
	full->config.bottlenecks[DOWN].steps[0] =
		(struct rate_step){ .at_ns = second, .ramp_ns = second, .rate_bps = 5e6 };
	full->config.bottlenecks[DOWN].steps[1] = (struct rate_step){ .at_ns = 3 * second, .rate_bps = 20e6 };
	for (int i = 0; i < 3; i++) {
		struct path_config *path = &full->config.paths[i];

		path->delay_ns = (uint64_t)(5 + 7 * i) * ms;
		path->jitter_max_ns = 4 * ms;
		path->reorder = random_threshold(0.02);
		path->reorder_delay_ns = 3 * ms;
		path->duplicate = random_threshold(0.03);
		path->loss = (struct loss_config){ .kind = i ? LOSS_INDEPENDENT : LOSS_GILBERT_ELLIOTT,
			                           .where = i == 1 ? LOSS_AFTER : LOSS_BEFORE,
			                           .good_loss = random_threshold(0.01),
			                           .bad_loss = random_threshold(0.6),
			                           .to_bad = random_threshold(0.01),
			                           .to_good = random_threshold(0.2) };
	}
	bench_apply(full, 0);
}

static uint64_t held(const struct link *link)
{
	return link->pool_packets - link->free_packets.packets;
}

static void check_books(const struct bench *full)
{
	const struct link *link = full->link;
	struct tally waiting = {};
	uint64_t dropped = 0, out = 0;

	for (int i = 0; i < 3; i++) {
		const struct path *path = &link->paths[i];

		CHECK_EQUAL(path->in.packets + path->duplicated.packets,
		            path->lost.packets + path->dropped.packets + path->out.packets + path->waiting.packets);
		CHECK_EQUAL(path->in.bytes + path->duplicated.bytes,
		            path->lost.bytes + path->dropped.bytes + path->out.bytes + path->waiting.bytes);
		waiting.packets += path->waiting.packets;
		dropped += path->dropped.packets;
		out += path->out.packets;
	}
	CHECK_EQUAL(waiting.packets, link_waiting(link));
	CHECK_EQUAL(waiting.packets, held(link));
	CHECK_EQUAL(out, full->count);

	const struct bottleneck_counters *counters = &link->bottlenecks[DOWN]->counters;

	CHECK_EQUAL(counters->in.packets, counters->sent.packets + counters->overflow.packets
	                                          + counters->aqm_dropped.packets
	                                          + bottleneck_backlog_packets(link->bottlenecks[DOWN]));
	CHECK_EQUAL(counters->in.bytes, counters->sent.bytes + counters->overflow.bytes + counters->aqm_dropped.bytes
	                                        + bottleneck_backlog_bytes(link->bottlenecks[DOWN]));
	CHECK_EQUAL(dropped, counters->overflow.packets + counters->aqm_dropped.packets);
}

/* Runs five seconds of three flows with random sizes, gaps and ECN, and with rate requests in between. */
static void long_run(struct bench *full, uint64_t seed, bool check_each)
{
	const struct spec flows[] = {
		media,
		flood,
		{ .source = "10.0.2.2", .destination = "10.0.1.2", .length = 0, .port = 5000, .protocol = 17 }
	};
	uint64_t now_ns = 0, generator = mix64(seed), k = 0;

	link_start(full->link, 0);
	while (now_ns < 5 * second) {
		uint64_t random = random_output(generator, k++);
		struct spec spec = flows[random % 3];

		spec.length = (uint32_t)(28 + random / 3 % 1473);
		spec.ecn = (enum ecn)(random >> 32 & 3);
		spec.port = (uint16_t)(spec.port + (random >> 40) % 5);
		now_ns += (random >> 44) % 700 * us + 1;
		bench_send(full, &spec, random % 3 == 2 ? UP : DOWN, now_ns);
		if (k % 500 == 0)
			CHECK(link_set_rate(full->link, now_ns, DOWN, 3e6 + (double)(random >> 44)));
		if (check_each && k % 20 == 0)
			check_books(full);
	}
}

static void conservation(void)
{
	for (int i = 0; discipline_names[i]; i++) {
		for (uint64_t seed = 1; seed <= 3; seed++) {
			all_features(&bench, discipline_names[i], seed);
			long_run(&bench, seed, true);
			bench_finish(&bench);
			check_books(&bench);
			CHECK(bench.link->paths[0].lost.packets > 0 && bench.link->paths[0].duplicated.packets > 0
			      && bench.link->paths[0].dropped.packets > 0);
			CHECK_EQUAL(held(bench.link), 0);
			bench_close(&bench);
		}
	}
}

static void determinism(void)
{
	static struct bench again, other;

	for (int i = 0; discipline_names[i]; i++) {
		uint32_t same = 0;

		all_features(&bench, discipline_names[i], 7);
		all_features(&again, discipline_names[i], 7);
		all_features(&other, discipline_names[i], 8);
		long_run(&bench, 1, false);
		long_run(&again, 1, false);
		long_run(&other, 1, false);
		bench_finish(&bench);
		bench_finish(&again);
		bench_finish(&other);
		CHECK_EQUAL(bench.count, again.count);
		CHECK_EQUAL(bench.event_count, again.event_count);
		for (uint32_t k = 0; k < bench.count; k++) {
			CHECK_EQUAL(bench.out[k].time_ns, again.out[k].time_ns);
			CHECK_EQUAL(bench.out[k].id, again.out[k].id);
			CHECK_EQUAL(bench.out[k].ecn, again.out[k].ecn);
			same += k < other.count && bench.out[k].time_ns == other.out[k].time_ns;
		}
		CHECK(same < bench.count / 2);
		bench_close(&bench);
		bench_close(&again);
		bench_close(&other);
	}
}

static void order_of_departures(void)
{
	for (int i = 0; discipline_names[i]; i++) {
		all_features(&bench, discipline_names[i], 3);
		long_run(&bench, 5, false);
		bench_finish(&bench);
		for (uint32_t k = 1; k < bench.count; k++)
			CHECK(bench.out[k].time_ns >= bench.out[k - 1].time_ns);
		for (uint32_t k = 1; k < bench.event_count; k++)
			CHECK(bench.events[k].time_ns >= bench.events[k - 1].time_ns);
		bench_close(&bench);
	}
}

/* Enqueues equal dequeues plus drops from the queue, and the queue sizes in the log are right. */
static void events(void)
{
	for (int i = 0; discipline_names[i]; i++) {
		uint64_t seen[5] = {}, random_loss = 0;
		uint32_t most = 0;

		all_features(&bench, discipline_names[i], 3);
		long_run(&bench, 9, false);
		bench_finish(&bench);
		for (uint32_t k = 0; k < bench.event_count; k++) {
			const struct link_event *event = &bench.events[k];

			random_loss += event->reason == REASON_RANDOM_LOSS;
			seen[event->event] += event->reason != REASON_RANDOM_LOSS;
			most = event->queue_packets > most ? event->queue_packets : most;
		}

		const struct bottleneck_counters *counters = &bench.link->bottlenecks[DOWN]->counters;

		CHECK_EQUAL(seen[EVENT_DEQUEUE], counters->sent.packets);
		CHECK_EQUAL(seen[EVENT_DROP], counters->overflow.packets + counters->aqm_dropped.packets);
		CHECK_EQUAL(seen[EVENT_MARK], counters->marked_packets);
		CHECK_EQUAL(random_loss, bench.link->paths[0].lost.packets + bench.link->paths[1].lost.packets);
		/* FQ-CoDel admits a packet before it drops another */
		CHECK(most <= 61 && most > 30);
		bench_close(&bench);
	}
}

static void no_path(void)
{
	const struct spec stranger = {
		.source = "192.0.2.1", .destination = "10.0.2.2", .length = 100, .port = 1, .protocol = 17
	};

	all_features(&bench, "fifo", 1);
	bench_send(&bench, &stranger, DOWN, 10 * ms);
	CHECK_EQUAL(bench.count, 1);
	CHECK_EQUAL(bench.out[0].time_ns, 10 * ms);
	CHECK_EQUAL(bench.link->counters.passed.packets, 1);
	CHECK_EQUAL(bench.link->counters.passed.bytes, 114);
	bench_close(&bench);
}

static void not_ipv4(void)
{
	static const struct {
		uint32_t length;
		uint8_t first;
	} cases[] = { { 19, 0x45 }, { 40, 0x60 }, { 40, 0x44 }, { 40, 0x4f }, { 1, 0x45 }, { 1501, 0x45 } };

	bench_open(&bench);
	bench_apply(&bench, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct packet *packet = link_take(bench.link);

		fill(packet, &media);
		packet->length = cases[i].length;
		packet->data[0] = cases[i].first;
		link_arrive(bench.link, packet, DOWN, i * ms);
	}
	bench_finish(&bench);
	CHECK_EQUAL(bench.count, 0);
	CHECK_EQUAL(bench.link->counters.ignored_packets, sizeof(cases) / sizeof(cases[0]));
	CHECK_EQUAL(held(bench.link), 0);
	bench_close(&bench);
}

static void reset(void)
{
	static struct bench fresh;

	all_features(&bench, "codel", 2);
	long_run(&bench, 2, false);
	CHECK(link_waiting(bench.link) > 0);
	bench.count = 0;
	bench_apply(&bench, 5 * second);
	CHECK_EQUAL(link_waiting(bench.link), 0);
	CHECK_EQUAL(held(bench.link), 0);
	CHECK_EQUAL(bench.link->paths[0].in.packets + bench.link->flows.count
	                    + bench.link->bottlenecks[DOWN]->counters.in.packets,
	            0);
	all_features(&fresh, "codel", 2);
	bench_send(&bench, &media, DOWN, 5 * second);
	bench_send(&fresh, &media, DOWN, 0);
	bench_finish(&bench);
	bench_finish(&fresh);
	CHECK_EQUAL(bench.out[0].time_ns, fresh.out[0].time_ns + 5 * second);
	bench_close(&bench);
	bench_close(&fresh);
}

static void pool(void)
{
	struct packet *packet;
	uint32_t taken = 0;

	bench_open(&bench);
	bench.config.paths[0].delay_ns = second;
	bench_apply(&bench, 0);
	while ((packet = link_take(bench.link))) {
		fill(packet, &media);
		link_arrive(bench.link, packet, DOWN, 0);
		taken++;
	}
	CHECK_EQUAL(taken, bench.link->pool_packets);
	CHECK_EQUAL(bench.link->counters.no_room_packets, 1);
	bench_finish(&bench);
	CHECK_EQUAL(bench.count, taken);
	CHECK(link_take(bench.link));
	bench_close(&bench);
}

static void checksum(void)
{
	for (uint32_t i = 0; i < 70000; i++) {
		struct packet packet;
		struct spec spec = media;

		spec.length = 28 + i % 1400;
		spec.ecn = (enum ecn)(i % 3);
		fill(&packet, &spec);
		/* each identification occurs once, so each checksum does as well */
		packet.data[4] = (uint8_t)(i >> 8);
		packet.data[5] = (uint8_t)i;
		packet.data[10] = packet.data[11] = 0;

		uint16_t sum = header_sum(&packet);

		packet.data[10] = (uint8_t)(sum >> 8);
		packet.data[11] = (uint8_t)sum;
		packet_set_ce(&packet);
		CHECK_EQUAL(packet_ecn(&packet), ECN_CE);
		CHECK_EQUAL(header_sum(&packet), 0);
	}
}

static void headers(void)
{
	struct packet packet;

	fill(&packet, &media);
	memcpy(packet.data + 24, "abcdefgh", 8);
	CHECK(packet_parse(&packet));
	CHECK_EQUAL(packet.source, address("10.0.1.2"));
	CHECK_EQUAL(packet.protocol, 17);
	CHECK_EQUAL(packet.source_port, htons(5000));
	CHECK(memcmp(packet.transport, "abcdefgh", 8) == 0);
	packet.data[7] = 1; /* fragments other than the first have no ports */
	CHECK(packet_parse(&packet));
	CHECK_EQUAL(packet.source_port, 0);
	packet.data[7] = 0;
	packet.length = 26;
	CHECK(packet_parse(&packet));
	CHECK(memcmp(packet.transport, "ab\0\0\0\0\0\0", 8) == 0);
	packet.length = 23;
	CHECK(packet_parse(&packet));
	CHECK_EQUAL(packet.source_port, 0);
	packet.length = 1500;
	packet.data[9] = 1;
	CHECK(packet_parse(&packet));
	CHECK_EQUAL(packet.source_port, 0);
}

int main(void)
{
	test("with every feature on, at any moment: in + duplicated = lost + dropped + out + waiting, in packets and bytes",
	     conservation);
	test("the same seed and arrivals give the same departures, marks and events; another seed gives others",
	     determinism);
	test("departures and events come in order of time", order_of_departures);
	test("the events of the queue add up to its counters", events);
	test("a packet without a path passes at once, and is counted", no_path);
	test("what is no IPv4 is ignored, and counted", not_ipv4);
	test("a new configuration begins empty, at zero, with the generators at their start", reset);
	test("when every buffer is taken, that is counted; later they are there again", pool);
	test("a mark leaves the header checksum right, for every checksum", checksum);
	test("ports and what follows them are read where they are, and only there", headers);
	return tests_done("link");
}
