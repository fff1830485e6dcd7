/* SPDX-License-Identifier: MIT */
/* Cases and what they check. A case that fails ends there; the next one runs. */
#ifndef COEXIST_TESTS_BBR3_TESTING_H
#define COEXIST_TESTS_BBR3_TESTING_H

#include <stdbool.h>

struct test_case {
	const char *name; /* as the draft's section is called */
	void (*run)(void);
};

/* Ends the case that runs. */
__attribute__((noreturn, format(printf, 1, 2))) void fail_test(const char *format, ...);

#define CHECK(condition) \
	do { \
		if (!(condition)) \
			fail_test("%s:%d: %s", __FILE__, __LINE__, #condition); \
	} while (0)

/* Both as double, with their values in the message. */
#define CHECK_BETWEEN(value, least, most) \
	do { \
		double value_ = (double)(value), least_ = (double)(least), most_ = (double)(most); \
		if (!(value_ >= least_ && value_ <= most_)) \
			fail_test("%s:%d: %s is %g, not between %g and %g", __FILE__, __LINE__, #value, value_, \
			          least_, most_); \
	} while (0)

#define CHECK_EQUAL(value, expected) CHECK_BETWEEN(value, expected, expected)

extern const struct test_case startup_cases[], probe_bw_cases[], probe_rtt_cases[], path_cases[], recovery_cases[],
	part_cases[], model_cases[];

#endif
