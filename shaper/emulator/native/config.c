/* SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <math.h>
#include <string.h>
#include <json-c/json.h>
#include "config.h"
#include "config-fields.h"
#include "core/random.h"
#include "trace-file.h"

static const struct bounds ratio_bounds = { 0, 1, false, false };
static const struct bounds time_us_bounds = { 0, 60e6, false, false };
static const struct bounds rate_bounds = { 0, 100e9, false, true };
static const struct bounds scale_bounds = { 0.001, 1000, false, false };
/* 50 days: the largest time of a trace */
static const struct bounds offset_us_bounds = { 0, 4294967295e3, false, false };
/*
 * Bounds of the limit in packets: capacity of the packet buffers (POOL_PACKETS in main.c), less a reserve for
 * the delay lines.
 */
static const struct bounds limit_packets_bounds = { 1, 30000, true, false };
static const struct bounds limit_bytes_bounds = { 1, 1e9, true, false };

static bool may_us(struct reader *reader, const struct place *place, json_object *object, const char *field,
                   struct bounds bounds, uint64_t *value_ns)
{
	double us = (double)*value_ns / NS_PER_US;

	if (!may_number(reader, place, object, field, bounds, &us))
		return false;
	*value_ns = (uint64_t)llround(us * NS_PER_US);
	return true;
}

static bool may_threshold(struct reader *reader, const struct place *place, json_object *object, const char *field,
                          uint32_t *threshold)
{
	double ratio = 0;

	if (!may_number(reader, place, object, field, ratio_bounds, &ratio))
		return false;
	*threshold = random_threshold(ratio);
	return true;
}

static bool need_threshold(struct reader *reader, const struct place *place, json_object *object, const char *field,
                           uint32_t *threshold)
{
	double ratio;

	if (!need_number(reader, place, object, field, ratio_bounds, &ratio))
		return false;
	*threshold = random_threshold(ratio);
	return true;
}

static bool read_loss(struct reader *reader, const struct place *place, json_object *json, struct loss_config *loss)
{
	if (!is_object(reader, place, json,
	               FIELDS("kind", "where", "ratio", "toBadRatio", "toGoodRatio", "badLossRatio", "goodLossRatio")))
		return false;

	int kind = read_word(reader, place, json, "kind", FIELDS("independent", "gilbert-elliott"));

	if (kind < 0)
		return false;

	int where = read_word(reader, place, json, "where", FIELDS("before", "after"));

	if (where < 0)
		return false;
	loss->kind = kind == 0 ? LOSS_INDEPENDENT : LOSS_GILBERT_ELLIOTT;
	loss->where = where == 0 ? LOSS_BEFORE : LOSS_AFTER;
	if (loss->kind == LOSS_INDEPENDENT)
		return is_object(reader, place, json, FIELDS("kind", "where", "ratio"))
		       && need_threshold(reader, place, json, "ratio", &loss->good_loss);
	return is_object(reader, place, json,
	                 FIELDS("kind", "where", "toBadRatio", "toGoodRatio", "badLossRatio", "goodLossRatio"))
	       && need_threshold(reader, place, json, "toBadRatio", &loss->to_bad)
	       && need_threshold(reader, place, json, "toGoodRatio", &loss->to_good)
	       && need_threshold(reader, place, json, "badLossRatio", &loss->bad_loss)
	       && need_threshold(reader, place, json, "goodLossRatio", &loss->good_loss);
}

static bool read_address(struct reader *reader, const struct place *place, json_object *json, uint32_t *address)
{
	struct in_addr parsed;

	if (!json_object_is_type(json, json_type_string)
	    || inet_pton(AF_INET, json_object_get_string(json), &parsed) != 1)
		return refuse(reader, place, "must be an IPv4 address");
	*address = parsed.s_addr;
	return true;
}

