/* SPDX-License-Identifier: MIT */
/* Common parts of the core's tests: checks, packets, a link or a queue in virtual time. */
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

/* Runs one test; `proves` is a sentence. The first failed check ends the program with status 1. */
void test(const char *proves, void (*run)(void));

/* Call it at the end of each test file. */
int tests_done(const char *file);

static const uint64_t ms = 1000000, us = 1000, second = 1000000000;

/* An IPv4 address in network order. */
uint32_t address(const char *text);

/* Fields of a packet; ports belong to the flow. */
struct spec {
	const char *source, *destination;
	uint32_t length;
	uint16_t port;
	uint8_t protocol;
	enum ecn ecn;
};

/* A full packet of the media stream towards the client, and one of the flood. */
extern const struct spec media, flood;

void fill(struct packet *packet, const struct spec *spec);
uint16_t header_sum(const struct packet *packet);

struct departure {
	uint64_t time_ns; /* due time */
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
	struct link_event *events; /* their `packet` is no longer valid */
	uint64_t *event_ids;
	uint32_t event_count, event_room;
};

/*
 * A link with paths without delay for server, flooder and the return direction. The caller completes and applies its
 * configuration.
 */
void bench_open(struct bench *bench);
void bench_apply(struct bench *bench, uint64_t now_ns);
void bench_close(struct bench *bench);

/* Adds a bottleneck with a FIFO without limit; its queue can be replaced by another `managed` one. */
void bench_bottleneck(struct bench *bench, double rate_bps);

/* A packet arrives; packets due before have left, each at its time. */
void bench_send(struct bench *bench, const struct spec *spec, enum direction direction, uint64_t now_ns);
void bench_advance(struct bench *bench, uint64_t now_ns);

/* A late program: all packets due by now leave now. */
void bench_leave(struct bench *bench, uint64_t now_ns);

/* Runs until the link is empty. */
void bench_finish(struct bench *bench);

/* A queue of this discipline without limits, with default parameters. */
struct queue_config managed(const char *discipline);

/*
 * A parameter of the discipline by its field: read from the queue (times in ns), or set as by a configuration; false
 * if the discipline has no parameter of that name.
 */
double parameter(const struct queue_config *config, const char *field);
bool set_parameter(struct queue_config *config, const char *field, double value);

/* A queue without a link. */
struct queue_bench {
	struct queue *queue;
	struct packet *packets; /* never freed: a test sends few */
	uint32_t used, room;
	uint32_t enqueued, overflow, aqm, marked;
	uint64_t last_drop_id;
};

void queue_open(struct queue_bench *bench, const struct queue_config *config, uint64_t now_ns, uint32_t packets);
void queue_close(struct queue_bench *bench);
struct packet *queue_send(struct queue_bench *bench, const struct spec *spec, uint64_t now_ns);

#endif
