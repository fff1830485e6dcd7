/* SPDX-License-Identifier: MIT */
/* Growing text for the answers that wait to be written. Not used per packet. */
#ifndef COEXIST_LINK_TEXT_H
#define COEXIST_LINK_TEXT_H

#include <stddef.h>

struct text {
	char *bytes;
	size_t length, room;
};

/* Ends the program without memory, since it could not answer. */
__attribute__((format(printf, 2, 3))) void text_add(struct text *text, const char *format, ...);

/* Appends a JSON string. Non-ASCII characters become "?"; they can only come from a refused name. */
void text_add_string(struct text *text, const char *string);

/* Removes `length` bytes from the start. */
void text_remove(struct text *text, size_t length);

#endif
