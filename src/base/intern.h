/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * intern.h: one copy of every name.  Two interned names are equal if their pointers are.  The table
 * lives as long as its arena.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stddef.h>

struct arena;
struct intern;

struct intern *intern_new(struct arena *a);
void intern_free(struct intern *t); /* frees the index; the arena owns the strings */
const char *intern_str(struct intern *t, const char *s);
const char *intern_mem(struct intern *t, const char *s, size_t n);

#endif
