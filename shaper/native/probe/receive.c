/* SPDX-License-Identifier: MIT */
/*
 * Receives probes and writes one record for each.
 *
 * The kernel stamps a packet when the device delivers it (SO_TIMESTAMPNS), so the receiver may read it late: it
 * sleeps between batches, so as not to disturb the measurement. The stamps are CLOCK_REALTIME. They are
 * converted to the sender's clock, CLOCK_MONOTONIC, by the difference of both clocks. Both clocks are slewed
 * alike, so the difference changes only when the wall clock is set, which is detected and counted.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <linux/sock_diag.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "probe.h"

enum {
	BATCH = 64,
	BUFFER_BYTES = 64 << 20,
	BATCH_PAUSE_NS = 1000000,
	/* wait after SO_TIMESTAMPNS is set: packets that arrive before it acts get the time at which they are read */
	SETTLE_NS = 20000000,
	CLOCK_STEP_NS = 20000,
};

/* Difference CLOCK_REALTIME - CLOCK_MONOTONIC. */
struct offset {
	int64_t ns;
	uint64_t uncertainty_ns;
};

struct receiver {
	int socket;
	FILE *file;
	struct offset offset;
	uint64_t received;
	uint64_t foreign;
	uint64_t clock_steps;
	uint64_t overflow; /* overflows of the buffer of the socket, as the last datagram reports them */
};

static struct offset read_offset(unsigned int rounds)
{
	struct offset best = { .uncertainty_ns = UINT64_MAX };

	for (unsigned int round = 0; round < rounds; round++) {
		uint64_t before = now_ns(CLOCK_MONOTONIC);
		uint64_t real = now_ns(CLOCK_REALTIME);
		uint64_t after = now_ns(CLOCK_MONOTONIC);

		if (after - before < best.uncertainty_ns)
			best = (struct offset){ .ns = (int64_t)(real - before - (after - before) / 2),
				                .uncertainty_ns = after - before };
	}
	return best;
}

/* Detects that the wall clock was set, and then uses the new difference. */
static void watch_clock(struct receiver *receiver)
{
	struct offset now = read_offset(3);
	uint64_t change = (uint64_t)llabs(now.ns - receiver->offset.ns);

	if (change > CLOCK_STEP_NS + now.uncertainty_ns) {
		receiver->clock_steps++;
		receiver->offset = now;
	}
}

static int open_socket(uint16_t port)
{
	int bytes = BUFFER_BYTES, on = 1;
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes)) != 0)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on)) != 0
	    || setsockopt(fd, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof(on)) != 0
	    || bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
		int error = errno;

		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

static void take(struct receiver *receiver, struct msghdr *message, const struct probe_packet *packet,
                 unsigned int bytes)
{
	struct timespec stamp = { 0 };

	for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL; part = CMSG_NXTHDR(message, part)) {
		uint32_t dropped;

		if (part->cmsg_level != SOL_SOCKET)
			continue;
		if (part->cmsg_type == SO_TIMESTAMPNS)
			memcpy(&stamp, CMSG_DATA(part), sizeof(stamp));
		if (part->cmsg_type == SO_RXQ_OVFL) {
			memcpy(&dropped, CMSG_DATA(part), sizeof(dropped));
			receiver->overflow = dropped;
		}
	}
	if (bytes < sizeof(*packet) || le32toh(packet->magic) != PROBE_MAGIC || stamp.tv_sec == 0) {
		receiver->foreign++;
		return;
	}

	uint64_t real = (uint64_t)stamp.tv_sec * 1000000000u + (uint64_t)stamp.tv_nsec;
	struct probe_record record = {
		.sent_ns = packet->sent_ns,
		.received_ns = htole64(real - (uint64_t)receiver->offset.ns),
		.sequence = packet->sequence,
		.bytes = htole32(bytes),
		.flow = htole64(le32toh(packet->flow)),
	};

	fwrite(&record, sizeof(record), 1, receiver->file);
	receiver->received++;
}

