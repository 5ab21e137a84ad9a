/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hosted.c: clauses that use variables which several machines share.  Such a variable lives at the
 * host, and the clause runs there.  The machine that fires evaluates and sends every value that
 * does not depend on shared variables.  The host then runs the clause with these values in place of
 * the expressions.
 *
 * Assignments to thread-locals and actions on the thread stay where the clause fires.  ERROR fires
 * at the host for faults there, so the values that clauses of ERROR need are sent with every
 * clause.
 *
 * "There" means: on the machine where the clause fires.
 */
#include <string.h>

#include "base/dialect.h"
#include "lang/priv.h"

/* ---- expressions that can be evaluated where the clause fires ---- */

static bool is_there(const struct clause *c, const struct expr *e);

static bool are_there(const struct clause *c, struct expr *const *list, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		if (!is_there(c, list[i]))
			return false;
	return true;
}

/* A built-in variable of ERROR that differs from the one in the faulting clause. */
static bool is_word(const struct clause *c, const struct ident *id)
{
	return c->is_error && id->kind == IDENT_BUILTIN && id->row &&
	       id->row->flags & LANG_OF_PROBE;
}

static bool ident_is_there(const struct clause *c, const struct ident *id)
{
	switch (id->kind) {
	case IDENT_GLOBAL:
	case IDENT_THIS:
		return !id->is_hosted;
	case IDENT_INLINE:
		return is_there(c, id->expr);
	default:
		return !is_word(c, id);
	}
}

/* The host numbers speculations, because it keeps their records. */
static bool call_is_there(const struct clause *c, const struct expr *e)
{
	const struct ident *id = e->ident;

	if (id->kind == IDENT_ACTION && !type_is_stack(e->type))
		return false;
	return strcmp(id->name, "speculation") != 0 && are_there(c, e->args, e->nargs);
}

static bool member_is_there(const struct clause *c, const struct expr *e)
{
	if (!e->xmember)
		return is_there(c, e->x);
	return is_there(c, e->x->xsrc) && is_there(c, e->xmember->expr);
}

static bool is_there(const struct clause *c, const struct expr *e)
{
	for (unsigned int i = 0; e->whole && i < e->xlator->nmembers; i++)
		if (!is_there(c, e->whole[i]))
			return false;
	switch (e->kind) {
	case EXPR_IDENT:
		return ident_is_there(c, e->ident);
	case EXPR_AGG:
	case EXPR_ASSIGN:
		return false;
	case EXPR_UNARY:
		return e->op < OP_PREINC && is_there(c, e->x);
	case EXPR_CALL:
		return call_is_there(c, e);
	case EXPR_MEMBER:
		return member_is_there(c, e);
	case EXPR_INDEX:
		if (e->is_native_arg)
			return true;
		return (e->ident ? ident_is_there(c, e->ident) : is_there(c, e->x)) &&
		       are_there(c, e->args, e->nargs);
	case EXPR_XLATE:
		return is_there(c, e->xsrc);
	default:
		return (!e->x || is_there(c, e->x)) && (!e->y || is_there(c, e->y)) &&
		       (!e->z || is_there(c, e->z));
	}
}

/* Returns true if the action affects the thread that fires. */
static bool acts_there(const struct ident *id)
{
	unsigned int flags = id->row ? id->row->flags : 0;

	return flags & LANG_DESTRUCTIVE && !(flags & LANG_RECORDS);
}

/* Returns true if the machine can run this statement, provided the host need not decide it. */
static bool stmt_is_there(const struct clause *c, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_ASSIGN:
		return e->x->kind != EXPR_AGG && is_there(c, e->x) && is_there(c, e->y);
	case EXPR_UNARY:
		return e->op >= OP_PREINC && is_there(c, e->x);
	case EXPR_CALL:
		return (e->ident->kind == IDENT_FUNC || acts_there(e->ident)) &&
		       are_there(c, e->args, e->nargs) && strcmp(e->name, "speculation") != 0;
	default:
		return false;
	}
}

/*
 * Returns the longest first part of a && b && c that can be decided where the clause fires, or
 * NULL.  *rest is the host's part, which may repeat a condition known to be true.
 */
static struct expr *pred_there(const struct clause *c, struct expr *e, struct expr **rest)
{
	struct expr *again;

	*rest = NULL;
	if (!e || (is_there(c, e) && !c->is_error))
		return e;
	*rest = e;
	if (e->kind != EXPR_BINARY || e->op != OP_LAND || c->is_error)
		return NULL;
	if (!is_there(c, e->x))
		return pred_there(c, e->x, &again);
	*rest = e->y;
	return e->x;
}

