/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pause.h: a named process waits after its dynamic linker has mapped files, until the consumer has
 * examined them.
 */
#ifndef SESSION_PAUSE_H
#define SESSION_PAUSE_H

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

/* Returns NULL if the kernel lacks the necessary features. */
struct pause *pause_new(struct load *l, pause_look *look, void *ctx);
void pause_free(struct pause *p); /* all functions accept NULL */

/*
 * Makes the process wait from now on.  Call this again after an exec, because the process may have
 * another linker.
 */
void pause_at(struct pause *p, struct proc *proc);

int pause_fd(const struct pause *p); /* readable when a process waits; -1: none ever does */
void pause_read(struct pause *p);

#endif
