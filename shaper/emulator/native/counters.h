/* SPDX-License-Identifier: MIT */
#ifndef COEXIST_LINK_COUNTERS_H
#define COEXIST_LINK_COUNTERS_H

#include "control.h"

/* Appends {"counters":...} and the end of the line. */
void counters_write(const struct control *control, struct text *answer);

/* Processor time of this process. */
double counters_cpu_ms(void);

#endif