static bool has_rest(const struct clause *c)
{
	struct expr *rest;

	pred_there(c, c->pred, &rest);
	return rest != NULL;
}

static bool is_memory(const struct type *t)
{
	return type_is_pointer(t) && !type_is_string(t);
}

/* Returns true if the expression follows a pointer that may be bad. */
static bool follows_pointer(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_UNARY:
		return e->op == OP_DEREF;
	case EXPR_MEMBER:
		return e->is_arrow || e->xmember;
	case EXPR_INDEX:
		return !e->ident && is_memory(e->x->type);
	case EXPR_STRINGOF:
	case EXPR_CAST:
		return type_is_string(e->type) && !type_is_string(e->x->type) &&
		       e->x->kind != EXPR_STR &&
		       (is_memory(e->x->type) || type_is_integer(e->x->type));
	case EXPR_XLATE:
		return true;
	default:
		return false;
	}
}

static bool divides(const struct expr *e)
{
	return (e->kind == EXPR_BINARY || e->kind == EXPR_ASSIGN) &&
	       (e->op == OP_DIV || e->op == OP_MOD) && e->y->kind != EXPR_INT;
}

/* Functions read memory, and the number of a speculation may be bad. */
static bool call_may_fault(const struct expr *e)
{
	return e->ident->kind == IDENT_FUNC ||
	       (e->ident->row &&
		(e->ident->row->state == LANG_SPECULATE || e->ident->row->state == LANG_COMMIT ||
		 e->ident->row->state == LANG_DISCARD));
}

static bool may_fault(const struct expr *e)
{
	if (!e)
		return false;
	for (unsigned int i = 0; i < e->nargs; i++)
		if (may_fault(e->args[i]))
			return true;
	if (e->ident && e->ident->kind == IDENT_INLINE && may_fault(e->ident->expr))
		return true;
	return follows_pointer(e) || divides(e) || (e->kind == EXPR_CALL && call_may_fault(e)) ||
	       may_fault(e->x) || may_fault(e->y) || may_fault(e->z);
}

/* Returns the variable that a statement or expression assigns, or NULL. */
static struct ident *assigned(const struct expr *e)
{
	if (e->kind != EXPR_ASSIGN && (e->kind != EXPR_UNARY || e->op < OP_PREINC))
		return NULL;
	e = e->x;
	while (e->kind == EXPR_MEMBER || (e->kind == EXPR_INDEX && !e->ident))
		e = e->x;
	return e->ident && e->ident->kind <= IDENT_THIS ? e->ident : NULL;
}

/* Only the host knows if speculate() ends the clause.  ERROR fires for faults at the host, too. */
static bool can_run_there(const struct clause *c, const struct part *pt, const struct stmt *s)
{
	return s->kind == STMT_EXPR && !pt->nguards && !pt->has_speculate && !c->is_error &&
	       stmt_is_there(c, s->expr) && !has_rest(c);
}

/*
 * Marks the statements that stay where the clause fires.  A statement that stores must run at the
 * host if an earlier fault there can skip it.  Thread-locals cannot move to the host.
 */
static void mark_there(const struct clause *c)
{
	bool is_any_hosted = false, faults = false;

	for (unsigned int i = 0; i < c->nparts; i++) {
		const struct part *pt = &c->parts[i];

		is_any_hosted |= pt->cond != NULL;
		faults |= may_fault(pt->cond);
		for (struct stmt *s = pt->stmts; s; s = s->next) {
			const struct ident *id = s->kind == STMT_EXPR ? assigned(s->expr) : NULL;
			bool waits = faults || (is_any_hosted && may_fault(s->expr));

			s->is_there =
			    can_run_there(c, pt, s) && !(waits && id && id->kind != IDENT_SELF);
			if (s->is_there)
				continue;
			is_any_hosted = true;
			faults |= may_fault(s->expr);
		}
	}
}

/* ---- which clauses are hosted ---- */

struct finder {
	void (*f)(void *ctx, struct ident *id, bool is_assigned);
	void *ctx;
};

static void find(const struct finder *fd, const struct expr *e);

static void find_all(const struct finder *fd, struct expr *const *list, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		find(fd, list[i]);
}

/* Finds variables in the expressions of translators.  Members of a whole object refer to it. */
static void find_translated(const struct finder *fd, const struct expr *e)
{
	if (e->xmember)
		find(fd, e->xmember->expr);
	for (unsigned int i = 0; e->whole && i < e->xlator->nmembers; i++)
		find_translated(fd, e->whole[i]);
}

