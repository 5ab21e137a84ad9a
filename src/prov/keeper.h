/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keeper.h: a process beside dtrace that makes and holds what changes the code of others.
 *
 * To a process that is killed the kernel gives up half way, making breakpoints or taking them back
 * ("leaking uprobe"), and those that are left end the traced process when it comes to one.  This
 * one is not killed with dtrace: it ends by itself when dtrace has, however that happened.
 */
#ifndef PROV_KEEPER_H
#define PROV_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

struct keeper;
struct machine;

/* Places of one file where a program is to run, for one process or for all (0). */
struct keeper_places {
	int prog, file;	     /* descriptors; file: for a keeper */
	const char *path;    /* for who has none */
	uint32_t event_type; /* 0: one link for all, else there is one place */
	uint32_t pid, n;
	const uint64_t *offs, *cookies, *semaphores; /* semaphores: NULL: there are none */
};

/* Let the program run there, until the descriptor that is returned is closed. */
int keeper_link(struct machine *m, const struct keeper_places *p);

/* Make *k, if there is none; who will have to be quick does so before.  0 or -errno. */
int keeper_start(struct keeper **k);

/* The same as keeper_link on this machine by a keeper, started if need be.  0 or -errno. */
int keeper_attach(struct keeper **k, const struct keeper_places *p);

/* When it returns, all is as it was.  NULL is allowed. */
void keeper_end(struct keeper *k);

/* By a child that has a copy of it: nothing changes.  NULL is allowed. */
void keeper_forget(struct keeper *k);

#endif