static bool read_path(struct reader *reader, const struct place *place, json_object *json, struct path_config *path)
{
	if (!is_object(reader, place, json,
	               FIELDS("direction", "peer", "delayUs", "jitter", "loss", "reorder", "duplicateRatio")))
		return false;

	int direction = read_word(reader, place, json, "direction", FIELDS("down", "up"));
	json_object *jitter = given(json, "jitter"), *loss = given(json, "loss"), *reorder = given(json, "reorder");
	double delay_us;

	if (direction < 0 || !read_address(reader, INSIDE(place, "peer"), given(json, "peer"), &path->peer)
	    || !need_number(reader, place, json, "delayUs", time_us_bounds, &delay_us)
	    || !may_threshold(reader, place, json, "duplicateRatio", &path->duplicate))
		return false;
	path->direction = direction == 0 ? DOWN : UP;
	path->delay_ns = (uint64_t)llround(delay_us * NS_PER_US);
	if (jitter) {
		const struct place *inside = INSIDE(place, "jitter");
		double max_us;

		if (!is_object(reader, inside, jitter, FIELDS("maxUs"))
		    || !need_number(reader, inside, jitter, "maxUs", time_us_bounds, &max_us))
			return false;
		path->jitter_max_ns = (uint64_t)llround(max_us * NS_PER_US);
	}
	if (reorder) {
		const struct place *inside = INSIDE(place, "reorder");
		double reorder_us;

		if (!is_object(reader, inside, reorder, FIELDS("ratio", "delayUs"))
		    || !need_threshold(reader, inside, reorder, "ratio", &path->reorder)
		    || !need_number(reader, inside, reorder, "delayUs", time_us_bounds, &reorder_us))
			return false;
		path->reorder_delay_ns = (uint64_t)llround(reorder_us * NS_PER_US);
	}
	return !loss || read_loss(reader, INSIDE(place, "loss"), loss, &path->loss);
}

static bool read_paths(struct reader *reader, const struct place *place, json_object *json, struct link_config *config)
{
	if (!json_object_is_type(json, json_type_array))
		return refuse(reader, place, "must be an array");
	for (size_t element = 0; element < json_object_array_length(json); element++) {
		json_object *path = json_object_array_get_idx(json, element);
		const struct place *inside = &(struct place){ place, NULL, config->path_count };
		struct path_config *read = &config->paths[config->path_count];

		if (config->path_count == PATHS_MAX)
			return refuse(reader, place, "must have at most %d elements", PATHS_MAX);
		if (!read_path(reader, inside, path, read))
			return false;
		for (uint32_t i = 0; i < config->path_count; i++)
			if (config->paths[i].direction == read->direction && config->paths[i].peer == read->peer)
				return refuse(reader, inside, "has the direction and peer of paths[%u]", i);
		config->path_count++;
	}
	return true;
}

static bool read_limit(struct reader *reader, const struct place *place, json_object *object, const char *field,
                       struct bounds bounds, uint64_t *limit)
{
	double value = 0;

	if (!has_field(object, field))
		return refuse(reader, INSIDE(place, field), "must be a number or null");
	if (!may_number(reader, place, object, field, bounds, &value))
		return false;
	*limit = value == 0 ? NEVER : (uint64_t)value;
	return true;
}

static bool read_aqm(struct reader *reader, const struct place *place, json_object *json, struct queue_config *queue)
{
	const char *fields[1 + PARAMETERS_MAX + 1] = { "kind" };

	if (!json_object_is_type(json, json_type_object))
		return refuse(reader, place, "must be an object");

	int kind = read_word(reader, place, json, "kind", discipline_names);

	if (kind < 0)
		return false;
	queue->discipline = disciplines[kind];

	const struct parameter *parameters = queue->discipline->parameters;

	for (int i = 0; i < PARAMETERS_MAX; i++)
		fields[1 + i] = parameters[i].field;
	if (!is_object(reader, place, json, fields))
		return false;
	for (int i = 0; i < PARAMETERS_MAX && parameters[i].field; i++) {
		const struct parameter *parameter = &parameters[i];
		struct bounds bounds = { parameter->least, parameter->most, parameter->kind == PARAMETER_COUNT,
			                 parameter->above };
		double value = parameter->usual;

		if (!may_number(reader, place, json, parameter->field, bounds, &value))
			return false;
		queue_set_parameter(queue, parameter, value);
	}
	return true;
}

static bool read_schedule(struct reader *reader, const struct place *place, json_object *json,
                          struct bottleneck_config *bottleneck)
{
	static const struct bounds at_bounds = { 0, 1e12, false, false };
	uint64_t free_ns = 0;

