/* SPDX-License-Identifier: MIT */
/* Writes packets that leave a device into a classic pcap file with nanoseconds, from a packet socket (packet(7)). */
#ifndef COEXIST_CAPTURE_H
#define COEXIST_CAPTURE_H

#include <stdint.h>

struct capture;

struct capture_counts {
	uint64_t packets; /* written */
	uint64_t drops;   /* lost because the socket's ring was full */
};

/*
 * Starts a capture of everything or, with a port, of UDP neither from nor to it (Ethernet only). NULL with errno on
 * error.
 */
struct capture *capture_open(const char *device, const char *path, uint16_t other_than_port);

/* Writes the captured packets. Call it at least a few times a second. Returns 0 or an errno. */
int capture_write(struct capture *capture);

/* Ends the capture, writes the rest, and frees everything, also after an error. Returns 0 or an errno. */
int capture_close(struct capture *capture, struct capture_counts *counts);

#endif
