/* SPDX-License-Identifier: MIT */
/* Parts that the BPF loaders share. */
#ifndef COEXIST_BPF_LOADER_H
#define COEXIST_BPF_LOADER_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Opens an object, sets its constants and loads it. Returns the exit status; 0: `object` holds it. */
static inline int load_object(const char *path, const void *constants, size_t size, struct bpf_object **object)
{
	*object = bpf_object__open_file(path, NULL);
	if (*object == NULL)
		return fail(path, errno);

	int error = set_constants(*object, constants, size);

	if (error != 0)
		return fail("constants", error);
	error = bpf_object__load(*object);
	return error == 0 ? 0 : fail("the kernel refused the classifier", error);
}

/*
 * Attaches a classifier. If the device has no clsact, adding clsact makes the kernel empty the queue of the device.
 * Returns 0 or a negative errno.
 */
static inline int add_classifier(struct bpf_tc_hook *hook, struct bpf_tc_opts *options)
{
	int error = bpf_tc_hook_create(hook);

	return error != 0 && error != -EEXIST ? error : bpf_tc_attach(hook, options);
}

/* Parses a decimal number of at most `most`. Returns false for anything else. */
static inline bool parse_number(const char *text, uint64_t most, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	return errno == 0 && end != text && *end == '\0' && text[0] != '-' && *value <= most;
}

#endif
