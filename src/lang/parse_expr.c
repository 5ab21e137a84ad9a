/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse_expr.c: expressions, by precedence climbing (man/d.7, EXPRESSIONS).  The result is a tree
 * as written.  The checker resolves names, except where the grammar depends on a name: a
 * parenthesis may open a cast.
 */
#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "base/intern.h"
#include "lang/parse.h"

/* Index: token.  prec 0: not a binary operator. */
static const struct {
	enum expr_op op;
	int prec;
} binaries[TOK_MAX] = {
    [TOK_MUL] = {OP_MUL, 11}, [TOK_DIV] = {OP_DIV, 11},	 [TOK_MOD] = {OP_MOD, 11},
    [TOK_ADD] = {OP_ADD, 10}, [TOK_SUB] = {OP_SUB, 10},	 [TOK_SHL] = {OP_SHL, 9},
    [TOK_SHR] = {OP_SHR, 9},  [TOK_LT] = {OP_LT, 8},	 [TOK_LE] = {OP_LE, 8},
    [TOK_GT] = {OP_GT, 8},    [TOK_GE] = {OP_GE, 8},	 [TOK_EQ] = {OP_EQ, 7},
    [TOK_NE] = {OP_NE, 7},    [TOK_AND] = {OP_AND, 6},	 [TOK_XOR] = {OP_XOR, 5},
    [TOK_OR] = {OP_OR, 4},    [TOK_LAND] = {OP_LAND, 3}, [TOK_LXOR] = {OP_LXOR, 2},
    [TOK_LOR] = {OP_LOR, 1},
};

static const struct {
	bool is_assign;
	enum expr_op op;
} assigns[TOK_MAX] = {
    [TOK_ASSIGN] = {true, OP_NONE},   [TOK_ADDASSIGN] = {true, OP_ADD},
    [TOK_SUBASSIGN] = {true, OP_SUB}, [TOK_MULASSIGN] = {true, OP_MUL},
    [TOK_DIVASSIGN] = {true, OP_DIV}, [TOK_MODASSIGN] = {true, OP_MOD},
    [TOK_ANDASSIGN] = {true, OP_AND}, [TOK_ORASSIGN] = {true, OP_OR},
    [TOK_XORASSIGN] = {true, OP_XOR}, [TOK_SHLASSIGN] = {true, OP_SHL},
    [TOK_SHRASSIGN] = {true, OP_SHR},
};

/* Index: token.  OP_NONE: not a prefix operator. */
static const enum expr_op unaries[TOK_MAX] = {
    [TOK_SUB] = OP_NEG,	  [TOK_ADD] = OP_PLUS,	 [TOK_TILDE] = OP_BITNOT, [TOK_NOT] = OP_NOT,
    [TOK_MUL] = OP_DEREF, [TOK_AND] = OP_ADDROF, [TOK_INC] = OP_PREINC,	  [TOK_DEC] = OP_PREDEC,
};

void parse_next(struct parser *p, enum lex_state state)
{
	lex_next(&p->lx, &p->t, state);
	if (p->t.kind == TOK_LBRACE)
		p->braces++;
	else if (p->t.kind == TOK_RBRACE && p->braces)
		p->braces--;
	if (p->t.kind == TOK_ERROR)
		p->failed = true;
}

bool parse_error(struct parser *p, struct loc loc, enum diag_tag tag, const char *fmt, ...)
{
	va_list ap;
	const char *text;

	va_start(ap, fmt);
	text = arena_vprintf(p->l->arena, fmt, ap);
	va_end(ap);
	if (!p->failed)
		diag(p->l->diags, loc, tag, "%s", text);
	p->failed = true;
	return false;
}

bool parse_syntax(struct parser *p)
{
	const struct token *t = &p->t;
	unsigned int n = t->textlen < 64 ? t->textlen : 64;

	if (t->kind == TOK_EOF)
		return parse_error(p, t->loc, D_SYNTAX, "syntax error near end of input");
	return parse_error(p, t->loc, D_SYNTAX, "syntax error near \"%.*s\"", (int)n, t->text);
}

