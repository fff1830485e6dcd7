/* SPDX-License-Identifier: MIT */
/* How a program that runs beside another one is told to end: SIGTERM, SIGINT, or the end of its stdin. */
#ifndef COEXIST_BBR3_STOP_H
#define COEXIST_BBR3_STOP_H

#include <stdbool.h>

/* From now on signals wait for `is_stopped`, and a reader that is gone shows in the result of a write alone. */
void keep_stop_signals(void);

/* Waits for so many ms at most, or with -1 for as long as it takes. What is said on stdin is ignored. */
bool is_stopped(int wait_ms);

#endif
