/* SPDX-License-Identifier: MIT */
/* Declarations that the parts of coexist-probe share. All times are CLOCK_MONOTONIC, in ns. */
#ifndef COEXIST_PROBE_H
#define COEXIST_PROBE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Mark at the start of every datagram of the probe: "CXP1". */
#define PROBE_MAGIC 0x31505843u

/* Header of a datagram, little-endian. The rest of the datagram is zeros. */
struct probe_packet {
	uint32_t magic;
	uint32_t sequence;
	uint64_t sent_ns;
	uint32_t flow; /* the number of the sender's --flow */
	uint32_t reserved;
};

/* Record of a received datagram, little-endian. */
struct probe_record {
	uint64_t sent_ns;     /* time just before the sender called sendto */
	uint64_t received_ns; /* the kernel's time stamp when the device delivered the datagram */
	uint32_t sequence;
	uint32_t bytes; /* bytes of UDP payload */
	uint64_t flow;
};

/*
 * Priorities under SCHED_FIFO, if the machine allows it. The canary is above the programs under test and above
 * a forwarder at 50, so that it detects delays of the machine and not delays by these programs. The sender is
 * below the canary and the forwarder.
 */
enum { SENDER_PRIORITY = 40, CANARY_PRIORITY = 60 };

enum { STATUS_USAGE = 1, STATUS_CANNOT = 2 };

uint64_t now_ns(clockid_t clock);
/* Sleeps until `time_ns` or longer; returns early after a signal. */
void sleep_until_ns(uint64_t time_ns);
/*
 * Makes the calling thread punctual: SCHED_FIFO and no timer slack. Returns the scheduling that it got, "fifo"
 * or "normal".
 */
const char *be_punctual(int priority);
/* Blocks SIGTERM and SIGINT. Returns a descriptor that becomes readable after one of them; -1 on error. */
int stop_signals(void);
/* Returns true if stdin has ended. Must be called when poll reports input. */
bool input_ended(void);
/*
 * Waits for `seconds`, or until the descriptor of stop_signals is readable. If `seconds` is below 0, waits for
 * a signal or the end of stdin.
 */
void wait_for_stop(int signals, double seconds);
/* Prints a line on stderr with the failed step and its reason. Returns STATUS_CANNOT. */
int fail(const char *what, int error);
int usage(void);
/* Parses a decimal number from `least` to `most`. False: the text is not such a number. */
bool parse_number(const char *text, double least, double most, double *value);

int receive_command(int count, char **words);
int send_command(int count, char **words);
int canary_command(int count, char **words);
int awake_command(int count, char **words);

#endif
