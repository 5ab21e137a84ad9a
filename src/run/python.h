/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * python.h: frames of python in stacks of jstack().
 */
#ifndef RUN_PYTHON_H
#define RUN_PYTHON_H

#include <stdint.h>

struct consume;
struct out_sym;
struct proc;

/* co->python, and its end; the maps belong to the load. */
void python_init(struct consume *co);
void python_fini(struct consume *co);

/*
 * A process has been met: what the kernel side has to know of it; and what it has met in this one
 * or any other is read.
 */
void python_meet(struct consume *co, struct proc *p);

/* A process begins with what its parent has; it has ended. */
void python_fork(struct consume *co, uint32_t parent, uint32_t child);
void python_forget(struct consume *co, uint32_t pid);

/* Such a frame; -ENOENT: nothing is known of it. */
int python_name(struct consume *co, uint32_t pid, uint64_t frame, struct out_sym *res);

#endif
