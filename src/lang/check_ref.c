/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_ref.c: resolves names, members and indexes.  A variable comes into being by its first
 * assignment (man/d.7, VARIABLES).
 *
 * A name without an entry is D_IDENT_UNDEF; one that was entered but never got a type is
 * D_VAR_UNDEF.  Any use of self->x or this->x enters it.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/intern.h"
#include "base/nearest.h"
#include "lang/priv.h"

/* ---- symbols ---- */

static void set_ksym(struct check *ck, struct expr *e, struct ident *id)
{
	stab_use_kernel(ck);
	e->ident = id;
	e->type = id->type;
	e->is_lvalue = true;
}

static bool no_symbol(struct check *ck, const struct expr *e)
{
	const struct lang_env *env = ck->l->env;
	const char *tick = strrchr(e->name, '`');

	return diag(ck->l->diags, e->loc, D_IDENT_UNDEF, "failed to resolve %s: no such symbol%s",
		    e->name, env->no_ksym ? env->no_ksym(env->ctx, tick ? tick + 1 : e->name) : "");
}

/* With option knodefs or unodefs a missing symbol is an int at address 0. */
static bool check_no_symbol(struct check *ck, struct expr *e, bool is_user)
{
	struct ident *id;

	if (!lang_option(ck->l, is_user ? "unodefs" : "knodefs"))
		return no_symbol(ck, e);
	id = names_add(ck->l, IDENT_KSYM, e->name, e->loc);
	id->type = type_int(ck->l->types, 4, true);
	set_ksym(ck, e, id);
	return true;
}

static bool find_ksym(struct lang *l, const char *mod, const char *name, struct ident *id)
{
	struct lang_ksym sym = {0};
	const struct ident *declared = map_get_str(l->externs, name);

	if (!l->env->ksym || !l->env->ksym(l->env->ctx, mod, name, &sym))
		return false;
	if (!sym.type && !id->type && !declared && l->env->debug_type)
		sym.type = l->env->debug_type(l->env->ctx, mod, name);
	id->addr = sym.addr;
	id->is_percpu = sym.is_percpu;
	if (!id->type)
		id->type = sym.type   ? sym.type
			   : declared ? declared->type
				      : type_lookup(l->types, "uintptr_t");
	return true;
}

/*
 * If the kernel has no symbol x and an inline kernel_x exists, renames the expression `x to
 * kernel_x and returns true.
 */
static bool find_stand_in(struct lang *l, struct expr *e)
{
	const char *tick = strrchr(e->name, '`');
	struct ident *id, found = {0};
	const char *name;

	if (!tick || (tick > e->name && tick[-1] == '`'))
		return false;
	name = intern_str(l->names, arena_printf(l->arena, LANG_STAND_IN "%s", tick + 1));
	id = names_find(l, SCOPE_GLOBAL, name);
	if (!id || id->kind != IDENT_INLINE ||
	    find_ksym(l, NULL, intern_str(l->names, tick + 1), &found))
		return false;
	e->name = name;
	return true;
}

/*
 * A variable of an object of the traced process, a.out`x, becomes
 * `*pointer`, where the pointer is an identifier (IDENT_USYM).  In other processes the pointer is
 * NULL.
 */
static bool use_object(struct check *ck, struct expr *e, struct ident *id)
{
	struct expr *pointer = arena_new_obj(ck->l->arena, struct expr);

	*pointer = (struct expr){
	    .kind = EXPR_IDENT, .loc = e->loc, .name = e->name, .ident = id, .type = id->type};
	e->kind = EXPR_UNARY;
	e->op = OP_DEREF;
	e->x = pointer;
	e->type = type_base(id->type)->to;
	e->is_lvalue = true;
	return true;
}

static bool check_object_symbol(struct check *ck, struct expr *e, const struct lang_usym *sym)
{
	struct lang *l = ck->l;
	struct ident *id;

	if (sym->why && lang_option(l, "unodefs"))
		return check_no_symbol(ck, e, true);
	if (sym->why)
		return diag(l->diags, e->loc, D_IDENT_UNDEF, "failed to resolve %s: %s", e->name,
			    sym->why);
	if (!sym->type)
		return diag(l->diags, e->loc, D_SYM_NOTYPES,
			    "no symbolic type information is available for %s", e->name);
	id = names_add(l, IDENT_USYM, e->name, e->loc);
	id->type = type_userland(l->types, type_ptr(l->types, sym->type));
	id->addr = sym->addr;
	id->pid = sym->pid;
	return use_object(ck, e, id);
}

