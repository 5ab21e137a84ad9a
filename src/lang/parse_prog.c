/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse_prog.c: programs: declarations, clauses, probe descriptions and sites.  Its entry is
 * lang_compile.
 *
 * After an error the parser skips to the next `;` or `}` outside of braces, to report further
 * errors.  A program with any error is not checked.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lang/parse.h"
#include "lang/pragma.h"

/* Maximum number of reported errors. */
#define ERRORS_MAX 100

/* ---- probe descriptions ---- */

static bool bad_desc(struct lang *l, struct loc loc, const char *text, const char *why)
{
	return diag(l->diags, loc, D_PDESC_INVAL, "invalid probe description \"%s\": %s", text,
		    why);
}

/* Returns one field with its macro replaced; NULL: the macro is undefined. */
static const char *expand_field(struct lang *l, const char *s)
{
	const char *dollar = strchr(s, '$'), *p, *val;

	if (!dollar)
		return s;
	p = dollar + 1;
	if (*p == '$')
		p++;
	if (*p >= '0' && *p <= '9')
		p += strspn(p, "0123456789");
	else
		p += strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
	val = lex_macro_text(l, dollar + 1, (unsigned int)(p - dollar - 1));
	if (!val && lang_option(l, "defaultargs"))
		val = "";
	if (!val)
		return NULL;
	return arena_printf(l->arena, "%.*s%s%s", (int)(dollar - s), s, val, p);
}

/* A fifth field, on the left, names a target. */
static bool parse_target(struct lang *l, struct loc loc, const char *text, struct pdesc *d)
{
	if (!d->target || lang_target(l, d->target) != LANG_NO_TARGET)
		return true;
	return diag(l->diags, loc, D_PDESC_INVAL,
		    "invalid probe description \"%s\": no such target: %s", text, d->target);
}

/* C++ names of pid providers contain colons, which users must escape; the message says so. */
static bool overspecified(struct lang *l, struct loc loc, const char *text)
{
	const char *is_cxx = strncmp(text, "pid", 3) == 0 ? strstr(text, "::") : NULL;

	return bad_desc(
	    l, loc, text,
	    is_cxx ? "Overspecified probe description; write \\: for a colon in a name of C++"
		   : "Overspecified probe description");
}

/* Works like strsep() with ":", but a colon after a backslash belongs to the field. */
static char *next_field(char **next)
{
	char *field = *next, *p = field;

	while (*p && *p != ':')
		p += *p == '\\' && p[1] ? 2 : 1;
	*next = *p ? p + 1 : NULL;
	*p = '\0';
	return field;
}

/* Splits the text of a probe description into its fields. */
static bool parse_pdesc(struct lang *l, const char *text, enum lang_spec spec, struct loc loc,
			struct pdesc *d)
{
	static const unsigned int sizes[] = {64, 64, 64, 128, 64};
	const char *fields[5] = {0};
	const char **out[] = {&d->target, &d->prov, &d->mod, &d->func, &d->name};
	char *copy = arena_strdup(l->arena, text), *next = copy;
	unsigned int n = 0, last;

	memset(d, 0, sizeof(*d));
	d->loc = loc;
	last = spec == LANG_SPEC_PROVIDER   ? 1
	       : spec == LANG_SPEC_MODULE   ? 2
	       : spec == LANG_SPEC_FUNCTION ? 3
					    : 4;
	while (next) {
		char *field = next_field(&next);

		if (n == 5)
			return overspecified(l, loc, text);
		fields[n++] = field;
	}
	if (n > last + (last == 4))
		return overspecified(l, loc, text);
	for (unsigned int i = 0; i < n; i++) {
		unsigned int at = last + 1 - n + i;
		const char *f = expand_field(l, fields[i]);

		if (!f)
			return bad_desc(l, loc, text, "Undefined macro in probe description");
		if (strlen(f) >= sizes[at])
			return bad_desc(l, loc, text, "Probe description field is too long");
		*out[at] = *f ? f : NULL;
	}
	return parse_target(l, loc, text, d);
}

