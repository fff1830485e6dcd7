/* SPDX-License-Identifier: MIT */
#include "stop.h"

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t has_signal;
static sigset_t before;

static void take_signal(int number)
{
	(void)number;
	has_signal = 1;
}

void keep_stop_signals(void)
{
	struct sigaction action = { .sa_handler = take_signal };
	sigset_t kept;

	sigemptyset(&kept);
	sigaddset(&kept, SIGTERM);
	sigaddset(&kept, SIGINT);
	sigprocmask(SIG_BLOCK, &kept, &before);
	signal(SIGPIPE, SIG_IGN);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
}

bool is_stopped(int wait_ms)
{
	struct timespec wait = { .tv_sec = wait_ms / 1000, .tv_nsec = (long)(wait_ms % 1000) * 1000000 };
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	char ignored[256];

	do {
		if (ppoll(&input, 1, wait_ms < 0 ? NULL : &wait, &before) > 0
		    && read(STDIN_FILENO, ignored, sizeof(ignored)) <= 0)
			return true;
	} while (wait_ms < 0 && !has_signal);
	return has_signal;
}
