/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xlate.c: translators, and args[], which uses them (man/d.7, TRANSLATORS).
 *
 * A translated object is an expression with xlator and xsrc set.  It is computed as a whole only if
 * a structure is assigned.  `object.member` refers to the translator's expression for the member
 * (xmember), which mentions the translator's parameter.  The code that evaluates it binds the
 * parameter to xsrc.  The source of a member that is itself a translated object is the inner source
 * with the parameter replaced.  xsrc therefore never depends on an old binding.
 *
 * The expressions of library translators are checked at first use: most are never used.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/nearest.h"
#include "lang/priv.h"

static const struct type *struct_of(struct lang *l, struct type *t)
{
	return type_resolve(l->types, t);
}

static bool is_void_pointer(const struct type *t)
{
	return type_is_pointer(t) && type_is_void(type_base(t)->to);
}

static bool is_candidate(struct lang *l, const struct xlator *x, struct type *out)
{
	return struct_of(l, x->out) == struct_of(l, out) && !lang_is_too_new(l, x->version);
}

struct xlator *xlate_find(struct lang *l, struct type *out, struct type *in)
{
	struct xlator *x;

	for (x = l->xlators; x; x = x->next)
		if (x->out == out && x->in == in && is_candidate(l, x, out))
			return x;
	for (x = l->xlators; x; x = x->next)
		if (is_candidate(l, x, out) && type_base(x->in) == type_base(in))
			return x;
	for (x = l->xlators; x; x = x->next) {
		if (!is_candidate(l, x, out))
			continue;
		if (type_is_integer(x->in) != type_is_integer(in))
			continue;
		if (type_compatible(l->types, x->in, in) && !is_void_pointer(x->in) &&
		    !is_void_pointer(in))
			return x;
	}
	return NULL;
}

/* Checks member m once, with the parameter as a name. */
static bool check_xmember(struct lang *l, struct xlator *x, struct xmember *m)
{
	struct check ck = {.l = l};
	const char *name = x->param->name;
	struct map *globals = l->scopes[SCOPE_GLOBAL];
	void *saved = map_get_str(globals, name);
	bool in_library = l->in_library, ok;
	const char *where = l->diags->where;

	if (m->checked)
		return m->expr->type != NULL;
	m->checked = true;
	l->in_library = x->loc.src && x->loc.src->is_library;
	l->diags->where = NULL;
	map_set_str(globals, name, x->param);
	ok = check_expr(&ck, m->expr);
	if (ok && check_is_action(m->expr))
		ck.misplaced = m->expr;
	ok = ok && check_misplaced(&ck);
	if (ok && !type_is_dyn(m->expr->type))
		ok =
		    check_init_value(l, &m->expr, m->type) ||
		    diag(l->diags, m->expr->loc, D_XLATE_INCOMPAT,
			 "translator member %s definition uses incompatible types: \"%s\" = \"%s\"",
			 m->name, lang_type(l, m->type), lang_type(l, m->expr->type));
	if (saved)
		map_set_str(globals, name, saved);
	else
		map_del(globals, name, strlen(name));
	l->in_library = in_library;
	l->diags->where = where;
	m->attr = ck.attr;
	m->size = size_named(l, m->expr, &x->param, 1);
	if (!ok || !size_check(l, m->expr))
		m->expr->type = NULL;
	return m->expr->type != NULL;
}

void xlate_define(struct lang *l, struct xlator *x)
{
	x->version = l->xlator_version;
	l->xlator_version = NULL;
	for (struct xlator *o = l->xlators; o; o = o->next)
		if (struct_of(l, o->out) == struct_of(l, x->out) &&
		    type_base(o->in) == type_base(x->in)) {
			diag(l->diags, x->loc, D_XLATE_REDECL,
			     "translator from %s to %s has been declared already",
			     lang_type(l, x->in), lang_type(l, x->out));
			return;
		}
	for (unsigned int i = 0; !l->in_library && i < x->nmembers; i++)
		if (!check_xmember(l, x, &x->members[i]))
			return;
	assert(!x->next);
	*l->xlators_end = x;
	l->xlators_end = &x->next;
}

bool check_xlate(struct check *ck, struct expr *e)
{
	struct lang *l = ck->l;
	struct type *to = e->tname->type, *out = to;

	if (!check_expr(ck, e->x))
		return false;
	if (type_is_pointer(out))
		out = (struct type *)type_base(out)->to;
	e->xlator = xlate_find(l, out, e->x->type);
	if (!e->xlator && e->x->xlator && struct_of(l, e->x->xlator->out) == struct_of(l, out)) {
		/* args[] has translated it already.  Other callers have the native type. */
		e->xlator = e->x->xlator;
		e->xsrc = e->x->xsrc;
		e->type = to;
		return true;
	}
	if (!e->xlator)
		return diag(l->diags, e->loc, D_XLATE_NONE,
			    "translator from %s to %s is not defined", lang_type(l, e->x->type),
			    lang_type(l, out));
	for (unsigned int i = 0; i < e->xlator->nmembers; i++)
		stab_use(ck, e->xlator->members[i].attr);
	e->type = to;
	e->xsrc = check_convert(l, e->x, e->xlator->in);
	return true;
}

static bool no_member(struct lang *l, const struct expr *e, const struct xlator *xl)
{
	struct nearest near = {.word = e->name};

	for (unsigned int i = 0; i < xl->nmembers; i++)
		nearest_try(&near, xl->members[i].name);
	return diag(l->diags, e->loc, D_XLATE_NOCONV,
		    "translator does not define conversion for member: %s%s", e->name,
		    lang_meant(l, &near));
}

