/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * leaf.h: what leaves (src/builtin, src/prov) and the files of lower/ build code with, besides
 * lower.h.
 */
#ifndef LOWER_LEAF_H
#define LOWER_LEAF_H

#include "bpf/codegen.h"
#include "lower/lower.h"

/* Keys that are no operation of the IR. */
enum {
	MEMO_KREAD = IR_OP_MAX, /* kernel memory copied to a slot: a address, imm2 size */
	MEMO_NONNULL,		/* a is known not to be NULL */
	MEMO_CAST,		/* bpf_rdonly_cast of a to type imm */
	MEMO_NUMBER,		/* pointer a as a number */
	MEMO_TIME,		/* clock imm of this clause */
	MEMO_STR,		/* string member imm of the translated native argument imm2 */
	MEMO_OWN_FRAMES,	/* frames of the kernel stack to skip */
	MEMO_ROW,		/* row of tables by dispatch number a */
	MEMO_SELF,		/* variables of this thread; imm: how often they were looked for */
	MEMO_SELF_NEW,		/* the same, made if need be */
	MEMO_PURE,		/* whether the expression a is */
	MEMO_BINDING,  /* struct binding of parameter imm and expression imm2 in a, before b */
	MEMO_BRANCHED, /* struct val of the expression a in the bindings b */
	MEMO_RAW_ARG,  /* argN of the mechanism; imm: N */
	MEMO_LEAF,     /* see MEMO_OF */
};

struct memo_key {
	int op;
	unsigned int flags;
	int64_t imm, imm2;
	const void *a, *b;
};

/* What a leaf remembers, once in a program: owner is any address of its own. */
#define MEMO_OF(owner)                                             \
	{                                                          \
		.op = MEMO_LEAF, .imm = (int64_t)(intptr_t)(owner) \
	}

struct memo *memo_new(struct arena *a);
void memo_free(struct memo *m);
void *memo_get(struct lw *lw, const struct memo_key *k);
void memo_put(struct lw *lw, const struct memo_key *k, void *val);

/* A block all of whose predecessors are known: seal it and continue there. */
void lw_seal_at(struct lw *lw, struct ir_block *bb);

/* Call of a kernel function; operands end with NULL. */
struct ir_ins *lw_kfunc(struct lw *lw, uint32_t btf_id, ...);

/* The address in a pointer value, as that of an object of type t; an address as one value. */
struct val lw_deref(struct lw *lw, struct val p, struct type *t);
struct ir_ins *lw_flat(struct lw *lw, struct val a);

/* Whether pointers of this type lead to memory of a process. */
bool lw_is_userland(const struct type *t);

/* An address as a number that the verifier lets us compute with. */
struct ir_ins *lw_number(struct lw *lw, struct val a);

/* A pointer to keep or to compute with: a number if it points to memory of ours, which from now on
 * may be read by address as well. */
struct ir_ins *lw_kept(struct lw *lw, struct val p);

/* Arrays, strings or structures of ours are about to change. */
void lw_changed(struct lw *lw);

/*
 * A pointer from outside, as expressions see it.  The verifier forbids most arithmetic on one that
 * it knows, and a variable does not tell what is in it: where kernel memory is read only through
 * helpers, it is a number from the start.
 */
struct val lw_outside(struct lw *lw, struct val p);

/* Member of the structure that p points to. */
struct val lw_field(struct lw *lw, struct val p, const char *member);

/* Scalar member of a structure within that one. */
struct ir_ins *lw_inner(struct lw *lw, struct val p, const char *outer, const char *inner);

/*
 * struct task_struct of the thread whose firing it is: the current one, unless a site says
 * otherwise (lw_firing.thread).
 */
struct val lw_current(struct lw *lw);

/*
 * 1 if the firing is in an interrupt, hard, soft or not maskable; else 0, and where the kernel does
 * not let us know.  Perf events: if they have interrupted one.
 */
struct ir_ins *lw_ipl(struct lw *lw);

/* Can it be read by plain loads, and is its type known? */
bool lw_has_current(struct lw *lw);

/*
 * A fault if the firing is of a thread that does not run yet: its memory is not there, and a signal
 * would go to another.
 */
void lw_need_running(struct lw *lw, enum abi_fault code, struct ir_ins *value);

/* `size` bytes of a member of it, from byte `at` of the member on: a plain load. */
struct ir_ins *lw_current_word(struct lw *lw, const char *member, uint64_t at, unsigned int size);

