/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>
#include "config.h"
#include "control.h"
#include "counters.h"

enum { DEPTH_MAX = 16 };

void control_refuse(struct text *answer, const char *why)
{
	text_add(answer, "{\"error\":");
	text_add_string(answer, why);
	text_add(answer, "}\n");
}

static void free_traces(const struct link_config *config)
{
	for (int i = 0; i < DIRECTIONS; i++) {
		free(config->bottlenecks[i].trace);
		table_free(config->bottlenecks[i].table);
	}
}

static void set(struct control *control, json_object *json, uint64_t now_ns, struct text *answer)
{
	char error[CONFIG_ERROR_MAX];

	if (!config_read(json, &control->config, error)) {
		free_traces(&control->config);
		control_refuse(answer, error);
		return;
	}
	link_advance(control->link, now_ns);
	if (!link_configure(control->link, &control->config, now_ns)) {
		free_traces(&control->config);
		control_refuse(answer, "set: no memory");
		return;
	}
	control->lateness = (struct lateness){};
	control->write_errors = 0;
	control->cpu_zero_ms = counters_cpu_ms();
	text_add(answer, "{\"set\":true}\n");
}

static void set_rate(struct control *control, json_object *json, uint64_t now_ns, struct text *answer)
{
	char error[CONFIG_ERROR_MAX];
	enum direction direction;
	double rate_bps;

	if (!config_read_rate(json, &direction, &rate_bps, error))
		control_refuse(answer, error);
	else if (!link_set_rate(control->link, now_ns, direction, rate_bps))
		control_refuse(answer, "rate: there is no bottleneck with a rate");
	else
		text_add(answer, "{\"rate\":true}\n");
}

static void set_limit(struct control *control, json_object *json, uint64_t now_ns, struct text *answer)
{
	char error[CONFIG_ERROR_MAX];
	enum direction direction;
	uint64_t limit_packets, limit_bytes, limit_ns = 0;

	if (!config_read_limit(json, &direction, &limit_packets, &limit_bytes, &limit_ns, error))
		control_refuse(answer, error);
	else if (!link_set_limit(control->link, now_ns, direction, limit_packets, limit_bytes, limit_ns))
		control_refuse(answer, "limit: there is no bottleneck");
	else
		text_add(answer, "{\"limit\":true}\n");
}

static void set_loss(struct control *control, json_object *json, uint64_t now_ns, struct text *answer)
{
	char error[CONFIG_ERROR_MAX];
	struct loss_config loss;

	if (!config_read_loss(json, &loss, error)) {
		control_refuse(answer, error);
		return;
	}
	link_set_loss(control->link, now_ns, &loss);
	text_add(answer, "{\"loss\":true}\n");
}

static void answer_request(struct control *control, const char *request, json_object *value, uint64_t now_ns,
                           struct text *answer)
{
	bool is_true = json_object_is_type(value, json_type_boolean) && json_object_get_boolean(value);

	if (strcmp(request, "set") == 0) {
		set(control, value, now_ns, answer);
	} else if (strcmp(request, "rate") == 0) {
		set_rate(control, value, now_ns, answer);
	} else if (strcmp(request, "limit") == 0) {
		set_limit(control, value, now_ns, answer);
	} else if (strcmp(request, "loss") == 0) {
		set_loss(control, value, now_ns, answer);
	} else if (strcmp(request, "start") == 0 && is_true) {
		link_start(control->link, now_ns);
		text_add(answer, "{\"started\":true,\"timeNs\":%llu}\n", (unsigned long long)now_ns);
	} else if (strcmp(request, "read") == 0 && is_true) {
		link_advance(control->link, now_ns);
		counters_write(control, answer);
	} else if (strcmp(request, "start") == 0 || strcmp(request, "read") == 0) {
		control_refuse(answer, request[0] == 's' ? "start: must be true" : "read: must be true");
	} else {
		char error[CONFIG_ERROR_MAX];

		snprintf(error, sizeof(error),
		         "%s: is not known here; requests are set, start, rate, limit, loss, read", request);
		control_refuse(answer, error);
	}
}

/*
 * Parses a line. Returns NULL with an error in `answer` if the line is not JSON; NULL without error if it is
 * "null".
 */
static json_object *parse(const char *line, size_t length, struct text *answer)
{
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);
	char error[CONFIG_ERROR_MAX];

	if (!tokener) {
		control_refuse(answer, "no memory");
		return NULL;
	}
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);

	/* the length includes the NUL, which ends a number */
	json_object *json = json_tokener_parse_ex(tokener, line, (int)length + 1);
	enum json_tokener_error status = json_tokener_get_error(tokener);
	size_t end = json_tokener_get_parse_end(tokener);

	if (status == json_tokener_success && end < length)
		status = json_tokener_error_parse_unexpected; /* a NUL inside the line is an error */
	if (status != json_tokener_success) {
		snprintf(error, sizeof(error), "not JSON: %s, at byte %zu", json_tokener_error_desc(status), end);
		control_refuse(answer, error);
		json_object_put(json);
		json = NULL;
	}
	json_tokener_free(tokener);
	return json;
}

void control_answer(struct control *control, const char *line, size_t length, uint64_t now_ns, struct text *answer)
{
	size_t before = answer->length;
	json_object *json = parse(line, length, answer);

	if (answer->length > before)
		return;
	if (!json_object_is_type(json, json_type_object) || json_object_object_length(json) != 1) {
		control_refuse(answer, "a request is an object with one field: set, start, rate, limit, loss or read");
	} else {
		json_object_object_foreach(json, request, value)
			answer_request(control, request, value, now_ns, answer);
	}
	json_object_put(json);
}
