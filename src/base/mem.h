/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mem.h: the only callers of malloc(3).  If memory is exhausted, they end the program with a
 * message and exit status 1.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

void *mem_alloc(size_t size);		 /* zeroed */
void *mem_realloc(void *p, size_t size); /* new bytes are not zeroed */
char *mem_strdup(const char *s);
void mem_free(void *p); /* NULL is allowed */

#endif