/* Reads waiting datagrams. False: there were none. */
static bool take_batch(struct receiver *receiver)
{
	static struct probe_packet packets[BATCH];
	static char controls[BATCH][CMSG_SPACE(sizeof(struct timespec)) + CMSG_SPACE(sizeof(uint32_t))]
		__attribute__((aligned(8)));
	struct mmsghdr messages[BATCH];
	struct iovec parts[BATCH];

	for (unsigned int i = 0; i < BATCH; i++) {
		parts[i] = (struct iovec){ .iov_base = &packets[i], .iov_len = sizeof(packets[i]) };
		messages[i] = (struct mmsghdr){ .msg_hdr = {
							.msg_iov = &parts[i],
							.msg_iovlen = 1,
							.msg_control = controls[i],
							.msg_controllen = sizeof(controls[i]),
						} };
	}

	/* MSG_TRUNC: only the head is copied, but the returned length is that of the whole datagram */
	int count = recvmmsg(receiver->socket, messages, BATCH, MSG_DONTWAIT | MSG_TRUNC, NULL);

	for (int i = 0; i < count; i++)
		take(receiver, &messages[i].msg_hdr, &packets[i], messages[i].msg_len);
	return count > 0;
}

/* Returns the number of datagrams dropped because the buffer of the socket was full. */
static uint64_t kernel_dropped(const struct receiver *receiver)
{
	uint32_t info[SK_MEMINFO_VARS] = { 0 };
	socklen_t length = sizeof(info);

	/* drops after the last datagram are reported here only */
	if (getsockopt(receiver->socket, SOL_SOCKET, SO_MEMINFO, info, &length) == 0
	    && length > SK_MEMINFO_DROPS * sizeof(info[0]) && info[SK_MEMINFO_DROPS] > receiver->overflow)
		return info[SK_MEMINFO_DROPS];
	return receiver->overflow;
}

static int receive_until_stopped(struct receiver *receiver, int signals)
{
	struct pollfd polled[] = { { receiver->socket, POLLIN, 0 },
		                   { signals, POLLIN, 0 },
		                   { STDIN_FILENO, POLLIN, 0 } };

	for (;;) {
		if (poll(polled, 3, -1) < 0 && errno != EINTR)
			return fail("poll", errno);
		watch_clock(receiver);
		while (take_batch(receiver)) {
		}
		if (polled[1].revents != 0 || (polled[2].revents != 0 && input_ended()))
			return 0;
		sleep_until_ns(now_ns(CLOCK_MONOTONIC) + BATCH_PAUSE_NS);
	}
}

int receive_command(int count, char **words)
{
	double port;

	if (count != 3 || !parse_number(words[1], 0, 65535, &port))
		return usage();

	int signals = stop_signals();
	struct receiver receiver = { .socket = open_socket((uint16_t)port), .offset = read_offset(64) };
	struct sockaddr_in address = { 0 };
	socklen_t address_length = sizeof(address);
	int bytes = 0;
	socklen_t bytes_length = sizeof(bytes);

	if (signals < 0)
		return fail("signals", errno);
	if (receiver.socket < 0)
		return fail(words[1], errno);
	receiver.file = fopen(words[2], "wb");
	if (receiver.file == NULL)
		return fail(words[2], errno);
	setvbuf(receiver.file, NULL, _IOFBF, 1 << 20);
	getsockname(receiver.socket, (struct sockaddr *)&address, &address_length);
	getsockopt(receiver.socket, SOL_SOCKET, SO_RCVBUF, &bytes, &bytes_length);
	sleep_until_ns(now_ns(CLOCK_MONOTONIC) + SETTLE_NS);
	printf("{\"ready\":true,\"port\":%u,\"bufferBytes\":%d}\n", ntohs(address.sin_port), bytes);
	fflush(stdout);

	int status = receive_until_stopped(&receiver, signals);
	bool written = ferror(receiver.file) == 0;

	if ((fclose(receiver.file) != 0 || !written) && status == 0)
		status = fail(words[2], errno);
	if (status == 0)
		printf("{\"received\":%llu,\"kernelDropped\":%llu,\"foreign\":%llu,\"clockSteps\":%llu}\n",
		       (unsigned long long)receiver.received, (unsigned long long)kernel_dropped(&receiver),
		       (unsigned long long)receiver.foreign, (unsigned long long)receiver.clock_steps);
	close(receiver.socket);
	close(signals);
	return status;
}
