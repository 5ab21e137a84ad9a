/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names.c: the session, its four name spaces, and the rules for entering names.
 *
 * Built-in names wait as rows until a program mentions them.  Their prototypes are D text and
 * parsed then.  Variables are numbered within their kind in the order of first mention.  The
 * lowering and the order of printing aggregations depend on it.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/nearest.h"
#include "lang/priv.h"
#include "lang/version.h"

#define NAMES_MAX 32768 /* variables of one kind */

struct lang *lang_new(struct arena *a, struct intern *names, struct types *types,
		      struct diags *diags, const struct lang_env *env)
{
	struct lang *l = arena_new_obj(a, struct lang);
	struct loc none = {0};
	struct ident *null;

	l->arena = a;
	l->names = names;
	l->types = types;
	l->diags = diags;
	l->env = env;
	l->rows = map_new();
	l->externs = map_new();
	for (int i = 0; i < SCOPE_MAX; i++)
		l->scopes[i] = map_new();
	l->xlators_end = &l->xlators;
	null = names_add(l, IDENT_INLINE, intern_str(names, "NULL"), none);
	null->type = type_int(types, 4, true);
	null->expr = expr_int(l, none, 0, null->type);
	null->size = size_named(l, null->expr, NULL, 0);
	null->is_library = true;
	l->args = names_add(l, IDENT_BUILTIN, intern_str(names, "args"), none);
	l->args->type = type_array(types, type_int(types, 8, true), 1);
	l->args->is_library = true;
	return l;
}

void lang_free(struct lang *l)
{
	if (!l)
		return;
	map_free(l->rows);
	map_free(l->externs);
	for (int i = 0; i < SCOPE_MAX; i++)
		map_free(l->scopes[i]);
	missed_free(l);
	for (int i = 0; i <= IDENT_NATIVE; i++)
		vec_free(&l->lists[i]);
	vec_free(&l->stacks);
}

void lang_add_rows(struct lang *l, const struct lang_row *rows, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		map_set_str(l->rows, rows[i].name, (void *)&rows[i]);
}

const char *lang_option(struct lang *l, const char *name)
{
	return l->env->getopt ? l->env->getopt(l->env->ctx, name) : NULL;
}

const char *lang_type(struct lang *l, const struct type *t)
{
	struct buf b = {0};
	const char *s;

	type_print(&b, t);
	s = arena_strdup(l->arena, buf_str(&b));
	buf_free(&b);
	return s;
}

bool lang_is_too_new(struct lang *l, const char *version)
{
	const char *limit = lang_option(l, "version");
	uint32_t is, most;

	return version && !l->in_library && version_parse(version, &is) &&
	       version_parse(limit ? limit : VERSION_LATEST, &most) && is > most;
}

const char *lang_meant(struct lang *l, const struct nearest *n)
{
	return n->best ? arena_printf(l->arena, "; did you mean %s?", n->best) : "";
}

int expr_scope(const struct expr *e)
{
	return e->is_self ? SCOPE_SELF : e->is_this ? SCOPE_THIS : SCOPE_GLOBAL;
}

const char *names_nearest(struct lang *l, int scope, const char *name)
{
	const struct map *maps[] = {l->scopes[scope], scope == SCOPE_GLOBAL ? l->rows : NULL};
	struct nearest near = {.word = name};
	const void *key;

	for (unsigned int i = 0; i < 2 && maps[i]; i++) {
		size_t pos = 0, len;

		while (map_next(maps[i], &pos, &key, &len)) {
			char *other = arena_strndup(l->arena, key, len);

			if (strcmp(other, name) != 0)
				nearest_try(&near, other);
		}
	}
	return lang_meant(l, &near);
}

static void apply_pending(struct lang *l, struct ident *id)
{
	for (struct pending *p = l->pending; p; p = p->next) {
		if (p->is_used || p->text || strcmp(p->name, id->name) != 0)
			continue;
		p->is_used = true;
		if (p->attr)
			id->attr = p->attr;
		else
			id->version = p->version;
	}
}

/* Makes the ident of a built-in name. */
static struct ident *enter_row(struct lang *l, const struct lang_row *row)
{
	struct loc none = {0};
	struct ident *id;
	bool in_library = l->in_library;

	map_del(l->rows, row->name, strlen(row->name));
	id = names_add(l, row->kind, intern_str(l->names, row->name), none);
	id->row = row;
	id->version = version_since(row->name);
	id->is_library = true;
	id->type = type_void(l->types);
	l->in_library = true;
	if (row->proto && !parse_proto(l, id, row->proto)) {
		map_del(l->scopes[SCOPE_GLOBAL], row->name, strlen(row->name));
		id = NULL;
	}
	l->in_library = in_library;
	return id;
}

const struct lang_row *names_row(struct lang *l, const char *name)
{
	const struct lang_row *row = map_get_str(l->rows, name);

	return row && row->flags & LANG_EXTENSION ? NULL : row;
}

struct ident *names_find(struct lang *l, int scope, const char *name)
{
	struct ident *id = map_get_str(l->scopes[scope], name);
	const struct lang_row *row;

	if (id && id->hides && l->in_library)
		id = id->hides;
	if (!id && scope == SCOPE_GLOBAL) {
		row = names_row(l, name);
		id = row ? enter_row(l, row) : NULL;
	}
	return id && lang_is_too_new(l, id->version) ? NULL : id;
}

