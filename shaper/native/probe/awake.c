/* SPDX-License-Identifier: MIT */
/*
 * Keeps processors from idling. A hypervisor gives the idle processor of a guest to others, and may take
 * milliseconds to give it back, so that threads wake late. Here one thread per processor runs an empty loop, so
 * that no processor is idle. The threads yield to everything else (SCHED_IDLE, sched(7), and the lowest nice
 * value, under which their time is accounted).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
#include "probe.h"

enum { MAX_PROCESSORS = 256, LOWEST_NICE = 19 };

static atomic_bool stopped;

static void *stay_awake(void *context)
{
	(void)context;
	while (!atomic_load_explicit(&stopped, memory_order_relaxed))
		for (volatile int i = 0; i < 10000; i++)
			;
	return NULL;
}

/* Starts the thread for a processor, with the priority of the caller. Returns 0 or an errno. */
static int start(pthread_t *thread, int processor)
{
	pthread_attr_t attributes;
	cpu_set_t only;
	int error;

	CPU_ZERO(&only);
	CPU_SET((size_t)processor, &only);
	pthread_attr_init(&attributes);
	pthread_attr_setaffinity_np(&attributes, sizeof(only), &only);
	error = pthread_create(thread, &attributes, stay_awake, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

int awake_command(int count, char **words)
{
	static pthread_t threads[MAX_PROCESSORS];
	struct sched_param param = { 0 };
	int signals = stop_signals(), started = 0, error = 0;
	cpu_set_t processors;

	(void)words;
	if (count != 1)
		return usage();
	if (signals < 0 || sched_getaffinity(0, sizeof(processors), &processors) != 0)
		return fail("processors", errno);
	if (setpriority(PRIO_PROCESS, 0, LOWEST_NICE) != 0 || sched_setscheduler(0, SCHED_IDLE, &param) != 0)
		return fail("priority", errno);
	for (int processor = 0; processor < CPU_SETSIZE && started < MAX_PROCESSORS && error == 0; processor++) {
		if (!CPU_ISSET((size_t)processor, &processors))
			continue;
		error = start(&threads[started], processor);
		started += error == 0;
	}
	if (error == 0) {
		printf("{\"ready\":true,\"processors\":%d}\n", started);
		fflush(stdout);
		wait_for_stop(signals, -1);
	}
	atomic_store(&stopped, true);
	for (int i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	close(signals);
	return error == 0 ? 0 : fail("threads", error);
}
