/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * python.h: frames of a process that runs python, read from its memory.  The process is not
 * trusted.
 */
#ifndef PROC_PYTHON_H
#define PROC_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/abi.h"

struct proc;
struct procs;

/* Layout of one version. */
struct python_layout {
	struct abi_python frames;
	unsigned int line;	   /* in a code object: line of its first instruction */
	unsigned int ascii, other; /* in a str: its characters, for ASCII, and for others */
};

/* Returns false if the process runs no python, or a version whose frames are unknown. */
bool python_find(struct procs *ps, struct proc *p, struct python_layout *l);

/* A code object.  Names are for mem_free; NULL: unreadable. */
struct python_code {
	char *file, *func;
	int line;	/* line of its first instruction */
	uint8_t *lines; /* location table with the other lines */
	uint32_t nlines;
};

struct python_code *python_read(uint32_t pid, const struct python_layout *l, uint64_t code);
void python_free(struct python_code *c);

/* Returns the line of an instruction, counted from 1; 0: no instruction, the first line. */
int python_line(const struct python_code *c, uint32_t at);

#endif
