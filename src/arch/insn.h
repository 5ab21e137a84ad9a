/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * insn.h: length and control flow of a machine instruction.  This suffices to find the instructions
 * of a function and its returns.
 */
#ifndef ARCH_INSN_H
#define ARCH_INSN_H

#include <stdbool.h>
#include <stdint.h>

/* Maximum bytes of an instruction on any architecture: Intel SDM volume 2, 2.3.11. */
#define INSN_MAX 15

#define INSN_NO_REG 255

enum insn_kind {
	INSN_OTHER,
	INSN_RET,
	INSN_CALL,    /* calls a function in the text: `target` */
	INSN_JMP,     /* jumps to a place in the text: `target` */
	INSN_JCC,     /* the same, with a condition */
	INSN_JMP_MEM, /* jumps through a pointer in memory, for example to another object */
	/* jumps through register `reg`; INSN_NO_REG: through an element of an array */
	INSN_JMP_REG,
	INSN_JMP_TABLE, /* jumps to a place from a table in the text's object, as for switch */
	INSN_STOP,	/* no instruction follows */
	INSN_ADD_REG, /* register `reg` becomes the sum of two: an entry of a table and its base */
	INSN_PUSH,    /* reserves room on the stack */
	INSN_POP,     /* frees room on the stack */
};

/*
 * Condition of a jump: any of these flags is set, or `less`, which means that sign and overflow
 * differ.  `not` inverts it.  0: unknown.
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

#define INSN_CALL_NOP 5 /* bytes of a nop that the kernel may replace by a call (x86-64) */

struct insn {
	unsigned int len;
	enum insn_kind kind;
	int64_t target; /* relative to the instruction itself */
	uint8_t reg;
	uint8_t cond;	  /* INSN_JCC: enum insn_cond */
	bool is_refused;  /* the kernel refuses a breakpoint here */
	bool is_call_nop; /* a nop as long as a call: the kernel may replace it by a call */
};

#endif