bool parse_accept(struct parser *p, enum tok kind)
{
	if (p->failed || p->t.kind != kind)
		return false;
	parse_next(p, LEX_EXPR);
	return !p->failed;
}

bool parse_expect(struct parser *p, enum tok kind)
{
	if (p->failed)
		return false;
	if (p->t.kind != kind)
		return parse_syntax(p);
	parse_next(p, LEX_EXPR);
	return !p->failed;
}

static struct expr *node(struct parser *p, enum expr_kind kind, struct loc loc)
{
	return expr_new(p->l, kind, loc);
}

static unsigned int higher(unsigned int n, const struct expr *x)
{
	return x && x->height + 1 > n ? x->height + 1 : n;
}

/* Completes E after its operands: sets its height and checks the limit. */
static struct expr *finish(struct parser *p, struct expr *e)
{
	if (p->failed)
		return NULL;
	e->height = higher(higher(higher(0, e->x), e->y), e->z);
	for (unsigned int i = 0; i < e->nargs; i++)
		e->height = higher(e->height, e->args[i]);
	if (e->height > EXPR_HEIGHT_MAX)
		parse_error(p, e->loc, D_SYNTAX, "expression has more than %d levels",
			    EXPR_HEIGHT_MAX);
	return p->failed ? NULL : e;
}

/* Returns the text up to the current token, on one line. */
static const char *text_from(struct parser *p, const char *start)
{
	struct buf b = {0};
	const char *text;

	for (; start < p->t.text; start++)
		if (!isspace((unsigned char)*start))
			buf_putc(&b, *start);
		else if (b.n && b.s[b.n - 1] != ' ')
			buf_putc(&b, ' ');
	while (b.n && b.s[b.n - 1] == ' ')
		b.n--;
	text = intern_mem(p->l->names, buf_str(&b), b.n);
	buf_free(&b);
	return text;
}

/* Parses a, b, c up to the closing sign.  Only `)` allows an empty list. */
static void arguments(struct parser *p, struct expr *e, enum tok close)
{
	VEC(struct expr *) list = {0};
	VEC(const char *) texts = {0};

	if (p->t.kind != close || close == TOK_RBRACK) {
		do {
			const char *start = p->t.text;
			struct expr *a = parse_assign(p);

			if (!a)
				break;
			vec_push(&list, a);
			if (e->kind == EXPR_AGG)
				vec_push(&texts, text_from(p, start));
		} while (parse_accept(p, TOK_COMMA));
	}
	parse_expect(p, close);
	e->nargs = list.n;
	e->args = arena_new_arr(p->l->arena, struct expr *, list.n + 1);
	if (list.n)
		memcpy(e->args, list.a, list.n * sizeof(*list.a));
	if (texts.n) {
		e->texts = arena_new_arr(p->l->arena, const char *, texts.n);
		memcpy(e->texts, texts.a, texts.n * sizeof(*texts.a));
	}
	vec_free(&list);
	vec_free(&texts);
}

static struct expr *identifier(struct parser *p)
{
	struct expr *e = node(p, EXPR_IDENT, p->t.loc);

	e->name = p->t.s;
	parse_next(p, LEX_EXPR);
	return e;
}

/*
 * Returns true for a word after . or ->.  Keywords count: the kernel has members called counter or
 * self.
 */
static bool is_word(const struct parser *p)
{
	return p->t.kind == TOK_IDENT || (p->t.kind != TOK_AGG && p->t.textlen &&
					  strchr("abcdefghijklmnopqrstuvwxyz_", p->t.text[0]));
}

static const char *word(struct parser *p)
{
	return p->t.kind == TOK_IDENT ? p->t.s : intern_mem(p->l->names, p->t.text, p->t.textlen);
}

