/* SPDX-License-Identifier: MIT */
#ifndef COEXIST_LINK_TRACE_FILE_H
#define COEXIST_LINK_TRACE_FILE_H

#include "core/table.h"
#include "core/trace.h"

/* The rows of a table have 64 bytes in its three lists together, its header has 32. */
enum { TRACE_FILE_MAX = (TRACE_OPPORTUNITIES_MAX << 2) + 8, TABLE_FILE_MAX = (TABLE_ROWS_MAX << 6) + 32 };

/*
 * Reads a trace, which the caller frees with free(). NULL: `error` has the reason, without the name of the
 * file.
 */
struct trace *trace_file_read(const char *path, char *error, size_t room);

/* Reads a table, which the caller frees with table_free(). NULL: as above. */
struct table *table_file_read(const char *path, char *error, size_t room);

#endif
