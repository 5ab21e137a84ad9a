/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * python.h: what a process that runs python says of its frames.  It may say what it likes.
 */
#ifndef PROC_PYTHON_H
#define PROC_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/abi.h"

struct proc;
struct procs;

/* Where a version has everything. */
struct python_layout {
	struct abi_python frames;
	unsigned int line;	   /* in a code object: of its first instruction */
	unsigned int ascii, other; /* in a str: characters, if all are of ASCII; if not */
};

/* False: the process runs no python, or one whose frames are not known. */
bool python_find(struct procs *ps, struct proc *p, struct python_layout *l);

/* A code object: names for mem_free, NULL: it cannot be read. */
struct python_code {
	char *file, *func;
	int line;	/* of its first instruction */
	uint8_t *lines; /* how they go on, a location table */
	uint32_t nlines;
};

struct python_code *python_read(uint32_t pid, const struct python_layout *l, uint64_t code);
void python_free(struct python_code *c);

/* The line of an instruction, which are numbered from 1 on; 0: of none, the first line. */
int python_line(const struct python_code *c, uint32_t at);

#endif
