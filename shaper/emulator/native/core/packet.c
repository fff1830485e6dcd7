/* SPDX-License-Identifier: MIT */
/* Parser and ECN marking of IPv4 headers (RFC 791, RFC 3168). */
#include <string.h>
#include "packet.h"

enum { PROTOCOL_TCP = 6, PROTOCOL_UDP = 17, HEADER_MIN = 20 };

bool packet_parse(struct packet *packet)
{
	const uint8_t *ip = packet->data;
	uint32_t header = (ip[0] & 15u) * 4;

	if (packet->length < HEADER_MIN || packet->length > PACKET_MAX || ip[0] >> 4 != 4 || header < HEADER_MIN
	    || header > packet->length)
		return false;
	memcpy(&packet->source, ip + 12, 4);
	memcpy(&packet->destination, ip + 16, 4);
	packet->protocol = ip[9];
	packet->source_port = packet->destination_port = 0;
	memset(packet->transport, 0, sizeof(packet->transport));

	bool first_fragment = ((ip[6] & 0x1f) | ip[7]) == 0;
	bool ports = packet->protocol == PROTOCOL_TCP || packet->protocol == PROTOCOL_UDP;

	if (!first_fragment || !ports || packet->length < header + 4)
		return true;
	memcpy(&packet->source_port, ip + header, 2);
	memcpy(&packet->destination_port, ip + header + 2, 2);

	uint32_t left = packet->length - header - 4;

	memcpy(packet->transport, ip + header + 4, left < sizeof(packet->transport) ? left : sizeof(packet->transport));
	return true;
}

enum ecn packet_ecn(const struct packet *packet)
{
	return (enum ecn)(packet->data[1] & 3);
}

void packet_set_ce(struct packet *packet)
{
	uint8_t *ip = packet->data;
	uint16_t before = (uint16_t)(ip[0] << 8 | ip[1]);
	uint16_t after = before | ECN_CE;
	uint32_t sum = (uint16_t)~(ip[10] << 8 | ip[11]);

	sum += (uint16_t)~before + (uint32_t)after;
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = ~sum;
	ip[1] = (uint8_t)after;
	ip[10] = (uint8_t)(sum >> 8);
	ip[11] = (uint8_t)sum;
}
