/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * load.c: replaces loads of known memory contents, and removes stores that change nothing.
 *
 * Requires: constant address parts folded into offsets helps.  Keeps: blocks and edges.  Breaks:
 * use counts; leaves unused instructions.
 *
 * A list of known memory contents (place, size, value) is kept along a block, and passed on to
 * blocks that have only this predecessor.  A place is a root (slot, map value, or any other
 * pointer) and an offset.  A store removes entries that it may overlap; a call removes entries that
 * it may write.
 *
 * Other CPUs can change map values at any time.  So between two calls a map value might have
 * changed before the first load, and an element might have come or gone before the first look-up.
 * Slots are left alone if their address goes anywhere except to loads, stores and calls.  A pointer
 * in a key need not be made a number, because only the kernel reads the key.
 */
#include <assert.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "ir/dom.h"
#include "opt/opt.h"

#define MAX_KNOWN   24
#define MAX_LOOKUPS 4
#define KEY_WORDS   4 /* of a remembered look-up */

struct place {
	enum ir_op kind; /* SLOT, MAPVAL, or anything else: `ptr` is the root */
	int64_t root;	 /* slot or map number */
	const struct ir_ins *ptr;
	int64_t off;
	unsigned int size;
	enum ir_mem mem;
};

struct known {
	struct place at;
	struct ir_ins *val; /* zero-extended if it came from a load, else the low bytes count */
	bool is_exact;	    /* val has no bits beyond size */
};

/* A look-up in this map, with a key in a slot whose contents were all known. */
struct lookup {
	struct ir_ins *call;
	int64_t map;
	unsigned int nwords;
	struct ir_ins *word[KEY_WORDS];
};

struct state {
	unsigned int nlookups;
	struct lookup l[MAX_LOOKUPS];
	unsigned int n;
	struct known k[MAX_KNOWN];
};

struct load {
	struct ir_func *f;
	bool *escapes; /* by slot */
	bool *is_read; /* by slot: by more than look-ups that have it as key */
	bool changed;
};

static struct place place_of(const struct ir_ins *p, int64_t off, unsigned int size,
			     enum ir_mem mem)
{
	struct place at = {.off = off, .size = size, .mem = mem};

	while (p->op == IR_ADD && p->args[1]->op == IR_CONST &&
	       p->args[1]->imm == (int32_t)p->args[1]->imm) {
		at.off += p->args[1]->imm;
		p = p->args[0];
	}
	at.kind = p->op;
	at.ptr = p;
	if (p->op == IR_SLOT || p->op == IR_MAPVAL)
		at.root = p->imm;
	if (p->op == IR_SLOT)
		at.mem = IR_MEM_SLOT;
	if (p->op == IR_MAPVAL)
		at.off += p->imm2;
	return at;
}

static bool same_root(const struct place *a, const struct place *b)
{
	if (a->kind == IR_SLOT || a->kind == IR_MAPVAL)
		return a->kind == b->kind && a->root == b->root;
	return a->ptr == b->ptr;
}

static bool may_overlap(const struct place *a, const struct place *b)
{
	if (same_root(a, b))
		return a->off < b->off + b->size && b->off < a->off + a->size;
	if (a->kind == b->kind && (a->kind == IR_SLOT || a->kind == IR_MAPVAL))
		return false;
	return a->mem == b->mem || a->mem == IR_MEM_ANY || b->mem == IR_MEM_ANY;
}

static void forget(struct state *s, unsigned int k)
{
	assert(k < s->n);
	s->k[k] = s->k[--s->n];
}

static void forget_overlap(struct state *s, const struct place *at)
{
	for (unsigned int k = s->n; k-- > 0;)
		if (may_overlap(&s->k[k].at, at))
			forget(s, k);
}

static void learn(struct state *s, const struct place *at, struct ir_ins *val, bool is_exact)
{
	assert(at->size && val);
	if (s->n == MAX_KNOWN) {
		memmove(s->k, s->k + 1, (MAX_KNOWN - 1) * sizeof(*s->k));
		s->n--;
	}
	s->k[s->n++] = (struct known){*at, val, is_exact};
}

