/* SPDX-License-Identifier: MIT */
/*
 * Telemetry as JSON. Bandwidths are printed in bit/s. Times are printed in Unix ms (CLOCK_MONOTONIC plus the
 * present difference of the clocks) or in ms of CLOCK_MONOTONIC. Values that are infinite in the model, or not
 * known yet, are null.
 */
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include "parameters.h"
#include "phases.h"
#include "stop.h"

static const char *const states[] = {
	[BBR3_STARTUP] = "startup", [BBR3_DRAIN] = "drain", [BBR3_DOWN] = "down",           [BBR3_CRUISE] = "cruise",
	[BBR3_REFILL] = "refill",   [BBR3_UP] = "up",       [BBR3_PROBE_RTT] = "probe-rtt",
};

static const char *const events[] = {
	[BBR3_BEGIN] = "begin",
	[BBR3_PLATEAU] = "plateau",
	[BBR3_STARTUP_LOSS] = "startup-loss",
	[BBR3_DRAINED] = "drained",
	[BBR3_DRAIN_ROUNDS] = "drain-rounds",
	[BBR3_PROBE_TIME] = "probe-time",
	[BBR3_RENO_TIME] = "reno-time",
	[BBR3_REFILLED] = "refilled",
	[BBR3_PRECAUTION] = "precaution",
	[BBR3_PRECAUTION_OK] = "precaution-ok",
	[BBR3_TOO_HIGH] = "too-high",
	[BBR3_PROBE_RTT_DUE] = "probe-rtt-due",
	[BBR3_PROBE_RTT_DONE] = "probe-rtt-done",
	[BBR3_UNDONE] = "undone",
	[BBR3_PROBE_RTT_LOW] = "probe-rtt-low",
	[BBR3_RESTART] = "restart",
	[BBR3_RECOVERY] = "recovery",
	[BBR3_TIMEOUT] = "timeout",
	[BBR3_LOSS_ROUND] = "loss-round",
};

static const char *const budgets[] = { [BBR3_BUDGET_DRAFT] = "draft", [BBR3_BUDGET_KERNEL] = "kernel" };

#define NAME(table, index) ((index) < sizeof(table) / sizeof(*(table)) ? (table)[index] : "unknown")

