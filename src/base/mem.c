/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mem.c: malloc(3) that does not fail.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void *checked(void *p)
{
	if (!p) {
		fprintf(stderr, "dtrace: Memory allocation failure\n");
		exit(1);
	}
	return p;
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
