/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arena.h: memory by lifetime.  All allocations of one compilation or session come from an arena,
 * and are freed together with it.  No allocation is freed alone.  In a build with ARENA_MALLOC
 * every allocation is a separate malloc(3), so that sanitizers see overruns.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

/* Returns a new, empty arena; never NULL.  Without memory the program ends with a message. */
struct arena *arena_new(void);

/* Frees the arena and everything in it.  NULL is allowed. */
void arena_free(struct arena *a);

/* Returns size bytes, zeroed, aligned to 16; never NULL. */
void *arena_alloc(struct arena *a, size_t size);

/*
 * Makes room for one more element in an array of n elements of `size` bytes, with capacity *cap.
 * Returns the array, which moves if it was full.
 */
void *arena_grow(struct arena *a, void *old, unsigned int n, unsigned int *cap, size_t size);

/* Return a copy of n bytes, or of s, with a NUL. */
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_strdup(struct arena *a, const char *s);

/* Return formatted text in the arena. */
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap);

#define arena_new_obj(a, type)	  ((type *)arena_alloc((a), sizeof(type)))
#define arena_new_arr(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (n)))

#endif
