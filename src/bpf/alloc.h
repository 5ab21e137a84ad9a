/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * alloc.h: the interference graph, shared by graph.c (which builds it) and alloc.c (which colours
 * it).
 */
#ifndef BPF_ALLOC_H
#define BPF_ALLOC_H

#include "bpf/mir.h"

/* The list that holds a node.  Other lists can have old entries of the node, which are skipped. */
enum where { NODE_FIXED, NODE_SIMPLIFY, NODE_FREEZE, NODE_SPILL, NODE_STACK, NODE_COALESCED };

enum move_state { MOVE_WAITING, MOVE_READY, MOVE_DONE };

struct move {
	int dst, src;
	enum move_state state;
};

struct list {
	int *a;
	unsigned int n, cap;
};

struct node {
	enum where where;
	unsigned int degree;
	struct list adj, moves;
	unsigned int fixed; /* set of machine registers among the neighbours */
	int alias, color;
	double cost;
	unsigned int mark;
	bool is_temp, is_used;
};

struct alloc {
	struct mfunc *f;
	struct arena *arena;
	unsigned int n, k;    /* nodes, colours */
	unsigned int allowed; /* set of colours */
	uint64_t *edges;      /* hash of edges between virtual registers; 0: free */
	size_t nedges, edges_cap;
	struct node *nodes;
	struct move *moves;
	unsigned int nmoves, moves_cap;
	struct list simplify, freeze, spill, stack, ready;
	unsigned int mark;
};

/* ---- graph.c ---- */
void list_push(struct alloc *a, struct list *l, int v);
bool graph_adjacent(const struct alloc *a, int x, int y);
void graph_add_edge(struct alloc *a, int x, int y);
struct alloc *graph_build(struct mfunc *f); /* needs liveness and frequencies */

#endif
