/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * formats.c: formats of printf() and the like for programs.  A record names its format by number
 * (dtrd_format); a program can also make formats.  The handle owns all of them.
 */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "lib/priv.h"
#include "print/fmt.h"

uint16_t lib_format(dtrace_hdl_t *h, const struct fmt *f)
{
	for (unsigned int i = 0; i < h->formats.n; i++)
		if (h->formats.a[i] == f)
			return (uint16_t)(i + 1);
	if (!f || h->formats.n == UINT16_MAX)
		return 0;
	vec_push(&h->formats, f);
	return (uint16_t)h->formats.n;
}

void *dtrace_format_lookup(dtrace_hdl_t *h, int fmtid)
{
	LIB_ENTER(h, NULL);
	lib_enter(h);
	if (fmtid > 0 && (unsigned int)fmtid <= h->formats.n)
		return (void *)h->formats.a[fmtid - 1];
	lib_fail(h, EINVAL);
	return NULL;
}

static void *create(dtrace_hdl_t *h, const char *s, bool is_printa)
{
	const char *err = NULL;
	struct fmt *f;

	lib_enter(h);
	if (!s) {
		lib_fail(h, EINVAL);
		return NULL;
	}
	f = fmt_parse(h->s->arena, arena_strdup(h->s->arena, s), &err);
	if (f && f->naggs && !is_printa)
		err = "a conversion with @ is for printa()";
	if (f && !err)
		return f;
	lib_fail_text(h, EDT_COMPILER, "%s", err ? err : "invalid format");
	return NULL;
}

void *dtrace_printf_create(dtrace_hdl_t *h, const char *s)
{
	LIB_ENTER(h, NULL);
	return create(h, s, false);
}

void *dtrace_printa_create(dtrace_hdl_t *h, const char *s)
{
	LIB_ENTER(h, NULL);
	return create(h, s, true);
}

size_t dtrace_printf_format(dtrace_hdl_t *h, void *fmtdata, char *s, size_t len)
{
	const struct fmt *f = fmtdata;
	size_t n = f ? strlen(f->text) : 0, part = n < len ? n : len - 1;

	if (f && len) {
		memcpy(s, f->text, part);
		s[part] = '\0';
	}
	return n;
}
