/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * demangle.c: demangles through libiberty.  Names come from files that are not trusted, and a short
 * one can stand for gigabytes.  The text is therefore taken in pieces, and dropped when it becomes
 * too long.  libiberty keeps only its stack between pieces (libiberty/cp-demangle.c,
 * libiberty/rust-demangle.c).
 */
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "proc/demangle.h"

#define NAME_MAX_LEN 4096  /* bytes of a mangled name */
#define TEXT_MAX_LEN 16384 /* bytes of its result */

struct text {
	struct buf b;
	jmp_buf too_long;
};

static void add_piece(const char *piece, size_t n, void *ctx)
{
	struct text *t = ctx;

	if (n > TEXT_MAX_LEN - t->b.n)
		longjmp(t->too_long, 1);
	buf_add(&t->b, piece, n);
}

static bool make_text(struct text *t, const char *name)
{
	int options = DMGL_PARAMS | DMGL_ANSI;

	if (setjmp(t->too_long))
		return false;
	return name[1] == 'Z' ? cplus_demangle_v3_callback(name, options, add_piece, t)
			      : rust_demangle_callback(name, options, add_piece, t);
}

const char *demangle(struct map *known, struct arena *a, const char *name)
{
	const char *res;
	struct text t = {0};

	if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R') ||
	    strnlen(name, NAME_MAX_LEN) == NAME_MAX_LEN)
		return name;
	res = map_get_str(known, name);
	if (!res) {
		res = make_text(&t, name) ? arena_strdup(a, buf_str(&t.b)) : name;
		buf_free(&t.b);
		map_set_str(known, name, (void *)(uintptr_t)res);
	}
	return res;
}