/* Parses self->x or this->x. */
static struct expr *scoped_variable(struct parser *p)
{
	struct expr *e = node(p, EXPR_IDENT, p->t.loc);

	e->is_self = p->t.kind == TOK_SELF;
	e->is_this = !e->is_self;
	parse_next(p, LEX_EXPR);
	if (!parse_expect(p, TOK_ARROW))
		return NULL;
	if (!is_word(p)) {
		parse_syntax(p);
		return NULL;
	}
	e->name = word(p);
	parse_next(p, LEX_EXPR);
	return e;
}

static struct expr *constant(struct parser *p)
{
	struct expr *e = node(p, p->t.kind == TOK_STR ? EXPR_STR : EXPR_INT, p->t.loc);

	e->is_typed = p->t.text && (*p->t.text != '$' || isdigit((unsigned char)p->t.text[1]));

	e->name = p->t.s;
	e->len = p->t.len;
	e->val = p->t.val;
	e->type = p->t.type;
	parse_next(p, LEX_EXPR);
	return e;
}

/* Parses xlate <type> (x).  It binds like a call, so that -> may follow. */
static struct expr *translation(struct parser *p)
{
	struct expr *e = node(p, EXPR_XLATE, p->t.loc);

	parse_next(p, LEX_EXPR);
	if (!parse_expect(p, TOK_LT))
		return NULL;
	e->tname = parse_typename(p);
	if (!parse_expect(p, TOK_GT) || !parse_expect(p, TOK_LPAR))
		return NULL;
	e->x = parse_expr(p);
	parse_expect(p, TOK_RPAR);
	return e;
}

static struct expr *primary(struct parser *p)
{
	struct expr *e;

	switch (p->t.kind) {
	case TOK_IDENT:
		return identifier(p);
	case TOK_SELF:
	case TOK_THIS:
		return scoped_variable(p);
	case TOK_NUM:
	case TOK_STR:
		return constant(p);
	case TOK_XLATE:
		return translation(p);
	case TOK_AGG:
		e = node(p, EXPR_AGG, p->t.loc);
		e->name = p->t.s;
		parse_next(p, LEX_EXPR);
		if (parse_accept(p, TOK_LBRACK))
			arguments(p, e, TOK_RBRACK);
		return e;
	case TOK_LPAR:
		parse_next(p, LEX_EXPR);
		e = parse_expr(p);
		parse_expect(p, TOK_RPAR);
		return e;
	default:
		parse_syntax(p);
		return NULL;
	}
}

static struct expr *member(struct parser *p, struct expr *x)
{
	struct expr *e = node(p, EXPR_MEMBER, p->t.loc);

	assert(x);
	e->x = x;
	e->is_arrow = p->t.kind == TOK_ARROW;
	parse_next(p, LEX_EXPR);
	if (p->failed)
		return NULL;
	if (!is_word(p)) {
		parse_error(p, p->t.loc, D_OP_IDENT,
			    "operator %s must be followed by the name of a member",
			    e->is_arrow ? "->" : ".");
		return NULL;
	}
	e->name =
	    p->t.kind == TOK_IDENT ? p->t.s : intern_mem(p->l->names, p->t.text, p->t.textlen);
	parse_next(p, LEX_EXPR);
	return e;
}

static struct expr *call(struct parser *p, struct expr *x)
{
	struct expr *e = node(p, EXPR_CALL, x->loc);

	if (x->kind != EXPR_IDENT || x->is_self || x->is_this) {
		parse_error(p, x->loc, D_FUNC_IDENT,
			    "a function call must use the name of a function");
		return NULL;
	}
	e->name = x->name;
	parse_next(p, LEX_EXPR);
	arguments(p, e, TOK_RPAR);
	return e;
}

static struct expr *postfix(struct parser *p)
{
	struct expr *x = primary(p), *e;

