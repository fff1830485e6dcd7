/* SPDX-License-Identifier: MIT */
/* Parts that the tests of the core share: checks, packets, a link or a queue in virtual time. */
#ifndef COEXIST_LINK_TEST_SUPPORT_H
#define COEXIST_LINK_TEST_SUPPORT_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/link.h"

#define CHECK(condition) check((condition), __FILE__, __LINE__, #condition)
#define CHECK_EQUAL(actual, expected) \
	check_equal((long long)(actual), (long long)(expected), __FILE__, __LINE__, #actual)
#define CHECK_NEAR(actual, expected, most) check_near((actual), (expected), (most), __FILE__, __LINE__, #actual)
#define CHECK_TEXT(actual, expected) check_text((actual), (expected), __FILE__, __LINE__, #actual)

void check(bool condition, const char *file, int line, const char *text);
void check_equal(long long actual, long long expected, const char *file, int line, const char *text);
void check_near(double actual, double expected, double most, const char *file, int line, const char *text);
void check_text(const char *actual, const char *expected, const char *file, int line, const char *text);

/*
 * Runs one test. `proves`: a sentence that describes the test. The first failed check ends the program with
 * status 1.
 */
void test(const char *proves, void (*run)(void));

/* Prints the number of tests and returns 0. Must be called at the end of each test file, whose name is `file`. */
int tests_done(const char *file);

static const uint64_t ms = 1000000, us = 1000, second = 1000000000;

/* Returns an IPv4 address in network order. */
uint32_t address(const char *text);

/* Fields of a test packet. `port` identifies the flow. */
struct spec {
	const char *source, *destination;
	uint32_t length;
	uint16_t port;
	uint8_t protocol;
	enum ecn ecn;
};

/* Full packets towards the client, of the media stream and of the flood. */
extern const struct spec media, flood;

void fill(struct packet *packet, const struct spec *spec);
uint16_t header_sum(const struct packet *packet);

struct departure {
	uint64_t time_ns; /* due time of the packet */
	uint64_t sent_ns, id, service_ns;
	uint32_t source, length;
	uint8_t direction, protocol;
	enum ecn ecn;
};

struct bench {
	struct link *link;
	struct link_config config;
	struct departure *out;
	uint32_t count, room;
	struct link_event *events; /* the `packet` of an event is no longer valid */
	uint64_t *event_ids;
	uint32_t event_count, event_room;
};

/*
 * Prepares a link with paths without delay for two senders and the return direction. The caller completes
 * and applies the configuration.
 */
void bench_open(struct bench *bench);
void bench_apply(struct bench *bench, uint64_t now_ns);
void bench_close(struct bench *bench);

/*
 * Adds a bottleneck with a FIFO without limit to the configuration. A queue of `managed` can replace the FIFO.
 */
void bench_bottleneck(struct bench *bench, double rate_bps);

/* Makes a packet arrive at `now_ns`. Packets that are due before have left, each at its due time. */
void bench_send(struct bench *bench, const struct spec *spec, enum direction direction, uint64_t now_ns);
void bench_advance(struct bench *bench, uint64_t now_ns);

/* Makes all packets that are due by `now_ns` leave at `now_ns`, as a late program does. */
void bench_leave(struct bench *bench, uint64_t now_ns);

/* Runs the link until it is empty. */
void bench_finish(struct bench *bench);

/* Returns the configuration of a queue of the discipline, without limits and with default parameters. */
struct queue_config managed(const char *discipline);

/*
 * Access to a parameter of the discipline by its field name: reads it from the queue (times in ns), or sets it
 * as a configuration does. False: the discipline has no such parameter.
 */
double parameter(const struct queue_config *config, const char *field);
bool set_parameter(struct queue_config *config, const char *field, double value);

/* Bench for a queue without a link. */
struct queue_bench {
	struct queue *queue;
	struct packet *packets; /* never freed, since a test sends few packets */
	uint32_t used, room;
	uint32_t enqueued, overflow, aqm, marked;
	uint64_t last_drop_id;
};

void queue_open(struct queue_bench *bench, const struct queue_config *config, uint64_t now_ns, uint32_t packets);
void queue_close(struct queue_bench *bench);
struct packet *queue_send(struct queue_bench *bench, const struct spec *spec, uint64_t now_ns);

#endif