bool xlate_member(struct check *ck, struct expr *e)
{
	struct lang *l = ck->l;
	struct expr *x = e->x;
	struct xlator *xl = x->xlator;
	struct xmember *m = NULL;

	assert(x->xsrc);
	for (unsigned int i = 0; i < xl->nmembers; i++)
		if (strcmp(xl->members[i].name, e->name) == 0)
			m = &xl->members[i];
	if (!m)
		return no_member(l, e, xl);
	if (!check_xmember(l, xl, m))
		return false;
	e->xmember = m;
	e->type = m->type;
	e->bit_off = m->bit_off;
	if (m->expr->xlator) {
		e->xlator = m->expr->xlator;
		e->xsrc = expr_subst(l, m->expr->xsrc, &xl->param, &x->xsrc, 1);
	}
	return true;
}

/* Makes all members of a translated object whose value is used as a whole structure. */
bool xlate_whole(struct check *ck, struct expr *e)
{
	struct arena *a = ck->l->arena;
	struct xlator *x = e->xlator;

	if (!x || e->whole || !type_is_sou(e->type))
		return true;
	e->whole = arena_alloc(a, x->nmembers * sizeof(*e->whole));
	for (unsigned int i = 0; i < x->nmembers; i++) {
		struct expr *m = e->whole[i] = arena_new_obj(a, struct expr);

		*m = (struct expr){
		    .kind = EXPR_MEMBER, .loc = e->loc, .x = e, .name = x->members[i].name};
		if (!xlate_member(ck, m) || !xlate_whole(ck, m))
			return false;
	}
	return true;
}

/* ---- args[] ---- */

static bool arg_number(struct check *ck, struct expr *e, unsigned int *n)
{
	struct lang *l = ck->l;
	struct lang_args *args = ck->args;
	struct expr *i;

	if (!args)
		return diag(l->diags, e->loc, D_ARGS_NONE,
			    "args[ ] may not be referenced because there is no probe here");
	if (args->is_late)
		l->env->late_args(l->env->ctx, ck->clause->probes, args);
	if (args->is_multi)
		return diag(l->diags, e->loc, D_ARGS_MULTI,
			    "args[ ] may not be referenced because the probe description matches "
			    "an unstable set of probes");
	if (e->nargs != 1)
		return diag(l->diags, e->loc, D_PROTO_LEN,
			    "args[ ] takes one index, %u were passed", e->nargs);
	i = e->args[0];
	if (!check_operand(ck, i))
		return false;
	if (i->kind != EXPR_INT || !type_is_integer(i->type))
		return diag(l->diags, e->loc, D_PROTO_ARG,
			    "index of args[ ] must be an integer constant");
	if (i->val >= args->nxlated)
		return diag(l->diags, e->loc, D_ARGS_IDX,
			    "index %" PRId64 " is out of range for args[ ]: the probe has %u%s%s",
			    (int64_t)i->val, args->nxlated, args->lacks ? ", because " : "",
			    args->lacks ? args->lacks : "");
	*n = (unsigned int)i->val;
	return true;
}

static void set_native(struct expr *e, unsigned int native, struct type *t)
{
	e->is_native_arg = true;
	e->val = native;
	e->type = t;
	e->is_lvalue = false;
}

/* Returns true if a native argument can be used as its declared type without a translator. */
static bool is_same_arg(struct lang *l, const struct type *native, const struct type *t)
{
	if (type_base(native) == type_base(t))
		return true;
	if (type_is_integer(native) && type_is_integer(t))
		return true;
	if (type_is_stringlike(native) && type_is_stringlike(t))
		return true;
	return type_is_pointer(t) && type_is_pointer(native) &&
	       type_compatible(l->types, native, t);
}

bool xlate_args(struct check *ck, struct expr *e)
{
	struct lang *l = ck->l;
	struct type *native, *t, *out;
	unsigned int n = 0, from;
	struct expr *src;

	if (!arg_number(ck, e, &n))
		return false;
	from = ck->args->map ? ck->args->map[n] : n;
	t = ck->args->xlated[n];
	native = from < ck->args->nnative ? ck->args->native[from] : t;
	if (!native || !t)
		return diag(l->diags, e->loc, D_ARGS_TYPE, "type of args[%u] is not known", n);
	if (ck->args->unreadable && from < ck->args->nnative && ck->args->unreadable[from])
		return diag(l->diags, e->loc, D_ARGS_TYPE, "args[%u] cannot be read: %s", n,
			    ck->args->unreadable[from]);
	stab_use_probe(ck, 4);
	e->x->type = type_dyn(l->types);
	out = type_is_pointer(t) ? (struct type *)type_base(t)->to : t;
	e->xlator = type_base(native) == type_base(t) ? NULL : xlate_find(l, out, native);
	if (!e->xlator && is_same_arg(l, native, t)) {
		set_native(e, from, t);
		return true;
	}
	if (!e->xlator)
		return diag(l->diags, e->loc, D_ARGS_XLATOR,
			    "translator for args[%u] from %s to %s is not defined", n,
			    lang_type(l, native), lang_type(l, out));
	src = expr_copy(l, e);
	src->xlator = NULL;
	set_native(src, from, native);
	e->xsrc = src;
	e->type = t;
	return true;
}
