/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * alloca.c: memory that a D program allocates at run time and may write through pointers.
 *
 * It is a piece of the firing's scratch memory, allocated from its start and freed when the next
 * clause begins.  In D a pointer into it is a number like any other kernel address: variables can
 * hold it, arithmetic works, and helpers follow it.  A store converts the number to an offset from
 * the start, which the verifier sees bounded.  The offset must lie in the memory, allocated or not
 * (but see DIALECT_EXACT_ALLOCA).  As much memory again follows, so that for a copy of n bytes the
 * verifier needs only the bound of n and of the offset.
 *
 * Globals and clause-locals in memory may be written by address as well, if the number of bytes is
 * a constant.
 *
 * After the first allocation, memory that was read by address may have changed.
 */
#include <assert.h>
#include <bpf/bpf.h>

#include "lower/leaf.h"

void lw_forget_reads(struct lw *lw)
{
	lw->b.func->has_writes = true;
	lw->mem.nwrites++;
}

/* The verifier overestimates a rounded-up offset by 7.  A NUL may follow the last byte. */
uint32_t plan_area_size(const struct plan *plan)
{
	return 2 * plan->opt.scratchsize + 16;
}

static struct tmp area(struct lw *lw)
{
	return lw_firing_mem(lw, lw->unit->plan);
}

static struct ir_ins *area_number(struct lw *lw)
{
	struct tmp t = area(lw);

	return lw_number(lw, (struct val){.v = t.p, .place = PLACE_SAFE, .mem = t.mem});
}

/* Returns the end of the last allocation. */
static struct ir_ins *used(struct lw *lw)
{
	return ir_var_read(&lw->b, lw_firing_var(lw, lw->unit->plan));
}

static struct ir_ins *aligned(struct lw *lw, struct ir_ins *n)
{
	n = ir_bin(&lw->b, IR_ADD, n, ir_const(&lw->b, 7));
	return ir_bin(&lw->b, IR_AND, n, ir_const(&lw->b, ~7));
}

void lw_alloca_reset(struct lw *lw)
{
	if (lw->unit->plan->has_area)
		ir_var_write(&lw->b, lw_firing_var(lw, lw->unit->plan), ir_const(&lw->b, 0));
}

/* Faults unless n bytes fit at all. */
static void check_size(struct lw *lw, struct ir_ins *n)
{
	lw_fault_if(lw, ir_bin(&lw->b, IR_ULT, ir_const(&lw->b, lw->plan->opt.scratchsize), n),
		    ABI_FLT_NOSCRATCH, NULL);
}

static struct ir_ins *hand_out(struct lw *lw, struct ir_ins *n, bool is_ended, struct ir_ins **p)
{
	struct ir_ins *at, *end;
	struct tmp a = area(lw);

	check_size(lw, n);
	at = aligned(lw, used(lw));
	end = ir_bin(&lw->b, IR_ADD, at, n);
	check_size(lw, end);
	*p = ir_bin(&lw->b, IR_ADD, a.p, at);
	if (is_ended) {
		ir_store(&lw->b, 1, ir_bin(&lw->b, IR_ADD, a.p, end), 0, ir_const(&lw->b, 0),
			 IR_MEM_ANY);
		end = ir_bin(&lw->b, IR_ADD, end, ir_const(&lw->b, 1));
	}
	ir_var_write(&lw->b, lw_firing_var(lw, lw->unit->plan), end);
	lw_forget_reads(lw);
	return ir_bin(&lw->b, IR_ADD, area_number(lw), at);
}

struct ir_ins *lw_alloca(struct lw *lw, struct ir_ins *n, struct ir_ins **p)
{
	return hand_out(lw, n, false, p);
}

struct ir_ins *lw_alloca_ended(struct lw *lw, struct ir_ins *n, struct ir_ins **p)
{
	return hand_out(lw, n, true, p);
}

static struct ir_ins *find_in_area(struct lw *lw, struct ir_ins *addr, struct ir_ins *n)
{
	struct ir_ins *size = ir_const(&lw->b, lw->plan->opt.scratchsize), *off;

