/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ir.c: tables of the instruction set, constant evaluation, and changes of functions.
 *
 * Lists of instructions are doubly linked within their block.  An edge of the graph is one entry in
 * the predecessor's targets and one entry in the successor's preds.  A block that one terminator
 * names twice has that predecessor twice, and every PHI has equal operands for both.
 */
#include <assert.h>
#include <linux/bpf.h>
#include <string.h>

#include "base/arena.h"
#include "ir/ir.h"

enum { P = IR_P, C = IR_C, R = IR_R, W = IR_W, T = IR_T, V = IR_V };

static const struct {
	const char *name;
	signed char nargs;
	unsigned char flags;
} ops[] = {
#define OP(NAME, name, args, flags, text) {#name, args, flags},
#include "ir/op.def"
#undef OP
};

const char *ir_op_name(enum ir_op op)
{
	assert(op < IR_OP_MAX);
	return ops[op].name;
}

int ir_op_nargs(enum ir_op op)
{
	assert(op < IR_OP_MAX);
	return ops[op].nargs;
}

unsigned int ir_op_flags(enum ir_op op)
{
	assert(op < IR_OP_MAX);
	return ops[op].flags;
}

bool ir_is_cmp(enum ir_op op)
{
	return op >= IR_EQ && op <= IR_SLE;
}

bool ir_is_load(enum ir_op op)
{
	return op >= IR_LD8 && op <= IR_LD64;
}

bool ir_is_store(enum ir_op op)
{
	return op >= IR_ST8 && op <= IR_ST64;
}

bool ir_is_call(enum ir_op op)
{
	return op >= IR_CALL && op <= IR_CALLK;
}

unsigned int ir_mem_size(enum ir_op op)
{
	if (ir_is_load(op))
		return 1U << (op - IR_LD8);
	if (ir_is_store(op))
		return 1U << (op - IR_ST8);
	assert(op >= IR_ATOMIC_ADD && op <= IR_ATOMIC_CMPXCHG);
	return 8;
}

struct ir_ins *ir_ins_new(struct ir_func *f, enum ir_op op, unsigned int nargs)
{
	struct ir_ins *i = arena_new_obj(f->mod->arena, struct ir_ins);

	i->op = op;
	i->id = f->next_id++;
	i->nargs = nargs;
	if (nargs)
		i->args = arena_new_arr(f->mod->arena, struct ir_ins *, nargs);
	return i;
}

void ir_append(struct ir_block *bb, struct ir_ins *i)
{
	assert(!i->block);
	i->block = bb;
	i->prev = bb->last;
	i->next = NULL;
	if (bb->last)
		bb->last->next = i;
	else
		bb->first = i;
	bb->last = i;
}

void ir_insert_before(struct ir_ins *at, struct ir_ins *i)
{
	assert(at->block && !i->block);
	i->block = at->block;
	i->next = at;
	i->prev = at->prev;
	if (at->prev)
		at->prev->next = i;
	else
		at->block->first = i;
	at->prev = i;
}

void ir_remove(struct ir_ins *i)
{
	struct ir_block *bb = i->block;

	assert(bb);
	if (i->prev)
		i->prev->next = i->next;
	else
		bb->first = i->next;
	if (i->next)
		i->next->prev = i->prev;
	else
		bb->last = i->prev;
	i->prev = i->next = NULL;
	i->block = NULL;
}

void ir_count_uses(struct ir_func *f)
{
	for (unsigned int b = 0; b < f->nblocks; b++)
		for (struct ir_ins *i = f->blocks[b]->first; i; i = i->next)
			i->uses = 0;
	for (unsigned int b = 0; b < f->nblocks; b++)
		for (struct ir_ins *i = f->blocks[b]->first; i; i = i->next)
			for (unsigned int n = 0; n < i->nargs; n++)
				i->args[n]->uses++;
}

void ir_renumber(struct ir_func *f)
{
	f->next_id = 0;
	for (unsigned int b = 0; b < f->nblocks; b++)
		for (struct ir_ins *i = f->blocks[b]->first; i; i = i->next)
			i->id = f->next_id++;
}

void ir_become_const(struct ir_ins *i, int64_t v)
{
	assert(!(ir_op_flags(i->op) & IR_V));
	i->op = IR_CONST;
	i->nargs = 0;
	i->args = NULL;
	i->imm = v;
	i->imm2 = 0;
}

/* ---- edges ---- */

void ir_add_pred(struct ir_func *f, struct ir_block *bb, struct ir_block *pred)
{
	bb->preds =
	    arena_grow(f->mod->arena, bb->preds, bb->npreds, &bb->preds_cap, sizeof(*bb->preds));
	bb->preds[bb->npreds++] = pred;
}

void ir_drop_pred(struct ir_block *bb, unsigned int n)
{
	assert(n < bb->npreds);
	for (struct ir_ins *i = bb->first; i && i->op == IR_PHI; i = i->next) {
		assert(n < i->nargs);
		memmove(i->args + n, i->args + n + 1, (i->nargs - n - 1) * sizeof(*i->args));
		i->nargs--;
	}
	memmove(bb->preds + n, bb->preds + n + 1, (bb->npreds - n - 1) * sizeof(*bb->preds));
	bb->npreds--;
}

int ir_find_pred(const struct ir_block *bb, const struct ir_block *pred)
{
	for (unsigned int n = 0; n < bb->npreds; n++)
		if (bb->preds[n] == pred)
			return (int)n;
	return -1;
}

