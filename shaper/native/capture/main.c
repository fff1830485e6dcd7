/* SPDX-License-Identifier: MIT */
/*
 * coexist-capture: writes the headers of packets that leave a device into a pcap file (capture.h).
 *
 *   coexist-capture DEVICE FILE [PORT]   -> {"ready":true}, then at the end {"packets":9,"drops":0}
 *
 * With a PORT, the file contains only UDP that is neither from nor to this port. DEVICE is in the caller's network
 * namespace. Ends by SIGTERM, SIGINT or the end of stdin. Exit status: 0 done, 1 usage, 2 this machine lacks a
 * feature, or the file could not be written (reason on stderr).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "capture.h"

/* Milliseconds between two fetches of packets; the ring holds seconds. */
#define POLL_MS 50

static volatile sig_atomic_t ended;

static void on_signal(int number)
{
	(void)number;
	ended = 1;
}

static int fail(const char *what, int error)
{
	fprintf(stderr, "coexist-capture: %s: %s\n", what, strerror(error));
	return 2;
}

/* Fetches packets until the program must end. Returns 0 or an errno. */
static int follow(struct capture *capture)
{
	while (!ended) {
		struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
		char ignored[256];

		if (poll(&input, 1, POLL_MS) > 0 && read(STDIN_FILENO, ignored, sizeof(ignored)) <= 0)
			ended = 1;

		int error = capture_write(capture);

		if (error != 0)
			return error;
	}
	return 0;
}

static int keep(const char *device, const char *path, uint16_t other_than_port)
{
	if (if_nametoindex(device) == 0)
		return fail(device, errno);

	struct capture_counts counts;
	struct capture *capture = capture_open(device, path, other_than_port);

	if (capture == NULL)
		return fail(path, errno);
	printf("{\"ready\":true}\n");
	fflush(stdout);

	int followed = follow(capture);
	int closed = capture_close(capture, &counts);

	if (followed != 0 || closed != 0)
		return fail(path, followed != 0 ? followed : closed);
	printf("{\"packets\":%llu,\"drops\":%llu}\n", (unsigned long long)counts.packets,
	       (unsigned long long)counts.drops);
	return fflush(stdout) == 0 ? 0 : fail("stdout", errno);
}

int main(int count, char **words)
{
	struct sigaction action = { .sa_handler = on_signal };

	long port = 0;

	if (count == 4) {
		char *end;

		port = strtol(words[3], &end, 10);
		if (*end != '\0' || port < 1 || port > 65535)
			count = 0;
	}
	if (count != 3 && count != 4) {
		fprintf(stderr, "usage: coexist-capture DEVICE FILE [PORT]\n");
		return 1;
	}
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	return keep(words[1], words[2], (uint16_t)port);
}
