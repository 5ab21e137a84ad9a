/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * build.c: builds functions: blocks, instructions, and SSA form on the fly.
 *
 * The caller may keep returned values anywhere, so an instruction is never replaced; the optimizer
 * removes PHIs that become trivial later.  While the current block is NULL, a requested value
 * becomes a constant at the start of the entry block, which is valid everywhere.  A variable that
 * is read before it is written becomes such a constant, too.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/torture.h"
#include "base/vec.h"
#include "ir/ir.h"

#define BINDINGS_FIRST TORTURE_OR(2, 64) /* a power of 2 */

struct ir_module *ir_module_new(struct arena *a)
{
	struct ir_module *m = arena_new_obj(a, struct ir_module);

	m->arena = a;
	return m;
}

struct ir_func *ir_func_new(struct ir_module *m, const char *name, unsigned int nargs)
{
	struct ir_func *f = arena_new_obj(m->arena, struct ir_func);

	assert(nargs <= 5);
	f->mod = m;
	f->name = arena_strdup(m->arena, name);
	f->nargs = nargs;
	f->index = m->nfuncs;
	m->funcs = arena_grow(m->arena, m->funcs, m->nfuncs, &m->funcs_cap, sizeof(*m->funcs));
	m->funcs[m->nfuncs++] = f;
	return f;
}

struct ir_block *ir_block_new(struct ir_func *f)
{
	struct ir_block *bb = arena_new_obj(f->mod->arena, struct ir_block);

	bb->id = f->nblocks;
	f->blocks =
	    arena_grow(f->mod->arena, f->blocks, f->nblocks, &f->blocks_cap, sizeof(*f->blocks));
	f->blocks[f->nblocks++] = bb;
	return bb;
}

unsigned int ir_slot_new(struct ir_func *f, unsigned int size, unsigned int align)
{
	assert(align == 1 || align == 2 || align == 4 || align == 8);
	f->slots = arena_grow(f->mod->arena, f->slots, f->nslots, &f->slots_cap, sizeof(*f->slots));
	f->slots[f->nslots] = (struct ir_slot){size, align};
	return f->nslots++;
}

/* ---- instructions ---- */

static struct ir_ins *entry_const(struct ir_func *f, int64_t v)
{
	struct ir_ins *i = ir_ins_new(f, IR_CONST, 0);

	assert(f->nblocks);
	i->imm = v;
	if (f->blocks[0]->first)
		ir_insert_before(f->blocks[0]->first, i);
	else
		ir_append(f->blocks[0], i);
	return i;
}

static struct ir_ins *emit(struct ir_builder *b, enum ir_op op, unsigned int nargs,
			   struct ir_ins *const *args, int64_t imm, int64_t imm2)
{
	struct ir_ins *i;

	if (!b->cur)
		return entry_const(b->func, 0);
	i = ir_ins_new(b->func, op, nargs);
	for (unsigned int n = 0; n < nargs; n++) {
		assert(args[n]);
		i->args[n] = args[n];
	}
	i->imm = imm;
	i->imm2 = imm2;
	i->loc = b->loc;
	ir_append(b->cur, i);
	return i;
}

struct ir_ins *ir_const(struct ir_builder *b, int64_t v)
{
	return b->cur ? emit(b, IR_CONST, 0, NULL, v, 0) : entry_const(b->func, v);
}

struct ir_ins *ir_un(struct ir_builder *b, enum ir_op op, struct ir_ins *x)
{
	assert(ir_op_nargs(op) == 1 && (ir_op_flags(op) & IR_P));
	if (x->op == IR_CONST)
		return ir_const(b, ir_eval(op, x->imm, 0));
	return emit(b, op, 1, &x, 0, 0);
}

/* Returns true if the result of `x op c` is x itself. */
static bool is_identity(enum ir_op op, int64_t c)
{
	switch ((int)op) {
	case IR_ADD:
	case IR_SUB:
	case IR_OR:
	case IR_XOR:
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR:
		return c == 0;
	case IR_MUL:
	case IR_UDIV:
	case IR_SDIV:
		return c == 1;
	case IR_AND:
		return c == -1;
	}
	return false;
}

struct ir_ins *ir_bin(struct ir_builder *b, enum ir_op op, struct ir_ins *x, struct ir_ins *y)
{
	struct ir_ins *args[2] = {x, y};

