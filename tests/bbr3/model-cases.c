/* SPDX-License-Identifier: MIT */
/* Steps of the draft's pseudocode on hand-made numbers; what is expected is written out, not computed from the
 * constants. */
#include "simulation.h"
#include "testing.h"

/* 10 packets per ms and a min_rtt of 10 ms: a BDP of 100 packets. */
static struct bbr3 model(void)
{
	return (struct bbr3){
		.max_bw = (1ull << BBR3_BW_SHIFT) / 100,
		.bw = (1ull << BBR3_BW_SHIFT) / 100,
		.min_rtt = 10000,
		.send_quantum = 2,
		.initial_cwnd = 10,
		.bw_shortterm = BBR3_INFINITE64,
		.inflight_shortterm = BBR3_INFINITE32,
		.inflight_longterm = BBR3_INFINITE32,
		.full_bw_reached = true,
		.pacing_gain = 100,
		.cwnd_gain = 200,
		.state = BBR3_CRUISE,
		.has_seen_rtt = true,
	};
}

/* For transitions, which are told of: a log to tell them to. */
static struct simulation *log_only(void)
{
	return simulation_new((struct path){ .bits_per_second = 1000000, .round_trip = MS, .queue_packets = 10 });
}

static void has_the_constants_of_the_draft(void)
{
	CHECK_EQUAL(BBR3_STARTUP_PACING_GAIN, 277);
	CHECK_EQUAL(BBR3_LOSS_THRESH, 2);
	CHECK_EQUAL(BBR3_BETA, 70);
	CHECK_EQUAL(BBR3_HEADROOM, 15);
	CHECK_EQUAL(BBR3_MIN_PIPE_CWND, 4);
	CHECK_EQUAL(BBR3_STARTUP_FULL_LOSS_CNT, 6);
	CHECK_EQUAL(BBR3_FULL_BW_GROWTH, 125);
	CHECK_EQUAL(BBR3_FULL_BW_COUNT, 3);
	CHECK_EQUAL(BBR3_DRAIN_MAX_ROUNDS, 3);
	CHECK_EQUAL(BBR3_EXTRA_ACKED_FILTER_LEN, 10);
	CHECK_EQUAL(BBR3_RENO_MAX_ROUNDS, 63);
	CHECK_EQUAL(BBR3_MIN_RTT_FILTER_LEN, 10000000);
	CHECK_EQUAL(BBR3_PROBE_RTT_INTERVAL, 5000000);
	CHECK_EQUAL(BBR3_PROBE_RTT_DURATION, 200000);
}

static void paces_below_the_bandwidth(void)
{
	struct bbr3 b = model();
	struct bbr3_connection c = { .smss = 1000, .srtt = 10000 };

	bbr3_set_pacing_rate(&b, &c);
	CHECK_BETWEEN(c.pacing_rate, 9899000, 9900000); /* 0.99 of 10 MB/s */
	b.pacing_gain = 125;
	bbr3_set_pacing_rate(&b, &c);
	CHECK_BETWEEN(c.pacing_rate, 12374000, 12375000);
	b.full_bw_reached = false;
	b.pacing_gain = 100;
	bbr3_set_pacing_rate(&b, &c);
	CHECK_BETWEEN(c.pacing_rate, 12374000, 12375000); /* before the pipe is full it only rises */
	c.cwnd = 10;
	c.srtt = 0;
	bbr3_init_pacing_rate(&b, &c);
	CHECK_EQUAL(c.pacing_rate, 27700000); /* 2.77 x 10 kB in 1 ms */
	c.srtt = 20000;
	bbr3_set_pacing_rate(&b, &c); /* the first RTT sample: 2.77 x 10 kB in 20 ms, less than bw */
	CHECK_BETWEEN(c.pacing_rate, 9899000, 9900000);
}

