/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen.c: programs as trees: printing, and making them smaller.
 */
#include "gen.h"

#include <string.h>

#include "base/arena.h"

void gen_render(struct buf *b, const struct gen_node *n)
{
	unsigned int kid = 0;

	if (n->is_gone)
		return;
	if (n->instead) {
		gen_render(b, n->instead);
		return;
	}
	for (const char *p = n->text; *p; p++) {
		if (*p == '\1')
			gen_render(b, n->kids.a[kid++]);
		else
			buf_putc(b, *p);
	}
}

void gen_free(struct gen_node *n)
{
	for (unsigned int i = 0; i < n->kids.n; i++)
		gen_free(n->kids.a[i]);
	vec_free(&n->kids);
}

struct gen_node *gen_program(struct arena *a, uint64_t seed, enum gen_size size)
{
	struct gen g = {.arena = a, .state = (seed + 1) * 0x9e3779b97f4a7c15ULL, .size = size};

	g.program = gen_node(&g, GEN_FIXED, NULL);
	gen_declare(&g);
	gen_clauses(&g);
	g.program->text = memset(arena_alloc(a, g.program->kids.n + 1), '\1', g.program->kids.n);
	vec_free(&g.vars);
	vec_free(&g.effects);
	vec_free(&g.structs);
	vec_free(&g.aggs);
	vec_free(&g.inlines);
	return g.program;
}

/* ---- making it smaller ---- */

struct shrink {
	struct gen_node *program;
	bool (*fails)(void *arg, const char *text);
	void *arg;
	unsigned int tries;
	bool has_shrunk;
};

static bool still_fails(struct shrink *s)
{
	struct buf b = {0};
	bool r;

	if (!s->tries)
		return false;
	s->tries--;
	gen_render(&b, s->program);
	r = s->fails(s->arg, buf_str(&b));
	buf_free(&b);
	s->has_shrunk |= r;
	return r;
}

static bool try_instead(struct shrink *s, struct gen_node *n, const struct gen_node *by)
{
	n->instead = by;
	if (still_fails(s))
		return true;
	n->instead = NULL;
	return false;
}

static void smaller_expr(struct shrink *s, struct gen_node *n)
{
	static const struct gen_node consts[2][2] = {
	    {{.cls = GEN_FIXED, .text = "1"}, {.cls = GEN_FIXED, .text = "0"}},
	    {{.cls = GEN_FIXED, .text = "\"a\""}, {.cls = GEN_FIXED, .text = "\"\""}},
	};

	if (strlen(n->text) <= 2)
		return;
	for (unsigned int i = 0; i < 2; i++)
		if (try_instead(s, n, &consts[n->cls == GEN_STR][i]))
			return;
	for (unsigned int i = 0; i < n->kids.n; i++)
		if (n->kids.a[i]->cls == n->cls && try_instead(s, n, n->kids.a[i]))
			return;
}

static void smaller(struct shrink *s, struct gen_node *n)
{
	if (n->is_gone)
		return;
	while (n->instead)
		n = (struct gen_node *)n->instead;
	if (n->cls == GEN_PIECE) {
		n->is_gone = true;
		if (still_fails(s))
			return;
		n->is_gone = false;
	} else if (n->cls != GEN_FIXED) {
		smaller_expr(s, n);
	}
	while (n->instead)
		n = (struct gen_node *)n->instead;
	for (unsigned int i = n->kids.n; i-- > 0;)
		smaller(s, n->kids.a[i]);
}

void gen_shrink(struct gen_node *program, bool (*fails)(void *arg, const char *text), void *arg,
		unsigned int tries)
{
	struct shrink s = {.program = program, .fails = fails, .arg = arg, .tries = tries};

	do {
		s.has_shrunk = false;
		smaller(&s, program);
	} while (s.has_shrunk && s.tries);
}
