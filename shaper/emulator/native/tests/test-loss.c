/* SPDX-License-Identifier: MIT */
/*
 * Tests of random loss: exactly the packets that shaper/tc/loss.ts predicts are lost (predictedLosses), and
 * Gilbert-Elliott is right on average.
 */
#include "core/random.h"
#include "support.h"

static struct bench bench;

static void open_link(uint64_t seed, struct loss_config loss)
{
	bench_open(&bench);
	bench.config.seed = seed;
	for (int i = 0; i < 3; i++)
		bench.config.paths[i].loss = loss;
	bench_apply(&bench, 0);
}

static struct loss_config independent(double ratio)
{
	return (struct loss_config){ .kind = LOSS_INDEPENDENT,
		                     .where = LOSS_BEFORE,
		                     .good_loss = random_threshold(ratio) };
}

/*
 * Sends `count` packets of a flow. Writes the indices (from 0) of the lost packets, and returns their number.
 */
static uint32_t lost_of(const struct spec *spec, enum direction direction, uint32_t count, uint32_t *lost)
{
	uint32_t found = 0, before = bench.count;

	for (uint32_t k = 0; k < count; k++) {
		bench_send(&bench, spec, direction, k * us);
		if (bench.count == before)
			lost[found++] = k;
		before = bench.count;
	}
	return found;
}

static void outputs(void)
{
	CHECK(mix64(1) == 0x5692161d100b05e5ULL);
	CHECK(random_output(1, 0) == 0x910a2dec89025cc1ULL);
	CHECK(random_output(1234567, 0) == 6457827717110365317ULL);
	CHECK_EQUAL(random_threshold(0), 0);
	CHECK_EQUAL(random_threshold(0.02), 85899346);
	CHECK_EQUAL(random_threshold(0.5), 1ULL << 31);
	CHECK_EQUAL(random_threshold(1), UINT32_MAX);
	CHECK_EQUAL(random_threshold(1e-12), 0);
}

/* Indices of lost packets, computed by core/random.ts through predictedLosses. */
static const uint32_t golden_media[] = { 92,  202, 217, 287, 304, 350, 372, 424, 491, 543, 544,
	                                 583, 618, 821, 863, 879, 904, 925, 960, 965, 976 };
static const uint32_t golden_flood[] = { 281,  293,  410,  452,  498,  739,  798,  1112, 1198, 1228, 1351,
	                                 1720, 1922, 2089, 2290, 2348, 2592, 2887, 2900, 2905, 2964, 3709 };
static const uint32_t golden_echo[] = { 0, 4, 9, 12, 13, 28, 32, 34, 44, 47, 53, 54, 55, 56, 58, 59 };

static void check_golden(uint64_t seed, double ratio, const struct spec *spec, enum direction direction, uint32_t count,
                         const uint32_t *golden, uint32_t expected, uint32_t of_20000)
{
	static uint32_t lost[20000];

	open_link(seed, independent(ratio));
	CHECK_EQUAL(lost_of(spec, direction, count, lost), expected);
	for (uint32_t i = 0; i < expected; i++)
		CHECK_EQUAL(lost[i], golden[i]);
	bench_close(&bench);
	open_link(seed, independent(ratio));
	CHECK_EQUAL(lost_of(spec, direction, 20000, lost), of_20000);
	CHECK_EQUAL(bench.link->flows.count, 1);
	bench_close(&bench);
}

static void golden(void)
{
	struct spec echo = { .source = "10.0.2.2", .destination = "10.0.1.2", .length = 84, .protocol = 1 };

	check_golden(1, 0.02, &media, DOWN, 1000, golden_media, 21, 388);
	check_golden(1704381886358269, 0.005, &flood, DOWN, 4000, golden_flood, 22, 106);
	check_golden(9007199254740991, 0.3, &echo, UP, 60, golden_echo, 16, 6033);
}

