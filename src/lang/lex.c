/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lex.c: gives tokens their values: names are interned, constants have types, and a word outside of
 * clauses is a type if one has this name.  literal.c reads strings, characters and macros.
 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "lang/literal.h"
#include "lang/pragma.h"
#include "lang/priv.h"

void lex_init(struct lexer *lx, struct lang *l, const struct source *src, enum lang_spec spec)
{
	const char *pspec = l->env->getopt ? l->env->getopt(l->env->ctx, "pspec") : NULL;

	memset(lx, 0, sizeof(*lx));
	lx->lang = l;
	lx->src = src;
	lx->spec = spec;
	lx->only_specs = spec != LANG_SPEC_NONE || (pspec && !l->in_library);
	scan_init(&lx->sc, src->text, src->len);
}

static struct loc loc_of(const struct lexer *lx, const struct scan_tok *raw)
{
	bool has_col = !lx->renumbered || lx->src->written;

	return (struct loc){lx->src, lx->file, raw->line, has_col ? raw->col : 0};
}

static void error(struct lexer *lx, struct token *t, enum diag_tag tag, const char *msg)
{
	t->kind = TOK_ERROR;
	if (!lx->is_quiet)
		diag(lx->lang->diags, t->loc, tag, "%s", msg);
}

static const char *intern(struct lexer *lx, const char *s, size_t n)
{
	return intern_mem(lx->lang->names, s, n);
}

/* Returns the length of a type name that stands in place of a description without a colon, or 0. */
static size_t type_prefix(struct lexer *lx, const char *s, size_t n)
{
	const char *star = memchr(s, '*', n);
	size_t len = star ? (size_t)(star - s) : n;
	char next = scan_peek(&lx->sc);

	if (lx->only_specs || memchr(s, ':', n) || !len)
		return 0;
	/* These signs only follow a description.  This saves a look-up in the kernel's types. */
	if (!star && (next == '{' || next == '/' || next == ',' || !next))
		return 0;
	if (scan_keyword(s, len, true) != TOK_IDENT)
		return len;
	return type_lookup(lx->lang->types, intern(lx, s, len)) ? len : 0;
}

static void spec_token(struct lexer *lx, struct token *t)
{
	size_t len = type_prefix(lx, t->text, t->textlen);

	if (len) {
		lx->sc.p = t->text + len;
		t->textlen = (unsigned int)len;
		t->kind = scan_keyword(t->text, len, true);
	}
	t->s = intern(lx, t->text, t->textlen);
}

/* Makes "struct MODULE`NAME" of MODULE`struct NAME: the name for type_lookup(). */
static void tagged_token(struct lexer *lx, struct token *t, const char *blank)
{
	const char *tag = memchr(t->text, '`', t->textlen), *name = blank + strspn(blank, " \t");

	t->s = intern_str(lx->lang->names,
			  arena_printf(lx->lang->arena, "%.*s %.*s`%.*s", (int)(blank - tag - 1),
				       tag + 1, (int)(tag - t->text), t->text,
				       (int)(t->text + t->textlen - name), name));
	if (!type_lookup(lx->lang->types, t->s))
		error(lx, t, D_UNKNOWN,
		      arena_printf(lx->lang->arena, "failed to resolve %s: no such type", t->s));
}

static void name_token(struct lexer *lx, struct token *t)
{
	const char *blank = t->text;

	while (blank < t->text + t->textlen && *blank != ' ' && *blank != '\t')
		blank++;
	if (blank < t->text + t->textlen)
		tagged_token(lx, t, blank);
	else
		t->s = intern(lx, t->text, t->textlen);
}

static void agg_token(struct lexer *lx, struct token *t)
{
	t->s = t->textlen == 1 ? intern(lx, "_", 1) : intern(lx, t->text + 1, t->textlen - 1);
}

/* ---- errors ---- */

static const struct {
	enum diag_tag tag;
	const char *text; /* NULL: the text depends on the token */
} errors[] = {
    [SCAN_COMMENT_OPEN] = {D_SYNTAX, "syntax error: /* has no matching */ near end of input"},
    [SCAN_COMMENT_NESTED] = {D_SYNTAX, "syntax error: /* within a comment near \"/*\""},
    [SCAN_STR_OPEN] = {D_SYNTAX, "syntax error: string without closing quote near end of input"},
    [SCAN_STR_NL] = {D_STR_NL, "newline encountered in string literal"},
    [SCAN_CHR_OPEN] = {D_SYNTAX, "syntax error: character constant without closing quote near end "
				 "of input"},
    [SCAN_CHR_NL] = {D_CHR_NL, "newline encountered in character constant"},
    [SCAN_FLOAT] = {D_SYNTAX, NULL},
    [SCAN_SIGN] = {D_SYNTAX, NULL},
};

static void scan_failed(struct lexer *lx, struct token *t, enum scan_error e)
{
	struct arena *a = lx->lang->arena;
	const char *text = errors[e].text;

	if (!text && e == SCAN_FLOAT)
		text = arena_printf(a,
				    "syntax error: floating-point constants are not permitted near "
				    "\"%.*s\"",
				    (int)t->textlen, t->text);
	else if (!text && isprint((unsigned char)*t->text))
		text = arena_printf(a, "syntax error near \"%c\"", *t->text);
	else if (!text)
		text = arena_printf(a, "syntax error near \"\\%03o\"", (unsigned char)*t->text);
	error(lx, t, errors[e].tag, text);
}

/* Sets the value of a constant, and *msg on error. */
static void constant(struct lexer *lx, struct token *t, enum diag_tag *tag, const char **msg)
{
	struct lang *l = lx->lang;

	if (t->kind == TOK_STR) {
		t->s = literal_string(l->arena, t->text, t->textlen, &t->len);
	} else if (t->kind == TOK_NUM) {
		lex_number(l, t->text, t->textlen, &t->val, &t->type, tag, msg);
	} else {
		t->kind = TOK_NUM;
		t->is_char = true;
		t->val = literal_char(t->text, t->textlen, tag, msg);
		t->type = type_int(l->types, t->val <= INT32_MAX ? 4 : 8, true);
	}
}

static void next_raw(struct lexer *lx, struct scan_tok *raw, enum lex_state state)
{
	scan_next(&lx->sc, raw, state);
	while (raw->kind == TOK_CONTROL) {
		if (raw->s[1] != '!')
			pragma_line(lx, raw->s + 1, raw->len - 1, loc_of(lx, raw));
		scan_next(&lx->sc, raw, state);
	}
}

void lex_next(struct lexer *lx, struct token *t, enum lex_state state)
{
	enum diag_tag tag = D_SYNTAX;
	const char *msg = NULL;
	struct scan_tok raw;

	next_raw(lx, &raw, state);
	*t = (struct token){
	    .kind = raw.kind, .loc = loc_of(lx, &raw), .text = raw.s, .textlen = raw.len};
	if (t->kind == TOK_ERROR)
		scan_failed(lx, t, raw.error);
	else if (t->kind == TOK_PSPEC)
		spec_token(lx, t);
	else if (t->kind == TOK_AGG)
		agg_token(lx, t);
	else if (t->kind == TOK_MACRO)
		macro_token(lx, t, &tag, &msg);
	else if (t->kind == TOK_NUM || t->kind == TOK_STR || t->kind == TOK_QUOTED)
		constant(lx, t, &tag, &msg);
	else if (isalpha((unsigned char)*t->text) || *t->text == '_' || *t->text == '`')
		name_token(lx, t);
	if (msg)
		error(lx, t, tag, msg);
}
