/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "clock.h"
#include "forward.h"

/* Packets read before what is due is sent. */
enum { BATCH = 256 };

/*
 * After a packet that left late the next ones make up for it, but not at once: a receiver would see a rate that the
 * link has not, and BBR remembers the highest. A packet leaves no sooner after the one before it than the bottleneck
 * takes to send it, less the usual lateness of a wake-up, which it need not wait for again, and less a twelfth; more
 * than 1 ms behind, an eighth. Whoever is 5 ms behind was stopped by the machine, and sends all that is due at once:
 * the packets should not have to wait any longer for that.
 */
static const uint64_t wake_ns = 60000, behind_ns = 1000000, stopped_ns = 5000000;

/* The first of what waits at the ports; NULL: nothing does. */
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

		/* by the wall clock it may have come after now: read a moment later, or the clock was set */
		uint64_t age_ns = real_ns > frame.time_ns ? real_ns - frame.time_ns : 0;

		arrive(control, &frame, direction, age_ns < now_ns ? now_ns - age_ns : now_ns);
		port_done(port);
	}
	link_advance(control->link, now_ns);
	return true;
}

/* When a packet may be sent. */
static uint64_t send_ns(const struct forward *forward, const struct packet *packet, uint64_t now_ns)
{
	uint64_t late_ns = now_ns > packet->time_ns ? now_ns - packet->time_ns : 0;
	uint64_t apart_ns = packet->service_ns - packet->service_ns / (late_ns > behind_ns ? 8 : 12);
	uint64_t soonest_ns = forward->sent_ns[packet->direction] + apart_ns;

	return late_ns > stopped_ns || packet->time_ns > soonest_ns ? packet->time_ns : soonest_ns;
}

/* `when_ns`: when it might be sent. */
static void send(struct forward *forward, struct control *control, struct packet *packet, uint64_t when_ns,
                 uint64_t now_ns)
{
	if (!port_send(&forward->ports[packet->direction], packet->data, packet->length))
		control->write_errors++;
	if (packet->path != NO_PATH) {
		lateness_add(&control->lateness, now_ns - packet->time_ns);
		forward->sent_ns[packet->direction] = now_ns - when_ns > wake_ns ? now_ns - wake_ns : when_ns;
	}
	link_release(control->link, packet);
}

uint64_t forward_write(struct forward *forward, struct control *control)
{
	const struct packet *next;

	while ((next = link_leaving(control->link))) {
		uint64_t now_ns = clock_now_ns(),
			 when_ns = next->path == NO_PATH ? now_ns : send_ns(forward, next, now_ns);

		if (when_ns > now_ns)
			return when_ns;
		send(forward, control, link_leave(control->link), when_ns, now_ns);
	}
	return link_next_ns(control->link);
}
