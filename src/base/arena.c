/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arena.c: chunks of growing size, allocated from the front.  Objects larger than a chunk get their
 * own.  Chunks are zeroed and never reused, so allocation needs no clearing.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"

#define ARENA_ALIGN 16
#define ARENA_FIRST 16384
#define ARENA_MAX   (1 << 20)

struct chunk {
	struct chunk *next;
	size_t size, used;
	_Alignas(ARENA_ALIGN) char data[];
};

struct arena {
	struct chunk *head;
	size_t next_size, total;
};

struct arena *arena_new(void)
{
	struct arena *a = mem_alloc(sizeof(*a));

	a->next_size = ARENA_FIRST;
	return a;
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	for (struct chunk *c = a->head, *next; c; c = next) {
		next = c->next;
		mem_free(c);
	}
	mem_free(a);
}

static struct chunk *add_chunk(struct arena *a, size_t size)
{
	struct chunk *c = mem_alloc(sizeof(*c) + size);

	c->size = size;
	c->next = a->head;
	a->head = c;
	return c;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct chunk *c = a->head;

	size = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
	a->total += size;
#ifdef ARENA_MALLOC
	c = add_chunk(a, size);
#else
	if (!c || c->size - c->used < size) {
		size_t want = a->next_size;

		if (a->next_size < ARENA_MAX)
			a->next_size *= 2;
		c = add_chunk(a, size > want ? size : want);
	}
#endif
	c->used += size;
	return c->data + c->used - size;
}

void *arena_grow(struct arena *a, void *old, unsigned int n, unsigned int *cap, size_t size)
{
	void *p;

	if (n < *cap)
		return old;
	p = arena_alloc(a, (*cap ? 2ULL * *cap : 8) * size);
	*cap = *cap ? 2 * *cap : 8;
	if (n)
		memcpy(p, old, n * size);
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = arena_alloc(a, n + 1);

	memcpy(p, s, n);
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;
	char *p;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		return arena_strdup(a, "");
	p = arena_alloc(a, (size_t)n + 1);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;

	va_start(ap, fmt);
	p = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return p;
}
