/* SPDX-License-Identifier: MIT */
/* Parts of the state machine on hand-made numbers. */
#include <string.h>
#include "simulation.h"
#include "testing.h"

static struct bbr3 model(u64 bits, u32 min_rtt_us)
{
	struct bbr3 b = { .min_rtt = min_rtt_us, .send_quantum = 2, .initial_cwnd = 10, .cwnd_gain = 200 };

	b.bw = b.max_bw = (bits << 20) / 1000000 * (1 << (BBR3_BW_SHIFT - 20)) / (8 * SMSS);
	b.bw_shortterm = BBR3_INFINITE64;
	b.inflight_longterm = b.inflight_shortterm = BBR3_INFINITE32;
	return b;
}

static void holds_every_rate(void)
{
	struct bbr3_connection c = { .smss = SMSS };
	static const struct {
		u64 bits;
		u32 min_rtt, bdp;
	} rates[] = { { 64000, 1000000, 6 },
		      { 40000000, 40000, 139 },
		      { 10000000000, 1000000, 863260 },
		      { 100000000000, 100000, 863260 } };

	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		struct bbr3 b = model(rates[i].bits, rates[i].min_rtt);

		CHECK_BETWEEN(bbr3_bytes_per_second(&c, b.bw, 100) * 8, 0.998 * (double)rates[i].bits,
		              1.001 * (double)rates[i].bits);
		CHECK_BETWEEN(bbr3_bytes_per_second(&c, b.bw, 277) * 8, 2.76 * (double)rates[i].bits,
		              2.78 * (double)rates[i].bits);
		CHECK_BETWEEN(bbr3_bdp_multiple(&b, b.bw, 100), 0.998 * rates[i].bdp, 1.001 * rates[i].bdp + 1);
		CHECK_BETWEEN(bbr3_bdp_multiple(&b, b.bw, 225), 2.24 * rates[i].bdp - 2, 2.26 * rates[i].bdp + 1);
	}
}

/* 5.6.1: the table */
static void has_the_gains_of_the_table(void)
{
	static const struct {
		u32 state, pacing, cwnd;
	} table[] = {
		{ BBR3_STARTUP, 277, 200 },  { BBR3_DRAIN, 50, 200 },   { BBR3_DOWN, 90, 200 },
		{ BBR3_CRUISE, 100, 200 },   { BBR3_REFILL, 100, 200 }, { BBR3_UP, 125, 225 },
		{ BBR3_PROBE_RTT, 100, 50 },
	};
	struct simulation *s = simulation_new(
		(struct path){ .bits_per_second = 40000000, .round_trip = 40 * MS, .queue_packets = 1000 });

	simulation_run(s, 12 * SECOND);
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		u32 seen = 0;

		for (u32 j = 0; j < s->logged; j++) {
			if (s->log[j].to != table[i].state)
				continue;
			CHECK_EQUAL(s->log[j].b.pacing_gain, table[i].pacing);
			CHECK_EQUAL(s->log[j].b.cwnd_gain, table[i].cwnd);
			seen++;
		}
		CHECK(seen > 0);
	}
	simulation_free(s);
}

static void bounds_the_window_by_state(void)
{
	struct bbr3 b = model(40000000, 40000);
	struct bbr3_connection c;

	b.inflight_longterm = 100;
	static const u32 caps[] = { [BBR3_STARTUP] = 500, [BBR3_DRAIN] = 500, [BBR3_DOWN] = 100,    [BBR3_CRUISE] = 85,
		                    [BBR3_REFILL] = 100,  [BBR3_UP] = 100,    [BBR3_PROBE_RTT] = 85 };

	for (u32 state = BBR3_STARTUP; state <= BBR3_PROBE_RTT; state++) {
		b.state = state;
		c.cwnd = 500;
		bbr3_bound_cwnd_for_model(&b, &c);
		CHECK_EQUAL(c.cwnd, caps[state]);
	}
	b.inflight_shortterm = 2;
	c.cwnd = 500;
	bbr3_bound_cwnd_for_model(&b, &c);
	CHECK_EQUAL(c.cwnd, BBR3_MIN_PIPE_CWND);
	b.inflight_longterm = 3;
	CHECK_EQUAL(bbr3_inflight_with_headroom(&b), BBR3_MIN_PIPE_CWND);
}

