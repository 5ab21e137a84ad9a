/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * verify.c: checks every rule of the intermediate representation.
 *
 * Shape: blocks are numbered in order and reachable, and the terminator is the last instruction of
 * a block.  PHIs come first and have one operand for each predecessor.  Edges are recorded on both
 * sides, and a predecessor that occurs twice has the same operands.  Values: operands are values;
 * numbers of slots, functions and arguments exist, and unused numbers are 0; every definition
 * dominates its uses.  Memory: bytes at a known place of a slot or a record lie inside.
 */
#include <assert.h>
#include <inttypes.h>
#include <linux/bpf.h>
#include <stdarg.h>

#include "base/arena.h"
#include "ir/dom.h"
#include "ir/ir.h"

struct verify {
	const struct ir_module *m;
	struct ir_func *f;
	const char *msg; /* the first fault */
};

static bool bad(struct verify *v, const struct ir_block *bb, const struct ir_ins *i,
		const char *fmt, ...) __attribute__((format(printf, 4, 5)));

static bool bad(struct verify *v, const struct ir_block *bb, const struct ir_ins *i,
		const char *fmt, ...)
{
	const char *text;
	va_list ap;

	if (v->msg)
		return false;
	va_start(ap, fmt);
	text = arena_vprintf(v->m->arena, fmt, ap);
	va_end(ap);
	if (i)
		text = arena_printf(v->m->arena, "%s %%%u: %s", ir_op_name(i->op), i->id, text);
	if (bb)
		text = arena_printf(v->m->arena, ".%u: %s", bb->id, text);
	v->msg = arena_printf(v->m->arena, "%s: %s", v->f->name, text);
	return false;
}

static unsigned int count_targets(const struct ir_block *from, const struct ir_block *to)
{
	unsigned int n = 0;

	for (unsigned int t = 0; t < from->last->ntargets; t++)
		n += from->last->target[t] == to;
	return n;
}

static unsigned int count_preds(const struct ir_block *bb, const struct ir_block *pred)
{
	unsigned int n = 0;

	for (unsigned int p = 0; p < bb->npreds; p++)
		n += bb->preds[p] == pred;
	return n;
}

static bool in_func(const struct verify *v, const struct ir_block *bb)
{
	return bb && bb->id < v->f->nblocks && v->f->blocks[bb->id] == bb;
}

static bool check_list(struct verify *v, const struct ir_block *bb)
{
	const struct ir_ins *prev = NULL;

	for (const struct ir_ins *i = bb->first; i; prev = i, i = i->next) {
		if (i->block != bb || i->prev != prev)
			return bad(v, bb, i, "broken list");
		if (i->op >= IR_OP_MAX)
			return bad(v, bb, NULL, "unknown operation");
		if (!!(ir_op_flags(i->op) & IR_T) != !i->next)
			return bad(v, bb, i, "terminator in the middle, or none at the end");
		if (i->op == IR_PHI && prev && prev->op != IR_PHI)
			return bad(v, bb, i, "after other instructions");
	}
	return bb->first && bb->last == prev ? true : bad(v, bb, NULL, "empty or broken block");
}

static bool check_edges(struct verify *v, const struct ir_block *bb)
{
	for (unsigned int t = 0; t < bb->last->ntargets; t++) {
		const struct ir_block *to = bb->last->target[t];

		if (!in_func(v, to))
			return bad(v, bb, bb->last, "target is not in the function");
		if (to->id == 0)
			return bad(v, bb, bb->last, "jump to the entry");
		if (count_preds(to, bb) != count_targets(bb, to))
			return bad(v, bb, bb->last, "edge to .%u is recorded on one side", to->id);
	}
	for (unsigned int p = 0; p < bb->npreds; p++)
		if (!in_func(v, bb->preds[p]) || !count_targets(bb->preds[p], bb))
			return bad(v, bb, NULL, "predecessor without edge");
	return true;
}

static bool check_phi(struct verify *v, const struct ir_ins *i)
{
	const struct ir_block *bb = i->block;

	if (i->nargs != bb->npreds || !i->nargs)
		return bad(v, bb, i, "%u operands, %u predecessors", i->nargs, bb->npreds);
	for (unsigned int n = 0; n < i->nargs; n++)
		if (i->args[n] != i->args[ir_find_pred(bb, bb->preds[n])])
			return bad(v, bb, i, "different operands for one predecessor");
	return true;
}