	assert(ir_op_nargs(op) == 2 && (ir_op_flags(op) & IR_P));
	if (x->op == IR_CONST && y->op == IR_CONST)
		return ir_const(b, ir_eval(op, x->imm, y->imm));
	if (x->op == IR_CONST && (ir_op_flags(op) & IR_C)) {
		args[0] = y;
		args[1] = x;
	}
	if (args[1]->op == IR_CONST) {
		if (is_identity(op, args[1]->imm))
			return args[0];
		if ((op == IR_AND || op == IR_MUL) && args[1]->imm == 0)
			return args[1];
	}
	return emit(b, op, 2, args, 0, 0);
}

struct ir_ins *ir_arg(struct ir_builder *b, unsigned int n)
{
	assert(n < b->func->nargs);
	return emit(b, IR_ARG, 0, NULL, n, 0);
}

struct ir_ins *ir_slot(struct ir_builder *b, unsigned int slot)
{
	assert(slot < b->func->nslots);
	return emit(b, IR_SLOT, 0, NULL, slot, 0);
}

struct ir_ins *ir_mapfd(struct ir_builder *b, unsigned int map)
{
	return emit(b, IR_MAPFD, 0, NULL, map, 0);
}

struct ir_ins *ir_fnaddr(struct ir_builder *b, unsigned int fn)
{
	return emit(b, IR_FNADDR, 0, NULL, fn, 0);
}

struct ir_ins *ir_mapval(struct ir_builder *b, unsigned int map, int64_t off)
{
	return emit(b, IR_MAPVAL, 0, NULL, map, off);
}

/* 0..3 for sizes 1, 2, 4, 8. */
static int size_log(unsigned int size)
{
	assert(size == 1 || size == 2 || size == 4 || size == 8);
	return __builtin_ctz(size);
}

struct ir_ins *ir_load(struct ir_builder *b, unsigned int size, struct ir_ins *p, int64_t off,
		       enum ir_mem mem)
{
	return emit(b, (enum ir_op)(IR_LD8 + size_log(size)), 1, &p, off, mem);
}

void ir_store(struct ir_builder *b, unsigned int size, struct ir_ins *p, int64_t off,
	      struct ir_ins *v, enum ir_mem mem)
{
	struct ir_ins *args[2] = {p, v};

	assert(mem != IR_MEM_CTX && mem != IR_MEM_KERNEL);
	if (b->cur)
		emit(b, (enum ir_op)(IR_ST8 + size_log(size)), 2, args, off, mem);
}

struct ir_ins *ir_atomic(struct ir_builder *b, enum ir_op op, struct ir_ins *p, int64_t off,
			 struct ir_ins *x, struct ir_ins *y)
{
	struct ir_ins *args[3] = {p, x, y};

	assert(op >= IR_ATOMIC_ADD && op <= IR_ATOMIC_CMPXCHG);
	return emit(b, op, (unsigned int)ir_op_nargs(op), args, off, 0);
}

struct ir_ins *ir_call(struct ir_builder *b, enum ir_op op, int64_t which, unsigned int nargs,
		       struct ir_ins *const *args)
{
	assert(ir_is_call(op) && nargs <= 5);
	return emit(b, op, nargs, args, which, 0);
}

/* ---- terminators ---- */

static struct ir_ins *terminate(struct ir_builder *b, enum ir_op op, struct ir_ins *x,
				unsigned int ntargets)
{
	struct ir_ins *i = emit(b, op, x ? 1 : 0, &x, 0, 0);

	assert(b->cur);
	i->ntargets = ntargets;
	i->target = arena_new_arr(b->func->mod->arena, struct ir_block *, ntargets);
	return i;
}

static void set_target(struct ir_builder *b, struct ir_ins *i, unsigned int n, struct ir_block *to)
{
	assert(!to->sealed);
	i->target[n] = to;
	ir_add_pred(b->func, to, i->block);
}

void ir_jmp(struct ir_builder *b, struct ir_block *to)
{
	if (!b->cur)
		return;
	set_target(b, terminate(b, IR_JMP, NULL, 1), 0, to);
	b->cur = NULL;
}

void ir_br(struct ir_builder *b, struct ir_ins *cond, struct ir_block *yes, struct ir_block *no)
{
	struct ir_ins *i;

	if (!b->cur)
		return;
	if (cond->op == IR_CONST || yes == no) {
		ir_jmp(b, cond->op == IR_CONST && !cond->imm ? no : yes);
		return;
	}
	i = terminate(b, IR_BR, cond, 2);
	set_target(b, i, 0, yes);
	set_target(b, i, 1, no);
	b->cur = NULL;
}

