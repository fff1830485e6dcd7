/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
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

bool is_object(struct reader *reader, const struct place *place, const struct json *json, const char *const *fields)
{
	if (json->kind != JSON_OBJECT)
		return refuse(reader, place, "must be an object");
	for (const struct json *member = json->first; member; member = member->next) {
		const char *const *field = fields;

		while (*field && strcmp(*field, member->name) != 0)
			field++;
		if (!*field)
			return refuse(reader, INSIDE(place, member->name), "is not known here");
	}
	return true;
}

const struct json *given(const struct json *object, const char *field)
{
	const struct json *json = json_member(object, field);

	return json && json->kind != JSON_NULL ? json : NULL;
}

static bool read_number(struct reader *reader, const struct place *place, const struct json *json, struct bounds bounds,
                        double *value)
{
	if (!json || json->kind != JSON_NUMBER)
		return refuse(reader, place, "must be a number");
	if (bounds.whole && json->number != floor(json->number))
		return refuse(reader, place, "must be a whole number");
	if (json->number < bounds.least || (bounds.above && json->number == bounds.least))
		return refuse(reader, place, "must be %s %.15g", bounds.above ? "more than" : "at least", bounds.least);
	if (json->number > bounds.most)
		return refuse(reader, place, "must be at most %.15g", bounds.most);
	*value = json->number;
	return true;
}

bool need_number(struct reader *reader, const struct place *place, const struct json *object, const char *field,
                 struct bounds bounds, double *value)
{
	return read_number(reader, INSIDE(place, field), json_member(object, field), bounds, value);
}

bool may_number(struct reader *reader, const struct place *place, const struct json *object, const char *field,
                struct bounds bounds, double *value)
{
	const struct json *json = given(object, field);

	return !json || read_number(reader, INSIDE(place, field), json, bounds, value);
}

int read_word(struct reader *reader, const struct place *place, const struct json *object, const char *field,
              const char *const *words)
{
	const struct json *json = json_member(object, field);
	char list[128] = "";

	for (int i = 0; words[i]; i++) {
		if (json && json->kind == JSON_STRING && strcmp(json->text, words[i]) == 0)
			return i;
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s\"%s\"", i == 0 ? "" : ", ", words[i]);
	}
	refuse(reader, INSIDE(place, field), "must be one of %s", list);
	return -1;
}
