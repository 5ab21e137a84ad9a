/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * alloc.c: assigns registers by graph colouring with iterated coalescing, after George and Appel,
 * "Iterated Register Coalescing" (TOPLAS 1996).
 *
 * Nodes 0 to 9 are the machine's registers; only r0 to r5 occur in code, at calls and returns.  A
 * call writes all of these, so values that live across a call interfere with them and get r6 to r9.
 * Nodes without a colour are spilled (spill.c), and everything starts again.  Temporaries of
 * spilling are chosen last and never spilled themselves.  `where` names the list that a node is in.
 */
#include <assert.h>
#include <float.h>

#include "bpf/alloc.h"

#define MAX_ROUNDS 64

/* Nodes with more neighbours are not searched for each copy.  Pointers to scratch memory have
 * thousands. */
#define MANY 256

static bool is_fixed(const struct alloc *a, int n)
{
	return a->nodes[n].where == NODE_FIXED;
}

/* Returns true if the node is still in the graph. */
static bool is_present(const struct alloc *a, int n)
{
	return a->nodes[n].where != NODE_STACK && a->nodes[n].where != NODE_COALESCED;
}

static int alias(const struct alloc *a, int n)
{
	while (a->nodes[n].where == NODE_COALESCED)
		n = a->nodes[n].alias;
	return n;
}

static bool is_move_related(const struct alloc *a, int n)
{
	const struct list *l = &a->nodes[n].moves;

	for (unsigned int k = 0; k < l->n; k++)
		if (a->moves[l->a[k]].state != MOVE_DONE)
			return true;
	return false;
}

static void enter(struct alloc *a, int n, enum where where)
{
	a->nodes[n].where = where;
	list_push(a,
		  where == NODE_SIMPLIFY ? &a->simplify
		  : where == NODE_FREEZE ? &a->freeze
					 : &a->spill,
		  n);
}

/* Looks again at the copies of n, whose neighbours have changed.  A machine register may have
 * thousands of copies, but these depend on the neighbours of their other side only. */
static void enable_moves(struct alloc *a, int n)
{
	const struct list *l = &a->nodes[n].moves;

	if (is_fixed(a, n))
		return;
	for (unsigned int k = 0; k < l->n; k++) {
		if (a->moves[l->a[k]].state != MOVE_WAITING)
			continue;
		a->moves[l->a[k]].state = MOVE_READY;
		list_push(a, &a->ready, l->a[k]);
	}
}

static void lower_degree(struct alloc *a, int n)
{
	const struct list *l = &a->nodes[n].adj;

	if (is_fixed(a, n) || a->nodes[n].degree-- != a->k)
		return;
	enable_moves(a, n);
	for (unsigned int k = 0; k < l->n; k++)
		if (is_present(a, l->a[k]))
			enable_moves(a, l->a[k]);
	if (a->nodes[n].where == NODE_SPILL)
		enter(a, n, is_move_related(a, n) ? NODE_FREEZE : NODE_SIMPLIFY);
}

static void simplify(struct alloc *a, int n)
{
	const struct list *l = &a->nodes[n].adj;

	assert(a->nodes[n].where == NODE_SIMPLIFY);
	a->nodes[n].where = NODE_STACK;
	list_push(a, &a->stack, n);
	for (unsigned int k = 0; k < l->n; k++)
		if (is_present(a, l->a[k]))
			lower_degree(a, l->a[k]);
}

/* ---- coalescing ---- */

static void perhaps_simplify(struct alloc *a, int n)
{
	if (a->nodes[n].where == NODE_FREEZE && !is_move_related(a, n) && a->nodes[n].degree < a->k)
		enter(a, n, NODE_SIMPLIFY);
}

/* George's test: every neighbour of v has few neighbours, or is a neighbour of u. */
static bool fits_big(const struct alloc *a, int u, int v)
{
	const struct list *l = &a->nodes[v].adj;

	for (unsigned int k = 0; k < l->n; k++) {
		int t = l->a[k];
		bool matters = is_fixed(a, t) ? !is_fixed(a, u) : a->nodes[t].degree >= a->k;

		if (is_present(a, t) && matters && !graph_adjacent(a, t, u))
			return false;
	}
	return true;
}

