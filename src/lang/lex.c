/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lex.c: the scanner.  It looks ahead no further than the blanks after a `/`.  Its only state
 * between tokens is the position, so the parser may choose the state for each token.  literal.c
 * reads strings, characters and macros.
 */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "lang/literal.h"
#include "lang/pragma.h"
#include "lang/priv.h"

static const struct {
	const char *text;
	unsigned int len;
	enum tok kind;
	bool opens_decl;
} keywords[] = {
#define KEYWORD(name, text, decl) {text, sizeof(text) - 1, TOK_##name, decl},
#include "lang/token.def"
};

static const struct {
	const char *text;
	unsigned int len;
	enum tok kind;
} signs[] = {
#define SIGN(name, text) {text, sizeof(text) - 1, TOK_##name},
#include "lang/token.def"
};

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

const char *lex_tok_text(enum tok kind)
{
	for (size_t i = 0; i < ARRAY_LEN(keywords); i++)
		if (keywords[i].kind == kind)
			return keywords[i].text;
	for (size_t i = 0; i < ARRAY_LEN(signs); i++)
		if (signs[i].kind == kind)
			return signs[i].text;
	return kind == TOK_EPRED ? "/" : "";
}

void lex_init(struct lexer *lx, struct lang *l, const struct source *src, enum lang_spec spec)
{
	const char *pspec = l->env->getopt ? l->env->getopt(l->env->ctx, "pspec") : NULL;

	memset(lx, 0, sizeof(*lx));
	lx->lang = l;
	lx->src = src;
	lx->p = lx->line_start = src->text;
	lx->end = src->text + src->len;
	lx->line = 1;
	lx->is_bol = true;
	lx->spec = spec;
	lx->only_specs = spec != LANG_SPEC_NONE || (pspec && !l->in_library);
	assert(*lx->end == '\0');
}

static struct loc here(const struct lexer *lx)
{
	struct loc loc = {lx->src, lx->file, lx->line, 0};

	if (!lx->renumbered || lx->src->written)
		loc.col = (unsigned int)(lx->p - lx->line_start) + 1;
	return loc;
}

static void newline(struct lexer *lx)
{
	lx->p++;
	lx->line++;
	lx->line_start = lx->p;
	lx->is_bol = true;
}

static void error(struct lexer *lx, struct token *t, enum diag_tag tag, const char *msg)
{
	t->kind = TOK_ERROR;
	if (!lx->is_quiet)
		diag(lx->lang->diags, t->loc, tag, "%s", msg);
}

/* Returns false after reporting an unterminated comment. */
static bool skip_comment(struct lexer *lx, struct token *t)
{
	t->loc = here(lx);
	lx->p += 2;
	for (;;) {
		if (lx->p >= lx->end) {
			error(lx, t, D_SYNTAX,
			      "syntax error: /* has no matching */ near end of input");
			return false;
		}
		if (lx->p[0] == '*' && lx->p[1] == '/') {
			lx->p += 2;
			return true;
		}
		if (lx->p[0] == '/' && lx->p[1] == '*') {
			t->loc = here(lx);
			lx->p += 2;
			error(lx, t, D_SYNTAX, "syntax error: /* within a comment near \"/*\"");
			return false;
		}
		if (*lx->p == '\n')
			newline(lx);
		else
			lx->p++;
	}
}

/*
 * A line comment starts with two slashes.  Of three signs, the first ends a predicate and the other
 * two open a comment.
 */
static bool is_line_comment(const char *p)
{
	return p[0] == '/' && p[1] == '/' && p[2] != '*';
}

/* Processes a line that begins with #, up to its newline. */
static void control_line(struct lexer *lx)
{
	struct loc loc = here(lx);
	const char *start = lx->p;

	while (lx->p < lx->end && *lx->p != '\n')
		lx->p++;
	if (start[1] == '!')
		return;
	pragma_line(lx, start + 1, (size_t)(lx->p - start - 1), loc);
}

/* Skips blanks, comments and control lines.  Returns false with the error in t. */
static bool skip_blanks(struct lexer *lx, struct token *t, enum lex_state state)
{
	while (lx->p < lx->end) {
		char c = *lx->p;

		if (c == '\n') {
			newline(lx);
		} else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') {
			lx->p++;
		} else if (c == '\\' && lx->p[1] == '\n' && state == LEX_EXPR) {
			lx->p++;
			newline(lx);
		} else if (c == '/' && lx->p[1] == '*') {
			if (!skip_comment(lx, t))
				return false;
		} else if (is_line_comment(lx->p)) {
			lx->p += strcspn(lx->p, "\n");
		} else if (c == '#' && lx->is_bol && !lx->keeps_nl) {
			control_line(lx);
		} else {
			break;
		}
	}
	return true;
}

char lex_peek(const struct lexer *lx)
{
	const char *p = lx->p;

	while (p < lx->end && strchr(" \t\r\n\v\f", *p))
		p++;
	return p < lx->end ? *p : '\0';
}

