/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen_expr.c: random expressions.  All are well typed.  Expressions that D leaves undefined are
 * avoided: a variable that an expression changes is not read in the same statement.
 */
#include "base/arena.h"
#include "gen.h"

uint64_t gen_rand(struct gen *g, uint64_t n)
{
	uint64_t x = g->state;

	/* xorshift64* */
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	g->state = x;
	return (x * 0x2545f4914f6cdd1dULL >> 11) % n;
}

struct gen_node *gen_node(struct gen *g, enum gen_class cls, const char *text)
{
	struct gen_node *n = arena_new_obj(g->arena, struct gen_node);

	n->cls = cls;
	n->text = text;
	return n;
}

void gen_kid(struct gen_node *n, struct gen_node *kid)
{
	vec_push(&n->kids, kid);
}

#define PICK(g, list) ((list)[gen_rand(g, sizeof(list) / sizeof((list)[0]))])

const char *gen_int_type(struct gen *g)
{
	static const char *const types[] = {
	    "char",
	    "int8_t",
	    "uint8_t",
	    "short",
	    "int16_t",
	    "uint16_t",
	    "int",
	    "int32_t",
	    "uint32_t",
	    "unsigned int",
	    "long",
	    "int64_t",
	    "uint64_t",
	    "unsigned long",
	    "long long",
	    "signed char",
	    "uint32_t",
	    "unsigned short",
	    "unsigned long long",
	    "enum color",
	};

	return PICK(g, types);
}

struct gen_node *gen_literal(struct gen *g)
{
	static const char *const special[] = {
	    "0",
	    "1",
	    "2",
	    "3",
	    "7",
	    "8",
	    "10",
	    "63",
	    "64",
	    "100",
	    "127",
	    "128",
	    "255",
	    "256",
	    "32767",
	    "32768",
	    "65535",
	    "65536",
	    "2147483647",
	    "2147483648",
	    "4294967295",
	    "4294967296",
	    "0x7fffffff",
	    "0x80000000",
	    "0xffffffff",
	    "0xffU",
	    "'a'",
	    "9223372036854775807",
	    "0x8000000000000000",
	    "0xffffffffffffffff",
	    "0x123456789abcdef0",
	    "1000000007LL",
	    "(-1)",
	    "(-2)",
	    "(-128)",
	    "(-129)",
	    "(-32768)",
	    "(-2147483648)",
	    "(-5)",
	};

	if (gen_rand(g, 4))
		return gen_node(g, GEN_INT, PICK(g, special));
	return gen_node(g, GEN_INT,
			arena_printf(g->arena, "%llu",
				     (unsigned long long)gen_rand(g, 1ULL << gen_rand(g, 53))));
}

const struct gen_var *gen_pick(struct gen *g, bool is_str)
{
	for (unsigned int i = 0; i < 30; i++) {
		const struct gen_var *v = &g->vars.a[gen_rand(g, g->vars.n)];

		if (v->is_str == is_str)
			return v;
	}
	return NULL;
}

static struct gen_node *unary_text(struct gen *g, const char *text, enum gen_class cls,
				   struct gen_node *x)
{
	struct gen_node *n = gen_node(g, cls, text);

	gen_kid(n, x);
	return n;
}

/* Keys have few values, so that elements are found again. */
static struct gen_node *key(struct gen *g, const char *type)
{
	static const char *const few[] = {"0", "1", "2", "255", "(-1)", "256", "0x80000000"};
	static const char *const texts[] = {"\"\"", "\"k\"", "\"key\"", "\"key2\"",
					    "\"a key that is longer than the others\""};

	if (!type)
		return gen_rand(g, 3) ? gen_node(g, GEN_STR, PICK(g, texts)) : gen_text(g, 1);
	return gen_rand(g, 3) ? gen_node(g, GEN_INT, PICK(g, few)) : gen_expr(g, 1);
}

/* A scalar variable, which defeats constant folding. */
static struct gen_node *opaque(struct gen *g)
{
	for (unsigned int i = 0; i < 30; i++) {
		const struct gen_var *v = &g->vars.a[gen_rand(g, g->vars.n)];

		if (!v->is_str && !v->nkeys && !v->nelem)
			return gen_node(g, GEN_FIXED, v->text);
	}
	return gen_node(g, GEN_FIXED, "3");
}

struct gen_node *gen_access(struct gen *g, const struct gen_var *v, enum gen_class cls)
{
	struct gen_node *n = gen_node(g, cls, v->text);

