/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * split.c: if statements to straight parts.
 *
 * `A; if (c) { B } else { C } D` becomes five parts: A; v = (c != 0); B if v; C if not v; D.  Parts
 * of a nested if carry the guards of all levels.  A part without statements is left out, except
 * that a clause has at least one.
 */
#include <assert.h>
#include <string.h>

#include "lang/priv.h"

struct splitter {
	struct lang *l;
	struct clause *c;
	VEC(struct part) parts;
	VEC(struct guard) guards; /* guards of the current level */
};

static struct part *add_part(struct splitter *s)
{
	struct part p = {0};

	p.nguards = s->guards.n;
	p.guards = arena_new_arr(s->l->arena, struct guard, s->guards.n + 1);
	if (s->guards.n)
		memcpy(p.guards, s->guards.a, s->guards.n * sizeof(*s->guards.a));
	vec_push(&s->parts, p);
	return &vec_last(&s->parts);
}

static void split_list(struct splitter *s, struct stmt *list);

static void split_branch(struct splitter *s, struct stmt *body, unsigned int var, bool want)
{
	if (!body)
		return;
	vec_push(&s->guards, ((struct guard){var, want}));
	split_list(s, body);
	s->guards.n--;
}

static void split_if(struct splitter *s, const struct stmt *st)
{
	unsigned int var = s->c->ncond_vars++;
	struct part *p = add_part(s);

	p->cond = st->expr;
	p->cond_var = var;
	split_branch(s, st->then_body, var, true);
	split_branch(s, st->else_body, var, false);
}

static void split_list(struct splitter *s, struct stmt *list)
{
	struct stmt **end;

	while (list) {
		if (list->kind == STMT_IF) {
			split_if(s, list);
			list = list->next;
			continue;
		}
		add_part(s)->stmts = list;
		for (end = &list; *end && (*end)->kind != STMT_IF;)
			end = &(*end)->next;
		struct stmt *rest = *end;

		*end = NULL;
		list = rest;
	}
}

void split_clause(struct lang *l, struct clause *c)
{
	struct splitter s = {.l = l, .c = c};

	c->ncond_vars = 0;
	split_list(&s, c->body);
	if (!s.parts.n)
		add_part(&s);
	c->nparts = s.parts.n;
	c->parts = arena_new_arr(l->arena, struct part, s.parts.n);
	memcpy(c->parts, s.parts.a, s.parts.n * sizeof(*s.parts.a));
	vec_free(&s.parts);
	vec_free(&s.guards);
	assert(c->nparts);
}
