/* SPDX-License-Identifier: MIT */
/*
 * One connection over one bottleneck, in virtual time: the state machine of shaper/bbr3 compiled as ordinary C, driven
 * by a transport that does what draft-ietf-ccwg-bbr 4.1 says of delivery-rate samples and calls every step of 5.2.
 *
 * A packet is 1448 bytes. Each is acknowledged by itself, selectively, unless the path aggregates. A packet is lost
 * when three sent after it have been delivered, or when the retransmission timer runs out. All is integer arithmetic
 * with a seeded generator: a run is the same everywhere.
 */
#ifndef COEXIST_TESTS_BBR3_SIMULATION_H
#define COEXIST_TESTS_BBR3_SIMULATION_H

#include "../../shaper/bbr3/state.h"

u32 simulation_random(void);
void simulation_trace(struct bbr3 *b, const struct bbr3_connection *c, u32 from, u32 event);

static __attribute__((unused)) u32 bbr3_random(void)
{
	return simulation_random();
}

static __attribute__((unused)) void bbr3_trace(struct bbr3 *b, const struct bbr3_connection *c, u32 from, u32 event)
{
	simulation_trace(b, c, from, event);
}

#include "../../shaper/bbr3/bbr3.h"
#include "../../shaper/bbr3/transmit-ring.h"

#define SMSS 1448
#define MOST_PACKETS (1u << 20) /* of a run, retransmissions included */
#define MOST_LOGGED (1u << 16)

#define MS 1000000ull /* ns */
#define SECOND 1000000000ull
#define NEVER (~0ull)

/* An event of the state machine, with a copy of it after the event. */
struct logged {
	u64 time; /* ns */
	u32 event;
	u32 from;
	u32 to;
	struct bbr3 b;
	struct bbr3_connection c;
};

/* What a transmission leaves behind (the draft's P.*), by its number. */
struct packet {
	u64 send_time;
	u64 first_send_time;
	u64 delivered_time;
	u32 sequence; /* of the data that it carries, in packets */
	u32 delivered;
	u32 lost;
	u32 tx_in_flight;
	u32 episode; /* in which it was marked lost */
	bool is_app_limited;
	bool is_retransmission;
	u8 fate; /* enum fate */
};

enum fate { FLYING, DELIVERED, LOST };

struct path {
	u64 bits_per_second;
	u64 round_trip;      /* ns, without queue */
	u32 queue_packets;   /* the most that wait; 0: a policer, which has tokens and no queue */
	u32 policer_packets; /* depth of the policer's bucket */
	u64 aggregation;     /* ns: acknowledgments come at multiples of this; 0: as they are */
	u32 loss_per_mille;  /* random loss */
	u32 lose_next;       /* transmissions to lose from now on */
	u64 delay_next;      /* ns: this much more for the next `delay_packets` transmissions */
	u32 delay_packets;
};

struct arrival {
	u64 time;
	u32 packet;
};

struct simulation {
	struct path path;
	struct bbr3 b;
	struct bbr3_connection c;
	struct bbr3_sample rs; /* of the last acknowledgment */
	struct bbr3_ring ring;
	u64 now; /* ns */
	/* application: it has written this much; a rate of 0 is "always enough" */
	u64 application_bits_per_second;
	u64 application_since;
	u32 application_written; /* packets, at application_since */
	bool application_paused;
	/* transport */
	u64 next_send_time;
	u64 first_send_time;        /* C.first_send_time */
	u64 delivered_time;         /* C.delivered_time */
	u64 last_progress;          /* for the retransmission timer */
	u32 app_limited;            /* C.app_limited */
	u32 next_sequence;          /* of new data */
	u32 sent;                   /* transmissions */
	u32 highest_delivered;      /* number of the latest transmission that was delivered, plus 1 */
	u32 first_flying;           /* no transmission before this one is in flight */
	u32 unacknowledged;         /* the first sequence number that has not been delivered */
	u32 recovery_end;           /* next_sequence when recovery started */
	u32 episode;                /* number of the recovery episode */
	u32 episode_lost;           /* marked lost in it */
	u32 episode_delivered_late; /* of these, delivered after all (in TCP, DSACK tells where both copies were) */
	u32 to_retransmit_first, to_retransmit_last;
	u32 *to_retransmit; /* sequence numbers, in the order in which they were lost */
	u32 limited_until;  /* is_cwnd_limited: until this transmission is acknowledged */
	/* path */
	u64 sending_until; /* ns: when the bottleneck has sent the first of its queue */
	u32 *queue, queue_first, queue_last;
	u64 *late;     /* ns, of each transmission */
	double tokens; /* packets */
	u64 tokens_time;
	u32 ring_exact, ring_samples;
	double ring_error; /* sum of what tx_in_flight was off by, as ratios; 1 where it was not found */
	u32 retransmissions;
	struct packet *packets;
	bool *sequence_delivered;
	struct arrival *arrivals; /* a heap */
	u32 arrival_count;
	struct logged *log;
	u32 logged;
};

/* The one that runs; NULL: none does. */
extern struct simulation *current;

struct simulation *simulation_new(struct path path);
void simulation_free(struct simulation *s);
void simulation_run(struct simulation *s, u64 until);
/* To the next thing that happens, or `until`. */
void simulation_step(struct simulation *s, u64 until);
/* Frees what a case that failed has left; with SIMULATION_LOG in the environment its events are printed first. */
void simulation_clean(void);

/* Runs until an event, or a state is entered (event -1); returns its place in the log, fails the test at the deadline.
 */
u32 run_until_event(struct simulation *s, u32 event, u64 deadline);
u32 run_until_state(struct simulation *s, u32 state, u64 deadline);

/* The place of the next such entry in the log at or after `from`; s->logged where there is none. */
u32 find_event(const struct simulation *s, u32 from, u32 event);
u32 find_state(const struct simulation *s, u32 from, u32 state);

/* Packets delivered in a time, as bit/s. */
u64 bits_per_second(u32 packets, u64 time);
/* A bandwidth of the model as bit/s. */
u64 as_bits(u64 bw);

#endif
