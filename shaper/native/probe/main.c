/* SPDX-License-Identifier: MIT */
/*
 * coexist-probe: UDP probes with kernel receive stamps, a canary, and a load against idling, to calibrate a link.
 *
 *   coexist-probe receive PORT FILE
 *       -> {"ready":true,"port":9000,"bufferBytes":N}, then one record a datagram into FILE (struct probe_record)
 *       -> {"received":N,"kernelDropped":N,"foreign":N,"clockSteps":N} after SIGTERM or the end of stdin
 *   coexist-probe send ADDRESS PORT --bytes PAYLOAD [--flow ID] and one of
 *       --rate BPS --seconds S [--prefill N] [--overhead BYTES]   constant rate; a packet counts PAYLOAD + 28 + BYTES
 * (14); the first N at three times the rate, to fill a queue
 *       --train N --count M --gap-ms G                            M trains of N packets back to back, one begins every
 * G ms
 *       --count N --interval-us U                                 N packets, U us apart
 *       -> {"sent":N,"errors":N,"startNs":T,"endNs":T,"lateP99Us":X,"lateMaxUs":X,"starved":false,"scheduling":"fifo"}
 *   coexist-probe canary [--seconds S]
 *       -> {"ready":true}, then after S, SIGTERM or the end of stdin
 *          {"samples":N,"p50Us":X,"p999Us":X,"maxUs":X,"stalls":[{"timeNs":T,"us":X,"processor":0},...],"stallsLeftOut":0,...}
 *   coexist-probe awake
 *       -> {"ready":true,"processors":2}, until SIGTERM or the end of stdin
 *
 * Times are CLOCK_MONOTONIC. Exit status: 0 done, 1 usage, 2 this machine lacks a feature (reason on stderr).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "probe.h"

uint64_t now_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void sleep_until_ns(uint64_t time_ns)
{
	struct timespec time = { .tv_sec = (time_t)(time_ns / 1000000000u), .tv_nsec = (long)(time_ns % 1000000000u) };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

const char *be_punctual(int priority)
{
	struct sched_param param = { .sched_priority = priority };

	prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
	return sched_setscheduler(0, SCHED_FIFO, &param) == 0 ? "fifo" : "normal";
}

int stop_signals(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	if (sigprocmask(SIG_BLOCK, &signals, NULL) != 0)
		return -1;
	return signalfd(-1, &signals, SFD_CLOEXEC);
}

bool input_ended(void)
{
	char bytes[256];

	return read(STDIN_FILENO, bytes, sizeof(bytes)) <= 0;
}

int fail(const char *what, int error)
{
	fprintf(stderr, "coexist-probe: %s: %s\n", what, strerror(error));
	return STATUS_CANNOT;
}

int usage(void)
{
	fprintf(stderr,
	        "usage: coexist-probe receive PORT FILE"
	        " | send ADDRESS PORT --bytes PAYLOAD [--flow ID] (--rate BPS --seconds S [--prefill N] [--overhead BYTES]"
	        " | --train N --count M --gap-ms G | --count N --interval-us U)"
	        " | canary [--seconds S] | awake\n");
	return STATUS_USAGE;
}

bool parse_number(const char *text, double least, double most, double *value)
{
	char *end;

	errno = 0;
	*value = strtod(text, &end);
	return errno == 0 && end != text && *end == '\0' && isfinite(*value) && *value >= least && *value <= most;
}

int main(int count, char **words)
{
	if (count < 2)
		return usage();
	if (strcmp(words[1], "receive") == 0)
		return receive_command(count - 1, words + 1);
	if (strcmp(words[1], "send") == 0)
		return send_command(count - 1, words + 1);
	if (strcmp(words[1], "canary") == 0)
		return canary_command(count - 1, words + 1);
	if (strcmp(words[1], "awake") == 0)
		return awake_command(count - 1, words + 1);
	return usage();
}
