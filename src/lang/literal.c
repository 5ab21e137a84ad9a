/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * literal.c: values of constants and macros (man/d.7, "Literals" and "Macros").
 *
 * An operand of the command ($1) becomes a number or a name if it looks like one, else a string.
 * The session notes the used operands, because the last one must be used.
 */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/intern.h"
#include "lang/literal.h"
#include "lang/priv.h"

/*
 * Reads one character or escape at *p, into one byte or two (\' and \q stay as they are).  Returns
 * the number of bytes.
 */
static unsigned int one_char(const char **p, char *out)
{
	static const char from[] = "abfnrtv\"\\", to[] = "\a\b\f\n\r\t\v\"\\";
	const char *s = *p, *known;
	unsigned int v = 0, n = 0;

	if (*s != '\\') {
		*p = s + 1;
		out[0] = *s;
		return 1;
	}
	s++;
	known = *s ? strchr(from, *s) : NULL;
	if (known) {
		*p = s + 1;
		out[0] = to[known - from];
		return 1;
	}
	if (*s >= '0' && *s <= '7') {
		for (; n < 3 && *s >= '0' && *s <= '7'; n++)
			v = v * 8 + (unsigned int)(*s++ - '0');
		*p = s;
		out[0] = (char)v;
		return 1;
	}
	if (*s == 'x' && isxdigit((unsigned char)s[1])) {
		for (s++; isxdigit((unsigned char)*s); s++)
			v = v * 16 + (isdigit((unsigned char)*s)
					  ? (unsigned int)(*s - '0')
					  : (unsigned int)(tolower((unsigned char)*s) - 'a') + 10);
		*p = s;
		out[0] = (char)v;
		return 1;
	}
	out[0] = '\\';
	out[1] = *s;
	*p = *s ? s + 1 : s;
	return 2;
}

const char *literal_string(struct arena *a, const char *text, unsigned int textlen,
			   unsigned int *len)
{
	const char *s = text + 1, *end = text + textlen - 1;
	char *out = arena_alloc(a, textlen);
	unsigned int n = 0;

	while (s < end)
		n += one_char(&s, out + n);
	*len = n;
	return out;
}

uint64_t literal_char(const char *text, unsigned int textlen, enum diag_tag *tag, const char **msg)
{
	const char *s = text + 1, *end = text + textlen - 1;
	unsigned int n = 0;
	uint64_t val = 0;
	char c[2];

	while (s < end) {
		unsigned int k = one_char(&s, c);

		for (unsigned int i = 0; i < k; i++, n++)
			val = val << 8 | (unsigned char)c[i];
	}
	if (n == 0) {
		*tag = D_CHR_NULL;
		*msg = "empty character constant";
	} else if (n > 8) {
		*tag = D_CHR_OFLOW;
		*msg = "character constant is too long";
	}
	return val;
}

/* Returns the smallest type for the value that base and suffix allow. */
static struct type *number_type(struct lang *l, uint64_t v, bool is_dec, unsigned int nu,
				unsigned int nl)
{
	static const char *const names[] = {"int",	     "unsigned int", "long",
					    "unsigned long", "long long",    "unsigned long long"};

	for (unsigned int i = nu + 2 * nl; i < 6; i++) {
		struct type *t = type_int_named(l->types, names[i]);
		uint64_t max = UINT64_MAX >> (64 - 8 * t->size + t->is_signed);

		if (nu ? t->is_signed : is_dec && !t->is_signed)
			continue;
		if (v <= max)
			return t;
	}
	return NULL;
}

void lex_number(struct lang *l, const char *s, unsigned int n, uint64_t *val, struct type **type,
		enum diag_tag *tag, const char **msg)
{
	unsigned int base = 10, nu = 0, nl = 0, i = 0, digits = n;
	uint64_t v = 0;

	while (digits && strchr("uUlL", s[digits - 1])) {
		nu += s[digits - 1] == 'u' || s[digits - 1] == 'U';
		nl += s[digits - 1] == 'l' || s[digits - 1] == 'L';
		digits--;
	}
	if (digits > 1 && s[0] == '0') {
		base = s[1] == 'x' || s[1] == 'X' ? 16 : 8;
		i = base == 16 ? 2 : 1;
	}
	for (; i < digits; i++) {
		unsigned int d = isdigit((unsigned char)s[i])
				     ? (unsigned int)(s[i] - '0')
				     : (unsigned int)(tolower((unsigned char)s[i]) - 'a') + 10;

		if (d >= base) {
			*tag = D_INT_DIGIT;
			*msg = arena_printf(l->arena, "invalid digit '%c' in constant of base %u",
					    s[i], base);
			return;
		}
		if (v > (UINT64_MAX - d) / base)
			goto oflow;
		v = v * base + d;
	}
	*type = number_type(l, v, base == 10, nu, nl);
	if (!*type && base == 10 && !nu)
		*type = type_int_named(l->types, "unsigned long long");
	if (!*type)
		goto oflow;
	*val = v;
	return;
oflow:
	*tag = D_INT_OFLOW;
	*msg = arena_printf(l->arena, "integer constant %.*s is too large", (int)n, s);
}