/* mod`x, `x: a variable of the process, a symbol of the kernel, else an enumerator. */
static bool check_symbol(struct check *ck, struct expr *e)
{
	struct lang *l = ck->l;
	const char *tick = strrchr(e->name, '`'), *name = intern_str(l->names, tick + 1);
	bool is_user = tick > e->name && tick[-1] == '`';
	size_t modlen = (size_t)(tick - e->name) - is_user;
	const char *mod = modlen ? intern_mem(l->names, e->name, modlen) : NULL;
	struct ident *id = map_get_str(l->scopes[SCOPE_GLOBAL], e->name);
	struct lang_usym usym = {0};
	struct ident found = {0};
	struct type *type;
	int64_t val;

	if (id && id->kind == IDENT_USYM)
		return use_object(ck, e, id);
	if (!id && mod && l->env->usym && l->env->usym(l->env->ctx, mod, name, &usym))
		return check_object_symbol(ck, e, &usym);
	if (id) {
		set_ksym(ck, e, id);
		return true;
	}
	if (find_ksym(l, mod, name, &found)) {
		if (is_user)
			return diag(l->diags, e->loc, D_SYM_BADREF,
				    "kernel symbol %s is referenced as a user symbol", name);
		id = names_add(l, IDENT_KSYM, e->name, e->loc);
		id->type = found.type;
		id->addr = found.addr;
		id->is_percpu = found.is_percpu;
		set_ksym(ck, e, id);
		return true;
	}
	type = is_user ? NULL : type_enumerator(l->types, name, &val);
	if (!type)
		return check_no_symbol(ck, e, is_user);
	check_set_int(e, (uint64_t)val, type);
	return true;
}

/* A declared extern symbol gets its address at its first use. */
static bool check_extern(struct check *ck, struct expr *e, struct ident *id)
{
	if (!id->addr && !find_ksym(ck->l, NULL, id->name, id) && !lang_option(ck->l, "knodefs"))
		return no_symbol(ck, e);
	set_ksym(ck, e, id);
	return true;
}

/* ---- names ---- */

static struct ident *find(struct check *ck, const struct expr *e)
{
	return names_find(ck->l, expr_scope(e), e->name);
}

static bool is_variable(const struct ident *id)
{
	return id->kind == IDENT_GLOBAL || id->kind == IDENT_SELF || id->kind == IDENT_THIS;
}

static enum ident_kind variable_kind(const struct expr *e)
{
	return e->is_self ? IDENT_SELF : e->is_this ? IDENT_THIS : IDENT_GLOBAL;
}

static const char *prefix(const struct expr *e)
{
	return e->is_self ? "self->" : e->is_this ? "this->" : "";
}

static bool bad_ref(struct check *ck, const struct expr *e, const char *why)
{
	return diag(ck->l->diags, e->loc, D_IDENT_BADREF, "%s%s %s", prefix(e), e->name, why);
}

static bool undefined(struct check *ck, const struct expr *e)
{
	return diag(ck->l->diags, e->loc, D_VAR_UNDEF,
		    "%s%s has not yet been declared or assigned%s", prefix(e), e->name,
		    missed_or_meant(ck->l, expr_scope(e), e->name));
}

static bool check_variable(struct check *ck, struct expr *e, struct ident *id)
{
	if (id->is_assoc)
		return bad_ref(ck, e, "is an associative array and needs its keys");
	if (!id->type)
		return undefined(ck, e);
	e->ident = id;
	e->type = id->type;
	e->is_lvalue = e->is_writable = true;
	return true;
}

static bool use_inline(struct check *ck, struct expr *e, struct ident *id)
{
	if (id->keys_known)
		return bad_ref(ck, e, "is an inline that needs its arguments in []");
	if (id->expr->kind == EXPR_INT) {
		check_set_int(e, id->expr->val,
			      type_is_integer(id->type) ? id->expr->type : id->type);
		return true;
	}
	e->ident = id;
	e->type = id->type;
	e->xlator = id->expr->xlator;
	e->xsrc = id->expr->xsrc;
	return true;
}

static bool use_builtin(struct check *ck, struct expr *e, struct ident *id)
{
	static const char *const fields[] = {"probeprov", "probemod", "probefunc", "probename"};

	for (unsigned int i = 0; i < 4; i++)
		if (strcmp(e->name, fields[i]) == 0)
			stab_use_probe(ck, i);
	if (id->keys_known || type_is_array(id->type))
		return bad_ref(ck, e, "is an array and needs an index");
	e->ident = id;
	e->type = id->type;
	e->is_lvalue = true;
	return true;
}

