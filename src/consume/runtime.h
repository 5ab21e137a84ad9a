/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runtime.h: frames of languages in stacks of jstack().
 */
#ifndef CONSUME_RUNTIME_H
#define CONSUME_RUNTIME_H

#include <stdint.h>

struct consume;
struct out_sym;
struct proc;

/* Create and free co->runtimes.  The load owns the maps. */
void runtime_init(struct consume *co);
void runtime_fini(struct consume *co);

/*
 * Notes the layout of the process's runtime in the maps of the kernel side, and reads the new
 * functions of all processes.
 */
void runtime_learn(struct consume *co, struct proc *p);

/* Call these when a process forks or ends.  A child inherits the layout of its parent. */
void runtime_fork(struct consume *co, uint32_t parent, uint32_t child);
void runtime_forget(struct consume *co, uint32_t pid);

/* Finds the name of a frame of a language.  Returns 0, or -ENOENT if it is unknown. */
int runtime_name(struct consume *co, uint64_t frame, struct out_sym *res);

/*
 * Returns the first frame with the text of this one, so that instructions of one line are one key.
 * Other frames, and frames without a name, stay.
 */
uint64_t runtime_same(struct consume *co, uint64_t frame);

#endif
