/* SPDX-License-Identifier: MIT */
/* Registers the object in the kernel as a congestion control, and unregisters it. */
#ifndef COEXIST_BBR3_REGISTRATION_H
#define COEXIST_BBR3_REGISTRATION_H

#include "kernel.h"

#define NAME_IS_TAKEN \
	"another module has the name \"" CONGESTION_CONTROL \
	"\" (net.ipv4.tcp_available_congestion_control), and it is not this program's"

/* The object to load, and values for its constants (telemetry.h). */
struct wanted {
	const char *object;
	bool telemetry;
	bool for_runs;
	uint32_t budget;
	uint8_t object_hash[BBR3_HASH_BYTES]; /* zeros: the hash is unknown */
};

/*
 * Makes the kernel verify the object; registers nothing. This and the next two functions return false with the
 * reason on failure.
 */
bool is_verified(const struct wanted *wanted, const struct kernel_types *types, struct reason *reason);

/* Registers the object. `found`: filled in with the new registration. */
bool register_wanted(const struct wanted *wanted, const struct kernel_types *types, struct registered *found,
                     struct reason *reason);

/* Unregisters and closes `found`. */
bool unregister(struct registered *found, struct reason *reason);

#endif
