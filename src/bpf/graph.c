/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph.c: finds registers that are alive at the same time.
 *
 * A definition interferes with everything that is alive after it, except that a copy does not
 * interfere with its source.  The graph is kept twice: a hash of its edges shows whether two nodes
 * interfere, and lists have the neighbours of virtual registers.  In builds with few registers some
 * machine registers are not for values; these take part in nothing.
 */
#include <assert.h>

#include "base/torture.h"
#include "bpf/alloc.h"

/* Rematerialized values are cheap to spill, bounds costly (spill.c says why). */
#define COST_REMAT 0.5
#define COST_BOUND 4.0

enum { EDGES_FIRST = TORTURE_OR(4, 1024) }; /* a power of two */

/* The set of registers that are alive at one place; `at` has the index in `regs` of each. */
struct alive {
	unsigned int *regs, *at;
	unsigned int n;
};

static bool is_alive(const struct alive *l, int r)
{
	return l->at[r] < l->n && l->regs[l->at[r]] == (unsigned int)r;
}

static void add_alive(struct alive *l, int r)
{
	if (is_alive(l, r))
		return;
	l->at[r] = l->n;
	l->regs[l->n++] = (unsigned int)r;
}

static void drop_alive(struct alive *l, int r)
{
	if (!is_alive(l, r))
		return;
	l->regs[l->at[r]] = l->regs[--l->n];
	l->at[l->regs[l->n]] = l->at[r];
}

void list_push(struct alloc *a, struct list *l, int v)
{
	l->a = arena_grow(a->arena, l->a, l->n, &l->cap, sizeof(*l->a));
	l->a[l->n++] = v;
}

/* Returns the place of an edge, or the free place for it. */
static uint64_t *place_of(const struct alloc *a, uint64_t edge)
{
	size_t at = (size_t)((edge * 0x9e3779b97f4a7c15ULL) >> 32) & (a->edges_cap - 1);

	while (a->edges[at] && a->edges[at] != edge)
		at = (at + 1) & (a->edges_cap - 1);
	return &a->edges[at];
}

static uint64_t edge_of(int x, int y)
{
	return (uint64_t)(x > y ? x : y) << 32 | (uint64_t)(x > y ? y : x);
}

bool graph_adjacent(const struct alloc *a, int x, int y)
{
	if (x < MREG_FIRST || y < MREG_FIRST) {
		int fixed = x < y ? x : y, other = x < y ? y : x;

		return a->nodes[other].fixed >> fixed & 1;
	}
	return x != y && *place_of(a, edge_of(x, y));
}

static bool is_forbidden(const struct alloc *a, int x)
{
	return x < MREG_FIRST && !(a->allowed >> x & 1);
}

static void grow_edges(struct alloc *a)
{
	uint64_t *old = a->edges;
	size_t n = a->edges_cap;

	a->edges_cap = n ? 2 * n : EDGES_FIRST;
	a->edges = arena_new_arr(a->arena, uint64_t, a->edges_cap);
	for (size_t k = 0; k < n; k++)
		if (old[k])
			*place_of(a, old[k]) = old[k];
}

static void add_neighbour(struct alloc *a, int x, int y)
{
	struct node *n = &a->nodes[x];

	if (x < MREG_FIRST)
		return;
	if (y < MREG_FIRST)
		n->fixed |= 1U << y;
	list_push(a, &n->adj, y);
	n->degree++;
}

void graph_add_edge(struct alloc *a, int x, int y)
{
	if (x == y || (x < MREG_FIRST && y < MREG_FIRST) || is_forbidden(a, x) ||
	    is_forbidden(a, y) || graph_adjacent(a, x, y))
		return;
	if (x >= MREG_FIRST && y >= MREG_FIRST) {
		if (2 * ++a->nedges > a->edges_cap)
			grow_edges(a);
		*place_of(a, edge_of(x, y)) = edge_of(x, y);
	}
	add_neighbour(a, x, y);
	add_neighbour(a, y, x);
}

static void add_move(struct alloc *a, int dst, int src)
{
	if (is_forbidden(a, dst) || is_forbidden(a, src) || dst == src)
		return;
	a->moves = arena_grow(a->arena, a->moves, a->nmoves, &a->moves_cap, sizeof(*a->moves));
	list_push(a, &a->nodes[dst].moves, (int)a->nmoves);
	list_push(a, &a->nodes[src].moves, (int)a->nmoves);
	a->moves[a->nmoves++] = (struct move){dst, src, MOVE_READY};
}

static void note_cost(struct alloc *a, int r, double freq)
{
	a->nodes[r].cost += freq;
	a->nodes[r].is_used = true;
}

static void build_ins(struct alloc *a, const struct mins *i, struct alive *l)
{
	int uses[6], defs[6];
	unsigned int nuses = m_uses(i, uses), ndefs = m_defs(i, defs);
	double freq = i->block->freq;

	if (i->kind == M_MOV && !i->is_kept) {
		drop_alive(l, i->src);
		add_move(a, i->dst, i->src);
	}
	for (unsigned int k = 0; k < ndefs; k++) {
		note_cost(a, defs[k], freq);
		for (unsigned int r = 0; r < l->n; r++)
			graph_add_edge(a, defs[k], (int)l->regs[r]);
	}
	if (i->kind == M_SET || i->kind == M_SETI)
		for (unsigned int k = 0; k < nuses; k++)
			graph_add_edge(a, i->dst, uses[k]);
	for (unsigned int k = 0; k < ndefs; k++)
		drop_alive(l, defs[k]);
	for (unsigned int k = 0; k < nuses; k++) {
		note_cost(a, uses[k], freq);
		add_alive(l, uses[k]);
	}
}

/* Returns the colours for values.  If there are few, the two kinds of registers alternate. */
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
	struct alive l = {arena_new_arr(f->arena, unsigned int, f->nregs),
			  arena_new_arr(f->arena, unsigned int, f->nregs)};

	a->f = f;
	a->arena = f->arena;
	a->n = f->nregs;
	a->k = f->target->nregs ? f->target->nregs : 10;
	a->allowed = allowed_regs(a->k);
	grow_edges(a);
	a->nodes = arena_new_arr(f->arena, struct node, a->n);
	for (unsigned int b = f->nblocks; b-- > 0;) {
		const struct mset *out = &f->blocks[b]->live_out;

		l.n = 0;
		for (unsigned int k = 0; k < out->n; k++)
			add_alive(&l, (int)out->a[k]);
		for (const struct mins *i = f->blocks[b]->last; i; i = i->prev)
			build_ins(a, i, &l);
	}
	adjust_costs(a);
	return a;
}
