/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "config.h"
#include "control.h"
#include "counters.h"

void control_refuse(struct text *answer, const char *why)
{
	text_add(answer, "{\"error\":");
	text_add_string(answer, why);
	text_add(answer, "}\n");
}

static void free_traces(const struct link_config *config)
{
	for (int i = 0; i < DIRECTIONS; i++)
		free(config->bottlenecks[i].trace);
}

static void set(struct control *control, const struct json *json, uint64_t now_ns, struct text *answer)
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

static void set_rate(struct control *control, const struct json *json, uint64_t now_ns, struct text *answer)
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

static void set_limit(struct control *control, const struct json *json, uint64_t now_ns, struct text *answer)
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

static void set_loss(struct control *control, const struct json *json, uint64_t now_ns, struct text *answer)
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

static void answer_request(struct control *control, const struct json *request, uint64_t now_ns, struct text *answer)
{
	if (strcmp(request->name, "set") == 0) {
		set(control, request, now_ns, answer);
	} else if (strcmp(request->name, "rate") == 0) {
		set_rate(control, request, now_ns, answer);
	} else if (strcmp(request->name, "limit") == 0) {
		set_limit(control, request, now_ns, answer);
	} else if (strcmp(request->name, "loss") == 0) {
		set_loss(control, request, now_ns, answer);
	} else if (strcmp(request->name, "start") == 0 && request->kind == JSON_TRUE) {
		link_start(control->link, now_ns);
		text_add(answer, "{\"started\":true,\"timeNs\":%llu}\n", (unsigned long long)now_ns);
	} else if (strcmp(request->name, "read") == 0 && request->kind == JSON_TRUE) {
		link_advance(control->link, now_ns);
		counters_write(control, answer);
	} else if (strcmp(request->name, "start") == 0 || strcmp(request->name, "read") == 0) {
		control_refuse(answer, request->name[0] == 's' ? "start: must be true" : "read: must be true");
	} else {
		char error[CONFIG_ERROR_MAX];

		snprintf(error, sizeof(error),
		         "%s: is not known here; requests are set, start, rate, limit, loss, read", request->name);
		control_refuse(answer, error);
	}
}

void control_answer(struct control *control, char *line, size_t length, uint64_t now_ns, struct text *answer)
{
	const struct json *json = json_parse(&control->document, line, length);
	char error[CONFIG_ERROR_MAX];

	if (!json) {
		snprintf(error, sizeof(error), "not JSON: %s, at byte %zu", control->document.error,
		         control->document.at);
		control_refuse(answer, error);
	} else if (json->kind != JSON_OBJECT || !json->first || json->first->next) {
		control_refuse(answer, "a request is an object with one field: set, start, rate, limit, loss or read");
	} else {
		answer_request(control, json->first, now_ns, answer);
	}
}
