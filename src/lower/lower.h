/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lower.h: from checked D clauses to IR.
 *
 * struct lw is one program under construction.  Lowering one unit walks its groups; for each group
 * the site predicates, clause predicates and actions of all its clauses become one function.
 *
 * Common subexpressions are found while lowering: every pure operation, every read of kernel memory
 * is remembered under its operands as long as the current point is dominated by it (lw_push and
 * lw_pop bracket conditional code).  So translators can be expanded member by member without cost.
 */
#ifndef LOWER_LOWER_H
#define LOWER_LOWER_H

#include "plan/plan.h"

/* What becomes of a unit. */
struct lowered {
	struct ir_module *mod;
	struct buf consts;     /* offsets in MAP_RODATA count from its first byte */
	uint32_t scratch_size; /* bytes of scratch memory; 0: none is used */
	bool keeps_addresses;  /* variables may hold addresses of variables, see plan.is_aliased */
	const char *lacks;     /* a member that the kernel's types lack, NULL: none */
};

/*
 * One unit to IR, by the plan; nothing but *out changes.  What is too large for the kernel is the
 * back end's to say.  The caller frees out->consts.
 */
void lower_unit(const struct plan *plan, const struct unit *u, struct lowered *out);

/* Where a pointer points, which decides how it is followed. */
enum place {
	PLACE_SCALAR, /* not known: kernel address, followed through a helper that may fault */
	PLACE_BTF,    /* the verifier knows its BTF type: followed by plain loads */
	PLACE_CTX,    /* the probe context */
	PLACE_SAFE,   /* map value, stack slot, record: plain loads, any offset within `room` */
	PLACE_USER,   /* user address */
};

struct val {
	struct ir_ins *v;
	struct type *type; /* of the value; of the object, for addresses */
	enum place place;
	enum ir_mem mem;      /* PLACE_SAFE */
	int64_t off;	      /* constant offset not yet added to v (addresses only) */
	struct type *btf;     /* PLACE_BTF: structure that v points into ... */
	uint64_t btf_off;     /* ... at this offset */
	struct type *sou;     /* addresses: the structure at v + off, NULL if none */
	struct ir_ins *found; /* strings: as in struct strv */
};

/* A string in memory that can be read directly. */
struct strv {
	struct ir_ins *p;
	uint32_t size; /* bytes readable at p, the NUL included */
	enum ir_mem mem;
	struct ir_ins *len;   /* length without the NUL, NULL if not known */
	struct ir_ins *found; /* 0 if the string is NULL; NULL: it never is */
};

/* Memory for the rest of the clause. */
struct tmp {
	struct ir_ins *p;
	enum ir_mem mem;
};

struct binding {
	struct ident *param;
	const struct expr *expr; /* lowered at each use, in the bindings of env */
	struct binding *env;
	bool in_site; /* lw->in_site of env */
	bool is_pure; /* this and all that it is among makes the same value at each use */
	struct binding *next;
};

/* An SSA variable of the firing. */
struct firing_var {
	const void *owner;
	unsigned int var;
};

struct memo;
struct consts;

/* What is known of the firing at hand: the probe, and its site. */
struct lw_firing {
	const struct provider *mech;
	struct probe *probe; /* published probe, NULL: decided at run time */
	struct group *group;
	struct ir_ins *ctx;
	struct ir_ins *frame;	 /* what the function is called with: ctx, if there is no stub */
	struct ir_ins *key;	 /* dispatch number */
	int64_t key_max;	 /* the largest of the unit, for tables by it */
	struct ir_ins *probe_id; /* of the published probe */
	struct ir_ins *group_id; /* the same, looked up by key for a group of several probes */
	struct val thread;	 /* the task it is of; v is NULL: the current one */
	struct clause *site;	 /* NULL, or the site whose returned values are the arguments */
	struct stmt *site_ret;
	bool in_site;	     /* evaluating a site's own expressions: args[] are the mechanism's */
	bool trusted;	     /* library code: kernel pointers need no checked reads */
	bool in_error;	     /* lowering an ERROR clause */
	unsigned int result; /* SSA variable: what the program returns */
	bool may_stop;	     /* exit() may have run earlier in this firing */
	bool gate_late;	     /* whether tracing is on is still to be checked */
	VEC(struct firing_var) vars;
};

