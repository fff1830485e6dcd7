/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "clock.h"
#include "forward.h"
#include "usual.h"

enum {
	BATCH = 256,           /* packets that are read before due packets are sent */
	LONG_WRITE_NS = 20000, /* longer than a write usually takes */
	LEARN_NS = 250,
};

/* Finds the port with the earliest waiting frame. NULL: no frame waits. */
static struct port *first_port(struct forward *forward, struct port_frame *frame, enum direction *direction)
{
	struct port *first = NULL;

	for (int i = 0; i < DIRECTIONS; i++) {
		struct port_frame other;

		if (!port_peek(&forward->ports[i], &other) || (first && other.time_ns >= frame->time_ns))
			continue;
		first = &forward->ports[i];
		*frame = other;
		*direction = (enum direction)i;
	}
	return first;
}

static void arrive(struct control *control, const struct port_frame *frame, enum direction direction, uint64_t time_ns)
{
	struct packet *packet;

	if (frame->length > PACKET_MAX) {
		control->link->counters.ignored_packets++;
		return;
	}
	packet = link_take(control->link);
	if (!packet)
		return;
	packet->length = frame->length;
	memcpy(packet->data, frame->bytes, frame->length);
	link_arrive(control->link, packet, direction, time_ns);
}

bool forward_read(struct forward *forward, struct control *control)
{
	uint64_t real_ns = clock_real_ns(), now_ns = clock_now_ns();
	struct port_frame frame;
	enum direction direction;
	struct port *port;

	for (int i = 0; (port = first_port(forward, &frame, &direction)); i++) {
		if (i == BATCH)
			return false;

		/* the arrival may be in the future: the clock was read before, or the wall clock was set */
		uint64_t age_ns = real_ns > frame.time_ns ? real_ns - frame.time_ns : 0;

		arrive(control, &frame, direction, age_ns < now_ns ? now_ns - age_ns : now_ns);
		port_done(port);
	}
	link_advance(control->link, now_ns);
	return true;
}

/*
 * Sends a packet. Returns its departure time, ns. If the write takes much longer than usual, the packet was
 * delayed before or after it left, and counts as late by the excess. The usual duration of a write does not
 * count as lateness: it would delay each next packet, and a link whose packets take little longer than a write
 * would lose part of its rate.
 */
static uint64_t send(struct forward *forward, struct control *control, const struct packet *packet, uint64_t now_ns)
{
	if (!port_send(&forward->ports[packet->direction], packet->data, packet->length))
		control->write_errors++;

	uint64_t took_ns = clock_now_ns() - now_ns, usual_ns = forward->usual_write_ns[packet->direction];

	usual_learn(&forward->usual_write_ns[packet->direction], took_ns, LEARN_NS);
	return took_ns > usual_ns + LONG_WRITE_NS ? now_ns + took_ns - usual_ns : now_ns;
}

uint64_t forward_write(struct forward *forward, struct control *control)
{
	uint64_t now_ns = clock_now_ns();
	struct packet *packet;

	while ((packet = link_leave(control->link, now_ns))) {
		if (packet->path != NO_PATH)
			lateness_add(&control->lateness, now_ns - packet->time_ns);
		link_sent(control->link, packet, send(forward, control, packet, now_ns));
		now_ns = clock_now_ns();
	}
	return link_next_ns(control->link);
}