static void find(const struct finder *fd, const struct expr *e)
{
	struct ident *id = e ? assigned(e) : NULL;

	if (!e)
		return;
	if (id)
		fd->f(fd->ctx, id, true);
	if (e->kind == EXPR_IDENT && e->ident) {
		if (e->ident->kind == IDENT_INLINE)
			find(fd, e->ident->expr);
		else if (e->ident->kind <= IDENT_THIS)
			fd->f(fd->ctx, e->ident, false);
	}
	find(fd, e->x);
	find(fd, e->y);
	find(fd, e->z);
	if (e->xsrc != e->x)
		find(fd, e->xsrc);
	find_translated(fd, e);
	find_all(fd, e->args, e->nargs);
}

void lang_clause_vars(const struct clause *c,
		      void (*f)(void *ctx, struct ident *id, bool is_assigned), void *ctx)
{
	struct finder fd = {f, ctx};

	find(&fd, c->pred);
	for (unsigned int i = 0; i < c->nparts; i++) {
		find(&fd, c->parts[i].cond);
		for (const struct stmt *s = c->parts[i].stmts; s; s = s->next)
			find(&fd, s->expr);
	}
}

static void note_hosted(void *ctx, struct ident *id, bool is_assigned)
{
	*(bool *)ctx |= id->is_hosted;
}

/* Thread-locals cannot be hosted; splitting the clause reports this. */
static void host_assigned(void *ctx, struct ident *id, bool is_assigned)
{
	if (!is_assigned || id->is_hosted || id->is_library || id->kind == IDENT_SELF)
		return;
	id->is_hosted = true;
	*(bool *)ctx = true;
}

/* Returns true if the host has no part in the clause. */
static bool is_all_there(const struct clause *c)
{
	mark_there(c);
	for (unsigned int i = 0; i < c->nparts; i++) {
		if (!c->parts[i].stmts || c->parts[i].cond)
			return false;
		for (const struct stmt *s = c->parts[i].stmts; s; s = s->next)
			if (!s->is_there)
				return false;
	}
	return true;
}

bool lang_host_clause(struct clause *c, bool if_possible)
{
	bool changed = false;
	struct finder fd = {host_assigned, &changed};

	if (!c->is_hosted) {
		c->is_hosted = if_possible && !is_all_there(c);
		lang_clause_vars(c, note_hosted, &c->is_hosted);
		changed = c->is_hosted;
	}
	if (!c->is_hosted)
		return false;
	mark_there(c);
	find(&fd, c->pred);
	for (unsigned int i = 0; i < c->nparts; i++) {
		find(&fd, c->parts[i].cond);
		for (struct stmt *s = c->parts[i].stmts; s; s = s->next)
			if (!s->is_there)
				find(&fd, s->expr);
	}
	return changed;
}

/* ---- splitting ---- */

struct split {
	struct lang *l;
	struct clause *c;
	const struct lang_split *how;
	VEC(struct expr *) values;	 /* to be sent with the next call */
	VEC(struct ident *) vars;	 /* variables of the host, for all values */
	VEC(const struct ident *) names; /* built-in variables among them, else NULL */
	struct stmt *first, **end;	 /* statements that run where the clause fires */
	unsigned int action;		 /* statements and conditions so far */
	bool ok;
};

static struct ident *sent_var(struct split *sp, struct type *t)
{
	struct ident *id = arena_new_obj(sp->l->arena, struct ident);

	id->kind = IDENT_GLOBAL;
	id->name = arena_printf(sp->l->arena, "(sent %u)", sp->vars.n);
	id->loc = sp->c->loc;
	id->type = t;
	return id;
}

static struct expr *sent(struct split *sp, struct expr *e)
{
	const struct ident *name =
	    e->kind == EXPR_IDENT && e->ident->kind == IDENT_BUILTIN ? e->ident : NULL;
	struct expr *use = expr_new(sp->l, EXPR_IDENT, e->loc);
	struct type *word = type_int(sp->l->types, 8, false);
	unsigned int i = 0;

	while (i < sp->vars.n && (!name || sp->names.a[i] != name))
		i++;
	if (i == sp->vars.n) {
		struct ident *id = sent_var(sp, e->type);

		if (name && is_word(sp->c, name))
			id->row = name->row;
		id->fault = sent_var(sp, word);
		id->fault->fault = sent_var(sp, word);
		vec_push(&sp->vars, id);
		vec_push(&sp->names, name);
		vec_push(&sp->values, e);
	}
	use->ident = sp->vars.a[i];
	use->name = use->ident->name;
	use->type = e->type;
	return use;
}

