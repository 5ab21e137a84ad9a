/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen_decl.c: declarations of a random program: options, types, variables of all scopes, arrays,
 * aggregations, inlines.
 */
#include "base/arena.h"
#include "gen.h"

static void add(struct gen *g, const char *text)
{
	gen_kid(g->program, gen_node(g, GEN_PIECE, text));
}

static const char *const prefixes[] = {"", "self->", "this->"};
static const char *const storage[] = {"", "self ", "this "};

static void add_var(struct gen *g, struct gen_var v)
{
	vec_push(&g->vars, v);
}

static void scalars(struct gen *g, unsigned int n)
{
	static const char *const names[] = {"g", "s", "t"};

	for (unsigned int i = 0; i < n; i++) {
		unsigned int scope = (unsigned int)gen_rand(g, 3);
		const char *name = arena_printf(g->arena, "%s%u", names[scope], i);
		bool is_str = gen_rand(g, 4) == 0;

		add(g, arena_printf(g->arena, "%s%s %s;\n", storage[scope],
				    is_str ? "string" : gen_int_type(g), name));
		add_var(g, (struct gen_var){
			       .text = arena_printf(g->arena, "%s%s", prefixes[scope], name),
			       .is_str = is_str});
	}
}

static void effects(struct gen *g)
{
	for (unsigned int scope = 0; scope < 3; scope++) {
		add(g,
		    arena_printf(g->arena, "%s%s e%u;\n", storage[scope], gen_int_type(g), scope));
		vec_push(&g->effects, arena_printf(g->arena, "%se%u", prefixes[scope], scope));
	}
}

/* Declares the types of keys; NULL is a string. */
static void keys(struct gen *g, const char **types, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		types[i] = gen_rand(g, 3) ? gen_int_type(g) : NULL;
}

static const char *key_list(struct gen *g, const char *const *types, unsigned int n)
{
	const char *list = "";

	for (unsigned int i = 0; i < n; i++)
		list = arena_printf(g->arena, "%s%s%s", list, i ? ", " : "",
				    types[i] ? types[i] : "string");
	return list;
}

static const char *places(struct gen *g, unsigned int n)
{
	const char *list = "";

	for (unsigned int i = 0; i < n; i++)
		list = arena_printf(g->arena, "%s%s\1", list, i ? ", " : "");
	return list;
}

static void arrays(struct gen *g, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		struct gen_var v = {.is_str = gen_rand(g, 4) == 0, .nkeys = 1 + gen_rand(g, 3)};
		unsigned int scope = (unsigned int)gen_rand(g, 2);

		keys(g, v.keys, v.nkeys);
		add(g, arena_printf(g->arena, "%s%s m%u[%s];\n", storage[scope],
				    v.is_str ? "string" : gen_int_type(g), i,
				    key_list(g, v.keys, v.nkeys)));
		v.text =
		    arena_printf(g->arena, "%sm%u[%s]", prefixes[scope], i, places(g, v.nkeys));
		add_var(g, v);
	}
	for (unsigned int i = 0; i < n; i++) {
		unsigned int scope = gen_rand(g, 2) ? GEN_THIS : GEN_GLOBAL;
		struct gen_var v = {.nelem = 1U << gen_rand(g, 5)};

		add(g, arena_printf(g->arena, "%s%s c%u[%u];\n", storage[scope], gen_int_type(g), i,
				    v.nelem));
		v.text = arena_printf(g->arena, "%sc%u[\1]", prefixes[scope], i);
		add_var(g, v);
	}
}

/* ---- structures ---- */

struct member {
	const char *text; /* "a", "u.b[\1]" */
	unsigned int nelem;
};

static const char *member_decl(struct gen *g, unsigned int i, struct member *m)
{
	static const char *const fields[] = {"int",	"unsigned int", "uint8_t",
					     "int16_t", "long",		"uint64_t"};
	static const unsigned int widths[] = {32, 32, 8, 16, 64, 64};
	unsigned int f = (unsigned int)gen_rand(g, 6);

	m->text = arena_printf(g->arena, "m%u", i);
	m->nelem = 0;
	switch (gen_rand(g, 5)) {
	case 0:
	case 1:
		return arena_printf(g->arena, "\t%s m%u:%u;\n", fields[f], i,
				    1 + (unsigned int)gen_rand(g, widths[f]));
	case 2:
		m->nelem = 1U << gen_rand(g, 4);
		m->text = arena_printf(g->arena, "m%u[\1]", i);
		return arena_printf(g->arena, "\t%s m%u[%u];\n", gen_int_type(g), i, m->nelem);
	default:
		return arena_printf(g->arena, "\t%s m%u;\n", gen_int_type(g), i);
	}
}

