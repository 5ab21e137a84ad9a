/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lower.h: from checked D clauses to IR.
 *
 * struct lw is one program under construction.  Lowering a unit walks its groups.  For each group,
 * the site predicates, clause predicates and actions of all its clauses become one function.
 *
 * Lowering finds common subexpressions.  Each pure operation and each kernel read is remembered
 * under its operands while it dominates the current point (lw_push and lw_pop bracket conditional
 * code).  Translators can therefore be expanded member by member without cost.
 */
#ifndef LOWER_LOWER_H
#define LOWER_LOWER_H

#include "plan/plan.h"

/* Result of lowering a unit. */
struct lowered {
	struct ir_module *mod;
	struct buf consts;     /* offsets in MAP_RODATA start at its first byte */
	uint32_t scratch_size; /* bytes of scratch memory; 0: unused */
	bool keeps_addresses;  /* variables may hold addresses of variables, see plan.is_aliased */
	bool lacks_tables;     /* user stacks are not unwound, because of no_direct */
	const char *lacks;     /* a member that the kernel's types lack, or NULL */
};

/*
 * Lowers one unit to IR by the plan.  Changes only *out.  The back end rejects programs that are
 * too large for the kernel.  The caller frees out->consts.
 */
void lower_unit(const struct plan *plan, const struct unit *u, struct lowered *out);

/* Memory that a pointer points to.  It decides how the pointer is followed. */
enum place {
	PLACE_SCALAR, /* unknown: kernel address, followed through a helper that may fault */
	PLACE_BTF,    /* the verifier knows its BTF type: followed by plain loads */
	PLACE_CTX,    /* the probe context */
	PLACE_SAFE,   /* map value, stack slot, record: plain loads, any offset within `room` */
	PLACE_USER,   /* user address */
};

struct val {
	struct ir_ins *v;
	struct type *type; /* type of the value; for addresses, type of the object */
	enum place place;
	enum ir_mem mem;      /* PLACE_SAFE */
	int64_t off;	      /* constant offset not yet added to v (addresses only) */
	struct type *btf;     /* PLACE_BTF: structure that v points into ... */
	uint64_t btf_off;     /* ... at this offset */
	struct type *sou;     /* addresses: the structure at v + off, NULL if none */
	struct ir_ins *found; /* strings: as in struct strv */
};

/* A string in memory that plain loads can read. */
struct strv {
	struct ir_ins *p;
	uint32_t size; /* bytes readable at p, the NUL included */
	enum ir_mem mem;
	struct ir_ins *len;   /* length without the NUL; NULL: unknown */
	struct ir_ins *found; /* 0 if the string is NULL; NULL: it never is */
};

/* Memory that lasts until the clause ends. */
struct tmp {
	struct ir_ins *p;
	enum ir_mem mem;
};

struct binding {
	struct ident *param;
	const struct expr *expr; /* lowered at each use, in the bindings of env */
	struct binding *env;
	bool in_site; /* lw->in_site of env */
	bool is_pure; /* the expression and its environment give the same value at each use */
	struct binding *next;
};

/* An SSA variable of the firing. */
struct firing_var {
	const void *owner;
	unsigned int var;
};

struct memo;
struct consts;

/* The current firing: its probe and its site. */
struct lw_firing {
	const struct provider *mech;
	struct probe *probe; /* published probe; NULL: decided at run time */
	struct group *group;
	struct ir_ins *ctx;
	struct ir_ins *frame;	 /* argument of the function: ctx, if there is no stub */
	struct ir_ins *key;	 /* dispatch number */
	int64_t key_max;	 /* largest key of the unit, for tables by key */
	struct ir_ins *probe_id; /* of the published probe */
	struct ir_ins *group_id; /* the same, looked up by key if the group has several probes */
	struct val thread;	 /* task of the firing; v is NULL: the current one */
	struct clause *site;	 /* site whose returned values are the arguments, or NULL */
	struct stmt *site_ret;
	bool in_site;	     /* evaluating a site's own expressions: args[] are the mechanism's */
	bool trusted;	     /* library code: kernel pointers need no checked reads */
	bool in_error;	     /* lowering an ERROR clause */
	unsigned int result; /* SSA variable: return value of the program */
	bool may_stop;	     /* exit() may have run earlier in this firing */
	bool gate_late;	     /* the test whether tracing is on comes later */
	VEC(struct firing_var) vars;
};

