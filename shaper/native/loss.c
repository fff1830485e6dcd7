/* SPDX-License-Identifier: MIT */
/*
 * coexist-loss: sets random loss on a device and reads its counters.
 *
 *   coexist-loss attach OBJECT DEVICE egress|ingress SEED independent LOSS
 *   coexist-loss attach OBJECT DEVICE egress|ingress SEED gilbert-elliott TOBAD TOGOOD BADLOSS GOODLOSS
 *       -> {"programId":7,"mapId":9}
 *   coexist-loss read MAPID
 *       -> {"flows":[{"source":"10.0.1.2",...}]}
 *
 * SEED is a 64-bit number. The words after the name of the model are probabilities times 2^32 (loss.h). The
 * classifier is attached to the clsact qdisc of DEVICE in the caller's network namespace, replaces an existing one,
 * and lives as long as that qdisc; nothing is pinned and no process stays. Exit status: 0 done, 1 usage, 2 this
 * machine lacks a feature (reason on stderr).
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <net/if.h>
#include <bpf/bpf.h>
#include "bpf-loader.h"
#include "loss.h"

static bool parse_threshold(const char *text, __u32 *threshold)
{
	uint64_t value;

	if (!parse_number(text, UINT32_MAX, &value))
		return false;
	*threshold = (__u32)value;
	return true;
}

/* Parses the words of "attach" from the attach point on. False: wrong usage. */
static bool parse_loss(int count, char **words, enum bpf_tc_attach_point *place, struct loss_constants *constants)
{
	uint64_t seed;

	if (count < 4 || (strcmp(words[0], "egress") != 0 && strcmp(words[0], "ingress") != 0)
	    || !parse_number(words[1], UINT64_MAX, &seed))
		return false;
	*place = strcmp(words[0], "egress") == 0 ? BPF_TC_EGRESS : BPF_TC_INGRESS;
	constants->seed = seed;
	if (count == 4 && strcmp(words[2], "independent") == 0)
		return parse_threshold(words[3], &constants->good_loss);
	constants->gilbert_elliott = 1;
	return count == 7 && strcmp(words[2], "gilbert-elliott") == 0 && parse_threshold(words[3], &constants->to_bad)
	       && parse_threshold(words[4], &constants->to_good) && parse_threshold(words[5], &constants->bad_loss)
	       && parse_threshold(words[6], &constants->good_loss);
}

static int attach(const char *path, const char *device, enum bpf_tc_attach_point place,
                  const struct loss_constants *constants)
{
	unsigned int index = if_nametoindex(device);

	if (index == 0)
		return fail(device, errno);

	struct bpf_object *object;
	int status = load_object(path, constants, sizeof(*constants), &object);

	if (status != 0)
		return status;

	struct bpf_program *program = bpf_object__find_program_by_name(object, "loss");
	struct bpf_map *flows = bpf_object__find_map_by_name(object, "flows");
	struct bpf_prog_info program_info = {};
	struct bpf_map_info map_info = {};
	uint32_t program_length = sizeof(program_info), map_length = sizeof(map_info);

	if (program == NULL || flows == NULL)
		return fail(path, ENOENT);

	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = (int)index, .attach_point = place);
	LIBBPF_OPTS(bpf_tc_opts, options, .prog_fd = bpf_program__fd(program), .handle = 1, .priority = 1,
	            .flags = BPF_TC_F_REPLACE);

	int error = add_classifier(&hook, &options);

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
	struct loss_state state;
	const struct loss_counters *counters = &state.counters;
	const char *separator = "";

	printf("{\"flows\":[");
	while (bpf_map_get_next_key(map, previous, &flow) == 0) {
		char source[INET_ADDRSTRLEN], destination[INET_ADDRSTRLEN];

		previous = &flow;
		if (bpf_map_lookup_elem_flags(map, &flow, &state, BPF_F_LOCK) != 0)
			continue;
		inet_ntop(AF_INET, &flow.source, source, sizeof(source));
		inet_ntop(AF_INET, &flow.destination, destination, sizeof(destination));
		printf("%s{\"source\":\"%s\",\"destination\":\"%s\",\"protocol\":%u,\"packets\":%llu,\"bytes\":%llu,"
		       "\"lostPackets\":%llu,\"lostBytes\":%llu}",
		       separator, source, destination, flow.protocol, counters->packets, counters->bytes,
		       counters->lost_packets, counters->lost_bytes);
		separator = ",";
	}
	printf("]}\n");
	return 0;
}

static int usage(void)
{
	fprintf(stderr,
	        "usage: coexist-loss attach OBJECT DEVICE egress|ingress SEED independent LOSS | "
	        "coexist-loss attach OBJECT DEVICE egress|ingress SEED gilbert-elliott TOBAD TOGOOD BADLOSS GOODLOSS | coexist-loss read MAPID\n");
	return 1;
}

int main(int count, char **words)
{
	uint64_t id;
	enum bpf_tc_attach_point place;
	struct loss_constants constants = {};

	libbpf_set_print(only_errors);
	libbpf_set_strict_mode(LIBBPF_STRICT_ALL);
	if (count > 4 && strcmp(words[1], "attach") == 0 && parse_loss(count - 4, words + 4, &place, &constants))
		return attach(words[2], words[3], place, &constants);
	if (count == 3 && strcmp(words[1], "read") == 0 && parse_number(words[2], UINT32_MAX, &id))
		return read_flows((uint32_t)id);
	return usage();
}
