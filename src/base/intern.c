/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * intern.c: a map from text to its one copy in the arena.
 */
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/mem.h"

struct intern {
	struct arena *arena;
	struct map *names;
};

struct intern *intern_new(struct arena *a)
{
	struct intern *t = mem_alloc(sizeof(*t));

	t->arena = a;
	t->names = map_new();
	return t;
}

void intern_free(struct intern *t)
{
	if (!t)
		return;
	map_free(t->names);
	mem_free(t);
}

const char *intern_mem(struct intern *t, const char *s, size_t n)
{
	char *p = map_get(t->names, s, n);

	if (!p) {
		p = arena_strndup(t->arena, s, n);
		map_set(t->names, s, n, p);
	}
	return p;
}

const char *intern_str(struct intern *t, const char *s)
{
	return intern_mem(t, s, strlen(s));
}
