/* SPDX-License-Identifier: MIT */
/* Reads a trace from a file. Only regular files are accepted, because reading another kind could block for ever. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "trace-file.h"

static struct trace *read_open(int file, char *error, size_t room)
{
	struct stat stat;

	if (fstat(file, &stat) != 0 || !S_ISREG(stat.st_mode)) {
		snprintf(error, room, "is not a regular file");
		return NULL;
	}
	if (stat.st_size > TRACE_FILE_MAX) {
		snprintf(error, room, "is larger than %d MiB", TRACE_FILE_MAX >> 20);
		return NULL;
	}

	size_t size = (size_t)stat.st_size, length = 0;
	unsigned char *bytes = malloc(size + 1);

	if (!bytes) {
		snprintf(error, room, "is too long for this machine's memory");
		return NULL;
	}
	while (length < size) {
		ssize_t count = read(file, bytes + length, size - length);

		if (count <= 0)
			break;
		length += (size_t)count;
	}

	struct trace *trace = trace_read(bytes, length, error, room);

	free(bytes);
	return trace;
}

struct trace *trace_file_read(const char *path, char *error, size_t room)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (file < 0) {
		snprintf(error, room, "%s", strerror(errno));
		return NULL;
	}

	struct trace *trace = read_open(file, error, room);

	close(file);
	return trace;
}