struct ident *names_find_call(struct lang *l, const char *name)
{
	struct ident *id = names_find(l, SCOPE_GLOBAL, name);
	const struct lang_row *row = id ? NULL : map_get_str(l->rows, name);

	return row ? enter_row(l, row) : id;
}

static int scope_of(enum ident_kind kind)
{
	switch (kind) {
	case IDENT_SELF:
		return SCOPE_SELF;
	case IDENT_THIS:
		return SCOPE_THIS;
	case IDENT_AGG:
		return SCOPE_AGG;
	case IDENT_GLOBAL:
	case IDENT_BUILTIN:
	case IDENT_FUNC:
	case IDENT_ACTION:
	case IDENT_AGGFUNC:
	case IDENT_INLINE:
	case IDENT_KSYM:
	case IDENT_USYM:
	case IDENT_ENUM:
	case IDENT_PARAM:
	case IDENT_NATIVE:
		break;
	}
	return SCOPE_GLOBAL;
}

struct ident *names_add(struct lang *l, enum ident_kind kind, const char *name, struct loc loc)
{
	struct ident *id = arena_new_obj(l->arena, struct ident);

	id->kind = kind;
	id->name = name;
	id->loc = loc;
	id->is_library = l->in_library;
	id->id = l->lists[kind].n;
	if (id->id == NAMES_MAX)
		diag(l->diags, loc, D_ID_OFLOW, "too many variables of this kind: %s", name);
	vec_push(&l->lists[kind], id);
	map_set_str(l->scopes[scope_of(kind)], name, id);
	if (kind != IDENT_SELF && kind != IDENT_THIS && kind != IDENT_AGG)
		apply_pending(l, id);
	return id;
}

struct ident *names_param(struct lang *l, const char *name, struct type *type, struct loc loc)
{
	struct ident *id = arena_new_obj(l->arena, struct ident);

	id->kind = IDENT_PARAM;
	id->name = name;
	id->type = type;
	id->loc = loc;
	return id;
}

const char *names_kind(const struct ident *id)
{
	static const char *const words[] = {
	    [IDENT_GLOBAL] = "a global variable",
	    [IDENT_SELF] = "a thread-local variable",
	    [IDENT_THIS] = "a clause-local variable",
	    [IDENT_AGG] = "an aggregation",
	    [IDENT_BUILTIN] = "a built-in variable",
	    [IDENT_FUNC] = "a function",
	    [IDENT_ACTION] = "an action",
	    [IDENT_AGGFUNC] = "an aggregating function",
	    [IDENT_INLINE] = "an inline",
	    [IDENT_KSYM] = "an external symbol",
	    [IDENT_USYM] = "a user symbol",
	    [IDENT_ENUM] = "an enumerator",
	    [IDENT_PARAM] = "a parameter",
	    [IDENT_NATIVE] = "an argument",
	};

	return id->is_assoc ? "an associative array" : words[id->kind];
}

static bool same_keys(struct lang *l, const struct ident *id, struct type **keys, unsigned int n)
{
	if (id->nkeys != n)
		return false;
	for (unsigned int i = 0; i < n; i++)
		if (!type_compatible(l->types, id->keys[i], keys[i]))
			return false;
	return true;
}

/* A second declaration must match the first. */
static bool redeclare(struct lang *l, struct ident *id, enum ident_kind kind, struct type *type,
		      struct type **keys, unsigned int nkeys, bool is_assoc, struct loc loc)
{
	if (id->kind != kind || id->is_assoc != is_assoc)
		return diag(l->diags, loc, D_DECL_IDRED,
			    "identifier redeclared: %s\n\t current: %s"
			    "\n\tprevious: %s",
			    id->name, is_assoc ? "an associative array" : "a variable",
			    names_kind(id));
	if (id->type && type_base(id->type) != type_base(type))
		return diag(l->diags, loc, D_DECL_IDRED,
			    "identifier redeclared with another type: %s\n\t current: %s"
			    "\n\tprevious: %s",
			    id->name, lang_type(l, type), lang_type(l, id->type));
	if (is_assoc && id->keys_known && !same_keys(l, id, keys, nkeys))
		return diag(l->diags, loc, D_DECL_IDRED,
			    "associative array redeclared with another key signature: %s",
			    id->name);
	return true;
}

struct ident *names_declare(struct lang *l, enum ident_kind kind, const char *name,
			    struct type *type, struct type **keys, unsigned int nkeys,
			    bool is_assoc, struct loc loc)
{
	struct ident *id = names_find(l, scope_of(kind), name);

	assert(kind == IDENT_GLOBAL || kind == IDENT_SELF || kind == IDENT_THIS);
	if (id && !redeclare(l, id, kind, type, keys, nkeys, is_assoc, loc))
		return NULL;
	if (!id)
		id = names_add(l, kind, name, loc);
	id->type = type;
	if (is_assoc) {
		id->is_assoc = id->keys_known = true;
		id->keys = keys;
		id->nkeys = nkeys;
	}
	return id;
}

struct ident *lang_ident(struct lang *l, enum ident_kind kind, unsigned int i)
{
	assert(i < l->lists[kind].n);
	return l->lists[kind].a[i];
}

unsigned int lang_nidents(struct lang *l, enum ident_kind kind)
{
	return l->lists[kind].n;
}

const struct expr *lang_stack(struct lang *l, unsigned int i)
{
	return l->stacks.a[i];
}

unsigned int lang_nstacks(struct lang *l)
{
	return l->stacks.n;
}
