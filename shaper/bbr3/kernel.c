/* SPDX-License-Identifier: MIT */
/*
 * The running kernel: its types, this process's capabilities, and the registered BBRv3.
 *
 * A registered BBRv3 is found through the kernel. A struct_ops map of the name that is in use leads to its
 * programs, these lead to their maps, and the constants in one of the maps identify the project's BBRv3.
 * Nothing is pinned or recorded in a file.
 */
#include "kernel.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

/*
 * offset of the kernel's enum bpf_struct_ops_state, which follows a 4-byte reference count at the start of the
 * value
 */
#define STRUCT_OPS_STATE_OFFSET 4
#define STRUCT_OPS_INUSE 1
#define MOST_MAPS_OF_A_PROGRAM 64

bool refuse(struct reason *reason, enum reason_kind kind, const char *format, ...)
{
	va_list arguments;

	reason->kind = kind;
	va_start(arguments, format);
	vsnprintf(reason->text, sizeof(reason->text), format, arguments);
	va_end(arguments);
	return false;
}

enum reason_kind kind_of(int error)
{
	return error == ENOMEM || error == EMFILE || error == ENFILE || error == EAGAIN || error == EINTR ? BUSY
	                                                                                                  : CANNOT;
}

static const struct btf_member *find_member(const struct btf *btf, const struct btf_type *type, const char *name)
{
	const struct btf_member *members = btf_members(type);

	for (int i = 0; i < btf_vlen(type); i++) {
		if (strcmp(btf__name_by_offset(btf, members[i].name_off), name) == 0)
			return &members[i];
	}
	return NULL;
}

/* Returns the number of parameters of a member that is a pointer to a function; 0 for other members. */
static uint32_t count_parameters(const struct btf *btf, const struct btf_member *member)
{
	const struct btf_type *type = btf__type_by_id(btf, (uint32_t)btf__resolve_type(btf, member->type));

	if (type != NULL && btf_is_ptr(type))
		type = btf__type_by_id(btf, (uint32_t)btf__resolve_type(btf, type->type));
	return type != NULL && btf_is_func_proto(type) ? btf_vlen(type) : 0;
}

static bool read_types(const struct btf *btf, struct kernel_types *types, struct reason *reason)
{
	int operations = btf__find_by_name_kind(btf, "tcp_congestion_ops", BTF_KIND_STRUCT);
	int value = btf__find_by_name_kind(btf, "bpf_struct_ops_tcp_congestion_ops", BTF_KIND_STRUCT);

	if (operations < 0 || value < 0)
		return cannot(
			reason,
			"this kernel has no BPF struct_ops for TCP (CONFIG_BPF_SYSCALL, CONFIG_BPF_JIT, CONFIG_INET; Linux 6.0 or newer)");

	const struct btf_member *cong_control =
		find_member(btf, btf__type_by_id(btf, (uint32_t)operations), "cong_control");
	const struct btf_member *data = find_member(btf, btf__type_by_id(btf, (uint32_t)value), "data");

	if (cong_control == NULL || data == NULL)
		return cannot(
			reason,
			"this kernel's struct tcp_congestion_ops is not one that is known: it has no cong_control");
	types->cong_control_arguments = count_parameters(btf, cong_control);
	types->cong_control_offset = (data->offset + cong_control->offset) / 8;
	if (types->cong_control_arguments != 2 && types->cong_control_arguments != 4)
		return cannot(reason,
		              "this kernel's cong_control has %u parameters; 2 (before Linux 6.10) and 4 are known",
		              types->cong_control_arguments);
	return true;
}

bool read_kernel_types(struct kernel_types *types, struct reason *reason)
{
	struct btf *btf = btf__load_vmlinux_btf();

	if (btf == NULL)
		return cannot(
			reason,
			"this kernel does not tell its types: /sys/kernel/btf/vmlinux is missing (CONFIG_DEBUG_INFO_BTF)");

	bool known = read_types(btf, types, reason);

	btf__free(btf);
	return known;
}

bool has_capabilities(struct reason *reason)
{
	const unsigned long long sys_admin = 1ull << 21;
	unsigned long long effective = 0;
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];

	while (status != NULL && fgets(line, sizeof(line), status) != NULL) {
		if (sscanf(line, "CapEff: %llx", &effective) == 1)
			break;
	}
	if (status != NULL)
		fclose(status);
	if ((effective & sys_admin) != 0)
		return true;
	return cannot(
		reason,
		"this needs root with CAP_SYS_ADMIN; in a container it must be granted, and bpf(2) allowed by its seccomp profile");
}

bool is_name_available(void)
{
	FILE *file = fopen("/proc/sys/net/ipv4/tcp_available_congestion_control", "r");
	char name[64];
	bool found = false;

	while (file != NULL && !found && fscanf(file, "%63s", name) == 1)
		found = strcmp(name, CONGESTION_CONTROL) == 0;
	if (file != NULL)
		fclose(file);
	return found;
}