/* Parses the current token as a description. */
static bool one_desc(struct parser *p, struct pdesc *d)
{
	enum lang_spec spec = p->lx.spec;
	struct loc loc = p->t.loc;

	memset(d, 0, sizeof(*d));
	if (p->t.kind == TOK_NUM) {
		const char *text = arena_strndup(p->l->arena, p->t.text, p->t.textlen);

		d->loc = loc;
		d->id = (uint32_t)p->t.val;
		if ((spec != LANG_SPEC_NONE && spec != LANG_SPEC_NAME && spec != LANG_SPEC_ID) ||
		    !d->id || p->t.val > UINT32_MAX) {
			bad_desc(p->l, loc, text, "probe id is not allowed here or not valid");
			p->failed = true;
		}
	} else if (p->t.kind == TOK_PSPEC) {
		if (spec == LANG_SPEC_ID) {
			bad_desc(p->l, loc, p->t.s, "expected a probe id");
			p->failed = true;
		} else if (!parse_pdesc(p->l, p->t.s, spec, loc, d)) {
			p->failed = true;
		}
	} else {
		parse_syntax(p);
	}
	parse_next(p, LEX_CLAUSE);
	return !p->failed;
}

static bool desc_list(struct parser *p, struct clause *c)
{
	VEC(struct pdesc) list = {0};
	struct pdesc d;

	for (;;) {
		if (!one_desc(p, &d))
			break;
		vec_push(&list, d);
		if (p->t.kind != TOK_COMMA)
			break;
		parse_next(p, LEX_CLAUSE);
	}
	c->ndescs = list.n;
	c->descs = arena_new_arr(p->l->arena, struct pdesc, list.n + 1);
	if (list.n)
		memcpy(c->descs, list.a, list.n * sizeof(*list.a));
	vec_free(&list);
	return !p->failed;
}

/* ---- clauses ---- */

static struct stmt *statements(struct parser *p);

static struct stmt *new_stmt(struct parser *p, enum stmt_kind kind)
{
	struct stmt *s = arena_new_obj(p->l->arena, struct stmt);

	s->kind = kind;
	s->loc = p->t.loc;
	return s;
}

static struct stmt *if_stmt(struct parser *p);

static struct stmt *simple_stmt(struct parser *p)
{
	struct stmt *s = new_stmt(p, STMT_EXPR);

	s->expr = parse_expr(p);
	if (!p->failed && p->t.kind != TOK_RBRACE)
		parse_expect(p, TOK_SEMI);
	return p->failed ? NULL : s;
}

/* Parses the branch of an if: a block or one statement. */
static struct stmt *branch(struct parser *p)
{
	if (parse_accept(p, TOK_LBRACE)) {
		struct stmt *s = statements(p);

		parse_expect(p, TOK_RBRACE);
		return s;
	}
	if (p->t.kind == TOK_IF)
		return if_stmt(p);
	if (parse_accept(p, TOK_SEMI))
		return NULL;
	return simple_stmt(p);
}

static struct stmt *if_stmt(struct parser *p)
{
	struct stmt *s = new_stmt(p, STMT_IF);

	if (++p->depth > PARSE_DEPTH_MAX)
		parse_syntax(p);
	parse_next(p, LEX_EXPR);
	if (!parse_expect(p, TOK_LPAR))
		return NULL;
	s->expr = parse_expr(p);
	if (!parse_expect(p, TOK_RPAR))
		return NULL;
	s->then_body = branch(p);
	if (parse_accept(p, TOK_ELSE))
		s->else_body = branch(p);
	p->depth--;
	return p->failed ? NULL : s;
}

/* Parses return (a, b, c); */
static struct stmt *return_stmt(struct parser *p)
{
	struct stmt *s = new_stmt(p, STMT_RETURN);
	VEC(struct expr *) list = {0};

