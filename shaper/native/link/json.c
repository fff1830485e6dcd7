/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "json.h"

struct cursor {
	struct json_document *document;
	char *start, *at, *end;
};

static bool refuse(struct cursor *cursor, const char *why)
{
	if (!cursor->document->error) {
		cursor->document->error = why;
		cursor->document->at = (size_t)(cursor->at - cursor->start);
	}
	return false;
}

static void skip_space(struct cursor *cursor)
{
	while (cursor->at < cursor->end && strchr(" \t\r\n", *cursor->at) && *cursor->at)
		cursor->at++;
}

static bool is_next(const struct cursor *cursor, char c)
{
	return cursor->at < cursor->end && *cursor->at == c;
}

static bool is_digit(const struct cursor *cursor)
{
	return cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9';
}

static struct json *add(struct cursor *cursor, enum json_kind kind)
{
	struct json_document *document = cursor->document;

	if (document->count == JSON_VALUES_MAX) {
		refuse(cursor, "too many values");
		return NULL;
	}

	struct json *value = &document->values[document->count++];

	*value = (struct json){ .kind = kind };
	return value;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The four digits of \uXXXX; -1: they are none. */
static int32_t unit(struct cursor *cursor)
{
	int32_t value = 0;

	if (cursor->end - cursor->at < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int digit = hex_digit(*cursor->at++);

		if (digit < 0)
			return -1;
		value = value << 4 | digit;
	}
	return value;
}

static char *write_utf8(char *out, uint32_t code)
{
	if (code < 0x80) {
		*out++ = (char)code;
	} else if (code < 0x800) {
		*out++ = (char)(0xc0 | code >> 6);
		*out++ = (char)(0x80 | (code & 0x3f));
	} else if (code < 0x10000) {
		*out++ = (char)(0xe0 | code >> 12);
		*out++ = (char)(0x80 | (code >> 6 & 0x3f));
		*out++ = (char)(0x80 | (code & 0x3f));
	} else {
		*out++ = (char)(0xf0 | code >> 18);
		*out++ = (char)(0x80 | (code >> 12 & 0x3f));
		*out++ = (char)(0x80 | (code >> 6 & 0x3f));
		*out++ = (char)(0x80 | (code & 0x3f));
	}
	return out;
}

/* After a backslash. What is written is never longer than what was read. */
static char *escape(struct cursor *cursor, char *out)
{
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	char letter = cursor->at < cursor->end ? *cursor->at++ : '\0';
	const char *found = letter ? strchr(letters, letter) : NULL;

	if (found) {
		*out++ = meanings[found - letters];
		return out;
	}
	if (letter != 'u')
		return NULL;

	int32_t code = unit(cursor);

	if (code >= 0xd800 && code < 0xdc00) {
		if (cursor->end - cursor->at < 2 || cursor->at[0] != '\\' || cursor->at[1] != 'u')
			return NULL;
		cursor->at += 2;

		int32_t low = unit(cursor);

		if (low < 0xdc00 || low > 0xdfff)
			return NULL;
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	}
	if (code <= 0 || (code >= 0xdc00 && code <= 0xdfff))
		return NULL;
	return write_utf8(out, (uint32_t)code);
}

/* Bytes of the UTF-8 sequence (RFC 3629 section 4) at the cursor; 0: it is none. */
static size_t utf8_length(const struct cursor *cursor)
{
	const unsigned char *s = (const unsigned char *)cursor->at;
	size_t left = (size_t)(cursor->end - cursor->at);
	size_t length = s[0] < 0x80                   ? 1
	                : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
	                : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
	                : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
	                                              : 0;

	if (length == 0 || length > left)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90)
	    || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return length;
}

static const char *parse_string(struct cursor *cursor)
{
	if (!is_next(cursor, '"')) {
		refuse(cursor, "a string was expected");
		return NULL;
	}

	char *text = ++cursor->at, *out = text;

	while (cursor->at < cursor->end) {
		unsigned char c = (unsigned char)*cursor->at;

		if (c == '"') {
			cursor->at++;
			*out = '\0';
			return text;
		}
		if (c < 0x20) {
			refuse(cursor, "a control character in a string");
			return NULL;
		}
		if (c == '\\') {
			cursor->at++;
			out = escape(cursor, out);
			if (!out) {
				refuse(cursor, "not a valid escape");
				return NULL;
			}
			continue;
		}

		size_t length = utf8_length(cursor);

		if (length == 0) {
			refuse(cursor, "not UTF-8");
			return NULL;
		}
		memmove(out, cursor->at, length);
		out += length;
		cursor->at += length;
	}
	refuse(cursor, "a string without end");
	return NULL;
}

