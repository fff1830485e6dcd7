/* SPDX-License-Identifier: MIT */
/* Text that grows: the answers that wait to be written. Never used per packet. */
#ifndef COEXIST_LINK_TEXT_H
#define COEXIST_LINK_TEXT_H

#include <stddef.h>

struct text {
	char *bytes;
	size_t length, room;
};

/* Without memory the program ends: it cannot answer any more. */
__attribute__((format(printf, 2, 3))) void text_add(struct text *text, const char *format, ...);

/* As a JSON string. What is not ASCII becomes "?": it can only come from a name that is refused. */
void text_add_string(struct text *text, const char *string);

/* Removes so many bytes from the beginning. */
void text_remove(struct text *text, size_t length);

#endif
