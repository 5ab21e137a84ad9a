/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * func.h: what the code of a function tells: where its instructions are, and at which of them it
 * returns to its caller.
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
};

struct func_return {
	int32_t off;  /* from the function's start; in a part that lies elsewhere perhaps below 0 */
	uint8_t cond; /* only if this holds: enum insn_cond; 0: always */
};

struct func {
	VEC(struct func_insn) insns; /* ascending; none if the code does not decode to its end */
	VEC(struct func_return) returns;
};

/*
 * Read function sym of an object from its file, open as fd.  False: it is too large, cannot be
 * read, or is not all instructions.  *res is to be given to func_free in any case.
 */
bool func_read(int fd, struct proc_object *o, const struct proc_sym *sym, struct func *res);
void func_free(struct func *f);

/* The instruction at an offset of the file open as fd.  False: there is none. */
bool func_insn_in(int fd, uint64_t off, struct insn *res);

/* The instruction at this offset; NULL: none begins there. */
const struct func_insn *func_insn_at(const struct func *f, uint32_t off);

/*
 * Where the return address is at the instruction `at` bytes behind the start of the function, which
 * is at `off` in the file.  is_shown: the kernel puts the walk right at what functions begin with.
 */
enum arch_caller func_caller(int fd, uint64_t off, uint32_t at, bool is_return, bool is_shown);

#endif