static void after_the_queue(void)
{
	bench_open(&bench);
	bench_bottleneck(&bench, 1e9);
	bench.config.paths[0].loss = independent(0.02);
	bench.config.paths[0].loss.where = LOSS_AFTER;
	bench_apply(&bench, 0);
	for (uint64_t k = 0; k < 1000; k++)
		bench_send(&bench, &media, DOWN, k * ms);
	bench_finish(&bench);

	uint32_t lost = 0;

	for (uint32_t i = 0; i < bench.event_count; i++)
		if (bench.events[i].event == EVENT_DROP)
			CHECK_EQUAL(bench.event_ids[i], golden_media[lost++] + 1);
	CHECK_EQUAL(lost, 21);
	/* the packets crossed the link before the loss */
	CHECK_EQUAL(bench.link->bottlenecks[DOWN]->counters.sent.packets, 1000);
	CHECK_EQUAL(bench.count, 979);
	bench_close(&bench);
}

/*
 * Other traffic and features do not change the losses of a flow: other flows, ports, jitter, reordering,
 * duplicates of other packets.
 */
static void independence(void)
{
	static uint32_t lost[1000];
	struct spec other_port = media, other_protocol = media;
	uint32_t found = 0;

	other_protocol.protocol = 6;

	bench_open(&bench);
	for (int i = 0; i < 3; i++) {
		bench.config.paths[i].loss = independent(0.02);
		bench.config.paths[i].jitter_max_ns = 5 * ms;
		bench.config.paths[i].reorder = random_threshold(0.1);
		bench.config.paths[i].reorder_delay_ns = ms;
	}
	bench.config.paths[1].duplicate = random_threshold(0.5);
	bench_apply(&bench, 0);
	for (uint32_t k = 0; k < 1000; k++) {
		uint64_t before = bench.link->paths[0].lost.packets;

		other_port.port = (uint16_t)(4000 + k);
		bench_send(&bench, &other_port, DOWN, k * us);
		if (bench.link->paths[0].lost.packets != before)
			lost[found++] = k;
		if (k % 3)
			bench_send(&bench, &flood, DOWN, k * us);
		if (k % 5)
			bench_send(&bench, &other_protocol, DOWN, k * us);
	}
	CHECK_EQUAL(found, 21);
	for (uint32_t i = 0; i < found; i++)
		CHECK_EQUAL(lost[i], golden_media[i]);
	bench_finish(&bench);
	bench_close(&bench);
}

/*
 * Probabilities: to bad .01, to good .3, loss in bad .5. The state is bad for 1/31 of the time, the mean loss
 * is 1.613 %, and a bad period lasts 1/.3 packets.
 */
static void gilbert_elliott(void)
{
	static uint32_t lost[400000];
	const uint32_t count = 400000;

	open_link(3, (struct loss_config){ .kind = LOSS_GILBERT_ELLIOTT,
	                                   .where = LOSS_BEFORE,
	                                   .good_loss = 0,
	                                   .bad_loss = random_threshold(0.5),
	                                   .to_bad = random_threshold(0.01),
	                                   .to_good = random_threshold(0.3) });

	uint32_t found = lost_of(&media, DOWN, count, lost), bursts = 0;

	for (uint32_t i = 0; i < found; i++)
		bursts += i == 0 || lost[i] != lost[i - 1] + 1;
	CHECK_NEAR((double)found / count, 0.01613, 0.0006);
	/* a burst continues with .7 (still bad) times .5 (lost): mean length 1 / (1 - .35) packets */
	CHECK_NEAR((double)found / bursts, 1 / (1 - 0.35), 0.04);
	bench_close(&bench);
}

/*
 * If every packet in the bad state is lost, the bursts of losses are the bad periods, and their length is that
 * of Gilbert's model.
 */
static void bursts(void)
{
	static uint32_t lost[400000];
	const uint32_t count = 400000;

	open_link(4, (struct loss_config){ .kind = LOSS_GILBERT_ELLIOTT,
	                                   .where = LOSS_BEFORE,
	                                   .bad_loss = UINT32_MAX,
	                                   .to_bad = random_threshold(0.005),
	                                   .to_good = random_threshold(0.2) });

	uint32_t found = lost_of(&media, DOWN, count, lost), runs = 0;

	for (uint32_t i = 0; i < found; i++)
		runs += i == 0 || lost[i] != lost[i - 1] + 1;
	CHECK_NEAR((double)found / runs, 5, 0.25);
	CHECK_NEAR((double)found / count, 0.005 / 0.205, 0.002);
	bench_close(&bench);
}