/* The clause that is being made. */
struct lw_clause {
	struct rec_desc *desc;
	struct ir_ins *rec;	/* reserved record, NULL if none */
	struct ir_ins *meter;	/* bytes that this CPU has recorded, NULL: not counted */
	unsigned int var_flags; /* SSA variable: BPF_RB_* of the submission */
	unsigned int action;	/* 1-based, for faults */
	struct ir_block *fault; /* where faults go; NULL: to skip, silently */
	struct ir_block *skip;
	unsigned int var_fault, var_fault_val, var_fault_act;
	const struct expr
	    *made_expr; /* variable that lw_made has made for a write to a part of it */
	struct val made;
	struct ir_ins *assigned; /* value of the last scalar assignment */
};

/* Memory of the program, and what is known of memory that may change. */
struct lw_memory {
	bool want_scratch, has_scratch; /* the group at hand, any */
	struct ir_ins *scratch;
	uint32_t scratch_used, scratch_max; /* offsets in the entry */
	uint32_t stack_used;
	int64_t nwrites;	/* to memory of alloca() so far */
	int64_t nfound;		/* to scalar variables of libraries */
	unsigned int nself_new; /* times that a thread's variables may have been created */
};

struct lw {
	const struct plan *plan;
	const struct unit *unit;
	const struct unit *program; /* unit; in clauses of ERROR the one that they are a part of */
	struct ir_module *mod;
	struct lowered *out;
	struct ir_builder b;
	struct binding *env;
	struct memo *memo;
	struct consts *consts;
	bool no_direct;		/* read kernel memory only through helpers */
	unsigned int drop_func; /* of the module, counts losses; the next takes scratch memory */
	struct lw_firing firing;
	struct lw_clause clause;
	struct lw_memory mem;
};

/* Bracket code that does not dominate what follows it. */
unsigned int lw_push(struct lw *lw);
void lw_pop(struct lw *lw, unsigned int mark);

/* Pure operations, remembered. */
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

/* The smaller one, both unsigned; by a branch, so that the verifier knows. */
struct ir_ins *lw_umin(struct lw *lw, struct ir_ins *x, struct ir_ins *y);

/* Leave the clause with a fault if cond is not 0. */
void lw_fault_if(struct lw *lw, struct ir_ins *cond, enum abi_fault code, struct ir_ins *value);

/* The same, if which one is known only when it happens. */
void lw_fault_code_if(struct lw *lw, struct ir_ins *cond, struct ir_ins *code,
		      struct ir_ins *value);

/* The map that a built-in has described in what it uses. */
struct ir_ins *lw_leaf_map(struct lw *lw, const struct plan_map *like);

/* Count a loss. */
void lw_drop(struct lw *lw, enum abi_drop kind);

/* Memory for the rest of the clause: a stack slot, or a piece of scratch memory if it is large. */
struct tmp lw_temp(struct lw *lw, uint32_t size);
struct tmp lw_scratch(struct lw *lw, uint32_t size);
struct tmp lw_slot(struct lw *lw, uint32_t size);
/*
 * Memory and scalar variables that all clauses of a firing share, of an owner that the plan knows
 * (struct firing_mem) or any address.  A variable is 0 before it is written, memory has any
 * content.
 */
struct tmp lw_firing_mem(struct lw *lw, const void *owner);
unsigned int lw_firing_var(struct lw *lw, const void *owner);

/*
 * n bytes of the memory that D programs write through pointers, until the clause ends: their
 * address as a number, and in *p as a pointer to copy them to.  NOSCRATCH fault.
 */
struct ir_ins *lw_alloca(struct lw *lw, struct ir_ins *n, struct ir_ins **p);
/* The same, followed by a NUL, at which a string ends that is made of them. */
struct ir_ins *lw_alloca_ended(struct lw *lw, struct ir_ins *n, struct ir_ins **p);