static void struct_type(struct gen *g, unsigned int number)
{
	unsigned int n = 1 + (unsigned int)gen_rand(g, 6), scope;
	struct member *m = arena_new_arr(g->arena, struct member, n + 2);
	const char *decl = arena_printf(g->arena, "struct r%u {\n", number);

	for (unsigned int i = 0; i < n; i++)
		decl = arena_printf(g->arena, "%s%s", decl, member_decl(g, i, &m[i]));
	if (gen_rand(g, 2)) {
		decl = arena_printf(
		    g->arena, "%s\tunion {\n\t\tuint32_t w;\n\t\tint8_t b[4];\n\t} u;\n", decl);
		m[n++] = (struct member){.text = "u.w"};
		m[n++] = (struct member){.text = "u.b[\1]", .nelem = 4};
	}
	add(g, arena_printf(g->arena, "%s};\n", decl));
	for (unsigned int i = 0; i < 2; i++) {
		const char *var;

		scope = gen_rand(g, 2) ? GEN_THIS : GEN_GLOBAL;
		var = arena_printf(g->arena, "%sv%u%u", prefixes[scope], number, i);
		add(g, arena_printf(g->arena, "%sstruct r%u v%u%u;\n", storage[scope], number,
				    number, i));
		for (unsigned int k = 0; k < n; k++)
			add_var(g, (struct gen_var){
				       .text = arena_printf(g->arena, "%s.%s", var, m[k].text),
				       .nelem = m[k].nelem});
		if (number == 0)
			vec_push(&g->structs, var);
	}
}

/* ---- aggregations, inlines ---- */

static void aggregations(struct gen *g, unsigned int n)
{
	static const char *const funcs[] = {
	    "count()",
	    "sum(\1)",
	    "avg(\1)",
	    "min(\1)",
	    "max(\1)",
	    "stddev(\1)",
	    "quantize(\1)",
	    "lquantize(\1, -10, 100, 7)",
	    "lquantize(\1, 0, 8)",
	    "llquantize(\1, 10, 0, 6, 20)",
	    "llquantize(\1, 2, 3, 9, 4)",
	    "quantize(\1, \1)",
	    "sum(\1)",
	    "lquantize(\1, -1000, 1000, 100, \1)",
	};

	for (unsigned int i = 0; i < n; i++) {
		unsigned int f = (unsigned int)gen_rand(g, sizeof(funcs) / sizeof(funcs[0]));
		struct gen_agg a = {.name = arena_printf(g->arena, "@a%u", i),
				    .func = funcs[f],
				    .nkeys = (unsigned int)gen_rand(g, 4)};

		keys(g, a.keys, a.nkeys);
		vec_push(&g->aggs, a);
	}
}

static void inlines(struct gen *g)
{
	static const struct {
		const char *decl;
		struct gen_inline def;
	} all[] = {
	    {"inline int FIVE = 2 + 3;\n", {"FIVE", 0, false}},
	    {"inline uint8_t WRAP = 0x1ff;\n", {"WRAP", 0, false}},
	    {"inline string WORD = \"word\";\n", {"WORD", 0, true}},
	    {"inline int16_t half[long x] = x / 2;\n", {"half", 1, false}},
	    {"inline uint32_t mix[uint32_t x, int8_t y] = x * 31 + y;\n", {"mix", 2, false}},
	    {"inline long pick[int x, long y] = x > 0 ? y : -y;\n", {"pick", 2, false}},
	    {"inline string twice[string s] = strjoin(s, s);\n", {"twice", 1, true}},
	};

	for (unsigned int i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		add(g, all[i].decl);
		vec_push(&g->inlines, all[i].def);
	}
}

void gen_declare(struct gen *g)
{
	static const unsigned int sizes[] = {8, 16, 33, 64, 72, 300, 1000};
	unsigned int scale = g->size == GEN_BIG ? 8 : 1;

	gen_kid(g->program, gen_node(g, GEN_FIXED, "#pragma D option quiet\n"));
	if (gen_rand(g, 3) == 0)
		add(g,
		    arena_printf(g->arena, "#pragma D option strsize=%u\n", sizes[gen_rand(g, 7)]));
	gen_kid(g->program, gen_node(g, GEN_FIXED, "enum color { RED = 3, GREEN, BLUE = -1 };\n"));
	inlines(g);
	scalars(g, (6 + (unsigned int)gen_rand(g, 6)) * scale);
	effects(g);
	arrays(g, (1 + (unsigned int)gen_rand(g, 2)) * scale);
	for (unsigned int i = 0; i < 1 + gen_rand(g, 2); i++)
		struct_type(g, i);
	aggregations(g, (2 + (unsigned int)gen_rand(g, 3)) * scale);
}