/*
 * The stack of the current thread from frame n on into dst, size bytes: the bytes used, negative if
 * there is none.  flags: 0 or BPF_F_USER_STACK.  Kernel frame 0 is in the function that the probe
 * is in; stack() starts with frame lw_stack_top(), the caller has lw_stack_caller().
 */
struct ir_ins *lw_stack(struct lw *lw, struct tmp dst, uint32_t size, uint64_t flags,
			unsigned int n);

/* Behind `bytes` of these, in what room there is: those of the language that the process runs. */
void lw_language_frames(struct lw *lw, struct tmp dst, uint32_t size, struct ir_ins *bytes);
unsigned int lw_stack_top(const struct lw *lw);
unsigned int lw_stack_caller(const struct lw *lw);

/*
 * Addresses of a process get names when they are printed, but it may be gone by then: the consumer
 * is told when it is first met, to read what is mapped where.  User stacks do it themselves.
 */
void lw_meet_process(struct lw *lw);

/* Numbers of the current process and thread, as the first pid namespace has them. */
struct ir_ins *lw_pid(struct lw *lw);
/*
 * The process's number in the PID namespace of dtrace, by which the consumer finds it in /proc; 0:
 * it is not in it.  Of the current process, and of that of a task.
 */
struct ir_ins *lw_own_pid(struct lw *lw);
struct ir_ins *lw_own_pid_of(struct lw *lw, struct val task);

/* Whether that is this process or one that descends from it, 0 or 1. */
struct ir_ins *lw_progenyof(struct lw *lw, struct ir_ins *pid);
struct ir_ins *lw_tid(struct lw *lw);

/* Word n of the context, of type `type`; pointers to structures of BTF are known to the verifier.
 */
struct val lw_ctx_arg(struct lw *lw, unsigned int n, struct type *type);

struct val lw_writable(struct lw *lw, struct val a, uint32_t size);

/* A copy of size bytes of kernel or user memory in a slot (remembered); faults on bad addresses. */
struct tmp lw_kread(struct lw *lw, struct val a, uint32_t size);

/* Evaluate what stands behind a parameter or a translated member, in its own environment. */
struct val lw_in_binding(struct lw *lw, const struct expr *e,
			 struct val (*f)(struct lw *, const struct expr *));
struct val lw_in_xlator(struct lw *lw, const struct expr *e,
			struct val (*f)(struct lw *, const struct expr *));

/*
 * f(lw, e), of an expression that has branches.  What is remembered by its operands ends where
 * branches meet, so that the whole is by where it stands and what its parameters are bound to.
 */
struct val lw_branched(struct lw *lw, const struct expr *e,
		       struct val (*f)(struct lw *, const struct expr *));
struct val lw_inline(struct lw *lw,
		     const struct expr *e); /* name[args] of a parameterised inline */
struct strv lw_str_inline(struct lw *lw, const struct expr *e);
struct strv lw_str_in_binding(struct lw *lw, const struct expr *e);
struct strv lw_str_in_xlator(struct lw *lw, const struct expr *e);
bool lw_str_is_known(struct lw *lw, const struct expr *e); /* lw_str_in_xlator has it already */
struct ir_ins *lw_str_into_xlator(struct lw *lw, const struct expr *e, struct ir_ins *dst,
				  uint32_t size, enum ir_mem mem);

/* Empty the clause-local strings and structures of lw->firing.group. */
void lw_this_init(struct lw *lw);

/* x op y, where the result is of type t. */
struct ir_ins *lw_arith(struct lw *lw, enum expr_op op, const struct type *t, struct ir_ins *x,
			struct ir_ins *y);

/* A scalar lvalue whose keys and address have been evaluated: it can be read, then written. */
struct lvalue {
	const struct expr *e;
	struct ir_ins *key; /* element of an associative array */
	struct val addr;    /* neither that nor a variable: memory; a member: its structure */
};

struct lvalue lw_lvalue(struct lw *lw, const struct expr *e);
struct ir_ins *lw_lvalue_read(struct lw *lw, const struct lvalue *x);
void lw_lvalue_write(struct lw *lw, const struct lvalue *x, struct ir_ins *v);

/* consts.c: of the program whose constants go to bytes. */
struct consts *consts_new(struct arena *a, struct buf *bytes);
void consts_free(struct consts *c);

extern const struct bpf_rtlib bpf_rt;

#endif
