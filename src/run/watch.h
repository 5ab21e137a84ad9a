/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watch.h: what the kernel tells of processes while tracing goes on: what they map, fork and when
 * they end, through perf events that count nothing (PERF_COUNT_SW_DUMMY), a ring of each CPU.
 */
#ifndef RUN_WATCH_H
#define RUN_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct proc_map;
struct watch;

/* Functions for the events.  A pid is the number of a process, not of a thread. */
struct watch_calls {
	void (*mapped)(void *ctx, uint32_t pid, const struct proc_map *m); /* code; borrowed */
	void (*forked)(void *ctx, uint32_t parent, uint32_t child);
	void (*ended)(void *ctx, uint32_t pid);
	void (*lost)(void *ctx); /* there was no room to tell */
};

struct watch *watch_new(const struct watch_calls *calls, void *ctx);
void watch_free(struct watch *w); /* NULL is allowed */

/* Watch a process and what it forks, or all (-1), on all CPUs.  False: errno. */
bool watch_add(struct watch *w, pid_t pid, unsigned int ncpu);

/* watch_fd can be read when this one can, too. */
void watch_also(struct watch *w, int fd);

/* watch_is_on() returns true if anything is watched.  The descriptor is readable when events wait.
 */
bool watch_is_on(const struct watch *w);
int watch_fd(const struct watch *w);

/* Call for what has come. */
void watch_read(struct watch *w);

#endif