/* 5.5.10.2: at which volume did losses cross 2 percent? */
static void finds_the_inflight_at_loss(void)
{
	struct bbr3_sample rs = { .tx_in_flight = 100, .lost = 3 };

	CHECK_EQUAL(bbr3_inflight_at_loss(&rs, 1), 99); /* two of 99 were too many already */
	rs.lost = 10;
	CHECK_EQUAL(bbr3_inflight_at_loss(&rs, 10), 91); /* 90 + (0.02 x 90 - 0) / 0.98 */
	rs = (struct bbr3_sample){ .tx_in_flight = 1000, .lost = 40 };
	CHECK_EQUAL(bbr3_inflight_at_loss(&rs, 40), 960 + 19); /* 19.2 / 0.98 */
	rs = (struct bbr3_sample){ .tx_in_flight = 3, .lost = 8 };
	CHECK_EQUAL(bbr3_inflight_at_loss(&rs, 8), 0);
}

static void judges_the_loss_rate(void)
{
	struct bbr3_connection c = { .has_selective_acks = true };
	struct bbr3_sample rs = { .tx_in_flight = 100, .lost = 2 };

	CHECK(!bbr3_is_inflight_too_high(&c, &rs));
	rs.lost = 3;
	CHECK(bbr3_is_inflight_too_high(&c, &rs));
	rs.tx_in_flight = 0; /* not known */
	CHECK(!bbr3_is_inflight_too_high(&c, &rs));
	c.has_selective_acks = false;
	CHECK(bbr3_is_inflight_too_high(&c, &rs));
	rs.lost = 0;
	CHECK(!bbr3_is_inflight_too_high(&c, &rs));
}

/* 5.5.6 */
static void remembers_two_cycles(void)
{
	struct bbr3 b = { .next_round_delivered = 0 };
	struct bbr3_connection c = { .delivered = 10 };
	struct bbr3_sample rs = { .delivery_rate = 500, .has_data = true };

	bbr3_update_max_bw(&b, &c, &rs);
	bbr3_advance_max_bw_filter(&b);
	rs.delivery_rate = 300;
	bbr3_update_max_bw(&b, &c, &rs);
	CHECK_EQUAL(b.max_bw, 500);
	bbr3_advance_max_bw_filter(&b);
	CHECK_EQUAL(b.max_bw, 300);
	bbr3_advance_max_bw_filter(&b); /* nothing was measured in this cycle */
	CHECK_EQUAL(b.max_bw, 300);
	rs = (struct bbr3_sample){ .delivery_rate = 200, .has_data = true, .is_app_limited = true };
	bbr3_update_max_bw(&b, &c, &rs);
	CHECK_EQUAL(b.max_bw, 300);
	rs.delivery_rate = 400;
	bbr3_update_max_bw(&b, &c, &rs);
	CHECK_EQUAL(b.max_bw, 400);
}

static void counts_rounds_past_the_wrap(void)
{
	struct bbr3 b = { 0 };
	struct bbr3_connection c = { .delivered = 0xfffffff0u };
	struct bbr3_sample rs = { .has_data = true };

	bbr3_init_round_counting(&b, &c);
	for (u32 round = 1; round <= 5; round++) {
		rs.prior_delivered = c.delivered;
		c.delivered += 10;
		bbr3_update_round(&b, &c, &rs);
		CHECK(b.round_start);
		CHECK_EQUAL(b.round_count, round);
		rs.prior_delivered = c.delivered - 1;
		bbr3_update_round(&b, &c, &rs);
		CHECK(!b.round_start);
	}
}

/* 4.1.2.4: packets sent from the first mark until the marked index has been delivered, and no others */
static void marks_app_limited_packets(void)
{
	struct bbr3 b = { 0 };
	struct bbr3_connection c = { .delivered = 1000, .inflight = 50 };
	struct bbr3_sample rs = { .has_data = true };

	bbr3_mark_app_limited(&b, &c);
	c.delivered = 1030;
	c.inflight = 40;
	bbr3_mark_app_limited(&b, &c);
	static const struct {
		u32 sent;
		bool limited;
	} packets[] = {
		{ 999, false }, { 1000, true }, { 1069, true }, { 1070, true }, { 1071, false }, { 1050, false }
	};

	for (size_t i = 0; i < sizeof(packets) / sizeof(*packets); i++) {
		rs.prior_delivered = packets[i].sent;
		CHECK_EQUAL(bbr3_is_marked_app_limited(&b, &rs), packets[i].limited);
	}
}

