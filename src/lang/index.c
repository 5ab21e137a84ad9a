/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * index.c: names in D text.  The text is split into declarations and clauses by its signs alone, so
 * every name that follows the specifiers of a declaration counts as declared, whatever its type.
 * Errors are left to the parser.
 */
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "lang/index.h"
#include "lang/scan.h"

struct walk {
	struct scanner sc;
	struct scan_tok t; /* the current token */
	enum tok last;	   /* kind of the token before */
	index_word_fn word;
	void *ctx;
	struct arena *a; /* NULL: only words are wanted */
	VEC(struct index_name) names;
	VEC(struct index_probe) probes;
	VEC(struct index_depend) depends;
	const char *of_process;
};

/* Keywords come in the order of token.def. */
static bool is_keyword(enum tok kind)
{
	return kind >= TOK_AUTO && kind <= TOK_XLATE;
}

static bool is_word(enum tok kind)
{
	return kind == TOK_IDENT || is_keyword(kind);
}

static bool is(const struct scan_tok *t, const char *word)
{
	return t->len == strlen(word) && memcmp(t->s, word, t->len) == 0;
}

static char *copy(struct walk *w, const struct scan_tok *t)
{
	return arena_strndup(w->a, t->len ? t->s : "", t->len);
}

static void declare(struct walk *w, const struct scan_tok *t)
{
	if (w->a && t->len)
		vec_push(&w->names, ((struct index_name){.name = copy(w, t)}));
}

/* ---- words ---- */

static void put_word(struct walk *w)
{
	const struct scan_tok *t = &w->t;
	const char *tick = t->kind == TOK_IDENT ? memrchr(t->s, '`', t->len) : NULL;

	if (!w->word || !is_word(t->kind))
		return;
	if (tick)
		w->word(w->ctx, INDEX_SYMBOL, tick + 1, t->len - (unsigned int)(tick + 1 - t->s));
	else
		w->word(w->ctx,
			is_keyword(t->kind) || w->last == TOK_DOT || w->last == TOK_ARROW
			    ? INDEX_OTHER
			    : INDEX_NAME,
			t->s, t->len);
}

static void read_token(struct walk *w, enum lex_state state)
{
	w->last = w->t.kind;
	scan_next(&w->sc, &w->t, state);
	put_word(w);
}

/* Reads the words from S to END, which belong to the current token. */
static void words_within(struct walk *w, const char *s, const char *end)
{
	struct scanner sc = w->sc;
	struct scan_tok t = w->t;

	w->sc.p = s;
	while (w->sc.p < end)
		read_token(w, LEX_EXPR);
	w->sc = sc;
	w->t = t;
}

static void control_line(struct walk *w)
{
	const char *s = w->t.s + 1, *end = w->t.s + w->t.len;
	struct scan_words ws;

	if (*s == '!')
		return;
	words_within(w, s, end);
	if (!w->a)
		return;
	scan_split(w->a, s, (size_t)(end - s), &ws);
	if (ws.n > 4 && strcmp(ws.w[0], "pragma") == 0 && strcmp(ws.w[1], "D") == 0 &&
	    strcmp(ws.w[2], "depends_on") == 0)
		vec_push(&w->depends, ((struct index_depend){ws.w[3], ws.w[4]}));
}

static void next(struct walk *w, enum lex_state state)
{
	read_token(w, state);
	while (w->t.kind == TOK_CONTROL) {
		control_line(w);
		read_token(w, state);
	}
}

/* From an opening bracket to its closing one, which stays current. */
static void group(struct walk *w)
{
	for (unsigned int depth = 1; depth && w->t.kind != TOK_EOF;) {
		next(w, LEX_EXPR);
		depth +=
		    w->t.kind == TOK_LPAR || w->t.kind == TOK_LBRACK || w->t.kind == TOK_LBRACE;
		depth -=
		    w->t.kind == TOK_RPAR || w->t.kind == TOK_RBRACK || w->t.kind == TOK_RBRACE;
	}
}

/* ---- declarations: the closing semicolon stays current ---- */

static void rest(struct walk *w)
{
	for (; w->t.kind != TOK_EOF && w->t.kind != TOK_SEMI; next(w, LEX_EXPR))
		if (w->t.kind == TOK_LBRACE)
			group(w);
}