static void adds_up_the_window(void)
{
	struct bbr3 b = model();

	CHECK_EQUAL(bbr3_inflight(&b, b.bw), 100);
	b.state = BBR3_UP;
	CHECK_EQUAL(bbr3_inflight(&b, b.bw), 102);
	b.state = BBR3_CRUISE;
	b.send_quantum = 45;
	CHECK_EQUAL(bbr3_inflight(&b, b.bw), 135);
	b.send_quantum = 2;
	b.extra_acked = 17;
	bbr3_update_max_inflight(&b);
	CHECK_EQUAL(b.max_inflight, 217);
	b.min_rtt = BBR3_INFINITE32;
	CHECK_EQUAL(bbr3_bdp_multiple(&b, b.bw, 200), 10);
}

static void grows_the_window_by_what_is_acknowledged(void)
{
	struct bbr3 b = model();
	struct bbr3_connection c = { .cwnd = 150, .cwnd_clamp = 1000, .delivered = 5000 };
	struct bbr3_sample rs = { .newly_acked = 3 };

	bbr3_set_cwnd(&b, &c, &rs);
	CHECK_EQUAL(c.cwnd, 153);
	c.cwnd = 500;
	bbr3_set_cwnd(&b, &c, &rs);
	CHECK_EQUAL(c.cwnd, 200); /* cut at once */
	b.full_bw_reached = false;
	c.cwnd = 500;
	bbr3_set_cwnd(&b, &c, &rs);
	CHECK_EQUAL(c.cwnd, 500); /* not before the pipe is full */
	c.delivered = 9;
	bbr3_set_cwnd(&b, &c, &rs);
	CHECK_EQUAL(c.cwnd, 503); /* so little was delivered that the estimates mean nothing yet */
	c.cwnd_clamp = 504;
	bbr3_set_cwnd(&b, &c, &rs);
	CHECK_EQUAL(c.cwnd, 504);
}

static void lowers_by_beta_at_most(void)
{
	struct simulation *s = log_only();
	struct bbr3 b = model();
	struct bbr3_connection c = { .cwnd = 200 };
	u64 full = b.max_bw;

	b.is_loss_in_round = true;
	b.bw_latest = full / 10;
	b.inflight_latest = 20;
	bbr3_adapt_lower_bounds_from_congestion(&b, &c);
	CHECK_EQUAL(b.bw_shortterm, full * 70 / 100);
	CHECK_EQUAL(b.inflight_shortterm, 140);
	b.bw_latest = full * 9 / 10;
	b.inflight_latest = 130;
	bbr3_adapt_lower_bounds_from_congestion(&b, &c);
	CHECK_EQUAL(b.bw_shortterm, full * 9 / 10);
	CHECK_EQUAL(b.inflight_shortterm, 130);
	/* a timeout has set the window to a packet */
	b.inflight_shortterm = BBR3_INFINITE32;
	b.inflight_latest = 0;
	b.prior_cwnd = 180;
	c.cwnd = 1;
	c.in_rto_recovery = true;
	bbr3_adapt_lower_bounds_from_congestion(&b, &c);
	CHECK_EQUAL(b.inflight_shortterm, 126);
	/* while probing nothing is lowered */
	b = model();
	b.is_loss_in_round = true;
	b.state = BBR3_REFILL;
	bbr3_adapt_lower_bounds_from_congestion(&b, &c);
	CHECK_EQUAL(b.inflight_shortterm, BBR3_INFINITE32);
	simulation_free(s);
}

