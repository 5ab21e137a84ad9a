/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscalls.c: the system calls of this machine.  tools/gen-syscalls.sh makes the rows at build
 * time, from the headers of the C library.
 */
#include "kern/kern.h"

static const struct kern_syscall rows[] = {
#include "kern/syscalls.inc"
};

const struct kern_syscall *kern_syscalls(size_t *n)
{
	*n = sizeof(rows) / sizeof(rows[0]);
	return rows;
}

/* The last row is a dummy, since there may be no others. */
static const struct kern_syscall32 rows32[] = {
#include "kern/syscalls32.inc"
    {-1, NULL, -1},
};

const struct kern_syscall32 *kern_syscalls32(size_t *n)
{
	*n = sizeof(rows32) / sizeof(rows32[0]) - 1;
	return rows32;
}
