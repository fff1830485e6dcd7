// SPDX-License-Identifier: MIT
/*
 * Loaded before a program's own libraries: for each RTP packet that it sends, writes down the reading of the monotonic
 * clock that the same thread took last. In Chromium that is the packet's time of sending as its congestion control has
 * it (services/network/p2p/socket_udp.cc: DoSend reads the clock first).
 *
 * A record, in the machine's byte order: the reading, ns; what the wall clock is ahead of that clock, ns; the packet's
 * first twelve bytes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { rtp_header_bytes = 12 };

struct record {
	int64_t monotonic_ns;
	int64_t ahead_ns;
	unsigned char header[rtp_header_bytes];
} __attribute__((packed));

static __thread int64_t last_ns;
static int output = -1;

static int64_t ns_of(const struct timespec *time)
{
	return time->tv_sec * INT64_C(1000000000) + time->tv_nsec;
}

static int read_clock(clockid_t clock, struct timespec *time)
{
	static int (*real)(clockid_t, struct timespec *);

	if (!real)
		real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	return real ? real(clock, time) : (int)syscall(SYS_clock_gettime, clock, time);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	int result = read_clock(clock, time);

	if (result == 0 && clock == CLOCK_MONOTONIC)
		last_ns = ns_of(time);
	return result;
}

static void write_down(const unsigned char *packet, size_t length)
{
	struct record record;
	struct timespec monotonic, wall;
	const char *path;

	/* RTP by its first byte, and not RTCP by its second (RFC 7983; RFC 5761, section 4) */
	if (length < rtp_header_bytes || packet[0] < 128 || packet[0] > 191 || (packet[1] >= 192 && packet[1] <= 223))
		return;
	if (output < 0) {
		path = getenv("COEXIST_SEND_TIMES");
		output = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
		if (output < 0)
			return;
	}
	record.monotonic_ns = last_ns;
	read_clock(CLOCK_MONOTONIC, &monotonic);
	read_clock(CLOCK_REALTIME, &wall);
	record.ahead_ns = ns_of(&wall) - ns_of(&monotonic);
	memcpy(record.header, packet, rtp_header_bytes);
	/* a record that could not be written is missed by the reader, which counts */
	if (write(output, &record, sizeof(record)) < 0)
		return;
}

ssize_t sendto(int fd, const void *bytes, size_t length, int flags, const struct sockaddr *to, socklen_t to_length)
{
	static ssize_t (*real)(int, const void *, size_t, int, const struct sockaddr *, socklen_t);

	if (!real)
		real = (ssize_t (*)(int, const void *, size_t, int, const struct sockaddr *, socklen_t))dlsym(RTLD_NEXT,
		                                                                                              "sendto");
	write_down(bytes, length);
	return real(fd, bytes, length, flags, to, to_length);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	static ssize_t (*real)(int, const struct msghdr *, int);

	if (!real)
		real = (ssize_t (*)(int, const struct msghdr *, int))dlsym(RTLD_NEXT, "sendmsg");
	if (message->msg_iovlen > 0 && message->msg_name)
		write_down(message->msg_iov[0].iov_base, message->msg_iov[0].iov_len);
	return real(fd, message, flags);
}
