/* SPDX-License-Identifier: MIT */
/* Readers of single fields. If a field has the wrong type or range, the error names its place. */
#ifndef COEXIST_LINK_CONFIG_FIELDS_H
#define COEXIST_LINK_CONFIG_FIELDS_H

#include "config.h"

/* Place of a value in the configuration, for error messages. */
struct place {
	const struct place *outer;
	const char *name; /* NULL: the value is an element of an array */
	uint32_t index;
};

struct reader {
	char *error;
};

/* Bounds of a number. */
struct bounds {
	double least, most;
	bool whole, above; /* `above`: the number must be more than `least`, not equal */
};

#define INSIDE(outer_place, field) (&(struct place){ (outer_place), (field), 0 })
#define FIELDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Writes the error "PLACE: ..." and returns false. */
__attribute__((format(printf, 3, 4))) bool refuse(struct reader *reader, const struct place *place, const char *format,
                                                  ...);

/* Returns true if `json` is an object and all its fields are in the list `fields`, which ends with NULL. */
bool is_object(struct reader *reader, const struct place *place, json_object *json, const char *const *fields);

/* Returns true if the object has the field, even with the value null. */
bool has_field(json_object *object, const char *field);

/* Returns an optional field; NULL if it is missing or null. */
json_object *given(json_object *object, const char *field);

bool need_number(struct reader *reader, const struct place *place, json_object *object, const char *field,
                 struct bounds bounds, double *value);

/* Reads an optional number. If the field is missing, the value is unchanged. False: refused. */
bool may_number(struct reader *reader, const struct place *place, json_object *object, const char *field,
                struct bounds bounds, double *value);

/* Returns the index in the list of the word in a field; -1 if refused. */
int read_word(struct reader *reader, const struct place *place, json_object *object, const char *field,
              const char *const *words);

#endif
