/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * operand.h: the location of a value in assembler syntax.  The notes of static probes have their
 * arguments in this form (systemtap's "UserSpaceProbeImplementation").
 */
#ifndef ARCH_OPERAND_H
#define ARCH_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPERAND_NO_REG UINT16_MAX

enum operand_kind {
	OPERAND_OTHER, /* cannot be read through the registers of a process: xmm0 */
	OPERAND_CONST, /* disp */
	OPERAND_REG,   /* reg, from bit `shift` on */
	OPERAND_MEM,   /* at reg + (index << scale) + disp, in_thread: from the thread pointer on */
	OPERAND_NEAR,  /* disp bytes after a symbol of the file */
};

struct operand {
	enum operand_kind kind;
	uint16_t reg, index; /* places as in arch.h, OPERAND_NO_REG: none */
	uint8_t scale, shift;
	bool in_thread;
	int64_t disp;
	const char
	    *symbol; /* in the text, nsymbol bytes; in_thread: a thread-local variable, or none */
	size_t nsymbol;
};

/* Returns the index of a register's name in a table of names; -1: none. */
int operand_name(const char *const *names, const char *text, size_t n);

/* Parses a number that takes the whole text. */
bool operand_number(const char *text, size_t n, int64_t *v);

#endif
