/* SPDX-License-Identifier: MIT */
#include "refusal.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <bpf/libbpf.h>

/*
 * End of the last message of libbpf, or of the verifier's log. It is printed if the kernel refuses the program.
 */
static char said[4096];
static bool has_verifier_log;

static int keep_words(enum libbpf_print_level level, const char *format, va_list arguments)
{
	static char text[65536];

	if (level != LIBBPF_WARN)
		return 0;

	int length = vsnprintf(text, sizeof(text), format, arguments);
	bool is_log = strstr(text, "BEGIN PROG LOAD LOG") != NULL;

	if (has_verifier_log && !is_log)
		return length;
	has_verifier_log = is_log;
	size_t kept = length < 0 ? 0 : (size_t)length < sizeof(text) ? (size_t)length : sizeof(text) - 1;

	if (kept >= sizeof(said))
		memcpy(said, text + kept - sizeof(said) + 1, sizeof(said));
	else
		memcpy(said, text, kept + 1);
	return length;
}

/*
 * Returns the last line of the verifier before its statistics, or the last message of libbpf if there is none.
 */
const char *refusal_words(void)
{
	static char line[512];
	char *save = NULL;

	line[0] = '\0';
	for (char *next = strtok_r(said, "\n", &save); next != NULL; next = strtok_r(NULL, "\n", &save)) {
		if (strncmp(next, "processed ", 10) == 0 || strncmp(next, "-- END", 6) == 0)
			break;
		snprintf(line, sizeof(line), "%s", next);
	}
	return line;
}

void refusal_keep_words(void)
{
	libbpf_set_print(keep_words);
}