/* The module and function of a probe precede its name. */
static void probe(struct walk *w, const struct scan_tok *prov)
{
	struct scan_tok name = {0};

	for (next(w, LEX_EXPR); is_word(w->t.kind) || w->t.kind == TOK_COLON; next(w, LEX_EXPR))
		if (is_word(w->t.kind))
			name = w->t;
	if (w->a)
		vec_push(&w->probes, ((struct index_probe){
					 copy(w, prov), index_probe_name(w->a, name.s, name.len)}));
}

static void provider(struct walk *w)
{
	struct scan_tok name;

	next(w, LEX_EXPR);
	name = w->t;
	declare(w, &name);
	next(w, LEX_EXPR);
	if (w->a && w->t.kind == TOK_MACRO && is(&w->t, INDEX_OF_PROCESS))
		w->of_process = copy(w, &name);
	while (w->t.kind != TOK_EOF && w->t.kind != TOK_RBRACE) {
		if (w->t.kind == TOK_PROBE)
			probe(w, &name);
		else
			next(w, LEX_EXPR);
	}
	rest(w);
}

/* Reads translator OUT < IN NAME > { ... }; */
static void translator(struct walk *w)
{
	struct scan_tok out = {0}, in = {0}, name = {0};

	for (next(w, LEX_EXPR); w->t.kind != TOK_EOF && w->t.kind != TOK_LT; next(w, LEX_EXPR))
		if (is_word(w->t.kind))
			out = w->t;
	for (; w->t.kind != TOK_EOF && w->t.kind != TOK_GT; next(w, LEX_EXPR))
		if (is_word(w->t.kind)) {
			in = name;
			name = w->t;
		}
	if (w->a)
		vec_push(&w->names, ((struct index_name){copy(w, &out), copy(w, &in)}));
	rest(w);
}

static void enumerators(struct walk *w)
{
	for (next(w, LEX_EXPR); w->t.kind != TOK_EOF && w->t.kind != TOK_RBRACE;
	     next(w, LEX_EXPR)) {
		if (w->t.kind == TOK_IDENT && (w->last == TOK_LBRACE || w->last == TOK_COMMA))
			declare(w, &w->t);
		if (w->t.kind == TOK_LPAR)
			group(w);
	}
}

/* Reads a tag with its members if it has any: their closing brace, or the tag, stays current. */
static void tagged(struct walk *w)
{
	bool is_enum = w->t.kind == TOK_ENUM;

	if (scan_peek(&w->sc) != '{') {
		next(w, LEX_EXPR);
		if (scan_peek(&w->sc) == '{' || scan_peek(&w->sc) == ';')
			declare(w, &w->t);
		if (scan_peek(&w->sc) != '{')
			return;
	}
	next(w, LEX_EXPR);
	if (is_enum)
		enumerators(w);
	else
		group(w);
}

/* The name of the declarator (*name)(...) is in parentheses. */
static void parenthesized(struct walk *w, struct scan_tok *name)
{
	if (scan_peek(&w->sc) == '*') {
		while (w->t.kind == TOK_LPAR || w->t.kind == TOK_MUL)
			next(w, LEX_EXPR);
		*name = w->t;
	}
	group(w);
}

/* The last name of a declarator is the declared one; the others are of its type. */
static void declarators(struct walk *w)
{
	struct scan_tok name = {0};
	bool in_value = false;

	for (; w->t.kind != TOK_EOF && w->t.kind != TOK_SEMI; next(w, LEX_EXPR)) {
		if (w->t.kind == TOK_LBRACE && w->last == TOK_RPAR && !in_value)
			break; /* the body of a function of C */
		if (w->t.kind == TOK_STRUCT || w->t.kind == TOK_UNION || w->t.kind == TOK_ENUM) {
			tagged(w);
		} else if (w->t.kind == TOK_LPAR && !in_value) {
			parenthesized(w, &name);
		} else if (w->t.kind == TOK_LPAR || w->t.kind == TOK_LBRACK ||
			   w->t.kind == TOK_LBRACE) {
			group(w);
		} else if (w->t.kind == TOK_COMMA || w->t.kind == TOK_ASSIGN) {
			declare(w, &name);
			name.len = 0;
			in_value = w->t.kind == TOK_ASSIGN;
		} else if (w->t.kind == TOK_IDENT && !in_value) {
			name = w->t;
		}
	}
	declare(w, &name);
	if (w->t.kind == TOK_LBRACE)
		group(w);
}

