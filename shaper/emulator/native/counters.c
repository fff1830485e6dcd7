/* SPDX-License-Identifier: MIT */
/* The counters as JSON. Bytes are counted as in the link, with overheadBytes for each packet. */
#include <arpa/inet.h>
#include <sys/resource.h>
#include "counters.h"

typedef unsigned long long number;

double counters_cpu_ms(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3
	       + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static void add_tally(struct text *answer, const char *name, struct tally tally)
{
	text_add(answer, ",\"%sPackets\":%llu,\"%sBytes\":%llu", name, (number)tally.packets, name,
	         (number)tally.bytes);
}

static void add_address(struct text *answer, const char *name, uint32_t address)
{
	char printed[INET_ADDRSTRLEN];

	inet_ntop(AF_INET, &address, printed, sizeof(printed));
	text_add(answer, "\"%s\":\"%s\"", name, printed);
}

static void add_path(struct text *answer, const struct path *path)
{
	text_add(answer, "{\"direction\":\"%s\",", path->config.direction == DOWN ? "down" : "up");
	add_address(answer, "peer", path->config.peer);
	add_tally(answer, "in", path->in);
	add_tally(answer, "duplicated", path->duplicated);
	add_tally(answer, "lost", path->lost);
	add_tally(answer, "dropped", path->dropped);
	add_tally(answer, "out", path->out);
	add_tally(answer, "waiting", path->waiting);
	text_add(answer, "}");
}

static void add_bottleneck(struct text *answer, const struct bottleneck *bottleneck)
{
	const struct bottleneck_counters *counters;

	if (!bottleneck) {
		text_add(answer, "null");
		return;
	}
	counters = &bottleneck->counters;
	text_add(answer, "{\"markedPackets\":%llu", (number)counters->marked_packets);
	add_tally(answer, "in", counters->in);
	add_tally(answer, "sent", counters->sent);
	add_tally(answer, "overflow", counters->overflow);
	add_tally(answer, "aqmDropped", counters->aqm_dropped);
	add_tally(answer, "backlog",
	          (struct tally){ bottleneck_backlog_packets(bottleneck), bottleneck_backlog_bytes(bottleneck) });
	text_add(answer, "}");
}

static void add_flow(struct text *answer, const struct flow *flow)
{
	text_add(answer, "{");
	add_address(answer, "source", flow->source);
	text_add(answer, ",");
	add_address(answer, "destination", flow->destination);
	text_add(answer, ",\"protocol\":%u,\"packets\":%llu,\"bytes\":%llu,\"lostPackets\":%llu,\"lostBytes\":%llu}",
	         flow->protocol, (number)flow->packets, (number)flow->bytes, (number)flow->lost_packets,
	         (number)flow->lost_bytes);
}

static void add_flows(struct text *answer, const struct flows *flows)
{
	const char *separator = "";

	for (uint32_t i = 0; i < FLOW_SLOTS; i++) {
		/* flows of paths without random loss are left out */
		if (!flows->slots[i].used || flows->slots[i].packets == 0)
			continue;
		text_add(answer, "%s", separator);
		add_flow(answer, &flows->slots[i]);
		separator = ",";
	}
}

void counters_write(const struct control *control, struct text *answer)
{
	const struct link *link = control->link;
	const struct lateness *lateness = &control->lateness;
	uint64_t failed = atomic_load_explicit(&control->log->failed, memory_order_relaxed);
	uint64_t written = atomic_load_explicit(&control->log->written, memory_order_relaxed);

	text_add(answer, "{\"counters\":{\"paths\":[");
	for (uint32_t i = 0; i < link->config.path_count; i++) {
		text_add(answer, i == 0 ? "" : ",");
		add_path(answer, &link->paths[i]);
	}
	text_add(answer, "],\"bottleneck\":");
	add_bottleneck(answer, link->bottlenecks[DOWN]);
	text_add(answer, ",\"up\":");
	add_bottleneck(answer, link->bottlenecks[UP]);
	text_add(answer, ",\"flows\":[");
	add_flows(answer, &link->flows);
	text_add(answer, "],\"lateness\":{\"p50Us\":%.1f,\"p99Us\":%.1f,\"maxUs\":%.1f,\"packets\":%llu}",
	         lateness_quantile_us(lateness, 0.5), lateness_quantile_us(lateness, 0.99),
	         (double)lateness->max_ns / 1000, (number)lateness->packets);
	add_tally(answer, "passed", link->counters.passed);
	text_add(answer, ",\"ignoredPackets\":%llu,\"noRoomPackets\":%llu,\"writeErrors\":%llu",
	         (number)link->counters.ignored_packets, (number)link->counters.no_room_packets,
	         (number)control->write_errors);
	text_add(answer, ",\"log\":{\"records\":%llu,\"lost\":%llu},\"cpuMs\":%.1f}}\n", (number)(written - failed),
	         (number)(control->log->lost + failed), counters_cpu_ms() - control->cpu_zero_ms);
}
