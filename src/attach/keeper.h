/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keeper.h: a helper process that makes and owns changes to the code of others.
 *
 * If a process is killed while it makes or removes breakpoints, the kernel stops halfway ("leaking
 * uprobe").  A leftover breakpoint kills the traced process that hits it.  The keeper is not killed
 * with dtrace: it ends by itself after dtrace has ended for any reason.
 */
#ifndef ATTACH_KEEPER_H
#define ATTACH_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

struct keeper;
struct machine;

/* Places of one file at which a program runs, for one process or for all (0). */
struct keeper_places {
	int prog, file;	     /* descriptors; file: for a keeper */
	const char *path;    /* for callers without a descriptor */
	uint32_t event_type; /* 0: one link for all places; else there is one place */
	uint32_t pid, n;
	bool is_hook; /* the functions that begin there return; only with one link */
	const uint64_t *offs, *cookies, *semaphores; /* semaphores: NULL: none */
};

/* Attaches the program until the returned descriptor is closed. */
int keeper_link(struct machine *m, const struct keeper_places *p);

/*
 * Starts *k if it does not run.  Callers that must be fast later call this early.  Returns 0 or
 * -errno.
 */
int keeper_start(struct keeper **k);

/*
 * Does the same as keeper_link, on this machine through a keeper, and starts it if necessary.
 * Returns 0 or -errno.
 */
int keeper_attach(struct keeper **k, const struct keeper_places *p);

/*
 * Returns true if the keeper has ended by itself, and its places with it.  NULL is allowed.
 */
bool keeper_is_lost(const struct keeper *k);

/* Ends the keeper.  When it returns, all code is restored.  NULL is allowed. */
void keeper_end(struct keeper *k);

/* Called by a forked child, which has a copy of K: nothing changes.  NULL is allowed. */
void keeper_forget(struct keeper *k);

#endif
