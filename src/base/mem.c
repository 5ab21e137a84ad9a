/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mem.c: malloc(3) that returns memory or does not return.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static _Thread_local jmp_buf *escape;

jmp_buf *mem_escape(jmp_buf *to)
{
	jmp_buf *before = escape;

	escape = to;
	return before;
}

static void *checked(void *p)
{
	if (p)
		return p;
	if (escape)
		longjmp(*escape, 1);
	fprintf(stderr, "dtrace: Memory allocation failure\n");
	exit(1);
}

void *mem_alloc(size_t size)
{
	return checked(calloc(1, size ? size : 1));
}

void *mem_realloc(void *p, size_t size)
{
	return checked(realloc(p, size ? size : 1));
}

char *mem_strdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(mem_alloc(n), s, n);
}

void mem_free(void *p)
{
	free(p);
}
