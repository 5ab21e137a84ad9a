/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan.c: the only code that knows where the tokens of D begin and end.  It looks ahead no further
 * than the blanks after a `/`.  Its only state between tokens is the position, so the caller may
 * choose the state for each token, and may go back to an earlier token.
 */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "lang/scan.h"

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

const char *scan_tok_text(enum tok kind)
{
	for (size_t i = 0; i < ARRAY_LEN(keywords); i++)
		if (keywords[i].kind == kind)
			return keywords[i].text;
	for (size_t i = 0; i < ARRAY_LEN(signs); i++)
		if (signs[i].kind == kind)
			return signs[i].text;
	return kind == TOK_EPRED ? "/" : "";
}

enum tok scan_keyword(const char *s, size_t n, bool only_decl)
{
	for (size_t i = 0; i < ARRAY_LEN(keywords); i++)
		if (keywords[i].text[0] == s[0] && keywords[i].len == n &&
		    memcmp(keywords[i].text, s, n) == 0 && (!only_decl || keywords[i].opens_decl))
			return keywords[i].kind;
	return TOK_IDENT;
}

void scan_init(struct scanner *sc, const char *text, size_t len)
{
	*sc = (struct scanner){.p = text, .end = text + len, .line_start = text, .line = 1};
	sc->is_bol = true;
	assert(*sc->end == '\0');
}

static void error(struct scan_tok *t, enum scan_error error)
{
	t->kind = TOK_ERROR;
	t->error = error;
}

/* The token begins here. */
static void begin(const struct scanner *sc, struct scan_tok *t)
{
	t->s = sc->p;
	t->line = sc->line;
	t->col = (unsigned int)(sc->p - sc->line_start) + 1;
}

static void newline(struct scanner *sc)
{
	sc->p++;
	sc->line++;
	sc->line_start = sc->p;
	sc->is_bol = true;
}

/* ---- between tokens ---- */

/* Returns false with the error in T. */
static bool skip_comment(struct scanner *sc, struct scan_tok *t)
{
	begin(sc, t);
	sc->p += 2;
	while (sc->p < sc->end) {
		if (sc->p[0] == '*' && sc->p[1] == '/') {
			sc->p += 2;
			return true;
		}
		if (sc->p[0] == '/' && sc->p[1] == '*') {
			begin(sc, t);
			sc->p += 2;
			error(t, SCAN_COMMENT_NESTED);
			return false;
		}
		if (*sc->p == '\n')
			newline(sc);
		else
			sc->p++;
	}
	error(t, SCAN_COMMENT_OPEN);
	return false;
}

/*
 * A line comment starts with two slashes.  Of three signs, the first ends a predicate and the other
 * two open a comment.
 */
static bool is_line_comment(const char *p)
{
	return p[0] == '/' && p[1] == '/' && p[2] != '*';
}

/* Skips blanks and comments.  Returns false with the error in T. */
static bool skip_blanks(struct scanner *sc, struct scan_tok *t, enum lex_state state)
{
	while (sc->p < sc->end) {
		char c = *sc->p;

		if (c == '\n') {
			newline(sc);
		} else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') {
			sc->p++;
		} else if (c == '\\' && sc->p[1] == '\n' && state == LEX_EXPR) {
			sc->p++;
			newline(sc);
		} else if (c == '/' && sc->p[1] == '*') {
			if (!skip_comment(sc, t))
				return false;
		} else if (is_line_comment(sc->p)) {
			sc->p += strcspn(sc->p, "\n");
		} else {
			break;
		}
	}
	return true;
}

static const char *after_blanks(const struct scanner *sc, const char *p)
{
	while (p < sc->end && strchr(" \t\r\n\v\f", *p))
		p++;
	return p;
}

char scan_peek(const struct scanner *sc)
{
	const char *p = after_blanks(sc, sc->p);

	return p < sc->end ? *p : '\0';
}

/* ---- tokens ---- */

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

