/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan.h: what is decided about a session's programs before any of them is made: maps, layouts of
 * variables, aggregations and records, and what each unit uses.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "base/buf.h"
#include "base/dialect.h"
#include "base/torture.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "lang/lang.h"
#include "plan/probe.h"
#include "rt/abi.h"
#include "type/type.h"

struct arena;
struct keeper;
struct kern;
struct map;
struct procs;
struct agg_layout;
struct builtin_var;
struct consumer;
struct strv;
struct tmp;
struct value;

/* Maps every session has; their numbers are fixed. */
enum {
	MAP_STATE, /* struct abi_state, then the rows without keys (plan_row) */
	MAP_RING,
	MAP_DROPS,
	MAP_GLOBALS,
	MAP_RODATA,
	MAP_SCRATCH,
	MAP_SELF,
	MAP_METER, /* bytes of records of this CPU */
	MAP_FILL,  /* by half, then plan_map.fill: rows of aggregations that this CPU has made */
	MAP_KEPT,  /* by CPU, under policy ring: struct abi_memory */
	MAP_FIRST,
};

struct plan_map {
	const char *name;
	enum bpf_map_type type;
	uint32_t key_size, value_size, max_entries, flags;
	bool is_used;
	bool is_twin;	     /* the first of two such maps: rows of an aggregation, in halves */
	unsigned int fill;   /* of a twin: its word in the values of MAP_FILL, ... */
	uint32_t room;	     /* ... and how many rows each CPU may make */
	unsigned int nusers; /* of a map that is shared, see plan_map_share */
	const struct plan_map *leaf; /* of a map of built-ins: how they describe it */
};

/* Key of the map of processes: one in an address space, as exec() makes another one of it. */
struct plan_met {
	uint64_t pid, mm;
};

/* How one datum is stored in a record or key. */
enum item_enc {
	ITEM_INT,   /* size bytes, is_signed */
	ITEM_STR,   /* size bytes, NUL-terminated */
	ITEM_BYTES, /* size bytes */
	ITEM_STACK, /* as abi.h says */
	ITEM_SYM,
	ITEM_MOD, /* kernel address */
	ITEM_USYM,
	ITEM_UMOD,
	ITEM_UADDR, /* pid, address: 16 bytes */
};

struct item {
	enum item_enc enc;
	uint32_t off, size;
	bool is_signed;
	struct type *type;
};

/* What the consumer does with the items of one action. */
struct rec_act {
	const char *name; /* "printf", interned */
	const struct builtin_act *impl;
	unsigned int first, n; /* items */
	struct fmt *fmt;
	struct ident **aggs; /* printa, clear, ... */
	unsigned int naggs;
	int64_t val; /* action's own constant (tracemem size, stack frames) */
	struct loc loc;
};

/*
 * Most bytes of a record (RINGBUF_MAX_RECORD_SZ, kernel/bpf/ringbuf.c); a larger one is always a
 * drop.
 */
#define REC_SIZE_MAX (UINT32_MAX / 4 - 7)

struct rec_desc {
	struct clause *clause;
	unsigned int part;
	uint64_t size; /* in the ring */
	/* In a buffer of DTrace's, which small ones are counted as, and what it is a multiple of.
	 */
	uint64_t room;
	uint32_t align;
	VEC(struct item) items;
	VEC(struct rec_act) acts;
	unsigned int index;		/* in plan->descs */
	uint32_t epid_base, probe_base; /* epid = epid_base + (probe id - probe_base) */
	bool is_sent;			/* not printed: values for the clause at the host */
	unsigned int spec_item;		/* the handle of its speculation, + 1; 0: none */
	uint32_t time_off; /* of the time of its firing, for actions on aggregations; 0: none */
};

