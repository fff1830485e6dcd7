/* SPDX-License-Identifier: MIT */
#ifndef COEXIST_LINK_TRACE_FILE_H
#define COEXIST_LINK_TRACE_FILE_H

#include "core/trace.h"

enum { TRACE_FILE_MAX = (TRACE_OPPORTUNITIES_MAX << 2) + 8 };

/*
 * Reads a trace, which the caller frees with free(). NULL: `error` has the reason, without the name of the
 * file.
 */
struct trace *trace_file_read(const char *path, char *error, size_t room);

#endif
