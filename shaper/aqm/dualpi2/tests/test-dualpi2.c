/* SPDX-License-Identifier: MIT */
/* Tests of DualPI2: update, coupling, marking, scheduler (RFC 9332 appendix A). */
#include "../dualpi2.c"
#include "support.h"

static struct queue_config config;
static struct queue_bench bench;
static struct dualpi2 *dual;
static struct spec l4s, classic;

static void open_queue(double base_probability)
{
	l4s = classic = media;
	l4s.ecn = ECN_ECT1;
	queue_open(&bench, &config, 0, 5000);
	dual = (struct dualpi2 *)bench.queue;
	dual->update_at_ns = NEVER;
	dual->base_probability = base_probability;
	dual->coupled_probability = fmin(2 * base_probability, 1);
	dual->classic_probability = base_probability * base_probability;
}

static struct packet *take(uint64_t now_ns)
{
	return bench.queue->config.discipline->dequeue(bench.queue, now_ns);
}

/* Update computed by hand: alpha = 0.1 Tupdate / RTT_max^2 = 0.15 Hz, beta = 0.3 / RTT_max = 3 Hz. */
static void by_hand(void)
{
	open_queue(0.1);
	CHECK_NEAR(dual->alpha_hz, 0.15, 1e-12);
	CHECK_NEAR(dual->beta_hz, 3, 1e-12);
	queue_send(&bench, &classic, 0);
	dual->delay_old_s = 0.010;
	update(dual, 20 * ms);
	CHECK_NEAR(dual->base_probability, 0.1 + 0.15 * 0.005 + 3 * 0.010, 1e-12);
	CHECK_NEAR(dual->coupled_probability, 2 * 0.13075, 1e-12);
	CHECK_NEAR(dual->classic_probability, 0.13075 * 0.13075, 1e-12);
	update(dual, 20 * ms);
	CHECK_NEAR(dual->base_probability, 0.13075 + 0.15 * 0.005, 1e-12);
	take(20 * ms);
	dual->base_probability = 0.001;
	update(dual, 35 * ms);
	CHECK_NEAR(dual->base_probability, 0, 0);
	queue_close(&bench);
}

/* PI2 uses the longer delay of the two queues, so it also reacts to an overload of low-latency traffic alone. */
static void longer_queue(void)
{
	open_queue(0);
	queue_send(&bench, &l4s, 0);
	queue_send(&bench, &classic, 30 * ms);
	dual->delay_old_s = 0.040;
	update(dual, 40 * ms);
	CHECK_NEAR(dual->base_probability, 0.15 * 0.025, 1e-12);
	queue_close(&bench);
}

/* With p' = 0.2, 4 % of the classic packets are dropped and 40 % of the L4S packets are marked. */
static void coupling(void)
{
	open_queue(0.2);
	for (int i = 0; i < 1000; i++) {
		queue_send(&bench, &classic, 0);
		take(0);
	}
	CHECK_NEAR(bench.aqm, 40, 1);
	CHECK_EQUAL(bench.marked, 0);
	bench.aqm = 0;
	for (int i = 0; i < 1000; i++) {
		queue_send(&bench, &l4s, 0);
		take(0);
	}
	CHECK_NEAR(bench.marked, 400, 1);
	CHECK_EQUAL(bench.aqm, 0);
	queue_close(&bench);
}

static void classic_ecn(void)
{
	struct spec ect0;

	open_queue(0.2);
	ect0 = classic;
	ect0.ecn = ECN_ECT0;
	for (int i = 0; i < 1000; i++) {
		queue_send(&bench, &ect0, 0);
		CHECK_EQUAL(dual->classic.list.packets, 1);
		take(0);
	}
	CHECK_NEAR(bench.marked, 40, 1);
	CHECK_EQUAL(bench.aqm, 0);
	queue_close(&bench);
}

/*
 * Ramp of the native marking: no marks up to 800 us, half of the packets at 1000 us, all from 1200 us; never
 * the only packet in the queue.
 */
static void native_marking(void)
{
	static const struct {
		uint64_t waited_us;
		uint32_t marked;
	} cases[] = { { 800, 0 }, { 900, 250 }, { 1000, 500 }, { 1200, 999 }, { 5000, 999 } };

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		open_queue(0);
		for (int i = 0; i < 1001; i++)
			queue_send(&bench, &l4s, 0);
		for (int i = 0; i < 1000; i++)
			take(cases[c].waited_us * us);
		CHECK_NEAR(bench.marked, cases[c].marked, 1);
		uint32_t before = bench.marked;

		take(5 * ms);
		CHECK_EQUAL(bench.marked, before);
		CHECK_EQUAL(bench.aqm, 0);
		queue_close(&bench);
	}
}