/* The clause under construction. */
struct lw_clause {
	struct rec_desc *desc;
	struct ir_ins *rec;	/* reserved record, NULL if none */
	struct ir_ins *meter;	/* bytes that this CPU has recorded; NULL: not counted */
	unsigned int var_flags; /* SSA variable: BPF_RB_* of the submission */
	unsigned int action;	/* 1-based, for faults */
	struct ir_block *fault; /* block for faults; NULL: skip without a report */
	struct ir_block *skip;
	unsigned int var_fault, var_fault_val, var_fault_act;
	const struct expr
	    *made_expr; /* variable that lw_made has created for a write to a part of it */
	struct val made;
	struct ir_ins *assigned; /* value of the last scalar assignment */
};

/* Memory of the program, and versions of memory that may change. */
struct lw_memory {
	bool want_scratch, has_scratch; /* used by the current group, by any group */
	struct ir_ins *scratch;
	uint32_t scratch_used, scratch_max; /* offsets in the entry */
	uint32_t stack_used;
	int64_t nwrites;	/* writes to memory of alloca() so far */
	int64_t nfound;		/* writes to scalar variables of libraries so far */
	unsigned int nself_new; /* number of places that may have created a thread's variables */
};

struct lw {
	const struct plan *plan;
	const struct unit *unit;
	/* unit of the program; for clauses of ERROR, the unit that contains them */
	const struct unit *program;
	struct ir_module *mod;
	struct lowered *out;
	struct ir_builder b;
	struct binding *env;
	struct memo *memo;
	struct consts *consts;
	bool no_direct; /* read kernel memory only through helpers */
	/* function of the module that counts losses; the next one takes scratch memory */
	unsigned int drop_func;
	struct lw_firing firing;
	struct lw_clause clause;
	struct lw_memory mem;
};

/* Bracket code that does not dominate later code. */
unsigned int lw_push(struct lw *lw);
void lw_pop(struct lw *lw, unsigned int mark);

/* Pure operations.  Their results are remembered. */
struct ir_ins *lw_const(struct lw *lw, int64_t v);
struct ir_ins *lw_bin(struct lw *lw, enum ir_op op, struct ir_ins *x, struct ir_ins *y);
struct ir_ins *lw_bini(struct lw *lw, enum ir_op op, struct ir_ins *x, int64_t y);
struct ir_ins *lw_un(struct lw *lw, enum ir_op op, struct ir_ins *x);
struct ir_ins *lw_load_pure(struct lw *lw, unsigned int size, struct ir_ins *p, int64_t off,
			    enum ir_mem mem);
struct ir_ins *lw_helper_pure(struct lw *lw, int64_t helper); /* no operands */

/* Helper calls with an effect: operands end with NULL. */
struct ir_ins *lw_helper(struct lw *lw, int64_t helper, ...);
struct ir_ins *lw_rt(struct lw *lw, const char *name, ...);

/* Structured control flow. */
struct ir_block *lw_block(struct lw *lw);
void lw_if(struct lw *lw, struct ir_ins *cond, struct ir_block *yes, struct ir_block *no);

/*
 * Returns the smaller of two unsigned values.  It uses a branch, so that the verifier learns the
 * bound.
 */
struct ir_ins *lw_umin(struct lw *lw, struct ir_ins *x, struct ir_ins *y);

/* Leaves the clause with a fault if cond is not 0. */
void lw_fault_if(struct lw *lw, struct ir_ins *cond, enum abi_fault code, struct ir_ins *value);

/* Does the same with a fault code that is known only at run time. */
void lw_fault_code_if(struct lw *lw, struct ir_ins *cond, struct ir_ins *code,
		      struct ir_ins *value);

/* Returns the map that a built-in described among the things it uses. */
struct ir_ins *lw_leaf_map(struct lw *lw, const struct plan_map *like);

/* Counts a loss. */
void lw_drop(struct lw *lw, enum abi_drop kind);

/* Memory that lasts until the clause ends: a stack slot, or scratch memory if it is large. */
struct tmp lw_temp(struct lw *lw, uint32_t size);
struct tmp lw_scratch(struct lw *lw, uint32_t size);
struct tmp lw_slot(struct lw *lw, uint32_t size);

/* A slot of 8 bytes, and one with a number as the key of an array. */
struct tmp lw_slot_word(struct lw *lw);
struct tmp lw_array_key(struct lw *lw, struct ir_ins *number);
/*
 * Memory and scalar variables that all clauses of a firing share.  OWNER is known to the plan
 * (struct firing_mem), or is any address.  A variable starts as 0.  Memory starts with any content.
 */
struct tmp lw_firing_mem(struct lw *lw, const void *owner);
unsigned int lw_firing_var(struct lw *lw, const void *owner);

/*
 * Returns the address, as a number, of n bytes of memory that D programs write through pointers
 * until the clause ends.  Sets *p to a pointer for copying.  Faults with NOSCRATCH.
 */
