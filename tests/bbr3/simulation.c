/* SPDX-License-Identifier: MIT */
/* The transport: what is sent when, what is acknowledged, what is lost. */
#include "simulation.h"

#include <stdlib.h>
#include "path.h"
#include "testing.h"

#define REORDERING 3 /* transmissions: a packet is lost when one sent so much later was delivered */
#define SMALLEST_TIMEOUT (200 * MS)

static u64 generator;
struct simulation *current;

u32 simulation_random(void)
{
	generator += 0x9e3779b97f4a7c15ull; /* splitmix64 */
	u64 z = generator;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return (u32)((z ^ (z >> 31)) >> 32);
}

void simulation_trace(struct bbr3 *b, const struct bbr3_connection *c, u32 from, u32 event)
{
	struct simulation *s = current;

	CHECK(s->logged < MOST_LOGGED);
	s->log[s->logged++] =
		(struct logged){ .time = s->now, .event = event, .from = from, .to = b->state, .b = *b, .c = *c };
}

struct simulation *simulation_new(struct path path)
{
	struct simulation *s = calloc(1, sizeof(*s));

	generator = 1;
	current = s;
	s->packets = calloc(MOST_PACKETS, sizeof(*s->packets));
	s->sequence_delivered = calloc(MOST_PACKETS, sizeof(*s->sequence_delivered));
	s->to_retransmit = calloc(MOST_PACKETS, sizeof(*s->to_retransmit));
	s->arrivals = calloc(MOST_PACKETS, sizeof(*s->arrivals));
	s->queue = calloc(MOST_PACKETS, sizeof(*s->queue));
	s->late = calloc(MOST_PACKETS, sizeof(*s->late));
	s->log = calloc(MOST_LOGGED, sizeof(*s->log));
	s->path = path;
	s->tokens = path.policer_packets;
	s->now = SECOND;
	s->delivered_time = s->first_send_time = s->next_send_time = s->last_progress = s->now;
	s->c = (struct bbr3_connection){
		.now = s->now / 1000, .cwnd = 10, .cwnd_clamp = 1u << 20, .smss = SMSS, .has_selective_acks = true
	};
	bbr3_on_init(&s->b, &s->c);
	bbr3_ring_open(&s->ring, 0, 0, 0, 0, s->c.cwnd);
	return s;
}

void simulation_free(struct simulation *s)
{
	free(s->packets);
	free(s->sequence_delivered);
	free(s->to_retransmit);
	free(s->arrivals);
	free(s->queue);
	free(s->late);
	free(s->log);
	free(s);
	current = NULL;
}

/* Packets that the application has written by now. */
static u32 written(const struct simulation *s)
{
	if (s->application_paused)
		return s->application_written;
	if (s->application_bits_per_second == 0)
		return MOST_PACKETS;
	return s->application_written
	       + (u32)((s->now - s->application_since) / 1000 * s->application_bits_per_second
	               / (8ull * SMSS * 1000000));
}

static bool has_unsent(const struct simulation *s)
{
	return s->to_retransmit_first < s->to_retransmit_last || s->next_sequence < written(s);
}

/* CheckIfApplicationLimited(), 4.1.2.4 */
static void check_app_limited(struct simulation *s)
{
	if (!has_unsent(s) && s->c.inflight < s->c.cwnd)
		s->app_limited = s->c.delivered + s->c.inflight > 0 ? s->c.delivered + s->c.inflight : 1;
	s->c.app_limited = s->app_limited != 0;
}

/* OnPacketSent(), 4.1.2.2 */
static void transmit(struct simulation *s)
{
	bool again = s->to_retransmit_first < s->to_retransmit_last;
	u32 number = s->sent++;
	struct packet *p = &s->packets[number];

	CHECK(s->sent < MOST_PACKETS);
	s->c.now = s->now / 1000;
	s->c.app_limited = s->app_limited != 0;
	bbr3_on_transmit(&s->b, &s->c);
	if (s->c.inflight == 0)
		s->first_send_time = s->delivered_time = s->last_progress = s->now;
	s->c.inflight++;
	*p = (struct packet){
		.send_time = s->now,
		.first_send_time = s->first_send_time,
		.delivered_time = s->delivered_time,
		.sequence = again ? s->to_retransmit[s->to_retransmit_first++] : s->next_sequence++,
		.delivered = s->c.delivered,
		.lost = s->c.lost,
		.tx_in_flight = s->c.inflight,
		.is_app_limited = s->app_limited != 0,
		.is_retransmission = again,
		.fate = FLYING,
	};
	s->retransmissions += again;
	if (s->c.inflight >= s->c.cwnd) {
		s->c.is_cwnd_limited = true;
		s->limited_until = s->sent;
	}
	path_send(s, number);
	s->next_send_time = s->now + (u64)SMSS * SECOND / s->c.pacing_rate;
}