	for (unsigned int i = 0; i < v->nkeys; i++)
		gen_kid(n, key(g, v->keys[i]));
	if (!v->nelem)
		return n;
	if (gen_rand(g, 2))
		gen_kid(
		    n, gen_node(g, GEN_FIXED,
				arena_printf(g->arena, "%u", (unsigned int)gen_rand(g, v->nelem))));
	else if (gen_rand(g, 40))
		gen_kid(n, unary_text(g, arena_printf(g->arena, "(\1) & %u", v->nelem - 1),
				      GEN_FIXED, gen_expr(g, 1)));
	else
		gen_kid(n, opaque(g));
	return n;
}

/* ++, -- or = on a variable of its own, once in a statement. */
static struct gen_node *effect(struct gen *g)
{
	static const char *const forms[] = {"%s++",	 "++%s",       "%s--",	    "--%s",
					    "(%s = \1)", "(%s += \1)", "(%s ^= \1)"};
	unsigned int i = (unsigned int)gen_rand(g, g->effects.n);
	const char *form = PICK(g, forms);
	struct gen_node *n;

	if (g->is_pure || g->used_effects >> i & 1)
		return gen_literal(g);
	g->used_effects |= 1U << i;
	n = gen_node(g, GEN_INT, arena_printf(g->arena, form, g->effects.a[i]));
	if (form[0] == '(')
		gen_kid(n, gen_literal(g));
	return n;
}

static struct gen_node *leaf(struct gen *g)
{
	const struct gen_var *v;

	switch (gen_rand(g, 12)) {
	case 0:
	case 1:
	case 2:
		return gen_literal(g);
	case 3:
		return effect(g);
	case 4:
		return gen_node(g, GEN_INT, "sizeof (int)");
	default:
		v = gen_pick(g, false);
		return v ? gen_access(g, v, GEN_INT) : gen_literal(g);
	}
}

/* Mostly not 0, but the checker must not see a constant 0. */
static struct gen_node *divisor(struct gen *g)
{
	static const char *const consts[] = {"1",
					     "2",
					     "3",
					     "7",
					     "10",
					     "(-1)",
					     "(-3)",
					     "1000",
					     "0xff",
					     "4294967296",
					     "0x8000000000000000"};
	struct gen_node *n;

	switch (gen_rand(g, 12)) {
	case 0:
		return opaque(g);
	case 1:
	case 2:
	case 3:
		return gen_node(g, GEN_FIXED, PICK(g, consts));
	default:
		n = gen_node(g, GEN_FIXED, "(\1 | 1)");
		gen_kid(n, opaque(g));
		return n;
	}
}

static struct gen_node *divide(struct gen *g, unsigned int depth)
{
	struct gen_node *n = gen_node(g, GEN_INT, gen_rand(g, 2) ? "(\1 / \1)" : "(\1 % \1)");

	gen_kid(n, gen_expr(g, depth));
	gen_kid(n, divisor(g));
	return n;
}

static struct gen_node *binary(struct gen *g, unsigned int depth)
{
	static const char *const ops[] = {
	    "(\1 + \1)",  "(\1 - \1)",	"(\1 * \1)",  "(\1 & \1)",  "(\1 | \1)",  "(\1 ^ \1)",
	    "(\1 << \1)", "(\1 >> \1)", "(\1 == \1)", "(\1 != \1)", "(\1 < \1)",  "(\1 <= \1)",
	    "(\1 > \1)",  "(\1 >= \1)", "(\1 && \1)", "(\1 || \1)", "(\1 ^^ \1)", "(\1, \1)",
	    "(\1 < \1)",  "(\1 >= \1)", "(\1 && \1)", "(\1 || \1)",
	};
	struct gen_node *n = gen_node(g, GEN_INT, PICK(g, ops));

	gen_kid(n, gen_expr(g, depth));
	gen_kid(n, gen_expr(g, (unsigned int)gen_rand(g, depth + 1)));
	return n;
}

static struct gen_node *of_strings(struct gen *g, unsigned int depth)
{
	static const char *const forms[] = {"(\1 == \1)", "(\1 != \1)",	   "(\1 < \1)",
					    "(\1 <= \1)", "(\1 > \1)",	   "(\1 >= \1)",
					    "strlen(\1)", "index(\1, \1)", "rindex(\1, \1)",
					    "(\1 == \1)", "(\1 == NULL)",  "(NULL != \1)"};
	struct gen_node *n = gen_node(g, GEN_INT, PICK(g, forms));

	gen_kid(n, gen_text(g, depth));
	gen_kid(n, gen_text(g, depth));
	return n;
}

