/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * maps_priv.h: lists of mappings, for proc.c and maps.c.
 */
#ifndef PROC_MAPS_PRIV_H
#define PROC_MAPS_PRIV_H

#include "proc/proc.h"

#define MAPS_MAX 8192 /* executable mappings of a process; further ones are ignored */

/* Adds a mapping that was read or reported, unless the process has it. */
void maps_add(struct proc *p, const struct proc_map *m);

/* Returns a copy without object.  Its id is for mem_free. */
struct proc_map maps_copy(const struct proc_map *m);

/* Finds a mapping that the process has now of the file with this id.  Reads all mappings. */
bool maps_find(const struct proc *p, const char *id, struct proc_range *res);

#endif
