/* SPDX-License-Identifier: MIT */
/* Readers of single fields. A field of the wrong type or range is refused with the name of its place. */
#ifndef COEXIST_LINK_CONFIG_FIELDS_H
#define COEXIST_LINK_CONFIG_FIELDS_H

#include "config.h"

/* Place of a value in the configuration. */
struct place {
	const struct place *outer;
	const char *name; /* NULL: element of an array */
	uint32_t index;
};

struct reader {
	char *error;
};

/* Bounds of a number. */
struct bounds {
	double least, most;
	bool whole, above; /* more than `least` */
};

#define INSIDE(outer_place, field) (&(struct place){ (outer_place), (field), 0 })
#define FIELDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Writes "PLACE: ..." and returns false. */
__attribute__((format(printf, 3, 4))) bool refuse(struct reader *reader, const struct place *place, const char *format,
                                                  ...);

/* True for an object whose fields are all in the list, which ends with NULL. */
bool is_object(struct reader *reader, const struct place *place, json_object *json, const char *const *fields);

/* True if a field exists, even if null. */
bool has_field(json_object *object, const char *field);

/* Returns an optional field; NULL if missing or null. */
json_object *given(json_object *object, const char *field);

bool need_number(struct reader *reader, const struct place *place, json_object *object, const char *field,
                 struct bounds bounds, double *value);

/* Reads an optional field; the value is unchanged if it is missing. */
bool may_number(struct reader *reader, const struct place *place, json_object *object, const char *field,
                struct bounds bounds, double *value);

/* Returns the index of the field's word in the list; -1 if refused. */
int read_word(struct reader *reader, const struct place *place, json_object *object, const char *field,
              const char *const *words);

#endif
