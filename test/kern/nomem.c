/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nomem.c: lets allocation number n of a program fail, and all later ones of its size or larger, to
 * be preloaded (LD_PRELOAD).  Environment: NOMEM_AT=n.  Without it, prints the number of
 * allocations at the end.
 *
 * Only calls from libdtrace count: other libraries have their own ways to report a failure.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long count, at;

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("NOMEM_AT");

	at = text ? strtoul(text, NULL, 10) : 0;
}

__attribute__((destructor)) static void end(void)
{
	if (!at)
		fprintf(stderr, "allocations %lu\n", count);
}

static int fails(const void *caller)
{
	Dl_info info;

	if (!dladdr(caller, &info) || !info.dli_fname || !strstr(info.dli_fname, "libdtrace"))
		return 0;
	return ++count == at;
}

void *calloc(size_t n, size_t size)
{
	static void *(*next)(size_t, size_t);
	static char early[4096];

	/* dlsym(3) allocates once itself. */
	if (!next) {
		static int is_asked;

		if (is_asked)
			return n * size <= sizeof(early) ? early : NULL;
		is_asked = 1;
		next = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
	}
	return fails(__builtin_return_address(0)) ? NULL : next(n, size);
}

void *realloc(void *p, size_t size)
{
	static void *(*next)(void *, size_t);

	if (!next)
		next = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
	return fails(__builtin_return_address(0)) ? NULL : next(p, size);
}
