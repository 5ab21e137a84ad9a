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
#define HASH_DIGITS  16	   /* of a name of Rust's older scheme */

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

/*
 * Returns the end of a Rust name, from which on compilers have added suffixes.  Names of the older
 * scheme contain dots, and end with a hash: 17h0123456789abcdefE.
 */
static const char *end_of(const char *name)
{
	const char *end = name[1] == 'R' ? strchr(name, '.') : NULL;

	for (const char *p = name; !end && (p = strstr(p, "17h")) != NULL; p++)
		if (strspn(p + 3, "0123456789abcdef") == HASH_DIGITS && p[3 + HASH_DIGITS] == 'E')
			end = p + 3 + HASH_DIGITS + 1;
	return end ? end : name + strlen(name);
}

/*
 * Adds the suffixes of parts and copies of a function, ".cold" and ".isra.0", as libiberty does for
 * C++.  ".llvm.123" is another hash.
 */
static void add_clones(struct text *t, const char *suffix)
{
	while (*suffix == '.') {
		size_t n = 1 + strcspn(suffix + 1, ".");

		while (suffix[n] == '.' && suffix[n + 1] >= '0' && suffix[n + 1] <= '9')
			n += 1 + strspn(suffix + n + 1, "0123456789");
		if (strncmp(suffix, ".llvm.", 6) != 0) {
			add_piece(" [clone ", 8, t);
			add_piece(suffix, n, t);
			add_piece("]", 1, t);
		}
		suffix += n;
	}
}

/*
 * Rust's older scheme is a form of the one of C++, so it comes first: it ends with a hash, which is
 * not part of the name.
 */
static bool make_text(struct text *t, const char *name)
{
	int options = DMGL_PARAMS | DMGL_ANSI;

	if (setjmp(t->too_long))
		return false;
	if (rust_demangle_callback(name, options, add_piece, t)) {
		add_clones(t, end_of(name));
		return true;
	}
	buf_reset(&t->b);
	return name[1] == 'Z' && cplus_demangle_v3_callback(name, options, add_piece, t);
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