static bool has_imm(const struct ir_ins *i)
{
	unsigned int flags = ir_op_flags(i->op);

	return flags & (IR_R | IR_W) || (flags & IR_P && ir_op_nargs(i->op) == 0);
}

static bool has_imm2(const struct ir_ins *i)
{
	return i->op == IR_MAPVAL || ir_is_load(i->op) || ir_is_store(i->op);
}

static bool check_numbers(struct verify *v, const struct ir_ins *i)
{
	if ((i->imm && !has_imm(i)) || (i->imm2 && !has_imm2(i)))
		return bad(v, i->block, i, "a number without meaning");
	switch ((int)i->op) {
	case IR_ARG:
		if (i->imm < 0 || i->imm >= v->f->nargs)
			return bad(v, i->block, i, "no such parameter");
		break;
	case IR_SLOT:
		if (i->imm < 0 || i->imm >= v->f->nslots)
			return bad(v, i->block, i, "no such slot");
		break;
	case IR_CALLFN:
	case IR_FNADDR:
		if (i->imm <= 0 || i->imm >= v->m->nfuncs)
			return bad(v, i->block, i, "no such function");
		break;
	}
	if ((ir_is_load(i->op) || ir_is_store(i->op)) && (uint64_t)i->imm2 > IR_MEM_RECORD)
		return bad(v, i->block, i, "no such memory class");
	if (ir_is_store(i->op) && (i->imm2 == IR_MEM_CTX || i->imm2 == IR_MEM_KERNEL))
		return bad(v, i->block, i, "store to read-only memory");
	return true;
}

static bool check_targets(struct verify *v, const struct ir_ins *i)
{
	unsigned int want = 0;

	switch ((int)i->op) {
	case IR_JMP:
		want = 1;
		break;
	case IR_BR:
		want = 2;
		break;
	case IR_SWITCH:
		if (!i->ntargets)
			return bad(v, i->block, i, "no default");
		for (unsigned int a = 0; a + 1 < i->ntargets; a++)
			for (unsigned int b = 0; b < a; b++)
				if (i->cases[a] == i->cases[b])
					return bad(v, i->block, i, "a case occurs twice");
		return true;
	}
	return i->ntargets == want ? true : bad(v, i->block, i, "%u targets", i->ntargets);
}

static bool check_use(struct verify *v, const struct ir_dom *d, const struct ir_ins *i,
		      unsigned int n)
{
	const struct ir_ins *def = i->args[n];
	const struct ir_block *at = i->op == IR_PHI ? i->block->preds[n] : i->block;

	if (!def)
		return bad(v, i->block, i, "operand %u is missing", n);
	if (ir_op_flags(def->op) & IR_V)
		return bad(v, i->block, i, "operand %%%u yields no value", def->id);
	if (!in_func(v, def->block))
		return bad(v, i->block, i, "operand %%%u is not in the function", def->id);
	if (def->block != at || i->op == IR_PHI)
		return ir_dominates(d, def->block, at)
			   ? true
			   : bad(v, i->block, i, "%%%u does not dominate its use", def->id);
	return def->mark < i->mark ? true
				   : bad(v, i->block, i, "%%%u is defined after its use", def->id);
}

/* Returns the bytes of a slot or of a record, or -1 for another value. */
static int64_t size_of(const struct verify *v, const struct ir_ins *i)
{
	if (i->op == IR_SLOT)
		return v->f->slots[i->imm].size;
	if (i->op == IR_CALL && i->imm == BPF_FUNC_ringbuf_reserve && i->nargs > 1 &&
	    i->args[1]->op == IR_CONST)
		return i->args[1]->imm;
	return -1;
}

/* Checks n bytes at an address with a known distance from the start of a slot or record. */
static bool check_bytes(struct verify *v, const struct ir_ins *i, const struct ir_ins *p,
			int64_t off, int64_t n)
{
	int64_t size;

	while (p->op == IR_ADD && p->args[1]->op == IR_CONST) {
		off += p->args[1]->imm;
		p = p->args[0];
	}
	size = size_of(v, p);
	if (size < 0 || (off >= 0 && n >= 0 && off + n <= size))
		return true;
	return bad(v, i->block, i, "%" PRId64 " bytes at %" PRId64 " of %" PRId64, n, off, size);
}