/* Layout of an aggregation, shared by the code and the consumer. */
struct agg_layout {
	struct ident *ident;
	unsigned int map; /* with keys: the one of half 0; that of half 1 is the next */
	VEC(struct item) keys;
	uint32_t key_size; /* 0: keyless */
	/* Number in a map that it shares, from 1; 0: has one of its own.  The last word of keys is
	 * CPU | form << 16 | id << 32, the index in an array 2 * (id - 1) + half. */
	uint32_t id;
	uint32_t off;		  /* without keys, in MAP_STATE: see plan_row */
	bool fits;		  /* aggsize has room for one row */
	uint64_t counted;	  /* bytes of its keys as aggsize counts them */
	unsigned int nwords;	  /* of the value, with the word that says it was used */
	bool has_seen;		  /* last word: 1 once updated */
	bool is_shared;		  /* several updates may run at a time on a CPU: atomics */
	bool is_irqs_off;	  /* updated with interrupts off */
	bool is_burst;		  /* one firing may make several rows with interrupts off */
	bool is_batch;		  /* many firings may each make a row with interrupts off */
	const struct unit *owner; /* the only program so far */
	VEC(struct item) noted;	  /* largest form of each key in the program */
	/* Each statement has integer keys of its own sizes: keys.n items for each form. */
	VEC(struct item) forms;
	unsigned int nforms;
	/* What each key is called, NULL: nothing, or not everywhere the same. */
	VEC(const char *) labels;
	const struct clause *clause; /* the first that updates it, and where */
	const struct probe *probe;
};

struct var_layout {
	struct ident *ident;
	uint32_t off, size; /* in MAP_GLOBALS or MAP_SELF */
	unsigned int map;   /* associative array */
	VEC(struct item) keys;
	uint32_t key_size;
	uint32_t id; /* last word of keys in a map that it shares, from 1; 0: has one of its own */
};

/* What becomes of records when a CPU's buffer is full. */
enum plan_policy {
	PLAN_SWITCH, /* they are dropped until the consumer has made room */
	PLAN_FILL,   /* tracing stops */
	PLAN_RING,   /* they replace the oldest */
};

struct plan {
	struct arena *arena;
	struct intern *names;
	struct types *types;
	struct kern *kern;
	struct lang *lang;
	struct diags *diags;
	struct probes *probes;
	struct procs *procs;	       /* processes asked about so far */
	struct keeper *keeper;	       /* holds breakpoints in processes; NULL: nobody yet */
	const volatile int *signals;   /* how many have asked to end; NULL: none will */
	uint32_t name_size;	       /* bytes of the longest field of a probe known so far */
	uint32_t pcapsize;	       /* most bytes of a packet, a multiple of 8 */
	uint32_t strsize, scratchsize; /* bytes of a string, with its NUL; of the memory of
					* alloca() */
	uint64_t aggsize, dynvarsize, bufsize;
	uint64_t nspec, specsize;
	enum dialect dialect;
	unsigned int met; /* map: processes that the consumer knows; 0: no addresses are recorded */
	unsigned int
	    unwind; /* map: what walks of user stacks know; 0: they follow frame pointers */
	unsigned int python, python_new; /* maps, 0: no frames of python are asked for */
	unsigned int spec_free, spec_words, spec_fill; /* maps, 0: not there yet */
	/* Map: whether this CPU is taking a record; 0: no probe is in what does that. */
	unsigned int ring_busy;
	enum plan_policy policy;
	bool watches_machine; /* struct abi_state, load and what follows, is asked for */
	bool is_metered;      /* each CPU's share of the ring is counted, in MAP_METER */
	int cpu;	      /* the only one that is traced, -1: all */
	uint64_t unwindsize;  /* bytes of unwind tables; 0: none */
	unsigned int stackframes, ustackframes, jstackframes, maxframes;
	int64_t wall_offset; /* nanoseconds from CLOCK_MONOTONIC to the time of day when tracing
				begins */
	const char *vmname;  /* of the target, and its number: the host is 0 */
	uint32_t vmid;
	bool is_timed;		 /* every record says when it was made */
	bool has_clock;		 /* that of the kernel is not ours: struct abi_clock */
	uint32_t only_pid;	 /* what is looked for has come in this process; 0: in any */
	bool follows;		 /* probes of a process are those of its children, too */
	bool allows_none;	 /* a description may match no probe (option zdefs) */
	bool is_made;		 /* plan_make has decided on sizes */
	bool is_home;		 /* its clauses run at the host, for where they fire */
	bool shares_specs;	 /* the numbers of speculations are in the queue already */
	bool is_listing;	 /* probes are wanted to be told, not to be enabled */
	bool has_timer;		 /* perf events are to fire on top of whatever runs */
	bool no_direct;		 /* read kernel memory only through helpers */
	bool is_aliased;	 /* there are pointers into memory of D variables */
	bool self_is_hash;	 /* thread-locals in a hash, not in task storage */
	struct unit *error_unit; /* NULL: no clause is on dtrace:::ERROR */
	const char *scope;	 /* path of the cgroup that is traced; NULL: all */
	VEC(struct plan_map) maps;
	VEC(struct rec_desc *) descs;
	VEC(struct agg_layout *) aggs;
	VEC(struct var_layout *) vars;
	struct map *layouts;  /* by address: of variables, aggregations, clause parts */
	unsigned int nhashes; /* maps of one aggregation or associative array */
	unsigned int nfills;  /* twin maps */
	uint32_t kept_max;    /* the largest record in MAP_KEPT */
	uint32_t globals_size, self_size;
	uint32_t rows_size; /* of the rows without keys that a CPU has in a half */
	uint32_t next_epid;
};