	parse_next(p, LEX_EXPR);
	if (parse_expect(p, TOK_LPAR) && p->t.kind != TOK_RPAR) {
		do {
			struct expr *e = parse_assign(p);

			if (e)
				vec_push(&list, e);
		} while (parse_accept(p, TOK_COMMA));
	}
	parse_expect(p, TOK_RPAR);
	s->nargs = list.n;
	s->args = arena_new_arr(p->l->arena, struct expr *, list.n + 1);
	if (list.n)
		memcpy(s->args, list.a, list.n * sizeof(*list.a));
	vec_free(&list);
	if (!p->failed && p->t.kind != TOK_RBRACE)
		parse_expect(p, TOK_SEMI);
	return p->failed ? NULL : s;
}

/* Parses up to the closing brace, which stays current.  A site has predicates but no if. */
static struct stmt *statements(struct parser *p)
{
	struct stmt *first = NULL, **end = &first;

	while (!p->failed && p->t.kind != TOK_RBRACE) {
		struct stmt *s;

		if (parse_accept(p, TOK_SEMI))
			continue;
		/* Outside of a site, return() is an action. */
		if (p->t.kind == TOK_RETURN && !p->in_site && scan_peek(&p->lx.sc) == '(')
			p->t.kind = TOK_IDENT;
		s = p->t.kind == TOK_IF && !p->in_site	    ? if_stmt(p)
		    : p->t.kind == TOK_RETURN && p->in_site ? return_stmt(p)
							    : simple_stmt(p);
		if (!s)
			break;
		*end = s;
		end = &s->next;
	}
	return first;
}

/* Parses [/ expr /] { statements } after the descriptions, and reads the next token. */
static bool clause_rest(struct parser *p, struct clause *c, bool is_file)
{
	if (p->t.kind == TOK_DIV) {
		parse_next(p, LEX_EXPR);
		c->pred = parse_expr(p);
		if (p->failed || p->t.kind != TOK_EPRED)
			return parse_syntax(p);
		parse_next(p, LEX_CLAUSE);
		if (p->t.kind != TOK_LBRACE)
			return parse_syntax(p);
	}
	if (p->t.kind != TOK_LBRACE)
		return (!is_file && p->t.kind == TOK_EOF) || parse_syntax(p);
	parse_next(p, LEX_EXPR);
	c->body = statements(p);
	if (p->failed)
		return false;
	assert(p->t.kind == TOK_RBRACE);
	parse_next(p, LEX_CLAUSE);
	return !p->failed;
}

static struct clause *new_clause(struct parser *p)
{
	struct clause *c = arena_new_obj(p->l->arena, struct clause);

	c->loc = p->t.loc;
	c->is_library = p->l->in_library;
	return c;
}

static struct clause *parse_clause(struct parser *p)
{
	struct clause *c = new_clause(p);
	const char *start = p->t.text;

	if (!desc_list(p, c))
		return NULL;
	c->text = arena_strndup(p->l->arena, start, (size_t)(p->t.text - start));
	return clause_rest(p, c, p->lx.spec == LANG_SPEC_NONE) ? c : NULL;
}

static bool is_word(const struct parser *p, const char *word)
{
	return p->t.textlen == strlen(word) && strncmp(p->t.text, word, p->t.textlen) == 0;
}

/* Parses [for (thread)] after the descriptions of a site: the thread that fires. */
static void site_thread(struct parser *p, struct clause *c)
{
	if (!is_word(p, "for"))
		return;
	parse_next(p, LEX_EXPR);
	if (parse_expect(p, TOK_LPAR))
		c->thread = parse_expr(p);
	if (p->t.kind == TOK_RPAR)
		parse_next(p, LEX_CLAUSE);
	else
		parse_syntax(p);
}

/* Parses from DESC [for (thread)] [/ expr /] { statements }. */
static struct clause *site_from(struct parser *p, struct pdesc *target)
{
	struct clause *c = new_clause(p);

	if (!is_word(p, "from")) {
		parse_syntax(p);
		return NULL;
	}
	parse_next(p, LEX_CLAUSE);
	c->site_of = target;
	p->in_site = true;
	if (!desc_list(p, c))
		return NULL;
	site_thread(p, c);
	if (!clause_rest(p, c, true))
		return NULL;
	p->in_site = false;
	return c;
}