	if (!json_object_is_type(json, json_type_array))
		return refuse(reader, place, "must be an array");
	for (size_t element = 0; element < json_object_array_length(json); element++) {
		json_object *step = json_object_array_get_idx(json, element);
		const struct place *inside = &(struct place){ place, NULL, bottleneck->step_count };
		double at_us = 0, ramp_us = 0, rate_bps = 0;

		if (bottleneck->step_count == RATE_STEPS_MAX)
			return refuse(reader, place, "must have at most %d elements", RATE_STEPS_MAX);
		if (!is_object(reader, inside, step, FIELDS("atUs", "rateBps", "rampUs"))
		    || !need_number(reader, inside, step, "atUs", at_bounds, &at_us)
		    || !need_number(reader, inside, step, "rateBps", rate_bounds, &rate_bps)
		    || !may_number(reader, inside, step, "rampUs", at_bounds, &ramp_us))
			return false;

		struct rate_step *read = &bottleneck->steps[bottleneck->step_count];

		*read = (struct rate_step){ .at_ns = (uint64_t)llround(at_us * NS_PER_US),
			                    .ramp_ns = (uint64_t)llround(ramp_us * NS_PER_US),
			                    .rate_bps = rate_bps };
		if (read->at_ns < free_ns)
			return refuse(reader, INSIDE(inside, "atUs"),
			              "must not be before the end of the step before it");
		free_ns = read->at_ns + read->ramp_ns;
		bottleneck->step_count++;
	}
	return true;
}

static bool read_trace(struct reader *reader, const struct place *place, json_object *json,
                       struct bottleneck_config *bottleneck)
{
	const struct place *inside = INSIDE(place, "file");
	char why[256];

	if (!is_object(reader, place, json, FIELDS("file", "scale")))
		return false;

	json_object *file = given(json, "file");

	if (!json_object_is_type(file, json_type_string))
		return refuse(reader, inside, "must be a path");
	if (bottleneck->step_count > 0)
		return refuse(reader, place, "cannot go together with a schedule");
	if (!may_number(reader, place, json, "scale", scale_bounds, &bottleneck->trace_scale))
		return false;
	bottleneck->trace = trace_file_read(json_object_get_string(file), why, sizeof(why));
	return bottleneck->trace ? true : refuse(reader, inside, "%s", why);
}

static bool read_table(struct reader *reader, const struct place *place, json_object *json,
                       struct bottleneck_config *bottleneck)
{
	const struct place *inside = INSIDE(place, "file");
	char why[256];

	if (!is_object(reader, place, json, FIELDS("file")))
		return false;

	json_object *file = given(json, "file");

	if (!json_object_is_type(file, json_type_string))
		return refuse(reader, inside, "must be a path");
	bottleneck->table = table_file_read(json_object_get_string(file), why, sizeof(why));
	if (!bottleneck->table)
		return refuse(reader, inside, "%s", why);
	if (bottleneck->table->rate_count > 0 && (bottleneck->step_count > 0 || bottleneck->trace))
		return refuse(reader, place, "cannot give rates together with a schedule or a trace");
	return true;
}

static bool read_bottleneck(struct reader *reader, const struct place *place, json_object *json,
                            struct link_config *config, enum direction direction)
{
	struct bottleneck_config *bottleneck = &config->bottlenecks[direction];
	struct queue_config *queue = &bottleneck->queue;
	json_object *ecn, *schedule, *trace, *table;