bool lex_ahead(const struct lexer *lx, const char *text)
{
	const char *p = lx->p;

	while (p < lx->end && strchr(" \t\r\n\v\f", *p))
		p++;
	return strncmp(p, text, strlen(text)) == 0;
}

static bool is_spec_char(char c, bool is_first)
{
	if (isalpha((unsigned char)c) || (c && strchr("-$:_.?*\\[]!", c)))
		return true;
	return !is_first && (isdigit((unsigned char)c) || c == '`');
}

static bool is_name_char(char c, bool is_first)
{
	return c == '_' || c == '`' || isalpha((unsigned char)c) ||
	       (!is_first && isdigit((unsigned char)c));
}

static enum tok find_keyword(const char *s, size_t n, bool only_decl)
{
	for (size_t i = 0; i < ARRAY_LEN(keywords); i++)
		if (keywords[i].text[0] == s[0] && keywords[i].len == n &&
		    memcmp(keywords[i].text, s, n) == 0 && (!only_decl || keywords[i].opens_decl))
			return keywords[i].kind;
	return TOK_IDENT;
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
	char next = lex_peek(lx);

	if (lx->only_specs || memchr(s, ':', n) || !len)
		return 0;
	/* These signs only follow a description.  This saves a look-up in the kernel's types. */
	if (!star && (next == '{' || next == '/' || next == ',' || !next))
		return 0;
	if (find_keyword(s, len, true) != TOK_IDENT)
		return len;
	return type_lookup(lx->lang->types, intern(lx, s, len)) ? len : 0;
}

static void scan_spec(struct lexer *lx, struct token *t)
{
	const char *s = lx->p;
	size_t n, len;

	lx->p++;
	while (lx->p < lx->end && is_spec_char(*lx->p, false))
		lx->p++;
	n = (size_t)(lx->p - s);
	t->kind = find_keyword(s, n, true);
	if (t->kind != TOK_IDENT)
		return;
	len = type_prefix(lx, s, n);
	if (len) {
		lx->p = s + len;
		t->kind = find_keyword(s, len, true);
		t->s = intern(lx, s, len);
		return;
	}
	t->kind = TOK_PSPEC;
	t->s = intern(lx, s, n);
}

/*
 * Returns the end of a module's name if a backquote follows, else s.  The name may contain dots.  A
 * library's name (libstdc++.so.6) may contain further characters, which are operators elsewhere.
 */
static const char *end_of_module(const char *s)
{
	const char *q = s, *so = NULL;

	while (isalnum((unsigned char)*q) || (*q && strchr("_.+-", *q))) {
		if (strncmp(q, ".so", 3) == 0)
			so = q;
		q++;
	}
	if (*q == '`' && so)
		return q;
	for (q = s; isalnum((unsigned char)*q) || *q == '_' || *q == '.';)
		q++;
	return *q == '`' ? q : s;
}

/* Returns the end of a name.  C++ names after a backquote contain namespaces. */
static const char *end_of_name(const char *p)
{
	bool is_in_module = false;

	for (;; p++) {
		is_in_module = is_in_module || *p == '`';
		if (is_in_module && p[0] == ':' && p[1] == ':' && is_name_char(p[2], true))
			p++;
		else if (!is_name_char(*p, false))
			return p;
	}
}

/*
 * Scans a type of a module with its tag, a.out`struct conn.  The token is the name for
 * type_lookup().  Returns false if there is none.
 */
static bool scan_tagged(struct lexer *lx, struct token *t, const char *module, size_t n)
{
	static const char *const tags[] = {"struct", "union", "enum"};

	for (size_t i = 0; i < ARRAY_LEN(tags); i++) {
		size_t len = strlen(tags[i]);
		const char *p = lx->p;

		if ((size_t)(p - module) != n + 1 + len || strncmp(p - len, tags[i], len) != 0 ||
		    (*p != ' ' && *p != '\t'))
			continue;
		while (*p == ' ' || *p == '\t')
			p++;
		if (!is_name_char(*p, true))
			return false;
		len = (size_t)(end_of_name(p) - p);
		lx->p = p + len;
		t->kind = TOK_IDENT;
		t->s =
		    intern_str(lx->lang->names, arena_printf(lx->lang->arena, "%s %.*s`%.*s",
							     tags[i], (int)n, module, (int)len, p));
		if (!type_lookup(lx->lang->types, t->s))
			error(lx, t, D_UNKNOWN,
			      arena_printf(lx->lang->arena, "failed to resolve %s: no such type",
					   t->s));
		return true;
	}
	return false;
}

static void scan_name(struct lexer *lx, struct token *t)
{
	const char *s = lx->p, *module = end_of_module(s);

	lx->p = end_of_name(module);
	if (module > s && scan_tagged(lx, t, s, (size_t)(module - s)))
		return;
	t->s = intern(lx, s, (size_t)(lx->p - s));
	t->kind = find_keyword(s, (size_t)(lx->p - s), false);
}

