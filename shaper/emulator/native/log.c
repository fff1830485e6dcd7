/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "log.h"

/* Size of the stack of the thread; the default size would lock more memory than needed. */
enum { LOG_STACK = 256 * 1024 };

static const struct timespec pause_time = { .tv_nsec = 10 * 1000 * 1000 };

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000ULL + (uint64_t)time.tv_nsec;
}

static bool write_all(int file, const void *bytes, size_t length)
{
	const char *at = bytes;

	while (length > 0) {
		ssize_t count = write(file, at, length);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return false;
		at += count;
		length -= (size_t)count;
	}
	return true;
}

/* Writes the content of the ring to the file, in one or two pieces. False: the ring was empty. */
static bool drain(struct log *log)
{
	uint64_t read = atomic_load_explicit(&log->read, memory_order_relaxed);
	uint64_t written = atomic_load_explicit(&log->written, memory_order_acquire);
	uint64_t count = written - read, to_end = LOG_RING - read % LOG_RING;

	if (count == 0)
		return false;
	if (count > to_end)
		count = to_end;
	if (!write_all(log->file, &log->ring[read % LOG_RING], count * sizeof(log->ring[0])))
		atomic_fetch_add_explicit(&log->failed, count, memory_order_relaxed);
	atomic_store_explicit(&log->read, read + count, memory_order_release);
	return true;
}

static void *run(void *context)
{
	struct log *log = context;

	for (;;) {
		bool stopping = atomic_load_explicit(&log->stopping, memory_order_acquire);

		while (drain(log))
			;
		if (stopping)
			return NULL;
		nanosleep(&pause_time, NULL);
	}
}

static int write_header(int file)
{
	struct queue_log_header header = { .magic = QUEUE_LOG_MAGIC,
		                           .has_service = 1,
		                           .record_bytes = sizeof(struct queue_log_record),
		                           .source = QUEUE_LOG_EMULATOR };
	uint64_t before_ns = clock_ns(CLOCK_MONOTONIC);

	header.realtime_ns = clock_ns(CLOCK_REALTIME);
	header.monotonic_ns = before_ns + (clock_ns(CLOCK_MONOTONIC) - before_ns) / 2;
	return write_all(file, &header, sizeof(header)) ? 0 : errno;
}

int log_open(struct log *log, const char *path)
{
	pthread_attr_t attributes;

	/* O_NOFOLLOW: under sudo the user may have put a link to a file of root's at that path */
	log->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (log->file < 0)
		return errno;

	int error = write_header(log->file);

	if (error != 0)
		return error;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, LOG_STACK);
	error = pthread_create(&log->thread, &attributes, run, log);
	pthread_attr_destroy(&attributes);
	return error;
}

void log_close(struct log *log)
{
	if (log->file < 0)
		return;
	atomic_store_explicit(&log->stopping, true, memory_order_release);
	pthread_join(log->thread, NULL);
	close(log->file);
}

void log_event(void *context, const struct link_event *event)
{
	static const uint8_t reasons[] = { [REASON_NONE] = 0,
		                           [REASON_OVERFLOW] = QUEUE_LOG_OVERFLOW,
		                           [REASON_RANDOM_LOSS] = QUEUE_LOG_RANDOM_LOSS,
		                           [REASON_AQM] = QUEUE_LOG_AQM };
	static const uint8_t events[] = { [EVENT_ENQUEUE] = QUEUE_LOG_ENQUEUE,
		                          [EVENT_DEQUEUE] = QUEUE_LOG_DEQUEUE,
		                          [EVENT_DROP] = QUEUE_LOG_DROP,
		                          [EVENT_MARK] = QUEUE_LOG_MARK };
	struct log *log = context;
	const struct packet *packet = event->packet;
	uint64_t written = atomic_load_explicit(&log->written, memory_order_relaxed);

	if (log->file < 0)
		return;
	if (written - atomic_load_explicit(&log->read, memory_order_acquire) == LOG_RING) {
		log->lost++;
		return;
	}

	struct queue_log_record *record = &log->ring[written % LOG_RING];

	*record = (struct queue_log_record){
		.time_ns = event->time_ns,
		.packet = packet->id,
		.sojourn_ns = event->sojourn_ns,
		.source = packet->source,
		.destination = packet->destination,
		.source_port = packet->source_port,
		.destination_port = packet->destination_port,
		.protocol = packet->protocol,
		.service = packet->data[1],
		.event = events[event->event],
		.reason = reasons[event->reason],
		.direction = packet->direction == DOWN ? QUEUE_LOG_DOWN : QUEUE_LOG_UP,
		.length = packet->cost,
		.queue_packets = event->queue_packets,
		.queue_bytes = (uint32_t)event->queue_bytes,
	};
	memcpy(&record->transport, packet->transport, sizeof(record->transport));
	atomic_store_explicit(&log->written, written + 1, memory_order_release);
}