	while (!p->failed) {
		switch (p->t.kind) {
		case TOK_LBRACK:
			e = node(p, EXPR_INDEX, x->loc);
			e->x = x;
			parse_next(p, LEX_EXPR);
			arguments(p, e, TOK_RBRACK);
			break;
		case TOK_LPAR:
			e = call(p, x);
			break;
		case TOK_DOT:
		case TOK_ARROW:
			e = member(p, x);
			break;
		case TOK_INC:
		case TOK_DEC:
			e = node(p, EXPR_UNARY, p->t.loc);
			e->op = p->t.kind == TOK_INC ? OP_POSTINC : OP_POSTDEC;
			e->x = x;
			parse_next(p, LEX_EXPR);
			break;
		default:
			return x;
		}
		x = finish(p, e);
	}
	return NULL;
}

static struct expr *unary(struct parser *p);

/* Parses (type) x.  The token after the parenthesis is current and starts a type. */
static struct expr *cast(struct parser *p, struct loc loc)
{
	struct expr *e = node(p, EXPR_CAST, loc);

	e->tname = parse_typename(p);
	if (parse_expect(p, TOK_RPAR))
		e->x = unary(p);
	return e;
}

static struct expr *size_of(struct parser *p)
{
	struct expr *e = node(p, EXPR_SIZEOF, p->t.loc);

	parse_next(p, LEX_EXPR);
	if (p->t.kind != TOK_LPAR) {
		e->x = unary(p);
		return e;
	}
	struct lexer save = p->lx;
	struct token save_t = p->t;

	parse_next(p, LEX_EXPR);
	if (parse_is_type(p)) {
		e->tname = parse_typename(p);
		parse_expect(p, TOK_RPAR);
		return e;
	}
	p->lx = save;
	p->t = save_t;
	e->x = unary(p);
	return e;
}

static struct expr *offset_of(struct parser *p)
{
	struct expr *e = node(p, EXPR_OFFSETOF, p->t.loc);

	parse_next(p, LEX_EXPR);
	if (!parse_expect(p, TOK_LPAR))
		return NULL;
	e->tname = parse_typename(p);
	if (!parse_expect(p, TOK_COMMA))
		return NULL;
	if (!is_word(p)) {
		parse_syntax(p);
		return NULL;
	}
	e->name = word(p);
	parse_next(p, LEX_EXPR);
	parse_expect(p, TOK_RPAR);
	return e;
}

static struct expr *prefix(struct parser *p)
{
	struct loc loc = p->t.loc;
	struct expr *e;

	if (unaries[p->t.kind] != OP_NONE) {
		e = node(p, EXPR_UNARY, loc);
		e->op = unaries[p->t.kind];
		parse_next(p, LEX_EXPR);
		e->x = unary(p);
		return e;
	}
	switch (p->t.kind) {
	case TOK_SIZEOF:
		return size_of(p);
	case TOK_OFFSETOF:
		return offset_of(p);
	case TOK_STRINGOF:
		e = node(p, EXPR_STRINGOF, loc);
		parse_next(p, LEX_EXPR);
		e->x = unary(p);
		return e;
	default:
		return postfix(p);
	}
}

/* Returns true if the text after a parenthesis can only be a cast: a name, stars, the end. */
static bool is_meant_as_type(struct parser *p)
{
	bool has_star = false;

	if (p->t.kind != TOK_IDENT)
		return false;
	parse_next(p, LEX_EXPR);
	for (; p->t.kind == TOK_MUL; has_star = true)
		parse_next(p, LEX_EXPR);
	if (p->t.kind != TOK_RPAR)
		return false;
	if (!has_star)
		parse_next(p, LEX_EXPR);
	return has_star || p->t.kind == TOK_IDENT || p->t.kind == TOK_INT;
}

