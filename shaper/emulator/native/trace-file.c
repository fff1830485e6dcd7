/* SPDX-License-Identifier: MIT */
/* Reads a trace or a table from a file. Only regular files are accepted, because reading another kind could block for ever. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "trace-file.h"

/* Returns the bytes of an open file, to be freed with free(). NULL: `error` has the reason. */
static unsigned char *read_open(int file, off_t most, size_t *length, char *error, size_t room)
{
	struct stat stat;

	if (fstat(file, &stat) != 0 || !S_ISREG(stat.st_mode)) {
		snprintf(error, room, "is not a regular file");
		return NULL;
	}
	if (stat.st_size > most) {
		snprintf(error, room, "is larger than %d MiB", (int)(most >> 20));
		return NULL;
	}

	size_t size = (size_t)stat.st_size;
	unsigned char *bytes = malloc(size + 1);

	if (!bytes) {
		snprintf(error, room, "is too long for this machine's memory");
		return NULL;
	}
	*length = 0;
	while (*length < size) {
		ssize_t count = read(file, bytes + *length, size - *length);

		if (count <= 0)
			break;
		*length += (size_t)count;
	}
	return bytes;
}

static unsigned char *read_file(const char *path, off_t most, size_t *length, char *error, size_t room)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (file < 0) {
		snprintf(error, room, "%s", strerror(errno));
		return NULL;
	}

	unsigned char *bytes = read_open(file, most, length, error, room);

	close(file);
	return bytes;
}

struct trace *trace_file_read(const char *path, char *error, size_t room)
{
	size_t length;
	unsigned char *bytes = read_file(path, TRACE_FILE_MAX, &length, error, room);
	struct trace *trace = bytes ? trace_read(bytes, length, error, room) : NULL;

	free(bytes);
	return trace;
}

struct table *table_file_read(const char *path, char *error, size_t room)
{
	size_t length;
	unsigned char *bytes = read_file(path, TABLE_FILE_MAX, &length, error, room);
	struct table *table = bytes ? table_read(bytes, length, error, room) : NULL;

	free(bytes);
	return table;
}