void plan_init(struct plan *plan);
void plan_fini(struct plan *plan);

/*
 * The layout of all that a session's units and the consumer share; what each unit evaluates is
 * known (unit_plan_make).  Lowering only reads it.
 */
void plan_make(struct plan *plan, struct unit *const *units, unsigned int n);

/* Layouts; that of an aggregation that nothing updates is NULL, as is a form without keys. */
struct agg_layout *plan_agg(const struct plan *plan, const struct ident *id);
const struct item *plan_agg_form(const struct agg_layout *ag, unsigned int form);
struct var_layout *plan_var(const struct plan *plan, const struct ident *id);
struct rec_desc *plan_desc(const struct plan *plan, const struct clause *c, unsigned int part);

/*
 * A row without keys is in MAP_STATE, so that a firing has all that it needs at one place: behind
 * the state each CPU has its rows of half 0, then those of half 1, in cache lines of its own. There
 * are as many CPUs as a power of two, so that a program may mask its number.
 */
uint32_t plan_row(const struct plan *plan, const struct agg_layout *ag, unsigned int cpu,
		  unsigned int half);		   /* offset in the value */
uint32_t plan_row_stride(const struct plan *plan); /* from CPU to CPU */
unsigned int plan_row_cpus(const struct plan *plan);

/* The form of the keys in this update of an aggregation. */
unsigned int plan_form_of(const struct plan *plan, const struct expr *e);

/* Fields of probes may have so many characters. */
void plan_name_room(struct plan *plan, size_t len);

/* Between the files of plan/. */
void plan_var_add(struct plan *plan, struct ident *id);
void plan_updates(struct plan *plan, const struct enabling *en, const struct unit *u);
void plan_agg_place(struct plan *plan, struct agg_layout *ag);
void plan_records(struct plan *plan, struct clause *c);

/* How a value is stored that stands in a record or key; is_text: as a string. */
struct item plan_item(struct plan *plan, const struct expr *e, bool is_text);

/* For the plan() of an action: items of its record, which are numbered from 0. */
struct rec_act *rec_act_add(struct plan *plan, struct rec_desc *d, const char *name,
			    const struct expr *e);
unsigned int rec_item_add(struct rec_desc *d, struct item it); /* sets off; returns the index */
unsigned int rec_item_expr(struct plan *plan, struct rec_desc *d,
			   const struct expr *e); /* by its type */

/* Under policy ring: bytes of a CPU's memory, a power of two; what a record takes of it. */
uint64_t plan_kept_size(const struct plan *plan);
uint32_t plan_kept_room(uint64_t size);

