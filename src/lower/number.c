/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * number.c: makes numbers of pointers where the verifier demands numbers.
 *
 * Since Linux 6.17 (kernel commit 2d5c91e1cc14) the verifier treats a loaded member that points to
 * no structure, for example skb->head, as a pointer to memory.  Arithmetic with one pointer yields
 * a pointer again; two pointers can only be subtracted, and run-time functions take numbers.  A
 * value that was stored and read back by a helper is a number.  Lowering marks the loads
 * (ir_ins.mark); this pass follows the marked values, and inserts the reads in front of the
 * instructions that need numbers, so that other paths cost nothing.
 *
 * Requires IR as lowered, with marks MARK_POINTER.  Keeps everything but the inserted instructions.
 */
#include <linux/bpf.h>
#include <stddef.h>

#include "ir/ir.h"
#include "lower/leaf.h"

static bool is_pointer(const struct ir_ins *i)
{
	return i->mark == MARK_POINTER;
}

/* Returns true if the verifier takes the sum, product and so on for a pointer, as an operand is
 * one. */
static bool yields_pointer(const struct ir_ins *i)
{
	unsigned int pointers = 0;

	if (!(ir_op_flags(i->op) & IR_P) || ir_is_cmp(i->op))
		return false;
	for (unsigned int n = 0; n < i->nargs; n++)
		pointers += is_pointer(i->args[n]);
	return i->op == IR_PHI ? pointers > 0 : pointers == 1;
}

/* Marks the values that are computed from marked ones.  Returns false if none is marked. */
static bool spread(struct ir_func *f)
{
	bool changed, any = false;

	do {
		changed = false;
		for (unsigned int b = 0; b < f->nblocks; b++)
			for (struct ir_ins *i = f->blocks[b]->first; i; i = i->next) {
				if (!is_pointer(i) && yields_pointer(i)) {
					i->mark = MARK_POINTER;
					changed = true;
				}
				any = any || is_pointer(i);
			}
	} while (changed);
	return any;
}

/* Pointers may be stored, compared, passed to helpers, computed with, and subtracted from each
 * other. */
static bool needs_number(const struct ir_ins *i)
{
	if (i->op == IR_CALLRT || i->op == IR_CALLFN)
		return true;
	return (ir_op_flags(i->op) & IR_P) && i->nargs == 2 && i->op != IR_PHI &&
	       !ir_is_cmp(i->op) && is_pointer(i->args[0]) && is_pointer(i->args[1]) &&
	       !(i->op == IR_SUB && i->args[0]->op != IR_PHI && i->args[1]->op != IR_PHI);
}

static struct ir_ins *insert(struct ir_func *f, struct ir_ins *at, enum ir_op op, int64_t imm,
			     unsigned int nargs, struct ir_ins *const *args)
{
	struct ir_ins *i = ir_ins_new(f, op, nargs);

	for (unsigned int n = 0; n < nargs; n++)
		i->args[n] = args[n];
	i->imm = imm;
	i->loc = at->loc;
	ir_insert_before(at, i);
	return i;
}

/* Inserts a read of p as a number before an instruction. */
static struct ir_ins *read_back(struct ir_func *f, struct ir_ins *at, struct ir_ins *p)
{
	struct ir_ins *from = insert(f, at, IR_SLOT, ir_slot_new(f, 8, 8), 0, NULL);
	struct ir_ins *to = insert(f, at, IR_SLOT, ir_slot_new(f, 8, 8), 0, NULL);
	struct ir_ins *size = insert(f, at, IR_CONST, sizeof(uint64_t), 0, NULL), *v;

	insert(f, at, IR_ST64, 0, 2, (struct ir_ins *[]){from, p})->imm2 = IR_MEM_SLOT;
	insert(f, at, IR_CALL, BPF_FUNC_probe_read_kernel, 3, (struct ir_ins *[]){to, size, from});
	v = insert(f, at, IR_LD64, 0, 1, &to);
	v->imm2 = IR_MEM_SLOT;
	return v;
}

void lw_make_numbers(struct ir_func *f)
{
	if (!spread(f))
		return;
	for (unsigned int b = 0; b < f->nblocks; b++)
		for (struct ir_ins *i = f->blocks[b]->first; i; i = i->next)
			for (unsigned int n = 0; n < i->nargs; n++)
				if (is_pointer(i->args[n]) && needs_number(i))
					i->args[n] = read_back(f, i, i->args[n]);
}