	off = ir_bin(&lw->b, IR_SUB, addr, area_number(lw));
	lw_fault_if(lw, ir_bin(&lw->b, IR_ULT, size, off), ABI_FLT_BADADDR, addr);
	lw_fault_if(lw, ir_bin(&lw->b, IR_ULT, ir_bin(&lw->b, IR_SUB, size, off), n),
		    ABI_FLT_BADADDR, addr);
	/* The verifier does not apply the bounds that it learned about the difference. */
	lw_fault_if(lw, ir_bin(&lw->b, IR_ULT, size, n), ABI_FLT_BADADDR, addr);
	lw_alloca_source(lw, addr, n, ABI_FLT_BADADDR, addr);
	return ir_bin(&lw->b, IR_ADD, area(lw).p, off);
}

/* Returns the offset of an address from p. */
static struct ir_ins *offset_from(struct lw *lw, struct ir_ins *addr, struct ir_ins *p)
{
	return ir_bin(&lw->b, IR_SUB, addr,
		      lw_number(lw, (struct val){.v = p, .place = PLACE_SAFE, .mem = IR_MEM_MAP}));
}

/*
 * If n bytes at the address lie in the size bytes at p, goes to `done` with a pointer to them.
 * Otherwise control continues.
 */
static void try_range(struct lw *lw, struct ir_ins *addr, struct ir_ins *p, uint32_t size,
		      int64_t n, unsigned int var, struct ir_block *done)
{
	struct ir_block *in = lw_block(lw), *out = lw_block(lw);
	struct ir_ins *off = offset_from(lw, addr, p);

	lw_if(lw, ir_bin(&lw->b, IR_ULE, off, ir_const(&lw->b, (int64_t)size - n)), in, out);
	lw_seal_at(lw, in);
	ir_var_write(&lw->b, var, ir_bin(&lw->b, IR_ADD, p, off));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, out);
}

/* Clause-locals lie before the area, which is checked separately. */
static void try_locals(struct lw *lw, struct ir_ins *addr, int64_t n, unsigned int var,
		       struct ir_block *done)
{
	uint32_t size = lw->unit->plan->mem_size - plan_area_size(lw->plan);
	struct ir_ins *p = lw_bini(lw, IR_ADD, lw->mem.scratch, ABI_SCRATCH_HEAD);

	if (size >= n)
		try_range(lw, addr, p, size, n, var, done);
}

void lw_alloca_source(struct lw *lw, struct ir_ins *addr, struct ir_ins *n, enum abi_fault code,
		      struct ir_ins *value)
{
	struct ir_ins *off, *is_in, *end;

	if (!lw->unit->plan->has_area || !dialect_has(lw->plan->opt.dialect, DIALECT_EXACT_ALLOCA))
		return;
	off = ir_bin(&lw->b, IR_SUB, addr, area_number(lw));
	is_in = ir_bin(&lw->b, IR_ULT, off, ir_const(&lw->b, plan_area_size(lw->plan)));
	end = ir_bin(&lw->b, IR_ADD, off, n);
	lw_fault_if(lw, ir_bin(&lw->b, IR_AND, is_in, ir_bin(&lw->b, IR_ULT, used(lw), end)), code,
		    value);
}

/*
 * If a pointer into variables exists, all programs are lowered again (compile_all in
 * src/load/load.c).  All globals have their places then.
 */
struct ir_ins *lw_alloca_find(struct lw *lw, struct ir_ins *addr, struct ir_ins *n)
{
	struct ir_block *done;
	unsigned int var, mark;

	lw_forget_reads(lw);
	if (!lw->plan->is_aliased || n->op != IR_CONST)
		return find_in_area(lw, addr, n);
	done = lw_block(lw);
	var = ir_var_new(lw->b.func);
	mark = lw_push(lw);
	if (n->imm <= (int64_t)lw->plan->globals_size)
		try_range(lw, addr, ir_mapval(&lw->b, MAP_GLOBALS, 0), lw->plan->globals_size,
			  n->imm, var, done);
	try_locals(lw, addr, n->imm, var, done);
	ir_var_write(&lw->b, var, find_in_area(lw, addr, n));
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}
