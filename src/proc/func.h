/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * func.h: analyses the code of a function: its instructions, and the places where it returns to its
 * caller.
 */
#ifndef PROC_FUNC_H
#define PROC_FUNC_H

#include "arch/arch.h"
#include "arch/insn.h"
#include "proc/proc.h"

struct func_insn {
	uint32_t off; /* from the function's start */
	bool is_refused;
	bool is_call_nop; /* see insn.h */
	bool is_target;	  /* a jump inside the function leads here */
};

struct func_return {
	int32_t off;  /* from the function's start; may be negative in a part that lies elsewhere */
	uint8_t cond; /* condition of the return: enum insn_cond; 0: always */
};

struct func {
	VEC(struct func_insn) insns; /* ascending; none if the code does not decode to its end */
	VEC(struct func_return) returns;
};

/*
 * Reads function sym of an object from its file, open as fd.  Returns false if it is too large,
 * cannot be read, or does not decode completely.  Call func_free for *res in any case.
 */
bool func_read(int fd, struct proc_object *o, const struct proc_sym *sym, struct func *res);
void func_free(struct func *f);

/* Reads the instruction at an offset of the file open as fd.  Returns false if there is none. */
bool func_insn_in(int fd, uint64_t off, struct insn *res);

/* Returns the instruction at this offset; NULL: none starts there. */
const struct func_insn *func_insn_at(const struct func *f, uint32_t off);

/*
 * Returns the location of the return address at the instruction `at` bytes after the start of the
 * function, which is at `off` in the file.  is_shown: the kernel corrects its walk for the first
 * instructions of functions.
 */
enum arch_caller func_caller(int fd, uint64_t off, uint32_t at, bool is_return, bool is_shown);

#endif
