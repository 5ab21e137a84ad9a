/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * leaf.h: building blocks for code, for the leaves (src/builtin, src/prov) and for src/lower
 * itself, in addition to lower.h.
 */
#ifndef LOWER_LEAF_H
#define LOWER_LEAF_H

#include "bpf/codegen.h"
#include "lower/lower.h"

/* Kinds of memo keys that are no operation of the IR. */
enum {
	MEMO_KREAD = IR_OP_MAX, /* kernel memory copied to a slot: a address, imm2 size */
	MEMO_NONNULL,		/* a is known not to be NULL */
	MEMO_CAST,		/* bpf_rdonly_cast of a to type imm */
	MEMO_NUMBER,		/* pointer a as a number */
	MEMO_TIME,	 /* time of this clause; imm 0: of the kernel, 1: of dtrace's machine */
	MEMO_STR,	 /* string member imm of the translated native argument imm2 */
	MEMO_OWN_FRAMES, /* frames of the kernel stack to skip */
	MEMO_ROW,	 /* row of tables by dispatch number a */
	MEMO_SELF,	 /* variables of this thread; imm: number of earlier look-ups */
	MEMO_SELF_NEW,	 /* the same, created if necessary */
	MEMO_PURE,	 /* whether expression a is pure */
	MEMO_BINDING,	 /* struct binding of parameter imm and expression imm2 in a, before b */
	MEMO_BRANCHED,	 /* struct val of the expression a in the bindings b */
	MEMO_RAW_ARG,	 /* argN of the mechanism; imm: N */
	MEMO_LEAF,	 /* see MEMO_OF */
};

struct memo_key {
	int op;
	unsigned int flags;
	int64_t imm, imm2;
	const void *a, *b;
};

/* Key of a value that a leaf remembers once per program.  OWNER is any unique address. */
#define MEMO_OF(owner)                                             \
	{                                                          \
		.op = MEMO_LEAF, .imm = (int64_t)(intptr_t)(owner) \
	}

struct memo *memo_new(struct arena *a);
void memo_free(struct memo *m);
void *memo_get(struct lw *lw, const struct memo_key *k);
void memo_put(struct lw *lw, const struct memo_key *k, void *val);

/* Seals a block whose predecessors are all known, and continues there. */
void lw_seal_at(struct lw *lw, struct ir_block *bb);

/* Calls a kernel function.  Operands end with NULL. */
struct ir_ins *lw_kfunc(struct lw *lw, uint32_t btf_id, ...);

/*
 * lw_deref returns the address in a pointer value, as an address of an object of type t.  lw_flat
 * returns an address as one value.
 */
struct val lw_deref(struct lw *lw, struct val p, struct type *t);
struct ir_ins *lw_flat(struct lw *lw, struct val a);

/* Returns true if pointers of this type lead to memory of a process. */
bool lw_is_userland(const struct type *t);

/* Returns an address as a number, so that the verifier allows arithmetic on it. */
struct ir_ins *lw_number(struct lw *lw, struct val a);

/* ir_ins.mark of a loaded pointer to no structure. */
enum { MARK_POINTER = 1 };

/* Marks a load of kernel memory that yields a pointer to no structure, if the verifier knows such
 * pointers. */
void lw_mark_pointer(struct lw *lw, struct ir_ins *load);

/* Reads marked values back as numbers where the verifier needs numbers (number.c). */
void lw_make_numbers(struct ir_func *f);

/*
 * Returns a pointer to store or to compute with.  A pointer to the program's own memory becomes a
 * number, and from then on reads by address may reach this memory.
 */
struct ir_ins *lw_kept(struct lw *lw, struct val p);

/* Call before arrays, strings or structures of the program change. */
void lw_changed(struct lw *lw);

/*
 * Returns a pointer from outside as expressions see it.  The verifier forbids most arithmetic on
 * pointers it knows, and variables lose this knowledge.  If kernel memory is read only through
 * helpers, the pointer is therefore a number from the start.
 */
struct val lw_outside(struct lw *lw, struct val p);

/* Returns a member of the structure that p points to. */
struct val lw_field(struct lw *lw, struct val p, const char *member);

/* Returns a member of a structure within that structure. */
struct val lw_inner(struct lw *lw, struct val p, const char *outer, const char *inner);

/* Returns whether the kernel has the structure ("struct mount"), and the structure the member. */
bool lw_has_member(struct lw *lw, const char *structure, const char *member);

/*
 * Returns the struct task_struct of the firing's thread: the current thread, unless a site names
 * another (lw_firing.thread).
 */
struct val lw_current(struct lw *lw);

/*
 * Returns 1 if the firing is in an interrupt (hard, soft or not maskable), else 0.  Returns 0 if
 * the kernel does not say.  For perf events: 1 if they have interrupted an interrupt.
 */
struct ir_ins *lw_ipl(struct lw *lw);

/* Returns true if plain loads can read the thread's task and its type is known. */
bool lw_has_current(struct lw *lw);

/*
 * Faults if the firing's thread does not run yet.  Its memory cannot be read, and a signal would go
 * to another thread.
 */
void lw_need_running(struct lw *lw, enum abi_fault code, struct ir_ins *value);

