/* SPDX-License-Identifier: MIT */
/*
 * Canary: on every processor that the program may use, a thread wakes a thousand times a second and records its
 * delay.
 *
 * There is one thread per processor, because a hypervisor takes processors away one by one. If the canary is
 * delayed, the machine is the cause, and the link's behaviour at that time is no evidence about the link.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "histogram.h"
#include "probe.h"

enum {
	PERIOD_NS = 1000000,
	STALL_NS = 5000000,
	MAX_STALLS = 1000,
	MAX_THREADS = 256,
	STACK_BYTES = 128 << 10,
};

struct stall {
	uint64_t due_ns;
	uint64_t late_ns;
	int processor;
};

struct watcher {
	pthread_t thread;
	int processor;
	bool fifo;
	struct histogram lateness;
};

static atomic_bool stopped;
static atomic_uint stall_count;
static struct stall stalls[MAX_STALLS];

static void *watch(void *argument)
{
	struct watcher *watcher = argument;

	watcher->fifo = be_punctual(CANARY_PRIORITY)[0] == 'f';

	uint64_t due = now_ns(CLOCK_MONOTONIC) + PERIOD_NS;

	while (!atomic_load_explicit(&stopped, memory_order_relaxed)) {
		sleep_until_ns(due);

		uint64_t now = now_ns(CLOCK_MONOTONIC), late = now > due ? now - due : 0;

		histogram_add(&watcher->lateness, late);
		if (late > STALL_NS) {
			unsigned int index = atomic_fetch_add(&stall_count, 1);

			if (index < MAX_STALLS)
				stalls[index] = (struct stall){ .due_ns = due,
					                        .late_ns = late,
					                        .processor = watcher->processor };
		}
		/* skips missed ticks, so that one stall is one sample */
		due += PERIOD_NS;
		if (due < now)
			due = now + PERIOD_NS;
	}
	return NULL;
}

static int start(struct watcher *watcher)
{
	pthread_attr_t attributes;
	cpu_set_t processor;
	int error;

	CPU_ZERO(&processor);
	CPU_SET((size_t)watcher->processor, &processor);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	pthread_attr_setaffinity_np(&attributes, sizeof(processor), &processor);
	error = pthread_create(&watcher->thread, &attributes, watch, watcher);
	pthread_attr_destroy(&attributes);
	return error;
}

void wait_for_stop(int signals, double seconds)
{
	struct pollfd polled[] = { { signals, POLLIN, 0 }, { STDIN_FILENO, POLLIN, 0 } };
	uint64_t end = seconds < 0 ? UINT64_MAX : now_ns(CLOCK_MONOTONIC) + (uint64_t)(seconds * 1e9);

	for (;;) {
		uint64_t now = now_ns(CLOCK_MONOTONIC), left_ms = end > now ? (end - now + 999999) / 1000000 : 0;

		if (left_ms == 0)
			return;
		/* with a duration, the end of stdin does not end the program */
		if (poll(polled, seconds < 0 ? 2 : 1, seconds < 0 ? -1 : (int)(left_ms < 1000000 ? left_ms : 1000000))
		    <= 0)
			continue;
		if (polled[0].revents != 0 || (seconds < 0 && polled[1].revents != 0 && input_ended()))
			return;
	}
}

static void print_report(const struct watcher *watchers, unsigned int count)
{
	static struct histogram all;
	unsigned int total = atomic_load(&stall_count), shown = total < MAX_STALLS ? total : MAX_STALLS;
	bool fifo = true;

	for (unsigned int i = 0; i < count; i++) {
		histogram_merge(&all, &watchers[i].lateness);
		fifo = fifo && watchers[i].fifo;
	}
	printf("{\"processors\":%u,\"scheduling\":\"%s\",\"samples\":%llu,\"p50Us\":%.1f,\"p999Us\":%.1f,\"maxUs\":%.1f,\"stalls\":[",
	       count, fifo ? "fifo" : "normal", (unsigned long long)all.count, histogram_quantile_us(&all, 0.5),
	       histogram_quantile_us(&all, 0.999), (double)all.max_ns / 1000);
	for (unsigned int i = 0; i < shown; i++)
		printf("%s{\"timeNs\":%llu,\"us\":%.1f,\"processor\":%d}", i == 0 ? "" : ",",
		       (unsigned long long)stalls[i].due_ns, (double)stalls[i].late_ns / 1000, stalls[i].processor);
	printf("],\"stallsLeftOut\":%u}\n", total - shown);
}

int canary_command(int count, char **words)
{
	static const struct option known[] = { { "seconds", required_argument, NULL, 's' }, { 0 } };
	double seconds = -1;
	int which;

	opterr = 0;
	while ((which = getopt_long(count, words, "", known, NULL)) != -1)
		if (which != 's' || !parse_number(optarg, 0.001, 1e6, &seconds))
			return usage();
	if (optind != count)
		return usage();

	static struct watcher watchers[MAX_THREADS];
	unsigned int started = 0;
	int signals = stop_signals(), error = 0;
	cpu_set_t processors;

	if (signals < 0 || sched_getaffinity(0, sizeof(processors), &processors) != 0)
		return fail("processors", errno);
	mlockall(MCL_CURRENT | MCL_FUTURE);
	for (int processor = 0; processor < CPU_SETSIZE && started < MAX_THREADS && error == 0; processor++) {
		if (!CPU_ISSET((size_t)processor, &processors))
			continue;
		watchers[started].processor = processor;
		error = start(&watchers[started]);
		started += error == 0;
	}
	if (error == 0) {
		printf("{\"ready\":true}\n");
		fflush(stdout);
		wait_for_stop(signals, seconds);
	}
	atomic_store(&stopped, true);
	for (unsigned int i = 0; i < started; i++)
		pthread_join(watchers[i].thread, NULL);
	close(signals);
	if (error != 0)
		return fail("threads", error);
	print_report(watchers, started);
	return 0;
}