/* Briggs's test: both together have fewer than k neighbours of high degree. */
static bool fits_both(struct alloc *a, int u, int v)
{
	unsigned int high = 0;
	int both[2] = {u, v};

	a->mark++;
	for (int side = 0; side < 2; side++) {
		const struct list *l = &a->nodes[both[side]].adj;

		for (unsigned int k = 0; k < l->n; k++) {
			struct node *t = &a->nodes[l->a[k]];

			if (t->mark == a->mark || !is_present(a, l->a[k]))
				continue;
			t->mark = a->mark;
			if (is_fixed(a, l->a[k]) || t->degree >= a->k)
				high++;
		}
	}
	return high < a->k;
}

static void combine(struct alloc *a, int u, int v)
{
	struct node *nu = &a->nodes[u], *nv = &a->nodes[v];

	assert(u != v && nv->where != NODE_FIXED && nv->where != NODE_COALESCED);
	nv->where = NODE_COALESCED;
	nv->alias = u;
	nu->cost += nv->cost;
	nu->is_temp = nu->is_temp && nv->is_temp;
	for (unsigned int k = 0; k < nv->moves.n; k++)
		list_push(a, &nu->moves, nv->moves.a[k]);
	enable_moves(a, v);
	for (unsigned int k = 0; k < nv->adj.n; k++) {
		int t = nv->adj.a[k];

		if (!is_present(a, t))
			continue;
		graph_add_edge(a, t, u);
		lower_degree(a, t);
	}
	if (nu->degree >= a->k && nu->where == NODE_FREEZE)
		enter(a, u, NODE_SPILL);
}

/* Returns true if v can become part of u, a machine register or the node with more neighbours. */
static bool fits(struct alloc *a, int u, int v)
{
	if (is_fixed(a, u) || a->nodes[u].adj.n > MANY)
		return fits_big(a, u, v);
	return fits_both(a, u, v);
}

static void coalesce(struct alloc *a, int m)
{
	int x = alias(a, a->moves[m].dst), y = alias(a, a->moves[m].src);
	bool is_y = is_fixed(a, y) ||
		    (!is_fixed(a, x) && a->nodes[y].adj.n > MANY && a->nodes[x].adj.n < MANY);
	int u = is_y ? y : x, v = is_y ? x : y;

	a->moves[m].state = MOVE_DONE;
	if (u == v) {
		perhaps_simplify(a, u);
	} else if (is_fixed(a, v) || graph_adjacent(a, u, v)) {
		perhaps_simplify(a, u);
		perhaps_simplify(a, v);
	} else if (fits(a, u, v)) {
		combine(a, u, v);
		perhaps_simplify(a, u);
	} else {
		a->moves[m].state = MOVE_WAITING;
	}
}

static void freeze_moves(struct alloc *a, int n)
{
	const struct list *l = &a->nodes[n].moves;

	for (unsigned int k = 0; k < l->n; k++) {
		struct move *m = &a->moves[l->a[k]];
		int x, y;

		if (m->state == MOVE_DONE)
			continue;
		m->state = MOVE_DONE;
		x = alias(a, m->dst);
		y = alias(a, m->src);
		perhaps_simplify(a, x == n ? y : x);
	}
}

/* ---- the loop ---- */

/* Removes and returns a node that is really in this list; -1: none. */
static int take(struct alloc *a, struct list *l, enum where where)
{
	while (l->n) {
		int n = l->a[--l->n];

		if (a->nodes[n].where == where)
			return n;
	}
	return -1;
}

/* Returns the cheapest node per freed neighbour.  Drops entries that have left the list. */
static int choose_spill(struct alloc *a)
{
	double best = DBL_MAX;
	unsigned int out = 0;
	int which = -1;

	for (unsigned int k = 0; k < a->spill.n; k++) {
		int n = a->spill.a[k];
		double cost;

		if (a->nodes[n].where != NODE_SPILL)
			continue;
		a->spill.a[out++] = n;
		cost = a->nodes[n].cost / (a->nodes[n].degree + 1);
		if (a->nodes[n].is_temp)
			cost = DBL_MAX / 2;
		if (cost < best || which < 0) {
			best = cost;
			which = n;
		}
	}
	a->spill.n = out;
	return which;
}

