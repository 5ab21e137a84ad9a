/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph.c: which registers are alive at the same time.
 *
 * A definition interferes with everything that is alive after it, except that a copy does not
 * interfere with its source.  The graph is kept twice: a triangular bit matrix answers whether two
 * nodes interfere, lists give the neighbours of virtual registers.  Machine registers that values
 * may not have (in builds with few registers) take part in nothing.
 */
#include <assert.h>
#include <string.h>

#include "bpf/alloc.h"

/* Rematerialized values are cheap to spill, bounds costly (spill.c says why). */
#define COST_REMAT 0.5
#define COST_BOUND 4.0

void list_push(struct alloc *a, struct list *l, int v)
{
	if (l->n == l->cap) {
		int *p = arena_new_arr(a->arena, int, l->cap ? 2 * l->cap : 8);

		if (l->n)
			memcpy(p, l->a, l->n * sizeof(*p));
		l->a = p;
		l->cap = l->cap ? 2 * l->cap : 8;
	}
	l->a[l->n++] = v;
}

static size_t bit_of(int x, int y)
{
	size_t hi = (size_t)(x > y ? x : y), lo = (size_t)(x > y ? y : x);

	return hi * (hi - 1) / 2 + lo;
}

bool graph_adjacent(const struct alloc *a, int x, int y)
{
	size_t bit;

	if (x == y)
		return false;
	bit = bit_of(x, y);
	return a->matrix[bit / 64] >> (bit % 64) & 1;
}

static bool is_forbidden(const struct alloc *a, int x)
{
	return x < MREG_FIRST && !(a->allowed >> x & 1);
}

void graph_add_edge(struct alloc *a, int x, int y)
{
	size_t bit;

	if (x == y || (x < MREG_FIRST && y < MREG_FIRST) || is_forbidden(a, x) ||
	    is_forbidden(a, y))
		return;
	bit = bit_of(x, y);
	if (a->matrix[bit / 64] >> (bit % 64) & 1)
		return;
	a->matrix[bit / 64] |= 1ULL << (bit % 64);
	if (x >= MREG_FIRST) {
		list_push(a, &a->nodes[x].adj, y);
		a->nodes[x].degree++;
	}
	if (y >= MREG_FIRST) {
		list_push(a, &a->nodes[y].adj, x);
		a->nodes[y].degree++;
	}
}

static void add_move(struct alloc *a, int dst, int src)
{
	struct move *m;

	if (is_forbidden(a, dst) || is_forbidden(a, src) || dst == src)
		return;
	if (a->nmoves == a->moves_cap) {
		unsigned int cap = a->moves_cap ? 2 * a->moves_cap : 64;

		m = arena_new_arr(a->arena, struct move, cap);
		if (a->nmoves)
			memcpy(m, a->moves, a->nmoves * sizeof(*m));
		a->moves = m;
		a->moves_cap = cap;
	}
	list_push(a, &a->nodes[dst].moves, (int)a->nmoves);
	list_push(a, &a->nodes[src].moves, (int)a->nmoves);
	a->moves[a->nmoves++] = (struct move){dst, src, MOVE_READY};
}

static void edges_with_live(struct alloc *a, int def, const uint64_t *live, unsigned int words)
{
	for (unsigned int w = 0; w < words; w++)
		for (uint64_t bits = live[w]; bits; bits &= bits - 1)
			graph_add_edge(a, def, (int)(w * 64) + __builtin_ctzll(bits));
}

static void note_cost(struct alloc *a, int r, double freq)
{
	a->nodes[r].cost += freq;
	a->nodes[r].is_used = true;
}

static void build_ins(struct alloc *a, const struct mins *i, uint64_t *live, unsigned int words)
{
	int uses[6], defs[6];
	unsigned int nuses = m_uses(i, uses), ndefs = m_defs(i, defs);
	double freq = i->block->freq;

	if (i->kind == M_MOV && !i->is_kept) {
		live[i->src / 64] &= ~(1ULL << (i->src % 64));
		add_move(a, i->dst, i->src);
	}
	for (unsigned int k = 0; k < ndefs; k++) {
		note_cost(a, defs[k], freq);
		edges_with_live(a, defs[k], live, words);
	}
	if (i->kind == M_SET || i->kind == M_SETI)
		for (unsigned int k = 0; k < nuses; k++)
			graph_add_edge(a, i->dst, uses[k]);
	for (unsigned int k = 0; k < ndefs; k++)
		live[defs[k] / 64] &= ~(1ULL << (defs[k] % 64));
	for (unsigned int k = 0; k < nuses; k++) {
		note_cost(a, uses[k], freq);
		live[uses[k] / 64] |= 1ULL << (uses[k] % 64);
	}
}

/* Colours for values: the two kinds of registers in turn when there are few. */
static unsigned int allowed_regs(unsigned int n)
{
	static const unsigned char order[] = {0, 6, 7, 8, 9, 1, 2, 3, 4, 5};
	unsigned int set = 0;

	assert(n >= 3 && n <= 10);
	for (unsigned int k = 0; k < n; k++)
		set |= 1U << order[k];
	return set;
}

static bool is_remat_def(const struct mins *i)
{
	return i->kind == M_MOVI || i->kind == M_SYM || i->kind == M_FRAME;
}

static void adjust_costs(struct alloc *a)
{
	const struct mfunc *f = a->f;
	unsigned char *defs = arena_new_arr(a->arena, unsigned char, a->n);
	int regs[6];

	for (unsigned int b = 0; b < f->nblocks; b++)
		for (const struct mins *i = f->blocks[b]->first; i; i = i->next)
			for (unsigned int k = m_defs(i, regs); k-- > 0;)
				defs[regs[k]] |= is_remat_def(i) ? 1 : 2;
	for (unsigned int r = MREG_FIRST; r < a->n; r++) {
		a->nodes[r].is_temp = f->regs[r].level == MREG_TEMP;
		if (defs[r] == 1)
			a->nodes[r].cost *= COST_REMAT;
		if (f->regs[r].is_bound)
			a->nodes[r].cost *= COST_BOUND;
	}
}

struct alloc *graph_build(struct mfunc *f)
{
	struct alloc *a = arena_new_obj(f->arena, struct alloc);
	unsigned int words = (f->nregs + 63) / 64;
	uint64_t *live = arena_new_arr(f->arena, uint64_t, words);

	a->f = f;
	a->arena = f->arena;
	a->n = f->nregs;
	a->k = f->target->nregs ? f->target->nregs : 10;
	a->allowed = allowed_regs(a->k);
	a->matrix = arena_new_arr(f->arena, uint64_t, bit_of((int)a->n, 0) / 64 + 1);
	a->nodes = arena_new_arr(f->arena, struct node, a->n);
	for (unsigned int b = f->nblocks; b-- > 0;) {
		memcpy(live, f->blocks[b]->live_out, words * sizeof(*live));
		for (const struct mins *i = f->blocks[b]->last; i; i = i->prev)
			build_ins(a, i, live, words);
	}
	adjust_costs(a);
	return a;
}
