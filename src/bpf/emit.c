/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit.c: from machine instructions with registers to the instructions of the kernel, and the order
 * of the stages of the back end.
 *
 * Blocks are written in layout order.  A jump to the next block disappears; a conditional jump is
 * reversed if that saves a jump.
 *
 * Jumps are 16 bits wide; forward jumps are patched when their target is written.  A function
 * that is too long for them has islands between its instructions, at regular distances.  An island
 * has one jump for each target of the jumps across it.  Earlier forward jumps are patched to the
 * island, and later backward jumps lead to the island instead of the block.
 */
#include <assert.h>

#include "base/vec.h"
#include "bpf/mir.h"
#include "print/msg.h"

#define ISLAND_DIST 12000

/* A forward jump. */
struct fixup {
	unsigned int insn;
	struct mblock *to;
};

struct emit {
	struct mfunc *f;
	VEC(struct bpf_insn) insns;
	VEC(struct bpf_reloc) relocs;
	VEC(struct bpf_line) lines;
	VEC(struct fixup) fixups;
	unsigned int island; /* after the last island, or the start of the function */
	struct loc loc;
};

static void put(struct emit *e, unsigned int code, int dst, int src, int off, int64_t imm)
{
	struct bpf_insn in = {.code = (uint8_t)code,
			      .dst_reg = (uint8_t)(dst & 15),
			      .src_reg = (uint8_t)(src & 15),
			      .off = (int16_t)off,
			      .imm = (int32_t)imm};

	assert(dst >= 0 && dst <= 10 && src >= 0 && src <= 10 && off == (int16_t)off);
	vec_push(&e->insns, in);
}

static void put_wide(struct emit *e, int dst, int64_t imm)
{
	put(e, BPF_LD | BPF_IMM | BPF_DW, dst, 0, 0, (int32_t)(uint64_t)imm);
	put(e, 0, 0, 0, 0, (int32_t)((uint64_t)imm >> 32));
}

static void add_reloc(struct emit *e, enum bpf_reloc_kind kind, int64_t target, int64_t off)
{
	struct bpf_reloc r = {.insn = e->insns.n, .kind = kind, .target = target, .off = off};

	vec_push(&e->relocs, r);
}

/* Returns the base register and sets the offset of a memory access. */
static int base_of(const struct emit *e, const struct mins *i, int reg, int *off)
{
	*off = i->off;
	if (i->obj < 0)
		return reg;
	*off += e->f->objs[i->obj].off;
	return BPF_REG_10;
}

static void emit_movi(struct emit *e, int dst, int64_t v)
{
	if (m_fits32(v))
		put(e, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, v);
	else if (v == (uint32_t)v)
		put(e, BPF_ALU | BPF_MOV | BPF_K, dst, 0, 0, (int32_t)v);
	else
		put_wide(e, dst, v);
}

static void emit_sym(struct emit *e, const struct mins *i)
{
	static const enum bpf_reloc_kind kinds[] = {[M_SYM_MAPFD] = BPF_RELOC_MAPFD,
						    [M_SYM_MAPVAL] = BPF_RELOC_MAPVAL,
						    [M_SYM_FNADDR] = BPF_RELOC_FNADDR};

	add_reloc(e, kinds[i->sym], i->target, i->imm);
	put_wide(e, i->dst, 0);
}

static void emit_call(struct emit *e, const struct mins *i)
{
	int pseudo = 0;

	switch ((int)i->call + IR_CALL) {
	case IR_CALLRT:
		add_reloc(e, BPF_RELOC_RT, i->target, 0);
		pseudo = BPF_PSEUDO_CALL;
		break;
	case IR_CALLFN:
		add_reloc(e, BPF_RELOC_FN, i->target, 0);
		pseudo = BPF_PSEUDO_CALL;
		break;
	case IR_CALLK:
		pseudo = BPF_PSEUDO_KFUNC_CALL;
		break;
	}
	put(e, BPF_JMP | BPF_CALL, 0, pseudo, 0, i->target);
}

static void emit_memory(struct emit *e, const struct mins *i)
{
	int off, base = base_of(e, i, i->kind == M_LD ? i->src : i->dst, &off);

	if (i->kind == M_LD)
		put(e, BPF_LDX | BPF_MEM | i->op, i->dst, base, off, 0);
	else if (i->kind == M_ST)
		put(e, BPF_STX | BPF_MEM | i->op, base, i->src, off, 0);
	else if (i->kind == M_STI)
		put(e, BPF_ST | BPF_MEM | i->op, base, 0, off, i->imm);
	else
		put(e, BPF_STX | BPF_ATOMIC | i->op, base, i->src, off, i->imm);
}

