/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.c: clauses as D text again, after if statements have become clauses with predicates
 * (dtrace -d).  A condition is kept in this->%condition_N.  No program can use that name.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "lang/priv.h"

#define PRED_VAR 0 /* condition of the clause's predicate; conditions of ifs follow */

static void put_expr(struct buf *b, const struct expr *e);

static void put_operand(struct buf *b, const struct expr *e);

/* Prints an expression for a list.  A comma operator needs parentheses. */
static void put_value(struct buf *b, const struct expr *e)
{
	if (e->kind == EXPR_BINARY && e->op == OP_COMMA)
		put_operand(b, e);
	else
		put_expr(b, e);
}

static void put_list(struct buf *b, char open, struct expr **args, unsigned int n, char close)
{
	buf_putc(b, open);
	for (unsigned int i = 0; i < n; i++) {
		buf_puts(b, i ? ", " : "");
		put_value(b, args[i]);
	}
	buf_putc(b, close);
}

/* Prints an operand, in parentheses unless it binds tighter than every operator. */
static void put_operand(struct buf *b, const struct expr *e)
{
	bool is_tight = e->kind != EXPR_UNARY && e->kind != EXPR_BINARY && e->kind != EXPR_ASSIGN &&
			e->kind != EXPR_COND && e->kind != EXPR_CAST && e->kind != EXPR_XLATE &&
			(e->kind != EXPR_INT || (int64_t)e->val >= 0);

	buf_puts(b, is_tight ? "" : "(");
	put_expr(b, e);
	buf_puts(b, is_tight ? "" : ")");
}

static void put_type(struct buf *b, const char *before, const struct typename *t, const char *after)
{
	buf_puts(b, before);
	type_print(b, t->type);
	buf_puts(b, after);
}

static void put_unary(struct buf *b, const struct expr *e)
{
	bool is_postfix = e->op == OP_POSTINC || e->op == OP_POSTDEC;

	if (!is_postfix)
		buf_puts(b, ast_op(e->op));
	put_operand(b, e->x);
	if (is_postfix)
		buf_puts(b, ast_op(e->op));
}

static void put_infix(struct buf *b, const struct expr *e)
{
	put_operand(b, e->x);
	if (e->kind == EXPR_COND) {
		buf_puts(b, " ? ");
		put_operand(b, e->y);
		buf_puts(b, " : ");
		put_operand(b, e->z);
	} else if (e->kind == EXPR_ASSIGN) {
		buf_printf(b, " %s%s ", ast_op(e->op), e->op == OP_NONE ? "" : "=");
		put_value(b, e->y);
	} else {
		buf_printf(b, "%s%s ", e->op == OP_COMMA ? "" : " ", ast_op(e->op));
		put_operand(b, e->y);
	}
}

static void put_name(struct buf *b, const struct expr *e)
{
	buf_printf(b, "%s%s", e->is_self ? "self->" : e->is_this ? "this->" : "", e->name);
}

/* Prints a constant with its type: a suffix, or a cast for types without a suffix. */
static void put_number(struct buf *b, const struct expr *e)
{
	const struct type *t = e->type ? type_base(e->type) : NULL;
	bool is_int = t && t->kind == TYPE_INT, is_unsigned = is_int && !t->is_signed;

	if (is_int && t->size < 4) {
		buf_putc(b, '(');
		type_print(b, e->type);
		buf_putc(b, ')');
	}
	buf_printf(b, is_unsigned ? "%" PRIu64 : "%" PRId64, e->val);
	buf_puts(b, is_unsigned && t->size >= 4 ? "U" : "");
	buf_puts(b, is_int && t->size == 8 ? "L" : "");
}

