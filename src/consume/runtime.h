/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runtime.h: frames of languages in stacks.
 */
#ifndef CONSUME_RUNTIME_H
#define CONSUME_RUNTIME_H

#include <stdint.h>

#include "rt/abi.h"

struct consume;
struct proc;

/* Create and free co->runtimes.  The load owns the maps. */
void runtime_init(struct consume *co);
void runtime_fini(struct consume *co);

/* Reads the functions that the kernel side has seen. */
void runtime_read_new(struct consume *co);

/* Notes the layout of the process's runtime in the maps of the kernel side, and does the same. */
void runtime_learn(struct consume *co, struct proc *p);

/* Lets the kernel side give numbers to functions; call it before tracing. */
void runtime_begin(struct consume *co);

/* Call these when a process forks or ends.  A child inherits the layout of its parent. */
void runtime_fork(struct consume *co, uint32_t parent, uint32_t child);
void runtime_forget(struct consume *co, uint32_t pid);

/*
 * Finds the code of a process whose frames only its runtime can follow.  Returns 0 if there is
 * none.
 */
enum abi_code runtime_code(const struct consume *co, uint32_t pid, uint64_t *start, uint64_t *end);

/*
 * Makes a mixed stack from `size` bytes of frames that the kernel side has recorded, up to a
 * frame 0.  Frames of languages have texts; the others are addresses.  Sets *frames, which are
 * valid until the next call, and returns their number; 0: there is no frame of a language, and
 * *is_cut is not set.  *is_cut: there was no room for more frames.
 */
unsigned int runtime_mix(struct consume *co, uint32_t pid, const void *data, uint32_t size,
			 const uint64_t **frames, bool *is_cut);

/* A mixed stack (runtime.c). */
struct mixed {
	unsigned int n;
	bool is_cut;
	uint64_t frames[];
};

/* Returns the stored stack with these frames, which lives as long as the consumer. */
const struct mixed *runtime_store(struct consume *co, const uint64_t *frames, unsigned int n,
				  bool is_cut);

/* Returns the text of a frame of such a stack; NULL: it is none. */
const char *runtime_text(const struct consume *co, uint64_t frame);

#endif
