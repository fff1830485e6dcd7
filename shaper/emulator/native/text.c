/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "text.h"

static void make_room(struct text *text, size_t more)
{
	size_t room = text->room ? text->room : 4096;

	while (room - text->length < more)
		room *= 2;
	if (room == text->room)
		return;

	char *bytes = realloc(text->bytes, room);

	text->room = room;
	if (bytes) {
		text->bytes = bytes;
		return;
	}
	fprintf(stderr, "coexist-link: no memory for an answer\n");
	exit(2);
}

void text_add(struct text *text, const char *format, ...)
{
	va_list arguments;

	make_room(text, 512);
	for (;;) {
		size_t left = text->room - text->length;

		va_start(arguments, format);

		size_t length = (size_t)vsnprintf(text->bytes + text->length, left, format, arguments);

		va_end(arguments);
		if (length < left) {
			text->length += length;
			return;
		}
		make_room(text, length + 1);
	}
}

void text_add_string(struct text *text, const char *string)
{
	text_add(text, "\"");
	for (const char *c = string; *c; c++) {
		if (*c == '"' || *c == '\\')
			text_add(text, "\\%c", *c);
		else
			text_add(text, "%c", *c >= ' ' && *c < 127 ? *c : '?');
	}
	text_add(text, "\"");
}

void text_remove(struct text *text, size_t length)
{
	text->length -= length;
	if (text->length > 0)
		memmove(text->bytes, text->bytes + length, text->length);
}