/* Most bytes of a string, with its NUL: of an expression, an array's text, a built-in variable. */
uint32_t plan_str_bound(const struct plan *plan, const struct expr *e);
uint32_t plan_array_bound(const struct plan *plan, const struct expr *e);
uint32_t plan_var_bound(const struct plan *plan, const struct builtin_var *v);

/* Bytes of text that a string has in the lvalue e. */
uint32_t plan_str_room(const struct plan *plan, const struct expr *e);

/* A variable or an element of an associative array; not a part of one, or other memory. */
bool plan_is_variable(const struct expr *e);

/* The maps of processes whose addresses are recorded, of unwind tables, of frames of languages. */
void plan_users(struct plan *plan, bool has_stacks);
void plan_frames(struct plan *plan);
void plan_specs(struct plan *plan); /* the maps of speculations, if they are not there yet */
/* How many entries of so many bytes an option's size has room for: one at least. */
uint32_t plan_entries(uint64_t size, uint64_t entry);

/*
 * A program of the kernel's has 64 maps at most (MAX_USED_MAPS, linux/bpf_verifier.h).  A hash map
 * for each of the first aggregations and arrays, then one for all with about the same sizes, whose
 * keys are filled up with zeros and whose last word has the user's number *id, from 1.  In a shared
 * array each user has as many elements as it asked for: those of number *id begin where those of
 * *id - 1 end.
 */
unsigned int plan_map_hash(struct plan *plan, const struct plan_map *like, uint32_t *id);

/* Whether the next plan_map_hash() gives one that others share; at home there is no such limit. */
bool plan_next_hash_shared(const struct plan *plan);
unsigned int plan_map_share(struct plan *plan, const struct plan_map *like, uint32_t *id);
unsigned int plan_map_new(struct plan *plan, const char *name, enum bpf_map_type type, uint32_t key,
			  uint32_t value, uint32_t n, uint32_t flags);
bool plan_is_text(
    const struct type *t); /* stored as text: string, char []; a char * is an address */
uint32_t plan_type_size(const struct plan *plan, const struct type *t); /* strings: strsize */

/* From now on a value of type dt_stack_t has room for the largest that is asked for so far. */
void plan_stacks(struct plan *plan);

/* ---- what a unit evaluates ---- */

/* More scalar clause-locals than this are kept in memory of the firing.  They would not fit the
 * stack, and the verifier follows every combination of values that it knows: 30 flags set in
 * branches and tested later are 2^30 paths.  What it loads from a map it does not know. */
#define PLAN_LOCALS_MAX TORTURE_OR(0, 8)

/* Memory that all clauses of a firing share: a piece of the program's scratch memory. */
struct firing_mem {
	const void *owner;  /* a clause-local's ident, a built-in's row, the plan for alloca() */
	uint32_t off, size; /* off from the start of scratch memory */
};

struct var_use {
	struct ident *ident;
	bool is_read, is_written;
	const struct group *last_group;
};

/* A clause-local that the clauses of a group use. */
struct local_use {
	const struct group *group;
	struct ident *ident;
};

/* A member of a translated object. */
struct member_use {
	const struct type *of;
	const struct xmember *member;
};

#define PLAN_RAW_ARGS 10 /* arg0 to arg9 */

struct unit_plan {
	VEC(struct var_use *) vars; /* in order of first use */
	VEC(struct local_use) locals;
	VEC(struct member_use) members;
	VEC(struct firing_mem *) mems;
	const struct lang_args *args;	       /* of its first probe */
	uint32_t mem_size;		       /* of all of them; they begin at ABI_SCRATCH_HEAD */
	unsigned int narg_uses[PLAN_RAW_ARGS]; /* of argN, in all clauses */
	bool has_area;			       /* memory of alloca() and of stores by address */
	bool needs_running;		       /* it reads memory of the thread, or acts on it */
	bool has_result;		       /* it decides what the traced function returns */
	/* Scalar clause-locals that are assigned, in memory if PLAN_LOCALS_MAX are fewer; others
	 * are 0. */
	unsigned int nlocals;
	struct map *use_by_ident, *mem_by_owner, *member_seen;
};