/* A pointer to write n bytes at an address of that memory, or of a global (IR_MEM_ANY); BADADDR
 * fault. */
struct ir_ins *lw_alloca_find(struct lw *lw, struct ir_ins *addr, struct ir_ins *n);

/* A fault if n bytes from a number are of that memory, and more than was handed out: that is an
 * error in some dialects. */
void lw_alloca_source(struct lw *lw, struct ir_ins *addr, struct ir_ins *n, enum abi_fault code,
		      struct ir_ins *value);

/* A clause begins: all of that memory is free. */
void lw_alloca_reset(struct lw *lw);

/*
 * Copy size bytes, or a C string and its NUL in as much room, from an address to dst; a BADADDR
 * fault if they cannot be read.  What the helper returned: of a string the bytes with the NUL.
 */
struct ir_ins *lw_copy_bytes(struct lw *lw, enum place place, struct ir_ins *dst,
			     struct ir_ins *size, struct ir_ins *from);
struct ir_ins *lw_copy_string(struct lw *lw, enum place place, struct ir_ins *dst,
			      struct ir_ins *size, struct ir_ins *from);

/* What was read by address before may have changed. */
void lw_forget_reads(struct lw *lw);

void lw_zero(struct lw *lw, struct ir_ins *p, uint32_t size, enum ir_mem mem);

/* Offset in MAP_RODATA of these n bytes, behind which is a NUL; of n bytes of 0. */
uint32_t lw_bytes(struct lw *lw, const void *p, uint32_t n, uint32_t align);
uint32_t lw_zeros(struct lw *lw, uint32_t n);

/* Expressions. */
struct val lw_expr(struct lw *lw, const struct expr *e); /* scalars and pointers */
struct ir_ins *lw_scalar(struct lw *lw, const struct expr *e);
struct ir_ins *lw_bool(struct lw *lw, const struct expr *e); /* 0 or not 0 */
struct val lw_addr(struct lw *lw, const struct expr *e);     /* where a by-reference value is */
struct val lw_load(struct lw *lw, struct val addr, struct type *t, uint64_t bit_off,
		   unsigned int bits);
void lw_store(struct lw *lw, struct val addr, struct type *t, uint64_t bit_off, unsigned int bits,
	      struct ir_ins *v);
struct ir_ins *lw_norm(struct lw *lw, struct ir_ins *v,
		       const struct type *t); /* canonical 64 bits */
/* What an assignment of v leaves in the scalar lvalue e, which may be a bit-field. */
struct ir_ins *lw_stored(struct lw *lw, struct ir_ins *v, const struct expr *e);
struct val lw_arg(struct lw *lw, unsigned int n, struct type *type);
struct ir_ins *lw_rawarg(struct lw *lw, unsigned int n);
void lw_stmt(struct lw *lw, const struct expr *e);

/* Strings. */
struct strv lw_str(struct lw *lw, const struct expr *e); /* somewhere readable */
/* A copy at dst; NULL is a fault.  lw_str_or_null: it is the empty string; returns strv.found. */
void lw_str_into(struct lw *lw, const struct expr *e, struct ir_ins *dst, uint32_t size,
		 enum ir_mem mem);
struct ir_ins *lw_str_or_null(struct lw *lw, const struct expr *e, struct ir_ins *dst,
			      uint32_t size, enum ir_mem mem);
struct ir_ins *lw_strcmp(struct lw *lw, const struct expr *x, const struct expr *y); /* <0, 0, >0 */

bool lw_is_null(const struct expr *e);			      /* the constant 0, perhaps cast */
struct val lw_str_chars(struct lw *lw, const struct expr *e); /* where its characters are */

/* Arguments of subroutines: NULL is a fault.  lw_str_copy: in scratch memory, strsize bytes. */
struct strv lw_str_arg(struct lw *lw, const struct expr *e);
struct strv lw_str_copy(struct lw *lw, const struct expr *e);
void lw_value_into(struct lw *lw, const struct expr *e, struct type *t, struct ir_ins *dst,
		   uint32_t size, enum ir_mem mem);

