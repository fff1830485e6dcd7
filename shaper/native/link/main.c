/* SPDX-License-Identifier: MIT */
/*
 * coexist-link: delay, jitter, loss and a bottleneck between hosts, in user space.
 *
 *   coexist-link --down DEVICE --up DEVICE [--log FILE] [--priority 50]
 *
 * Makes two TUN devices in the caller's network namespace. Routes lead packets into them; each is written back into the
 * device it came from when it is due, and the namespace forwards it. "down" is towards the client, "up" from it.
 *
 * Prints {"ready":true,"scheduling":"fifo"|"normal","memory":"locked"|"unlocked"}, then answers requests, one JSON object a line:
 *   {"set":{"seed":1,"overheadBytes":14,"paths":[...],"bottleneck":null}}  -> {"set":true}: empty, with counters and generators at zero
 *   {"start":true}                   -> {"started":true,"timeNs":...}: schedule and trace begin (CLOCK_MONOTONIC)
 *   {"rate":{"rateBps":10000000}}    -> {"rate":true}: from now on; nothing is flushed
 *   {"limit":{"limitPackets":100,"limitBytes":null}}, {"loss":{...}|null}  -> {"limit":true}, {"loss":true}: the same
 *   {"read":true}                    -> {"counters":{...}}
 * and {"error":"..."} to anything else. Fields: shaper/native-link/link-types.ts. Until the first "set" everything passes at once.
 *
 * Ends with status 0 on SIGTERM or the end of its input; 1 usage, 2 this machine cannot (one line on stderr says why). The devices end with it.
 * SCHED_FIFO at --priority (0: normal) and locked memory where they are allowed: beside a busy machine they are what keeps packets on time.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include "channel.h"
#include "clock.h"
#include "counters.h"
#include "forward.h"
#include "tun.h"

/* Room for a second of 40 Mbit/s in packets of 160 bytes, or ten in full ones: about 50 MB. */
enum { POOL_PACKETS = 32768 };

struct options {
	const char *devices[DIRECTIONS];
	const char *log;
	int priority;
};

static struct log log_state = { .file = -1 };
static struct control control = { .log = &log_state };
static struct channel channel = { .control = &control };
static volatile sig_atomic_t stopping;

static void on_signal(int number)
{
	(void)number;
	stopping = 1;
}

static int usage(void)
{
	fprintf(stderr, "usage: coexist-link --down DEVICE --up DEVICE [--log FILE] [--priority 0..99]\n");
	return 1;
}

