/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_clause.c: checks one clause with one probe description.  It finds the probes, checks the
 * types of actions and predicate, then the actions.  The types of actions come first, so that a
 * predicate may use a variable that its own body declares.  If a variable is missing, the other
 * order is tried once (man/d.7, VARIABLES).  Each try works on a copy of the trees.  Until then
 * c->body and c->pred are as parsed.
 */
#include <assert.h>
#include <string.h>

#include "base/intern.h"
#include "lang/priv.h"

enum lang_target lang_target(struct lang *l, const char *pattern)
{
	if (l->env->find_target)
		return l->env->find_target(l->env->ctx, pattern);
	return !pattern || strcmp(pattern, "host") == 0 ? LANG_THIS_TARGET : LANG_NO_TARGET;
}

static const char *desc_text(struct lang *l, const struct pdesc *d)
{
	if (d->id)
		return arena_printf(l->arena, "%u", d->id);
	return arena_printf(l->arena, "%s%s%s:%s:%s:%s", d->target ? d->target : "",
			    d->target ? ":" : "", d->prov ? d->prov : "", d->mod ? d->mod : "",
			    d->func ? d->func : "", d->name ? d->name : "");
}

static bool find_probes(struct lang *l, struct clause *c, struct lang_args *args)
{
	const struct pdesc *d = &c->descs[0];
	unsigned int nerrors = l->diags->n;
	const char *err = NULL;

	c->text = desc_text(l, d);
	c->is_elsewhere = !c->is_library && lang_target(l, d->target) != LANG_THIS_TARGET;
	if (c->split) {
		c->probes = c->split;
		l->env->split_args(l->env->ctx, c->probes, args);
		return true;
	}
	if (l->env->match && !l->env->match(l->env->ctx, d, args, &c->probes, &err)) {
		/* Errors on this machine do not matter: the clause runs elsewhere. */
		if (c->is_elsewhere) {
			l->diags->n = nerrors;
			args->nprobes = 0;
			return true;
		}
		if (l->diags->n == nerrors)
			diag(l->diags, d->loc, D_PDESC_INVAL,
			     "invalid probe description \"%s\": %s", c->text,
			     err ? err : "not understood");
		return false;
	}
	if (args->nprobes == 0 && !lang_option(l, "zdefs") && !c->is_elsewhere)
		return diag(l->diags, d->loc, D_PDESC_ZERO,
			    err ? "probe description %s does not match any probes: %s"
				: "probe description %s does not match any probes",
			    c->text, err);
	return true;
}

static bool check_pred(struct check *ck, struct clause *c)
{
	struct lang *l = ck->l;
	bool ok;

	if (!c->pred)
		return true;
	l->diags->where = "predicate";
	ok = check_operand(ck, c->pred);
	if (ok && !check_is_truth(c->pred->type))
		ok = diag(l->diags, c->pred->loc, D_PRED_SCALAR,
			  "predicate must be of scalar type: %s", lang_type(l, c->pred->type));
	ok = ok && size_check(l, c->pred);
	l->diags->where = NULL;
	return ok;
}

/* Checks the `for (thread)` of a site. */
static bool check_thread(struct check *ck, struct clause *c)
{
	struct lang *l = ck->l;
	struct type *task = type_lookup(l->types, "struct task_struct");
	const struct type *t;

	if (!c->thread)
		return true;
	if (!check_operand(ck, c->thread) || !size_check(l, c->thread))
		return false;
	t = type_base(c->thread->type);
	if (t->kind == TYPE_PTR && task &&
	    type_resolve(l->types, t->to) == type_resolve(l->types, task))
		return true;
	return diag(l->diags, c->thread->loc, D_PROTO_ARG,
		    "a site fires for a struct task_struct *, not for: %s",
		    lang_type(l, c->thread->type));
}

/* Checks return (a, b) against the native arguments of the site's probe. */
static bool check_return(struct check *ck, struct stmt *s)
{
	struct lang *l = ck->l;
	const struct pdesc *t = ck->clause->site_of;
	const struct probe_decl *d;

	assert(t);
	d = provider_probe(l, t);
	for (unsigned int i = 0; i < s->nargs; i++)
		if (!check_operand(ck, s->args[i]) || !size_check(l, s->args[i]))
			return false;
	if (!d)
		return true;
	if (s->nargs != d->nnative)
		return diag(l->diags, s->loc, D_PROTO_LEN,
			    "site of %s:::%s returns %u arguments, the probe has %u", t->prov,
			    t->name, s->nargs, d->nnative);
	for (unsigned int i = 0; i < s->nargs; i++) {
		struct type *want = d->native[i].type;
		bool ok = type_is_scalar(want) ? type_is_scalar(s->args[i]->type) ||
						     type_is_array(s->args[i]->type) ||
						     type_is_stringlike(s->args[i]->type)
					       : check_param(l, want, s->args[i]);

		if (!ok)
			return diag(l->diags, s->args[i]->loc, D_PROTO_ARG,
				    "argument #%u of %s:::%s is incompatible:\n\tprototype: %s\n"
				    "\t argument: %s",
				    i + 1, t->prov, t->name, lang_type(l, want),
				    lang_type(l, s->args[i]->type));
		s->args[i] = check_convert(l, s->args[i], want);
	}
	return true;
}

