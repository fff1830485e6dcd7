/* SPDX-License-Identifier: MIT */
/* Tests of the program's output: the queue log, and the lateness of packets. */
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "lateness.h"
#include "log.h"
#include "support.h"

static struct log log_state;
static char path[] = "/tmp/coexist-link-log-XXXXXX";

static long long size(void)
{
	struct stat stat_;

	CHECK(stat(path, &stat_) == 0);
	return stat_.st_size;
}

static void format(void)
{
	struct queue_log_header header;
	struct queue_log_record record;
	struct packet packet;
	FILE *file;

	fill(&packet, &flood);
	memcpy(packet.data + 24, "\1\2\3\4\5\6\7\10", 8);
	packet.data[1] = 0xb9;
	CHECK(packet_parse(&packet));
	packet.id = 42;
	packet.cost = 1514;
	log_state = (struct log){ .file = -1 };
	CHECK_EQUAL(log_open(&log_state, path), 0);
	log_event(&log_state, &(struct link_event){ EVENT_DROP, REASON_AQM, 1234567890123, 5000, 3028, 2, &packet });
	log_event(&log_state, &(struct link_event){ EVENT_ENQUEUE, REASON_NONE, 1234567890124, 0, 1514, 1, &packet });
	log_close(&log_state);
	CHECK_EQUAL(size(), 64 * 3);
	file = fopen(path, "r");
	CHECK(file && fread(&header, sizeof(header), 1, file) == 1 && fread(&record, sizeof(record), 1, file) == 1);
	CHECK(memcmp(header.magic, "CXQLOG1", 8) == 0);
	CHECK_EQUAL(header.record_bytes, 64);
	CHECK_EQUAL(header.source, QUEUE_LOG_EMULATOR);
	CHECK(header.monotonic_ns > 0 && header.realtime_ns > header.monotonic_ns);
	CHECK_EQUAL(record.time_ns, 1234567890123);
	CHECK_EQUAL(record.packet, 42);
	CHECK_EQUAL(record.sojourn_ns, 5000);
	CHECK_EQUAL(record.source, address("10.0.3.2"));
	CHECK_EQUAL(record.destination_port, packet.destination_port);
	CHECK_EQUAL(record.protocol, 6);
	CHECK_EQUAL(record.event, QUEUE_LOG_DROP);
	CHECK_EQUAL(record.reason, QUEUE_LOG_AQM);
	CHECK_EQUAL(record.length, 1514);
	CHECK_EQUAL(record.queue_packets, 2);
	CHECK_EQUAL(record.queue_bytes, 3028);
	CHECK_EQUAL(header.has_service, 1);
	CHECK_EQUAL(record.reason_code, 0);
	CHECK_EQUAL(record.reason_group, 0);
	CHECK_EQUAL(record.service, 0xb9);
	CHECK(memcmp(&record.transport, "\1\2\3\4\5\6\7\10", 8) == 0);
	CHECK(fread(&record, sizeof(record), 1, file) == 1);
	CHECK_EQUAL(record.event, QUEUE_LOG_ENQUEUE);
	CHECK_EQUAL(record.reason, 0);
	fclose(file);
}

/*
 * Wraps the ring several times, with a fast or a slow reader. Records that are not lost are in the file, in
 * order.
 */
static void ring(void)
{
	const uint64_t count = 5 * LOG_RING + 17;
	struct packet packet;
	uint64_t last = 0, records = 0;
	struct queue_log_record record;
	FILE *file;

	fill(&packet, &media);
	CHECK(packet_parse(&packet));
	log_state = (struct log){ .file = -1 };
	CHECK_EQUAL(log_open(&log_state, path), 0);
	for (uint64_t i = 1; i <= count; i++) {
		packet.id = i;
		log_event(&log_state, &(struct link_event){ EVENT_ENQUEUE, REASON_NONE, i, 0, 0, 0, &packet });
		if (i % 20000 == 0 && i < 3 * LOG_RING)
			nanosleep(&(struct timespec){ .tv_nsec = 15 * 1000 * 1000 }, NULL);
	}
	log_close(&log_state);
	file = fopen(path, "r");
	CHECK(file && fseek(file, 64, SEEK_SET) == 0);
	while (fread(&record, sizeof(record), 1, file) == 1) {
		CHECK(record.packet > last && record.time_ns == record.packet);
		last = record.packet;
		records++;
	}
	fclose(file);
	CHECK_EQUAL(records + log_state.lost, count);
	CHECK_EQUAL(records, log_state.written);
	CHECK_EQUAL(log_state.failed, 0);
}

static void no_file(void)
{
	log_state = (struct log){ .file = -1 };
	CHECK_EQUAL(log_open(&log_state, "/nowhere/at/all"), 2);
}

static int open_full(void)
{
	return open("/dev/full", O_WRONLY);
}

static void full_disk(void)
{
	struct packet packet;

	if (access("/dev/full", W_OK) != 0)
		return;
	log_state = (struct log){ .file = -1 };
	CHECK_EQUAL(log_open(&log_state, "/dev/full"), 28);
	close(log_state.file);

	/* the header is written, then the disk is full */
	CHECK_EQUAL(log_open(&log_state, path), 0);
	CHECK(dup2(open_full(), log_state.file) == log_state.file);
	fill(&packet, &media);
	CHECK(packet_parse(&packet));
	for (int i = 0; i < 10; i++)
		log_event(&log_state, &(struct link_event){ EVENT_ENQUEUE, REASON_NONE, 1, 0, 0, 0, &packet });
	log_close(&log_state);
	CHECK_EQUAL(log_state.failed, 10);
}

static void lateness(void)
{
	static struct lateness late;

	CHECK_NEAR(lateness_quantile_us(&late, 0.5), 0, 0);
	for (uint64_t i = 0; i < 1000; i++)
		lateness_add(&late, i * 1000 + 500);
	CHECK_NEAR(lateness_quantile_us(&late, 0.5), 500, 1);
	CHECK_NEAR(lateness_quantile_us(&late, 0.99), 990, 1);
	CHECK_NEAR(lateness_quantile_us(&late, 1), 999.5, 0.001);
	for (uint64_t value_us = 1; value_us < 4000000000; value_us = value_us * 9 / 8 + 1) {
		late = (struct lateness){};
		lateness_add(&late, value_us * 1000);
		lateness_add(&late, value_us * 1000 * 2);
		CHECK(lateness_quantile_us(&late, 0.5) > (double)value_us);
		CHECK(lateness_quantile_us(&late, 0.5) <= (double)value_us * 1.04 + 1);
	}
	late = (struct lateness){};
	lateness_add(&late, NEVER);
	CHECK(lateness_quantile_us(&late, 0.99) > 1e6);
}

int main(void)
{
	int file = mkstemp(path);

	CHECK(file >= 0);
	close(file);
	test("a record is what queue-log.h says", format);
	test("through the ring come all records that are not counted as lost, in order", ring);
	test("a file that cannot be made is an error", no_file);
	test("records that the disk did not take are counted", full_disk);
	test("quantiles of lateness are right to 1 us up to 1 ms and to 4 % beyond", lateness);
	remove(path);
	return tests_done("log");
}
