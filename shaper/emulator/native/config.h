/* SPDX-License-Identifier: MIT */
/* The configuration of the link from JSON. Every field is checked; errors name its place. */
#ifndef COEXIST_LINK_CONFIG_H
#define COEXIST_LINK_CONFIG_H

#include <json-c/json_object.h>
#include "core/link.h"

enum { CONFIG_ERROR_MAX = 512 };

/*
 * False: `error` has the field and the reason ("set.paths[0].delayUs: must be a number"). The caller owns traces
 * read.
 */
bool config_read(json_object *json, struct link_config *config, char error[CONFIG_ERROR_MAX]);

/* Values of the requests that change a running link. */
bool config_read_rate(json_object *json, enum direction *direction, double *rate_bps, char error[CONFIG_ERROR_MAX]);
bool config_read_limit(json_object *json, enum direction *direction, uint64_t *limit_packets, uint64_t *limit_bytes,
                       uint64_t *limit_ns, char error[CONFIG_ERROR_MAX]);
bool config_read_loss(json_object *json, struct loss_config *loss, char error[CONFIG_ERROR_MAX]);

#endif
