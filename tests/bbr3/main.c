/* SPDX-License-Identifier: MIT */
/*
 * Runs the cases and prints a line for each: "ok NAME" or "not ok NAME: what was expected".
 * With a word, only the cases whose names contain it. Exit status 0 when all are ok.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "simulation.h"
#include "testing.h"

static jmp_buf end_of_case;
static char failure[512];

void fail_test(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(failure, sizeof(failure), format, arguments);
	va_end(arguments);
	longjmp(end_of_case, 1);
}

static bool run(const struct test_case *test)
{
	if (setjmp(end_of_case) == 0) {
		test->run();
		printf("ok %s\n", test->name);
		return true;
	}
	simulation_clean();
	printf("not ok %s: %s\n", test->name, failure);
	return false;
}

int main(int count, char **words)
{
	const struct test_case *const groups[] = { startup_cases,  probe_bw_cases, probe_rtt_cases, path_cases,
		                                   recovery_cases, part_cases,     model_cases };
	int failed = 0;

	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		for (const struct test_case *test = groups[i]; test->name != NULL; test++) {
			if (count < 2 || strstr(test->name, words[1]) != NULL)
				failed += !run(test);
			fflush(stdout);
		}
	}
	return failed > 0;
}
