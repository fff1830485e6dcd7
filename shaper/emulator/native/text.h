/* SPDX-License-Identifier: MIT */
/* Growing text for the answers that wait to be written. It is not used for single packets. */
#ifndef COEXIST_LINK_TEXT_H
#define COEXIST_LINK_TEXT_H

#include <stddef.h>

struct text {
	char *bytes;
	size_t length, room;
};

/* Appends a formatted text. If there is no memory, the program ends, since it cannot answer. */
__attribute__((format(printf, 2, 3))) void text_add(struct text *text, const char *format, ...);

/* Appends a JSON string. Characters that are not ASCII become "?"; they occur only in a refused name. */
void text_add_string(struct text *text, const char *string);

/* Removes `length` bytes from the start. */
void text_remove(struct text *text, size_t length);

#endif
