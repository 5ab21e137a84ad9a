/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * insn.h: the length of a machine instruction, and what it does to the flow of control: all that is
 * needed to find the instructions of a function and those at which it returns.
 */
#ifndef ARCH_INSN_H
#define ARCH_INSN_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of the longest one of any architecture: Intel SDM volume 2, 2.3.11. */
#define INSN_MAX 15

#define INSN_NO_REG 255

enum insn_kind {
	INSN_OTHER,
	INSN_RET,
	INSN_CALL,	/* of a function in the text: `target` */
	INSN_JMP,	/* to a place in the text: `target` */
	INSN_JCC,	/* the same, if a condition holds */
	INSN_JMP_MEM,	/* to where a pointer in memory points: a function of another object, say */
	INSN_JMP_REG,	/* to where register `reg` points; INSN_NO_REG: an element of an array */
	INSN_JMP_TABLE, /* to a place that a table in the text's object gives, as switch does */
	INSN_STOP,	/* nothing comes after it */
	INSN_ADD_REG, /* register `reg` becomes the sum of two: an entry of a table and its base */
	INSN_PUSH,    /* takes room on the stack */
	INSN_POP,     /* gives it back */
};

/*
 * When a conditional jump is taken: if any of these flags is set, or `less`, which is that sign and
 * overflow differ; turned round by `not`.  0: it is not said here.
 */
enum insn_cond {
	COND_CARRY = 1,
	COND_PARITY = 2,
	COND_ZERO = 4,
	COND_SIGN = 8,
	COND_OVERFLOW = 16,
	COND_LESS = 32,
	COND_NOT = 64
};

struct insn {
	unsigned int len;
	enum insn_kind kind;
	int64_t target; /* relative to the instruction itself */
	uint8_t reg;
	uint8_t cond;	  /* INSN_JCC: enum insn_cond */
	bool is_refused;  /* the kernel puts no breakpoint there */
	bool is_call_nop; /* a nop as long as a call: the kernel may make one of it */
};

#endif
