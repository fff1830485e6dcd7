/* SPDX-License-Identifier: MIT */
/*
 * A small, strict parser of JSON (RFC 8259) for the control line. Own code, because Debian and Ubuntu have three
 * JSON libraries for C and install none of them by default; what is needed here is a page long.
 *
 * Stricter than the RFC: a name may stand only once in an object, numbers must be finite, strings must be UTF-8 and
 * hold no NUL, nesting and size are limited. Nothing is allocated; strings are decoded in place.
 */
#ifndef COEXIST_LINK_JSON_H
#define COEXIST_LINK_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_DEPTH_MAX = 16, JSON_VALUES_MAX = 16384, JSON_NUMBER_MAX = 40 };

enum json_kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
	enum json_kind kind;
	const char *name; /* in an object */
	const char *text; /* of a string */
	double number;
	struct json *first, *next; /* of an array or object; beside it */
};

struct json_document {
	const char *error; /* one phrase, when there is one */
	size_t at;         /* byte at which it was seen */
	uint32_t count;
	struct json values[JSON_VALUES_MAX];
};

/* Parses a whole text, of which `text[length]` is a NUL. NULL: `error` says why. The text is overwritten and must stay.
 */
const struct json *json_parse(struct json_document *document, char *text, size_t length);

/* NULL: there is none of that name. */
const struct json *json_member(const struct json *object, const char *name);

#endif
