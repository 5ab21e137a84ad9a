/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscalls.c: the system calls of this machine.  The rows are made by tools/gen-syscalls.sh when
 * the program is built, from the headers of the C library.
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
