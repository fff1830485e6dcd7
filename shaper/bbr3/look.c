/* SPDX-License-Identifier: MIT */
#include "look.h"

#include "users.h"

#define OTHER_VERSION \
	"another version of this program has loaded BBRv3; \"coexist-bbr3 unload\" takes it away, once nothing of that " \
	"version runs"

int look(struct kernel_types *types, struct registered *found, struct reason *reason)
{
	if (!has_capabilities(reason) || !read_kernel_types(types, reason))
		return -1;
	return find_registered(types, found, reason);
}

int look_for_own(struct kernel_types *types, struct registered *found, struct reason *reason)
{
	int registered = look(types, found, reason);

	if (registered <= 0 || !found->other_version)
		return registered;
	close_registered(found);
	return refuse(reason, TAKEN, OTHER_VERSION), -1;
}

/*
 * Looks again in a turn if the name exists but no BBRv3 of the project was found: one may have been registered
 * in between.
 */
int look_for_name(struct kernel_types *types, struct registered *found, bool *taken, struct reason *reason)
{
	int registered = look_for_own(types, found, reason);
	struct mark turn;

	*taken = false;
	if (registered != 0 || !is_name_available())
		return registered;
	if (!take_turn(&turn, reason))
		return -1;
	registered = look_for_own(types, found, reason);
	*taken = registered == 0 && is_name_available();
	end_mark(&turn);
	return registered;
}