/* Without a range the ramp is the step of Linux: no mark up to the threshold, and all packets above it. */
static void step_marking(void)
{
	static const struct {
		uint64_t waited_us;
		uint32_t marked;
	} cases[] = { { 999, 0 }, { 1000, 0 }, { 1001, 999 }, { 5000, 999 } };

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		open_queue(0);
		dual->config.ramp_from_ns = 1000 * us;
		dual->config.ramp_range_ns = 0;
		for (int i = 0; i < 1001; i++)
			queue_send(&bench, &l4s, 0);
		for (int i = 0; i < 1000; i++)
			take(cases[c].waited_us * us);
		CHECK_NEAR(bench.marked, cases[c].marked, 1);
		CHECK_EQUAL(bench.aqm, 0);
		queue_close(&bench);
	}
}

/*
 * The coupling law over its whole range: p_C = p'^2 and p_CL = k p', so p_C = (p_CL / k)^2 (RFC 9332 equation 1)
 * as long as p_CL is below 1.
 */
static void coupling_law(void)
{
	for (int percent = 5; percent < 50; percent += 5) {
		double base = percent / 100.0, marked, dropped;

		open_queue(base);
		for (int i = 0; i < 2000; i++) {
			queue_send(&bench, &l4s, 0);
			take(0);
		}
		for (int i = 0; i < 2000; i++) {
			queue_send(&bench, &classic, 0);
			take(0);
		}
		marked = bench.marked / 2000.0;
		dropped = bench.aqm / 2000.0;
		CHECK_NEAR(marked, 2 * base, 0.002);
		CHECK_NEAR(dropped, marked * marked / 4, 0.002);
		queue_close(&bench);
	}
}

/* With p' = 0.6, p_CL is 1 and p_C 0.36, above 1/k^2: ECN-capable packets are dropped as well. */
static void overload(void)
{
	struct spec ect0;
	uint32_t dropped;

	open_queue(0.6);
	ect0 = classic;
	ect0.ecn = ECN_ECT0;
	for (int i = 0; i < 1000; i++) {
		queue_send(&bench, &l4s, 0);
		take(0);
	}
	dropped = bench.aqm;
	CHECK(dropped > 200 && bench.marked > 500 && dropped + bench.marked <= 1000);
	bench.marked = 0;
	for (int i = 0; i < 1000; i++) {
		queue_send(&bench, &ect0, 0);
		take(0);
	}
	CHECK_NEAR(bench.aqm - dropped, 360, 1);
	CHECK_EQUAL(bench.marked, 0);
	queue_close(&bench);
}

static void scheduler(void)
{
	uint32_t from_classic = 0;

	open_queue(0);
	for (int i = 0; i < 2000; i++) {
		queue_send(&bench, &l4s, 0);
		queue_send(&bench, &classic, 0);
	}
	for (int i = 0; i < 1000; i++)
		from_classic += packet_ecn(take(0)) == ECN_NONE;
	CHECK_NEAR(from_classic, 100, 1);
	while (dual->low_latency.list.packets > 0)
		take(0);
	/* a queue that sends alone neither gains nor loses credit */
	for (int i = 0; i < 500; i++)
		take(0);
	from_classic = 0;
	for (int i = 0; i < 200; i++)
		queue_send(&bench, &l4s, 0);
	for (int i = 0; i < 100; i++)
		from_classic += packet_ecn(take(0)) == ECN_NONE;
	CHECK_NEAR(from_classic, 10, 1);
	queue_close(&bench);
}

static void order(void)
{
	open_queue(0);
	for (int i = 0; i < 20; i++)
		queue_send(&bench, i % 2 ? &l4s : &classic, 0);

	uint64_t last[2] = { 0, 0 };
	struct packet *packet;

	while ((packet = take(0))) {
		uint64_t *before = &last[packet_ecn(packet) == ECN_ECT1];

		CHECK(packet->id > *before);
		*before = packet->id;
	}
	queue_close(&bench);
}

int main(void)
{
	config = managed("dualpi2");
	config.ecn = true;
	test("the base probability changes as worked out by hand, and both others follow from it", by_hand);
	test("the longer of both queues counts", longer_queue);
	test("classic drops with the square, low-latency marks with twice the base probability", coupling);
	test("ECT(0) goes to the classic queue and is marked instead of dropped", classic_ecn);
	test("the native marking is a ramp over the waiting time, and spares a packet that is alone", native_marking);
	test("without a range the native marking is a step", step_marking);
	test("the drops of classic traffic follow the marks of L4S by the square law", coupling_law);
	test("in overload both queues drop", overload);
	test("the low-latency queue goes first, the classic queue keeps its share, and credit is not saved up",
	     scheduler);
	test("each queue is first in, first out", order);
	return tests_done("dualpi2");
}