/* How many were exact, or how much all were off by on average. */
static double ring_ratio(u32 loss_per_mille, u64 bits, bool error)
{
	struct simulation *s = simulation_new((struct path){ .bits_per_second = bits,
	                                                     .round_trip = 40 * MS,
	                                                     .queue_packets = 5000,
	                                                     .loss_per_mille = loss_per_mille });
	double ratio;

	simulation_run(s, 11 * SECOND);
	CHECK(s->ring_samples > 1000);
	ratio = (error ? s->ring_error : s->ring_exact) / s->ring_samples;
	simulation_free(s);
	return ratio;
}

/* against the truth that the simulated transport keeps with every packet */
static void ring_tells_the_inflight(void)
{
	CHECK_BETWEEN(ring_ratio(0, 20000000, false), 0.999, 1);
	CHECK_BETWEEN(ring_ratio(10, 20000000, false), 0.93, 1);
	/* where neighbours share an entry it is near, not exact: windows of 700 and 1400 packets, each acknowledged by
	 * itself */
	CHECK_BETWEEN(ring_ratio(0, 100000000, true), 0, 0.02);
	CHECK_BETWEEN(ring_ratio(0, 200000000, true), 0, 0.02);
	CHECK_BETWEEN(ring_ratio(10, 100000000, true), 0, 0.03);
}

static void ring_shares_entries_when_windows_are_large(void)
{
	struct bbr3_ring ring = { .shift = 0 };
	u32 tx_in_flight = 0, lost = 0, found = 0;

	for (u32 delivered = 0; delivered < 100000; delivered++) {
		bbr3_ring_close(&ring, 20000);
		bbr3_ring_open(&ring, delivered, 7, 19999, delivered * SMSS, 20000);
	}
	CHECK_EQUAL(ring.shift, 7); /* 20000 >> 7 is 156 of 256 entries */
	for (u32 delivered = 80000; delivered < 99900; delivered++) {
		struct bbr3_sent_packet packet = { .delivered = delivered, .end_sequence = (delivered + 1) * SMSS };

		found += bbr3_ring_find(&ring, &packet, SMSS, &tx_in_flight, &lost) && tx_in_flight <= 20000
		         && lost == 7;
	}
	CHECK_BETWEEN(found, 19000, 19900);
}

/* The state is saved once for an episode, though its pseudocode would save it again in its second round */
static void saves_state_once_an_episode(void)
{
	struct bbr3 b = model(40000000, 40000);
	struct bbr3_connection c = { .cwnd = 200, .has_selective_acks = true };

	b.inflight_longterm = 300;
	bbr3_save_state_upon_loss(&b, &c);
	c.in_fast_recovery = true;
	bbr3_note_loss(&b, &c);
	b.is_loss_in_round = false;
	b.inflight_longterm = 100;
	bbr3_note_loss(&b, &c);
	CHECK_EQUAL(b.undo_inflight_longterm, 300);
	CHECK_EQUAL(b.prior_cwnd, 200);
}

static void computes_the_quantum(void)
{
	struct bbr3 b = { 0 };
	struct bbr3_connection c = { .smss = SMSS };
	static const struct {
		u64 rate;
		u32 quantum;
	} rates[] = { { 8000, 2 }, { 5000000, 3 }, { 25000000, 17 }, { 1250000000, 45 } };

	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		c.pacing_rate = rates[i].rate;
		bbr3_set_send_quantum(&b, &c);
		CHECK_EQUAL(b.send_quantum, rates[i].quantum);
	}
}

/* 40 Mbit/s: what the Reno-coexistence bound counts is the BDP by the draft, and the BDP with the budget in Google's
 * kernel */
static void counts_the_budget_of_the_kernel(void)
{
	static const struct {
		u32 min_rtt, bdp, kernel_quantum, kernel_target;
	} paths[] = { { 300, 2, 45, 135 }, { 511, 2, 45, 135 }, { 512, 2, 26, 78 },
		      { 1200, 5, 14, 42 }, { 2600, 9, 4, 12 },  { 20000, 70, 3, 70 } };
	struct bbr3_connection c = { .smss = SMSS, .cwnd = 1000, .pacing_rate = 5000000 };

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		struct bbr3 b = model(40000000, paths[i].min_rtt);

		bbr3_set_send_quantum(&b, &c);
		CHECK_EQUAL(b.send_quantum, 3);
		CHECK_EQUAL(bbr3_target_inflight(&b, &c), paths[i].bdp);
		b.has_kernel_budget = true;
		bbr3_set_send_quantum(&b, &c);
		CHECK_EQUAL(b.send_quantum, paths[i].kernel_quantum);
		CHECK_EQUAL(bbr3_target_inflight(&b, &c), paths[i].kernel_target);
	}
	struct bbr3 b = model(40000000, BBR3_INFINITE32);

	b.has_kernel_budget = true;
	bbr3_set_send_quantum(&b, &c);
	CHECK_EQUAL(b.send_quantum, 3);
}

