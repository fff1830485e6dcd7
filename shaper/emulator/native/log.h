/* SPDX-License-Identifier: MIT */
/*
 * The queue log: records go through a ring without locks to a thread that writes them. The forwarding thread never
 * waits: a record that finds the ring full is lost and counted. The thread runs at normal priority and wakes every 10
 * ms.
 */
#ifndef COEXIST_LINK_LOG_H
#define COEXIST_LINK_LOG_H

#include <pthread.h>
#include <stdatomic.h>
#include "../../native/queue-log.h"
#include "core/link.h"

enum { LOG_RING = 1 << 16 };

struct log {
	int file; /* -1: no log */
	pthread_t thread;
	atomic_bool stopping;
	atomic_uint_fast64_t written, read; /* records put into the ring, and taken out */
	atomic_uint_fast64_t failed;        /* that the file did not take */
	uint64_t lost;                      /* that found the ring full */
	struct queue_log_record ring[LOG_RING];
};

/* Opens the file and starts the thread. Returns 0 or an errno. To be called before the caller takes a higher priority.
 */
int log_open(struct log *log, const char *path);

/* Writes what is left. Does nothing without a log. */
void log_close(struct log *log);

/* An observer of the link. */
void log_event(void *log, const struct link_event *event);

#endif