void ir_switch(struct ir_builder *b, struct ir_ins *x, struct ir_block *dflt, unsigned int n,
	       const int64_t *cases, struct ir_block *const *to)
{
	struct ir_ins *i;

	if (!b->cur)
		return;
	i = terminate(b, IR_SWITCH, x, n + 1);
	i->cases = arena_new_arr(b->func->mod->arena, int64_t, n);
	set_target(b, i, 0, dflt);
	for (unsigned int k = 0; k < n; k++) {
		i->cases[k] = cases[k];
		set_target(b, i, k + 1, to[k]);
	}
	b->cur = NULL;
}

void ir_ret(struct ir_builder *b, struct ir_ins *v)
{
	if (!b->cur)
		return;
	terminate(b, IR_RET, v, 0);
	b->cur = NULL;
}

void ir_at(struct ir_builder *b, struct ir_block *bb)
{
	bool is_dead = bb->sealed && !bb->npreds && bb != b->func->blocks[0];

	assert(!bb->last || !(ir_op_flags(bb->last->op) & IR_T));
	b->cur = is_dead ? NULL : bb;
}

void ir_move_blocks(struct ir_func *f, unsigned int from, const struct ir_block *to)
{
	unsigned int n = f->nblocks - from, at = to->id;
	struct ir_block **moved = arena_new_arr(f->mod->arena, struct ir_block *, n);

	assert(at < from);
	memcpy(moved, f->blocks + from, n * sizeof(*moved));
	memmove(f->blocks + at + n, f->blocks + at, (from - at) * sizeof(*moved));
	memcpy(f->blocks + at, moved, n * sizeof(*moved));
	for (unsigned int i = at; i < f->nblocks; i++)
		f->blocks[i]->id = i;
}

/* ---- variables ---- */

unsigned int ir_var_new(struct ir_func *f)
{
	return f->nvars++;
}

/* The value of a variable at the end of a block; a free place has no block. */
struct ir_binding {
	const struct ir_block *block;
	struct ir_ins *value;
	unsigned int var;
};

/* Returns the place of a variable at the end of a block: the first one, from its hash on, that
 * belongs to it or is free. */
static struct ir_binding *find_binding(const struct ir_func *f, const struct ir_block *bb,
				       unsigned int var)
{
	/* Odd numbers without a pattern: of the finalizer of MurmurHash3, and of the golden ratio.
	 */
	uint64_t hash = ((uintptr_t)bb ^ var * 0xff51afd7ed558ccdULL) * 0x9e3779b97f4a7c15ULL;
	unsigned int mask = f->bindings_cap - 1, i = (unsigned int)(hash >> 32) & mask;

	while (f->bindings[i].block && (f->bindings[i].block != bb || f->bindings[i].var != var))
		i = (i + 1) & mask;
	return &f->bindings[i];
}

static void grow_bindings(struct ir_func *f)
{
	struct ir_binding *old = f->bindings;
	unsigned int n = f->bindings_cap;

	f->bindings_cap = n ? 2 * n : BINDINGS_FIRST;
	f->bindings = arena_new_arr(f->mod->arena, struct ir_binding, f->bindings_cap);
	for (unsigned int i = 0; i < n; i++)
		if (old[i].block)
			*find_binding(f, old[i].block, old[i].var) = old[i];
}

static void set_var(struct ir_func *f, struct ir_block *bb, unsigned int var, struct ir_ins *v)
{
	struct ir_binding *at;

	if (f->nbindings >= f->bindings_cap / 2)
		grow_bindings(f);
	at = find_binding(f, bb, var);
	f->nbindings += !at->block;
	*at = (struct ir_binding){bb, v, var};
}

static struct ir_ins *get_var(const struct ir_func *f, const struct ir_block *bb, unsigned int var)
{
	return f->nbindings ? find_binding(f, bb, var)->value : NULL;
}

static struct ir_ins *new_phi(struct ir_func *f, struct ir_block *bb, unsigned int var)
{
	struct ir_ins *phi = ir_ins_new(f, IR_PHI, 0);

	phi->imm = var;
	if (bb->first)
		ir_insert_before(bb->first, phi);
	else
		ir_append(bb, phi);
	return phi;
}

