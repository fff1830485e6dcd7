/* SPDX-License-Identifier: MIT */
/*
 * Sends probes on an absolute schedule: a packet that leaves late does not delay the next one.
 *
 * Missed packets are sent at once, so that the mean rate is correct. After a stall of more than 100 ms the
 * schedule is shifted instead, because a burst of that size would measure the stall. After such a shift the
 * report has `starved` true.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include "histogram.h"
#include "probe.h"

enum {
	IP_UDP_BYTES = 28,
	ETHERNET_BYTES = 14,
	/* largest payload that is not fragmented: an IP packet of 1500 bytes */
	MAX_PAYLOAD = 1472,
	PREFILL_FACTOR = 3,
	/* delay of the sender after which the queue may have run empty */
	STARVED_NS = 5000000,
	GIVE_UP_NS = 100000000,
};

/* Schedule of a sender: packet k is due `due_ns(k)` after the start. */
struct schedule {
	uint64_t total;
	uint64_t prefill;
	uint64_t train;
	double interval_ns; /* time between packets, or between the starts of trains */
};

struct options {
	double rate, seconds, prefill, overhead, train, count, gap_ms, interval_us, bytes, flow, ecn;
};

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static uint64_t due_ns(const struct schedule *schedule, uint64_t k)
{
	double interval = schedule->interval_ns;

	if (k < schedule->prefill)
		return (uint64_t)((double)k * interval / PREFILL_FACTOR);
	return (uint64_t)((double)schedule->prefill * interval / PREFILL_FACTOR
	                  + floor((double)(k - schedule->prefill) / (double)schedule->train) * interval);
}

/*
 * Makes the schedule from the options; an option that was not given is below 0. False: the options do not fit
 * together.
 */
static bool make_schedule(const struct options *options, struct schedule *schedule)
{
	bool rate = options->rate >= 0 && options->seconds >= 0;
	bool train = options->train >= 0 && options->count >= 0 && options->gap_ms >= 0;
	bool interval = options->count >= 0 && options->interval_us >= 0;
	bool only_rate = options->train < 0 && options->count < 0 && options->gap_ms < 0 && options->interval_us < 0;
	bool no_rate = options->rate < 0 && options->seconds < 0 && options->prefill < 0 && options->overhead < 0;

	if (options->bytes < 0)
		return false;
	*schedule = (struct schedule){ .train = 1 };
	if (rate && only_rate) {
		double overhead = options->overhead < 0 ? ETHERNET_BYTES : options->overhead;

		schedule->interval_ns = (options->bytes + IP_UDP_BYTES + overhead) * 8 * 1e9 / options->rate;
		schedule->prefill = options->prefill < 0 ? 0 : (uint64_t)options->prefill;
		schedule->total = schedule->prefill + (uint64_t)ceil(options->seconds * 1e9 / schedule->interval_ns);
		return true;
	}
	if (train && no_rate && options->interval_us < 0) {
		schedule->train = (uint64_t)options->train;
		schedule->interval_ns = options->gap_ms * 1e6;
		schedule->total = schedule->train * (uint64_t)options->count;
		return true;
	}
	if (interval && no_rate && options->train < 0 && options->gap_ms < 0) {
		schedule->interval_ns = options->interval_us * 1e3;
		schedule->total = (uint64_t)options->count;
		return true;
	}
	return false;
}

static bool read_options(int count, char **words, struct options *options)
{
	enum { RATE, SECONDS, PREFILL, OVERHEAD, TRAIN, COUNT, GAP, INTERVAL, BYTES, FLOW, ECN, OPTIONS };
	static const struct option known[] = {
		{ "rate", required_argument, NULL, RATE },       { "seconds", required_argument, NULL, SECONDS },
		{ "prefill", required_argument, NULL, PREFILL }, { "overhead", required_argument, NULL, OVERHEAD },
		{ "train", required_argument, NULL, TRAIN },     { "count", required_argument, NULL, COUNT },
		{ "gap-ms", required_argument, NULL, GAP },      { "interval-us", required_argument, NULL, INTERVAL },
		{ "bytes", required_argument, NULL, BYTES },     { "flow", required_argument, NULL, FLOW },
		{ "ecn", required_argument, NULL, ECN },         { 0 },
	};
	static const struct {
		double least, most;
	} limits[OPTIONS] = {
		[RATE] = { 1000, 100e9 },
		[SECONDS] = { 0.001, 86400 },
		[PREFILL] = { 0, 1e6 },
		[OVERHEAD] = { 0, 1000 },
		[TRAIN] = { 1, 1e5 },
		[COUNT] = { 1, 1e8 },
		[GAP] = { 0, 1e6 },
		[INTERVAL] = { 0, 1e9 },
		[BYTES] = { sizeof(struct probe_packet), MAX_PAYLOAD },
		[FLOW] = { 0, UINT32_MAX },
		[ECN] = { 0, 3 },
	};
	double *values[OPTIONS] = {
		[RATE] = &options->rate,       [SECONDS] = &options->seconds,
		[PREFILL] = &options->prefill, [OVERHEAD] = &options->overhead,
		[TRAIN] = &options->train,     [COUNT] = &options->count,
		[GAP] = &options->gap_ms,      [INTERVAL] = &options->interval_us,
		[BYTES] = &options->bytes,     [FLOW] = &options->flow,
		[ECN] = &options->ecn,
	};
	int which;

	for (int i = 0; i < OPTIONS; i++)
		*values[i] = -1;
	opterr = 0;
	while ((which = getopt_long(count, words, "", known, NULL)) != -1) {
		if (which < 0 || which >= OPTIONS
		    || !parse_number(optarg, limits[which].least, limits[which].most, values[which]))
			return false;
	}
	return count - optind == 2;
}