static struct known *find(struct state *s, const struct place *at)
{
	for (unsigned int k = s->n; k-- > 0;)
		if (same_root(&s->k[k].at, at) && s->k[k].at.off == at->off &&
		    s->k[k].at.size == at->size)
			return &s->k[k];
	return NULL;
}

/* ---- calls ---- */

enum effect { READS, WRITES_FIRST, CHANGES_MAPS, WRITES_ALL };

static enum effect effect_of(const struct ir_ins *call)
{
	if (call->op != IR_CALL)
		return WRITES_ALL;
	switch (call->imm) {
	case BPF_FUNC_map_lookup_elem:
	case BPF_FUNC_strncmp:
	case BPF_FUNC_ktime_get_ns:
	case BPF_FUNC_ktime_get_boot_ns:
	case BPF_FUNC_ringbuf_reserve:
	case BPF_FUNC_ringbuf_submit:
	case BPF_FUNC_ringbuf_discard:
	case BPF_FUNC_ringbuf_output:
		return READS;
	case BPF_FUNC_probe_read:
	case BPF_FUNC_probe_read_kernel:
	case BPF_FUNC_probe_read_user:
	case BPF_FUNC_probe_read_kernel_str:
	case BPF_FUNC_probe_read_user_str:
	case BPF_FUNC_get_current_comm:
	case BPF_FUNC_copy_from_user:
		return WRITES_FIRST;
	case BPF_FUNC_map_update_elem:
	case BPF_FUNC_map_delete_elem:
		return CHANGES_MAPS;
	}
	return ir_helper_is_pure(call->imm) ? READS : WRITES_ALL;
}

/* The callee may write the whole object that an operand points into, also before the operand. */
static void forget_pointee(struct state *s, const struct ir_ins *arg)
{
	struct place at = place_of(arg, 0, 1, IR_MEM_ANY);

	for (unsigned int k = s->n; k-- > 0;) {
		const struct place *p = &s->k[k].at;

		if (at.kind == IR_SLOT ? same_root(p, &at) : p->mem != IR_MEM_SLOT)
			forget(s, k);
	}
}

/* Returns true for memory that others may change. */
static bool may_change(enum ir_mem mem)
{
	return mem == IR_MEM_MAP || mem == IR_MEM_ROW || mem == IR_MEM_ANY;
}

static void do_call(struct state *s, const struct ir_ins *call)
{
	enum effect e = effect_of(call);

	if (e == WRITES_FIRST && call->nargs)
		forget_pointee(s, call->args[0]);
	if (e == WRITES_ALL)
		for (unsigned int n = 0; n < call->nargs; n++)
			if (call->args[n]->op != IR_CONST)
				forget_pointee(s, call->args[n]);
	for (unsigned int k = s->n; k-- > 0 && (e == WRITES_ALL || e == CHANGES_MAPS);)
		if (may_change(s->k[k].at.mem))
			forget(s, k);
}

/* ---- look-ups ---- */

static bool is_lookup(const struct ir_ins *call)
{
	return call->op == IR_CALL && call->imm == BPF_FUNC_map_lookup_elem &&
	       call->args[0]->op == IR_MAPFD && call->args[1]->op == IR_SLOT;
}

/* The key lies within the slot, so it is known if all of the slot is known. */
static bool key_of(const struct load *l, struct state *s, const struct ir_ins *call,
		   struct lookup *look)
{
	const struct ir_ins *slot = call->args[1];
	uint32_t size = l->f->slots[slot->imm].size;

	if (l->escapes[slot->imm] || size % 8 || size > 8 * KEY_WORDS)
		return false;
	look->map = call->args[0]->imm;
	for (look->nwords = 0; look->nwords < size / 8; look->nwords++) {
		struct place at = place_of(slot, 8 * look->nwords, 8, IR_MEM_SLOT);
		struct known *k = find(s, &at);

		if (!k)
			return false;
		look->word[look->nwords] = opt_final(k->val);
	}
	return true;
}

