/* SPDX-License-Identifier: MIT */
/* End of a background program: by SIGTERM, SIGINT, or the end of its stdin. */
#ifndef COEXIST_BBR3_STOP_H
#define COEXIST_BBR3_STOP_H

#include <stdbool.h>

/* From now on signals wait for `is_stopped`, and a closed reader appears only as the error of a write. */
void keep_stop_signals(void);

/*
 * Waits at most `wait_ms` milliseconds, or with -1 without limit. True if the program must end. Input on stdin is
 * ignored.
 */
bool is_stopped(int wait_ms);

#endif
