/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind.h: what the kernel side knows of processes whose stacks it walks along.
 */
#ifndef RUN_UNWIND_H
#define RUN_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

struct consume;
struct proc;

/* co->unwinder, and its end; the map itself belongs to the load. */
void unwind_init(struct consume *co);
void unwind_fini(struct consume *co);

/*
 * The kernel side asks for a process, or for what it has mapped since.  mm: the address space that
 * it asks for, 0: any.
 */
void unwind_meet(struct consume *co, struct proc *p, uint64_t mm);

/* Has it been met?  Then what it maps, that it forks and that it ends has to be told. */
bool unwind_knows(const struct consume *co, uint32_t pid);
void unwind_fork(struct consume *co, uint32_t parent, uint32_t child);
void unwind_forget(struct consume *co, uint32_t pid);

#endif
