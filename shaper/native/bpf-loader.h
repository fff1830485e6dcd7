/* SPDX-License-Identifier: MIT */
/* Parts that the BPF loaders share. */
#ifndef COEXIST_BPF_LOADER_H
#define COEXIST_BPF_LOADER_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <bpf/libbpf.h>

/*
 * Prints a line with the failed step `what` and its reason; `error` is an errno of either sign. Returns the
 * exit status.
 */
static inline int fail(const char *what, int error)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(error < 0 ? -error : error));
	return 2;
}

static inline int only_errors(enum libbpf_print_level level, const char *format, va_list arguments)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, arguments) : 0;
}

/*
 * Sets the constants of a BPF object before it is loaded. The section .rodata must hold nothing else, since it is
 * replaced as a whole. Returns 0 or a negative errno.
 */
static inline int set_constants(struct bpf_object *object, const void *constants, size_t size)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, object) {
		const char *section = strchr(bpf_map__name(map), '.');

		if (section != NULL && strcmp(section, ".rodata") == 0)
			return bpf_map__set_initial_value(map, constants, size);
	}
	return -ENOENT;
}

#endif