static unsigned int jump_class(const struct mins *i)
{
	return i->is32 ? BPF_JMP32 : BPF_JMP;
}

/* dst = 1; if (src op src2) skip: dst = 0. */
static void emit_set(struct emit *e, const struct mins *i)
{
	put(e, BPF_ALU64 | BPF_MOV | BPF_K, i->dst, 0, 0, 1);
	if (i->kind == M_SET)
		put(e, jump_class(i) | i->op | BPF_X, i->src, i->src2, 1, 0);
	else
		put(e, jump_class(i) | i->op | BPF_K, i->src, 0, 1, i->imm);
	put(e, BPF_ALU64 | BPF_MOV | BPF_K, i->dst, 0, 0, 0);
}

static void emit_alu(struct emit *e, const struct mins *i)
{
	unsigned int class = i->is32 ? BPF_ALU : BPF_ALU64;

	if (i->kind == M_ALU)
		put(e, class | i->op | BPF_X, i->dst, i->src, i->is_signed, 0);
	else
		put(e, class | i->op | BPF_K, i->dst, 0, i->is_signed, i->imm);
}

/* Returns the offset of a jump at insn to instruction `to`. */
static int distance(struct emit *e, unsigned int insn, unsigned int to)
{
	int64_t off = (int64_t)to - insn - 1;

	if (off == (int16_t)off)
		return (int)off;
	e->f->err = msg_reason(MSG_REASON_PROGRAM_SIZE);
	return 0;
}

static void emit_jump(struct emit *e, unsigned int code, int dst, int src, int64_t imm,
		      struct mblock *to)
{
	struct fixup x = {e->insns.n, to};

	assert(to->njumps);
	to->njumps--;
	if (!to->is_emitted)
		vec_push(&e->fixups, x);
	put(e, code, dst, src, to->is_emitted ? distance(e, x.insn, to->start) : 0, imm);
}

static uint8_t inverse(uint8_t op)
{
	static const uint8_t of[16] = {
	    [BPF_JEQ >> 4] = BPF_JNE,	[BPF_JNE >> 4] = BPF_JEQ,   [BPF_JGT >> 4] = BPF_JLE,
	    [BPF_JGE >> 4] = BPF_JLT,	[BPF_JLT >> 4] = BPF_JGE,   [BPF_JLE >> 4] = BPF_JGT,
	    [BPF_JSGT >> 4] = BPF_JSLE, [BPF_JSGE >> 4] = BPF_JSLT, [BPF_JSLT >> 4] = BPF_JSGE,
	    [BPF_JSLE >> 4] = BPF_JSGT,
	};

	return of[op >> 4];
}

static void emit_branch(struct emit *e, const struct mins *i, const struct mblock *next)
{
	struct mblock *yes = i->yes, *no = i->no;
	uint8_t op = i->op;

	if (yes == next && inverse(op)) {
		op = inverse(op);
		yes = i->no;
		no = i->yes;
	}
	if (i->kind == M_JCC)
		emit_jump(e, jump_class(i) | op | BPF_X, i->src, i->src2, 0, yes);
	else
		emit_jump(e, jump_class(i) | op | BPF_K, i->src, 0, i->imm, yes);
	if (no != next)
		emit_jump(e, BPF_JMP | BPF_JA, 0, 0, 0, no);
}

static void emit_simple(struct emit *e, const struct mins *i)
{
	unsigned int swap = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? BPF_TO_BE : BPF_TO_LE;
	int off;

	switch ((int)i->kind) {
	case M_MOV:
		put(e, BPF_ALU64 | BPF_MOV | BPF_X, i->dst, i->src, 0, 0);
		return;
	case M_MOVSX:
		put(e, BPF_ALU64 | BPF_MOV | BPF_X, i->dst, i->src, (int)i->imm, 0);
		return;
	case M_MOV32:
		put(e, BPF_ALU | BPF_MOV | BPF_X, i->dst, i->src, 0, 0);
		return;
	case M_NEG:
		put(e, BPF_ALU64 | BPF_NEG, i->dst, 0, 0, 0);
		return;
	case M_SWAP:
		put(e, BPF_ALU | BPF_END | swap, i->dst, 0, 0, i->imm);
		return;
	case M_MOVI:
		emit_movi(e, i->dst, i->imm);
		return;
	}
	assert(i->kind == M_FRAME);
	base_of(e, i, -1, &off);
	put(e, BPF_ALU64 | BPF_MOV | BPF_X, i->dst, BPF_REG_10, 0, 0);
	put(e, BPF_ALU64 | BPF_ADD | BPF_K, i->dst, 0, 0, off);
}

