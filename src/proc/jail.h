/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jail.h: runs a library that reads untrusted files in a process of its own.
 *
 * An attacker can write a file that exploits a fault of the library.  In a jail the library cannot
 * do harm: the process has no privileges, and its only descriptor is a socket to dtrace.
 * seccomp(2) refuses everything but memory and that socket.  Its answers are data of the attacker,
 * so the asking side must check them.
 *
 * The process is a copy of dtrace (fork(2)), so the library must be loaded before jail_new().
 *
 * If the library needs more files, dtrace opens them (seccomp_unotify(2)).
 */
#ifndef PROC_JAIL_H
#define PROC_JAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define JAIL_SECONDS 10

/* The part that runs inside. */
struct jail_reader {
	/* Maps files into memory, while this is still allowed.  May be NULL. */
	void (*begin)(void *ctx);
	/* Appends the answer to a question. */
	void (*answer)(void *ctx, const void *question, size_t n, struct buf *to);
	/*
	 * Outside: opens a file for the library to read.  Returns a descriptor, or -1.  NULL: the
	 * library opens nothing.  PATH comes from inside.
	 */
	int (*open)(void *ctx, const char *path);
	void *ctx;
	unsigned int seconds; /* of processor time in all; 0: JAIL_SECONDS */
};

struct jail;

/* Starts a jail.  Never returns NULL: if there is no process, jail_error() is set. */
struct jail *jail_new(const struct jail_reader *r);
void jail_free(struct jail *j); /* NULL is allowed */

/*
 * Asks a question of at most JAIL_QUESTION_MAX bytes, and replaces *answer.  Returns false if the
 * jail has failed, now or earlier.  It then answers no more.
 */
#define JAIL_QUESTION_MAX 512
bool jail_ask(struct jail *j, const void *question, size_t n, struct buf *answer);

/* Returns why the jail has failed, as a part of a sentence; NULL if it still answers. */
const char *jail_error(const struct jail *j);

#endif
