/* SPDX-License-Identifier: MIT */
/*
 * coexist-precede: runs a program with the precedence for the processor that it is to have over others.
 *
 *   coexist-precede [--group FILE] [--session NICE] [--nice NICE] [--slice US] -- PROGRAM [ARGUMENT...]
 *
 * It is set before the program begins, so that all its threads and children have it:
 *   --group    its process enters the control group whose list of processes is FILE (cgroups(7))
 *   --session  nice value of its session, where the kernel groups processes by sessions (sched(7), "The autogroup
 *              feature"); of a session that it leads only
 *   --nice     its own nice value, -20 to 19
 *   --slice    processor time that it is given at once, us, 100 to 100000: the shorter, the sooner it runs when it is
 *              woken (SCHED_OTHER since Linux 6.12: sched_setattr(2), sched_runtime)
 *
 * What the kernel refuses is left as it was: a program with less precedence is better than none. Exit status: the
 * program's; 126 or 127 where it cannot be run, as of sh(1); 1 usage.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MIN_NICE = -20, MAX_NICE = 19, MIN_SLICE_US = 100, MAX_SLICE_US = 100000 };

/* linux/sched/types.h, as of its first version: the C library declares it in some versions only. */
struct scheduling {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns;
	uint64_t deadline_ns;
	uint64_t period_ns;
};

struct options {
	const char *group;
	const char *session;
	bool has_nice;
	int nice;
	int slice_us;
};

static int usage(void)
{
	fprintf(stderr, "usage: coexist-precede [--group FILE] [--session NICE] [--nice NICE] [--slice US]"
	                " -- PROGRAM [ARGUMENT...]\n");
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
		                               { "slice", required_argument, NULL, 'l' },
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
		} else if (name == 'l') {
			fine = parse_number(optarg, MIN_SLICE_US, MAX_SLICE_US, &options->slice_us);
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
	/* refused: it stays as it was */
	(void)!write(file, text, strlen(text));
	close(file);
}

/* Kept are the policy and, where none is given, the nice value. */
static void set_slice(int slice_us)
{
	struct scheduling scheduling;

	if (syscall(SYS_sched_getattr, 0, &scheduling, sizeof(scheduling), 0) != 0)
		return;
	scheduling.size = sizeof(scheduling);
	scheduling.runtime_ns = (uint64_t)slice_us * 1000;
	(void)syscall(SYS_sched_setattr, 0, &scheduling, 0);
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
	if (options.slice_us != 0)
		set_slice(options.slice_us);
	execvp(words[optind], words + optind);
	fprintf(stderr, "coexist-precede: %s: %s\n", words[optind], strerror(errno));
	return errno == ENOENT ? 127 : 126;
}
