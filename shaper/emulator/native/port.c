/* SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include "port.h"

/*
 * Size of the ring: room for a second of 100 Mbit/s in full packets, which may arrive while the program does
 * not run.
 */
enum { FRAME_BYTES = 2048, FRAMES = 8192, BLOCK_BYTES = 1 << 16 };

static struct tpacket2_hdr *frame_at(const struct port *port, uint32_t index)
{
	return (struct tpacket2_hdr *)(port->ring + (size_t)index * FRAME_BYTES);
}

static const char *set_up(struct port *port, const char *device)
{
	struct tpacket_req ring = { .tp_block_size = BLOCK_BYTES,
		                    .tp_block_nr = (uint32_t)FRAMES * FRAME_BYTES / BLOCK_BYTES,
		                    .tp_frame_size = FRAME_BYTES,
		                    .tp_frame_nr = FRAMES };
	struct sockaddr_ll address = { .sll_family = AF_PACKET,
		                       .sll_protocol = htons(ETH_P_IP),
		                       .sll_ifindex = (int)if_nametoindex(device) };
	int version = TPACKET_V2, yes = 1;

	if (address.sll_ifindex == 0)
		return "no such device";
	if (setsockopt(port->file, SOL_PACKET, PACKET_VERSION, &version, sizeof(version)) != 0)
		return "TPACKET_V2";
	if (setsockopt(port->file, SOL_PACKET, PACKET_RX_RING, &ring, sizeof(ring)) != 0)
		return "ring";
	/* frames go directly to the device, which has no queue */
	if (setsockopt(port->file, SOL_PACKET, PACKET_QDISC_BYPASS, &yes, sizeof(yes)) != 0)
		return "PACKET_QDISC_BYPASS";
	port->ring = mmap(NULL, (size_t)FRAMES * FRAME_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, port->file, 0);
	if (port->ring == MAP_FAILED)
		return "mmap";
	if (bind(port->file, (struct sockaddr *)&address, sizeof(address)) != 0)
		return "bind";
	return NULL;
}

int port_open(struct port *port, const char *device, const char **what)
{
	/* without a protocol at first, so that no frame arrives before the ring exists */
	*port = (struct port){ .file = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
		               .ring = MAP_FAILED };
	*what = "packet socket";
	if (port->file < 0)
		return -1;
	*what = set_up(port, device);
	if (!*what)
		return 0;

	int error = errno;

	if (port->ring != MAP_FAILED)
		munmap(port->ring, (size_t)FRAMES * FRAME_BYTES);
	close(port->file);
	errno = error;
	return -1;
}

bool port_peek(const struct port *port, struct port_frame *frame)
{
	const struct tpacket2_hdr *header = frame_at(port, port->next);

	if (!(__atomic_load_n(&header->tp_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER))
		return false;
	frame->bytes = (const uint8_t *)header + header->tp_net;
	frame->length = header->tp_snaplen > PORT_HEADER ? header->tp_snaplen - PORT_HEADER : 0;
	frame->time_ns = header->tp_sec * 1000000000ULL + header->tp_nsec;
	return true;
}

void port_done(struct port *port)
{
	struct tpacket2_hdr *header = frame_at(port, port->next);

	if (port->header[12] == 0)
		memcpy(port->header, (const uint8_t *)header + header->tp_mac, sizeof(port->header));
	__atomic_store_n(&header->tp_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
	port->next = (port->next + 1) % FRAMES;
}

bool port_send(const struct port *port, const uint8_t *bytes, size_t length)
{
	struct iovec parts[] = { { (void *)port->header, sizeof(port->header) }, { (void *)bytes, length } };

	return writev(port->file, parts, 2) == (ssize_t)(sizeof(port->header) + length);
}

uint32_t port_lost(const struct port *port)
{
	struct tpacket_stats counted = {};
	socklen_t length = sizeof(counted);

	return getsockopt(port->file, SOL_PACKET, PACKET_STATISTICS, &counted, &length) == 0 ? counted.tp_drops : 0;
}