static void cannot(struct split *sp, const struct expr *e, const char *what)
{
	if (sp->ok && sp->how->is_host)
		diag(sp->l->diags, e->loc, DIAG_NONE,
		     "%s is not possible: the clause runs at the host, because machines share its "
		     "variables",
		     what);
	sp->ok = false;
}

static void replace(struct split *sp, struct expr **at);

static void replace_all(struct split *sp, struct expr **list, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		replace(sp, &list[i]);
}

/* Replaces an inline that depends on shared variables by its expression. */
static void replace_inline(struct split *sp, struct expr **at)
{
	struct expr *e = *at;
	unsigned int n = e->kind == EXPR_INDEX ? e->nargs : 0;

	*at = expr_subst(sp->l, e->ident->expr, e->ident->params, e->args, n);
	replace(sp, at);
}

static void replace_lvalue(struct split *sp, struct expr *e)
{
	while ((e->kind == EXPR_MEMBER && !e->is_arrow && !e->xmember) ||
	       (e->kind == EXPR_INDEX && !e->ident && !type_is_pointer(e->x->type))) {
		replace_all(sp, e->args, e->nargs);
		e = e->x;
	}
	if ((e->kind != EXPR_IDENT && e->kind != EXPR_INDEX) || !e->ident)
		cannot(sp, e, "writing to memory");
	else if (e->ident->kind == IDENT_SELF)
		cannot(sp, e, "assigning a thread-local variable here");
	else
		replace_all(sp, e->args, e->nargs);
}

static void replace_assign(struct split *sp, struct expr *e)
{
	if (e->x->kind == EXPR_AGG) {
		replace_all(sp, e->x->args, e->x->nargs);
		replace_all(sp, e->y->args, e->y->nargs);
		return;
	}
	replace(sp, &e->y);
	replace_lvalue(sp, e->x);
}

static bool prints_pointed(const struct lang *l, const struct expr *e)
{
	return strcmp(e->name, "print") == 0 &&
	       dialect_has(l->diags->dialect, DIALECT_PRINT_POINTED);
}

static void replace_call(struct split *sp, struct expr *e)
{
	const struct ident *id = e->ident;
	bool is_printed = id->kind == IDENT_ACTION && id->row->flags & LANG_RECORDS;

	if (acts_there(id) || id->row->flags & LANG_THERE || prints_pointed(sp->l, e))
		cannot(sp, e, arena_printf(sp->l->arena, "%s()", e->name));
	for (unsigned int i = 0; i < e->nargs; i++) {
		if (e->args[i]->kind == EXPR_AGG)
			continue;
		if (!is_printed && is_memory(e->args[i]->type))
			cannot(sp, e->args[i], "reading memory");
		replace(sp, &e->args[i]);
	}
}

static void replace_operands(struct split *sp, struct expr *e)
{
	if (follows_pointer(e))
		cannot(sp, e,
		       e->xmember || e->kind == EXPR_XLATE ? "a translation" : "reading memory");
	if (e->kind == EXPR_UNARY && (e->op >= OP_PREINC || e->op == OP_ADDROF)) {
		replace_lvalue(sp, e->x);
		return;
	}
	if (e->x && !(e->kind == EXPR_INDEX && e->ident))
		replace(sp, &e->x);
	if (e->y)
		replace(sp, &e->y);
	if (e->z)
		replace(sp, &e->z);
	replace_all(sp, e->args, e->nargs);
}

/* Replaces expressions that can be evaluated where the clause fires by variables of sent values. */
static void replace(struct split *sp, struct expr **at)
{
	struct expr *e = *at;

	if (e->kind == EXPR_INT || e->kind == EXPR_STR)
		return;
	if (is_there(sp->c, e) || (e->kind == EXPR_IDENT && is_word(sp->c, e->ident)))
		*at = sent(sp, e);
	else if (e->ident && e->ident->kind == IDENT_INLINE)
		replace_inline(sp, at);
	else if (e->kind == EXPR_ASSIGN)
		replace_assign(sp, e);
	else if (e->kind == EXPR_CALL)
		replace_call(sp, e);
	else
		replace_operands(sp, e);
}

/* A stack as a statement becomes trace() of the value, which prints the same. */
static void replace_stmt(struct split *sp, struct stmt *s)
{
	struct expr *e = s->expr, *call;

	if (e->kind != EXPR_CALL || !is_there(sp->c, e) || !type_is_stack(e->type)) {
		replace(sp, &s->expr);
		return;
	}
	call = expr_new(sp->l, EXPR_CALL, e->loc);
	call->ident = names_find_call(sp->l, "trace");
	call->name = call->ident->name;
	call->type = call->ident->type;
	call->args = arena_new_obj(sp->l->arena, struct expr *);
	call->nargs = 1;
	call->args[0] = sent(sp, e);
	s->expr = call;
}

