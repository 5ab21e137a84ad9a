/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mem.h: allocation; no other file calls malloc(3).  If memory is exhausted, these functions end
 * the program with a message and exit status 1, or jump to the place that mem_escape() has set.
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
 * Sets the place to which a failed allocation of this thread jumps (longjmp(3)); NULL: the program
 * ends.  Returns the earlier place.  A forked child that does not return to that place must set
 * NULL.
 */
jmp_buf *mem_escape(jmp_buf *to);

#endif
