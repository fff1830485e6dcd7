/* SPDX-License-Identifier: MIT */
/* Writes what leaves a device into a classic pcap file with nanoseconds, from a packet socket (packet(7)). */
#ifndef COEXIST_CAPTURE_H
#define COEXIST_CAPTURE_H

#include <stdint.h>

struct capture;

struct capture_counts {
	uint64_t packets; /* written */
	uint64_t drops;   /* found no room in the socket's ring */
};

/*
 * Begins to capture: everything, or where a port is given UDP that is neither from nor to it, which takes Ethernet.
 * Returns NULL with errno set where it cannot.
 */
struct capture *capture_open(const char *device, const char *path, uint16_t other_than_port);

/* Writes what has come. To be called at least a few times a second. Returns 0 or an errno. */
int capture_write(struct capture *capture);

/* Ends the capture, writes the rest, and frees everything, also after an error. Returns 0 or an errno. */
int capture_close(struct capture *capture, struct capture_counts *counts);

#endif
