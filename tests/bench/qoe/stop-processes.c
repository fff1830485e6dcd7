/* SPDX-License-Identifier: MIT */
/*
 * Stops whole processes for a time, as a machine that has no processor for them does. Each line of its input is
 * MS PROCESS...; the answer is one line, the ms for which they stood still. It runs in real time where it may, so that
 * a busy machine makes no hold-up longer, and it does not need the program that asks: that may be one of them.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { most = 256 };

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static void stop_for(double ms, const pid_t *processes, int count)
{
	struct timespec time = { .tv_sec = (time_t)(ms / 1e3), .tv_nsec = (long)(ms * 1e6) % 1000000000 };

	for (int i = 0; i < count; i++)
		kill(processes[i], SIGSTOP); /* one that is gone is left out */

	double from_ms = now_ms();

	nanosleep(&time, NULL);

	double to_ms = now_ms();

	for (int i = 0; i < count; i++)
		kill(processes[i], SIGCONT);
	printf("%.3f\n", to_ms - from_ms);
	fflush(stdout);
}

int main(void)
{
	struct sched_param priority = { .sched_priority = 2 };
	char line[4096];

	sched_setscheduler(0, SCHED_FIFO, &priority); /* without the right to it, it is a little less exact */
	while (fgets(line, sizeof(line), stdin) != NULL) {
		pid_t processes[most];
		int count = 0;
		char *rest;
		double ms = strtod(line, &rest);

		for (char *word = rest;; word = rest) {
			long process = strtol(word, &rest, 10);

			if (rest == word || count == most)
				break;
			if (process > 1)
				processes[count++] = (pid_t)process;
		}
		stop_for(ms, processes, count);
	}
	return 0;
}