/* Parses TARGET from ... [and from ...] [else from ... [and from ...]]; `site` is consumed. */
static struct clause *parse_site(struct parser *p)
{
	struct pdesc *target = arena_new_obj(p->l->arena, struct pdesc);
	struct clause *first = NULL, **end = &first, **end_and = NULL, **end_else = NULL;

	if (!one_desc(p, target))
		return NULL;
	for (;;) {
		struct clause *c = site_from(p, target);

		if (!c)
			return NULL;
		*end = c;
		if (end != end_and)
			end_else = &c->site_else;
		end_and = &c->site_and;
		if (is_word(p, "and"))
			end = end_and;
		else if (is_word(p, "else"))
			end = end_else;
		else
			return first;
		parse_next(p, LEX_CLAUSE);
		if (p->failed)
			return NULL;
	}
}

/* ---- programs ---- */

static bool declaration(struct parser *p, struct program *prog)
{
	enum tok kind = p->t.kind;
	unsigned int nerrors = p->l->diags->n;
	bool ok;

	p->l->is_consequence = false;
	switch (kind) {
	case TOK_INLINE:
	case TOK_TRANSLATOR:
	case TOK_PROVIDER:
		prog->has_content = true;
		parse_next(p, LEX_EXPR);
		ok = kind == TOK_INLINE	      ? parse_inline(p)
		     : kind == TOK_TRANSLATOR ? parse_translator(p)
					      : parse_provider(p, prog);
		break;
	default:
		ok = parse_declaration(p);
		break;
	}
	if (!ok && p->l->is_consequence)
		p->l->diags->n = nerrors;
	if (!ok)
		return false;
	assert(p->t.kind == TOK_SEMI || p->t.kind == TOK_RBRACE);
	parse_next(p, LEX_CLAUSE);
	return !p->failed;
}

static void resync(struct parser *p)
{
	p->failed = false;
	p->in_site = false;
	p->depth = 0;
	p->lx.is_quiet = true;
	while (p->t.kind != TOK_EOF &&
	       !((p->t.kind == TOK_SEMI || p->t.kind == TOK_RBRACE) && !p->braces)) {
		parse_next(p, LEX_EXPR);
		p->failed = false;
	}
	p->lx.is_quiet = false;
	if (p->t.kind != TOK_EOF)
		parse_next(p, LEX_CLAUSE);
	if (p->t.kind == TOK_SEMI)
		parse_next(p, LEX_CLAUSE);
}

static bool is_site(struct parser *p)
{
	return p->l->in_library && p->t.kind == TOK_PSPEC && is_word(p, "site");
}

static void parse_program(struct parser *p, struct program *prog)
{
	struct clause **end = &prog->clauses;

	parse_next(p, LEX_CLAUSE);
	for (;;) {
		struct clause *c = NULL;

		if ((!p->failed && p->t.kind == TOK_EOF) || p->l->diags->n > ERRORS_MAX)
			break;
		if (p->failed) {
			if (p->t.kind == TOK_EOF)
				break;
			resync(p);
			continue;
		}
		if (is_site(p)) {
			parse_next(p, LEX_CLAUSE);
			c = parse_site(p);
		} else if (p->t.kind == TOK_PSPEC || p->t.kind == TOK_NUM) {
			c = parse_clause(p);
		} else if (p->t.kind == TOK_IDENT || scan_tok_text(p->t.kind)[0] >= 'a') {
			declaration(p, prog);
		} else {
			parse_syntax(p);
		}
		if (c) {
			prog->has_content = true;
			*end = c;
			end = &c->next;
		}
	}
}

static void begin_source(struct lang *l, bool in_library)
{
	const char *size = lang_option(l, "strsize");

	l->in_library = in_library;
	if (size && strtoull(size, NULL, 0))
		type_set_strsize(l->types, strtoull(size, NULL, 0));
}

static struct program *parse_source(struct lang *l, const struct source *src, enum lang_spec spec)
{
	struct program *prog = arena_new_obj(l->arena, struct program);
	struct parser *p = arena_new_obj(l->arena, struct parser);

