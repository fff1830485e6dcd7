/* SPDX-License-Identifier: MIT */
/* End of a background program: by SIGTERM, SIGINT, or the end of its stdin. */
#ifndef COEXIST_BBR3_STOP_H
#define COEXIST_BBR3_STOP_H

#include <stdbool.h>

/*
 * Keeps signals pending until `is_stopped`, and makes a closed reader of the output appear only as the error of
 * a write.
 */
void keep_stop_signals(void);

/*
 * Waits at most `wait_ms` milliseconds; -1 means without limit. Returns true if the program must end. Input on
 * stdin is ignored.
 */
bool is_stopped(int wait_ms);

#endif
