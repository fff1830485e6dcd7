/* SPDX-License-Identifier: MIT */
/*
 * coexist-loss: puts random loss on a device and reads what it did.
 *
 *   coexist-loss attach OBJECT DEVICE THRESHOLD SEED   -> {"programId":7,"mapId":9}
 *   coexist-loss read MAPID                            -> {"flows":[{"source":"10.0.1.2",...}]}
 *
 * THRESHOLD is the loss probability times 2^32, SEED a 64-bit number. The classifier goes to the
 * egress of the clsact qdisc of DEVICE in the caller's network namespace and lives as long as that qdisc; nothing
 * is pinned and nothing is left running. Exit status: 0 done, 1 usage, 2 this machine cannot (one line on stderr says why).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "loss.h"

static int fail(const char *what, int error)
{
	fprintf(stderr, "coexist-loss: %s: %s\n", what, strerror(error < 0 ? -error : error));
	return 2;
}

static int only_errors(enum libbpf_print_level level, const char *format, va_list arguments)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, arguments) : 0;
}

static bool parse_number(const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	return errno == 0 && end != text && *end == '\0' && text[0] != '-';
}

static int set_constants(struct bpf_object *object, const struct loss_constants *constants)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, object) {
		if (strstr(bpf_map__name(map), ".rodata") != NULL)
			return bpf_map__set_initial_value(map, constants, sizeof(*constants));
	}
	return -ENOENT;
}

static int attach(const char *path, const char *device, const struct loss_constants *constants)
{
	unsigned int index = if_nametoindex(device);

	if (index == 0)
		return fail(device, errno);

	struct bpf_object *object = bpf_object__open_file(path, NULL);

	if (object == NULL)
		return fail(path, errno);

	int error = set_constants(object, constants);

	if (error != 0)
		return fail("constants", error);
	error = bpf_object__load(object);
	if (error != 0)
		return fail("the kernel refused the classifier", error);

	struct bpf_program *program = bpf_object__find_program_by_name(object, "loss");
	struct bpf_map *flows = bpf_object__find_map_by_name(object, "flows");
	struct bpf_prog_info program_info = {};
	struct bpf_map_info map_info = {};
	uint32_t program_length = sizeof(program_info), map_length = sizeof(map_info);

	if (program == NULL || flows == NULL)
		return fail(path, ENOENT);

	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = (int)index, .attach_point = BPF_TC_EGRESS);
	LIBBPF_OPTS(bpf_tc_opts, options, .prog_fd = bpf_program__fd(program), .handle = 1, .priority = 1);

	error = bpf_tc_hook_create(&hook);
	if (error != 0 && error != -EEXIST)
		return fail("clsact", error);
	error = bpf_tc_attach(&hook, &options);
	if (error != 0)
		return fail("attach", error);
	error = bpf_obj_get_info_by_fd(bpf_program__fd(program), &program_info, &program_length);
	if (error != 0)
		return fail("program info", errno);
	error = bpf_obj_get_info_by_fd(bpf_map__fd(flows), &map_info, &map_length);
	if (error != 0)
		return fail("map info", errno);
	printf("{\"programId\":%u,\"mapId\":%u}\n", program_info.id, map_info.id);
	bpf_object__close(object);
	return 0;
}

static int read_flows(uint32_t id)
{
	int map = bpf_map_get_fd_by_id(id);

	if (map < 0)
		return fail("counters", errno);

	struct loss_flow flow, *previous = NULL;
	struct loss_counters counters;
	const char *separator = "";

	printf("{\"flows\":[");
	while (bpf_map_get_next_key(map, previous, &flow) == 0) {
		char source[INET_ADDRSTRLEN], destination[INET_ADDRSTRLEN];

		previous = &flow;
		if (bpf_map_lookup_elem(map, &flow, &counters) != 0)
			continue;
		inet_ntop(AF_INET, &flow.source, source, sizeof(source));
		inet_ntop(AF_INET, &flow.destination, destination, sizeof(destination));
		printf("%s{\"source\":\"%s\",\"destination\":\"%s\",\"protocol\":%u,\"packets\":%llu,\"bytes\":%llu,"
		       "\"lostPackets\":%llu,\"lostBytes\":%llu}",
		       separator, source, destination, flow.protocol, counters.packets, counters.bytes, counters.lost_packets, counters.lost_bytes);
		separator = ",";
	}
	printf("]}\n");
	return 0;
}

static int usage(void)
{
	fprintf(stderr, "usage: coexist-loss attach OBJECT DEVICE THRESHOLD SEED | coexist-loss read MAPID\n");
	return 1;
}

int main(int count, char **words)
{
	uint64_t threshold, seed, id;

	libbpf_set_print(only_errors);
	libbpf_set_strict_mode(LIBBPF_STRICT_ALL);
	if (count == 6 && strcmp(words[1], "attach") == 0) {
		if (!parse_number(words[4], &threshold) || threshold > UINT32_MAX || !parse_number(words[5], &seed))
			return usage();
		return attach(words[2], words[3], &(struct loss_constants){ .seed = seed, .threshold = (uint32_t)threshold });
	}
	if (count == 3 && strcmp(words[1], "read") == 0) {
		if (!parse_number(words[2], &id) || id > UINT32_MAX)
			return usage();
		return read_flows((uint32_t)id);
	}
	return usage();
}
