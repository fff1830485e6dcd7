/* SPDX-License-Identifier: MIT */
/* The configuration of the link from JSON: every field is checked, and what is wrong is named by its place. */
#ifndef COEXIST_LINK_CONFIG_H
#define COEXIST_LINK_CONFIG_H

#include <json-c/json_object.h>
#include "core/link.h"

enum { CONFIG_ERROR_MAX = 512 };

/* False: `error` says which field must be what ("set.paths[0].delayUs: must be a number"). Traces that were read are
 * the caller's. */
bool config_read(json_object *json, struct link_config *config, char error[CONFIG_ERROR_MAX]);

/* The values of the requests that change a link under way. */
bool config_read_rate(json_object *json, enum direction *direction, double *rate_bps, char error[CONFIG_ERROR_MAX]);
bool config_read_limit(json_object *json, enum direction *direction, uint64_t *limit_packets, uint64_t *limit_bytes,
                       uint64_t *limit_ns, char error[CONFIG_ERROR_MAX]);
bool config_read_loss(json_object *json, struct loss_config *loss, char error[CONFIG_ERROR_MAX]);

#endif