/* Reports an unknown name.  Libraries may use the kernel's enumerators without a prefix. */
static bool unknown_name(struct check *ck, struct expr *e)
{
	struct lang *l = ck->l;
	struct type *t;
	int64_t val;

	if (l->in_library) {
		t = type_enumerator(l->types, e->name, &val);
		if (t) {
			check_set_int(e, (uint64_t)val, t);
			return true;
		}
	}
	/* The name is a type, so this is no expression. */
	if (type_lookup(l->types, e->name))
		return diag(l->diags, e->loc, D_SYNTAX, "syntax error near \"%s\"", e->name);
	return diag(l->diags, e->loc, D_IDENT_UNDEF,
		    "failed to resolve %s: unknown variable name%s", e->name,
		    missed_or_meant(l, SCOPE_GLOBAL, e->name));
}

bool check_ident(struct check *ck, struct expr *e)
{
	struct ident *id;

	if (!e->is_self && !e->is_this && strchr(e->name, '`') && !find_stand_in(ck->l, e))
		return check_symbol(ck, e);
	id = find(ck, e);
	if (!id && !e->is_self && !e->is_this) {
		id = map_get_str(ck->l->externs, e->name);
		return id ? check_extern(ck, e, id) : unknown_name(ck, e);
	}
	if (!id)
		id = names_add(ck->l, variable_kind(e), e->name, e->loc);
	stab_use(ck, stab_of(ck->l, id));
	switch (id->kind) {
	case IDENT_GLOBAL:
	case IDENT_SELF:
	case IDENT_THIS:
		return check_variable(ck, e, id);
	case IDENT_INLINE:
		return use_inline(ck, e, id);
	case IDENT_BUILTIN:
		return use_builtin(ck, e, id);
	case IDENT_ENUM:
		check_set_int(e, id->addr, id->type);
		return true;
	case IDENT_PARAM:
	case IDENT_NATIVE:
		e->ident = id;
		e->type = id->type;
		return true;
	case IDENT_FUNC:
	case IDENT_ACTION:
	case IDENT_AGGFUNC:
	case IDENT_AGG:
	case IDENT_KSYM:
	case IDENT_USYM:
		break;
	}
	return bad_ref(ck, e, "is not a variable");
}

/* ---- keys ---- */

static bool check_key(struct check *ck, struct expr *k, bool is_agg)
{
	struct lang *l = ck->l;

	if (!check_expr(ck, k))
		return false;
	if (is_agg && check_is_key_action(k))
		return true;
	if (type_is_void(k->type) || type_is_dyn(k->type) ||
	    (k->xlator && type_is_pointer(k->type)) || type_base(k->type)->kind == TYPE_FUNC)
		return diag(l->diags, k->loc, D_KEY_TYPE,
			    "an expression of type %s may not be used as a key",
			    lang_type(l, k->type));
	if (check_is_action(k) && !ck->misplaced)
		ck->misplaced = k;
	return xlate_whole(ck, k);
}

/* Returns the type that a key is stored as: arrays of characters are strings, others addresses. */
static struct type *key_type(struct lang *l, struct type *t)
{
	if (!type_is_array(t))
		return t;
	if (type_is_stringlike(t))
		return type_string(l->types);
	return type_ptr(l->types, type_base(t)->to);
}

bool check_keys(struct check *ck, struct expr *e, struct ident *id, const char *what)
{
	struct lang *l = ck->l;
	bool is_agg = id->kind == IDENT_AGG;

	for (unsigned int i = 0; i < e->nargs; i++)
		if (!check_key(ck, e->args[i], is_agg))
			return false;
	if (!id->keys_known) {
		id->keys_known = true;
		id->nkeys = e->nargs;
		id->keys = arena_new_arr(l->arena, struct type *, e->nargs + 1);
		for (unsigned int i = 0; i < e->nargs; i++)
			id->keys[i] = key_type(l, e->args[i]->type);
	}
	if (id->nkeys != e->nargs)
		return diag(l->diags, e->loc, D_PROTO_LEN,
			    "%s %s%s prototype mismatch: %u key%s passed, %u expected", what,
			    is_agg ? "@" : "", id->name, e->nargs, e->nargs == 1 ? "" : "s",
			    id->nkeys);
	for (unsigned int i = 0; i < e->nargs; i++) {
		if (!check_param(l, id->keys[i], e->args[i]))
			return diag(l->diags, e->args[i]->loc, D_PROTO_ARG,
				    "%s %s%s key #%u is incompatible with prototype:\n"
				    "\tprototype: %s\n\t argument: %s",
				    what, is_agg ? "@" : "", id->name, i + 1,
				    lang_type(l, id->keys[i]), lang_type(l, e->args[i]->type));
	}
	return true;
}

