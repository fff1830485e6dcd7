/* SPDX-License-Identifier: MIT */
/*
 * Runs given packets through a link in virtual time, for tests of the preflight without waiting
 * (tests/unit/shaper/calibrate/support/replay.ts).
 *
 * Standard input: a line of JSON, the link as in a request to the program, then a line for each event, in order
 * of time (ns):
 *   send TIME down|up SOURCE DESTINATION LENGTH PORT ECN   a UDP packet arrives; LENGTH counts IP bytes
 *   look TIME down|up                                      asks how many packets wait
 * Standard output: "backlog PACKETS" for each look, "left ID TIME" for each packet that left (ID: 1, 2, ... in order of
 * arrival), and "down|up IN SENT DROPPED MARKED" for each bottleneck.
 */
#include <json-c/json.h>
#include "config.h"
#include "support.h"

static enum direction direction_of(const char *word)
{
	CHECK(strcmp(word, "down") == 0 || strcmp(word, "up") == 0);
	return strcmp(word, "up") == 0 ? UP : DOWN;
}

static void apply(struct bench *bench, char **line, size_t *room)
{
	char error[CONFIG_ERROR_MAX] = "";

	CHECK(getline(line, room, stdin) > 0);

	json_object *json = json_tokener_parse(*line);

	CHECK(json);
	if (!config_read(json, &bench->config, error)) {
		fprintf(stderr, "%s\n", error);
		exit(1);
	}
	json_object_put(json);
	bench_apply(bench, 0);
}

static void happen(struct bench *bench, const char *line)
{
	unsigned long long time_ns;
	char way[8], source[16], destination[16];
	unsigned length, port, ecn;

	if (sscanf(line, "look %llu %7s", &time_ns, way) == 2) {
		bench_advance(bench, time_ns);
		printf("backlog %u\n", bottleneck_backlog_packets(bench->link->bottlenecks[direction_of(way)]));
		return;
	}
	CHECK_EQUAL(sscanf(line, "send %llu %7s %15s %15s %u %u %u", &time_ns, way, source, destination, &length, &port,
	                   &ecn),
	            7);
	bench_send(bench,
	           &(struct spec){ .source = source,
	                           .destination = destination,
	                           .length = length,
	                           .port = (uint16_t)port,
	                           .protocol = 17,
	                           .ecn = (enum ecn)ecn },
	           direction_of(way), time_ns);
}

int main(void)
{
	struct bench bench;
	char *line = NULL;
	size_t room = 0;

	bench_open(&bench);
	apply(&bench, &line, &room);
	while (getline(&line, &room, stdin) > 0)
		happen(&bench, line);
	bench_finish(&bench);
	for (uint32_t i = 0; i < bench.count; i++)
		printf("left %llu %llu\n", (unsigned long long)bench.out[i].id,
		       (unsigned long long)bench.out[i].sent_ns);
	for (int way = 0; way < DIRECTIONS; way++) {
		const struct bottleneck *bottleneck = bench.link->bottlenecks[way];

		if (bottleneck)
			printf("%s %llu %llu %llu %llu\n", way == UP ? "up" : "down",
			       (unsigned long long)bottleneck->counters.in.packets,
			       (unsigned long long)bottleneck->counters.sent.packets,
			       (unsigned long long)(bottleneck->counters.overflow.packets
			                            + bottleneck->counters.aqm_dropped.packets),
			       (unsigned long long)bottleneck->counters.marked_packets);
	}
	free(line);
	bench_close(&bench);
	return 0;
}
