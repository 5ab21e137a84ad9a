/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print.c: trees as text, one node per line, children indented by two blanks (-xdump=parse,
 * -xdump=check, and the tests).  After checking each node ends with ": " and its type.
 */
#include <assert.h>
#include <inttypes.h>

#include "base/buf.h"
#include "lang/priv.h"

static const char *const kinds[] = {
    [EXPR_INT] = "int",	      [EXPR_STR] = "str",	    [EXPR_IDENT] = "ident",
    [EXPR_AGG] = "agg",	      [EXPR_UNARY] = "unary",	    [EXPR_BINARY] = "binary",
    [EXPR_ASSIGN] = "assign", [EXPR_COND] = "cond",	    [EXPR_CALL] = "call",
    [EXPR_MEMBER] = "member", [EXPR_INDEX] = "index",	    [EXPR_CAST] = "cast",
    [EXPR_SIZEOF] = "sizeof", [EXPR_OFFSETOF] = "offsetof", [EXPR_STRINGOF] = "stringof",
    [EXPR_XLATE] = "xlate",
};

const char *ast_op(enum expr_op op)
{
	static const char *const text[] = {
	    [OP_NONE] = "=",	[OP_ADD] = "+",	     [OP_SUB] = "-",	  [OP_MUL] = "*",
	    [OP_DIV] = "/",	[OP_MOD] = "%",	     [OP_AND] = "&",	  [OP_OR] = "|",
	    [OP_XOR] = "^",	[OP_SHL] = "<<",     [OP_SHR] = ">>",	  [OP_EQ] = "==",
	    [OP_NE] = "!=",	[OP_LT] = "<",	     [OP_LE] = "<=",	  [OP_GT] = ">",
	    [OP_GE] = ">=",	[OP_LAND] = "&&",    [OP_LOR] = "||",	  [OP_LXOR] = "^^",
	    [OP_COMMA] = ",",	[OP_NEG] = "-",	     [OP_PLUS] = "+",	  [OP_BITNOT] = "~",
	    [OP_NOT] = "!",	[OP_DEREF] = "*",    [OP_ADDROF] = "&",	  [OP_PREINC] = "++",
	    [OP_PREDEC] = "--", [OP_POSTINC] = "++", [OP_POSTDEC] = "--",
	};

	return text[op];
}

static void indent(struct buf *out, int n)
{
	buf_pad(out, ' ', (size_t)n * 2);
}

void ast_quoted(struct buf *out, const char *s, unsigned int len)
{
	buf_putc(out, '"');
	for (unsigned int i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '"' || c == '\\')
			buf_printf(out, "\\%c", c);
		else if (c < 32 || c > 126)
			buf_printf(out, "\\%03o", c);
		else
			buf_putc(out, (char)c);
	}
	buf_putc(out, '"');
}

/* Prints ++ and -- before or after x, as written. */
static void print_op(struct buf *out, enum expr_op op)
{
	bool is_prefix = op == OP_PREINC || op == OP_PREDEC;
	bool is_postfix = op == OP_POSTINC || op == OP_POSTDEC;

	buf_printf(out, " %s%s%s", is_postfix ? "x" : "", ast_op(op), is_prefix ? "x" : "");
}

static void print_head(struct buf *out, const struct expr *e)
{
	buf_puts(out, kinds[e->kind]);
	switch (e->kind) {
	case EXPR_INT:
		buf_printf(out, " %" PRId64, (int64_t)e->val);
		break;
	case EXPR_STR:
		buf_putc(out, ' ');
		ast_quoted(out, e->name, e->len);
		break;
	case EXPR_IDENT:
		buf_printf(out, " %s%s",
			   e->is_self	? "self->"
			   : e->is_this ? "this->"
					: "",
			   e->name);
		break;
	case EXPR_AGG:
		buf_printf(out, " @%s", e->name);
		break;
	case EXPR_CALL:
	case EXPR_OFFSETOF:
		buf_printf(out, " %s", e->name);
		break;
	case EXPR_MEMBER:
		buf_printf(out, " %s%s", e->is_arrow ? "->" : ".", e->name);
		if (e->bits)
			buf_printf(out, " bits %" PRIu64 "+%u", e->bit_off, e->bits);
		break;
	case EXPR_UNARY:
	case EXPR_BINARY:
		print_op(out, e->op);
		break;
	case EXPR_ASSIGN:
		buf_printf(out, " %s%s", ast_op(e->op), e->op == OP_NONE ? "" : "=");
		break;
	case EXPR_INDEX:
		if (e->is_native_arg)
			buf_printf(out, " native %" PRIu64, e->val);
		break;
	case EXPR_COND:
	case EXPR_CAST:
	case EXPR_SIZEOF:
	case EXPR_STRINGOF:
	case EXPR_XLATE:
		break;
	}
}

