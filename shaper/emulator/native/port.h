/* SPDX-License-Identifier: MIT */
/*
 * A port: the device through which packets enter and leave the program. It is the far end of a pair of veth devices,
 * and the namespace routes packets to the near end (packet(7), TPACKET_V2). Frames arrive in memory shared with the
 * kernel, each with the time of its arrival by the kernel's own clock: however late the program reads a frame, it knows
 * when it arrived.
 *
 * The near end has no ARP (IFF_NOARP), so every frame is addressed to that end itself: the far end's IP layer takes
 * none of them, and a frame that is sent back as it came is taken by the near end.
 */
#ifndef COEXIST_LINK_PORT_H
#define COEXIST_LINK_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PORT_HEADER = 14 }; /* bytes of an Ethernet header */

struct port {
	int file;      /* for poll(2): readable while a frame waits */
	uint32_t next; /* frame of the ring that is filled next */
	uint8_t *ring;
	uint8_t header[PORT_HEADER]; /* of every frame, in both directions */
};

/* What waits first. It stays the kernel's until port_done. */
struct port_frame {
	const uint8_t *bytes; /* from the IP header on */
	uint32_t length;
	uint64_t time_ns; /* CLOCK_REALTIME, when it arrived */
};

/* -1: `what` says which step failed, errno why. */
int port_open(struct port *port, const char *device, const char **what);

/* False: nothing waits. */
bool port_peek(const struct port *port, struct port_frame *frame);

/* The frame that was seen is read. */
void port_done(struct port *port);

/* Sends an IP packet back to the near end. False: the kernel did not take it. */
bool port_send(const struct port *port, const uint8_t *bytes, size_t length);

/* Frames that found no room in the ring since it was last asked. */
uint32_t port_lost(const struct port *port);

#endif
