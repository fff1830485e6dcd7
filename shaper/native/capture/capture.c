/* SPDX-License-Identifier: MIT */
/*
 * A packet socket with a ring shared with the kernel (TPACKET_V3, Documentation/networking/packet_mmap.rst),
 * and the pcap format of draft-ietf-opsawg-pcap with the magic number of nanoseconds.
 *
 * Only the headers of each packet are stored: the payloads are encrypted or noise, and with whole packets the
 * disk would carry as much as the link. Time stamps are the kernel's, CLOCK_REALTIME.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "capture.h"

/*
 * Bytes that are stored of each packet: headers of Ethernet, IP, TCP with options or UDP with RTP and its
 * extensions.
 */
#define SNAP_BYTES 128
/* Size of the ring, which holds about four seconds of full frames at 100 Mbit/s. */
#define BLOCK_BYTES (1 << 18)
#define BLOCKS 32
/* Milliseconds after which the kernel delivers a block that is not full. */
#define RETIRE_MS 10
/* Milliseconds to wait for the last block. */
#define LAST_BLOCK_MS 1000

struct pcap_header {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t reserved[2];
	uint32_t snap_bytes;
	uint32_t link_type;
};

struct pcap_packet {
	uint32_t seconds, nanoseconds;
	uint32_t captured_bytes, bytes;
};

struct capture {
	int socket;
	FILE *file;
	uint8_t *ring;
	unsigned int block; /* index of the next block that the kernel will deliver */
	struct capture_counts counts;
	uint64_t seen; /* packets counted by the kernel: written, lost, or still in the ring */
};

static int attach(int sock, struct sock_filter *code, size_t length)
{
	struct sock_fprog program = { .len = (unsigned short)length, .filter = code };

	return setsockopt(sock, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program));
}

/* Sets a filter that accepts outgoing packets, with `outgoing_bytes` of each. */
static int set_filter(int sock, uint32_t outgoing_bytes)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_B | BPF_ABS, (uint32_t)(SKF_AD_OFF + SKF_AD_PKTTYPE)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PACKET_OUTGOING, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, outgoing_bytes),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};

	return attach(sock, code, sizeof(code) / sizeof(code[0]));
}

/*
 * Sets a filter that accepts outgoing UDP over IPv4 on Ethernet, neither from nor to the port. A fragment other
 * than the first has no ports and is accepted.
 */
static int set_udp_filter(int sock, uint32_t other_than_port)
{
	enum { TYPE = 12, IP = 14, FRAGMENT = IP + 6, PROTOCOL = IP + 9 };
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_B | BPF_ABS, (uint32_t)(SKF_AD_OFF + SKF_AD_PKTTYPE)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PACKET_OUTGOING, 0, 12),
		BPF_STMT(BPF_LD | BPF_H | BPF_ABS, TYPE),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ETH_P_IP, 0, 10),
		BPF_STMT(BPF_LD | BPF_B | BPF_ABS, PROTOCOL),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, IPPROTO_UDP, 0, 8),
		BPF_STMT(BPF_LD | BPF_H | BPF_ABS, FRAGMENT),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x1fff, 5, 0),
		BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, IP),
		BPF_STMT(BPF_LD | BPF_H | BPF_IND, IP),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, other_than_port, 3, 0),
		BPF_STMT(BPF_LD | BPF_H | BPF_IND, IP + 2),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, other_than_port, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SNAP_BYTES),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};

	return attach(sock, code, sizeof(code) / sizeof(code[0]));
}

/* Returns pcap's link type of a device; 0 if this program does not know the type. */
static uint32_t link_type(int sock, const char *device)
{
	struct ifreq request = {};

	strncpy(request.ifr_name, device, sizeof(request.ifr_name) - 1);
	if (ioctl(sock, SIOCGIFHWADDR, &request) != 0)
		return 0;
	switch (request.ifr_hwaddr.sa_family) {
	case ARPHRD_ETHER:
	case ARPHRD_LOOPBACK:
		return 1;
	case ARPHRD_NONE:
		return 101;
	default:
		errno = EPROTONOSUPPORT;
		return 0;
	}
}

