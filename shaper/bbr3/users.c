/* SPDX-License-Identifier: MIT */
#include "users.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>

#define TURN "coexist_turn" /* name of the map of a turn; map names have at most 15 characters */
#define USER "coexist_user"
#define LONGEST_TURN_S 20
#define SHORTEST_PAUSE_US 2000
#define LONGEST_PAUSE_US 40000

/*
 * Value that a map gets when its process has ended its use. Another process that lists the maps may keep the
 * map open for a moment.
 */
static const uint32_t ended = 1;

static bool make_mark(const char *name, struct mark *mark, struct reason *reason)
{
	struct bpf_map_info info = {};
	uint32_t length = sizeof(info);

	mark->map = bpf_map_create(BPF_MAP_TYPE_ARRAY, name, sizeof(uint32_t), sizeof(ended), 1, NULL);
	if (mark->map < 0)
		return refuse(reason, kind_of(errno), "the kernel makes no BPF map: %s", strerror(errno));
	if (bpf_obj_get_info_by_fd(mark->map, &info, &length) != 0) {
		refuse(reason, kind_of(errno), "the kernel tells nothing of a BPF map: %s", strerror(errno));
		close(mark->map);
		return false;
	}
	mark->id = info.id;
	return true;
}

void end_mark(struct mark *mark)
{
	uint32_t zero = 0;

	bpf_map_update_elem(mark->map, &zero, &ended, BPF_ANY);
	close(mark->map);
	mark->map = -1;
}

static bool is_mark(int map, const struct bpf_map_info *info, const char *name)
{
	uint32_t zero = 0, value = ended;

	return info->type == BPF_MAP_TYPE_ARRAY && info->value_size == sizeof(value) && strcmp(info->name, name) == 0
	       && bpf_map_lookup_elem(map, &zero, &value) == 0 && value != ended;
}

static int count_marks(const char *name, const struct mark *own, struct reason *reason)
{
	struct bpf_map_info info;
	uint32_t id = 0;
	int map, count = 0;

	while ((map = next_map(&id, &info, reason)) >= 0) {
		if ((own == NULL || id != own->id) && is_mark(map, &info, name))
			count++;
		close(map);
	}
	return map == NO_MORE_MAPS ? count : -1;
}

int count_users(const struct mark *own, struct reason *reason)
{
	return count_marks(USER, own, reason);
}

bool begin_use(struct mark *user, struct reason *reason)
{
	return make_mark(USER, user, reason);
}

/*
 * Creates a map of this process, then looks for a map of another process. If two processes do this at the same
 * time, at least one finds the other's map. A process that finds one removes its own map, and tries again after
 * a pause of random length.
 */
bool take_turn(struct mark *turn, struct reason *reason)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	srand((unsigned int)start.tv_nsec); /* two containers may have equal process ids */
	for (;;) {
		int others = count_marks(TURN, NULL, reason);

		if (others == 0) {
			if (!make_mark(TURN, turn, reason))
				return false;
			others = count_marks(TURN, turn, reason);
			if (others == 0)
				return true;
			end_mark(turn);
		}
		if (others < 0)
			return false;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec - start.tv_sec > LONGEST_TURN_S)
			return refuse(reason, BUSY,
			              "another process has been loading or unloading it for %d s; try again later",
			              LONGEST_TURN_S);
		usleep(SHORTEST_PAUSE_US + (useconds_t)(rand() % LONGEST_PAUSE_US));
	}
}