/* Returns true if the current parenthesis opens a cast, and consumes it. */
static bool is_cast(struct parser *p)
{
	struct lexer save = p->lx;
	struct token save_t = p->t, name;

	if (p->t.kind != TOK_LPAR)
		return false;
	parse_next(p, LEX_EXPR);
	if (!p->failed && parse_is_type(p))
		return true;
	name = p->t;
	if (!p->failed && is_meant_as_type(p))
		return parse_error(p, name.loc, D_SYNTAX, "unknown type %.*s", (int)name.textlen,
				   name.text);
	if (!p->failed) {
		p->lx = save;
		p->t = save_t;
	}
	return false;
}

static struct expr *unary(struct parser *p)
{
	struct loc loc = p->t.loc;
	struct expr *e = NULL;

	if (p->failed)
		return NULL;
	if (++p->depth > PARSE_DEPTH_MAX)
		parse_error(p, loc, D_SYNTAX, "expression is nested too deeply near \"%.*s\"",
			    (int)p->t.textlen, p->t.text);
	else if (is_cast(p))
		e = cast(p, loc);
	else if (!p->failed)
		e = prefix(p);
	assert(p->depth > 0 && (e || p->failed));
	p->depth--;
	return finish(p, e);
}

static struct expr *binary(struct parser *p, int min)
{
	struct expr *x = unary(p), *e;

	while (!p->failed) {
		int prec = binaries[p->t.kind].prec;

		if (!prec || prec < min)
			return x;
		e = node(p, EXPR_BINARY, p->t.loc);
		e->op = binaries[p->t.kind].op;
		e->x = x;
		parse_next(p, LEX_EXPR);
		e->y = binary(p, prec + 1);
		x = finish(p, e);
	}
	return NULL;
}

static struct expr *parse_cond(struct parser *p)
{
	struct expr *x, *e;

	if (++p->depth > PARSE_DEPTH_MAX)
		parse_error(p, p->t.loc, D_SYNTAX, "expression is nested too deeply near \"%.*s\"",
			    (int)p->t.textlen, p->t.text);
	x = p->failed ? NULL : binary(p, 1);
	if (!p->failed && p->t.kind == TOK_QUEST) {
		e = node(p, EXPR_COND, p->t.loc);
		e->x = x;
		parse_next(p, LEX_EXPR);
		e->y = parse_expr(p);
		if (parse_expect(p, TOK_COLON))
			e->z = parse_cond(p);
		x = finish(p, e);
	}
	p->depth--;
	return p->failed ? NULL : x;
}

struct expr *parse_assign(struct parser *p)
{
	struct expr *x = parse_cond(p), *e;

	if (p->failed || !assigns[p->t.kind].is_assign)
		return p->failed ? NULL : x;
	e = node(p, EXPR_ASSIGN, p->t.loc);
	e->op = assigns[p->t.kind].op;
	e->x = x;
	parse_next(p, LEX_EXPR);
	if (++p->depth > PARSE_DEPTH_MAX)
		parse_syntax(p);
	e->y = p->failed ? NULL : parse_assign(p);
	p->depth--;
	return finish(p, e);
}

struct expr *parse_expr(struct parser *p)
{
	struct expr *x = parse_assign(p), *e;

	while (!p->failed && p->t.kind == TOK_COMMA) {
		e = node(p, EXPR_BINARY, p->t.loc);
		e->op = OP_COMMA;
		e->x = x;
		parse_next(p, LEX_EXPR);
		e->y = parse_assign(p);
		x = finish(p, e);
	}
	return p->failed ? NULL : x;
}

bool parse_const(struct parser *p, int64_t *val)
{
	struct expr *e = parse_cond(p);
	struct check ck = {.l = p->l};

	if (p->failed)
		return false;
	p->failed = !check_expr(&ck, e);
	if (p->failed || e->kind != EXPR_INT)
		return false;
	*val = e->val > INT64_MAX && !type_base(e->type)->is_signed ? INT64_MAX : (int64_t)e->val;
	return true;
}
