/* SPDX-License-Identifier: MIT */
#include "registration.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "refusal.h"

static struct bpf_map *find_map(struct bpf_object *object, const char *part)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, object) {
		if (strstr(bpf_map__name(map), part) != NULL)
			return map;
	}
	return NULL;
}

/* Opens the object, sets its constants, and makes the kernel verify it. NULL: failure, with the reason. */
static struct bpf_object *open_verified(const struct wanted *wanted, const struct kernel_types *types,
                                        struct reason *reason)
{
	struct bpf_object *object = bpf_object__open_file(wanted->object, NULL);
	struct bbr3_constants constants;
	struct bpf_map *map;
	size_t size = 0;
	int error;

	if (object == NULL) {
		refuse(reason, kind_of(errno), "%s: %s", wanted->object, strerror(errno));
		return NULL;
	}
	map = find_map(object, ".rodata");

	const void *initial = map == NULL ? NULL : bpf_map__initial_value(map, &size);

	if (initial == NULL || size != sizeof(constants)
	    || ((const struct bbr3_constants *)initial)->magic != BBR3_MAGIC) {
		cannot(reason, "%s is not an object of this program's version", wanted->object);
		goto close;
	}
	memcpy(&constants, initial, sizeof(constants));
	constants.cong_control_arguments = types->cong_control_arguments;
	constants.telemetry = wanted->telemetry;
	constants.budget = wanted->budget;
	constants.for_runs = wanted->for_runs;
	memcpy(constants.object_hash, wanted->object_hash, sizeof(constants.object_hash));
	bpf_map__set_initial_value(map, &constants, sizeof(constants));
	if (!wanted->telemetry) { /* maps that are unused without telemetry */
		bpf_map__set_max_entries(find_map(object, "bbr3_events"), 1);
		bpf_map__set_max_entries(find_map(object, "bbr3_records"), 1);
	}
	error = bpf_object__load(object);
	if (error != 0) {
		struct utsname system;
		const char *words = refusal_words();

		uname(&system);
		refuse(reason, kind_of(-error), "Linux %s refused the program: %s%s%s%s", system.release,
		       strerror(-error), words[0] == '\0' ? "" : ": ", words,
		       atoi(system.release) < 6 ? " (Linux before 6.0 does not let BPF set the pacing rate)" : "");
		goto close;
	}
	return object;
close:
	bpf_object__close(object);
	return NULL;
}

bool is_verified(const struct wanted *wanted, const struct kernel_types *types, struct reason *reason)
{
	struct bpf_object *object = open_verified(wanted, types, reason);

	if (object == NULL)
		return false;
	bpf_object__close(object);
	return true;
}

bool register_wanted(const struct wanted *wanted, const struct kernel_types *types, struct registered *found,
                     struct reason *reason)
{
	struct bpf_object *object;

	if (is_name_available())
		return refuse(reason, TAKEN, NAME_IS_TAKEN);
	object = open_verified(wanted, types, reason);
	if (object == NULL)
		return false;

	struct bpf_map *map = bpf_object__find_map_by_name(object, CONGESTION_CONTROL);
	/*
	 * libbpf's "link" to a struct_ops map is only this update; destroying the link would unregister BBRv3
	 */
	struct bpf_link *link = map == NULL ? NULL : bpf_map__attach_struct_ops(map);
	int error = errno;

	if (link != NULL) {
		bpf_link__disconnect(link);
		bpf_link__destroy(link);
	}
	bpf_object__close(object);
	if (link == NULL)
		return refuse(reason, error == EEXIST ? TAKEN : kind_of(error), "the kernel did not register it: %s%s",
		              strerror(error), is_name_available() ? "; the name is taken" : "");
	return find_registered(types, found, reason) > 0
	       || refuse(reason, BUSY, "it was registered, but is not there any more");
}

bool unregister(struct registered *found, struct reason *reason)
{
	uint32_t zero = 0;
	int error = bpf_map_delete_elem(found->struct_ops, &zero) == 0 ? 0 : errno;

	close_registered(found);
	if (error != 0 && error != EINPROGRESS && error != ENOENT) /* another program has removed it first */
		return refuse(reason, kind_of(error), "the kernel did not unregister it: %s", strerror(error));
	return true;
}