struct ir_ins *lw_alloca(struct lw *lw, struct ir_ins *n, struct ir_ins **p);
/* Does the same, and appends a NUL to end a string in these bytes. */
struct ir_ins *lw_alloca_ended(struct lw *lw, struct ir_ins *n, struct ir_ins **p);

/*
 * Returns a pointer (IR_MEM_ANY) to write n bytes at an address of that memory or of a global.
 * Faults with BADADDR.
 */
struct ir_ins *lw_alloca_find(struct lw *lw, struct ir_ins *addr, struct ir_ins *n);

/*
 * Faults if n bytes from a number are in that memory but exceed the allocated part.  Only some
 * dialects treat this as an error.
 */
void lw_alloca_source(struct lw *lw, struct ir_ins *addr, struct ir_ins *n, enum abi_fault code,
		      struct ir_ins *value);

/* Frees all of that memory.  Called when a clause begins. */
void lw_alloca_reset(struct lw *lw);

/*
 * Copy size bytes, or a C string with its NUL in at most size bytes, from an address to dst.  Fault
 * with BADADDR if they cannot be read.  Return the helper's result: for a string, the number of
 * bytes with the NUL.
 */
struct ir_ins *lw_copy_bytes(struct lw *lw, enum place place, struct ir_ins *dst,
			     struct ir_ins *size, struct ir_ins *from);
struct ir_ins *lw_copy_string(struct lw *lw, enum place place, struct ir_ins *dst,
			      struct ir_ins *size, struct ir_ins *from);

/* Forgets memory that was read by address, since it may have changed. */
void lw_forget_reads(struct lw *lw);

void lw_zero(struct lw *lw, struct ir_ins *p, uint32_t size, enum ir_mem mem);

/* Return the offset in MAP_RODATA of n given bytes, with a NUL after them, or of n zero bytes. */
uint32_t lw_bytes(struct lw *lw, const void *p, uint32_t n, uint32_t align);
uint32_t lw_zeros(struct lw *lw, uint32_t n);

/* Expressions. */
struct val lw_expr(struct lw *lw, const struct expr *e); /* scalars and pointers */
struct ir_ins *lw_scalar(struct lw *lw, const struct expr *e);
struct ir_ins *lw_bool(struct lw *lw, const struct expr *e); /* 0 or not 0 */
struct val lw_addr(struct lw *lw, const struct expr *e);     /* address of a by-reference value */
struct val lw_load(struct lw *lw, struct val addr, struct type *t, uint64_t bit_off,
		   unsigned int bits);
void lw_store(struct lw *lw, struct val addr, struct type *t, uint64_t bit_off, unsigned int bits,
	      struct ir_ins *v);
struct ir_ins *lw_norm(struct lw *lw, struct ir_ins *v,
		       const struct type *t); /* canonical 64 bits */
/* Returns the value of the scalar lvalue e, perhaps a bit-field, after v is assigned to it. */
struct ir_ins *lw_stored(struct lw *lw, struct ir_ins *v, const struct expr *e);
struct val lw_arg(struct lw *lw, unsigned int n, struct type *type);
struct ir_ins *lw_rawarg(struct lw *lw, unsigned int n);
void lw_stmt(struct lw *lw, const struct expr *e);

/* Strings. */
struct strv lw_str(struct lw *lw, const struct expr *e); /* in readable memory */
/*
 * Copy a string to dst.  NULL is a fault, but lw_str_or_null copies an empty string for it and
 * returns strv.found.
 */
void lw_str_into(struct lw *lw, const struct expr *e, struct ir_ins *dst, uint32_t size,
		 enum ir_mem mem);
struct ir_ins *lw_str_or_null(struct lw *lw, const struct expr *e, struct ir_ins *dst,
			      uint32_t size, enum ir_mem mem);
struct ir_ins *lw_strcmp(struct lw *lw, const struct expr *x, const struct expr *y); /* <0, 0, >0 */

bool lw_is_null(const struct expr *e);			      /* the constant 0, perhaps cast */
struct val lw_str_chars(struct lw *lw, const struct expr *e); /* address of its characters */

/*
 * Strings as arguments of subroutines: NULL is a fault.  lw_str_copy copies to scratch memory of
 * strsize bytes.
 */
struct strv lw_str_arg(struct lw *lw, const struct expr *e);
struct strv lw_str_copy(struct lw *lw, const struct expr *e);
void lw_value_into(struct lw *lw, const struct expr *e, struct type *t, struct ir_ins *dst,
		   uint32_t size, enum ir_mem mem);

/*
 * Stacks: the value of a call; the owner of a stack, 0 if it is empty; 0 if two stacks are equal.
 */
