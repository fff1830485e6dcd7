/* SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include "support.h"

static const char *running = "";
static int count;

static void fail(const char *file, int line)
{
	fprintf(stderr, "%s:%d: in \"%s\": ", file, line, running);
}

void check(bool condition, const char *file, int line, const char *text)
{
	if (condition)
		return;
	fail(file, line);
	fprintf(stderr, "%s\n", text);
	exit(1);
}

void check_equal(long long actual, long long expected, const char *file, int line, const char *text)
{
	if (actual == expected)
		return;
	fail(file, line);
	fprintf(stderr, "%s is %lld, not %lld\n", text, actual, expected);
	exit(1);
}

void check_near(double actual, double expected, double most, const char *file, int line, const char *text)
{
	if (fabs(actual - expected) <= most)
		return;
	fail(file, line);
	fprintf(stderr, "%s is %.9g, not %.9g +- %.3g\n", text, actual, expected, most);
	exit(1);
}

void check_text(const char *actual, const char *expected, const char *file, int line, const char *text)
{
	if (strcmp(actual, expected) == 0)
		return;
	fail(file, line);
	fprintf(stderr, "%s is\n%s\nnot\n%s\n", text, actual, expected);
	exit(1);
}

void test(const char *proves, void (*run)(void))
{
	running = proves;
	run();
	count++;
}

int tests_done(const char *file)
{
	printf("ok %s: %d\n", file, count);
	return 0;
}

uint32_t address(const char *text)
{
	struct in_addr parsed = {};

	CHECK(inet_pton(AF_INET, text, &parsed) == 1);
	return parsed.s_addr;
}

const struct spec media = {
	.source = "10.0.1.2", .destination = "10.0.2.2", .length = 1500, .port = 5000, .protocol = 17
};
const struct spec flood = {
	.source = "10.0.3.2", .destination = "10.0.2.2", .length = 1500, .port = 5201, .protocol = 6
};

uint16_t header_sum(const struct packet *packet)
{
	uint32_t sum = 0;

	for (int i = 0; i < 20; i += 2)
		sum += (uint32_t)(packet->data[i] << 8 | packet->data[i + 1]);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

void fill(struct packet *packet, const struct spec *spec)
{
	uint32_t source = address(spec->source), destination = address(spec->destination);
	uint8_t *ip = packet->data;

	memset(ip, 0, sizeof(packet->data));
	packet->length = spec->length;
	ip[0] = 0x45;
	ip[1] = (uint8_t)spec->ecn;
	ip[2] = (uint8_t)(spec->length >> 8);
	ip[3] = (uint8_t)spec->length;
	ip[8] = 64;
	ip[9] = spec->protocol;
	memcpy(ip + 12, &source, 4);
	memcpy(ip + 16, &destination, 4);
	ip[20] = ip[22] = (uint8_t)(spec->port >> 8);
	ip[21] = ip[23] = (uint8_t)spec->port;

	uint16_t sum = header_sum(packet);

	ip[10] = (uint8_t)(sum >> 8);
	ip[11] = (uint8_t)sum;
}

static void remember(void *context, const struct link_event *event)
{
	struct bench *bench = context;

	if (bench->event_count == bench->event_room) {
		bench->event_room = bench->event_room ? 2 * bench->event_room : 1024;
		bench->events = realloc(bench->events, bench->event_room * sizeof(bench->events[0]));
		bench->event_ids = realloc(bench->event_ids, bench->event_room * sizeof(bench->event_ids[0]));
		CHECK(bench->events && bench->event_ids);
	}
	bench->event_ids[bench->event_count] = event->packet->id;
	bench->events[bench->event_count++] = *event;
}

void bench_open(struct bench *bench)
{
	*bench = (struct bench){};
	bench->link = link_create(20000, &(struct link_observer){ bench, remember });
	CHECK(bench->link);
	bench->config.seed = 1;
	bench->config.overhead_bytes = 14;
	bench->config.path_count = 3;
	bench->config.paths[0] = (struct path_config){ .direction = DOWN, .peer = address("10.0.1.2") };
	bench->config.paths[1] = (struct path_config){ .direction = DOWN, .peer = address("10.0.3.2") };
	bench->config.paths[2] = (struct path_config){ .direction = UP, .peer = address("10.0.1.2") };
}

void bench_apply(struct bench *bench, uint64_t now_ns)
{
	CHECK(link_configure(bench->link, &bench->config, now_ns));
}

void bench_close(struct bench *bench)
{
	link_destroy(bench->link);
	free(bench->out);
	free(bench->events);
	free(bench->event_ids);
}

static const struct parameter *parameter_of(const struct queue_config *config, const char *field)
{
	for (int i = 0; i < PARAMETERS_MAX && config->discipline->parameters[i].field; i++)
		if (strcmp(config->discipline->parameters[i].field, field) == 0)
			return &config->discipline->parameters[i];
	return NULL;
}

double parameter(const struct queue_config *config, const char *field)
{
	const struct parameter *found = parameter_of(config, field);
	uint64_t ns;
	uint32_t whole;
	double number;

	CHECK(found);

	const unsigned char *at = (const unsigned char *)config->parameters + found->offset;

	memcpy(&ns, at, sizeof(ns));
	memcpy(&whole, at, sizeof(whole));
	memcpy(&number, at, sizeof(number));
	return found->kind == PARAMETER_TIME ? (double)ns : found->kind == PARAMETER_COUNT ? whole : number;
}

bool set_parameter(struct queue_config *config, const char *field, double value)
{
	const struct parameter *found = parameter_of(config, field);

	if (found)
		queue_set_parameter(config, found, value);
	return found;
}

struct queue_config managed(const char *discipline)
{
	struct queue_config config = { .limit_packets = NEVER, .limit_bytes = NEVER, .largest_bytes = 1514, .seed = 1 };

	for (int i = 0; discipline_names[i]; i++)
		if (strcmp(discipline_names[i], discipline) == 0)
			config.discipline = disciplines[i];
	CHECK(config.discipline);
	for (int i = 0; i < PARAMETERS_MAX && config.discipline->parameters[i].field; i++)
		queue_set_parameter(&config, &config.discipline->parameters[i], config.discipline->parameters[i].usual);
	return config;
}

void bench_bottleneck(struct bench *bench, double rate_bps)
{
	bench->config.has_bottleneck[DOWN] = true;
	bench->config.bottlenecks[DOWN] =
		(struct bottleneck_config){ .rate_bps = rate_bps, .queue = managed("fifo"), .trace_scale = 1 };
}

static void remember_departure(struct bench *bench, const struct packet *packet)
{
	if (bench->count == bench->room) {
		bench->room = bench->room ? 2 * bench->room : 1024;
		bench->out = realloc(bench->out, bench->room * sizeof(bench->out[0]));
		CHECK(bench->out);
	}
	bench->out[bench->count++] = (struct departure){
		.time_ns = packet->time_ns,
		.id = packet->id,
		.service_ns = packet->service_ns,
		.source = packet->source,
		.length = packet->length,
		.direction = packet->direction,
		.protocol = packet->protocol,
		.ecn = packet_ecn(packet),
	};
}

void bench_leave(struct bench *bench, uint64_t now_ns)
{
	struct packet *packet;

	while ((packet = link_leave(bench->link, now_ns))) {
		remember_departure(bench, packet);
		bench->out[bench->count - 1].sent_ns = now_ns;
		link_sent(bench->link, packet, now_ns);
	}
}

void bench_advance(struct bench *bench, uint64_t now_ns)
{
	uint64_t next_ns;

	while ((next_ns = link_next_ns(bench->link)) <= now_ns)
		bench_leave(bench, next_ns);
	bench_leave(bench, now_ns);
}

void bench_send(struct bench *bench, const struct spec *spec, enum direction direction, uint64_t now_ns)
{
	struct packet *packet = link_take(bench->link);

	CHECK(packet);
	fill(packet, spec);
	bench_advance(bench, now_ns);
	link_arrive(bench->link, packet, direction, now_ns);
	bench_advance(bench, now_ns);
}

void bench_finish(struct bench *bench)
{
	bench_advance(bench, NEVER - 1);
	CHECK_EQUAL(link_waiting(bench->link), 0);
}

static void on_enqueued(void *context, const struct packet *packet, uint64_t now_ns)
{
	struct queue_bench *bench = context;

	CHECK_EQUAL(packet->enqueued_ns, now_ns);
	bench->enqueued++;
}

static void on_dropped(void *context, struct packet *packet, enum queue_drop why, uint64_t now_ns)
{
	struct queue_bench *bench = context;

	(void)now_ns;
	bench->last_drop_id = packet->id;
	if (why == DROP_OVERFLOW)
		bench->overflow++;
	else
		bench->aqm++;
}

static void on_marked(void *context, const struct packet *packet, uint64_t now_ns)
{
	struct queue_bench *bench = context;

	(void)now_ns;
	CHECK(packet_ecn(packet) == ECN_ECT0 || packet_ecn(packet) == ECN_ECT1);
	bench->marked++;
}

void queue_open(struct queue_bench *bench, const struct queue_config *config, uint64_t now_ns, uint32_t packets)
{
	*bench = (struct queue_bench){ .room = packets };
	bench->packets = calloc(packets, sizeof(bench->packets[0]));
	bench->queue = queue_create(config, &(struct queue_owner){ bench, on_enqueued, on_dropped, on_marked }, now_ns);
	CHECK(bench->packets && bench->queue);
}

void queue_close(struct queue_bench *bench)
{
	free(bench->packets);
	free(bench->queue);
}

struct packet *queue_send(struct queue_bench *bench, const struct spec *spec, uint64_t now_ns)
{
	struct packet *packet = &bench->packets[bench->used++];

	CHECK(bench->used <= bench->room);
	fill(packet, spec);
	CHECK(packet_parse(packet));
	packet->cost = packet->length + 14;
	packet->id = bench->used;
	packet->enqueued_ns = now_ns;
	bench->queue->config.discipline->enqueue(bench->queue, packet, now_ns);
	return packet;
}
