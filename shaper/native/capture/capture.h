/* SPDX-License-Identifier: MIT */
/*
 * Writes the packets that leave a device into a classic pcap file with nanoseconds, from a packet socket
 * (packet(7)).
 */
#ifndef COEXIST_CAPTURE_H
#define COEXIST_CAPTURE_H

#include <stdint.h>

struct capture;

struct capture_counts {
	uint64_t packets; /* packets written to the file */
	uint64_t drops;   /* packets lost because the ring of the socket was full */
};

/*
 * Starts a capture of everything or, if `other_than_port` is not 0, of UDP neither from nor to that port
 * (Ethernet only). NULL with errno on error.
 */
struct capture *capture_open(const char *device, const char *path, uint16_t other_than_port);

/*
 * Writes the captured packets to the file. Must be called at least a few times a second. Returns 0 or an errno.
 */
int capture_write(struct capture *capture);

/*
 * Ends the capture, writes the remaining packets, and frees everything, also after an error. Returns 0 or an
 * errno.
 */
int capture_close(struct capture *capture, struct capture_counts *counts);

#endif
