/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cond.c: branches whose outcome follows from an earlier branch.
 *
 * Requires: equal values are one value (gvn).  Keeps: blocks and edges.  Breaks: use counts; leaves
 * constant conditions to cfg.c.
 *
 * If a block has one predecessor, which ends in a branch or switch, the outcome is known in the
 * block and in all blocks that it dominates.  A condition is brought to a normal form (a == b, a <
 * b, and whether it is reversed), so that opposite comparisons match.  If a value equals one
 * constant, its comparison with another is decided too.  This merges clauses with the same
 * predicate, and repeated checks for NULL.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/arena.h"
#include "opt/cond.h"

/*
 * A condition that holds from a block on.  Facts whose first operands have the same hash are
 * neighbours, in the order of the dominator tree.  The fact that holds at a place is the last one
 * before it, or an outer fact of that one.
 */
struct fact {
	struct ir_block *at;
	struct cond_key key;
	bool value;
	unsigned int hash, order;
	struct fact *outer; /* nearest fact around this one, or NULL */
};

struct facts {
	const struct ir_dom *dom;
	struct fact *list;
	unsigned int n;
};

struct cond_key cond_normal(const struct ir_ins *c)
{
	struct cond_key k = {IR_EQ, c, NULL, 0, true};

	if (!ir_is_cmp(c->op))
		return k;
	k = (struct cond_key){c->op, c->args[0], c->args[1], 0, false};
	if (c->op == IR_NE) {
		k.op = IR_EQ;
		k.is_reversed = true;
	} else if (c->op == IR_ULE || c->op == IR_SLE) {
		k.op = c->op == IR_ULE ? IR_ULT : IR_SLT;
		k.a = c->args[1];
		k.b = c->args[0];
		k.is_reversed = true;
	}
	if (k.b->op == IR_CONST) {
		k.imm = k.b->imm;
		k.b = NULL;
	}
	return k;
}

static unsigned int hash_of(const struct cond_key *k)
{
	return (unsigned int)(k->a->id * 0x9e3779b97f4a7c15ULL >> 32);
}

static bool same_test(const struct cond_key *x, const struct cond_key *y)
{
	return x->op == y->op && x->a == y->a && x->b == y->b && x->imm == y->imm;
}

static void add_fact(struct facts *t, struct ir_block *at, struct cond_key k, bool value)
{
	assert(at->npreds == 1);
	t->list[t->n++] = (struct fact){.at = at,
					.key = k,
					.value = value != k.is_reversed,
					.hash = hash_of(&k),
					.order = t->dom->pre[at->id]};
}

/* A target gets no fact if another way leads to it, also if both ways of this branch do. */
static void facts_of_branch(struct facts *t, const struct ir_ins *br)
{
	for (unsigned int n = 0; n < 2; n++)
		if (br->target[n]->npreds == 1)
			add_fact(t, br->target[n], cond_normal(br->args[0]), n == 0);
}

static void facts_of_switch(struct facts *t, const struct ir_ins *sw)
{
	for (unsigned int n = 1; n < sw->ntargets; n++) {
		struct cond_key k = {IR_EQ, sw->args[0], NULL, sw->cases[n - 1], false};

		if (sw->target[n]->npreds == 1)
			add_fact(t, sw->target[n], k, true);
		if (sw->target[0]->npreds == 1)
			add_fact(t, sw->target[0], k, false);
	}
}

static int by_place(const void *x, const void *y)
{
	const struct fact *a = x, *b = y;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static unsigned int most_facts(const struct ir_func *f)
{
	unsigned int n = 0;

	for (unsigned int b = 0; b < f->nblocks; b++)
		n += 2 * f->blocks[b]->last->ntargets;
	return n;
}

static void nest(struct facts *t)
{
	for (unsigned int n = 1; n < t->n; n++) {
		struct fact *e = &t->list[n], *o = e - 1;

		while (o && !(o->hash == e->hash && ir_dominates(t->dom, o->at, e->at)))
			o = o->hash == e->hash ? o->outer : NULL;
		e->outer = o;
	}
}

struct facts *cond_facts(struct ir_func *f, const struct ir_dom *dom)
{
	struct facts *t = arena_new_obj(f->mod->arena, struct facts);

	t->dom = dom;
	t->list = arena_new_arr(f->mod->arena, struct fact, most_facts(f));
	for (unsigned int b = 0; b < f->nblocks; b++)
		f->blocks[b]->mark = 0;
	for (unsigned int b = 0; b < f->nblocks; b++) {
		struct ir_ins *end = f->blocks[b]->last;

		if (end->op == IR_BR)
			facts_of_branch(t, end);
		else if (end->op == IR_SWITCH)
			facts_of_switch(t, end);
	}
	if (t->n)
		qsort(t->list, t->n, sizeof(*t->list), by_place);
	nest(t);
	return t;
}

/* Returns the last fact with this hash that comes before block `at` in the tree, or NULL. */
static const struct fact *last_before(const struct facts *t, unsigned int hash,
				      const struct ir_block *at)
{
	unsigned int lo = 0, hi = t->n, order = t->dom->pre[at->id];

	while (lo < hi) {
		unsigned int mid = lo + (hi - lo) / 2;
		const struct fact *e = &t->list[mid];

		if (e->hash < hash || (e->hash == hash && e->order <= order))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && t->list[lo - 1].hash == hash ? &t->list[lo - 1] : NULL;
}

int cond_known(const struct facts *t, const struct ir_ins *c, const struct ir_block *at)
{
	struct cond_key k = cond_normal(c);

	if (c->op == IR_CONST)
		return c->imm != 0;
	for (const struct fact *e = last_before(t, hash_of(&k), at); e; e = e->outer) {
		bool is_other = k.op == IR_EQ && e->key.op == IR_EQ && !k.b && !e->key.b &&
				e->value && e->key.a == k.a && e->key.imm != k.imm;

		if (e->at->mark || !ir_dominates(t->dom, e->at, at))
			continue;
		if (same_test(&e->key, &k))
			return e->value != k.is_reversed;
		if (is_other)
			return k.is_reversed;
	}
	return -1;
}

bool opt_cond(struct ir_func *f)
{
	struct ir_dom *dom = ir_dom_new(f);
	struct facts *t = cond_facts(f, dom);
	bool changed = false;

	for (unsigned int b = 0; b < f->nblocks; b++) {
		struct ir_ins *end = f->blocks[b]->last;
		int known;

		if (end->op != IR_BR || end->args[0]->op == IR_CONST)
			continue;
		known = cond_known(t, end->args[0], f->blocks[b]);
		if (known < 0)
			continue;
		end->args[0] = opt_insert_const(f, end, known);
		changed = true;
	}
	assert(dom->n == f->nblocks);
	return changed;
}