/* UpdateRateSample(), 4.1.2.3; returns false where the data had arrived before */
static bool deliver(struct simulation *s, u32 number)
{
	struct packet *p = &s->packets[number];
	bool was_lost = p->fate == LOST;

	if (p->fate == DELIVERED)
		return false;
	p->fate = DELIVERED;
	if (!was_lost)
		s->c.inflight--;
	else if (p->episode == s->episode)
		s->episode_delivered_late++;
	if (s->sequence_delivered[p->sequence])
		return false; /* its other copy was quicker */
	s->sequence_delivered[p->sequence] = true;
	if (was_lost) { /* by mistake: what waits to be sent again need not */
		for (u32 i = s->to_retransmit_first; i < s->to_retransmit_last; i++) {
			if (s->to_retransmit[i] == p->sequence) {
				s->to_retransmit[i] = s->to_retransmit[s->to_retransmit_first++];
				break;
			}
		}
	}
	s->c.delivered++;
	s->delivered_time = s->now;
	s->rs.newly_acked++;
	if (!s->rs.has_data || number >= s->highest_delivered) {
		s->rs.has_data = true;
		s->rs.prior_delivered = p->delivered;
		s->rs.is_app_limited = p->is_app_limited;
		s->rs.tx_in_flight = p->tx_in_flight;
		s->rs.lost = p->lost; /* until the sample is complete */
		s->rs.rtt = (u32)((s->now - p->send_time) / 1000);
		s->first_send_time = p->send_time;
		if (number + 1 > s->highest_delivered)
			s->highest_delivered = number + 1;
	}
	return true;
}

static void compare_ring(struct simulation *s, const struct packet *p)
{
	struct bbr3_sent_packet sent = { .delivered = p->delivered, .end_sequence = (p->sequence + 1) * SMSS };
	u32 tx_in_flight = 0, lost = 0;

	s->ring_samples++;
	if (!bbr3_ring_find(&s->ring, &sent, SMSS, &tx_in_flight, &lost))
		tx_in_flight = 0;
	s->ring_exact += tx_in_flight == p->tx_in_flight && lost == p->lost;
	s->ring_error += (double)(tx_in_flight > p->tx_in_flight ? tx_in_flight - p->tx_in_flight
	                                                         : p->tx_in_flight - tx_in_flight)
	                 / p->tx_in_flight;
}

/* GenerateRateSample(), 4.1.2.3 */
static void generate_sample(struct simulation *s, const struct packet *newest)
{
	u64 send_elapsed = newest->send_time - newest->first_send_time;
	u64 ack_elapsed = s->delivered_time - newest->delivered_time;
	u64 interval = (send_elapsed > ack_elapsed ? send_elapsed : ack_elapsed) / 1000;

	s->rs.delivered = s->c.delivered - s->rs.prior_delivered;
	s->rs.lost = s->c.lost - s->rs.lost;
	if (interval > 0 && interval >= s->path.round_trip / 1000)
		s->rs.delivery_rate = bbr3_bandwidth(s->rs.delivered, interval);
}

static void mark_lost(struct simulation *s, u32 number, bool timeout)
{
	struct packet *p = &s->packets[number];

	p->fate = LOST;
	p->episode = s->episode;
	s->c.inflight--;
	s->c.lost++;
	s->rs.newly_lost++;
	s->episode_lost++;
	s->to_retransmit[s->to_retransmit_last++] = p->sequence;
	if (!timeout) {
		struct bbr3_sample lost = { .tx_in_flight = p->tx_in_flight,
			                    .lost = s->c.lost - p->lost,
			                    .is_app_limited = p->is_app_limited };

		bbr3_handle_lost_packet(&s->b, &s->c, &lost, 1);
	}
}

static void enter_recovery(struct simulation *s)
{
	bbr3_on_enter_recovery(&s->b, &s->c);
	s->recovery_end = s->next_sequence;
	s->episode++;
	s->episode_lost = s->episode_delivered_late = 0;
}

static void detect_losses(struct simulation *s)
{
	for (u32 number = s->first_flying; number + REORDERING < s->highest_delivered; number++) {
		if (s->packets[number].fate != FLYING)
			continue;
		if (!bbr3_in_loss_recovery(&s->c)) {
			enter_recovery(s);
			s->c.in_fast_recovery = true;
		}
		mark_lost(s, number, false);
	}
	while (s->first_flying < s->sent && s->packets[s->first_flying].fate != FLYING)
		s->first_flying++;
}

