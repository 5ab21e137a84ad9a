/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * eval_call.c: subroutines on strings (man/d.7, SUBROUTINES).
 */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "eval.h"

static int64_t int_arg(struct eval *ev, struct expr *e, unsigned int i, int64_t missing)
{
	return i < e->nargs ? (int64_t)eval_int(ev, e->args[i]) : missing;
}

static int64_t find_first(const char *s, const char *t, int64_t start)
{
	int64_t n = (int64_t)strlen(s), m = (int64_t)strlen(t);

	if (start < 0)
		start = 0;
	if (start >= n)
		return m ? -1 : n;
	for (; start + m <= n; start++)
		if (memcmp(s + start, t, (size_t)m) == 0)
			return start;
	return -1;
}

static int64_t find_last(const char *s, const char *t, int64_t start)
{
	int64_t n = (int64_t)strlen(s), m = (int64_t)strlen(t);

	if (start < 0)
		return m ? -1 : 0;
	if (start > n)
		start = n;
	for (; start >= 0; start--)
		if (start + m <= n && memcmp(s + start, t, (size_t)m) == 0)
			return start;
	return -1;
}

uint64_t eval_int_call(struct eval *ev, struct expr *e)
{
	const char *s = eval_text(ev, e->args[0]), *t;

	if (strcmp(e->name, "strlen") == 0)
		return strlen(s);
	t = eval_text(ev, e->args[1]);
	if (strcmp(e->name, "index") == 0)
		return (uint64_t)find_first(s, t, int_arg(ev, e, 2, 0));
	assert(strcmp(e->name, "rindex") == 0);
	return (uint64_t)find_last(s, t, int_arg(ev, e, 2, INT64_MAX));
}

static const char *join(struct eval *ev, const char *x, const char *y)
{
	char *s = arena_printf(ev->arena, "%s%s", x, y);

	if (strlen(s) >= ev->strsize) {
		eval_raise(ev, EVAL_NOSCRATCH, 0);
		return "";
	}
	return s;
}

/* n: INT64_MAX if left out */
static const char *sub(struct eval *ev, const char *s, int64_t start, int64_t n)
{
	int64_t len = (int64_t)strlen(s);

	if (start < 0)
		start += len;
	if (n < 0)
		n += len - start;
	if (start < 0) {
		n = n == INT64_MAX ? n : n + start;
		start = 0;
	}
	if (start >= len || n <= 0)
		return "";
	return arena_strndup(ev->arena, s + start, (size_t)(n < len - start ? n : len - start));
}

static const char *change_case(struct eval *ev, const char *s, bool upper)
{
	char *t = arena_strdup(ev->arena, s);

	for (char *p = t; *p; p++)
		if (upper ? *p >= 'a' && *p <= 'z' : *p >= 'A' && *p <= 'Z')
			*p ^= 0x20;
	return t;
}

static const char *number(struct eval *ev, int64_t v, int64_t base)
{
	char text[72], *p = text + sizeof(text);
	uint64_t n = v < 0 && base == 10 ? -(uint64_t)v : (uint64_t)v;

	if (base < 2 || base > 36) {
		eval_raise(ev, EVAL_ILLOP, 0);
		return "";
	}
	*--p = '\0';
	do
		*--p = "0123456789abcdefghijklmnopqrstuvwxyz"[n % (uint64_t)base];
	while (n /= (uint64_t)base);
	if (base == 10 && v < 0)
		*--p = '-';
	if (base == 16)
		*--p = 'x';
	if (base == 16 || (base == 8 && v != 0))
		*--p = '0';
	return arena_strndup(ev->arena, p, strnlen(p, ev->strsize - 1));
}

const char *eval_str_call(struct eval *ev, struct expr *e)
{
	const char *s;
	int64_t start;

	if (strcmp(e->name, "lltostr") == 0) {
		int64_t v = (int64_t)eval_int(ev, e->args[0]);

		return number(ev, v, int_arg(ev, e, 1, 10));
	}
	s = eval_text(ev, e->args[0]);
	if (strcmp(e->name, "strjoin") == 0)
		return join(ev, s, eval_text(ev, e->args[1]));
	if (strcmp(e->name, "toupper") == 0)
		return change_case(ev, s, true);
	if (strcmp(e->name, "tolower") == 0)
		return change_case(ev, s, false);
	assert(strcmp(e->name, "substr") == 0);
	start = int_arg(ev, e, 1, 0);
	return sub(ev, s, start, int_arg(ev, e, 2, INT64_MAX));
}