struct val lw_stack_value(struct lw *lw, const struct expr *call);
void lw_stack_into(struct lw *lw, const struct expr *call, struct ir_ins *dst, enum ir_mem mem);
struct ir_ins *lw_stack_owner(struct lw *lw, const struct expr *e);
struct ir_ins *lw_stack_differ(struct lw *lw, const struct expr *x, const struct expr *y);

/* Variables. */
struct val lw_var_read(struct lw *lw, const struct expr *e);
void lw_assign(struct lw *lw, const struct expr *e);
/* Returns a key of these items.  LAST is the last word of the key, or NULL. */
struct ir_ins *lw_key(struct lw *lw, struct expr *const *args, unsigned int n,
		      const struct item *items, uint32_t size, struct ir_ins *last);

/*
 * Stores a value as item it of a key or record at t.  Bytes after the NUL of a string keep their
 * content.
 */
void lw_store_item(struct lw *lw, const struct item *it, const struct expr *e, struct tmp t);

/* Records.  Their layout was planned for the clause part. */
void lw_item_store(struct lw *lw, unsigned int item, const struct expr *e); /* into the record */
void lw_item_store_int(struct lw *lw, unsigned int item, struct ir_ins *v);
/*
 * lw_time returns CLOCK_MONOTONIC of dtrace's machine, in ns, and lw_wall_time ns since 1970: one
 * time for all uses in a clause, and for the whole firing if records have times.  lw_kernel_time
 * returns the time of the kernel that runs the program (bpf_ktime_get_ns), one for the clause.
 */
struct ir_ins *lw_kernel_time(struct lw *lw);
struct ir_ins *lw_time(struct lw *lw);
struct ir_ins *lw_wall_time(struct lw *lw);

/* Returns true if each record has its time. */
bool lw_has_times(const struct lw *lw);
/* Stores lw_time at time_off of the record: records are in the order of `timestamp`. */
void lw_rec_time(struct lw *lw);
/* Stores the thread of the firing at thread_off of the record. */
void lw_rec_thread(struct lw *lw);
void lw_agg_update(struct lw *lw, const struct expr *e);
void lw_clause(struct lw *lw, const struct enabling *en);
struct ir_ins *lw_epid(struct lw *lw);

/*
 * Action that sends the values for a clause which runs at the host (lang/hosted.c).  Each argument
 * has three items: the value, the fault that its evaluation had (or 0), and the value of the fault.
 */
extern const struct builtin_act lw_send;

/*
 * lw_key_table returns a new table by dispatch number, which goes to MAP_RODATA.  lw_by_key returns
 * the row for the current number.  Beyond the table it is the last row, 0, because the code cannot
 * leave while a record may be reserved.
 */
uint32_t *lw_key_table(struct lw *lw);
struct ir_ins *lw_by_key(struct lw *lw, const uint32_t *table);

/*
 * lw_reserve reserves a record of size bytes.  Without room it counts the drop and goes to `full`.
 * The record must then be submitted or discarded.  With _now the record is sent at once under every
 * policy.
 */
struct ir_ins *lw_reserve(struct lw *lw, uint32_t size, struct ir_block *full);
void lw_submit(struct lw *lw, struct ir_ins *rec, struct ir_ins *flags);
void lw_discard(struct lw *lw, struct ir_ins *rec);
struct ir_ins *lw_reserve_now(struct lw *lw, uint32_t size, struct ir_block *full);
void lw_submit_now(struct lw *lw, struct ir_ins *rec, struct ir_ins *flags);

/* Does the same as lw_reserve for a record without data.  Nothing is counted without room. */
struct ir_ins *lw_reserve_word(struct lw *lw, uint32_t size, struct ir_block *full);

/*
 * Checks for room in this CPU's share of the buffer for the record of lw->clause.desc.  Without
 * room, counts the drop and goes to `full`.  Returns the counter for lw_take_room, or NULL if
 * nothing is counted.
 */
struct ir_ins *lw_check_room(struct lw *lw, struct ir_block *full);
void lw_take_room(struct lw *lw);

/* Stores the first 8 bytes of a record. */
void lw_rec_head(struct lw *lw, struct ir_ins *rec, unsigned int desc);

/* Ends the clause and discards its record. */
void lw_end_clause(struct lw *lw);

/*
 * Returns the identity of a speculation for records: its number, and the use count from its word.
 */
struct ir_ins *lw_spec_handle(struct lw *lw, struct ir_ins *id, struct ir_ins *word);

/* Adds BY to row[off], atomically if several programs update the aggregation. */
void lw_word_add(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, int64_t off,
		 struct ir_ins *by);

#endif
