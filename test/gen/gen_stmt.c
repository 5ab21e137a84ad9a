/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen_stmt.c: random clauses.  Clauses of BEGIN do things; clauses of END, after them, print all
 * variables and aggregations.
 */
#include <string.h>

#include "base/arena.h"
#include "gen.h"

#define PICK(g, list) ((list)[gen_rand(g, sizeof(list) / sizeof((list)[0]))])

static unsigned int depth(struct gen *g)
{
	return (unsigned int)gen_rand(g, 10) ? (unsigned int)gen_rand(g, 4) : 6;
}

static struct gen_node *assign(struct gen *g)
{
	static const char *const ops[] = {"\1 = \1;\n",	  "\1 = \1;\n",	 "\1 = \1;\n",
					  "\1 += \1;\n",  "\1 -= \1;\n", "\1 *= \1;\n",
					  "\1 &= \1;\n",  "\1 |= \1;\n", "\1 ^= \1;\n",
					  "\1 <<= \1;\n", "\1 >>= \1;\n"};
	static const char *const texts[] = {"\1 = \1;\n", "\1 = \1;\n", "\1 = \1;\n",
					    "\1 = NULL;\n"};
	bool is_str = gen_rand(g, 4) == 0;
	const struct gen_var *v = gen_pick(g, is_str);
	struct gen_node *n;

	if (!v)
		return gen_node(g, GEN_PIECE, "");
	n = gen_node(g, GEN_PIECE, is_str ? PICK(g, texts) : PICK(g, ops));
	gen_kid(n, gen_access(g, v, GEN_FIXED));
	gen_kid(n, is_str ? gen_text(g, depth(g)) : gen_expr(g, depth(g)));
	return n;
}

static struct gen_node *step(struct gen *g)
{
	static const char *const forms[] = {"\1++;\n", "\1--;\n",    "++\1;\n",
					    "--\1;\n", "\1 /= 3;\n", "\1 %= 7;\n"};
	const struct gen_var *v = gen_pick(g, false);
	struct gen_node *n = gen_node(g, GEN_PIECE, PICK(g, forms));

	gen_kid(n, gen_access(g, v, GEN_FIXED));
	return n;
}

static struct gen_node *copy_struct(struct gen *g)
{
	return gen_node(g, GEN_PIECE,
			arena_printf(g->arena, "%s = %s;\n",
				     g->structs.a[gen_rand(g, g->structs.n)],
				     g->structs.a[gen_rand(g, g->structs.n)]));
}

/* Adds a conversion and its argument; returns the format so far. */
static const char *conversion(struct gen *g, const char *fmt, struct gen_node *n)
{
	static const char *const ints[] = {"%d",     "%u",  "%x",  "%o",    "%i",  "%X",   "%8d",
					   "%-12u|", "%#x", "%+d", "%020d", "% d", "%.4d", "%5x"};
	static const char *const strs[] = {"%s", "%s", "%12s", "%-9s|", "%.3s", "%S"};
	bool is_str = gen_rand(g, 4) == 0;

	if (is_str)
		gen_kid(n, gen_text(g, depth(g) / 2));
	else
		gen_kid(n, gen_expr(g, depth(g)));
	return arena_printf(g->arena, "%s %s", fmt, is_str ? PICK(g, strs) : PICK(g, ints));
}

static struct gen_node *print(struct gen *g)
{
	struct gen_node *n = gen_node(g, GEN_PIECE, NULL);
	unsigned int nargs = 1 + (unsigned int)gen_rand(g, g->size == GEN_BIG ? 12 : 4);
	const char *fmt = arena_printf(g->arena, "p%u", (unsigned int)gen_rand(g, 100)), *args = "";

	for (unsigned int i = 0; i < nargs; i++) {
		fmt = conversion(g, fmt, n);
		args = arena_printf(g->arena, "%s, \1", args);
	}
	n->text = arena_printf(g->arena, "printf(\"%s\\n\"%s);\n", fmt, args);
	return n;
}

static struct gen_node *trace(struct gen *g)
{
	struct gen_node *n = gen_node(g, GEN_PIECE, "trace(\1);\nprintf(\"\\n\");\n");

	if (gen_rand(g, 8) == 0)
		gen_kid(n, gen_node(g, GEN_FIXED, g->structs.a[gen_rand(g, g->structs.n)]));
	else if (gen_rand(g, 3) == 0)
		gen_kid(n, gen_text(g, 1));
	else
		gen_kid(n, gen_expr(g, depth(g)));
	return n;
}

/* Keys have the declared type each time, so that equal keys are one key. */
static struct gen_node *aggregate(struct gen *g)
{
	struct gen_agg *a = &g->aggs.a[gen_rand(g, g->aggs.n)];
	const char *text = arena_printf(g->arena, "%s%s", a->name, a->nkeys ? "[" : "");
	struct gen_node *n = gen_node(g, GEN_PIECE, NULL), *key;

	a->is_used = g->is_pure = true;
	for (unsigned int i = 0; i < a->nkeys; i++) {
		text = arena_printf(g->arena, "%s%s\1%s", text, i ? ", " : "",
				    i == a->nkeys - 1 ? "]" : "");
		if (a->keys[i]) {
			key =
			    gen_node(g, GEN_FIXED, arena_printf(g->arena, "(%s)(\1)", a->keys[i]));
			gen_kid(key, gen_rand(g, 2)
					 ? gen_expr(g, 1)
					 : gen_node(g, GEN_INT, gen_rand(g, 2) ? "1" : "-1"));
		} else {
			key = gen_text(g, 1);
		}
		gen_kid(n, key);
	}
	n->text = arena_printf(g->arena, "%s = %s;\n", text, a->func);
	for (unsigned int i = 0; i < 2; i++)
		gen_kid(n, gen_expr(g, depth(g) / 2));
	g->is_pure = false;
	return n;
}

