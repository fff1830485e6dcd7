/* SPDX-License-Identifier: MIT */
#ifndef COEXIST_LINK_COUNTERS_H
#define COEXIST_LINK_COUNTERS_H

#include "control.h"

/* Appends {"counters":...} and the end of the line to `answer`. */
void counters_write(const struct control *control, struct text *answer);

/* Returns the processor time of this process, ms. */
double counters_cpu_ms(void);

#endif
