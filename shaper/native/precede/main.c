/* SPDX-License-Identifier: MIT */
/*
 * coexist-precede: runs a program with precedence for the processor.
 *
 *   coexist-precede [--group FILE] [--session NICE] [--nice NICE] -- PROGRAM [ARGUMENT...]
 *
 * Precedence is set before the program starts, so all threads and children of the program have it:
 *
 *   --group    its process enters the control group whose list of processes is FILE (cgroups(7))
 *   --session  nice value of its session, if the kernel groups processes by sessions (sched(7), "The autogroup
 *              feature"); only if it is the session's leader
 *   --nice     its nice value, -20 to 19
 *
 * A setting that the kernel refuses is skipped: a program with less precedence is better than none. Exit status: the
 * program's; 126 or 127 if it cannot be run, as for sh(1); 1 usage.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MIN_NICE = -20, MAX_NICE = 19 };

struct options {
	const char *group;
	const char *session;
	bool has_nice;
	int nice;
};

static int usage(void)
{
	fprintf(stderr,
	        "usage: coexist-precede [--group FILE] [--session NICE] [--nice NICE] -- PROGRAM [ARGUMENT...]\n");
	return 1;
}

static bool parse_number(const char *text, int least, int most, int *value)
{
	char *end;
	long number;

	errno = 0;
	number = strtol(text, &end, 10);
	*value = (int)number;
	return errno == 0 && end != text && *end == '\0' && number >= least && number <= most;
}

static bool parse_options(int count, char **words, struct options *options)
{
	static const struct option names[] = { { "group", required_argument, NULL, 'g' },
		                               { "session", required_argument, NULL, 's' },
		                               { "nice", required_argument, NULL, 'n' },
		                               { NULL, 0, NULL, 0 } };
	int name, session;

	opterr = 0;
	while ((name = getopt_long(count, words, "+", names, NULL)) != -1) {
		bool fine = false;

		if (name == 'g') {
			options->group = optarg;
			fine = true;
		} else if (name == 's') {
			options->session = optarg;
			fine = parse_number(optarg, MIN_NICE, MAX_NICE, &session);
		} else if (name == 'n') {
			options->has_nice = true;
			fine = parse_number(optarg, MIN_NICE, MAX_NICE, &options->nice);
		}
		if (!fine)
			return false;
	}
	return optind < count;
}

static void tell(const char *path, const char *text)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);

	if (file < 0)
		return;
	/* if the kernel refuses, the value is unchanged */
	(void)!write(file, text, strlen(text));
	close(file);
}

int main(int count, char **words)
{
	struct options options = { 0 };

	if (!parse_options(count, words, &options))
		return usage();
	if (options.group)
		tell(options.group, "0");
	if (options.session && getsid(0) == getpid())
		tell("/proc/self/autogroup", options.session);
	if (options.has_nice)
		(void)setpriority(PRIO_PROCESS, 0, options.nice);
	execvp(words[optind], words + optind);
	fprintf(stderr, "coexist-precede: %s: %s\n", words[optind], strerror(errno));
	return errno == ENOENT ? 127 : 126;
}
