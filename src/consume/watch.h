/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watch.h: events of processes during tracing: mappings, forks and ends.  They come through perf
 * events that count nothing (PERF_COUNT_SW_DUMMY), in a ring for each CPU.
 */
#ifndef CONSUME_WATCH_H
#define CONSUME_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct proc_map;
struct watch;

/* Functions for the events.  A pid is the number of a process, not of a thread. */
struct watch_calls {
	void (*mapped)(void *ctx, uint32_t pid, const struct proc_map *m); /* code; m is borrowed */
	void (*forked)(void *ctx, uint32_t parent, uint32_t child);
	void (*ended)(void *ctx, uint32_t pid);
	void (*lost)(void *ctx); /* the ring had no room for events */
};

struct watch *watch_new(const struct watch_calls *calls, void *ctx);
void watch_free(struct watch *w); /* NULL is allowed */

/*
 * Watches a process and its descendants, or all processes (-1), on all CPUs.  Returns false and
 * sets errno.
 */
bool watch_add(struct watch *w, pid_t pid, unsigned int ncpu);

/* Makes watch_fd readable when fd is readable, too. */
void watch_also(struct watch *w, int fd);

/* watch_is_on() returns true if anything is watched.  watch_fd() is readable when events wait. */
bool watch_is_on(const struct watch *w);
int watch_fd(const struct watch *w);

/* Calls the functions for the waiting events. */
void watch_read(struct watch *w);

#endif