/* Checks the memory that an instruction reads or writes, or that a sum points to. */
static bool check_memory(struct verify *v, const struct ir_ins *i)
{
	/* Helpers that fill memory: the operand with its address; the next one has its size. */
	static const struct {
		int64_t helper;
		unsigned int arg;
	} fills[] = {{BPF_FUNC_probe_read_kernel, 0}, {BPF_FUNC_probe_read_kernel_str, 0},
		     {BPF_FUNC_probe_read_user, 0},   {BPF_FUNC_probe_read_user_str, 0},
		     {BPF_FUNC_copy_from_user, 0},    {BPF_FUNC_copy_from_user_task, 0},
		     {BPF_FUNC_get_current_comm, 0},  {BPF_FUNC_get_stack, 1},
		     {BPF_FUNC_get_task_stack, 1}};

	if (ir_is_load(i->op) || ir_is_store(i->op))
		return check_bytes(v, i, i->args[0], i->imm, ir_mem_size(i->op));
	if (i->op == IR_ADD)
		return check_bytes(v, i, i, 0, 0);
	for (size_t k = 0; i->op == IR_CALL && k < sizeof(fills) / sizeof(fills[0]); k++)
		if (fills[k].helper == i->imm && i->nargs > fills[k].arg + 1 &&
		    i->args[fills[k].arg + 1]->op == IR_CONST)
			return check_bytes(v, i, i->args[fills[k].arg], 0,
					   i->args[fills[k].arg + 1]->imm);
	return true;
}

static bool check_ins(struct verify *v, const struct ir_dom *d, const struct ir_ins *i)
{
	int nargs = ir_op_nargs(i->op);

	if (nargs >= 0 && i->nargs != (unsigned int)nargs)
		return bad(v, i->block, i, "%u operands", i->nargs);
	if (ir_is_call(i->op) && i->nargs > 5)
		return bad(v, i->block, i, "more than 5 operands");
	if (i->op == IR_PHI && !check_phi(v, i))
		return false;
	if (!check_numbers(v, i) || !check_targets(v, i))
		return false;
	for (unsigned int n = 0; n < i->nargs; n++)
		if (!check_use(v, d, i, n))
			return false;
	return check_memory(v, i);
}

static bool all_reachable(struct verify *v)
{
	struct ir_block **stack = arena_new_arr(v->m->arena, struct ir_block *, v->f->nblocks);
	unsigned int n = 0, seen = 1;

	for (unsigned int b = 0; b < v->f->nblocks; b++)
		v->f->blocks[b]->mark = 0;
	v->f->blocks[0]->mark = 1;
	stack[n++] = v->f->blocks[0];
	while (n) {
		const struct ir_ins *t = stack[--n]->last;

		for (unsigned int k = 0; k < t->ntargets; k++)
			if (!t->target[k]->mark) {
				t->target[k]->mark = 1;
				stack[n++] = t->target[k];
				seen++;
			}
	}
	return seen == v->f->nblocks ? true : bad(v, NULL, NULL, "unreachable blocks");
}

static bool check_func(struct verify *v)
{
	struct ir_func *f = v->f;
	struct ir_dom *d;
	int64_t at = 0;

	if (!f->nblocks)
		return bad(v, NULL, NULL, "no blocks");
	for (unsigned int b = 0; b < f->nblocks; b++) {
		if (f->blocks[b]->id != b)
			return bad(v, f->blocks[b], NULL, "wrong number");
		if (!check_list(v, f->blocks[b]))
			return false;
		for (struct ir_ins *i = f->blocks[b]->first; i; i = i->next)
			i->mark = at++;
	}
	for (unsigned int b = 0; b < f->nblocks; b++)
		if (!check_edges(v, f->blocks[b]))
			return false;
	if (!all_reachable(v))
		return false;
	d = ir_dom_new(f);
	for (unsigned int b = 0; b < f->nblocks; b++)
		for (const struct ir_ins *i = f->blocks[b]->first; i; i = i->next)
			if (!check_ins(v, d, i))
				return false;
	return true;
}

const char *ir_verify(const struct ir_module *m)
{
	struct verify v = {.m = m};

	assert(m->arena);
	for (unsigned int n = 0; n < m->nfuncs && !v.msg; n++) {
		v.f = m->funcs[n];
		if (!check_func(&v))
			assert(v.msg);
	}
	return v.msg;
}
