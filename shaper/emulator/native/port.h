/* SPDX-License-Identifier: MIT */
/*
 * A port: the device through which packets enter and leave the program. It is the far end of a pair of veth
 * devices, and the namespace routes packets to the near end (packet(7), TPACKET_V2). Frames arrive in memory
 * shared with the kernel, each with its arrival time by the kernel's clock, so the arrival time is right even
 * if the program reads the frame late.
 *
 * The near end has no ARP (IFF_NOARP), so every frame is addressed to that end itself. The far end's IP layer
 * therefore ignores the frames, and the near end accepts a frame that is sent back unchanged.
 */
#ifndef COEXIST_LINK_PORT_H
#define COEXIST_LINK_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PORT_HEADER = 14 }; /* bytes of an Ethernet header */

struct port {
	int file;      /* descriptor for poll(2): readable while a frame waits */
	uint32_t next; /* index of the next frame of the ring that the kernel fills */
	uint8_t *ring;
	uint8_t header[PORT_HEADER]; /* header of every frame, in both directions */
};

/* First waiting frame. The kernel does not reuse its memory before port_done. */
struct port_frame {
	const uint8_t *bytes; /* packet, from the IP header on */
	uint32_t length;
	uint64_t time_ns; /* time of arrival, CLOCK_REALTIME */
};

/* Opens a port. Returns 0; -1: failure, `what` is the failed step and errno the reason. */
int port_open(struct port *port, const char *device, const char **what);

/* Fills in the first waiting frame. False: no frame waits. */
bool port_peek(const struct port *port, struct port_frame *frame);

/* Releases the frame of the last port_peek to the kernel. */
void port_done(struct port *port);

/* Sends an IP packet back to the near end. False: the kernel refused it. */
bool port_send(const struct port *port, const uint8_t *bytes, size_t length);

/* Returns the number of frames dropped since the last call because the ring was full. */
uint32_t port_lost(const struct port *port);

#endif
