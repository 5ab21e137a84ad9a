/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mem.h: the only callers of malloc(3).  If memory is exhausted, they end the program with a
 * message and exit status 1, or jump to the place that mem_escape() has set.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <setjmp.h>
#include <stddef.h>

void *mem_alloc(size_t size);		 /* zeroed */
void *mem_realloc(void *p, size_t size); /* new bytes are not zeroed */
char *mem_strdup(const char *s);
void mem_free(void *p); /* NULL is allowed */

/*
 * Sets the place of this thread that a failed allocation jumps to (longjmp(3)); NULL: it ends the
 * program.  Returns the place before.  A forked child that does not return to that place must set
 * NULL.
 */
jmp_buf *mem_escape(jmp_buf *to);

#endif
