/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pause.h: a process that is named waits when its dynamic linker has mapped something, until that
 * has been looked into.
 */
#ifndef RUN_PAUSE_H
#define RUN_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

struct load;
struct pause;
struct proc;

/*
 * Called when a process waits.  The process continues when the function returns.  late: the process
 * has already continued.
 */
typedef void pause_look(void *ctx, uint32_t pid, bool late);

/* NULL: the kernel does not offer what that needs. */
struct pause *pause_new(struct load *l, pause_look *look, void *ctx);
void pause_free(struct pause *p); /* NULL is allowed, as for all of these */

/* From now on this process waits.  May be said again: it may have another linker by now. */
void pause_at(struct pause *p, struct proc *proc);

int pause_fd(const struct pause *p); /* can be read when one waits; -1: none ever does */
void pause_read(struct pause *p);

#endif