/* Returns the first `size` bytes of a member of the task, by a plain load. */
struct ir_ins *lw_current_word(struct lw *lw, const char *member, unsigned int size);

/*
 * Writes the stack of the current thread, from frame n on, to dst (size bytes).  Returns the number
 * of bytes used, negative if there is no stack.  flags is 0 or BPF_F_USER_STACK.  Kernel frame 0 is
 * in the probed function.  stack() starts with frame lw_stack_top(), and lw_stack_caller() is the
 * caller's.
 */
struct ir_ins *lw_stack(struct lw *lw, struct tmp dst, uint32_t size, uint64_t flags,
			unsigned int n);

unsigned int lw_stack_top(const struct lw *lw);
unsigned int lw_stack_caller(const struct lw *lw);

/*
 * Write the stack of the process with frames of languages (abi.h), or only these frames, to dst,
 * `size` bytes of zeros.  In a mixed stack, native frames and frames of an interpreter have half
 * each.
 */
void lw_mixed_stack(struct lw *lw, struct tmp dst, uint32_t size);
void lw_lang_stack(struct lw *lw, struct tmp dst, uint32_t size);

/*
 * Reports a process to the consumer when it is first seen.  The consumer reads its mappings early,
 * because the process can be gone when addresses are printed.  User stacks do this themselves.
 */
void lw_report_process(struct lw *lw);

/* Returns the number of the current process or thread, in the first PID namespace. */
struct ir_ins *lw_pid(struct lw *lw);
/*
 * Returns the number of the current process, or of a task's, in the PID namespace of dtrace.  The
 * consumer finds the process in /proc by it.  0: the process is not in that namespace.
 */
struct ir_ins *lw_own_pid(struct lw *lw);
struct ir_ins *lw_own_pid_of(struct lw *lw, struct val task);

/* Returns 1 if PID is the current process or an ancestor of it, else 0. */
struct ir_ins *lw_progenyof(struct lw *lw, struct ir_ins *pid);
struct ir_ins *lw_tid(struct lw *lw);

/* Writes the name of the firing's thread to dst. */
void lw_execname(struct lw *lw, struct ir_ins *dst, uint32_t size, enum ir_mem mem);

/*
 * Returns word n of the context with type `type`.  The verifier knows pointers to structures of
 * BTF.
 */
struct val lw_ctx_arg(struct lw *lw, unsigned int n, struct type *type);

struct val lw_writable(struct lw *lw, struct val a, uint32_t size);

/*
 * Copies size bytes of kernel or user memory to a slot, and remembers the copy.  Faults on bad
 * addresses.
 */
struct tmp lw_kread(struct lw *lw, struct val a, uint32_t size);

/* Evaluate the expression of a parameter or a translated member, in its own environment. */
struct val lw_in_binding(struct lw *lw, const struct expr *e,
			 struct val (*f)(struct lw *, const struct expr *));
struct val lw_in_xlator(struct lw *lw, const struct expr *e,
			struct val (*f)(struct lw *, const struct expr *));

/*
 * Returns f(lw, e) for an expression that has branches, and remembers it.  Memo entries end where
 * branches meet, so the key is the expression and the bindings of its parameters.  The expressions
 * that a site shares with clauses have native arguments only as parameters, so the bindings show
 * whose arguments they are.
 */
struct val lw_branched(struct lw *lw, const struct expr *e,
		       struct val (*f)(struct lw *, const struct expr *));
struct val lw_inline(struct lw *lw,
		     const struct expr *e); /* name[args] of an inline with parameters */
struct strv lw_str_inline(struct lw *lw, const struct expr *e);
struct strv lw_str_in_binding(struct lw *lw, const struct expr *e);
struct strv lw_str_in_xlator(struct lw *lw, const struct expr *e);
bool lw_str_is_known(struct lw *lw, const struct expr *e); /* lw_str_in_xlator has it already */
struct ir_ins *lw_str_into_xlator(struct lw *lw, const struct expr *e, struct ir_ins *dst,
				  uint32_t size, enum ir_mem mem);

/* Empties the clause-local strings and structures of lw->firing.group. */
void lw_this_init(struct lw *lw);

/* Returns x op y with a result of type t. */
struct ir_ins *lw_arith(struct lw *lw, enum expr_op op, const struct type *t, struct ir_ins *x,
			struct ir_ins *y);

/* A scalar lvalue with evaluated keys and address.  It can be read, then written. */
struct lvalue {
	const struct expr *e;
	struct ir_ins *key; /* element of an associative array */
	/* memory, if neither an element nor a variable; a member: its structure */
	struct val addr;
};

struct lvalue lw_lvalue(struct lw *lw, const struct expr *e);
struct ir_ins *lw_lvalue_read(struct lw *lw, const struct lvalue *x);
void lw_lvalue_write(struct lw *lw, const struct lvalue *x, struct ir_ins *v);

/* consts.c: constants of one program.  They are appended to BYTES. */
struct consts *consts_new(struct arena *a, struct buf *bytes);
void consts_free(struct consts *c);

extern const struct bpf_rtlib bpf_rt;

#endif
