/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind.h: facts about processes for unwinding in the kernel.
 */
#ifndef CONSUME_UNWIND_H
#define CONSUME_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

struct consume;
struct proc;

/* Create and free co->unwinder.  The load owns the map. */
void unwind_init(struct consume *co);
void unwind_fini(struct consume *co);

/*
 * Updates the facts about a process in the map, because the kernel side needs them or its mappings
 * have changed.  mm: the address space; 0: unknown.
 */
void unwind_learn(struct consume *co, struct proc *p, uint64_t mm);

/*
 * unwind_knows() returns true if the map has facts about a process.  Then call unwind_learn() after
 * new mappings, and the other functions when the process forks or ends.
 */
bool unwind_knows(const struct consume *co, uint32_t pid);
void unwind_fork(struct consume *co, uint32_t parent, uint32_t child);
void unwind_forget(struct consume *co, uint32_t pid);

#endif
