/* SPDX-License-Identifier: MIT */
/* Declarations that the parts of coexist-probe share. All times are CLOCK_MONOTONIC, in ns. */
#ifndef COEXIST_PROBE_H
#define COEXIST_PROBE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* "CXP1": start of every datagram of the probe. */
#define PROBE_MAGIC 0x31505843u

/* Header of a datagram, little endian; the rest is zeroes. */
struct probe_packet {
	uint32_t magic;
	uint32_t sequence;
	uint64_t sent_ns;
	uint32_t flow; /* the sender's --flow */
	uint32_t reserved;
};

/* Record of a received datagram, little endian. */
struct probe_record {
	uint64_t sent_ns;     /* time just before the sender's sendto */
	uint64_t received_ns; /* the kernel's stamp at delivery by the device */
	uint32_t sequence;
	uint32_t bytes; /* bytes of UDP payload */
	uint64_t flow;
};

/*
 * Priorities under SCHED_FIFO, if allowed. The canary is above the programs under test and above a forwarder at 50,
 * so that it detects delays of the machine, not theirs. The sender is below both.
 */
enum { SENDER_PRIORITY = 40, CANARY_PRIORITY = 60 };

enum { STATUS_USAGE = 1, STATUS_CANNOT = 2 };

uint64_t now_ns(clockid_t clock);
/* Returns at that time or later, or early after a signal. */
void sleep_until_ns(uint64_t time_ns);
/* Makes the calling thread punctual: SCHED_FIFO and no timer slack. Returns the result: "fifo" or "normal". */
const char *be_punctual(int priority);
/* Returns a descriptor that becomes readable after SIGTERM or SIGINT; both are blocked from now on. -1 on error. */
int stop_signals(void);
/* True if stdin has ended. Call it when poll reports input. */
bool input_ended(void);
/*
 * Returns after `seconds`, or when a descriptor of stop_signals is readable; if `seconds` is below 0, also at the end
 * of stdin.
 */
void wait_for_stop(int signals, double seconds);
/* Prints a line on stderr with the failed step and its reason; returns STATUS_CANNOT. */
int fail(const char *what, int error);
int usage(void);
/* Parses a decimal number from `least` to `most`. */
bool parse_number(const char *text, double least, double most, double *value);

int receive_command(int count, char **words);
int send_command(int count, char **words);
int canary_command(int count, char **words);
int awake_command(int count, char **words);

#endif
