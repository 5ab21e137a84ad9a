/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arena.h: memory by lifetime.  Everything that one compilation (or one session) allocates comes
 * from an arena and goes away with it in one call; nothing in it is freed alone.  In a build with
 * ARENA_MALLOC defined every allocation is a malloc(3) of its own, so that sanitizers see overruns.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

/* A new, empty arena; never NULL (running out of memory ends the program with a message). */
struct arena *arena_new(void);

/* Free the arena and everything in it; NULL is allowed. */
void arena_free(struct arena *a);

/* size bytes, zeroed, aligned to 16; never NULL. */
void *arena_alloc(struct arena *a, size_t size);

/* Room for one more in an array of n elements of `size` bytes, *cap of which have room: the array,
 * moved if it was full. */
void *arena_grow(struct arena *a, void *old, unsigned int n, unsigned int *cap, size_t size);

/* A copy of n bytes with a NUL behind them. */
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_strdup(struct arena *a, const char *s);

/* Formatted text in the arena. */
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap);

#define arena_new_obj(a, type)	  ((type *)arena_alloc((a), sizeof(type)))
#define arena_new_arr(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (n)))

#endif