static void reduces_the_long_term_bound(void)
{
	struct simulation *s = log_only();
	struct bbr3 b = model();
	struct bbr3_connection c = { .cwnd = 200, .has_selective_acks = true };
	struct bbr3_sample rs = { .tx_in_flight = 90, .lost = 10 };

	b.state = BBR3_REFILL;
	b.is_bw_probe_sample = true;
	bbr3_handle_inflight_too_high(&b, &c, &rs);
	CHECK_EQUAL(b.inflight_longterm, 90);
	CHECK_EQUAL(b.state, BBR3_REFILL);
	CHECK(!b.is_bw_probe_sample);
	rs.tx_in_flight = 30;
	bbr3_handle_inflight_too_high(&b, &c, &rs);
	CHECK_EQUAL(b.inflight_longterm, 70); /* 0.7 of the BDP */
	c.cwnd = 50;
	bbr3_handle_inflight_too_high(&b, &c, &rs);
	CHECK_EQUAL(b.inflight_longterm, 35); /* 0.7 of a window that is less */
	/* and where more turns out to be safe, it is raised to that, in any state */
	rs = (struct bbr3_sample){ .tx_in_flight = 64, .lost = 1 };
	CHECK(!bbr3_adapt_long_term_model(&b, &c, &rs));
	CHECK_EQUAL(b.inflight_longterm, 64);
	rs.lost = 2;
	rs.tx_in_flight = 80;
	bbr3_adapt_long_term_model(&b, &c, &rs);
	CHECK_EQUAL(b.inflight_longterm, 64);
	simulation_free(s);
}

static void begins_phases(void)
{
	struct simulation *s = log_only();
	struct bbr3 b = model();
	struct bbr3_connection c = { .now = 5000000, .delivered = 777, .cwnd = 64, .inflight = 40 };
	struct bbr3_sample rs = { .delivery_rate = 4242 };

	b.is_loss_in_round = true;
	b.bw_latest = b.inflight_latest = 9;
	bbr3_start_probe_bw_down(&b, &c, BBR3_PLATEAU);
	CHECK(!b.is_loss_in_round && b.bw_latest == 0 && b.inflight_latest == 0);
	CHECK_EQUAL(b.probe_up_acked_per_inc, BBR3_INFINITE32);
	CHECK_EQUAL(b.cycle_stamp, 5000000);
	CHECK_EQUAL(b.ack_phase, BBR3_ACKS_PROBE_STOPPING);
	CHECK_EQUAL(b.next_round_delivered, 777);
	CHECK(b.rounds_since_probe_up <= 1);
	b.bw_shortterm = b.inflight_shortterm = 5;
	b.prev_probe_precautionary = true;
	bbr3_start_probe_bw_refill(&b, &c, BBR3_PROBE_TIME);
	CHECK(b.bw_shortterm == BBR3_INFINITE64 && b.inflight_shortterm == BBR3_INFINITE32
	      && !b.prev_probe_precautionary);
	CHECK_EQUAL(b.ack_phase, BBR3_ACKS_REFILLING);
	b.full_bw_now = true;
	bbr3_start_probe_bw_up(&b, &c, &rs);
	CHECK_EQUAL(b.full_bw, 4242);
	CHECK(!b.full_bw_now);
	CHECK_EQUAL(b.ack_phase, BBR3_ACKS_PROBE_STARTING);
	CHECK_EQUAL(b.probe_up_acked_per_inc, 64); /* one packet in the first round, two in the second */
	bbr3_raise_inflight_longterm_slope(&b, &c);
	CHECK_EQUAL(b.probe_up_acked_per_inc, 32);
	b.bw_shortterm = b.inflight_shortterm = 5;
	b.state = BBR3_PROBE_RTT;
	bbr3_exit_probe_rtt(&b, &c);
	CHECK_EQUAL(b.state, BBR3_CRUISE);
	CHECK(b.bw_shortterm == BBR3_INFINITE64 && b.inflight_shortterm == BBR3_INFINITE32);
	simulation_free(s);
}

const struct test_case model_cases[] = {
	{ "step: the draft's constants", has_the_constants_of_the_draft },
	{ "step: SetPacingRate", paces_below_the_bandwidth },
	{ "step: UpdateMaxInflight", adds_up_the_window },
	{ "step: SetCwnd", grows_the_window_by_what_is_acknowledged },
	{ "step: AdaptLowerBoundsFromCongestion", lowers_by_beta_at_most },
	{ "step: HandleInflightTooHigh", reduces_the_long_term_bound },
	{ "step: the beginning of each phase", begins_phases },
	{ 0 },
};
