/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * assigns.c: whether a library clause that is only parsed assigns a variable that other clauses
 * read.
 *
 * Names are followed to the expressions of inlines and translators.  Without types, the translator
 * of `x->member` is unknown: all members of that name count.  A clause too many costs time, but a
 * clause that is missing leaves a variable 0.
 */
#include <string.h>

#include "base/map.h"
#include "lang/priv.h"

struct walk {
	struct lang *l;
	struct map *seen; /* expression of an inline or a member -> itself, if walked */
};

static bool walk(struct walk *w, const struct expr *e);

/* Walks the expression of a name once. */
static bool walk_named(struct walk *w, struct expr *e)
{
	if (!e || map_get_int(w->seen, (uintptr_t)e))
		return false;
	map_set_int(w->seen, (uintptr_t)e, e);
	return walk(w, e);
}

/* Returns the ident of a name as a library sees it, without entering a built-in name. */
static const struct ident *find(const struct walk *w, const struct expr *e)
{
	const struct ident *id = e->ident;

	if (!id && e->name)
		id = map_get_str(w->l->scopes[e->kind == EXPR_AGG ? SCOPE_AGG : expr_scope(e)],
				 e->name);
	return id && id->hides ? id->hides : id;
}

static bool walk_inline(struct walk *w, const struct expr *e)
{
	const struct ident *id = find(w, e);

	return id && id->kind == IDENT_INLINE && walk_named(w, id->expr);
}

/* Walks the members of a name; NULL: all members. */
static bool walk_members(struct walk *w, const char *name)
{
	for (struct xlator *x = w->l->xlators; x; x = x->next)
		for (unsigned int i = 0; i < x->nmembers; i++)
			if ((!name || strcmp(x->members[i].name, name) == 0) &&
			    walk_named(w, x->members[i].expr))
				return true;
	return false;
}

/* Returns true if another clause reads the variable or aggregation that an lvalue is a part of. */
static bool is_read(const struct walk *w, const struct expr *x)
{
	const struct ident *id;

	while (x->kind == EXPR_INDEX || x->kind == EXPR_MEMBER)
		x = x->x;
	if (x->kind != EXPR_IDENT && x->kind != EXPR_AGG)
		return false;
	id = find(w, x);
	return id && id->kind <= IDENT_AGG && id->is_read;
}

/* `args[n]` without a member is a translated object as a whole. */
static bool is_args(const struct expr *e)
{
	return e->kind == EXPR_INDEX && e->x && e->x->kind == EXPR_IDENT && e->x->name &&
	       strcmp(e->x->name, "args") == 0;
}

/* The name of an array is an address, to which `bcopy` and pointers write. */
static bool is_address(const struct walk *w, const struct expr *e)
{
	const struct ident *id = e->kind == EXPR_IDENT ? find(w, e) : NULL;

	return id && id->kind <= IDENT_THIS && !id->is_assoc && type_is_array(id->type) &&
	       id->is_read;
}

static bool walk(struct walk *w, const struct expr *e)
{
	const struct expr *x = e ? e->x : NULL;

	if (!e)
		return false;
	if ((e->kind == EXPR_ASSIGN ||
	     (e->kind == EXPR_UNARY && (e->op >= OP_PREINC || e->op == OP_ADDROF))) &&
	    is_read(w, x))
		return true;
	if ((e->kind == EXPR_IDENT || e->kind == EXPR_CALL) && walk_inline(w, e))
		return true;
	if (is_address(w, e))
		return true;
	if (e->kind == EXPR_MEMBER) {
		if (walk_members(w, e->name))
			return true;
		if (is_args(x))
			e = x;
	} else if ((e->kind == EXPR_XLATE || is_args(e)) && walk_members(w, NULL)) {
		return true;
	}
	for (unsigned int i = 0; i < e->nargs; i++)
		if (walk(w, e->args[i]))
			return true;
	if (e->kind == EXPR_INDEX && x && x->kind == EXPR_IDENT)
		return walk_inline(w, x);
	return walk(w, e->x) || walk(w, e->y) || walk(w, e->z);
}

static bool walk_body(struct walk *w, const struct stmt *s)
{
	for (; s; s = s->next)
		if (walk(w, s->expr) || walk_body(w, s->then_body) || walk_body(w, s->else_body))
			return true;
	return false;
}

bool lang_assigns_read(struct lang *l, const struct clause *c)
{
	struct walk w = {.l = l, .seen = map_new()};
	bool is = walk(&w, c->pred) || walk_body(&w, c->body);

	map_free(w.seen);
	return is;
}
