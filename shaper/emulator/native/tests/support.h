/* SPDX-License-Identifier: MIT */
/* What the tests of the core have in common: checks, packets, a link or a queue in virtual time. */
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

/* Runs one test; `proves` is a sentence. The first check that fails ends the program with status 1. */
void test(const char *proves, void (*run)(void));

/* Called at the end of each test file. */
int tests_done(const char *file);

static const uint64_t ms = 1000000, us = 1000, second = 1000000000;

/* An IPv4 address in network order. */
uint32_t address(const char *text);

/* What a packet is made of; ports are those of the flow. */
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
	uint64_t time_ns; /* when it was due */
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
	struct link_event *events; /* their `packet` is not valid any more */
	uint64_t *event_ids;
	uint32_t event_count, event_room;
};

/* A link with paths without delay for server, flooder and back, whose configuration the caller completes and then
 * applies. */
void bench_open(struct bench *bench);
void bench_apply(struct bench *bench, uint64_t now_ns);
void bench_close(struct bench *bench);

/* A bottleneck with a FIFO without limit; its queue can be replaced by another `managed` one. */
void bench_bottleneck(struct bench *bench, double rate_bps);

/* A packet arrives; what is due by then has left, each packet at its time. */
void bench_send(struct bench *bench, const struct spec *spec, enum direction direction, uint64_t now_ns);
void bench_advance(struct bench *bench, uint64_t now_ns);

/* The program looks only now: what is due by now leaves now. */
void bench_leave(struct bench *bench, uint64_t now_ns);

/* Until nothing is left in the link. */
void bench_finish(struct bench *bench);

/* A queue of this discipline without limits, with what is usual of it. */
struct queue_config managed(const char *discipline);

/* A parameter of the discipline by its field: as the queue has it (times in ns), and set as a configuration does, which
 * is false where the discipline has none of that name. */
double parameter(const struct queue_config *config, const char *field);
bool set_parameter(struct queue_config *config, const char *field, double value);

/* A queue by itself. */
struct queue_bench {
	struct queue *queue;
	struct packet *packets; /* never given back: a test sends few */
	uint32_t used, room;
	uint32_t enqueued, overflow, aqm, marked;
	uint64_t last_drop_id;
};

void queue_open(struct queue_bench *bench, const struct queue_config *config, uint64_t now_ns, uint32_t packets);
void queue_close(struct queue_bench *bench);
struct packet *queue_send(struct queue_bench *bench, const struct spec *spec, uint64_t now_ns);

#endif