/* ---- indexes ---- */

/* FIRST is the type that the first assignment gives the array, once the keys are right; or NULL. */
static bool check_assoc(struct check *ck, struct expr *e, struct ident *id, struct type *first)
{
	if (!check_keys(ck, e, id, "associative array"))
		return false;
	if (first)
		id->type = first;
	if (!id->type)
		return undefined(ck, e->x);
	stab_use(ck, stab_of(ck->l, id));
	e->ident = e->x->ident = id;
	e->type = e->x->type = id->type;
	e->is_lvalue = e->is_writable = true;
	return true;
}

/* Checks name[args] of an inline.  A translated object keeps no reference to the parameters. */
static bool check_inline_index(struct check *ck, struct expr *e, struct ident *id)
{
	struct lang *l = ck->l;

	e->ident = id;
	e->name = id->name;
	stab_use(ck, stab_of(l, id));
	if (!check_proto(ck, e, id))
		return false;
	e->type = e->x->type = id->type;
	e->x->ident = id;
	e->xlator = id->expr->xlator;
	if (id->expr->xsrc)
		e->xsrc = expr_subst(l, id->expr->xsrc, id->params, e->args, id->nkeys);
	if (id->expr->kind == EXPR_INT)
		check_set_int(e, id->expr->val, id->type);
	return true;
}

/* Checks uregs[R_x]. */
static bool check_builtin_index(struct check *ck, struct expr *e, struct ident *id)
{
	struct lang *l = ck->l;
	const struct type *t = type_base(id->type);
	uint64_t limit = t->kind == TYPE_ARRAY ? t->nelem : 0;

	if (e->nargs != 1)
		return diag(l->diags, e->loc, D_PROTO_LEN, "%s[ ] takes one index, %u were passed",
			    id->name, e->nargs);
	if (!check_operand(ck, e->args[0]))
		return false;
	if (!type_is_integer(e->args[0]->type))
		return diag(l->diags, e->loc, D_PROTO_ARG, "index of %s[ ] is not an integer: %s",
			    id->name, lang_type(l, e->args[0]->type));
	if (e->args[0]->kind == EXPR_INT && limit && e->args[0]->val >= limit)
		return diag(l->diags, e->loc, D_REGS_IDX,
			    "index %" PRId64 " is out of range for %s[ ]", (int64_t)e->args[0]->val,
			    id->name);
	stab_use(ck, stab_of(l, id));
	e->ident = e->x->ident = id;
	e->type = t->kind == TYPE_ARRAY ? t->to : id->type;
	e->x->type = id->type;
	e->is_lvalue = true;
	return true;
}

/*
 * Checks a constant index of an array that is a variable or a member.  Member arrays of one or no
 * element stand for longer ones and have no bound.  The address of the end may be taken.
 */
static bool within(struct check *ck, struct expr *e, uint64_t nelem)
{
	const struct expr *x = e->x, *i = e->args[0];
	bool is_var = x->kind == EXPR_IDENT && x->ident && is_variable(x->ident);

	if (i->kind != EXPR_INT || (!is_var && (x->kind != EXPR_MEMBER || nelem < 2)) ||
	    i->val < nelem || (i->val == nelem && e == ck->addressed))
		return true;
	return diag(ck->l->diags, e->loc, D_ARR_BOUNDS,
		    "index %" PRId64 " is out of bounds: %s%s has %" PRIu64 " elements",
		    (int64_t)i->val, prefix(x), x->name, nelem);
}

