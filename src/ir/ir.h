/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ir.h: the intermediate representation: functions in SSA form over a control-flow graph.
 *
 * A module is one BPF program: function 0 is its entry, the others are static subprograms.  Values
 * are instructions; every value has 64 bits.  Pointers are values, and only the kernel's verifier
 * knows their kind.  Therefore a pass may fold arithmetic, but never invents arithmetic that the
 * lowering did not write.  Pointers keep the exact form in which they were made, and a bounds check
 * stays before the access that it guards: memory operations never move across a branch.
 *
 * Lowering builds functions (build.c); passes work on the lists below; ir_print and ir_parse are
 * inverses; ir_verify checks every rule stated here.
 */
#ifndef IR_IR_H
#define IR_IR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

struct arena;
struct buf;

enum ir_op {
#define OP(NAME, name, args, flags, text) IR_##NAME,
#include "ir/op.def"
#undef OP
	IR_OP_MAX
};

/* Memory that a load or store touches.  It decides which loads may be merged. */
enum ir_mem {
	IR_MEM_ANY,    /* may alias everything but IR_MEM_CTX and IR_MEM_KERNEL */
	IR_MEM_CTX,    /* the probe context: constant during a firing, loads are pure */
	IR_MEM_KERNEL, /* kernel memory read through a typed pointer: loads may be merged */
	IR_MEM_SLOT,   /* stack slot of this function; calls may write slots passed to them */
	IR_MEM_MAP,    /* map value; any call may write it */
	IR_MEM_ROW,    /* the same, of an aggregation: no IR_MEM_MAP is part of it */
	IR_MEM_RECORD, /* record under construction in the ring buffer: nobody else sees it */
};

struct ir_block;

struct ir_ins {
	enum ir_op op;
	unsigned int id; /* unique in its function, for printing: %id */
	unsigned int nargs;
	struct ir_ins **args;	  /* for PHI: in the order of block->preds */
	int64_t imm, imm2;	  /* as op.def says, otherwise 0 */
	struct ir_block **target; /* terminators only */
	unsigned int ntargets;
	int64_t *cases; /* SWITCH: ntargets - 1 values */
	struct loc loc; /* place in the D source; line 0: none */
	struct ir_block *block;
	struct ir_ins *prev, *next;
	unsigned int uses; /* kept by ir_count_uses, not by the builder */
	int64_t mark;	   /* scratch for passes */
	void *data;	   /* scratch for passes */
};

struct ir_block {
	unsigned int id;	     /* index in func->blocks, printed as .id */
	struct ir_ins *first, *last; /* PHIs first; last is the terminator */
	struct ir_block **preds;
	unsigned int npreds, preds_cap;
	bool sealed; /* builder: all predecessors are known */
	int64_t mark;
	void *data;
};

struct ir_slot {
	unsigned int size, align; /* bytes; align 1, 2, 4 or 8 */
};

struct ir_func {
	struct ir_module *mod;
	const char *name;
	unsigned int index; /* in mod->funcs */
	unsigned int nargs;
	struct ir_block **blocks; /* blocks[0] is the entry, without predecessors */
	unsigned int nblocks, blocks_cap;
	struct ir_slot *slots;
	unsigned int nslots, slots_cap;
	unsigned int next_id, nvars;
	struct ir_binding
	    *bindings; /* builder: values of variables at the ends of blocks, hashed */
	unsigned int nbindings, bindings_cap;
	bool has_writes; /* writes memory: a later probe read may see other bytes */
};

struct ir_module {
	struct arena *arena;
	struct ir_func **funcs;
	unsigned int nfuncs, funcs_cap;
	const char *const *map_names; /* for printing; may be NULL */
	const char *const *rt_names;  /* likewise */
};

/* ---- building (build.c) ---- */

struct ir_module *ir_module_new(struct arena *a);
struct ir_func *ir_func_new(struct ir_module *m, const char *name, unsigned int nargs);

/* A new block, unsealed, at the end of the function's list. */
struct ir_block *ir_block_new(struct ir_func *f);

/* A new stack slot; returns its index for IR_SLOT. */
unsigned int ir_slot_new(struct ir_func *f, unsigned int size, unsigned int align);

/* The place and the source position of the next instructions. */
struct ir_builder {
	struct ir_func *func;
	struct ir_block
	    *cur; /* NULL after a terminator: code that follows is unreachable and dropped */
	struct loc loc;
};

/* Append an instruction.  Constant operands are folded at once (IR_CONST results), and so are
 * trivial identities (x + 0).  If b->cur is NULL, an undefined value (IR_CONST 0) is returned. */