static bool same_key(const struct lookup *a, const struct lookup *b)
{
	if (a->map != b->map || a->nwords != b->nwords)
		return false;
	for (unsigned int n = 0; n < a->nwords; n++)
		if (opt_final(a->word[n]) != b->word[n])
			return false;
	return true;
}

/* Returns true if the same look-up was done before. */
static bool do_lookup(struct load *l, struct state *s, struct ir_ins *call)
{
	struct lookup look = {.call = call};

	if (!key_of(l, s, call, &look))
		return false;
	for (unsigned int n = 0; n < s->nlookups; n++)
		if (same_key(&s->l[n], &look)) {
			opt_replace(call, s->l[n].call);
			l->changed = true;
			return true;
		}
	if (s->nlookups < MAX_LOOKUPS)
		s->l[s->nlookups++] = look;
	return false;
}

/* Forgets the values that a call may have changed in its map. */
static void forget_lookups(struct state *s, const struct ir_ins *call)
{
	enum effect e = effect_of(call);
	const struct ir_ins *map = e == CHANGES_MAPS ? call->args[0] : NULL;

	for (unsigned int n = s->nlookups; n-- > 0 && e >= CHANGES_MAPS;)
		if (!map || map->op != IR_MAPFD || map->imm == s->l[n].map)
			s->l[n] = s->l[--s->nlookups];
}

/* ---- loads and stores ---- */

static bool is_tracked(const struct load *l, const struct place *at)
{
	if (at->mem == IR_MEM_CTX || at->mem == IR_MEM_KERNEL)
		return false;
	return at->kind != IR_SLOT ? at->mem != IR_MEM_SLOT : !l->escapes[at->root];
}

static void do_load(struct load *l, struct state *s, struct ir_ins *i)
{
	unsigned int size = ir_mem_size(i->op);
	struct place at = place_of(i->args[0], i->imm, size, (enum ir_mem)i->imm2);
	struct known *k;

	if (!is_tracked(l, &at))
		return;
	k = find(s, &at);
	if (!k) {
		learn(s, &at, i, true);
		return;
	}
	l->changed = true;
	if (k->is_exact || size == 8) {
		opt_replace(i, k->val);
		return;
	}
	i->op = (enum ir_op)(IR_ZEXT8 + __builtin_ctz(size));
	i->args[0] = opt_final(k->val);
	i->imm = i->imm2 = 0;
}

static bool is_call_of(const struct ir_ins *i, int64_t helper)
{
	return i->op == IR_CALL && i->imm == helper;
}

/* Returns the pointer of the context that lw_number() has made a number, or v. */
static struct ir_ins *without_number(struct ir_ins *v)
{
	struct ir_ins *x, *y, *p;
	bool is_swapped;

	if (v->op != IR_ADD)
		return v;
	is_swapped = v->args[1]->op == IR_SUB;
	x = v->args[is_swapped];
	y = v->args[!is_swapped];
	if (x->op != IR_SUB || !is_call_of(y, BPF_FUNC_get_current_task) ||
	    !is_call_of(x->args[1], BPF_FUNC_get_current_task_btf))
		return v;
	p = x->args[0];
	return p->op == IR_LD64 && p->imm2 == IR_MEM_CTX ? p : v;
}

/* Returns true if the store can go. */
static bool do_store(struct load *l, struct state *s, struct ir_ins *i)
{
	struct place at = place_of(i->args[0], i->imm, ir_mem_size(i->op), (enum ir_mem)i->imm2);
	struct known *k;

	if (at.kind == IR_SLOT && !l->is_read[at.root] && i->op == IR_ST64 && at.off % 8 == 0) {
		struct ir_ins *key = without_number(i->args[1]);

		l->changed = l->changed || key != i->args[1];
		i->args[1] = key;
	}
	k = is_tracked(l, &at) ? find(s, &at) : NULL;
	if (k && opt_final(k->val) == i->args[1] && !may_change(at.mem))
		return true;
	forget_overlap(s, &at);
	if (is_tracked(l, &at))
		learn(s, &at, i->args[1], false);
	return false;
}