/* Checks x[i] as *(x + i). */
static bool check_pointer_index(struct check *ck, struct expr *e)
{
	struct lang *l = ck->l;
	const struct type *t;
	struct type *elem;

	if (!check_operand(ck, e->x))
		return false;
	t = type_base(e->x->type);
	if (e->nargs > 1)
		return diag(l->diags, e->loc, D_ARR_BADREF,
			    "cannot access %s as an associative array", lang_type(l, e->x->type));
	if (t->kind != TYPE_PTR && t->kind != TYPE_ARRAY && t->kind != TYPE_STRING) {
		if (e->x->kind == EXPR_IDENT)
			return bad_ref(ck, e->x, "is not an array or pointer");
		return diag(l->diags, e->loc, D_DEREF_NONPTR,
			    "cannot dereference a value that is not a pointer: %s",
			    lang_type(l, e->x->type));
	}
	elem = t->kind == TYPE_STRING ? type_int(l->types, 1, true) : t->to;
	if (type_base(elem)->kind == TYPE_VOID)
		return diag(l->diags, e->loc, D_DEREF_VOID, "cannot dereference a pointer to void");
	if (type_base(elem)->kind == TYPE_FUNC)
		return diag(l->diags, e->loc, D_DEREF_FUNC,
			    "cannot dereference a pointer to a function");
	if (!check_operand(ck, e->args[0]))
		return false;
	if (!type_is_integer(e->args[0]->type))
		return diag(l->diags, e->loc, D_OP_INCOMPAT, "index of type %s is not an integer",
			    lang_type(l, e->args[0]->type));
	if (t->kind == TYPE_ARRAY && !within(ck, e, t->nelem))
		return false;
	e->type = elem;
	e->is_lvalue = true;
	e->is_writable = t->kind == TYPE_PTR || e->x->is_writable;
	check_pointee(ck, e);
	return true;
}

bool check_index(struct check *ck, struct expr *e)
{
	struct expr *x = e->x;
	struct ident *id;

	if (x->kind == EXPR_AGG)
		return diag(ck->l->diags, e->loc, D_AGG_MDIM,
			    "improper use of aggregation @%s: it has one list of keys", x->name);
	if (x->kind != EXPR_IDENT)
		return check_pointer_index(ck, e);
	if (!x->is_self && !x->is_this)
		find_stand_in(ck->l, x);
	id = find(ck, x);
	if (id == ck->l->args)
		return xlate_args(ck, e);
	if (x->is_this && (!id || (!id->type && !id->is_assoc)))
		return diag(ck->l->diags, e->loc, D_ARR_LOCAL,
			    "clause-local variable may not be an associative array: %s", x->name);
	if (!id && x->is_self) {
		id = names_add(ck->l, IDENT_SELF, x->name, x->loc);
		id->is_assoc = true;
	}
	if (id && id->is_assoc)
		return check_assoc(ck, e, id, NULL);
	if (id && id->kind == IDENT_INLINE && id->keys_known)
		return check_inline_index(ck, e, id);
	if (id && id->kind == IDENT_BUILTIN && (id->keys_known || type_is_array(id->type)))
		return check_builtin_index(ck, e, id);
	if (id && (id->kind == IDENT_FUNC || id->kind == IDENT_ACTION || id->kind == IDENT_AGGFUNC))
		return bad_ref(ck, x, "is not an array");
	return check_pointer_index(ck, e);
}

/* ---- members ---- */

static const char *nearest_member(struct lang *l, struct type *t, const char *name)
{
	struct nearest near = {.word = name};

	t = type_resolve(l->types, t);
	for (unsigned int i = 0; i < t->nmembers; i++)
		if (t->members[i].name)
			nearest_try(&near, t->members[i].name);
	return lang_meant(l, &near);
}

/*
 * Returns true if an object is in memory of a process, as parameters of such classes are.  A copy
 * of it may lack its base classes.
 */
static bool is_pointed_to(const struct expr *x)
{
	while (x->kind == EXPR_MEMBER && !x->is_arrow && !x->steps)
		x = x->x;
	return x->is_native_arg || x->kind == EXPR_MEMBER ||
	       (x->kind == EXPR_UNARY && x->op == OP_DEREF) ||
	       (x->kind == EXPR_INDEX && !x->ident && type_is_pointer(x->x->type));
}

/* Finds a member of a virtual base class. */
static bool check_virtual(struct check *ck, struct expr *e, struct type *t)
{
	struct lang *l = ck->l;
	const struct type_member *m;

	e->steps = type_virtual(l->types, t, e->name, &m, &e->bit_off);
	if (!e->steps)
		return diag(l->diags, e->loc, D_TYPE_MEMBER, "%s is not a member of %s%s", e->name,
			    lang_type(l, t), nearest_member(l, t, e->name));
	if (!e->is_arrow && !is_pointed_to(e->x))
		return diag(
		    l->diags, e->loc, D_TYPE_MEMBER,
		    "%s is a member of a virtual base class of %s, which this copy may lack; "
		    "use a pointer to the object",
		    e->name, lang_type(l, t));
	e->type = m->type;
	e->bits = m->bits;
	e->is_lvalue = true;
	check_pointee(ck, e);
	return true;
}