struct report {
	uint64_t sent;
	uint64_t errors;
	uint64_t start_ns;
	bool moved;
	struct histogram lateness;
};

static int send_all(int fd, const struct sockaddr_in *to, const struct schedule *schedule, char *payload, size_t bytes,
                    struct report *report)
{
	struct probe_packet *packet = (struct probe_packet *)payload;
	uint64_t begin = report->start_ns, previous = UINT64_MAX;

	for (uint64_t k = 0; k < schedule->total && !stopped; k++) {
		uint64_t offset = due_ns(schedule, k), now = now_ns(CLOCK_MONOTONIC);

		while (now < begin + offset && !stopped) {
			sleep_until_ns(begin + offset);
			now = now_ns(CLOCK_MONOTONIC);
		}
		if (stopped)
			break;
		/* packets inside a train do not count as late: they are sent as fast as possible */
		if (offset != previous) {
			uint64_t late = now - (begin + offset);

			histogram_add(&report->lateness, late);
			if (late > GIVE_UP_NS) {
				begin += late;
				report->moved = true;
			}
		}
		previous = offset;
		packet->sequence = htole32((uint32_t)k);
		packet->sent_ns = htole64(now_ns(CLOCK_MONOTONIC));

		/* the kernel sends a datagram whole or not at all */
		if (sendto(fd, payload, bytes, 0, (const struct sockaddr *)to, sizeof(*to)) >= 0)
			report->sent++;
		else if (errno == ENOBUFS || errno == EAGAIN || errno == EINTR)
			report->errors++;
		else
			return fail("send", errno);
	}
	return 0;
}

int send_command(int count, char **words)
{
	struct options options;
	struct schedule schedule;
	struct sockaddr_in to = { .sin_family = AF_INET };
	double port;

	if (!read_options(count, words, &options) || !make_schedule(&options, &schedule))
		return usage();
	if (inet_pton(AF_INET, words[optind], &to.sin_addr) != 1 || !parse_number(words[optind + 1], 1, 65535, &port))
		return usage();
	to.sin_port = htons((uint16_t)port);

	struct sigaction action = { .sa_handler = stop };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), bytes = 4 << 20, discover = IP_PMTUDISC_DO;
	static struct report report;
	static char payload[MAX_PAYLOAD] __attribute__((aligned(8)));

	if (fd < 0)
		return fail("socket", errno);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof(bytes)) != 0)
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
	setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &discover, sizeof(discover));
	if (options.ecn > 0 && setsockopt(fd, IPPROTO_IP, IP_TOS, &(int){ (int)options.ecn }, sizeof(int)) != 0)
		return fail("the ECN field", errno);
	memcpy(payload,
	       &(struct probe_packet){ .magic = htole32(PROBE_MAGIC),
	                               .flow = htole32(options.flow < 0 ? 0 : (uint32_t)options.flow) },
	       sizeof(struct probe_packet));
	mlockall(MCL_CURRENT | MCL_FUTURE);

	const char *scheduling = be_punctual(SENDER_PRIORITY);

	report.start_ns = now_ns(CLOCK_MONOTONIC);

	int status = send_all(fd, &to, &schedule, payload, (size_t)options.bytes, &report);
	bool starved = report.moved || report.errors > 0 || report.lateness.max_ns > STARVED_NS;

	if (status == 0)
		printf("{\"sent\":%llu,\"errors\":%llu,\"startNs\":%llu,\"endNs\":%llu,"
		       "\"lateP99Us\":%.1f,\"lateMaxUs\":%.1f,\"starved\":%s,\"scheduling\":\"%s\"}\n",
		       (unsigned long long)report.sent, (unsigned long long)report.errors,
		       (unsigned long long)report.start_ns, (unsigned long long)now_ns(CLOCK_MONOTONIC),
		       histogram_quantile_us(&report.lateness, 0.99), (double)report.lateness.max_ns / 1000,
		       starved ? "true" : "false", scheduling);
	close(fd);
	return status;
}
