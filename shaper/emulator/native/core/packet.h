/* SPDX-License-Identifier: MIT */
/* A packet in the link, and the lists in which packets wait. */
#ifndef COEXIST_LINK_PACKET_H
#define COEXIST_LINK_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NEVER UINT64_MAX
#define NS_PER_US 1000ULL

enum {
	PACKET_MAX = 1500, /* bytes of IP: the MTU of both devices */
	PACKET_ROOM = 1504,
	NO_PATH = 0xffff,
};

enum direction { DOWN, UP, DIRECTIONS };

/* The ECN field (RFC 3168 section 5). */
enum ecn { ECN_NONE = 0, ECN_ECT1 = 1, ECN_ECT0 = 2, ECN_CE = 3 };

struct packet {
	struct packet *next;
	uint64_t time_ns; /* end of the packet's present stage */
	uint64_t order;   /* at equal times, the packet with the lower order goes first */
	uint64_t id;      /* 1, 2, ... in order of arrival */
	uint64_t enqueued_ns;
	uint64_t service_ns; /* serialisation time; 0 without a bottleneck, or with a trace */
	uint32_t length;     /* bytes of IP */
	uint32_t cost;       /* bytes as the link counts them */
	uint32_t source;     /* IPv4, network order */
	uint32_t destination;
	uint16_t source_port; /* network order; 0 without ports */
	uint16_t destination_port;
	uint16_t path;
	uint8_t protocol;
	uint8_t direction;
	uint8_t transport[8]; /* the 8 bytes after the ports */
	uint8_t data[PACKET_ROOM];
};

/* Parses the headers. False: the packet has no whole IPv4 header. */
bool packet_parse(struct packet *packet);

enum ecn packet_ecn(const struct packet *packet);

/* Sets the ECN field to "congestion experienced" and updates the header checksum (RFC 1624 equation 3). */
void packet_set_ce(struct packet *packet);

struct packet_list {
	struct packet *first, *last;
	uint32_t packets;
	uint64_t bytes; /* sum of `cost` of the packets */
};

static inline void list_push(struct packet_list *list, struct packet *packet)
{
	packet->next = NULL;
	if (list->last)
		list->last->next = packet;
	else
		list->first = packet;
	list->last = packet;
	list->packets++;
	list->bytes += packet->cost;
}

static inline struct packet *list_pop(struct packet_list *list)
{
	struct packet *packet = list->first;

	if (!packet)
		return NULL;
	list->first = packet->next;
	if (!list->first)
		list->last = NULL;
	list->packets--;
	list->bytes -= packet->cost;
	packet->next = NULL;
	return packet;
}

/* Number of packets, and of their bytes as the link counts them. */
struct tally {
	uint64_t packets, bytes;
};

static inline void tally_add(struct tally *tally, const struct packet *packet)
{
	tally->packets++;
	tally->bytes += packet->cost;
}

static inline void tally_remove(struct tally *tally, const struct packet *packet)
{
	tally->packets--;
	tally->bytes -= packet->cost;
}

#endif