	p->l = l;
	lex_init(&p->lx, l, src, spec);
	parse_program(p, prog);
	return prog;
}

/* Returns a copy of c for its i-th description. */
static struct clause *clause_for(struct lang *l, const struct clause *c, unsigned int i)
{
	struct clause *n = arena_new_obj(l->arena, struct clause);

	*n = *c;
	n->next = NULL;
	n->descs = &c->descs[i];
	n->ndescs = 1;
	n->thread = expr_copy(l, c->thread);
	n->pred = expr_copy(l, c->pred);
	n->body = stmt_copy(l, c->body);
	return n;
}

/* Several descriptions of a site are one alternative, as if joined by `and`. */
static struct clause *one_site(struct lang *l, const struct clause *c)
{
	struct clause *first = NULL, **end = &first;

	for (unsigned int i = 0; c && i < c->ndescs; i++) {
		*end = clause_for(l, c, i);
		(*end)->site_else = i ? NULL : one_site(l, c->site_else);
		end = &(*end)->site_and;
	}
	if (c)
		*end = one_site(l, c->site_and);
	return first;
}

/* Returns a list with one clause for each description. */
static struct clause *one_per_desc(struct lang *l, const struct clause *list)
{
	struct clause *first = NULL, **end = &first;

	for (const struct clause *c = list; c; c = c->next) {
		for (unsigned int i = 0; i < (c->site_of ? 1 : c->ndescs); i++) {
			*end = c->site_of ? one_site(l, c) : clause_for(l, c, i);
			end = &(*end)->next;
		}
	}
	return first;
}

/* Notes a faulty clause.  If an earlier error caused this one, drops it. */
static void miss(struct lang *l, const struct expr *pred, const struct stmt *body,
		 unsigned int nerrors)
{
	if (l->is_consequence)
		l->diags->n = nerrors;
	missed_clause(l, pred, body);
}

static void check_clauses(struct lang *l, struct clause *list)
{
	for (struct clause *c = list; c && l->diags->n <= ERRORS_MAX; c = c->next) {
		const struct expr *pred = c->pred;
		const struct stmt *body = c->body;
		unsigned int n = l->diags->n;

		l->is_consequence = false;
		if (!lang_check_clause(l, c))
			miss(l, pred, body, n);
	}
}

struct program *lang_compile(struct lang *l, const struct source *src, enum lang_spec spec)
{
	unsigned int nerrors = l->diags->n;
	struct loc end = {.src = src, .line = 1};
	struct program *prog;

	begin_source(l, false);
	prog = parse_source(l, src, spec);
	if (l->diags->n != nerrors)
		return NULL;
	for (const char *nl = src->text; (nl = strchr(nl, '\n')); nl++)
		end.line++;
	if (!prog->has_content && !lang_option(l, "empty"))
		diag(l->diags, end, D_EMPTY, "empty D program translation unit");
	if (l->env->passed)
		l->env->passed(l->env->ctx, "parse", prog);
	prog->clauses = one_per_desc(l, prog->clauses);
	check_clauses(l, prog->clauses);
	pragma_finish(l);
	if (l->diags->n != nerrors)
		return NULL;
	if (l->env->passed)
		l->env->passed(l->env->ctx, "check", prog);
	return prog;
}

bool lang_check_operands(struct lang *l, const struct source *last)
{
	if (!l->env->nargs || l->last_arg_used || lang_option(l, "argref"))
		return true;
	return diag(l->diags, (struct loc){.src = last}, D_MACRO_UNUSED,
		    "extraneous argument '%s' ($%d is not used)", l->env->args[l->env->nargs - 1],
		    l->env->nargs);
}

struct program *lang_compile_library(struct lang *l, const struct source *src)
{
	unsigned int nerrors = l->diags->n;
	struct program *prog;

	begin_source(l, true);
	prog = parse_source(l, src, LANG_SPEC_NONE);
	prog->clauses = one_per_desc(l, prog->clauses);
	l->in_library = false;
	return l->diags->n == nerrors ? prog : NULL;
}
