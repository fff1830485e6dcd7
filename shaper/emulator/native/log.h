/* SPDX-License-Identifier: MIT */
/*
 * The queue log: records pass through a lock-free ring to a thread that writes them. The forwarding thread never
 * waits: a record that finds the ring full is lost and counted. The thread runs at normal priority and wakes every
 * 10 ms.
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
	atomic_uint_fast64_t failed;        /* records that could not be written */
	uint64_t lost;                      /* records that found the ring full */
	struct queue_log_record ring[LOG_RING];
};

/* Opens the file and starts the thread. Returns 0 or an errno. Call it before raising the caller's priority. */
int log_open(struct log *log, const char *path);

/* Writes the remaining records. Does nothing without a log. */
void log_close(struct log *log);

/* Observer of the link's events. */
void log_event(void *log, const struct link_event *event);

#endif
