/* SPDX-License-Identifier: MIT */
/* The wait of a program that holds something in the kernel while its standard input is open. */
#ifndef COEXIST_HOLD_H
#define COEXIST_HOLD_H

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t is_stopped;

static inline void on_stop(int number)
{
	(void)number;
	is_stopped = 1;
}

/* Waits until the standard input ends, or until SIGTERM or SIGINT. */
static inline void wait_for_end(void)
{
	struct sigaction action = { .sa_handler = on_stop }; /* without SA_RESTART, so that read() ends */
	char ignored[64];

	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	while (!is_stopped) {
		ssize_t count = read(STDIN_FILENO, ignored, sizeof(ignored));

		if (count == 0 || (count < 0 && errno != EINTR))
			return;
	}
}

#endif