static void declaration(struct walk *w)
{
	if (w->t.kind == TOK_PSPEC) {
		w->sc.p = w->t.s;
		next(w, LEX_EXPR);
	}
	if (w->t.kind == TOK_PROVIDER)
		provider(w);
	else if (w->t.kind == TOK_TRANSLATOR)
		translator(w);
	else
		declarators(w);
}

/* ---- clauses ---- */

/* A library's word before a description.  Only the parser knows the types of other words. */
static bool is_site_word(const struct scan_tok *t)
{
	return is(t, "site") || is(t, "and") || is(t, "else");
}

/*
 * Returns true if a declaration begins here.  A word without a colon is a type, unless a sign
 * follows that only follows descriptions (compare type_prefix() of lex.c).
 */
static bool is_declaration(const struct walk *w)
{
	char follows = scan_peek(&w->sc);

	if (w->t.kind != TOK_PSPEC)
		return is_keyword(w->t.kind);
	return !memchr(w->t.s, ':', w->t.len) && follows && !strchr("{/,", follows) &&
	       !is_site_word(&w->t);
}

/* Fields of a description name libraries' providers; the name of a probe names nothing else. */
static void description(struct walk *w)
{
	const char *colon = memrchr(w->t.s, ':', w->t.len);

	words_within(w, w->t.s, colon ? colon : w->t.s + w->t.len);
}

/* From a description to the end of the clause's actions, or of a command line's text. */
static void clause(struct walk *w)
{
	for (; w->t.kind != TOK_EOF && w->t.kind != TOK_LBRACE; next(w, LEX_CLAUSE)) {
		if (w->t.kind == TOK_PSPEC)
			description(w);
		else if (w->t.kind == TOK_LPAR)
			group(w);
		else if (w->t.kind == TOK_DIV)
			while (w->t.kind != TOK_EOF && w->t.kind != TOK_EPRED)
				next(w, LEX_EXPR);
	}
	if (w->t.kind == TOK_LBRACE)
		group(w);
}

static void walk(struct walk *w, const char *text, size_t len)
{
	scan_init(&w->sc, text, len);
	for (next(w, LEX_CLAUSE); w->t.kind != TOK_EOF; next(w, LEX_CLAUSE)) {
		bool is_spec = w->t.kind == TOK_PSPEC;

		if (is_declaration(w)) {
			declaration(w);
		} else if (is_spec || w->t.kind == TOK_NUM) {
			clause(w);
		}
	}
}

void lang_words(const char *text, size_t len, index_word_fn f, void *ctx)
{
	struct walk w = {.word = f, .ctx = ctx};

	walk(&w, text, len);
}

/* Moves a list to the arena, with an empty row at its end. */
static const void *moved(struct arena *a, void *rows, unsigned int n, size_t size)
{
	void *out = arena_alloc(a, (n + 1) * size);

	if (n)
		memcpy(out, rows, n * size);
	mem_free(rows);
	return out;
}

struct lang_index lang_index(struct arena *a, const char *text, size_t len)
{
	struct walk w = {.a = a};

	walk(&w, text, len);
	return (struct lang_index){
	    .names = moved(a, w.names.a, w.names.n, sizeof(*w.names.a)),
	    .probes = moved(a, w.probes.a, w.probes.n, sizeof(*w.probes.a)),
	    .depends = moved(a, w.depends.a, w.depends.n, sizeof(*w.depends.a)),
	    .of_process = w.of_process,
	};
}

char *index_probe_name(struct arena *a, const char *s, size_t len)
{
	char *name = arena_alloc(a, len + 1);
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		bool is_dash = s[i] == '_' && i + 1 < len && s[i + 1] == '_';

		name[n++] = is_dash ? '-' : s[i];
		i += is_dash;
	}
	return name;
}