static bool type_part(struct check *ck, struct part *p)
{
	struct lang *l = ck->l;

	if (p->cond) {
		if (!check_operand(ck, p->cond))
			return false;
		if (!check_is_truth(p->cond->type))
			return diag(l->diags, p->cond->loc, D_OP_SCALAR,
				    "the condition of if must be of scalar type: %s",
				    lang_type(l, p->cond->type));
		return size_check(l, p->cond);
	}
	for (struct stmt *s = p->stmts; s; s = s->next)
		if (s->kind == STMT_RETURN ? !check_return(ck, s) : !check_stmt_types(ck, s))
			return false;
	return true;
}

static bool part_actions(struct check *ck, struct part *p)
{
	ck->part = p;
	ck->seen_commit = ck->seen_speculate = ck->seen_data = false;
	for (struct stmt *s = p->stmts; s; s = s->next)
		if (s->kind == STMT_EXPR && !check_stmt(ck, s))
			return false;
	if (!p->stmts && !p->cond)
		p->records = true;
	return true;
}

static bool each_part(struct check *ck, struct clause *c,
		      bool (*check)(struct check *ck, struct part *p))
{
	bool ok = true;

	ck->l->diags->where = "action list";
	for (unsigned int i = 0; ok && i < c->nparts; i++)
		ok = check(ck, &c->parts[i]);
	ck->l->diags->where = NULL;
	return ok;
}

static bool try_clause(struct lang *l, struct clause *c, struct lang_args *args, struct expr *pred,
		       struct stmt *body, bool pred_first)
{
	struct check ck = {.l = l, .clause = c, .args = args};
	bool ok;

	c->thread = expr_copy(l, c->thread);
	c->pred = expr_copy(l, pred);
	c->body = stmt_copy(l, body);
	split_clause(l, c);
	l->is_consequence = false;
	stab_description(&ck, &c->descs[0]);
	stab_begin(&ck);
	ok = pred_first ? check_pred(&ck, c) && each_part(&ck, c, type_part)
			: each_part(&ck, c, type_part) && check_pred(&ck, c);
	ok = ok && check_thread(&ck, c) && each_part(&ck, c, part_actions) && check_misplaced(&ck);
	c->desc_attr = ck.desc_attr;
	c->stmt_attr = ck.attr;
	return ok && stab_check(&ck, c->loc);
}

static bool check_clause(struct lang *l, struct clause *c, struct lang_args *args)
{
	struct expr *pred = c->pred;
	struct stmt *body = c->body;
	unsigned int nerrors = l->diags->n;
	enum diag_tag tag;

	if (try_clause(l, c, args, pred, body, false))
		return true;
	/* An earlier clause has reported this error of a library. */
	if (l->diags->n == nerrors)
		return false;
	tag = l->diags->list[nerrors].tag;
	if (!pred || (tag != D_IDENT_UNDEF && tag != D_VAR_UNDEF))
		return false;
	if (l->diags->list[nerrors].where && l->diags->list[nerrors].where[0] == 'p')
		return false;
	l->diags->n = nerrors;
	return try_clause(l, c, args, pred, body, true);
}

/*
 * Checks a clause for other targets, whose probe is not here.  This defines variables and
 * aggregations that clauses of this machine may use.  The other targets report its errors.
 */
static void check_elsewhere(struct lang *l, struct clause *c, struct lang_args *args)
{
	unsigned int nerrors = l->diags->n;

	if (!check_clause(l, c, args))
		l->diags->n = nerrors;
}

/* Adds the environment's condition (lang_env.guard), such as option cgroup, to the predicate of a
 * clause. */
static void add_guard(struct lang *l, struct clause *c)
{
	const char *name =
	    l->env->guard && !c->is_library ? l->env->guard(l->env->ctx, c->probes) : NULL;
	struct expr *guard, *both;

	if (!name)
		return;
	guard = expr_new(l, EXPR_IDENT, c->loc);
	guard->name = intern_str(l->names, name);
	if (c->pred) {
		both = expr_new(l, EXPR_BINARY, c->loc);
		both->op = OP_LAND;
		both->x = guard;
		both->y = c->pred;
		guard = both;
	}
	c->pred = guard;
}

/*
 * If functions of one name have different parameters, the use of args[] is an error.  Then this
 * checks the clause with the parameters of the first function, and adds a copy of the clause for
 * the other functions.
 */
static bool check_split(struct lang *l, struct clause *c, const struct clause *before,
			unsigned int nerrors)
{
	struct lang_args args = {0};
	const void *same, *rest;
	struct clause *others;

	if (l->diags->n == nerrors || l->diags->list[nerrors].tag != D_ARGS_MULTI ||
	    c->is_library || !l->env->split || !l->env->split(l->env->ctx, c->probes, &same, &rest))
		return false;
	l->diags->n = nerrors;
	others = arena_new_obj(l->arena, struct clause);
	*others = *before;
	others->split = rest;
	c->next = others;
	c->thread = before->thread;
	c->pred = before->pred;
	c->body = before->body;
	c->probes = same;
	l->env->split_args(l->env->ctx, same, &args);
	add_guard(l, c);
	return check_clause(l, c, &args);
}

bool lang_check_clause(struct lang *l, struct clause *c)
{
	const struct clause before = *c;
	struct lang_args args = {0};
	bool in_library = l->in_library, ok;
	unsigned int nerrors;

	assert(c->ndescs == 1);
	l->in_library = c->is_library;
	ok = find_probes(l, c, &args);
	if (ok) {
		c->id = l->nclauses++;
		if (c->is_elsewhere && !args.nprobes) {
			check_elsewhere(l, c, &args);
		} else {
			add_guard(l, c);
			nerrors = l->diags->n;
			ok = check_clause(l, c, &args) || check_split(l, c, &before, nerrors);
		}
	}
	l->in_library = in_library;
	return ok;
}
