/* SPDX-License-Identifier: MIT */
#include <unistd.h>
#include "clock.h"
#include "forward.h"

/* Packets read from one device before the other gets its turn and what is due is written. */
enum { BATCH = 64 };

void forward_read(struct control *control, int device, enum direction direction)
{
	for (int i = 0; i < BATCH; i++) {
		struct packet *packet = link_take(control->link);

		if (!packet) {
			uint8_t turned_away[PACKET_ROOM];

			if (read(device, turned_away, sizeof(turned_away)) <= 0)
				control->link->counters.no_room_packets--; /* there was nothing to turn away */
			return;
		}

		ssize_t length = read(device, packet->data, sizeof(packet->data));

		if (length <= 0) {
			link_release(control->link, packet);
			return;
		}
		packet->length = (uint32_t)length;
		link_arrive(control->link, packet, direction, clock_now_ns());
	}
}

void forward_write(struct control *control, const int devices[DIRECTIONS])
{
	struct packet *packet;

	link_advance(control->link, clock_now_ns());
	while ((packet = link_leave(control->link))) {
		if (packet->path != NO_PATH)
			lateness_add(&control->lateness, clock_now_ns() - packet->time_ns);
		if (write(devices[packet->direction], packet->data, packet->length) < 0)
			control->write_errors++;
		link_release(control->link, packet);
	}
}