/* Returns true if the digits before p start a floating-point constant. */
static bool is_float(const char *p)
{
	if (*p == '.')
		return p[1] != '.';
	if (*p != 'e' && *p != 'E')
		return false;
	p += p[1] == '+' || p[1] == '-' ? 2 : 1;
	return isdigit((unsigned char)*p);
}

static void scan_number(struct lexer *lx, struct token *t)
{
	const char *s = lx->p, *msg;
	enum diag_tag tag;

	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && isxdigit((unsigned char)s[2])) {
		lx->p += 2;
		while (isxdigit((unsigned char)*lx->p))
			lx->p++;
	} else {
		while (isdigit((unsigned char)*lx->p))
			lx->p++;
		if (is_float(lx->p)) {
			while (isalnum((unsigned char)*lx->p) || *lx->p == '.')
				lx->p++;
			error(lx, t, D_SYNTAX,
			      arena_printf(lx->lang->arena,
					   "syntax error: floating-point constants are not "
					   "permitted near \"%.*s\"",
					   (int)(lx->p - s), s));
			return;
		}
	}
	if (*lx->p == 'u' || *lx->p == 'U')
		lx->p++;
	for (int i = 0; i < 2 && (*lx->p == 'l' || *lx->p == 'L'); i++)
		lx->p++;
	t->kind = TOK_NUM;
	if (!lex_number(lx->lang, s, (unsigned int)(lx->p - s), &t->val, &t->type, &tag, &msg))
		error(lx, t, tag, msg);
}

/* A `/` closes a predicate if no operand can follow. */
static bool ends_predicate(const struct lexer *lx)
{
	const char *p = lx->p + 1;

	while (p < lx->end && strchr(" \t\r\n\v\f", *p))
		p++;
	return p >= lx->end || *p == ';' || *p == '{' || *p == '/';
}

static void scan_sign(struct lexer *lx, struct token *t, enum lex_state state)
{
	if (*lx->p == '/' && state == LEX_EXPR && lx->p[1] != '=' && ends_predicate(lx)) {
		lx->p++;
		t->kind = TOK_EPRED;
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
		if (signs[i].text[0] == *lx->p &&
		    strncmp(lx->p, signs[i].text, signs[i].len) == 0) {
			lx->p += state == LEX_CLAUSE && *lx->p == '/' ? 1 : signs[i].len;
			t->kind = state == LEX_CLAUSE && signs[i].text[0] == '/' ? TOK_DIV
										 : signs[i].kind;
			return;
		}
	}
	lx->p++;
	error(lx, t, D_SYNTAX,
	      isprint((unsigned char)lx->p[-1])
		  ? arena_printf(lx->lang->arena, "syntax error near \"%c\"", lx->p[-1])
		  : arena_printf(lx->lang->arena, "syntax error near \"\\%03o\"",
				 (unsigned char)lx->p[-1]));
}

static void scan_agg(struct lexer *lx, struct token *t)
{
	const char *s = ++lx->p;

	if (isalpha((unsigned char)*s) || *s == '_')
		while (isalnum((unsigned char)*lx->p) || *lx->p == '_')
			lx->p++;
	t->kind = TOK_AGG;
	t->s = lx->p == s ? intern(lx, "_", 1) : intern(lx, s, (size_t)(lx->p - s));
}

static void scan_expr(struct lexer *lx, struct token *t)
{
	const char *msg = NULL;
	enum diag_tag tag = D_SYNTAX;
	char c = *lx->p;

	if (is_name_char(c, true)) {
		scan_name(lx, t);
	} else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)lx->p[1]))) {
		scan_number(lx, t);
	} else if (c == '"') {
		t->kind = TOK_STR;
		t->s = literal_string(lx->lang->arena, &lx->p, lx->end, &t->len, &tag, &msg);
	} else if (c == '\'') {
		t->kind = TOK_NUM;
		t->is_char = true;
		t->val = literal_char(&lx->p, lx->end, &tag, &msg);
		t->type = type_int(lx->lang->types, t->val <= INT32_MAX ? 4 : 8, true);
	} else if (c == '$') {
		macro_token(lx, t, &tag, &msg);
	} else if (c == '@') {
		scan_agg(lx, t);
	} else {
		scan_sign(lx, t, LEX_EXPR);
	}
	if (msg)
		error(lx, t, tag, msg);
}

void lex_next(struct lexer *lx, struct token *t, enum lex_state state)
{
	memset(t, 0, sizeof(*t));
	if (!skip_blanks(lx, t, state))
		return;
	t->loc = here(lx);
	t->text = lx->p;
	lx->is_bol = false;
	if (lx->p >= lx->end)
		t->kind = TOK_EOF;
	else if (state == LEX_CLAUSE && is_spec_char(*lx->p, true))
		scan_spec(lx, t);
	else if (state == LEX_CLAUSE && isdigit((unsigned char)*lx->p))
		scan_number(lx, t);
	else if (state == LEX_CLAUSE)
		scan_sign(lx, t, state);
	else
		scan_expr(lx, t);
	t->textlen = (unsigned int)(lx->p - t->text);
}