static void add_stmt(struct split *sp, struct expr *e, unsigned int action)
{
	struct stmt *s = arena_new_obj(sp->l->arena, struct stmt);

	s->kind = STMT_EXPR;
	s->loc = e->loc;
	s->expr = e;
	s->action = action;
	*sp->end = s;
	sp->end = &s->next;
}

/* Values are sent before later statements run. */
static void send_values(struct split *sp)
{
	struct expr *call = expr_new(sp->l, EXPR_CALL, sp->c->loc);
	struct ident *id = arena_new_obj(sp->l->arena, struct ident);

	id->kind = IDENT_ACTION;
	id->name = sp->how->send->name;
	id->row = sp->how->send;
	call->ident = id;
	call->name = id->name;
	call->type = type_void(sp->l->types);
	call->nargs = sp->values.n;
	call->args = arena_new_arr(sp->l->arena, struct expr *, call->nargs + 1);
	for (unsigned int i = 0; i < call->nargs; i++)
		call->args[i] = sp->values.a[i];
	sp->values.n = 0;
	add_stmt(sp, call, 0);
}

static void split_part(struct split *sp, struct part *pt)
{
	struct stmt **at = &pt->stmts;

	if (pt->cond) {
		pt->action = ++sp->action;
		replace(sp, &pt->cond);
	}
	while (*at) {
		struct stmt *s = *at;

		if (s->kind == STMT_EXPR)
			s->action = ++sp->action;
		if (!s->is_there) {
			if (s->kind == STMT_EXPR)
				replace_stmt(sp, s);
			at = &s->next;
			continue;
		}
		if (sp->values.n)
			send_values(sp);
		add_stmt(sp, s->expr, sp->action);
		*at = s->next;
	}
}

/* Only one straight part remains where the clause fires. */
static void become_there(struct split *sp, struct expr *pred)
{
	struct clause *c = sp->c;
	struct part *pt = arena_new_obj(sp->l->arena, struct part);

	pt->stmts = sp->first;
	pt->records = true;
	for (const struct stmt *s = pt->stmts; s; s = s->next)
		if (s->expr->kind == EXPR_CALL && acts_there(s->expr->ident))
			pt->has_destructive = true;
	c->pred = pred;
	c->parts = pt;
	c->nparts = 1;
	c->ncond_vars = 0;
}

/* Notes the values that ERROR needs.  They are sent with each firing, for faults at the host. */
static void note_values(struct split *sp)
{
	struct clause *c = sp->c;

	c->values = arena_new_arr(sp->l->arena, struct expr *, sp->values.n + 1);
	for (unsigned int i = 0; i < sp->values.n; i++)
		if (!sp->vars.a[i]->row)
			c->values[c->nvalues++] = sp->values.a[i];
}

static void add_values(struct split *sp)
{
	for (unsigned int i = 0; i < sp->how->nerrors; i++) {
		const struct clause *error = sp->how->errors[i];

		for (unsigned int k = 0; k < error->nvalues; k++)
			vec_push(&sp->values, expr_copy(sp->l, error->values[k]));
	}
}

/* Makes the clause the host's half, with variables for the sent values. */
static void become_hosted(struct split *sp, struct expr *pred)
{
	struct clause *c = sp->c;

	c->pred = pred;
	c->nsent = sp->vars.n;
	c->sent = arena_new_arr(sp->l->arena, struct ident *, c->nsent + 1);
	for (unsigned int i = 0; i < c->nsent; i++)
		c->sent[i] = sp->vars.a[i];
}

bool lang_split_clause(struct lang *l, struct clause *c, const struct lang_split *how)
{
	struct split sp = {.l = l, .c = c, .how = how, .ok = true};
	struct expr *rest, *there = pred_there(c, c->pred, &rest);

	mark_there(c);
	sp.end = &sp.first;
	if (rest)
		replace(&sp, &rest);
	for (unsigned int i = 0; i < c->nparts; i++)
		split_part(&sp, &c->parts[i]);
	if (c->is_error)
		note_values(&sp);
	else
		add_values(&sp);
	send_values(&sp);
	if (how->is_host)
		become_hosted(&sp, rest);
	else
		become_there(&sp, there);
	vec_free(&sp.vars);
	vec_free(&sp.values);
	vec_free(&sp.names);
	return sp.ok;
}