bool check_member(struct check *ck, struct expr *e)
{
	struct lang *l = ck->l;
	struct expr *x = e->x;
	const struct type_member *m;
	struct type *t;

	if (!check_expr(ck, x))
		return false;
	t = x->type;
	if (e->is_arrow) {
		if (!type_is_pointer(t))
			return diag(l->diags, e->loc, D_OP_PTR,
				    "operator -> must be applied to a pointer: %s",
				    lang_type(l, t));
		t = (struct type *)type_base(t)->to;
	}
	if (!type_is_sou(t))
		return diag(l->diags, e->loc, D_OP_SOU,
			    "operator %s requires a struct or union: %s", e->is_arrow ? "->" : ".",
			    lang_type(l, t));
	if (x->xlator)
		return xlate_member(ck, e);
	if (type_is_incomplete(l->types, t))
		return diag(l->diags, e->loc, D_OP_INCOMPLETE,
			    "operator %s may not be applied to an incomplete type: %s",
			    e->is_arrow ? "->" : ".", lang_type(l, t));
	m = type_member(l->types, t, e->name, &e->bit_off);
	if (!m)
		return check_virtual(ck, e, t);
	e->type = m->type;
	e->bits = m->bits;
	e->is_lvalue = true;
	e->is_writable = e->is_arrow || x->is_writable;
	check_pointee(ck, e);
	return true;
}

/* ---- first assignments ---- */

/* Returns the type that the first value gives a variable; NULL: the value cannot be stored. */
static struct type *variable_type(struct lang *l, const struct expr *val)
{
	struct type *t = val->type;

	switch (type_base(t)->kind) {
	case TYPE_ARRAY:
		return type_is_stringlike(t) ? type_string(l->types)
					     : type_ptr(l->types, type_base(t)->to);
	case TYPE_FWD:
		return type_is_incomplete(l->types, t) ? NULL : t;
	case TYPE_FUNC:
	case TYPE_VOID:
	case TYPE_DYN:
	case TYPE_FLOAT:
	case TYPE_SYMADDR:
	case TYPE_USYMADDR:
		return NULL;
	case TYPE_INT:
	case TYPE_PTR:
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_ENUM:
	case TYPE_TYPEDEF:
	case TYPE_STRING:
	case TYPE_STACK:
		break;
	}
	return t;
}

static bool not_storable(struct check *ck, const struct expr *x, const struct expr *val)
{
	return diag(ck->l->diags, x->loc, D_OP_INCOMPAT,
		    "a value of type %s may not be assigned to a variable",
		    lang_type(ck->l, val->type));
}

static bool assign_element(struct check *ck, struct expr *e, const struct expr *val)
{
	struct expr *x = e->x;
	struct ident *id = find(ck, x);

	if (x->is_this && (!id || (!id->type && !id->is_assoc)))
		return check_index(ck, e);
	if (!id)
		id = names_add(ck->l, variable_kind(x), x->name, x->loc);
	if (is_variable(id) && !id->type) {
		struct type *t = variable_type(ck->l, val);

		if (!t)
			return not_storable(ck, e, val);
		id->is_assoc = true;
		return check_assoc(ck, e, id, t);
	}
	return check_index(ck, e);
}

bool check_assign_target(struct check *ck, struct expr *e, struct expr *val)
{
	struct ident *id;

	assert(val->type);
	if (e->kind == EXPR_INDEX && e->x->kind == EXPR_IDENT &&
	    (e->x->is_self || e->x->is_this || !strchr(e->x->name, '`')))
		return assign_element(ck, e, val);
	if (e->kind != EXPR_IDENT || (!e->is_self && !e->is_this && strchr(e->name, '`')))
		return check_operand(ck, e);
	id = find(ck, e);
	if (!id)
		id = names_add(ck->l, variable_kind(e), e->name, e->loc);
	if (is_variable(id) && !id->type && !id->is_assoc) {
		struct type *t = variable_type(ck->l, val);

		if (!t)
			return not_storable(ck, e, val);
		id->type = t;
	}
	return check_expr(ck, e);
}