/* Gets an id of this process.  Returns false if there is no such name. */
static bool macro_id(struct lang *l, const char *name, int64_t *v)
{
	static const struct {
		const char *name;
		int which;
	} ids[] = {{"pid", 0}, {"ppid", 1}, {"pgid", 2},   {"sid", 3},	  {"uid", 4},	{"euid", 5},
		   {"gid", 6}, {"egid", 7}, {"target", 8}, {"projid", 9}, {"taskid", 9}};

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		if (strcmp(ids[i].name, name) != 0)
			continue;
		switch (ids[i].which) {
		case 0:
			*v = getpid();
			break;
		case 1:
			*v = getppid();
			break;
		case 2:
			*v = getpgid(0);
			break;
		case 3:
			*v = getsid(0);
			break;
		case 4:
			*v = getuid();
			break;
		case 5:
			*v = geteuid();
			break;
		case 6:
			*v = getgid();
			break;
		case 7:
			*v = getegid();
			break;
		case 8:
			*v = l->env->target;
			if (l->env->asks_target)
				*l->env->asks_target = true;
			break;
		default:
			*v = 0;
			break;
		}
		return true;
	}
	return false;
}

/*
 * In expressions, processes have their numbers of the first PID namespace, as `pid` has.  In probe
 * descriptions and commands, they have their numbers of dtrace's own namespace.
 */
static void to_host(struct lang *l, const char *name, int64_t *v)
{
	static const char *const names[] = {"pid", "ppid", "pgid", "sid", "target"};

	for (size_t i = 0; l->env->host_pid && i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			*v = l->env->host_pid(l->env->ctx, *v);
}

/* Returns operand n, counted from 1 ($0: the program's name), or NULL if it is missing. */
static const char *operand(struct lang *l, const char *digits)
{
	long n = strtol(digits, NULL, 10);

	if (n == 0)
		return l->env->progname ? l->env->progname : "dtrace";
	if (n < 1 || n > l->env->nargs)
		return NULL;
	if (n == l->env->nargs)
		l->last_arg_used = true;
	return l->env->args[n - 1];
}

const char *lex_macro_text(struct lang *l, const char *name, unsigned int len)
{
	const char *n = intern_mem(l->names, name, len);
	int64_t v;

	if (*n == '$')
		n++;
	if (isdigit((unsigned char)*n))
		return operand(l, n);
	return macro_id(l, n, &v) ? arena_printf(l->arena, "%" PRId64, v) : NULL;
}

static void string_token(struct token *t, const char *s, size_t n)
{
	t->kind = TOK_STR;
	t->s = s;
	t->len = (unsigned int)n;
}

/* Makes the token that the text of an operand looks like. */
static void operand_token(struct lexer *lx, struct token *t, const char *s, enum diag_tag *tag,
			  const char **msg)
{
	const char *num = *s == '-' || *s == '+' ? s + 1 : s;
	size_t n = strlen(s);
	char *end;

	errno = 0;
	t->val = strtoull(num, &end, 0);
	if (isdigit((unsigned char)*num) && !*end) {
		t->kind = TOK_NUM;
		if (errno == ERANGE) {
			*tag = D_MACRO_OFLOW;
			*msg = arena_printf(lx->lang->arena, "macro argument %s is too large", s);
			return;
		}
		lex_number(lx->lang, num, (unsigned int)strlen(num), &t->val, &t->type, tag, msg);
		if (*s == '-' && !*msg) {
			t->val = -t->val;
			if (t->type->size == 8)
				t->type = type_int(lx->lang->types, 8, true);
		}
		return;
	}
	if (*s && !isdigit((unsigned char)*s) &&
	    strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_`") == n) {
		t->kind = TOK_IDENT;
		t->s = intern_mem(lx->lang->names, s, n);
		return;
	}
	if (n >= 2 && s[0] == '"' && s[n - 1] == '"')
		string_token(t, arena_strndup(lx->lang->arena, s + 1, n - 2), n - 2);
	else
		string_token(t, s, n);
}

static void missing_operand(struct lexer *lx, struct token *t, bool is_str, const char *name,
			    enum diag_tag *tag, const char **msg)
{
	if (!lang_option(lx->lang, "defaultargs")) {
		*tag = D_MACRO_UNDEF;
		*msg = arena_printf(lx->lang->arena, "macro argument $%s is not defined", name);
	} else if (is_str) {
		string_token(t, "", 0);
	} else {
		t->kind = TOK_NUM;
		t->type = type_int(lx->lang->types, 4, true);
	}
}

void macro_token(struct lexer *lx, struct token *t, enum diag_tag *tag, const char **msg)
{
	struct lang *l = lx->lang;
	bool is_str = t->textlen > 1 && t->text[1] == '$';
	unsigned int skip = is_str ? 2 : 1;
	const char *name = intern_mem(l->names, t->text + skip, t->textlen - skip), *text;
	int64_t v;

	if (isdigit((unsigned char)*name)) {
		text = operand(l, name);
		if (!text)
			missing_operand(lx, t, is_str, name, tag, msg);
		else if (is_str || strcmp(name, "0") == 0)
			string_token(t, text, strlen(text));
		else
			operand_token(lx, t, text, tag, msg);
		return;
	}
	if (!*name || !macro_id(l, name, &v)) {
		*tag = *name ? D_MACRO_UNDEF : D_SYNTAX;
		*msg = *name ? arena_printf(l->arena, "macro $%s is not defined", name)
			     : "syntax error near \"$\"";
		return;
	}
	if (is_str) {
		text = arena_printf(l->arena, "%" PRIu64, (uint64_t)v);
		string_token(t, text, strlen(text));
		return;
	}
	to_host(l, name, &v);
	t->kind = TOK_NUM;
	t->val = (uint64_t)v;
	t->type = type_int(l->types, 4, true);
}