struct ir_ins *ir_const(struct ir_builder *b, int64_t v);
struct ir_ins *ir_un(struct ir_builder *b, enum ir_op op, struct ir_ins *x);
struct ir_ins *ir_bin(struct ir_builder *b, enum ir_op op, struct ir_ins *x, struct ir_ins *y);
struct ir_ins *ir_arg(struct ir_builder *b, unsigned int n);
struct ir_ins *ir_slot(struct ir_builder *b, unsigned int slot);
struct ir_ins *ir_mapfd(struct ir_builder *b, unsigned int map);
struct ir_ins *ir_fnaddr(struct ir_builder *b, unsigned int fn);
struct ir_ins *ir_mapval(struct ir_builder *b, unsigned int map, int64_t off);
/* size: 1, 2, 4, 8 */
struct ir_ins *ir_load(struct ir_builder *b, unsigned int size, struct ir_ins *p, int64_t off,
		       enum ir_mem mem);
void ir_store(struct ir_builder *b, unsigned int size, struct ir_ins *p, int64_t off,
	      struct ir_ins *v, enum ir_mem mem);
struct ir_ins *ir_atomic(struct ir_builder *b, enum ir_op op, struct ir_ins *p, int64_t off,
			 struct ir_ins *x, struct ir_ins *y);
/* op is one of the IR_CALL*; which is its imm */
struct ir_ins *ir_call(struct ir_builder *b, enum ir_op op, int64_t which, unsigned int nargs,
		       struct ir_ins *const *args);
void ir_jmp(struct ir_builder *b, struct ir_block *to);
void ir_br(struct ir_builder *b, struct ir_ins *cond, struct ir_block *yes, struct ir_block *no);
void ir_switch(struct ir_builder *b, struct ir_ins *x, struct ir_block *dflt, unsigned int n,
	       const int64_t *cases, struct ir_block *const *to);
void ir_ret(struct ir_builder *b, struct ir_ins *v);

/* Continue in block bb. */
void ir_at(struct ir_builder *b, struct ir_block *bb);

/* Moves the blocks from number `from` on before `to`, because code follows the order of blocks. */
void ir_move_blocks(struct ir_func *f, unsigned int from, const struct ir_block *to);

/* Completes the PHIs of bb, when all predecessors are known.  Every block must be sealed in the
 * end. */
void ir_seal(struct ir_func *f, struct ir_block *bb);

/* Variables that are not in SSA form yet (construction after Braun et al., "Simple and Efficient
 * Construction of SSA Form", CC 2013).  A variable that is read before any write is IR_CONST 0. */
unsigned int ir_var_new(struct ir_func *f);
void ir_var_write(struct ir_builder *b, unsigned int var, struct ir_ins *v);
struct ir_ins *ir_var_read(struct ir_builder *b, unsigned int var);

/* ---- tools for passes (ir.c) ---- */

enum { IR_P = 1, IR_C = 2, IR_R = 4, IR_W = 8, IR_T = 16, IR_V = 32 };
const char *ir_op_name(enum ir_op op); /* "add" */
int ir_op_nargs(enum ir_op op);
unsigned int ir_op_flags(enum ir_op op);

void ir_remove(struct ir_ins *i); /* unlink from its block */
void ir_insert_before(struct ir_ins *at, struct ir_ins *i);
void ir_count_uses(struct ir_func *f);
void ir_remove_unreachable(struct ir_func *f); /* drops blocks, fixes preds and PHIs, renumbers */
struct ir_ins *ir_ins_new(struct ir_func *f, enum ir_op op, unsigned int nargs); /* not linked */
void ir_append(struct ir_block *bb, struct ir_ins *i); /* at the end, after any terminator */
void ir_add_pred(struct ir_func *f, struct ir_block *bb, struct ir_block *pred); /* PHIs: caller */
void ir_drop_pred(struct ir_block *bb, unsigned int n); /* with the operands of its PHIs */
int ir_find_pred(const struct ir_block *bb, const struct ir_block *pred); /* first; -1: none */
void ir_become_const(struct ir_ins *i, int64_t v); /* in place, without operands */
void ir_set_jmp(struct ir_ins *i, unsigned int n); /* terminator jumps to target[n] only */
bool ir_is_cmp(enum ir_op op);			   /* EQ to SLE */
bool ir_is_load(enum ir_op op);
bool ir_is_store(enum ir_op op); /* not the atomics */
bool ir_is_call(enum ir_op op);
unsigned int ir_mem_size(enum ir_op op); /* bytes that a load, store or atomic touches */
void ir_renumber(struct ir_func *f);	 /* values get ids in order */

/* Returns true if a call of this helper only reads, and its result does not change during a
 * firing. */
bool ir_helper_is_pure(int64_t helper);

/* Returns the value of an operation on constants. */
int64_t ir_eval(enum ir_op op, int64_t a, int64_t b);

/* ---- text (print.c, parse.c, verify.c) ---- */

void ir_print(struct buf *out, const struct ir_module *m);
const char *ir_mem_name(enum ir_mem mem);   /* "slot" */
const char *ir_helper_name(int64_t helper); /* "map_lookup_elem"; "unknown" */

/* Parses the output of ir_print.  Returns NULL, and *err (in the arena) with a line number, on bad
 * input. */
struct ir_module *ir_parse(struct arena *a, const char *text, const char **err);

/* Checks every rule.  Returns NULL, or a message in the module's arena. */
const char *ir_verify(const struct ir_module *m);

#endif
