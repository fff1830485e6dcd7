/* SPDX-License-Identifier: MIT */
/*
 * Holds threads of other processes for a time, and nothing else of those processes: pause-threads MS THREAD...
 * SIGSTOP would stop them whole. A thread that is gone is left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

int main(int count, char **words)
{
	if (count < 3) {
		fputs("usage: pause-threads MS THREAD...\n", stderr);
		return 1;
	}

	long ms = atol(words[1]), held = 0;
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	for (int i = 2; i < count; i++) {
		pid_t thread = atoi(words[i]);

		if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) != 0)
			continue;
		ptrace(PTRACE_INTERRUPT, thread, NULL, NULL);
		if (waitpid(thread, NULL, __WALL) == thread)
			held++;
	}
	nanosleep(&time, NULL);
	for (int i = 2; i < count; i++)
		ptrace(PTRACE_DETACH, atoi(words[i]), NULL, NULL);
	printf("%ld\n", held);
	return held == 0;
}