static void end_recovery(struct simulation *s)
{
	while (s->sequence_delivered[s->unacknowledged])
		s->unacknowledged++;
	if (!bbr3_in_loss_recovery(&s->c))
		return;
	if (s->episode_lost > 0 && s->episode_delivered_late == s->episode_lost)
		bbr3_handle_spurious_loss_detection(&s->b, &s->c);
	else if (s->unacknowledged < s->recovery_end)
		return;
	bbr3_on_exit_recovery(&s->b, &s->c);
	s->c.in_fast_recovery = s->c.in_rto_recovery = false;
}

/* All that arrives at this moment is one acknowledgment. */
static void acknowledge(struct simulation *s)
{
	const struct packet *newest = NULL;
	u32 prior_inflight = s->c.inflight, number;

	s->c.now = s->now / 1000;
	check_app_limited(s);
	s->rs = (struct bbr3_sample){ .rtt = BBR3_INFINITE32 };
	while (path_take_arrival(s, &number)) {
		u32 before = s->highest_delivered;

		if (deliver(s, number) && (newest == NULL || s->highest_delivered > before))
			newest = &s->packets[number];
	}
	bbr3_ring_close(&s->ring, prior_inflight);
	if (newest != NULL) {
		if (!newest->is_retransmission)
			compare_ring(s, newest);
		s->c.srtt = s->c.srtt == 0 ? s->rs.rtt : s->c.srtt - s->c.srtt / 8 + s->rs.rtt / 8;
		s->last_progress = s->now;
	}
	if (s->app_limited != 0 && bbr3_after(s->c.delivered, s->app_limited))
		s->app_limited = 0;
	s->c.app_limited = s->app_limited != 0;
	if (s->highest_delivered > s->limited_until)
		s->c.is_cwnd_limited = false;
	s->c.prior_inflight = prior_inflight;
	detect_losses(s);
	end_recovery(s);
	if (newest != NULL)
		generate_sample(s, newest);
	bbr3_update_on_ack(&s->b, &s->c, &s->rs);
	bbr3_ring_open(&s->ring, s->c.delivered, s->c.lost, s->c.inflight, s->next_sequence * SMSS, s->c.cwnd);
}

static u64 timeout_of(const struct simulation *s)
{
	u64 timeout = 3000ull * s->c.srtt;

	return s->c.inflight == 0 ? NEVER
	                          : s->last_progress + (timeout > SMALLEST_TIMEOUT ? timeout : SMALLEST_TIMEOUT);
}

static void time_out(struct simulation *s)
{
	struct bbr3_sample lost = { .lost = 0 };
	u32 oldest = s->first_flying;

	s->c.now = s->now / 1000;
	if (!bbr3_in_loss_recovery(&s->c))
		enter_recovery(s);
	while (oldest < s->sent && s->packets[oldest].fate != FLYING)
		oldest++;
	for (u32 number = oldest; number < s->sent; number++) {
		if (s->packets[number].fate == FLYING)
			mark_lost(s, number, true);
	}
	s->recovery_end = s->next_sequence;
	s->first_flying = s->sent;
	s->c.in_fast_recovery = false;
	s->c.in_rto_recovery = true;
	s->c.cwnd = s->c.inflight + 1;
	lost.tx_in_flight = s->packets[oldest].tx_in_flight;
	lost.lost = s->c.lost - s->packets[oldest].lost;
	lost.is_app_limited = s->packets[oldest].is_app_limited;
	bbr3_on_enter_rto(&s->b, &s->c, &lost, 1);
	s->last_progress = s->now;
}

/* When the next packet may be sent; NEVER where something else has to happen first. */
static u64 next_send(struct simulation *s)
{
	if (s->c.inflight >= s->c.cwnd)
		return NEVER;
	if (has_unsent(s))
		return s->next_send_time > s->now ? s->next_send_time : s->now;
	if (s->application_paused || s->application_bits_per_second == 0)
		return NEVER;
	return s->now + MS; /* look again whether the application has written something */
}

void simulation_step(struct simulation *s, u64 until)
{
	u64 send = next_send(s), event = path_next_event(s), timeout = timeout_of(s), next = until;

	next = bbr3_min64(next, bbr3_min64(send, bbr3_min64(event, timeout)));
	s->now = next;
	if (event <= next) {
		if (path_advance(s))
			acknowledge(s);
	} else if (timeout <= next) {
		time_out(s);
	} else if (send <= next) {
		if (has_unsent(s))
			transmit(s);
		check_app_limited(s);
	}
}

void simulation_run(struct simulation *s, u64 until)
{
	while (s->now < until)
		simulation_step(s, until);
}