/* 2.12: extra_acked_delivered counts since extra_acked_interval_start; 5.4.1 restarts only the latter */
static void starts_the_count_of_aggregation_anew(void)
{
	struct bbr3 b = model(40000000, 400);
	struct bbr3_connection c = { .now = 1000000, .cwnd = 400, .smss = SMSS, .app_limited = true };
	struct bbr3_sample rs = { .newly_acked = 1 };

	b.state = BBR3_PROBE_RTT;
	b.idle_restart = true; /* so that there is no event, which would need a simulation */
	b.extra_acked_delivered = 600;
	bbr3_handle_restart_from_idle(&b, &c);
	CHECK_EQUAL(b.extra_acked_interval_start, c.now);
	CHECK_EQUAL(b.extra_acked_delivered, 0);
	c.now += 400;
	bbr3_update_ack_aggregation(&b, &c, &rs);
	CHECK_EQUAL(b.extra_acked, 1);
}

/* 4.1.2.3: the mark of ProbeRTT holds until more has been delivered than was sent when it was set */
static void restarts_while_the_mark_holds(void)
{
	struct bbr3 b = model(40000000, 400);
	struct bbr3_connection c = { .now = 1000000, .cwnd = 4, .delivered = 100, .inflight = 4, .smss = SMSS };

	b.state = BBR3_CRUISE;
	bbr3_mark_app_limited(&b, &c);
	c.inflight = 0;
	c.delivered = 105;
	b.idle_restart = true; /* so that there is no event, which would need a simulation */
	bbr3_handle_restart_from_idle(&b, &c);
	CHECK_EQUAL(b.extra_acked_interval_start, 0);
	c.delivered = 104;
	bbr3_handle_restart_from_idle(&b, &c);
	CHECK_EQUAL(b.extra_acked_interval_start, c.now);
}

static void cuts_the_window_without_news(void)
{
	struct bbr3 b = model(40000000, 40000);
	struct bbr3_connection c = { .smss = SMSS, .cwnd = 1000, .cwnd_clamp = 2000 };
	struct bbr3_sample rs = { .newly_acked = 0 };

	b.full_bw_reached = true;
	b.state = BBR3_REFILL;
	bbr3_set_cwnd(&b, &c, &rs);
	CHECK_EQUAL(c.cwnd, b.max_inflight);
	c.cwnd = 100;
	bbr3_set_cwnd(&b, &c, &rs);
	CHECK_EQUAL(c.cwnd, 100);
}

const struct test_case part_cases[] = {
	{ "part: every rate from 64 kbit/s to 100 Gbit/s", holds_every_rate },
	{ "part: the gains of the table", has_the_gains_of_the_table },
	{ "part: the window's bound in each state", bounds_the_window_by_state },
	{ "part: the inflight at which losses crossed the threshold", finds_the_inflight_at_loss },
	{ "part: the loss rate", judges_the_loss_rate },
	{ "part: the bandwidth of two cycles", remembers_two_cycles },
	{ "part: rounds past the wrap of the counter", counts_rounds_past_the_wrap },
	{ "part: packets that are application-limited", marks_app_limited_packets },
	{ "part: the ring against the truth", ring_tells_the_inflight },
	{ "part: the ring with large windows", ring_shares_entries_when_windows_are_large },
	{ "part: state saved once an episode", saves_state_once_an_episode },
	{ "part: the send quantum", computes_the_quantum },
	{ "part: the budget of Google's kernel", counts_the_budget_of_the_kernel },
	{ "part: the count of aggregation after a restart from idle", starts_the_count_of_aggregation_anew },
	{ "part: a restart from idle while the mark of ProbeRTT holds", restarts_while_the_mark_holds },
	{ "part: the window cut by an acknowledgment without news", cuts_the_window_without_news },
	{ 0 },
};
