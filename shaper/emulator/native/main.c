/* SPDX-License-Identifier: MIT */
/*
 * coexist-link: delay, jitter, loss and a bottleneck between hosts, in user space.
 *
 *   coexist-link --down DEVICE --up DEVICE [--log FILE] [--priority 50]
 *
 * The devices are far ends of two pairs of veth devices in the caller's network namespace (port.h). Routes lead
 * packets into the near ends. When a packet is due, the program sends it back to the near end, and the namespace
 * forwards it. "down" is towards the client, "up" from it.
 *
 * Prints {"ready":true,"scheduling":"fifo"|"normal","memory":"locked"|"unlocked"}, then answers requests, one JSON
 * object a line:
 *
 *   {"set":{"seed":1,"overheadBytes":14,"paths":[...],"bottleneck":null}}
 *                                    -> {"set":true}: empty, with counters and generators at zero
 *   {"start":true}                   -> {"started":true,"timeNs":...}: start of schedule and trace (CLOCK_MONOTONIC)
 *   {"rate":{"rateBps":10000000,"direction":"up"}}
 *                                    -> {"rate":true}: changed, nothing flushed. Default direction: "down"
 *   {"limit":{"limitPackets":100,"limitBytes":null}} (or "limitUs":20000)
 *                                    -> {"limit":true}: changed, nothing flushed
 *   {"loss":{...}|null}              -> {"loss":true}: changed, nothing flushed
 *   {"read":true}                    -> {"counters":{...}}
 *
 * and {"error":"..."} to anything else. Fields: shaper/emulator/link-types.ts. Before the first "set" all packets
 * pass at once.
 *
 * Ends with status 0 on SIGTERM or the end of its input, 1 on wrong usage, 2 if this machine lacks a feature (reason
 * on stderr). Uses SCHED_FIFO at --priority (0: normal) and locked memory if allowed, which keep packets on time on a
 * busy machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "channel.h"
#include "clock.h"
#include "counters.h"
#include "forward.h"
#include "usual.h"

/*
 * Number of packet buffers, about 50 MB: room for a second of 40 Mbit/s in packets of 160 bytes, or ten seconds
 * in full packets.
 */
enum { POOL_PACKETS = 32768 };

struct options {
	const char *devices[DIRECTIONS];
	const char *log;
	int priority;
};

static struct log log_state = { .file = -1 };
static struct control control = { .log = &log_state };
static struct channel channel = { .control = &control };
static struct forward forwarding;
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
	return name && name[0] != '\0' && strlen(name) < IFNAMSIZ && !strpbrk(name, "/ %\t\n") && strcmp(name, ".") != 0
	       && strcmp(name, "..") != 0;
}

static bool parse_options(int count, char **words, struct options *options)
{
	static const struct option names[] = {
		{ "down", required_argument, NULL, 'd' },
		{ "up", required_argument, NULL, 'u' },
		{ "log", required_argument, NULL, 'l' },
		{ "priority", required_argument, NULL, 'p' },
		{ NULL, 0, NULL, 0 },
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
	return optind == count && *end == '\0' && options->priority >= 0 && options->priority <= 99
	       && is_device(options->devices[DOWN]) && is_device(options->devices[UP])
	       && strcmp(options->devices[DOWN], options->devices[UP]) != 0;
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

/*
 * Blocks the signals that end the program, except inside ppoll. No signal is then missed between the check of
 * `stopping` and the sleep.
 */
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

enum { WATCH_IN, WATCH_OUT, WATCH_PORTS, WATCHED = WATCH_PORTS + DIRECTIONS };

/*
 * Largest time by which the program wakes before a due time. It wakes early by the median delay of wake-ups, so
 * that packets leave on time, and polls the clock for the rest.
 */
static const uint64_t most_lead_ns = 60000;
static uint64_t lead_ns;

static void learn_lead(uint64_t late_ns)
{
	usual_learn(&lead_ns, late_ns, 500);
	if (lead_ns > most_lead_ns)
		lead_ns = most_lead_ns;
}

static void answer_requests(const struct pollfd *watched, const struct forward *forward)
{
	if (watched[WATCH_OUT].revents != 0)
		channel_write(&channel);
	if (watched[WATCH_IN].revents == 0)
		return;
	for (int i = 0; i < DIRECTIONS; i++)
		/* `control.link` is set before any descriptor is watched. */
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
		control.link->counters.no_room_packets += port_lost(&forward->ports[i]);
	channel_read(&channel);
}

/*
 * Sleeps until `next_ns` or until a request comes. If an arrival can change `next_ns`, a packet also ends the
 * sleep. Requests are not read while an answer waits to be written.
 */
static void wait_until(struct forward *forward, uint64_t next_ns, const sigset_t *signals)
{
	bool deaf = next_ns <= link_deaf_ns(control.link), answering = channel.out.length > 0;
	uint64_t now_ns = clock_now_ns(), wake_ns = next_ns == NEVER    ? NEVER
	                                            : next_ns > lead_ns ? next_ns - lead_ns
	                                                                : 0;
	uint64_t left_ns = wake_ns > now_ns ? wake_ns - now_ns : 0;
	struct timespec left = { .tv_sec = (time_t)(left_ns / 1000000000), .tv_nsec = (long)(left_ns % 1000000000) };
	struct pollfd watched[WATCHED] = {
		[WATCH_IN] = { .fd = answering ? -1 : STDIN_FILENO, .events = POLLIN },
		[WATCH_OUT] = { .fd = answering ? STDOUT_FILENO : -1, .events = POLLOUT },
	};

	while (left_ns == 0 && clock_now_ns() < next_ns)
		; /* shorter than the lead: poll the clock instead */
	for (int i = 0; i < DIRECTIONS; i++)
		watched[WATCH_PORTS + i] = (struct pollfd){ .fd = forward->ports[i].file, .events = POLLIN };

	int ready = ppoll(watched, deaf ? WATCH_PORTS : WATCHED, next_ns == NEVER ? NULL : &left, signals);

	if (ready > 0)
		answer_requests(watched, forward);
	else if (ready == 0 && left_ns > 0)
		learn_lead(clock_now_ns() - wake_ns);
}

static void run(struct forward *forward, const sigset_t *signals)
{
	while (!stopping && !channel.closed) {
		bool all = forward_read(forward, &control);
		uint64_t next_ns = forward_write(forward, &control);

		wait_until(forward, all ? next_ns : 0, signals);
	}
}

int main(int count, char **words)
{
	struct options options = { .priority = 50 };
	struct link_observer observer = {};
	sigset_t signals;

	if (!parse_options(count, words, &options))
		return usage();
	catch_signals(&signals);
	for (int i = 0; i < DIRECTIONS; i++) {
		const char *step;

		if (port_open(&forwarding.ports[i], options.devices[i], &step) != 0)
			return cannot(options.devices[i], step, errno);
	}
	if (options.log) {
		/* the thread of the log inherits the present priority */
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
	prctl(PR_SET_TIMERSLACK, 1);

	bool fifo =
		options.priority > 0
		&& sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = options.priority }) == 0;
	bool locked = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;

	control.cpu_zero_ms = counters_cpu_ms();
	text_add(&channel.out, "{\"ready\":true,\"scheduling\":\"%s\",\"memory\":\"%s\"}\n", fifo ? "fifo" : "normal",
	         locked ? "locked" : "unlocked");
	channel_write(&channel);
	run(&forwarding, &signals);
	log_close(&log_state);
	return 0;
}
