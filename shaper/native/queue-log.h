/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * The queue log: a file with the events of every packet at a link's queues. One header of 64 bytes, then records of
 * 64 bytes, everything little endian except fields marked as network order. A truncated file ends in part of a
 * record.
 *
 * The records of one packet follow each other in time. Between packets the order is that of the queue, with one
 * exception: a packet that pushed another one out of a full queue (fq_codel, pfifo_head_drop) is reported as
 * enqueued, with its true time, only when it leaves.
 *
 * A packet that is refused on arrival at the queue has one record, a drop, and no enqueue; one that was enqueued and
 * dropped later has both. So enqueues = dequeues + drops of packets with an enqueue + packets that still wait.
 */
#ifndef COEXIST_QUEUE_LOG_H
#define COEXIST_QUEUE_LOG_H

#include <linux/types.h>

#define QUEUE_LOG_MAGIC "CXQLOG1" /* 8 bytes including the NUL */

enum queue_log_source {
	QUEUE_LOG_KERNEL = 1,
	QUEUE_LOG_EMULATOR = 2,
	QUEUE_LOG_CAPTURE = 3, /* written from captures around the queue (../queue-log/writer.ts) */
};

enum queue_log_event {
	QUEUE_LOG_ENQUEUE = 1,
	QUEUE_LOG_DEQUEUE = 2,
	QUEUE_LOG_DROP = 3,
	QUEUE_LOG_MARK = 4, /* the queue set the packet's ECN field to "congestion experienced" */
};

/* Reason of a drop. */
enum queue_log_reason {
	QUEUE_LOG_OVERFLOW = 1,
	QUEUE_LOG_RANDOM_LOSS = 2,
	QUEUE_LOG_AQM = 3,
	QUEUE_LOG_OTHER = 4,
};

/* Queue of a link: `down` on the path to the clients, `up` on the return path. */
enum queue_log_direction {
	QUEUE_LOG_DOWN = 0,
	QUEUE_LOG_UP = 1,
};

struct queue_log_header {
	char magic[8];
	__u32 record_bytes;
	__u32 source;       /* enum queue_log_source */
	__u64 monotonic_ns; /* the same moment on CLOCK_MONOTONIC and on the wall clock */
	__u64 realtime_ns;
	__u32 has_service; /* 1: records have the type of service. Logs of older versions have 0. */
	__u8 padding[28];
};

struct queue_log_record {
	__u64 time_ns;     /* time of the event, CLOCK_MONOTONIC */
	__u64 packet;      /* number of the packet, common to all its records; below 2^53, unique in a file */
	__u64 sojourn_ns;  /* time since the enqueue, for a dequeue or for a drop from the queue; otherwise 0 */
	__u32 source;      /* IPv4 address, network order; 0 if not IPv4 */
	__u32 destination; /* IPv4 address, network order */
	__u16 source_port; /* network order; 0 if the protocol has no ports */
	__u16 destination_port;
	__u8 protocol;       /* IP protocol number */
	__u8 event;          /* enum queue_log_event */
	__u8 reason;         /* for a drop: enum queue_log_reason; otherwise 0 */
	__u8 direction;      /* enum queue_log_direction; 0 in the kernel's log of one queue */
	__u32 length;        /* bytes of the packet as the queue counts them */
	__u32 queue_packets; /* packets in the queue after the event */
	__u32 queue_bytes;
	__u16 reason_code; /* for a drop: the kernel's number (differs between kernels); emulator: 0 */
	__u8 reason_group; /* for a drop: subsystem of the kernel to which the number belongs; 0: the core */
	__u8 service;      /* type of service in the IP header: DSCP and ECN field. A mark has that before the mark */
	__u64 transport;   /* unchanged bytes 4 to 11 behind the IP header. TCP: sequence and acknowledgement
	                      number. UDP: length, checksum, then 4 bytes of the payload (RTP up to its
	                      sequence number) */
};

_Static_assert(sizeof(struct queue_log_header) == 64 && sizeof(struct queue_log_record) == 64, "the format");

/*
 * A packet that was offered to the queue and has not left the queue. BPF programs and loader share this struct;
 * it is not in the file.
 */
struct queue_log_packet {
	__u64 number;
	__u64 time_ns;                    /* time of the enqueue; before the enqueue, time of the offer */
	__u32 queue_packets, queue_bytes; /* content of the queue at the offer */
	__u8 enqueued;                    /* 1: the enqueue was traced, so it is in the file */
	__u8 service;                     /* type of service in the IP header at the offer */
	__u8 padding[6];
};

/* Constants that the loader sets before the programs are loaded; the only object of .rodata. */
struct queue_log_constants {
	__u32 device;            /* index of the device */
	__u32 network_namespace; /* inode number of the network namespace of the device */
};

#endif