static void put_expr(struct buf *b, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_INT:
		put_number(b, e);
		break;
	case EXPR_STR:
		ast_quoted(b, e->name, e->len);
		break;
	case EXPR_IDENT:
		put_name(b, e);
		break;
	case EXPR_AGG:
		buf_printf(b, "@%s", strcmp(e->name, "_") == 0 ? "" : e->name);
		if (e->nargs)
			put_list(b, '[', e->args, e->nargs, ']');
		break;
	case EXPR_UNARY:
		put_unary(b, e);
		break;
	case EXPR_BINARY:
	case EXPR_ASSIGN:
	case EXPR_COND:
		put_infix(b, e);
		break;
	case EXPR_CALL:
		buf_puts(b, e->name);
		put_list(b, '(', e->args, e->nargs, ')');
		break;
	case EXPR_MEMBER:
		put_operand(b, e->x);
		buf_printf(b, "%s%s", e->is_arrow ? "->" : ".", e->name);
		break;
	case EXPR_INDEX:
		put_operand(b, e->x);
		put_list(b, '[', e->args, e->nargs, ']');
		break;
	case EXPR_CAST:
		if (e->tname)
			put_type(b, "(", e->tname, ")");
		put_operand(b, e->x);
		break;
	case EXPR_SIZEOF:
	case EXPR_OFFSETOF:
		assert(!"numbers after the check");
		break;
	case EXPR_STRINGOF:
		buf_puts(b, "stringof ");
		put_list(b, '(', (struct expr **)&e->x, 1, ')');
		break;
	case EXPR_XLATE:
		put_type(b, "xlate <", e->tname, "> ");
		put_list(b, '(', (struct expr **)&e->x, 1, ')');
		break;
	}
}

static void put_desc(struct buf *b, const struct pdesc *d)
{
	if (d->id)
		buf_printf(b, "%u", d->id);
	else
		buf_printf(b, "%s%s%s:%s:%s:%s", d->target ? d->target : "", d->target ? ":" : "",
			   d->prov ? d->prov : "", d->mod ? d->mod : "", d->func ? d->func : "",
			   d->name ? d->name : "");
}

static void put_guards(struct buf *b, const struct clause *c, const struct part *p)
{
	const char *and = "";

	if (c->pred) {
		buf_printf(b, "this->%%condition_%u", PRED_VAR);
		and = " && ";
	}
	for (unsigned int i = 0; i < p->nguards; i++) {
		buf_printf(b, "%s%sthis->%%condition_%u", and, p->guards[i].want ? "" : "!",
			   p->guards[i].cond_var + 1);
		and = " && ";
	}
}

/* Prints a clause that sets a condition. */
static void put_condition(struct buf *b, unsigned int var, const struct expr *cond)
{
	buf_printf(b, "{\n\tthis->%%condition_%u = ", var);
	put_operand(b, cond);
	buf_puts(b, " ? 1 : 0;\n}\n\n");
}

static void put_body(struct buf *b, const struct stmt *s)
{
	buf_puts(b, "{\n");
	for (; s; s = s->next) {
		buf_putc(b, '\t');
		put_expr(b, s->expr);
		buf_puts(b, ";\n");
	}
	buf_puts(b, "}\n\n");
}

static void put_part(struct buf *b, const struct clause *c, const struct part *p)
{
	put_desc(b, &c->descs[0]);
	buf_putc(b, '\n');
	if (c->pred || p->nguards) {
		buf_putc(b, '/');
		put_guards(b, c, p);
		buf_puts(b, "/\n");
	}
	if (p->cond)
		put_condition(b, p->cond_var + 1, p->cond);
	else
		put_body(b, p->stmts);
}

static void put_clause(struct buf *b, const struct clause *c)
{
	if (c->nparts > 1) {
		if (c->pred) {
			put_desc(b, &c->descs[0]);
			buf_putc(b, '\n');
			put_condition(b, PRED_VAR, c->pred);
		}
		for (unsigned int i = 0; i < c->nparts; i++)
			put_part(b, c, &c->parts[i]);
		return;
	}
	put_desc(b, &c->descs[0]);
	buf_putc(b, '\n');
	if (c->pred) {
		buf_putc(b, '/');
		put_expr(b, c->pred);
		buf_puts(b, "/\n");
	}
	put_body(b, c->nparts ? c->parts[0].stmts : NULL);
}

void ast_source(struct buf *out, const struct program *p)
{
	for (const struct clause *c = p->clauses; c; c = c->next)
		if (!c->site_of)
			put_clause(out, c);
}
