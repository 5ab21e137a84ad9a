/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uprobe.h: breakpoints in files that processes execute.  All breakpoints of a unit run one
 * program.  The cookie of a place identifies it.  Breakpoints last until the keeper ends.
 */
#ifndef ATTACH_UPROBE_H
#define ATTACH_UPROBE_H

#include "base/vec.h"
#include "plan/plan.h"

/* Consequence if the kernel refuses a place, or somebody has replaced its file. */
enum uprobe_need {
	UPROBE_REQUIRED, /* the user named it: an error */
	UPROBE_EXPECTED, /* others decide what a pattern matches: it is left out, and counted */
	UPROBE_OPTIONAL, /* as before, but a refused instruction is not counted */
};

/* A place in a file. */
struct uprobe {
	const struct proc_object *object;
	const char *file; /* path of it */
	uint64_t off;
	uint64_t semaphore; /* offset in the file of a counter of tracers; 0: none */
	uint64_t cookie;
	bool is_hook;		   /* fires when the function that begins here returns */
	const struct probe *probe; /* for messages */
	enum uprobe_need need;
	bool *is_attached; /* set after attaching */
};

typedef VEC(struct uprobe) uprobe_list;

/* Sets the type of the unit's program. */
void uprobe_program(struct plan *plan, struct unit *u);

/*
 * Attaches the unit's program to all places, for one process, or for all (0).  Places of one file
 * are attached in order.  Places that are left out are added to plan->lost.  Returns 0, or -errno
 * and *err, also if all are left out.
 */
int uprobe_attach(struct plan *plan, struct unit *u, uint32_t pid, const uprobe_list *list,
		  const char **err);

#endif