void ir_set_jmp(struct ir_ins *i, unsigned int n)
{
	struct ir_block *to;

	assert(n < i->ntargets && i->block && i->block->last == i);
	to = i->target[n];
	for (unsigned int t = 0; t < i->ntargets; t++)
		if (t != n)
			ir_drop_pred(i->target[t],
				     (unsigned int)ir_find_pred(i->target[t], i->block));
	i->op = IR_JMP;
	i->nargs = 0;
	i->target[0] = to;
	i->ntargets = 1;
	i->cases = NULL;
}

/* Marks blocks that the entry reaches, without recursion. */
static void mark_reachable(struct ir_func *f, struct ir_block **stack)
{
	unsigned int n = 0;

	for (unsigned int b = 0; b < f->nblocks; b++)
		f->blocks[b]->mark = 0;
	f->blocks[0]->mark = 1;
	stack[n++] = f->blocks[0];
	while (n) {
		struct ir_ins *t = stack[--n]->last;

		assert(t && (ir_op_flags(t->op) & IR_T));
		for (unsigned int k = 0; k < t->ntargets; k++) {
			if (t->target[k]->mark)
				continue;
			t->target[k]->mark = 1;
			stack[n++] = t->target[k];
		}
	}
}

void ir_remove_unreachable(struct ir_func *f)
{
	struct ir_block **stack = arena_new_arr(f->mod->arena, struct ir_block *, f->nblocks);
	unsigned int n = 0;

	assert(f->nblocks);
	mark_reachable(f, stack);
	for (unsigned int b = 0; b < f->nblocks; b++) {
		struct ir_block *bb = f->blocks[b];

		if (!bb->mark)
			continue;
		for (unsigned int p = bb->npreds; p-- > 0;)
			if (!bb->preds[p]->mark)
				ir_drop_pred(bb, p);
		bb->id = n;
		f->blocks[n++] = bb;
	}
	f->nblocks = n;
}

/* ---- constants ---- */

static int64_t sext(int64_t a, unsigned int bits)
{
	return (int64_t)((uint64_t)a << (64 - bits)) >> (64 - bits);
}

static int64_t eval_div(enum ir_op op, int64_t a, int64_t b)
{
	uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
	bool is_mod = op == IR_UMOD || op == IR_SMOD;

	if (b == 0)
		return is_mod ? a : 0;
	if (op == IR_UDIV)
		return (int64_t)(ua / ub);
	if (op == IR_UMOD)
		return (int64_t)(ua % ub);
	if (a == INT64_MIN && b == -1)
		return is_mod ? 0 : INT64_MIN;
	return is_mod ? a % b : a / b;
}

static int64_t eval_cmp(enum ir_op op, int64_t a, int64_t b)
{
	switch ((int)op) {
	case IR_EQ:
		return a == b;
	case IR_NE:
		return a != b;
	case IR_ULT:
		return (uint64_t)a < (uint64_t)b;
	case IR_ULE:
		return (uint64_t)a <= (uint64_t)b;
	case IR_SLT:
		return a < b;
	}
	assert(op == IR_SLE);
	return a <= b;
}

/* A table, one row for each operation. */
int64_t ir_eval(enum ir_op op, int64_t a, int64_t b)
{
	uint64_t ua = (uint64_t)a, ub = (uint64_t)b;

	if (ir_is_cmp(op))
		return eval_cmp(op, a, b);
	switch ((int)op) {
	case IR_ADD:
		return (int64_t)(ua + ub);
	case IR_SUB:
		return (int64_t)(ua - ub);
	case IR_MUL:
		return (int64_t)(ua * ub);
	case IR_UDIV:
	case IR_UMOD:
	case IR_SDIV:
	case IR_SMOD:
		return eval_div(op, a, b);
	case IR_AND:
		return a & b;
	case IR_OR:
		return a | b;
	case IR_XOR:
		return a ^ b;
	case IR_SHL:
		return (int64_t)(ua << (ub & 63));
	case IR_LSHR:
		return (int64_t)(ua >> (ub & 63));
	case IR_ASHR:
		return a >> (ub & 63);
	case IR_NEG:
		return (int64_t)-ua;
	case IR_NOT:
		return ~a;
	case IR_SEXT8:
		return sext(a, 8);
	case IR_SEXT16:
		return sext(a, 16);
	case IR_SEXT32:
		return sext(a, 32);
	case IR_ZEXT8:
		return (uint8_t)a;
	case IR_ZEXT16:
		return (uint16_t)a;
	case IR_ZEXT32:
		return (uint32_t)a;
	case IR_BSWAP16:
		return __builtin_bswap16((uint16_t)a);
	case IR_BSWAP32:
		return __builtin_bswap32((uint32_t)a);
	}
	assert(op == IR_BSWAP64);
	return (int64_t)__builtin_bswap64(ua);
}

/* Returns true if the result stays the same while a program runs for a task; a probe never changes
 * CPUs. */
bool ir_helper_is_pure(int64_t helper)
{
	switch (helper) {
	case BPF_FUNC_get_smp_processor_id:
	case BPF_FUNC_get_numa_node_id:
	case BPF_FUNC_get_current_pid_tgid:
	case BPF_FUNC_get_current_uid_gid:
	case BPF_FUNC_get_current_task:
	case BPF_FUNC_get_current_task_btf:
	case BPF_FUNC_get_current_cgroup_id:
	case BPF_FUNC_get_attach_cookie:
	case BPF_FUNC_get_func_ip:
	case BPF_FUNC_get_func_arg_cnt:
	case BPF_FUNC_per_cpu_ptr:
	case BPF_FUNC_this_cpu_ptr:
		return true;
	}
	return false;
}
