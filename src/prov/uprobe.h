/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uprobe.h: breakpoints in files that processes run, for the providers that have probes there.  All
 * of a unit run one program, which is told apart where it fires by a number that comes with each
 * place, the cookie.  They are there until the keeper ends.
 */
#ifndef PROV_UPROBE_H
#define PROV_UPROBE_H

#include "base/vec.h"
#include "lower/leaf.h"

/* A place in a file. */
struct uprobe {
	const struct proc_object *object;
	const char *file; /* path of it */
	uint64_t off;
	uint64_t semaphore; /* offset in the file of a counter of those who trace it; 0: none */
	uint64_t cookie;
	const struct probe *probe; /* for messages */
	bool is_optional;	   /* the kernel may refuse the instruction */
	bool *is_attached;	   /* set when it has been asked */
};

typedef VEC(struct uprobe) uprobe_list;

/* Fill in what kind of program the unit's is. */
void uprobe_program(struct plan *plan, struct unit *u);

/*
 * Attach the unit's program to all places, for one process, or for all (0); those of one file in
 * their order.  0, or -errno and *err.
 */
int uprobe_attach(struct plan *plan, struct unit *u, uint32_t pid, const uprobe_list *list,
		  const char **err);

#endif