	if (!is_object(reader, place, json,
	               FIELDS("rateBps", "limitPackets", "limitBytes", "limitUs", "aqm", "ecn", "schedule", "trace",
	                      "table", "offsetUs")))
		return false;
	ecn = given(json, "ecn");
	schedule = given(json, "schedule");
	trace = given(json, "trace");
	table = given(json, "table");
	bottleneck->trace_scale = 1;
	*queue = (struct queue_config){
		.largest_bytes = PACKET_MAX + config->overhead_bytes,
		.seed = config->seed,
	};
	if (trace ? !may_number(reader, place, json, "rateBps", rate_bounds, &bottleneck->rate_bps)
	          : !need_number(reader, place, json, "rateBps", rate_bounds, &bottleneck->rate_bps))
		return false;
	if (!read_limit(reader, place, json, "limitPackets", limit_packets_bounds, &queue->limit_packets)
	    || !read_limit(reader, place, json, "limitBytes", limit_bytes_bounds, &queue->limit_bytes)
	    || !may_us(reader, place, json, "limitUs", time_us_bounds, &queue->limit_ns)
	    || !read_aqm(reader, INSIDE(place, "aqm"), given(json, "aqm"), queue))
		return false;
	if (ecn && !json_object_is_type(ecn, json_type_boolean))
		return refuse(reader, INSIDE(place, "ecn"), "must be true or false");
	queue->ecn = ecn && json_object_get_boolean(ecn);
	if (queue->discipline->ecn_refusal[queue->ecn])
		return refuse(reader, INSIDE(place, "ecn"), "%s", queue->discipline->ecn_refusal[queue->ecn]);
	return may_us(reader, place, json, "offsetUs", offset_us_bounds, &bottleneck->offset_ns)
	       && (!schedule || read_schedule(reader, INSIDE(place, "schedule"), schedule, bottleneck))
	       && (!trace || read_trace(reader, INSIDE(place, "trace"), trace, bottleneck))
	       && (!table || read_table(reader, INSIDE(place, "table"), table, bottleneck));
}

bool config_read(json_object *json, struct link_config *config, char error[CONFIG_ERROR_MAX])
{
	struct reader reader = { error };
	const struct place *place = INSIDE(NULL, "set");
	double seed, overhead;

	*config = (struct link_config){};
	if (!is_object(&reader, place, json, FIELDS("seed", "overheadBytes", "paths", "bottleneck", "up"))
	    || !need_number(&reader, place, json, "seed", (struct bounds){ 0, 9007199254740991, true, false }, &seed)
	    || !need_number(&reader, place, json, "overheadBytes", (struct bounds){ 0, 256, true, false }, &overhead))
		return false;
	config->seed = (uint64_t)seed;
	config->overhead_bytes = (uint32_t)overhead;
	if (!read_paths(&reader, INSIDE(place, "paths"), given(json, "paths"), config))
		return false;
	if (!has_field(json, "bottleneck"))
		return refuse(&reader, INSIDE(place, "bottleneck"), "must be an object or null");
	for (int i = 0; i < DIRECTIONS; i++) {
		const char *name = i == DOWN ? "bottleneck" : "up";

		config->has_bottleneck[i] = given(json, name);
		if (config->has_bottleneck[i]
		    && !read_bottleneck(&reader, INSIDE(place, name), given(json, name), config, (enum direction)i))
			return false;
	}
	return true;
}

/* Reads the optional direction; "down" if it is missing. False: refused. */
static bool may_direction(struct reader *reader, const struct place *place, json_object *json,
                          enum direction *direction)
{
	int word = given(json, "direction") ? read_word(reader, place, json, "direction", FIELDS("down", "up")) : DOWN;

	*direction = word == UP ? UP : DOWN;
	return word >= 0;
}

bool config_read_rate(json_object *json, enum direction *direction, double *rate_bps, char error[CONFIG_ERROR_MAX])
{
	struct reader reader = { error };
	const struct place *place = INSIDE(NULL, "rate");

	return is_object(&reader, place, json, FIELDS("rateBps", "direction"))
	       && may_direction(&reader, place, json, direction)
	       && need_number(&reader, place, json, "rateBps", rate_bounds, rate_bps);
}

bool config_read_limit(json_object *json, enum direction *direction, uint64_t *limit_packets, uint64_t *limit_bytes,
                       uint64_t *limit_ns, char error[CONFIG_ERROR_MAX])
{
	struct reader reader = { error };
	const struct place *place = INSIDE(NULL, "limit");

	return is_object(&reader, place, json, FIELDS("limitPackets", "limitBytes", "limitUs", "direction"))
	       && may_direction(&reader, place, json, direction)
	       && read_limit(&reader, place, json, "limitPackets", limit_packets_bounds, limit_packets)
	       && read_limit(&reader, place, json, "limitBytes", limit_bytes_bounds, limit_bytes)
	       && may_us(&reader, place, json, "limitUs", time_us_bounds, limit_ns);
}

bool config_read_loss(json_object *json, struct loss_config *loss, char error[CONFIG_ERROR_MAX])
{
	struct reader reader = { error };

	*loss = (struct loss_config){};
	return !json || read_loss(&reader, INSIDE(NULL, "loss"), json, loss);
}
