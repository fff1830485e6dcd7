/* SPDX-License-Identifier: MIT */
/* What the parts of coexist-probe share. All times are CLOCK_MONOTONIC, in ns. */
#ifndef COEXIST_PROBE_H
#define COEXIST_PROBE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* "CXP1": a datagram without it is not ours. */
#define PROBE_MAGIC 0x31505843u

/* How a datagram begins, little endian; the rest is zeroes. */
struct probe_packet {
	uint32_t magic;
	uint32_t sequence;
	uint64_t sent_ns;
	uint32_t flow; /* the sender's --flow */
	uint32_t reserved;
};

/* What is written down of a datagram, little endian. */
struct probe_record {
	uint64_t sent_ns;     /* stamped just before the sender's sendto */
	uint64_t received_ns; /* the kernel's stamp, when the device handed the packet over */
	uint32_t sequence;
	uint32_t bytes; /* of the UDP payload */
	uint64_t flow;
};

/*
 * Priorities under SCHED_FIFO, where allowed. The canary stands above what it watches and above a
 * forwarder at 50, so that it sees the machine and not them; the sender stands below both.
 */
enum { SENDER_PRIORITY = 40, CANARY_PRIORITY = 60 };

enum { STATUS_USAGE = 1, STATUS_CANNOT = 2 };

uint64_t now_ns(clockid_t clock);
/* Returns at that time or later, or early when a signal came. */
void sleep_until_ns(uint64_t time_ns);
/* Makes the calling thread punctual: SCHED_FIFO and no timer slack. Returns what it got: "fifo" or "normal". */
const char *be_punctual(int priority);
/* A descriptor that can be read once SIGTERM or SIGINT came; both are blocked from now on. -1 on error. */
int stop_signals(void);
/* True when stdin has ended. To be called when poll says that there is something to read. */
bool input_ended(void);
/* Returns after so many seconds, or when a descriptor of stop_signals can be read; with less than 0, at the end of
 * stdin, too. */
void wait_for_stop(int signals, double seconds);
/* Prints one line on stderr that names what failed and why; returns STATUS_CANNOT. */
int fail(const char *what, int error);
int usage(void);
/* A decimal number of at least `least` and at most `most`. */
bool parse_number(const char *text, double least, double most, double *value);

int receive_command(int count, char **words);
int send_command(int count, char **words);
int canary_command(int count, char **words);
int awake_command(int count, char **words);

#endif
