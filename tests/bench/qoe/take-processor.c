/* SPDX-License-Identifier: MIT */
/*
 * Takes the processor as other programs of the machine do. Each line of its input is MS COUNT NICE: that many loops
 * run for so long at that nice value, each in a session of its own, which the kernel gives a share of its own
 * (sched(7), autogroup). NICE "rt": in real time, before everything of normal priority. It answers nothing.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

int main(void)
{
	char line[128], nice_value[16];
	double ms;
	int count;

	signal(SIGCHLD, SIG_IGN);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (sscanf(line, "%lf %d %15s", &ms, &count, nice_value) != 3)
			continue;

		double end_ms = now_ms() + ms;

		for (int i = 0; i < count; i++) {
			if (fork() != 0)
				continue;
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			setsid();
			if (strcmp(nice_value, "rt") == 0) {
				struct sched_param priority = { .sched_priority = 1 };

				sched_setscheduler(0, SCHED_FIFO, &priority);
			} else {
				setpriority(PRIO_PROCESS, 0, atoi(nice_value));
			}
			while (now_ms() < end_ms)
				;
			_exit(0);
		}
	}
	return 0;
}
