/* SPDX-License-Identifier: MIT */
/*
 * Reader of the link's configuration in JSON. Every field is checked, and errors name the place of the field.
 */
#ifndef COEXIST_LINK_CONFIG_H
#define COEXIST_LINK_CONFIG_H

#include <json-c/json_object.h>
#include "core/link.h"

enum { CONFIG_ERROR_MAX = 512 };

/*
 * Reads the configuration. False: `error` has the field and the reason ("set.paths[0].delayUs: must be a
 * number"). The caller owns the traces and tables in `config`.
 */
bool config_read(json_object *json, struct link_config *config, char error[CONFIG_ERROR_MAX]);

/* Readers for the requests that change a running link. False: `error` has the field and the reason. */
bool config_read_rate(json_object *json, enum direction *direction, double *rate_bps, char error[CONFIG_ERROR_MAX]);
bool config_read_limit(json_object *json, enum direction *direction, uint64_t *limit_packets, uint64_t *limit_bytes,
                       uint64_t *limit_ns, char error[CONFIG_ERROR_MAX]);
bool config_read_loss(json_object *json, struct loss_config *loss, char error[CONFIG_ERROR_MAX]);

#endif