static bool is_in_use(int map, const struct bpf_map_info *info, const struct kernel_types *types, uint32_t *program)
{
	uint32_t zero = 0, state;
	uint64_t id;
	char *value = calloc(1, info->value_size);
	bool in_use = false;

	if (value != NULL && info->value_size >= types->cong_control_offset + sizeof(id)
	    && bpf_map_lookup_elem(map, &zero, value) == 0) {
		memcpy(&state, value + STRUCT_OPS_STATE_OFFSET, sizeof(state));
		memcpy(&id, value + types->cong_control_offset,
		       sizeof(id)); /* the kernel returns the id of the program instead of the pointer */
		in_use = state == STRUCT_OPS_INUSE;
		*program = (uint32_t)id;
	}
	free(value);
	return in_use;
}

static void take_map(uint32_t id, struct registered *found)
{
	int map = bpf_map_get_fd_by_id(id);
	struct bpf_map_info info = {};
	uint32_t length = sizeof(info);
	int *place = NULL;

	if (map < 0)
		return;
	if (bpf_obj_get_info_by_fd(map, &info, &length) == 0) {
		if (strstr(info.name, ".rodata") != NULL)
			place = &found->constants;
		else if (strstr(info.name, ".bss") != NULL)
			place = &found->counters;
		else if (strcmp(info.name, "bbr3_records") == 0)
			place = &found->records;
		else if (strcmp(info.name, "bbr3_events") == 0)
			place = &found->events;
	}
	if (place != NULL && *place < 0)
		*place = map;
	else
		close(map);
}

/*
 * Reads the constants of a program. False: they are not those of the project's BBRv3. Magic and version come
 * first in every version of this program. If the members differ, the rest of the constants has another size.
 */
static bool take_constants(struct registered *found)
{
	const size_t known = offsetof(struct bbr3_constants, cong_control_arguments);
	struct bpf_map_info info = {};
	uint32_t length = sizeof(info), zero = 0;
	bool ours = false;
	char *value;

	if (bpf_obj_get_info_by_fd(found->constants, &info, &length) != 0 || info.value_size < known)
		return false;
	value = calloc(1, info.value_size);
	if (value != NULL && bpf_map_lookup_elem(found->constants, &zero, value) == 0) {
		found->other_version = info.value_size != sizeof(found->what);
		memcpy(&found->what, value, found->other_version ? known : sizeof(found->what));
		ours = found->what.magic == BBR3_MAGIC;
	}
	free(value);
	return ours;
}

/* Fills in the maps of a program. False: they are not those of the project's BBRv3. */
static bool take_maps(uint32_t program_id, struct registered *found)
{
	uint32_t ids[MOST_MAPS_OF_A_PROGRAM];
	struct bpf_prog_info info = { .nr_map_ids = MOST_MAPS_OF_A_PROGRAM, .map_ids = (uint64_t)(uintptr_t)ids };
	uint32_t length = sizeof(info);
	int program = bpf_prog_get_fd_by_id(program_id);

	if (program < 0)
		return false;
	if (bpf_obj_get_info_by_fd(program, &info, &length) == 0) {
		for (uint32_t i = 0; i < info.nr_map_ids && i < MOST_MAPS_OF_A_PROGRAM; i++)
			take_map(ids[i], found);
	}
	close(program);
	found->runs = info.run_cnt;
	found->run_time_ns = info.run_time_ns;
	if (found->constants < 0 || found->counters < 0 || found->records < 0 || found->events < 0)
		return false;

	return take_constants(found);
}

int next_map(uint32_t *id, struct bpf_map_info *info, struct reason *reason)
{
	while (bpf_map_get_next_id(*id, id) == 0) {
		int map = bpf_map_get_fd_by_id(*id);
		uint32_t length = sizeof(*info);

		if (map < 0)
			continue; /* the map was removed in the meantime */
		memset(info, 0, sizeof(*info));
		if (bpf_obj_get_info_by_fd(map, info, &length) == 0)
			return map;
		close(map);
	}
	if (errno == ENOENT)
		return NO_MORE_MAPS;
	refuse(reason, kind_of(errno), "the kernel's BPF maps cannot be listed: %s", strerror(errno));
	return -1;
}

int find_registered(const struct kernel_types *types, struct registered *found, struct reason *reason)
{
	struct bpf_map_info info;
	uint32_t id = 0, program = 0;
	int map;

	while ((map = next_map(&id, &info, reason)) >= 0) {
		*found = (struct registered){
			.struct_ops = map, .constants = -1, .counters = -1, .records = -1, .events = -1
		};
		if (info.type == BPF_MAP_TYPE_STRUCT_OPS && strcmp(info.name, CONGESTION_CONTROL) == 0
		    && is_in_use(map, &info, types, &program) && take_maps(program, found))
			return 1;
		close_registered(found);
	}
	return map == NO_MORE_MAPS ? 0 : -1;
}

void close_registered(struct registered *found)
{
	int *maps[] = { &found->struct_ops, &found->constants, &found->counters, &found->records, &found->events };

	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++) {
		if (*maps[i] >= 0)
			close(*maps[i]);
		*maps[i] = -1;
	}
}