static void print_expr(struct buf *out, const struct expr *e, int n)
{
	if (!e)
		return;
	indent(out, n);
	print_head(out, e);
	if (e->type) {
		buf_puts(out, ": ");
		type_print(out, e->type);
	} else if (e->tname) {
		buf_puts(out, " (");
		type_print(out, e->tname->type);
		buf_putc(out, ')');
	}
	if (e->xlator && e->type)
		buf_puts(out, " translated");
	buf_putc(out, '\n');
	print_expr(out, e->x, n + 1);
	print_expr(out, e->y, n + 1);
	print_expr(out, e->z, n + 1);
	for (unsigned int i = 0; i < e->nargs; i++)
		print_expr(out, e->args[i], n + 1);
}

static void print_stmts(struct buf *out, const struct stmt *s, int n)
{
	for (; s; s = s->next) {
		switch (s->kind) {
		case STMT_EXPR:
			print_expr(out, s->expr, n);
			break;
		case STMT_IF:
			indent(out, n);
			buf_puts(out, "if\n");
			print_expr(out, s->expr, n + 1);
			indent(out, n);
			buf_puts(out, "then\n");
			print_stmts(out, s->then_body, n + 1);
			if (s->else_body) {
				indent(out, n);
				buf_puts(out, "else\n");
				print_stmts(out, s->else_body, n + 1);
			}
			break;
		case STMT_RETURN:
			indent(out, n);
			buf_puts(out, "return\n");
			for (unsigned int i = 0; i < s->nargs; i++)
				print_expr(out, s->args[i], n + 1);
			break;
		}
	}
}

static void print_part(struct buf *out, const struct part *p)
{
	buf_puts(out, "  part");
	for (unsigned int i = 0; i < p->nguards; i++)
		buf_printf(out, " %s%u", p->guards[i].want ? "" : "!", p->guards[i].cond_var);
	if (p->cond)
		buf_printf(out, " set %u", p->cond_var);
	if (p->records)
		buf_puts(out, " records");
	buf_putc(out, '\n');
	print_expr(out, p->cond, 2);
	print_stmts(out, p->stmts, 2);
}

static void print_desc(struct buf *out, const struct pdesc *d)
{
	if (d->id)
		buf_printf(out, "%u", d->id);
	else
		buf_printf(out, "%s%s%s:%s:%s:%s", d->target ? d->target : "", d->target ? ":" : "",
			   d->prov ? d->prov : "", d->mod ? d->mod : "", d->func ? d->func : "",
			   d->name ? d->name : "");
}

static void print_clause(struct buf *out, const struct clause *c)
{
	if (c->site_of) {
		buf_puts(out, "site ");
		print_desc(out, c->site_of);
		buf_puts(out, " from");
	} else {
		buf_puts(out, "clause");
	}
	for (unsigned int i = 0; i < c->ndescs; i++) {
		buf_putc(out, ' ');
		print_desc(out, &c->descs[i]);
	}
	buf_putc(out, '\n');
	if (c->thread) {
		buf_puts(out, "  for\n");
		print_expr(out, c->thread, 2);
	}
	if (c->pred) {
		buf_puts(out, "  predicate\n");
		print_expr(out, c->pred, 2);
	}
	for (unsigned int i = 0; i < c->nparts; i++)
		print_part(out, &c->parts[i]);
	if (!c->nparts)
		print_stmts(out, c->body, 1);
	for (const struct clause *e = c->site_and; e; e = e->next) {
		buf_puts(out, "and ");
		print_clause(out, e);
	}
	for (const struct clause *e = c->site_else; e; e = e->next) {
		buf_puts(out, "else ");
		print_clause(out, e);
	}
}

static void print_params(struct buf *out, const struct probe_param *p, unsigned int n)
{
	buf_putc(out, '(');
	for (unsigned int i = 0; i < n; i++) {
		if (i)
			buf_puts(out, ", ");
		type_print(out, p[i].type);
		if (p[i].name)
			buf_printf(out, " %s", p[i].name);
	}
	buf_putc(out, ')');
}

void ast_print(struct buf *out, const struct program *p)
{
	assert(p);
	for (const struct provider_decl *pv = p->providers; pv; pv = pv->next) {
		buf_printf(out, "provider %s\n", pv->name);
		for (const struct probe_decl *d = pv->probes; d; d = d->next) {
			buf_puts(out, "  probe ");
			if (*d->mod)
				buf_printf(out, "%s:%s:", d->mod, d->func);
			buf_printf(out, "%s ", d->name);
			print_params(out, d->native, d->nnative);
			buf_puts(out, " : ");
			print_params(out, d->xlated, d->nxlated);
			buf_putc(out, '\n');
		}
	}
	for (const struct clause *c = p->clauses; c; c = c->next)
		print_clause(out, c);
}
