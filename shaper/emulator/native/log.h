/* SPDX-License-Identifier: MIT */
/*
 * The queue log. Records pass through a lock-free ring to a thread that writes them. The forwarding thread
 * never waits: if the ring is full, a record is lost and counted. The writing thread has normal priority and
 * wakes every 10 ms.
 */
#ifndef COEXIST_LINK_LOG_H
#define COEXIST_LINK_LOG_H

#include <pthread.h>
#include <stdatomic.h>
#include "../../native/queue-log.h"
#include "core/link.h"

enum { LOG_RING = 1 << 16 };

struct log {
	int file; /* -1: no log is written */
	pthread_t thread;
	atomic_bool stopping;
	atomic_uint_fast64_t written, read; /* records put into the ring, and taken out */
	atomic_uint_fast64_t failed;        /* records that could not be written */
	uint64_t lost;                      /* records that found the ring full */
	struct queue_log_record ring[LOG_RING];
};

/*
 * Opens the file and starts the thread. Returns 0 or an errno. Must be called before the priority of the caller
 * is raised.
 */
int log_open(struct log *log, const char *path);

/* Writes the remaining records and closes the file. Does nothing without a log. */
void log_close(struct log *log);

/* Writes an event of the link to the log; an observer of the link. */
void log_event(void *log, const struct link_event *event);

#endif
