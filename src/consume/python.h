/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * python.h: Python frames in stacks of jstack().
 */
#ifndef CONSUME_PYTHON_H
#define CONSUME_PYTHON_H

#include <stdint.h>

struct consume;
struct out_sym;
struct proc;

/* Create and free co->python.  The load owns the maps. */
void python_init(struct consume *co);
void python_fini(struct consume *co);

/*
 * Notes the interpreter's layout of a process in the maps of the kernel side, and reads the new
 * code objects of all processes.
 */
void python_learn(struct consume *co, struct proc *p);

/* Call these when a process forks or ends.  A child inherits the layout of its parent. */
void python_fork(struct consume *co, uint32_t parent, uint32_t child);
void python_forget(struct consume *co, uint32_t pid);

/* Finds the name of a Python frame.  Returns 0, or -ENOENT if it is unknown. */
int python_name(struct consume *co, uint32_t pid, uint64_t frame, struct out_sym *res);

#endif