static void start(struct alloc *a)
{
	for (unsigned int n = 0; n < a->n; n++)
		if (n < MREG_FIRST)
			a->nodes[n].where = NODE_FIXED;
		else if (a->nodes[n].degree >= a->k)
			enter(a, (int)n, NODE_SPILL);
		else
			enter(a, (int)n, is_move_related(a, (int)n) ? NODE_FREEZE : NODE_SIMPLIFY);
	for (unsigned int m = a->nmoves; m-- > 0;)
		list_push(a, &a->ready, (int)m);
}

static void reduce(struct alloc *a)
{
	int n;

	for (;;) {
		if ((n = take(a, &a->simplify, NODE_SIMPLIFY)) >= 0) {
			simplify(a, n);
		} else if (a->ready.n) {
			int m = a->ready.a[--a->ready.n];

			if (a->moves[m].state == MOVE_READY)
				coalesce(a, m);
		} else if ((n = take(a, &a->freeze, NODE_FREEZE)) >= 0) {
			a->nodes[n].where = NODE_SIMPLIFY;
			list_push(a, &a->simplify, n);
			freeze_moves(a, n);
		} else if ((n = choose_spill(a)) >= 0) {
			enter(a, n, NODE_SIMPLIFY);
			freeze_moves(a, n);
		} else {
			break;
		}
	}
}

/* ---- colours ---- */

/* Returns a free colour, if possible the one of a register that is copied from or to this one. */
static int pick_color(const struct alloc *a, int n, unsigned int free)
{
	static const unsigned char order[] = {1, 2, 3, 4, 5, 0, 6, 7, 8, 9};
	const struct list *l = &a->nodes[n].moves;

	for (unsigned int k = 0; k < l->n; k++) {
		const struct move *m = &a->moves[l->a[k]];
		int x = alias(a, m->dst), y = alias(a, m->src), c = a->nodes[x == n ? y : x].color;

		if (c >= 0 && free >> c & 1)
			return c;
	}
	for (unsigned int k = 0; k < sizeof(order); k++)
		if (free >> order[k] & 1)
			return order[k];
	return -1;
}

/* Returns false if some nodes got no colour. */
static bool assign_colors(struct alloc *a, bool *spilled)
{
	bool ok = true;

	for (unsigned int n = 0; n < a->n; n++)
		a->nodes[n].color = n < MREG_FIRST ? (int)n : -1;
	while (a->stack.n) {
		int n = a->stack.a[--a->stack.n];
		const struct list *l = &a->nodes[n].adj;
		unsigned int free = a->allowed;

		for (unsigned int k = 0; k < l->n; k++) {
			int c = a->nodes[alias(a, l->a[k])].color;

			if (c >= 0)
				free &= ~(1U << c);
		}
		a->nodes[n].color = pick_color(a, n, free);
		ok = ok && a->nodes[n].color >= 0;
	}
	for (unsigned int n = MREG_FIRST; n < a->n; n++) {
		int to = alias(a, (int)n);

		a->nodes[n].color = a->nodes[to].color;
		spilled[n] = a->nodes[to].color < 0 && a->nodes[n].is_used &&
			     a->f->regs[n].level < MREG_TEMP;
		assert(a->nodes[to].color >= 0 || !ok);
	}
	return ok;
}

static int color_of(const struct alloc *a, int r)
{
	return r < 0 ? r : a->nodes[r].color;
}

static void apply_colors(struct alloc *a)
{
	struct mfunc *f = a->f;

	for (unsigned int b = 0; b < f->nblocks; b++) {
		for (struct mins *i = f->blocks[b]->first, *next; i; i = next) {
			next = i->next;
			i->dst = color_of(a, i->dst);
			i->src = color_of(a, i->src);
			i->src2 = color_of(a, i->src2);
			if (i->kind == M_MOV && i->dst == i->src && !i->is_kept)
				m_remove(i);
		}
	}
}

void alloc_regs(struct mfunc *f)
{
	live_freq(f);
	for (unsigned int round = 0; round < MAX_ROUNDS; round++) {
		struct alloc *a;
		bool *spilled = arena_new_arr(f->arena, bool, f->nregs);

		live_regs(f);
		if (f->err)
			return;
		a = graph_build(f);
		start(a);
		reduce(a);
		if (assign_colors(a, spilled)) {
			apply_colors(a);
			return;
		}
		spill_regs(f, spilled, a->n);
	}
	f->err = "needs more registers than the machine has";
}