static bool parse_number(struct cursor *cursor, struct json *value)
{
	const char *start = cursor->at;
	char copy[JSON_NUMBER_MAX + 1];

	if (is_next(cursor, '-'))
		cursor->at++;
	if (!is_digit(cursor))
		return refuse(cursor, "a value was expected");
	if (is_next(cursor, '0'))
		cursor->at++;
	else
		while (is_digit(cursor))
			cursor->at++;
	if (is_next(cursor, '.')) {
		cursor->at++;
		if (!is_digit(cursor))
			return refuse(cursor, "a digit was expected");
		while (is_digit(cursor))
			cursor->at++;
	}
	if (is_next(cursor, 'e') || is_next(cursor, 'E')) {
		cursor->at++;
		if (is_next(cursor, '+') || is_next(cursor, '-'))
			cursor->at++;
		if (!is_digit(cursor))
			return refuse(cursor, "a digit was expected");
		while (is_digit(cursor))
			cursor->at++;
	}

	size_t length = (size_t)(cursor->at - start);

	if (length > JSON_NUMBER_MAX)
		return refuse(cursor, "a number with too many digits");
	memcpy(copy, start, length);
	copy[length] = '\0';
	value->number = strtod(copy, NULL);
	return isfinite(value->number) ? true : refuse(cursor, "a number that is too large");
}

static struct json *parse_value(struct cursor *cursor, unsigned int depth);

/* What stands between the brackets of an array or object. */
static bool parse_members(struct cursor *cursor, struct json *parent, unsigned int depth)
{
	char close = parent->kind == JSON_ARRAY ? ']' : '}';
	struct json **link = &parent->first;

	if (depth == JSON_DEPTH_MAX)
		return refuse(cursor, "nested too deeply");
	cursor->at++;
	skip_space(cursor);
	if (is_next(cursor, close)) {
		cursor->at++;
		return true;
	}
	for (;;) {
		const char *name = NULL;

		skip_space(cursor);
		if (parent->kind == JSON_OBJECT) {
			name = parse_string(cursor);
			if (!name)
				return false;
			if (json_member(parent, name))
				return refuse(cursor, "the same name twice in an object");
			skip_space(cursor);
			if (!is_next(cursor, ':'))
				return refuse(cursor, "\":\" was expected");
			cursor->at++;
		}
		*link = parse_value(cursor, depth + 1);
		if (!*link)
			return false;
		(*link)->name = name;
		link = &(*link)->next;
		skip_space(cursor);
		if (is_next(cursor, close)) {
			cursor->at++;
			return true;
		}
		if (!is_next(cursor, ','))
			return refuse(cursor, parent->kind == JSON_ARRAY ? "\",\" or \"]\" was expected"
			                                                 : "\",\" or \"}\" was expected");
		cursor->at++;
	}
}

static bool parse_word(struct cursor *cursor, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length) != 0)
		return false;
	cursor->at += length;
	return true;
}

static struct json *parse_value(struct cursor *cursor, unsigned int depth)
{
	skip_space(cursor);

	struct json *value = add(cursor, JSON_NULL);

	if (!value)
		return NULL;
	if (is_next(cursor, '{') || is_next(cursor, '[')) {
		value->kind = is_next(cursor, '{') ? JSON_OBJECT : JSON_ARRAY;
		return parse_members(cursor, value, depth) ? value : NULL;
	}
	if (is_next(cursor, '"')) {
		value->kind = JSON_STRING;
		value->text = parse_string(cursor);
		return value->text ? value : NULL;
	}
	if (parse_word(cursor, "null"))
		return value;
	if (parse_word(cursor, "true") || parse_word(cursor, "false")) {
		value->kind = cursor->at[-2] == 'u' ? JSON_TRUE : JSON_FALSE;
		return value;
	}
	value->kind = JSON_NUMBER;
	return parse_number(cursor, value) ? value : NULL;
}

const struct json *json_parse(struct json_document *document, char *text, size_t length)
{
	struct cursor cursor = { .document = document, .start = text, .at = text, .end = text + length };

	document->error = NULL;
	document->count = 0;

	const struct json *value = parse_value(&cursor, 0);

	if (!value)
		return NULL;
	skip_space(&cursor);
	if (cursor.at == cursor.end)
		return value;
	refuse(&cursor, "something stands after the value");
	return NULL;
}

const struct json *json_member(const struct json *object, const char *name)
{
	const struct json *member = object->first;

	while (member && strcmp(member->name, name) != 0)
		member = member->next;
	return member;
}
