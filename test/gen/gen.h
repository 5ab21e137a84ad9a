/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen.h: random D programs.  A program is a tree of text, so that a failing one can be made
 * smaller: statements, clauses and declarations can be left out.  One of its operands or a constant
 * can replace an expression.
 */
#ifndef TEST_GEN_GEN_H
#define TEST_GEN_GEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"

struct arena;

enum gen_class {
	GEN_INT,   /* integer expression */
	GEN_STR,   /* string expression */
	GEN_PIECE, /* can be left out: statement, clause, declaration */
	GEN_FIXED, /* anything else */
};

/* In text each '\1' stands for the next of kids. */
struct gen_node {
	enum gen_class cls;
	const char *text;
	VEC(struct gen_node *) kids;
	bool is_gone;
	const struct gen_node *instead; /* NULL: itself */
};

enum gen_size { GEN_SMALL, GEN_BIG, GEN_SIZES };

/* Returns the program of a seed, in the arena except for the vectors, which gen_free frees. */
struct gen_node *gen_program(struct arena *a, uint64_t seed, enum gen_size size);
void gen_free(struct gen_node *n);

void gen_render(struct buf *b, const struct gen_node *n);

/*
 * Makes the program smaller while `fails` returns true for its text; calls it at most `tries`
 * times.
 */
void gen_shrink(struct gen_node *program, bool (*fails)(void *arg, const char *text), void *arg,
		unsigned int tries);

/* ---- between the files ---- */

enum gen_scope { GEN_GLOBAL, GEN_SELF, GEN_THIS };

/* Something with a value: its text, and its uses. */
struct gen_var {
	const char *text; /* "self->x", "s.a"; with '\1' for each key or index */
	bool is_str;
	unsigned int nkeys;
	const char *keys[4]; /* type of each key, NULL: string */
	unsigned int nelem;  /* C array with this number of elements: one index */
};

struct gen_agg {
	const char *name, *func; /* "a0", "lquantize($, 0, 100, 5)" with '\1' for the value */
	bool is_used;		 /* something aggregates into it */
	unsigned int nkeys;
	const char *keys[8]; /* type, NULL: string */
};

struct gen_inline {
	const char *name;
	unsigned int nparams;
	bool is_str;
};

struct gen {
	struct arena *arena;
	uint64_t state;
	enum gen_size size;
	VEC(struct gen_var) vars;  /* can be read and assigned */
	VEC(const char *) effects; /* integers for ++ and = inside expressions */
	VEC(const char *) structs; /* variables of one structure type */
	VEC(struct gen_agg) aggs;
	VEC(struct gen_inline) inlines;
	unsigned int used_effects; /* bits, in this statement */
	bool is_pure;		   /* no effects inside this expression */
	struct gen_node *program;
};

uint64_t gen_rand(struct gen *g, uint64_t n); /* below n */
const char *gen_int_type(struct gen *g);
struct gen_node *gen_node(struct gen *g, enum gen_class cls, const char *text);
void gen_kid(struct gen_node *n, struct gen_node *kid);
struct gen_node *gen_expr(struct gen *g, unsigned int depth);
struct gen_node *gen_text(struct gen *g, unsigned int depth); /* of type string */
struct gen_node *gen_literal(struct gen *g);		      /* an integer constant */
struct gen_node *gen_access(struct gen *g, const struct gen_var *v, enum gen_class cls);
const struct gen_var *gen_pick(struct gen *g, bool is_str); /* NULL if there is none */
void gen_declare(struct gen *g);
void gen_clauses(struct gen *g);

#endif