/* Output 2k decides the loss of packet k in the present state, output 2k+1 the next state. */
static void gilbert_elliott_outputs(void)
{
	static uint32_t lost[2000];
	const uint32_t to_bad = random_threshold(0.1), to_good = random_threshold(0.4),
		       bad_loss = random_threshold(0.7), good_loss = random_threshold(0.05);
	uint64_t generator = random_generator(5, address("10.0.1.2"), address("10.0.2.2"), 17);
	bool bad = false;
	uint32_t at = 0;

	open_link(5, (struct loss_config){ .kind = LOSS_GILBERT_ELLIOTT,
	                                   .where = LOSS_BEFORE,
	                                   .good_loss = good_loss,
	                                   .bad_loss = bad_loss,
	                                   .to_bad = to_bad,
	                                   .to_good = to_good });

	uint32_t found = lost_of(&media, DOWN, 2000, lost);

	for (uint32_t k = 0; k < 2000; k++) {
		if ((uint32_t)(random_output(generator, 2 * k) >> 32) < (bad ? bad_loss : good_loss)) {
			CHECK(at < found);
			CHECK_EQUAL(lost[at++], k);
		}
		if ((uint32_t)(random_output(generator, 2 * k + 1) >> 32) < (bad ? to_good : to_bad))
			bad = !bad;
	}
	CHECK_EQUAL(at, found);
	bench_close(&bench);
}

static void counters(void)
{
	open_link(1, independent(0.02));
	for (uint32_t k = 0; k < 1000; k++)
		bench_send(&bench, &media, DOWN, k * us);
	for (uint32_t i = 0; i < FLOW_SLOTS; i++) {
		const struct flow *flow = &bench.link->flows.slots[i];

		if (!flow->used)
			continue;
		CHECK_EQUAL(flow->packets, 1000);
		CHECK_EQUAL(flow->bytes, 1000 * 1514);
		CHECK_EQUAL(flow->lost_packets, 21);
		CHECK_EQUAL(flow->lost_bytes, 21 * 1514);
	}
	CHECK_EQUAL(bench.link->flows.count, 1);
	bench_close(&bench);
}

static void many_flows(void)
{
	open_link(1, independent(1));
	for (uint32_t k = 0; k < 2000; k++) {
		char destination[32];
		struct spec spec = media;

		snprintf(destination, sizeof(destination), "10.0.%u.%u", 2 + k / 250, 2 + k % 250);
		spec.destination = destination;
		bench_send(&bench, &spec, DOWN, k * us);
	}
	CHECK_EQUAL(bench.link->flows.count, FLOWS_MAX);
	CHECK_EQUAL(bench.link->paths[0].lost.packets, FLOWS_MAX);
	CHECK_EQUAL(bench.count, 2000 - FLOWS_MAX);
	bench_close(&bench);

	/* packets with the same addresses but another protocol, or on another path, are another flow */
	open_link(1, independent(0));
	for (int protocol = 0; protocol < 256; protocol++) {
		struct spec spec = media;

		spec.protocol = (uint8_t)protocol;
		bench_send(&bench, &spec, DOWN, 0);
		spec.destination = "10.0.1.2";
		bench_send(&bench, &spec, DOWN, 0);
		bench_send(&bench, &spec, UP, 0);
	}
	CHECK_EQUAL(bench.link->flows.count, 3 * 256);
	bench_close(&bench);
}

int main(void)
{
	test("the generator is splitmix64, and thresholds are those of the kernel's classifier", outputs);
	test("exactly the predicted packets are lost, for any seed, direction and protocol", golden);
	test("so they are after the queue", after_the_queue);
	test("ports, other flows and protocols, jitter, reordering and duplication do not change which are lost",
	     independence);
	test("Gilbert-Elliott: mean loss and length of bursts are those of the theory", gilbert_elliott);
	test("Gilbert: bursts are as long as the stays in the bad state", bursts);
	test("Gilbert-Elliott: two outputs a packet, loss first, starting good", gilbert_elliott_outputs);
	test("each flow counts what met the loss", counters);
	test("flows beyond the table pass", many_flows);
	return tests_done("loss");
}
