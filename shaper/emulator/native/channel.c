/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "channel.h"
#include "clock.h"

void channel_write(struct channel *channel)
{
	while (channel->out.length > 0) {
		ssize_t count = write(STDOUT_FILENO, channel->out.bytes, channel->out.length);

		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0 && errno != EAGAIN)
			channel->out.length = 0; /* the reader of the answers no longer exists */
		if (count <= 0)
			return;
		text_remove(&channel->out, (size_t)count);
	}
}

static void answer_lines(struct channel *channel)
{
	char *start = channel->line, *end = channel->line + channel->length, *newline;

	while ((newline = memchr(start, '\n', (size_t)(end - start)))) {
		*newline = '\0';
		if (channel->skipping)
			channel->skipping = false;
		else if (newline != start)
			control_answer(channel->control, start, (size_t)(newline - start), clock_now_ns(),
			               &channel->out);
		start = newline + 1;
	}
	channel->length = (size_t)(end - start);
	memmove(channel->line, start, channel->length);
	if (channel->skipping) {
		channel->length = 0;
	} else if (channel->length == CHANNEL_LINE_MAX) {
		control_refuse(&channel->out, "a line of more than 1 MiB");
		channel->skipping = true;
		channel->length = 0;
	}
}

void channel_read(struct channel *channel)
{
	ssize_t count = read(STDIN_FILENO, channel->line + channel->length, CHANNEL_LINE_MAX - channel->length);

	if (count < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (count <= 0) {
		channel->closed = true;
		return;
	}
	channel->length += (size_t)count;
	answer_lines(channel);
	channel_write(channel);
}