static uint64_t clock_us(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

/* Returns the time to add to a time of CLOCK_MONOTONIC before it is printed, us; 0 with `monotonic`. */
static uint64_t clocks_apart(bool monotonic)
{
	return monotonic ? 0 : clock_us(CLOCK_REALTIME) - clock_us(CLOCK_MONOTONIC);
}

static void print_time(const char *name, uint64_t time, uint64_t apart)
{
	printf("\"%s\":%.3f", name, (double)(time + apart) / 1000);
}

static void print_bits(const char *name, uint64_t bytes_per_second)
{
	if (bytes_per_second == BBR3_INFINITE64)
		printf(",\"%s\":null", name);
	else
		printf(",\"%s\":%" PRIu64, name, bytes_per_second * 8);
}

static void print_count(const char *name, uint32_t value)
{
	if (value == BBR3_INFINITE32)
		printf(",\"%s\":null", name);
	else
		printf(",\"%s\":%u", name, value);
}

static void print_ms(const char *name, uint32_t us)
{
	if (us == BBR3_INFINITE32)
		printf(",\"%s\":null", name);
	else
		printf(",\"%s\":%.3f", name, (double)us / 1000);
}

void print_identity(const struct registered *found)
{
	static const uint8_t not_told[BBR3_HASH_BYTES];

	printf("\"version\":%u,\"draft\":\"%s\",\"objectSha256\":", found->what.version, found->what.draft);
	if (memcmp(found->what.object_hash, not_told, BBR3_HASH_BYTES) == 0) {
		printf("null");
	} else {
		printf("\"");
		for (int i = 0; i < BBR3_HASH_BYTES; i++)
			printf("%02x", found->what.object_hash[i]);
		printf("\"");
	}
	printf(",\"budget\":\"%s\",\"telemetry\":%s,\"forRuns\":%s,\"congControlArguments\":%u",
	       NAME(budgets, found->what.budget), found->what.telemetry ? "true" : "false",
	       found->what.for_runs ? "true" : "false", found->what.cong_control_arguments);
}

static void print_record(const struct bbr3_record *r, uint64_t apart)
{
	char source[INET_ADDRSTRLEN], destination[INET_ADDRSTRLEN];

	inet_ntop(AF_INET, &r->source, source, sizeof(source));
	inet_ntop(AF_INET, &r->destination, destination, sizeof(destination));
	printf("{");
	print_time("timeMs", r->time, apart);
	printf(",\"budget\":\"%s\"", NAME(budgets, r->budget));
	printf(",\"socket\":%" PRIu64
	       ",\"version\":%u,\"source\":\"%s\",\"sourcePort\":%u,\"destination\":\"%s\",\"destinationPort\":%u,",
	       r->socket, r->version, source, r->source_port, destination, r->destination_port);
	print_time("beginMs", r->begin_time, apart);
	printf(",\"ended\":%s,\"state\":\"%s\"", r->end_time ? "true" : "false", NAME(states, r->state));
	print_bits("maxBandwidthBps", r->max_bw);
	print_bits("shortTermBandwidthBps", r->bw_shortterm);
	print_bits("bandwidthBps", r->bw);
	print_bits("pacingBps", r->pacing_rate);
	print_ms("minRttMs", r->min_rtt);
	print_ms("rttMs", r->rtt);
	print_count("congestionWindowPackets", r->cwnd);
	print_count("inFlightPackets", r->inflight);
	print_count("longTermInFlightPackets", r->inflight_longterm);
	print_count("shortTermInFlightPackets", r->inflight_shortterm);
	print_count("extraAckedPackets", r->extra_acked);
	printf(",\"rounds\":%u,\"lossRounds\":%u,\"deliveredPackets\":%u,\"lostPackets\":%u,\"transitions\":%u,\"probeRttEpisodes\":%u,",
	       r->round_count, r->loss_rounds, r->delivered, r->lost, r->transitions, r->probe_rtt_episodes);
	printf("\"acknowledgments\":%" PRIu64 ",\"ringHits\":%u,\"ringMisses\":%u,\"lostPacketsSeen\":%u}",
	       r->acknowledgments, r->ring_hits, r->ring_misses, r->lost_packets_seen);
}

static void print_event(const struct bbr3_transition *t, uint64_t apart)
{
	printf("{");
	print_time("timeMs", t->time, apart);
	printf(",\"number\":%" PRIu64 ",\"socket\":%" PRIu64
	       ",\"event\":\"%s\",\"from\":\"%s\",\"to\":\"%s\",\"pacingGainPercent\":%u",
	       t->number, t->socket, NAME(events, t->event), NAME(states, t->from), NAME(states, t->to), t->gain);
	print_bits("maxBandwidthBps", t->max_bw);
	print_bits("shortTermBandwidthBps", t->bw_shortterm);
	print_bits("pacingBps", t->pacing_rate);
	print_ms("minRttMs", t->min_rtt);
	print_count("congestionWindowPackets", t->cwnd);
	print_count("inFlightPackets", t->inflight);
	print_count("longTermInFlightPackets", t->inflight_longterm);
	print_count("shortTermInFlightPackets", t->inflight_shortterm);
	printf(",\"rounds\":%u,\"deliveredPackets\":%u,\"lostPackets\":%u,\"probeWaitMs\":%.3f}", t->round_count,
	       t->delivered, t->lost, (double)t->bw_probe_wait / 1000);
}

static int read_counters(const struct registered *found, struct bbr3_counters *counters)
{
	uint32_t zero = 0;

	return bpf_map_lookup_elem(found->counters, &zero, counters) == 0 ? 0 : errno;
}

/* Reads the record of a socket. False: the socket has no record, or a later socket has replaced it. */
static bool read_record(const struct registered *found, uint64_t socket, struct bbr3_record *record)
{
	uint32_t place = (uint32_t)(socket % BBR3_RECORDS);

	return found->what.telemetry && bpf_map_lookup_elem(found->records, &place, record) == 0
	       && record->socket == socket;
}

static bool read_event(const struct registered *found, uint64_t number, struct bbr3_transition *event)
{
	uint32_t place = (uint32_t)(number % BBR3_TRANSITIONS);

	return found->what.telemetry && bpf_map_lookup_elem(found->events, &place, event) == 0
	       && event->number == number;
}

/* Returns the first of the last `kept` numbers up to `last`. Numbers begin at 1. */
static uint64_t first_kept(uint64_t last, uint64_t kept)
{
	return last > kept ? last - kept + 1 : 1;
}

static void print_counters(const struct bbr3_counters *counters)
{
	printf("\"counters\":{\"sockets\":%llu,\"storeFailures\":%llu,\"events\":%llu}",
	       (unsigned long long)counters->sockets, (unsigned long long)counters->store_failures,
	       (unsigned long long)counters->events);
}

int print_telemetry(const struct registered *found, bool with_events, bool monotonic)
{
	struct bbr3_counters counters;
	struct bbr3_record record;
	struct bbr3_transition event;
	uint64_t apart = clocks_apart(monotonic);
	const char *separator = "";
	int error = read_counters(found, &counters);

	if (error != 0)
		return error;
	printf("{");
	print_identity(found);
	printf(",");
	print_counters(&counters);
	printf(",\"sockets\":[");
	for (uint64_t socket = first_kept(counters.sockets, BBR3_RECORDS); socket <= counters.sockets; socket++) {
		if (!read_record(found, socket, &record))
			continue;
		printf("%s", separator);
		print_record(&record, apart);
		separator = ",";
	}
	printf(with_events ? "],\"events\":[" : "]");
	separator = "";
	for (uint64_t number = first_kept(counters.events, BBR3_TRANSITIONS); with_events && number <= counters.events;
	     number++) {
		if (!read_event(found, number, &event))
			continue;
		printf("%s", separator);
		print_event(&event, apart);
		separator = ",";
	}
	printf(with_events ? "]}\n" : "}\n");
	return 0;
}

/*
 * Prints the events after number `printed` up to number `last`. Returns the number of the last event printed.
 */
static uint64_t print_new_events(const struct registered *found, uint64_t printed, uint64_t last, uint64_t apart)
{
	struct bbr3_transition event;
	uint64_t number = printed + 1;

	if (last > BBR3_TRANSITIONS && number < last - BBR3_TRANSITIONS + 1) {
		uint64_t next = last - BBR3_TRANSITIONS + 1;

		printf("{\"missedEvents\":%" PRIu64 "}\n", next - number);
		number = next;
	}
	for (; number <= last; number++) {
		if (!read_event(found, number, &event))
			continue;
		printf("{\"event\":");
		print_event(&event, apart);
		printf("}\n");
	}
	return last;
}

/*
 * Prints the live sockets, and all sockets after the first `known`, because a connection may begin and end
 * between two readings.
 */
static void print_sockets(const struct registered *found, uint64_t sockets, uint64_t known, uint64_t apart)
{
	uint64_t now = clock_us(CLOCK_MONOTONIC);
	struct bbr3_record record;

	for (uint64_t socket = first_kept(sockets, BBR3_RECORDS); socket <= sockets; socket++) {
		if (!read_record(found, socket, &record))
			continue;
		if (socket <= known && (record.time + 1000000 < now || record.end_time != 0))
			continue; /* the socket is inactive for more than a second */
		printf("{\"sample\":");
		print_record(&record, apart);
		printf("}\n");
	}
}

int watch(const struct registered *found, uint32_t interval_ms, bool monotonic)
{
	struct bbr3_counters counters;
	uint64_t printed, failures;
	/*
	 * counts of the reading before the last, because the record of a new socket may be written later than
	 * its number
	 */
	uint64_t known, counted;
	int error = read_counters(found, &counters);

	if (error != 0)
		return error;
	keep_stop_signals();
	printed = counters.events;
	failures = counters.store_failures;
	known = counted = counters.sockets;
	printf("{");
	print_identity(found);
	printf(",");
	print_counters(&counters);
	printf("}\n");
	while (fflush(stdout) == 0 && !is_stopped((int)interval_ms)) {
		uint64_t apart;

		error = read_counters(found, &counters);
		if (error != 0)
			return error;
		apart = clocks_apart(monotonic);
		if (counters.store_failures != failures) {
			failures = counters.store_failures;
			printf("{");
			print_counters(&counters);
			printf("}\n");
		}
		printed = print_new_events(found, printed, counters.events, apart);
		print_sockets(found, counters.sockets, known, apart);
		known = counted;
		counted = counters.sockets;
	}
	return 0;
}