static int open_socket(struct capture *capture, const char *device, uint16_t other_than_port)
{
	int version = TPACKET_V3;
	struct tpacket_req3 ring = {
		.tp_block_size = BLOCK_BYTES,
		.tp_block_nr = BLOCKS,
		.tp_frame_size = 2048,
		.tp_frame_nr = BLOCKS * (BLOCK_BYTES / 2048),
		.tp_retire_blk_tov = RETIRE_MS,
	};
	struct sockaddr_ll address = { .sll_family = AF_PACKET,
		                       .sll_protocol = htons(ETH_P_ALL),
		                       .sll_ifindex = (int)if_nametoindex(device) };

	if (address.sll_ifindex == 0)
		return -1;
	if ((other_than_port == 0 ? set_filter(capture->socket, SNAP_BYTES)
	                          : set_udp_filter(capture->socket, other_than_port))
	    != 0)
		return -1;
	if (setsockopt(capture->socket, SOL_PACKET, PACKET_VERSION, &version, sizeof(version)) != 0)
		return -1;
	if (setsockopt(capture->socket, SOL_PACKET, PACKET_RX_RING, &ring, sizeof(ring)) != 0)
		return -1;
	capture->ring =
		mmap(NULL, (size_t)BLOCK_BYTES * BLOCKS, PROT_READ | PROT_WRITE, MAP_SHARED, capture->socket, 0);
	if (capture->ring == MAP_FAILED) {
		capture->ring = NULL;
		return -1;
	}
	return bind(capture->socket, (struct sockaddr *)&address, sizeof(address));
}

static int release(struct capture *capture)
{
	int error = 0;

	if (capture->ring != NULL)
		munmap(capture->ring, (size_t)BLOCK_BYTES * BLOCKS);
	if (capture->socket >= 0)
		close(capture->socket);
	if (capture->file != NULL && fclose(capture->file) != 0)
		error = errno;
	free(capture);
	return error;
}

struct capture *capture_open(const char *device, const char *path, uint16_t other_than_port)
{
	struct capture *capture = calloc(1, sizeof(*capture));
	struct pcap_header header = { .magic = 0xa1b23c4d, .major = 2, .minor = 4, .snap_bytes = SNAP_BYTES };

	if (capture == NULL)
		return NULL;
	/* protocol 0: the socket receives nothing before it is bound to the device */
	capture->socket = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (capture->socket < 0)
		goto failed;
	header.link_type = link_type(capture->socket, device);
	if (header.link_type == 0)
		goto failed;
	if (other_than_port != 0 && header.link_type != 1) {
		errno = EPROTONOSUPPORT;
		goto failed;
	}
	/* O_NOFOLLOW: under sudo the user may have put a link to a file of root's at that path */
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);

	capture->file = file < 0 ? NULL : fdopen(file, "w");
	if (capture->file == NULL || fwrite(&header, sizeof(header), 1, capture->file) != 1
	    || open_socket(capture, device, other_than_port) != 0)
		goto failed;
	return capture;

failed:;
	int error = errno;

	release(capture);
	errno = error;
	return NULL;
}

static int write_block(struct capture *capture, const struct tpacket_block_desc *block)
{
	const uint8_t *next = (const uint8_t *)block + block->hdr.bh1.offset_to_first_pkt;

	for (uint32_t i = 0; i < block->hdr.bh1.num_pkts; i++) {
		const struct tpacket3_hdr *packet = (const void *)next;
		struct pcap_packet header = {
			.seconds = packet->tp_sec,
			.nanoseconds = packet->tp_nsec,
			.captured_bytes = packet->tp_snaplen,
			.bytes = packet->tp_len,
		};

		if (fwrite(&header, sizeof(header), 1, capture->file) != 1
		    || fwrite(next + packet->tp_mac, packet->tp_snaplen, 1, capture->file) != 1)
			return errno;
		capture->counts.packets++;
		next += packet->tp_next_offset;
	}
	return 0;
}

int capture_write(struct capture *capture)
{
	for (;;) {
		struct tpacket_block_desc *block = (void *)(capture->ring + (size_t)capture->block * BLOCK_BYTES);

		if ((__atomic_load_n(&block->hdr.bh1.block_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER) == 0)
			return 0;

		int error = write_block(capture, block);

		if (error != 0)
			return error;
		__atomic_store_n(&block->hdr.bh1.block_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
		capture->block = (capture->block + 1) % BLOCKS;
	}
}

/* Adds the kernel's statistics, which count since the last call. Returns 0 or an errno. */
static int read_statistics(struct capture *capture)
{
	struct tpacket_stats_v3 statistics;
	socklen_t length = sizeof(statistics);

	if (getsockopt(capture->socket, SOL_PACKET, PACKET_STATISTICS, &statistics, &length) != 0)
		return errno;
	capture->seen += statistics.tp_packets;
	capture->counts.drops += statistics.tp_drops;
	return 0;
}

int capture_close(struct capture *capture, struct capture_counts *counts)
{
	int error = set_filter(capture->socket, 0) == 0 ? 0 : errno;

	for (int waited_ms = 0; error == 0; waited_ms += RETIRE_MS) {
		error = read_statistics(capture);
		if (error == 0)
			error = capture_write(capture);
		if (error == 0 && capture->counts.packets + capture->counts.drops >= capture->seen)
			break;
		if (error == 0 && waited_ms >= LAST_BLOCK_MS)
			error = ETIMEDOUT;
		nanosleep(&(struct timespec){ .tv_nsec = RETIRE_MS * 1000000L }, NULL);
	}
	*counts = capture->counts;

	int at_end = release(capture);

	return error != 0 ? error : at_end;
}