/*
 * Follow all that the groups of a unit evaluate (again).  Variables that are read are marked so
 * (ident.is_read); what built-ins need is there afterwards.
 */
void unit_plan_make(struct plan *plan, struct unit *u);
void unit_plan_free(struct unit_plan *up); /* NULL is allowed */

/* Whether a clause evaluates what only a thread that runs has. */
bool plan_needs_running(struct plan *plan, const struct clause *c);

/* All of it as text. */
void plan_text(struct buf *b, const struct plan *plan, struct unit *const *units, unsigned int n);

/* Memory of the firing for an owner; NULL: the unit has none for it. */
struct firing_mem *plan_mem_find(const struct unit_plan *up, const void *owner);

/* Bytes of a variable with what belongs to it; of the memory of alloca(). */
uint32_t plan_var_size(const struct plan *plan, const struct type *t);
uint32_t plan_area_size(const struct plan *plan);

/* A map that belongs to built-ins: made when one is first used; its number. */
unsigned int plan_leaf_map(struct plan *plan, const struct plan_map *like);

/*
 * Rows of src/builtin/: what their impl points to.  Of a built-in: what has to be there before a
 * program that uses it is made.
 */
struct builtin_use {
	unsigned int firing_strings; /* memory of the firing, for so many strings */
	bool area;		     /* alloca() memory */
	bool speculations;
	bool user_addrs;	    /* it records addresses in processes */
	bool user_stack;	    /* it walks along their stacks */
	bool language_frames;	    /* with frames of the language that they run */
	bool running;		    /* it reads memory of the thread, or acts on it */
	bool result;		    /* it decides what the traced function returns */
	bool machine;		    /* it reads what struct abi_state says of the machine */
	const struct plan_map *map; /* a map of its own */
	unsigned int raw_arg;	    /* native argument of the probe, + 1 */
};

struct builtin_var {
	struct val (*read)(struct lw *lw, const struct expr *e);
	void (*str_into)(struct lw *lw, struct ir_ins *dst, uint32_t size,
			 enum ir_mem mem); /* string variables */
	uint32_t bound;		   /* most bytes of a string variable, 0: strsize; or this: */
#define PLAN_BOUND_NAME UINT32_MAX /* what the longest name of a probe takes */
	struct builtin_use use;
};

struct builtin_func {
	struct val (*call)(struct lw *lw, const struct expr *e);
	struct strv (*str)(struct lw *lw, const struct expr *e); /* functions that return strings */
	uint32_t bound; /* most bytes of such a string, 0: strsize */
	bool is_pure;	/* the same value as long as no memory changes */
	struct builtin_use use;
};

struct builtin_act {
	/* Append items and a rec_act to the descriptor; once per clause. */
	void (*plan)(struct plan *plan, struct rec_desc *d, const struct expr *e);
	/* Store the items from number `item` on, or act. */
	void (*emit)(struct lw *lw, const struct expr *e, unsigned int item);
	/* As a key: the item, and how it is stored (stack(), sym() ...); NULL: no key. */
	struct item (*key)(const struct plan *plan, const struct expr *e);
	void (*store)(struct lw *lw, const struct item *it, const struct expr *e, struct tmp t);
	enum item_enc enc; /* for key: an address is stored like this */
	/* What the consumer does, v being the values of the items; NULL: nothing. */
	void (*consume)(struct consumer *c, const struct rec_act *act, const struct value *v);
	struct builtin_use use;
};

struct builtin_agg {
	bool has_seen; /* agg_layout.has_seen */
	/* Turn the argument into what update wants, before the row is looked up; NULL: as it is. */
	struct ir_ins *(*prepare)(struct lw *lw, struct agg_layout *ag, const struct expr *e,
				  struct ir_ins *v);
	void (*update)(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, struct ir_ins *v,
		       struct ir_ins *weight);
};

/* The tables of src/builtin/, NULL at the end; each table ends with an empty row. */
extern const struct lang_row *const builtin_tables[];

#endif