/* Stacks: what a call returns; whose a stack is, 0: it is none; 0 if two are the same. */
struct val lw_stack_value(struct lw *lw, const struct expr *call);
void lw_stack_into(struct lw *lw, const struct expr *call, struct ir_ins *dst, enum ir_mem mem);
struct ir_ins *lw_stack_owner(struct lw *lw, const struct expr *e);
struct ir_ins *lw_stack_differ(struct lw *lw, const struct expr *x, const struct expr *y);

/* Variables. */
struct val lw_var_read(struct lw *lw, const struct expr *e);
void lw_assign(struct lw *lw, const struct expr *e);
/* A key of these items; last: what its last word is, NULL: nothing special. */
struct ir_ins *lw_key(struct lw *lw, struct expr *const *args, unsigned int n,
		      const struct item *items, uint32_t size, struct ir_ins *last);

/* Store a value as item it of a key or record at t; strings leave what is behind their NUL alone.
 */
void lw_store_item(struct lw *lw, const struct item *it, const struct expr *e, struct tmp t);

/* Records: every unit stores to what was planned for the clause part. */
void lw_item_store(struct lw *lw, unsigned int item, const struct expr *e); /* into the record */
void lw_item_store_int(struct lw *lw, unsigned int item, struct ir_ins *v);
/* A time of the kernel (bpf_ktime_get_ns) as one of ours. */
struct ir_ins *lw_our_time(struct lw *lw, struct ir_ins *t);

/* A time of that clock as nanoseconds since 1970. */
struct ir_ins *lw_wall_time(struct lw *lw, struct ir_ins *t);
/* When the firing had its first record, our CLOCK_MONOTONIC in ns: at time_off of this one. */
void lw_rec_time(struct lw *lw);
void lw_agg_update(struct lw *lw, const struct expr *e);
void lw_clause(struct lw *lw, const struct enabling *en);
struct ir_ins *lw_epid(struct lw *lw);

/*
 * The action by which a clause that runs at the host (lang/hosted.c) has values sent: for each
 * argument an item, and two for the fault that its evaluation was and the value of that, else 0.
 */
extern const struct builtin_act lw_send;

/*
 * The row for the dispatch number of a table of lw_key_table(), which goes to MAP_RODATA; its last
 * row, 0, if the number is beyond.  There is no way out here: a record may be reserved.
 */
uint32_t *lw_key_table(struct lw *lw);
struct ir_ins *lw_by_key(struct lw *lw, const uint32_t *table);

/*
 * A record of size bytes; without room for it count the drop and go to `full`.  Then it is
 * submitted or given back.  _now: not kept until tracing ends, whatever the policy.
 */
struct ir_ins *lw_reserve(struct lw *lw, uint32_t size, struct ir_block *full);
void lw_submit(struct lw *lw, struct ir_ins *rec, struct ir_ins *flags);
void lw_discard(struct lw *lw, struct ir_ins *rec);
struct ir_ins *lw_reserve_now(struct lw *lw, uint32_t size, struct ir_block *full);
void lw_submit_now(struct lw *lw, struct ir_ins *rec, struct ir_ins *flags);

/* The same as lw_reserve for a record that has no data: without room nothing is counted. */
struct ir_ins *lw_reserve_word(struct lw *lw, uint32_t size, struct ir_block *full);

/*
 * Is there room in this CPU's share of the buffer for the record of lw->desc?  Without, count the
 * drop and go to `full`.  Where that is counted, for lw_take_room; NULL: it is not.
 */
struct ir_ins *lw_check_room(struct lw *lw, struct ir_block *full);
void lw_take_room(struct lw *lw);

/* The first 8 bytes of a record. */
void lw_rec_head(struct lw *lw, struct ir_ins *rec, unsigned int desc);

/* The clause ends here: its record is given back. */
void lw_end_clause(struct lw *lw);

/* What records say of a speculation: its number, and from its word which use of it this is. */
struct ir_ins *lw_spec_handle(struct lw *lw, struct ir_ins *id, struct ir_ins *word);

/* row[off] += by, atomically if several programs update the aggregation. */
void lw_word_add(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, int64_t off,
		 struct ir_ins *by);

#endif