static void do_block(struct load *l, struct ir_block *bb, struct state *s)
{
	for (struct ir_ins *i = bb->first, *next; i; i = next) {
		next = i->next;
		if (i->op != IR_PHI)
			for (unsigned int n = 0; n < i->nargs; n++)
				i->args[n] = opt_final(i->args[n]);
		if (ir_is_load(i->op)) {
			do_load(l, s, i);
		} else if (ir_is_store(i->op)) {
			if (do_store(l, s, i)) {
				ir_remove(i);
				l->changed = true;
			}
		} else if (ir_is_call(i->op)) {
			if (is_lookup(i) && do_lookup(l, s, i))
				ir_remove(i);
			do_call(s, i);
			forget_lookups(s, i);
		} else if (ir_op_flags(i->op) & IR_W) {
			struct place at = place_of(i->args[0], i->imm, 8, IR_MEM_ANY);

			forget_overlap(s, &at);
		}
	}
}

static bool is_key(const struct ir_ins *i, unsigned int n)
{
	return n == 1 &&
	       (is_call_of(i, BPF_FUNC_map_lookup_elem) ||
		is_call_of(i, BPF_FUNC_map_update_elem) || is_call_of(i, BPF_FUNC_map_delete_elem));
}

/* Finds slots whose address is stored, joined, or has a variable added to it. */
static void find_escapes(struct load *l)
{
	for (unsigned int b = 0; b < l->f->nblocks; b++)
		for (struct ir_ins *i = l->f->blocks[b]->first; i; i = i->next)
			for (unsigned int n = 0; n < i->nargs; n++) {
				struct place at = place_of(i->args[n], 0, 1, IR_MEM_ANY);
				bool is_address =
				    n == 0 && (ir_is_load(i->op) || ir_is_store(i->op) ||
					       (ir_op_flags(i->op) & IR_W));
				bool is_step =
				    i->op == IR_ADD && n == 0 && i->args[1]->op == IR_CONST;

				if (at.kind == IR_SLOT && !is_address && !is_step &&
				    !ir_is_call(i->op))
					l->escapes[at.root] = true;
				if (at.kind == IR_SLOT && !(n == 0 && ir_is_store(i->op)) &&
				    !is_step && !is_key(i, n))
					l->is_read[at.root] = true;
			}
}

static size_t state_size(const struct state *s)
{
	return offsetof(struct state, k) + s->n * sizeof(s->k[0]);
}

/* Keeps the state at the end of a block for its successors, with used entries only. */
static void keep_state(const struct load *l, struct ir_block *bb, const struct state *s)
{
	bb->data = NULL;
	for (unsigned int n = 0; s->n && n < bb->last->ntargets; n++)
		if (bb->last->target[n]->npreds == 1 && !bb->data) {
			bb->data = arena_alloc(l->f->mod->arena, state_size(s));
			memcpy(bb->data, s, state_size(s));
		}
}

bool opt_load(struct ir_func *f)
{
	struct load l = {.f = f,
			 .escapes = arena_new_arr(f->mod->arena, bool, f->nslots),
			 .is_read = arena_new_arr(f->mod->arena, bool, f->nslots)};
	struct ir_dom *d = ir_dom_new(f);

	find_escapes(&l);
	opt_begin(f);
	for (unsigned int n = 0; n < d->n; n++) {
		struct ir_block *bb = d->rpo[n];
		struct state s, *before = NULL;

		if (bb->npreds == 1 && d->pos[bb->preds[0]->id] < n)
			before = bb->preds[0]->data;
		s.n = s.nlookups = 0;
		if (before)
			memcpy(&s, before, state_size(before));
		do_block(&l, bb, &s);
		assert(s.n <= MAX_KNOWN);
		keep_state(&l, bb, &s);
	}
	l.changed = opt_apply(f) || l.changed;
	return l.changed;
}