static struct gen_node *statement(struct gen *g, unsigned int level);

static struct gen_node *block(struct gen *g, unsigned int n, unsigned int level)
{
	struct gen_node *b = gen_node(g, GEN_FIXED, NULL);

	for (unsigned int i = 0; i < n; i++)
		gen_kid(b, statement(g, level));
	b->text = memset(arena_alloc(g->arena, n + 1), '\1', n);
	return b;
}

static struct gen_node *branch(struct gen *g, unsigned int level)
{
	bool has_else = gen_rand(g, 2);
	struct gen_node *n =
	    gen_node(g, GEN_PIECE, has_else ? "if (\1) {\n\1} else {\n\1}\n" : "if (\1) {\n\1}\n");

	gen_kid(n, gen_expr(g, depth(g)));
	gen_kid(n, block(g, (unsigned int)gen_rand(g, 4), level + 1));
	if (has_else)
		gen_kid(n, block(g, (unsigned int)gen_rand(g, 3), level + 1));
	return n;
}

static struct gen_node *statement(struct gen *g, unsigned int level)
{
	g->used_effects = 0;
	switch (gen_rand(g, 24)) {
	case 0:
	case 1:
		return step(g);
	case 2:
		return copy_struct(g);
	case 3:
	case 4:
	case 5:
	case 6:
		return print(g);
	case 7:
		return trace(g);
	case 8:
	case 9:
	case 10:
	case 11:
		return aggregate(g);
	case 12:
	case 13:
		return level < 3 ? branch(g, level) : assign(g);
	case 14:
		return gen_rand(g, 12) ? assign(g) : gen_node(g, GEN_PIECE, "exit(3);\n");
	default:
		return assign(g);
	}
}

static void clause(struct gen *g, const char *probe, unsigned int nstmts)
{
	bool has_pred = gen_rand(g, 4) == 0;
	struct gen_node *n = gen_node(
	    g, GEN_PIECE,
	    arena_printf(g->arena, has_pred ? "%s\n/\1/\n{\n\1}\n" : "%s\n{\n\1}\n", probe));

	g->used_effects = 0;
	if (has_pred)
		gen_kid(n, gen_expr(g, depth(g)));
	gen_kid(n, block(g, nstmts, 0));
	gen_kid(g->program, n);
}

/* Prints every variable, each array with its first element. */
static void show(struct gen *g)
{
	struct gen_node *n = gen_node(g, GEN_PIECE, "END\n{\n\1}\n"), *b, *p;

	b = gen_node(g, GEN_FIXED, NULL);
	for (unsigned int i = 0; i < g->vars.n; i++) {
		const struct gen_var *v = &g->vars.a[i];

		p = gen_node(g, GEN_PIECE,
			     arena_printf(g->arena, "printf(\"%s %s\\n\", \1);\n",
					  v->nkeys || v->nelem ? "" : v->text,
					  v->is_str ? "%s" : "%d"));
		gen_kid(p, gen_access(g, v, GEN_FIXED));
		gen_kid(b, p);
	}
	for (unsigned int i = 0; i < g->effects.n; i++)
		gen_kid(b, gen_node(g, GEN_PIECE,
				    arena_printf(g->arena, "printf(\"%s %%d\\n\", %s);\n",
						 g->effects.a[i], g->effects.a[i])));
	b->text = memset(arena_alloc(g->arena, b->kids.n + 1), '\1', b->kids.n);
	gen_kid(n, b);
	gen_kid(g->program, n);
}

/* printa with and without a format, normalize, clear, trunc; the rest is printed at the end. */
static void show_aggs(struct gen *g)
{
	struct gen_node *n = gen_node(g, GEN_PIECE, "END\n{\n\1}\n"), *b;

	b = gen_node(g, GEN_FIXED, NULL);
	for (unsigned int i = 0; i < g->aggs.n; i++) {
		static const char *const forms[] = {
		    "printa(%s);\n", "normalize(%s, 3);\n",	   "clear(%s);\n",
		    "trunc(%s);\n",  "printa(\"%%@d\\n\", %s);\n", "printa(%s);\n",
		};

		if (g->aggs.a[i].is_used && gen_rand(g, 2))
			gen_kid(
			    b, gen_node(g, GEN_PIECE,
					arena_printf(g->arena, PICK(g, forms), g->aggs.a[i].name)));
	}
	b->text = memset(arena_alloc(g->arena, b->kids.n + 1), '\1', b->kids.n);
	gen_kid(n, b);
	gen_kid(g->program, n);
}

void gen_clauses(struct gen *g)
{
	unsigned int n = g->size == GEN_BIG ? 40 : 2 + (unsigned int)gen_rand(g, 4);

	for (unsigned int i = 0; i < n; i++)
		clause(g, "BEGIN", 1 + (unsigned int)gen_rand(g, g->size == GEN_BIG ? 12 : 6));
	if (gen_rand(g, 2))
		gen_kid(g->program,
			gen_node(g, GEN_PIECE,
				 "ERROR\n{\nprintf(\"ERROR %d %d %d %d %d\\n\", arg1, arg2, arg3, "
				 "arg4, arg5);\n}\n"));
	show(g);
	show_aggs(g);
}