static bool is_device(const char *name)
{
	return name && name[0] != '\0' && strlen(name) < IFNAMSIZ && !strpbrk(name, "/ %\t\n") && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static bool parse_options(int count, char **words, struct options *options)
{
	static const struct option names[] = {
		{ "down", required_argument, NULL, 'd' }, { "up", required_argument, NULL, 'u' }, { "log", required_argument, NULL, 'l' },
		{ "priority", required_argument, NULL, 'p' }, { NULL, 0, NULL, 0 },
	};
	char *end = "";
	int name;

	opterr = 0;
	while ((name = getopt_long(count, words, "", names, NULL)) != -1) {
		if (name == 'd' || name == 'u')
			options->devices[name == 'd' ? DOWN : UP] = optarg;
		else if (name == 'l')
			options->log = optarg;
		else if (name == 'p')
			options->priority = optarg[0] >= '0' && optarg[0] <= '9' ? (int)strtol(optarg, &end, 10) : -1;
		else
			return false;
	}
	return optind == count && *end == '\0' && options->priority >= 0 && options->priority <= 99 && is_device(options->devices[DOWN]) &&
	       is_device(options->devices[UP]) && strcmp(options->devices[DOWN], options->devices[UP]) != 0;
}

static int cannot(const char *what, const char *step, int error)
{
	fprintf(stderr, "coexist-link: %s: %s%s%s\n", what, step, *step ? ": " : "", strerror(error));
	return 2;
}

static bool set_nonblocking(int file)
{
	int flags = fcntl(file, F_GETFL);

	return flags >= 0 && fcntl(file, F_SETFL, flags | O_NONBLOCK) == 0;
}

/* Signals arrive only inside epoll_pwait, so that none is missed between a look at `stopping` and the sleep. */
static void catch_signals(sigset_t *outside)
{
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t caught;

	sigemptyset(&caught);
	sigaddset(&caught, SIGTERM);
	sigaddset(&caught, SIGINT);
	sigaddset(&caught, SIGHUP);
	sigprocmask(SIG_BLOCK, &caught, outside);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* Everything that can wake the program. */
struct waiting {
	int epoll, timer;
	uint64_t armed_ns;      /* when the timer rings; NEVER: not at all */
	uint32_t in_events, out_events;
	bool in_ready;          /* standard input is a file */
};

static bool watch(const struct waiting *waiting, int file, uint32_t events, int operation)
{
	struct epoll_event event = { .events = events, .data.fd = file };

	return epoll_ctl(waiting->epoll, operation, file, &event) == 0;
}

static bool open_waiting(struct waiting *waiting, const int devices[DIRECTIONS])
{
	*waiting = (struct waiting){ .epoll = epoll_create1(EPOLL_CLOEXEC), .timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC), .armed_ns = NEVER, .in_events = EPOLLIN };
	if (waiting->epoll < 0 || waiting->timer < 0 || !watch(waiting, waiting->timer, EPOLLIN, EPOLL_CTL_ADD) || !watch(waiting, devices[DOWN], EPOLLIN, EPOLL_CTL_ADD) ||
	    !watch(waiting, devices[UP], EPOLLIN, EPOLL_CTL_ADD))
		return false;
	/* what is no pipe, socket or terminal cannot be watched, and need not be: it is always ready */
	waiting->in_ready = !watch(waiting, STDIN_FILENO, EPOLLIN, EPOLL_CTL_ADD);
	return (!waiting->in_ready || errno == EPERM) && (watch(waiting, STDOUT_FILENO, 0, EPOLL_CTL_ADD) || errno == EPERM);
}

/* The timer is left alone while the first packet that is due stays the same: setting it is dear, above all in a virtual machine. */
static void arm(struct waiting *waiting)
{
	uint64_t next_ns = link_next_ns(control.link);
	struct itimerspec at = {};

	if (next_ns == waiting->armed_ns)
		return;
	if (next_ns != NEVER) {
		at.it_value.tv_sec = (time_t)(next_ns / 1000000000);
		at.it_value.tv_nsec = (long)(next_ns % 1000000000);
	}
	timerfd_settime(waiting->timer, TFD_TIMER_ABSTIME, &at, NULL);
	waiting->armed_ns = next_ns;
}

/* Requests are read while no answer waits to be written. */
static void choose_channel(struct waiting *waiting)
{
	uint32_t in_events = channel.out.length == 0 ? EPOLLIN : 0, out_events = channel.out.length == 0 ? 0 : EPOLLOUT;

	if (in_events != waiting->in_events)
		watch(waiting, STDIN_FILENO, in_events, EPOLL_CTL_MOD);
	if (out_events != waiting->out_events)
		watch(waiting, STDOUT_FILENO, out_events, EPOLL_CTL_MOD);
	waiting->in_events = in_events;
	waiting->out_events = out_events;
}

static void run(struct waiting *waiting, const int devices[DIRECTIONS], const sigset_t *signals)
{
	struct epoll_event events[8];

	while (!stopping && !channel.closed) {
		choose_channel(waiting);
		arm(waiting);

		int count = epoll_pwait(waiting->epoll, events, 8, waiting->in_ready ? 0 : -1, signals);

		if (waiting->in_ready)
			channel_read(&channel);
		for (int i = 0; i < count; i++) {
			int file = events[i].data.fd;

			if (file == devices[DOWN])
				forward_read(&control, file, DOWN);
			else if (file == devices[UP])
				forward_read(&control, file, UP);
			else if (file == waiting->timer)
				waiting->armed_ns = 0; /* it has rung: it is set again, which silences it */
			else if (file == STDIN_FILENO)
				channel_read(&channel);
			else
				channel_write(&channel);
		}
		forward_write(&control, devices);
	}
}

int main(int count, char **words)
{
	struct options options = { .priority = 50 };
	struct link_observer observer = {};
	int devices[DIRECTIONS];
	struct waiting waiting;
	sigset_t signals;

	if (!parse_options(count, words, &options))
		return usage();
	catch_signals(&signals);
	for (int i = 0; i < DIRECTIONS; i++) {
		const char *step;

		devices[i] = tun_open(options.devices[i], &step);
		if (devices[i] < 0)
			return cannot(options.devices[i], step, errno);
	}
	if (options.log) {
		/* its thread inherits the priority that this one has now */
		int error = log_open(&log_state, options.log);

		if (error != 0)
			return cannot(options.log, "", error);
		observer = (struct link_observer){ &log_state, log_event };
	}
	control.link = link_create(POOL_PACKETS, &observer);
	if (!control.link)
		return cannot("packets", "", ENOMEM);
	if (!set_nonblocking(STDOUT_FILENO))
		return cannot("standard output", "", errno);
	if (!open_waiting(&waiting, devices))
		return cannot("epoll", "", errno);
	prctl(PR_SET_TIMERSLACK, 1);

	bool fifo = options.priority > 0 && sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = options.priority }) == 0;
	bool locked = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;

	control.cpu_zero_ms = counters_cpu_ms();
	text_add(&channel.out, "{\"ready\":true,\"scheduling\":\"%s\",\"memory\":\"%s\"}\n", fifo ? "fifo" : "normal", locked ? "locked" : "unlocked");
	channel_write(&channel);
	run(&waiting, devices, &signals);
	log_close(&log_state);
	return 0;
}
