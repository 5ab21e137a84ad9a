/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mir.h: machine instructions before they have registers, private to the back end.
 *
 * Registers 0 to 9 are the machine's, higher numbers are virtual ones.  A virtual register may be
 * defined several times (two-address operations, values that join).  Frame objects name stack
 * memory; FRAME, LD, ST, STI and ATOMIC address one directly when obj >= 0.
 */
#ifndef BPF_MIR_H
#define BPF_MIR_H

#include "base/arena.h"
#include "bpf/codegen.h"
#include "ir/ir.h"

enum m_kind {
	M_MOV,	  /* dst = src */
	M_MOVI,	  /* dst = imm, 64 bits */
	M_SYM,	  /* dst = value of relocation `reloc` of (target, imm); btf id: imm alone */
	M_FRAME,  /* dst = r10 + obj + off */
	M_ALU,	  /* dst = dst op src */
	M_ALUI,	  /* dst = dst op imm */
	M_NEG,	  /* dst = -dst */
	M_SWAP,	  /* dst = bytes of its low imm bits swapped */
	M_MOVSX,  /* dst = low imm bits of src, sign extended */
	M_MOV32,  /* dst = low 32 bits of src */
	M_LD,	  /* dst = [src + off] */
	M_ST,	  /* [dst + off] = src */
	M_STI,	  /* [dst + off] = imm */
	M_ATOMIC, /* [dst + off] op= src; imm is the operation, fetching ones define src or r0 */
	M_SET,	  /* dst = src op src2, 0 or 1; dst is neither src nor src2 */
	M_SETI,	  /* dst = src op imm */
	M_CALL,	  /* nargs registers from r1 on */
	M_JCC,	  /* src op src2: to `yes`, else `no` */
	M_JCCI,	  /* src op imm */
	M_JMP,	  /* to `yes` */
	M_EXIT,
};

enum m_sym { M_SYM_MAPFD, M_SYM_MAPVAL, M_SYM_FNADDR };

struct mblock;

struct mins {
	enum m_kind kind;
	uint8_t op;	/* BPF_ADD..., BPF_JEQ..., or BPF_B, H, W, DW */
	bool is32;	/* ALU, JCC: on the low halves */
	bool is_signed; /* DIV, MOD */
	uint8_t call;	/* CALL: IR_CALL... as an offset from IR_CALL */
	uint8_t nargs;
	bool is_kept;  /* MOV: stays even from a register to itself */
	int8_t likely; /* JCC: 1 taken, -1 not taken, 0 unknown */
	enum m_sym sym;
	int dst, src, src2; /* -1: none */
	int obj;	    /* frame object instead of a base register, -1: none */
	int32_t off;
	int64_t imm, target;
	struct mblock *yes, *no;
	const struct loc *loc;
	unsigned int pos; /* ascending in the function; spill code shares its neighbour's */
	struct mblock *block;
	struct mins *prev, *next;
};

/* A set of registers or stack objects, in no order. */
struct mset {
	unsigned int *a;
	unsigned int n, cap;
};

struct mblock {
	unsigned int id;
	struct mins *first, *last;
	struct mblock **preds;
	unsigned int npreds;
	double freq;
	struct mset live_in, live_out;
	bool is_placed;
	unsigned int start;	     /* target of backward jumps in the output, see emit.c */
	unsigned int njumps;	     /* to this block, not yet written */
	bool is_emitted, is_awaited; /* it is written; forward jumps to it are */
	int64_t mark;
};

/* Part of a block in which a frame object is in use. */
struct mrange {
	unsigned int block, lo, hi;
	struct mrange *next;
};

struct mobj {
	unsigned int size, align;
	bool is_spill, escapes;
	struct mrange *ranges; /* descending by block */
	int off;	       /* from r10 */
};

struct mreg {
	/* 0: a value.  Levels of spilling (spill.c): registers of levels 1 and 2 equal object obj
	 * at all their uses; level 3 lives for one instruction and is never spilled. */
	unsigned char level;
	bool is_bound; /* compared with a bound: see spill.c */
	int obj;
};

struct mfunc {
	struct arena *arena;
	const struct bpf_target *target;
	struct mblock **blocks;
	unsigned int nblocks;
	struct mreg *regs;
	unsigned int nregs, regs_cap;
	struct mobj *objs;
	unsigned int nobjs, objs_cap;
	unsigned int next_pos;
	unsigned int frame; /* bytes of the stack that objects use */
	bool is_long;	    /* jumps may be out of reach, see layout.c and emit.c */
	const char *err;
};

enum { MREG_FIRST = 10, MREG_TEMP = 3 };

enum { M_JUMP_MAX = 32767 }; /* reach of a jump in instructions */

/* Successors of a block, 0 to 2. */
static inline unsigned int m_succs(const struct mblock *b, struct mblock *s[2])
{
	unsigned int n = 0;

	if (b->last->yes)
		s[n++] = b->last->yes;
	if (b->last->no)
		s[n++] = b->last->no;
	return n;
}

/* ---- mir.c ---- */
int m_reg_new(struct mfunc *f);
int m_obj_new(struct mfunc *f, unsigned int size, unsigned int align, bool is_spill);
struct mins *m_ins_new(struct mfunc *f, enum m_kind kind);
void m_append(struct mblock *b, struct mins *i);
void m_insert(struct mins *before, struct mins *i); /* takes over pos and loc */
void m_insert_after(struct mins *after, struct mins *i);
void m_remove(struct mins *i); /* not the last of its block */
unsigned int m_uses(const struct mins *i, int regs[6]);
unsigned int m_defs(const struct mins *i, int regs[6]);
void m_replace_use(struct mins *i, int from, int to);
bool m_fits32(int64_t v);
unsigned int m_length(const struct mins *i); /* instructions of the kernel, at most */
void m_link_preds(struct mfunc *f);

/* ---- the stages ---- */
void legal_func(struct ir_func *f, const struct bpf_target *t); /* legal.c: IR to simpler IR */
struct mfunc *select_func(struct ir_func *f, const struct bpf_target *t); /* select.c */
/* Returns the reachable blocks; successors come first, except in loops. */
struct mblock **live_postorder(struct mfunc *f, unsigned int *count);

/*
 * live.c: fills in live_in and live_out of all blocks, for registers or for other items with
 * numbers below nitems.  live_read and live_write are called in order, block by block.  err is set
 * if the function is too large.
 */
struct live;
struct live *live_new(struct mfunc *f, unsigned int nitems);
void live_read(struct live *l, unsigned int item, const struct mblock *b);
void live_write(struct live *l, unsigned int item, const struct mblock *b);
void live_solve(struct live *l);
void live_regs(struct mfunc *f);

void live_freq(struct mfunc *f);
void frame_note_slots(struct mfunc *f); /* frame.c: before registers are assigned */
void frame_layout(struct mfunc *f);	/* after */
void alloc_regs(struct mfunc *f);	/* alloc.c */
void spill_regs(struct mfunc *f, const bool *spilled, unsigned int n); /* spill.c */
void layout_blocks(struct mfunc *f);				       /* layout.c */

#endif
