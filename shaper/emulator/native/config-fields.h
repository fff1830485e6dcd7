/* SPDX-License-Identifier: MIT */
/* Reading of single fields: each is what it must be, or is refused with the name of its place. */
#ifndef COEXIST_LINK_CONFIG_FIELDS_H
#define COEXIST_LINK_CONFIG_FIELDS_H

#include "config.h"

/* Where in the configuration a value stands. */
struct place {
	const struct place *outer;
	const char *name; /* NULL: an element of an array */
	uint32_t index;
};

struct reader {
	char *error;
};

/* What a number must be. */
struct bounds {
	double least, most;
	bool whole, above; /* more than `least` */
};

#define INSIDE(outer_place, field) (&(struct place){ (outer_place), (field), 0 })
#define FIELDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Writes "PLACE: ..." and is false. */
__attribute__((format(printf, 3, 4))) bool refuse(struct reader *reader, const struct place *place, const char *format,
                                                  ...);

/* An object that has no other fields than these; the list ends with NULL. */
bool is_object(struct reader *reader, const struct place *place, json_object *json, const char *const *fields);

/* Whether a field is there, null included. */
bool has_field(json_object *object, const char *field);

/* An optional field; one that is null is one that is not there. */
json_object *given(json_object *object, const char *field);

bool need_number(struct reader *reader, const struct place *place, json_object *object, const char *field,
                 struct bounds bounds, double *value);

/* A field that keeps its value where it is not given. */
bool may_number(struct reader *reader, const struct place *place, json_object *object, const char *field,
                struct bounds bounds, double *value);

/* One of some words, by its index; -1: refused. */
int read_word(struct reader *reader, const struct place *place, json_object *object, const char *field,
              const char *const *words);

#endif
