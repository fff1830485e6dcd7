/* SPDX-License-Identifier: MIT */
/*
 * coexist-marker: sets the ECN field and the DSCP of packets that leave a device, until its standard input ends.
 *
 *   coexist-marker check OBJECT
 *   coexist-marker run OBJECT DEVICE PROTOCOL PORT all|rtp FROM TO DSCP
 *       -> {"ready":true}, then at the end {"changed":1234}
 *
 * PROTOCOL is an IP protocol number and PORT a port of either end; 0 stands for all. FROM and TO are ECN fields, 0 to 3;
 * TO and DSCP may be "keep". The classifier is attached at clsact egress of DEVICE in the caller's network namespace and
 * removed at the end of standard input or by SIGTERM. Exit status: 0 done, 1 usage, 2 this machine lacks a feature
 * (reason on stderr).
 */
#define _GNU_SOURCE
#include <net/if.h>
#include <bpf/bpf.h>
#include "bpf-loader.h"
#include "hold.h"
#include "marker.h"

static bool parse_or_keep(const char *text, uint64_t most, __u8 *value)
{
	uint64_t number = MARKER_KEEP;

	if (strcmp(text, "keep") != 0 && !parse_number(text, most, &number))
		return false;
	*value = (__u8)number;
	return true;
}

static bool parse_words(char **words, struct marker_constants *constants)
{
	uint64_t protocol, port, from;

	if (!parse_number(words[0], 255, &protocol) || !parse_number(words[1], 65535, &port)
	    || (strcmp(words[2], "all") != 0 && strcmp(words[2], "rtp") != 0) || !parse_number(words[3], 3, &from)
	    || !parse_or_keep(words[4], 3, &constants->to) || !parse_or_keep(words[5], 63, &constants->dscp))
		return false;
	constants->protocol = (__u8)protocol;
	constants->port = (__u16)port;
	constants->is_rtp = strcmp(words[2], "rtp") == 0;
	constants->from = (__u8)from;
	return true;
}

static int run(const char *path, const char *device, const struct marker_constants *constants)
{
	unsigned int index = if_nametoindex(device);
	struct bpf_object *object;

	if (index == 0)
		return fail(device, errno);

	int status = load_object(path, constants, sizeof(*constants), &object);

	if (status != 0)
		return status;

	struct bpf_program *program = bpf_object__find_program_by_name(object, "marker");
	struct bpf_map *changed = bpf_object__find_map_by_name(object, "changed");
	__u32 zero = 0;
	__u64 count = 0;

	if (program == NULL || changed == NULL)
		return fail(path, ENOENT);

	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = (int)index, .attach_point = BPF_TC_EGRESS);
	/* the kernel chooses handle and priority, so that a device may have several markers */
	LIBBPF_OPTS(bpf_tc_opts, options, .prog_fd = bpf_program__fd(program));

	int error = add_classifier(&hook, &options);

	if (error != 0)
		return fail("attach", error);
	printf("{\"ready\":true}\n");
	fflush(stdout);
	wait_for_end();
	bpf_map_lookup_elem(bpf_map__fd(changed), &zero, &count);
	options.flags = options.prog_fd = options.prog_id = 0;
	error = bpf_tc_detach(&hook, &options);
	/* the device may be gone together with its namespace */
	if (error != 0 && error != -ENOENT && error != -ENODEV && error != -EINVAL)
		return fail("detach", error);
	printf("{\"changed\":%llu}\n", (unsigned long long)count);
	bpf_object__close(object);
	return 0;
}

int main(int argument_count, char **words)
{
	struct marker_constants constants = { .to = MARKER_KEEP, .dscp = MARKER_KEEP };
	struct bpf_object *object;

	libbpf_set_print(only_errors);
	libbpf_set_strict_mode(LIBBPF_STRICT_ALL);
	if (argument_count == 3 && strcmp(words[1], "check") == 0)
		return load_object(words[2], &constants, sizeof(constants), &object);
	if (argument_count == 10 && strcmp(words[1], "run") == 0 && parse_words(words + 4, &constants))
		return run(words[2], words[3], &constants);
	fprintf(stderr, "usage: coexist-marker check OBJECT | "
	                "coexist-marker run OBJECT DEVICE PROTOCOL PORT all|rtp FROM TO DSCP\n");
	return 1;
}
