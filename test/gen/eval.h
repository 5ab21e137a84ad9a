/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * eval.h: computes the output of a D program by walking its checked tree.  Nothing of the compiler
 * after the checker takes part: this is the second opinion on src/lower, src/opt and src/bpf.  Only
 * the text of values comes from src/print, which has its own tests.
 * the text of values comes from src/print, which has its own tests.
 *
 * Programs consist of clauses of BEGIN, END and ERROR in quiet mode.  printa, clear, trunc and
 * normalize act on aggregations when records are read, so the result is right only in clauses of
 * END.
 */
#ifndef TEST_GEN_EVAL_H
#define TEST_GEN_EVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "print/agg.h"
#include "print/out.h"
#include "type/type.h"

struct arena;
struct map;

/* A value; s has the bytes of a string or structure. */
struct eval_val {
	uint64_t n;
	char *s;
};

/* Argument of a parameterised inline: an expression, and the bindings of the names in it. */
struct eval_bind {
	const struct ident *param;
	struct expr *arg;
	const struct eval_bind *env, *next;
};

struct eval_agg {
	struct ident *ident;
	struct agg_desc desc;
	struct map *rows; /* by key */
	int64_t normal;
	bool was_printed;
};

/* The part of a record for one action: text, or an operation for the time when it is read. */
struct eval_op {
	struct expr *deferred; /* NULL: text */
	const char *text;
	int64_t arg;
};

struct eval {
	struct arena *arena;
	struct types *types;
	uint32_t strsize;
	struct map *vars;   /* cells by identifier */
	struct map *arrays; /* by identifier: cells by key */
	struct map *locals; /* clause-locals of this firing */
	struct map *aggs;
	VEC(struct eval_agg *) agg_list;
	VEC(struct eval_op) ops; /* all records */
	const struct eval_bind *env;
	const char *probe; /* BEGIN, END, ERROR */
	uint64_t args[6];  /* of ERROR */
	unsigned int epid, action;
	int fault; /* enum abi_fault; 0: none */
	uint64_t fault_val;
	bool has_stopped;
	int status;
};

enum { EVAL_BADADDR = 1, EVAL_DIVZERO = 4, EVAL_ILLOP = 3, EVAL_NOSCRATCH = 5 };

/* Returns the output of a checked program, in the arena. */
const char *eval_program(struct arena *a, struct types *types, uint32_t strsize,
			 const struct program *p);

/* ---- between the files ---- */

uint64_t eval_int(struct eval *ev, struct expr *e);
const char *eval_str(struct eval *ev, struct expr *e);	/* may be NULL */
const char *eval_text(struct eval *ev, struct expr *e); /* NULL is a fault */
const void *eval_bytes(struct eval *ev, struct expr *e);
void eval_effect(struct eval *ev, struct expr *e);
void eval_raise(struct eval *ev, int fault, uint64_t val);

/* Returns an integer cut to its type and extended to 64 bits. */
uint64_t eval_cut(uint64_t v, const struct type *t);

/* Subroutines (man/d.7, SUBROUTINES). */
uint64_t eval_int_call(struct eval *ev, struct expr *e);
const char *eval_str_call(struct eval *ev, struct expr *e);

#endif