static void scan_spec(struct scanner *sc, struct scan_tok *t)
{
	while (sc->p < sc->end && is_spec_char(*sc->p, sc->p == t->s))
		sc->p++;
	t->kind = scan_keyword(t->s, (size_t)(sc->p - t->s), true);
	if (t->kind == TOK_IDENT)
		t->kind = TOK_PSPEC;
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

/* S to END follows a module's name.  If S is the word of a tag, returns the end of its name. */
static const char *end_of_tagged(const char *s, const char *end)
{
	const char *p = end + strspn(end, " \t");
	enum tok word = scan_keyword(s, (size_t)(end - s), true);

	if ((word != TOK_STRUCT && word != TOK_UNION && word != TOK_ENUM) || p == end)
		return end;
	return is_name_char(*p, true) ? end_of_name(p) : end;
}

/* A type of a module with its tag is one name: a.out`struct conn. */
static void scan_name(struct scanner *sc, struct scan_tok *t)
{
	const char *module = end_of_module(t->s);

	sc->p = end_of_name(module);
	t->kind = scan_keyword(t->s, (size_t)(sc->p - t->s), false);
	if (module > t->s)
		sc->p = end_of_tagged(module + 1, sc->p);
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

static void scan_number(struct scanner *sc, struct scan_tok *t)
{
	const char *s = t->s;

	t->kind = TOK_NUM;
	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && isxdigit((unsigned char)s[2])) {
		sc->p += 2;
		while (isxdigit((unsigned char)*sc->p))
			sc->p++;
	} else {
		while (isdigit((unsigned char)*sc->p))
			sc->p++;
		if (is_float(sc->p)) {
			while (isalnum((unsigned char)*sc->p) || *sc->p == '.')
				sc->p++;
			error(t, SCAN_FLOAT);
			return;
		}
	}
	if (*sc->p == 'u' || *sc->p == 'U')
		sc->p++;
	for (int i = 0; i < 2 && (*sc->p == 'l' || *sc->p == 'L'); i++)
		sc->p++;
}

/* A string ends at its line. */
static void scan_string(struct scanner *sc, struct scan_tok *t)
{
	const char *q = sc->p + 1;

	while (q < sc->end && *q != '"' && *q != '\n')
		q += *q == '\\' && q + 1 < sc->end && q[1] != '\n' ? 2 : 1;
	sc->p = q;
	t->kind = TOK_STR;
	if (q >= sc->end)
		error(t, SCAN_STR_OPEN);
	else if (*q == '\n')
		error(t, SCAN_STR_NL);
	else
		sc->p++;
}

static void scan_char(struct scanner *sc, struct scan_tok *t)
{
	const char *q = sc->p + 1;

	while (q < sc->end && *q != '\'' && *q != '\n')
		q += q[0] == '\\' && q[1] ? 2 : 1;
	sc->p = q;
	t->kind = TOK_QUOTED;
	if (q >= sc->end)
		error(t, SCAN_CHR_OPEN);
	else if (*q == '\n')
		error(t, SCAN_CHR_NL);
	else
		sc->p++;
}

static void scan_macro(struct scanner *sc, struct scan_tok *t)
{
	t->kind = TOK_MACRO;
	sc->p += sc->p[1] == '$' ? 2 : 1;
	if (isdigit((unsigned char)*sc->p))
		while (isdigit((unsigned char)*sc->p))
			sc->p++;
	else
		while (isalnum((unsigned char)*sc->p) || *sc->p == '_')
			sc->p++;
}

static void scan_agg(struct scanner *sc, struct scan_tok *t)
{
	t->kind = TOK_AGG;
	sc->p++;
	if (isalpha((unsigned char)*sc->p) || *sc->p == '_')
		while (isalnum((unsigned char)*sc->p) || *sc->p == '_')
			sc->p++;
}

/* A `/` closes a predicate if no operand can follow. */
static bool ends_predicate(const struct scanner *sc)
{
	const char *p = after_blanks(sc, sc->p + 1);

	return p >= sc->end || *p == ';' || *p == '{' || *p == '/';
}

static void scan_sign(struct scanner *sc, struct scan_tok *t, enum lex_state state)
{
	if (*sc->p == '/' && state == LEX_CLAUSE) {
		sc->p++;
		t->kind = TOK_DIV;
		return;
	}
	if (*sc->p == '/' && sc->p[1] != '=' && ends_predicate(sc)) {
		sc->p++;
		t->kind = TOK_EPRED;
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
		if (signs[i].text[0] == *sc->p &&
		    strncmp(sc->p, signs[i].text, signs[i].len) == 0) {
			sc->p += signs[i].len;
			t->kind = signs[i].kind;
			return;
		}
	}
	sc->p++;
	error(t, SCAN_SIGN);
}

static void scan_expr(struct scanner *sc, struct scan_tok *t)
{
	char c = *sc->p;

	if (is_name_char(c, true))
		scan_name(sc, t);
	else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)sc->p[1])))
		scan_number(sc, t);
	else if (c == '"')
		scan_string(sc, t);
	else if (c == '\'')
		scan_char(sc, t);
	else if (c == '$')
		scan_macro(sc, t);
	else if (c == '@')
		scan_agg(sc, t);
	else
		scan_sign(sc, t, LEX_EXPR);
}

void scan_next(struct scanner *sc, struct scan_tok *t, enum lex_state state)
{
	bool is_bol;

	*t = (struct scan_tok){.kind = TOK_EOF};
	if (!skip_blanks(sc, t, state))
		return;
	begin(sc, t);
	is_bol = sc->is_bol;
	sc->is_bol = false;
	if (sc->p >= sc->end) {
		t->kind = TOK_EOF;
	} else if (*sc->p == '#' && is_bol && !sc->keeps_nl) {
		t->kind = TOK_CONTROL;
		while (sc->p < sc->end && *sc->p != '\n')
			sc->p++;
	} else if (state == LEX_EXPR) {
		scan_expr(sc, t);
	} else if (is_spec_char(*sc->p, true)) {
		scan_spec(sc, t);
	} else if (isdigit((unsigned char)*sc->p)) {
		scan_number(sc, t);
	} else {
		scan_sign(sc, t, state);
	}
	t->len = (unsigned int)(sc->p - t->s);
}

/* ---- control lines ---- */

void scan_split(struct arena *a, const char *text, size_t n, struct scan_words *ws)
{
	const char *s = arena_strndup(a, text, n);

	memset(ws, 0, sizeof(*ws));
	while (ws->n < SCAN_WORDS_MAX) {
		size_t len;

		s += strspn(s, " \t\r\v\f");
		if (!*s)
			break;
		ws->rest[ws->n] = s;
		if (*s == '"') {
			len = strcspn(s + 1, "\"");
			ws->quoted[ws->n] = true;
			ws->w[ws->n++] = arena_strndup(a, s + 1, len);
			s += len + 1 + (s[len + 1] == '"');
		} else {
			len = strcspn(s, " \t\r\v\f");
			ws->w[ws->n++] = arena_strndup(a, s, len);
			s += len;
		}
	}
}