/* A sealed block with several predecessors, during the look-up of a variable's values. */
struct join {
	struct ir_block *block;
	struct ir_block
	    *below; /* the block that needs the value; a chain of single predecessors leads to it */
	struct ir_ins *phi;   /* for loops that lead back here */
	struct ir_ins **args; /* of predecessors; n so far */
	unsigned int n;
	bool differ;
};

static struct join join_new(struct ir_func *f, struct ir_block *bb, struct ir_block *below,
			    unsigned int var)
{
	struct ir_ins *phi = new_phi(f, bb, var);

	set_var(f, bb, var, phi);
	return (struct join){.block = bb,
			     .below = below,
			     .phi = phi,
			     .args = arena_new_arr(f->mod->arena, struct ir_ins *, bb->npreds)};
}

static void add_arg(struct join *j, struct ir_ins *v)
{
	if (j->n && v != j->args[j->n - 1])
		j->differ = true;
	j->args[j->n++] = v;
}

/* Returns the value from all predecessors.  It needs no PHI if no loop leads back and all agree. */
static struct ir_ins *join_value(struct ir_func *f, const struct join *j, unsigned int var)
{
	struct ir_ins *same = j->args[0];

	if (!j->differ && same != j->phi && !j->phi->uses) {
		ir_remove(j->phi);
		set_var(f, j->block, var, same);
		return same;
	}
	j->phi->args = j->args;
	j->phi->nargs = j->n;
	j->phi->imm = 0;
	return j->phi;
}

/* Returns the first block, up a chain of single predecessors, that has the variable, or that does
 * not have exactly one predecessor. */
static struct ir_block *chain_top(const struct ir_func *f, struct ir_block *bb, unsigned int var)
{
	while (!get_var(f, bb, var) && bb->sealed && bb->npreds == 1)
		bb = bb->preds[0];
	return bb;
}

/* Returns the value at the end of a block; NULL: it depends on the predecessors. */
static struct ir_ins *own_value(struct ir_func *f, struct ir_block *bb, unsigned int var)
{
	struct ir_ins *v = get_var(f, bb, var);

	if (v && v->op == IR_PHI && v->block == bb)
		v->uses = 1;
	if (v || (bb->sealed && bb->npreds))
		return v;
	v = bb->sealed ? entry_const(f, 0) : new_phi(f, bb, var);
	set_var(f, bb, var, v);
	return v;
}

static void set_chain(struct ir_func *f, struct ir_block *from, const struct ir_block *top,
		      unsigned int var, struct ir_ins *v)
{
	for (struct ir_block *bb = from; bb != top; bb = bb->preds[0])
		set_var(f, bb, var, v);
}

/* Not recursive, because a program of thousands of clauses has as many joins in a row. */
static struct ir_ins *read_var(struct ir_func *f, struct ir_block *bb, unsigned int var)
{
	VEC(struct join) joins = {0};
	struct ir_ins *v;

	do {
		struct ir_block *top = chain_top(f, bb, var);

		v = own_value(f, top, var);
		if (!v) {
			vec_push(&joins, join_new(f, top, bb, var));
			bb = top->preds[0];
			continue;
		}
		set_chain(f, bb, top, var, v);
		while (joins.n) {
			struct join *j = &vec_last(&joins);

			add_arg(j, v);
			if (j->n < j->block->npreds) {
				bb = j->block->preds[j->n];
				break;
			}
			v = join_value(f, j, var);
			set_chain(f, j->below, j->block, var, v);
			joins.n--;
		}
	} while (joins.n);
	vec_free(&joins);
	return v;
}

void ir_var_write(struct ir_builder *b, unsigned int var, struct ir_ins *v)
{
	assert(var < b->func->nvars && v);
	if (b->cur)
		set_var(b->func, b->cur, var, v);
}

struct ir_ins *ir_var_read(struct ir_builder *b, unsigned int var)
{
	assert(var < b->func->nvars);
	if (!b->cur)
		return entry_const(b->func, 0);
	return read_var(b->func, b->cur, var);
}

void ir_seal(struct ir_func *f, struct ir_block *bb)
{
	assert(!bb->sealed);
	bb->sealed = true;
	for (struct ir_ins *phi = bb->first; phi && phi->op == IR_PHI; phi = phi->next) {
		assert(!phi->args);
		phi->args = arena_new_arr(f->mod->arena, struct ir_ins *, bb->npreds);
		phi->nargs = bb->npreds;
		for (unsigned int n = 0; n < bb->npreds; n++)
			phi->args[n] = read_var(f, bb->preds[n], (unsigned int)phi->imm);
		phi->imm = 0;
	}
}