/* A call of an inline that returns a string or an integer. */
static struct gen_node *use_inline(struct gen *g, bool is_str, unsigned int depth)
{
	for (unsigned int i = 0; i < 4; i++) {
		const struct gen_inline *l = &g->inlines.a[gen_rand(g, g->inlines.n)];
		struct gen_node *n;
		bool was_pure = g->is_pure;

		if (l->is_str != is_str)
			continue;
		n = gen_node(g, is_str ? GEN_STR : GEN_INT,
			     l->nparams == 2   ? arena_printf(g->arena, "%s[\1, \1]", l->name)
			     : l->nparams == 1 ? arena_printf(g->arena, "%s[\1]", l->name)
					       : l->name);
		g->is_pure = true;
		for (unsigned int k = 0; k < l->nparams; k++)
			gen_kid(n, is_str ? gen_text(g, depth) : gen_expr(g, depth));
		g->is_pure = was_pure;
		return n;
	}
	return is_str ? gen_node(g, GEN_STR, "\"no inline\"") : gen_literal(g);
}

struct gen_node *gen_expr(struct gen *g, unsigned int depth)
{
	static const char *const unary[] = {"(- \1)", "(~\1)", "(!\1)", "(+ \1)"};
	struct gen_node *n;

	if (!depth)
		return leaf(g);
	depth--;
	switch (gen_rand(g, 16)) {
	case 0:
		return leaf(g);
	case 1:
		return unary_text(g, PICK(g, unary), GEN_INT, gen_expr(g, depth));
	case 2:
	case 3:
		return unary_text(g, arena_printf(g->arena, "((%s)\1)", gen_int_type(g)), GEN_INT,
				  gen_expr(g, depth));
	case 4:
	case 5:
		n = gen_node(g, GEN_INT, "(\1 ? \1 : \1)");
		gen_kid(n, gen_expr(g, depth));
		gen_kid(n, gen_expr(g, depth));
		gen_kid(n, gen_expr(g, depth));
		return n;
	case 6:
		return divide(g, depth);
	case 7:
		return of_strings(g, depth ? 1 : 0);
	case 8:
		return use_inline(g, false, depth);
	default:
		return binary(g, depth);
	}
}

/* ---- strings ---- */

static struct gen_node *substring(struct gen *g, unsigned int depth)
{
	static const char *const small[] = {"0", "1", "2", "5", "(-1)", "(-3)", "100", "300"};
	struct gen_node *n =
	    gen_node(g, GEN_STR, gen_rand(g, 2) ? "substr(\1, \1)" : "substr(\1, \1, \1)");

	gen_kid(n, gen_text(g, depth));
	for (unsigned int i = 0; i < 2; i++)
		gen_kid(n, gen_rand(g, 4) ? gen_node(g, GEN_INT, PICK(g, small)) : gen_expr(g, 1));
	return n;
}

static struct gen_node *text_leaf(struct gen *g)
{
	static const char *const texts[] = {
	    "\"\"",
	    "\"a\"",
	    "\"abc\"",
	    "\"abd\"",
	    "\"ABC\"",
	    "\"b\\n\"",
	    "\"\\377high\"",
	    "\"\\\"quoted\\\" \\\\\"",
	    "\"/usr/bin\"",
	    "\"key\"",
	    "\"eight..8\"",
	    "\"a text of 32 characters, exactly\"",
	    "probename",
	    "\"7 chars\"",
	    "\"something that is longer than 64 characters, so that it cannot live on the stack\"",
	};
	const struct gen_var *v = gen_rand(g, 2) ? gen_pick(g, true) : NULL;

	return v ? gen_access(g, v, GEN_STR) : gen_node(g, GEN_STR, PICK(g, texts));
}

struct gen_node *gen_text(struct gen *g, unsigned int depth)
{
	struct gen_node *n;

	if (!depth)
		return text_leaf(g);
	depth--;
	switch (gen_rand(g, 9)) {
	case 0:
	case 1:
		n = gen_node(g, GEN_STR, "strjoin(\1, \1)");
		gen_kid(n, gen_text(g, depth));
		gen_kid(n, gen_text(g, depth));
		return n;
	case 2:
		return substring(g, depth);
	case 3:
		n = gen_node(g, GEN_STR, "(\1 ? \1 : \1)");
		gen_kid(n, gen_expr(g, depth));
		gen_kid(n, gen_text(g, depth));
		gen_kid(n, gen_text(g, depth));
		return n;
	case 4:
		return unary_text(g, gen_rand(g, 2) ? "lltostr(\1)" : "lltostr(\1, 16)", GEN_STR,
				  gen_expr(g, depth));
	case 5:
		return unary_text(g, gen_rand(g, 2) ? "toupper(\1)" : "tolower(\1)", GEN_STR,
				  gen_text(g, depth));
	case 6:
		return use_inline(g, true, depth);
	default:
		return text_leaf(g);
	}
}