/* A table, one row for each kind of instruction. */
static void emit_ins(struct emit *e, const struct mins *i, const struct mblock *next)
{
	switch (i->kind) {
	case M_MOV:
	case M_MOVSX:
	case M_MOV32:
	case M_NEG:
	case M_SWAP:
	case M_MOVI:
	case M_FRAME:
		emit_simple(e, i);
		break;
	case M_SYM:
		emit_sym(e, i);
		break;
	case M_ALU:
	case M_ALUI:
		emit_alu(e, i);
		break;
	case M_LD:
	case M_ST:
	case M_STI:
	case M_ATOMIC:
		emit_memory(e, i);
		break;
	case M_SET:
	case M_SETI:
		emit_set(e, i);
		break;
	case M_CALL:
		emit_call(e, i);
		break;
	case M_JCC:
	case M_JCCI:
		emit_branch(e, i, next);
		break;
	case M_JMP:
		if (i->yes != next)
			emit_jump(e, BPF_JMP | BPF_JA, 0, 0, 0, i->yes);
		break;
	case M_EXIT:
		put(e, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
		break;
	}
}

static void note_line(struct emit *e, const struct loc *loc)
{
	struct bpf_line l = {.insn = e->insns.n};

	if (!loc || !loc->line ||
	    (loc->src == e->loc.src && loc->file == e->loc.file && loc->line == e->loc.line))
		return;
	e->loc = l.loc = *loc;
	if (e->lines.n && vec_last(&e->lines).insn == l.insn)
		e->lines.n--;
	vec_push(&e->lines, l);
}

/* Patches forward jumps that wait for `to`, so that they lead to the next instruction. */
static void patch_jumps(struct emit *e, const struct mblock *to)
{
	unsigned int n = 0;

	for (unsigned int k = 0; k < e->fixups.n; k++) {
		struct fixup x = e->fixups.a[k];

		if (x.to == to)
			e->insns.a[x.insn].off = (int16_t)distance(e, x.insn, e->insns.n);
		else
			e->fixups.a[n++] = x;
	}
	e->fixups.n = n;
}

/* Emits a jump for each earlier block that later code jumps to, and for each later block. */
static void emit_island(struct emit *e)
{
	unsigned int over = e->insns.n;
	struct mfunc *f = e->f;

	for (unsigned int k = 0; k < e->fixups.n; k++)
		e->fixups.a[k].to->is_awaited = true;
	put(e, BPF_JMP | BPF_JA, 0, 0, 0, 0);
	for (unsigned int b = 0; b < f->nblocks; b++) {
		struct mblock *to = f->blocks[b];
		unsigned int at = e->insns.n;

		if (to->is_emitted ? !to->njumps : !to->is_awaited)
			continue;
		if (to->is_awaited)
			patch_jumps(e, to);
		to->is_awaited = false;
		to->njumps++;
		emit_jump(e, BPF_JMP | BPF_JA, 0, 0, 0, to);
		if (to->is_emitted)
			to->start = at;
	}
	e->insns.a[over].off = (int16_t)distance(e, over, e->insns.n);
	e->island = e->insns.n;
}

static void emit_block(struct emit *e, struct mblock *b, const struct mblock *next)
{
	patch_jumps(e, b);
	b->start = e->insns.n;
	b->is_emitted = true;
	for (const struct mins *i = b->first; i; i = i->next) {
		if (e->f->is_long && e->insns.n - e->island > ISLAND_DIST)
			emit_island(e);
		note_line(e, i->loc);
		emit_ins(e, i, next);
	}
}

/* Counts the jumps to each block, as emit_ins() makes them. */
static void count_jumps(struct mfunc *f)
{
	for (unsigned int b = 0; b < f->nblocks; b++) {
		const struct mblock *next = b + 1 < f->nblocks ? f->blocks[b + 1] : NULL;
		const struct mins *t = f->blocks[b]->last;

		if (t->no) {
			bool turned = t->yes == next && inverse(t->op);

			(turned ? t->no : t->yes)->njumps++;
			if ((turned ? t->yes : t->no) != next)
				(turned ? t->yes : t->no)->njumps++;
		} else if (t->yes && t->yes != next) {
			t->yes->njumps++;
		}
	}
}

static const char *emit_func(struct emit *e, struct ir_func *ir, const struct bpf_target *t)
{
	struct mfunc *f;

	f = e->f = select_func(ir, t);
	frame_note_slots(f);
	if (f->err)
		return f->err;
	alloc_regs(f);
	if (f->err)
		return f->err;
	frame_layout(f);
	if (f->err)
		return f->err;
	layout_blocks(f);
	count_jumps(f);
	e->loc = (struct loc){0};
	e->island = e->insns.n;
	for (unsigned int b = 0; b < f->nblocks; b++)
		emit_block(e, f->blocks[b], b + 1 < f->nblocks ? f->blocks[b + 1] : NULL);
	assert(f->err || !e->fixups.n);
	return f->err;
}

/* Returns a copy of n objects in the arena. */
static void *keep(struct arena *a, const void *p, size_t n, size_t size)
{
	char *out = arena_alloc(a, n * size);

	for (size_t i = 0; i < n * size; i++)
		out[i] = ((const char *)p)[i];
	return out;
}

/* Finds functions that are called, directly or not, in order; the kernel accepts no others.
 * number[f] is the new number of function f, -1 for none. */
static void find_called(struct ir_module *m, int *number)
{
	bool changed = true;
	int n = 0;

	for (unsigned int f = 0; f < m->nfuncs; f++)
		number[f] = f ? -1 : 0;
	while (changed) {
		changed = false;
		for (unsigned int f = 0; f < m->nfuncs; f++)
			for (unsigned int b = 0; b < m->funcs[f]->nblocks && number[f] >= 0; b++)
				for (struct ir_ins *i = m->funcs[f]->blocks[b]->first; i;
				     i = i->next)
					if ((i->op == IR_CALLFN || i->op == IR_FNADDR) &&
					    number[i->imm] < 0) {
						number[i->imm] = 0;
						changed = true;
					}
	}
	for (unsigned int f = 0; f < m->nfuncs; f++)
		if (number[f] >= 0)
			number[f] = n++;
}

static void take_results(struct bpf_code *c, struct emit *e, const int *number)
{
	struct arena *a = c->arena;

	for (unsigned int r = 0; r < e->relocs.n; r++)
		if (e->relocs.a[r].kind == BPF_RELOC_FN || e->relocs.a[r].kind == BPF_RELOC_FNADDR)
			e->relocs.a[r].target = number[e->relocs.a[r].target];
	c->n = e->insns.n;
	c->insns = keep(a, e->insns.a, e->insns.n, sizeof(*e->insns.a));
	c->nrelocs = e->relocs.n;
	c->relocs = keep(a, e->relocs.a, e->relocs.n, sizeof(*e->relocs.a));
	c->nlines = e->lines.n;
	c->lines = keep(a, e->lines.a, e->lines.n, sizeof(*e->lines.a));
	vec_free(&e->insns);
	vec_free(&e->relocs);
	vec_free(&e->lines);
	vec_free(&e->fixups);
}

struct bpf_code *bpf_codegen(struct arena *a, struct ir_module *m, const struct bpf_target *t,
			     const char **err)
{
	struct bpf_code *c = arena_new_obj(a, struct bpf_code);
	int *number = arena_new_arr(a, int, m->nfuncs);
	struct emit e = {0};

	*err = NULL;
	c->arena = a;
	c->funcs = arena_new_arr(a, struct bpf_function, m->nfuncs);
	for (unsigned int n = 0; n < m->nfuncs; n++)
		legal_func(m->funcs[n], t);
	find_called(m, number);
	for (unsigned int n = 0; n < m->nfuncs && !*err; n++) {
		struct bpf_function *fn = &c->funcs[c->nfuncs];

		if (number[n] < 0)
			continue;
		c->nfuncs++;
		fn->name = arena_strdup(a, m->funcs[n]->name);
		fn->insn = e.insns.n;
		fn->nargs = m->funcs[n]->nargs;
		fn->is_global = n == 0;
		fn->params[0] = n == 0 ? BPF_PARAM_CTX : BPF_PARAM_SCALAR;
		*err = emit_func(&e, m->funcs[n], t);
	}
	take_results(c, &e, number);
	return *err ? NULL : c;
}
