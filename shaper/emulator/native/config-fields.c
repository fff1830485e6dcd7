/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <json-c/json.h>
#include "config-fields.h"

static size_t print_place(char *out, size_t room, const struct place *place)
{
	size_t length = place->outer ? print_place(out, room, place->outer) : 0;
	int more;

	if (length >= room)
		return room;
	if (place->name)
		more = snprintf(out + length, room - length, "%s%s", place->outer ? "." : "", place->name);
	else
		more = snprintf(out + length, room - length, "[%u]", place->index);
	return length + (size_t)more < room ? length + (size_t)more : room;
}

bool refuse(struct reader *reader, const struct place *place, const char *format, ...)
{
	size_t length = print_place(reader->error, CONFIG_ERROR_MAX, place);
	va_list arguments;

	if (length < CONFIG_ERROR_MAX)
		length += (size_t)snprintf(reader->error + length, CONFIG_ERROR_MAX - length, ": ");
	va_start(arguments, format);
	if (length < CONFIG_ERROR_MAX)
		vsnprintf(reader->error + length, CONFIG_ERROR_MAX - length, format, arguments);
	va_end(arguments);
	return false;
}

bool is_object(struct reader *reader, const struct place *place, json_object *json, const char *const *fields)
{
	if (!json_object_is_type(json, json_type_object))
		return refuse(reader, place, "must be an object");
	json_object_object_foreach(json, name, value)
	{
		const char *const *field = fields;

		(void)value;
		while (*field && strcmp(*field, name) != 0)
			field++;
		if (!*field)
			return refuse(reader, INSIDE(place, name), "is not known here");
	}
	return true;
}

bool has_field(json_object *object, const char *field)
{
	return json_object_object_get_ex(object, field, NULL);
}

json_object *given(json_object *object, const char *field)
{
	json_object *value = NULL;

	json_object_object_get_ex(object, field, &value);
	return value;
}

static bool read_number(struct reader *reader, const struct place *place, json_object *json, struct bounds bounds,
                        double *value)
{
	double number = json_object_get_double(json);

	/* json-c accepts NaN and Infinity as numbers, which are not JSON */
	if ((!json_object_is_type(json, json_type_int) && !json_object_is_type(json, json_type_double))
	    || !isfinite(number))
		return refuse(reader, place, "must be a number");
	if (bounds.whole && number != floor(number))
		return refuse(reader, place, "must be a whole number");
	if (number < bounds.least || (bounds.above && number == bounds.least))
		return refuse(reader, place, "must be %s %.15g", bounds.above ? "more than" : "at least", bounds.least);
	if (number > bounds.most)
		return refuse(reader, place, "must be at most %.15g", bounds.most);
	*value = number;
	return true;
}

bool need_number(struct reader *reader, const struct place *place, json_object *object, const char *field,
                 struct bounds bounds, double *value)
{
	return read_number(reader, INSIDE(place, field), given(object, field), bounds, value);
}

bool may_number(struct reader *reader, const struct place *place, json_object *object, const char *field,
                struct bounds bounds, double *value)
{
	json_object *json = given(object, field);

	return !json || read_number(reader, INSIDE(place, field), json, bounds, value);
}

int read_word(struct reader *reader, const struct place *place, json_object *object, const char *field,
              const char *const *words)
{
	json_object *json = given(object, field);
	const char *word = json_object_is_type(json, json_type_string) ? json_object_get_string(json) : NULL;
	char list[CONFIG_ERROR_MAX] = "";

	for (int i = 0; words[i]; i++) {
		if (word && strcmp(word, words[i]) == 0)
			return i;
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s\"%s\"", i == 0 ? "" : ", ", words[i]);
	}
	refuse(reader, INSIDE(place, field), "must be one of %s", list);
	return -1;
}
