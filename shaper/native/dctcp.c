/* SPDX-License-Identifier: MIT */
/*
 * coexist-dctcp: holds the congestion control "dctcp_like" (dctcp.bpf.c) in the kernel until its standard input ends.
 *
 *   coexist-dctcp check OBJECT
 *   coexist-dctcp hold OBJECT
 *       -> {"ready":true}
 *
 * The registration is a BPF link that belongs to this process, so it ends with the process, however that ends; sockets
 * that use the congestion control keep it. Exit status: 0 done, 1 usage, 2 this machine lacks a feature (reason on
 * stderr).
 */
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include "bpf-loader.h"
#include "hold.h"

enum {
	/* constants of linux/bpf.h, since Linux 6.4 */
	MAP_FLAG_LINK = 1 << 13,
	ATTACH_STRUCT_OPS = 44,
};

/* Opens and loads the object. Returns the exit status; 0: `object` holds it. */
static int load(const char *path, struct bpf_object **object)
{
	struct bpf_map *map;

	*object = bpf_object__open_file(path, NULL);
	if (*object == NULL)
		return fail(path, errno);
	map = bpf_object__find_map_by_name(*object, "dctcp_like");
	if (map == NULL)
		return fail(path, ENOENT);

	int error = bpf_map__set_map_flags(map, MAP_FLAG_LINK);

	if (error == 0)
		error = bpf_object__load(*object);
	return error == 0 ? 0 : fail("the kernel refused the congestion control", error);
}

static int hold(const char *path)
{
	struct bpf_object *object;
	int status = load(path, &object);

	if (status != 0)
		return status;

	struct bpf_map *map = bpf_object__find_map_by_name(object, "dctcp_like");
	/* this fills the map; with MAP_FLAG_LINK it registers nothing */
	struct bpf_link *filled = bpf_map__attach_struct_ops(map);

	if (filled == NULL)
		return fail("the kernel refused the congestion control", errno);
	bpf_link__disconnect(filled);
	bpf_link__destroy(filled);

	int link = bpf_link_create(bpf_map__fd(map), 0, (enum bpf_attach_type)ATTACH_STRUCT_OPS, NULL);

	if (link < 0)
		return fail("the kernel did not register dctcp_like", errno);
	printf("{\"ready\":true}\n");
	fflush(stdout);
	wait_for_end();
	close(link);
	bpf_object__close(object);
	return 0;
}

int main(int count, char **words)
{
	struct bpf_object *object;

	libbpf_set_print(only_errors);
	libbpf_set_strict_mode(LIBBPF_STRICT_ALL);
	if (count == 3 && strcmp(words[1], "check") == 0)
		return load(words[2], &object);
	if (count == 3 && strcmp(words[1], "hold") == 0)
		return hold(words[2]);
	fprintf(stderr, "usage: coexist-dctcp check OBJECT | coexist-dctcp hold OBJECT\n");
	return 1;
}
