/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan.h: decisions about a session's programs before any program is made: maps, layouts of
 * variables, aggregations and records, and the data that each unit uses.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <sys/types.h>

#include "base/buf.h"
#include "base/dialect.h"
#include "base/torture.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "kern/kern.h"
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

/* Maps that every session has.  Their numbers are fixed. */
enum {
	MAP_STATE, /* struct abi_state, then the rows without keys (plan_row) */
	MAP_RING,
	MAP_DROPS,
	MAP_GLOBALS,
	MAP_RODATA,
	MAP_SCRATCH,
	MAP_SELF,
	MAP_METER, /* bytes that this CPU has recorded */
	MAP_FILL,  /* by half, then plan_map.fill: rows of aggregations that this CPU has created */
	MAP_KEPT,  /* by CPU, under policy ring: struct abi_memory */
	MAP_FIRST,
};

struct plan_map {
	const char *name;
	enum bpf_map_type type;
	uint32_t key_size, value_size, max_entries, flags;
	bool is_used;
	/* the first of two equal maps, for the halves of an aggregation's rows */
	bool is_twin;
	unsigned int fill;	     /* twin: index of its word in the values of MAP_FILL */
	uint32_t room;		     /* twin: maximum number of rows that each CPU creates */
	unsigned int nusers;	     /* number of users of a shared map, see plan_map_share */
	const struct plan_map *leaf; /* map of built-ins: their description of it */
};

/* Key of the map of known processes.  It has the address space, because exec() replaces that. */
struct plan_known {
	uint64_t pid, mm;
};

/* Storage of a value in a record or key. */
enum item_enc {
	ITEM_INT,   /* size bytes, is_signed */
	ITEM_STR,   /* size bytes, NUL-terminated */
	ITEM_BYTES, /* size bytes */
	ITEM_STACK, /* see abi.h */
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
	bool is_mixed; /* a stack: frames of the process have half of the room */
	struct type *type;
};

/* Actions of the consumer on the items of one action. */
struct rec_act {
	const char *name; /* "printf", interned */
	const struct builtin_act *impl;
	unsigned int first, n; /* items */
	struct fmt *fmt;
	struct ident **aggs; /* printa, clear, ... */
	unsigned int naggs;
	int64_t val; /* action's own constant (tracemem size, stack frames) */
};

/*
 * Maximum bytes of a record (RINGBUF_MAX_RECORD_SZ, kernel/bpf/ringbuf.c).  Larger records are
 * always drops.
 */
#define REC_SIZE_MAX (UINT32_MAX / 4 - 7)

struct rec_desc {
	struct clause *clause;
	unsigned int part;
	uint64_t size; /* bytes in the ring */
	/*
	 * Size and alignment of the record in a buffer of DTrace, for the accounting of small
	 * buffers.
	 */
	uint64_t room;
	uint32_t align;
	VEC(struct item) items;
	VEC(struct rec_act) acts;
	unsigned int index;		/* in plan->descs */
	uint32_t epid_base, probe_base; /* epid = epid_base + (probe id - probe_base) */
	bool is_sent;			/* not printed: values for a clause that runs at the host */
	unsigned int spec_item;		/* item with the handle of its speculation, + 1; 0: none */
	/* offset of the time of the firing, for actions on aggregations; 0: none */
	uint32_t time_off;
	uint32_t thread_off; /* offset of the firing's struct abi_thread; 0: none */
};

/* Layout of an aggregation, for the programs and the consumer. */
struct agg_layout {
	struct ident *ident;
	unsigned int map; /* with keys: map of half 0; the next map is of half 1 */
	VEC(struct item) keys;
	uint32_t key_size; /* 0: keyless */
	/*
	 * Number in a shared map, from 1; 0: the map is not shared.  The last word of keys is CPU |
	 * form << 16 | id << 32.  The index in an array is 2 * (id - 1) + half.
	 */
	uint32_t id;
	uint32_t off;		  /* without keys, in MAP_STATE: see plan_row */
	bool fits;		  /* aggsize has room for one row */
	uint64_t counted;	  /* bytes of its keys in the accounting of aggsize */
	unsigned int nwords;	  /* words of the value, with the word that marks used rows */
	bool has_seen;		  /* last word: 1 once updated */
	bool is_shared;		  /* several updates may run at the same time on a CPU: atomics */
	bool is_irqs_off;	  /* updated with interrupts off */
	bool is_burst;		  /* one firing may make several rows with interrupts off */
	bool is_batch;		  /* many firings may each make a row with interrupts off */
	const struct unit *owner; /* the only updating program so far */
	VEC(struct item) noted;	  /* largest form of each key in the program */
	/* Sizes of integer keys differ between statements.  Each form has keys.n items. */
	VEC(struct item) forms;
	unsigned int nforms;
	/* Names of the keys for output, or their text; NULL: constants, or different names. */
	VEC(const char *) labels;
	enum measure measure;	     /* of the values; MEASURE_ANY for count() */
	const struct clause *clause; /* the first clause that updates it, and its probe */
	const struct probe *probe;
};

struct var_layout {
	struct ident *ident;
	uint32_t off, size; /* in MAP_GLOBALS or MAP_SELF */
	unsigned int map;   /* associative array */
	VEC(struct item) keys;
	uint32_t key_size;
	/* number in a shared map, from 1, stored in the last word of keys; 0: not shared */
	uint32_t id;
};

/* Fate of new records when a CPU's buffer is full. */
enum plan_policy {
	PLAN_SWITCH, /* they are dropped until the consumer has freed room */
	PLAN_FILL,   /* tracing stops */
	PLAN_RING,   /* they replace the oldest */
};

/* Objects of the session that the plan uses; borrowed. */
struct plan_env {
	struct arena *arena;
	struct intern *names;
	struct types *types;
	struct kern *kern;
	struct lang *lang;
	struct diags *diags;
	struct probes *probes;
	struct procs *procs;   /* processes examined so far */
	struct keeper *keeper; /* holds breakpoints in processes; NULL: not started */
	/* number of signals that request the end of tracing; NULL: none are handled */
	const volatile int *signals;
	const char *vmname; /* name of the target, and its number; the host is 0 */
	uint32_t vmid;
	uint32_t only_pid; /* a searched object has appeared in this process; 0: in any */
	bool is_listing;   /* probes are listed, not enabled */
};

/* Values of options and of the command line.  Nothing changes them while units are made. */
struct plan_opt {
	enum dialect dialect;
	enum plan_policy policy;
	bool is_metered;	       /* each CPU's share of the ring is counted, in MAP_METER */
	uint32_t pcapsize;	       /* maximum bytes of a packet, a multiple of 8 */
	uint32_t strsize, scratchsize; /* bytes of a string with its NUL; bytes for alloca() */
	uint64_t aggsize, dynvarsize, bufsize;
	uint64_t nspec, specsize;
	uint64_t unwindsize; /* bytes of unwind tables; 0: none */
	unsigned int stackframes, ustackframes, jstackframes, maxframes;
	int cpu;	     /* the only traced CPU, -1: all */
	int64_t wall_offset; /* ns from CLOCK_MONOTONIC to the time of day, when tracing begins */
	bool is_timed;	     /* every record has its time */
	bool has_threads;    /* every record has its thread, and its time */
	bool has_clock;	     /* the target's clock differs from the host's: struct abi_clock */
	bool follows;	     /* probes of a process include its children */
	bool hooks_returns;  /* pid probes catch returns by uretprobes (option uretprobe) */
	bool allows_none;    /* a description may match no probe (option zdefs) */
	bool is_hosting;     /* its clauses run at the host, for the target where they fire */
	const char *scope;   /* path of the traced cgroup; NULL: all */
	struct kern_cgroup scope_at;
};

/* Places in files of one user that could not be enabled. */
struct plan_lost {
	uid_t uid;
	unsigned int n, reported;
	const char *first; /* text of the first one and its reason */
};

/* Decisions of plan/ about the units of a session, which the consumer reads. */
struct plan {
	struct plan_env env;
	struct plan_opt opt;
	uint32_t name_size; /* bytes of the longest field of a probe known so far */
	/* map of processes that the consumer knows; 0: no addresses are recorded */
	unsigned int known;
	unsigned int
	    unwind; /* map with the data for walks of user stacks; 0: walks follow frame pointers */
	unsigned int runtimes, lang_known,
	    lang_new; /* maps, 0: frames of languages are not recorded */
	unsigned int spec_free, spec_words, spec_fill; /* maps, 0: not created yet */
	/* Map that marks CPUs that are reserving a record; 0: no probe is inside that code. */
	unsigned int ring_busy;
	bool watches_machine;	 /* load and later members of struct abi_state are used */
	bool is_made;		 /* plan_make has decided on sizes */
	bool shares_specs;	 /* the numbers of speculations are already in the queue */
	bool has_timer;		 /* perf events can fire on top of any code */
	bool no_direct;		 /* read kernel memory only through helpers */
	bool is_aliased;	 /* pointers into memory of D variables exist */
	bool self_is_hash;	 /* thread-locals in a hash, not in task storage */
	struct unit *error_unit; /* NULL: no clause is on dtrace:::ERROR */
	VEC(struct plan_map) maps;
	VEC(struct rec_desc *) descs;
	VEC(struct agg_layout *) aggs;
	VEC(struct var_layout *) vars;
	/* processes that conditions name, by number and by the name of their program (named.c) */
	VEC(uint32_t) named_pids;
	VEC(const char *) named;
	VEC(struct plan_lost) lost;
	struct map *layouts;  /* by address: layouts of variables, aggregations, clause parts */
	unsigned int nhashes; /* maps of one aggregation or associative array */
	unsigned int nfills;  /* twin maps */
	uint32_t kept_max;    /* the largest record in MAP_KEPT */
	uint32_t globals_size, self_size;
	uint32_t rows_size; /* bytes of a CPU's rows without keys in one half */
	uint32_t next_epid;
};

void plan_init(struct plan *plan);
void plan_fini(struct plan *plan);

/*
 * Makes the layout of everything that a session's units and the consumer share.  unit_plan_make
 * must have run for all units.  Lowering only reads the plan.
 */
void plan_make(struct plan *plan, struct unit *const *units, unsigned int n);

/* Notes a process that a comparison or call names. */
void plan_note_named(struct plan *plan, const struct expr *e);

/* Return layouts.  NULL: no statement updates the aggregation, or the form has no keys. */
struct agg_layout *plan_agg(const struct plan *plan, const struct ident *id);
const struct item *plan_agg_form(const struct agg_layout *ag, unsigned int form);
struct var_layout *plan_var(const struct plan *plan, const struct ident *id);
struct rec_desc *plan_desc(const struct plan *plan, const struct clause *c, unsigned int part);

/*
 * Rows without keys are in MAP_STATE, so that a firing needs only one map.  After the state each
 * CPU has its rows of half 0, then of half 1, in its own cache lines.  The number of CPUs is
 * rounded up to a power of two, so that a program can mask its CPU number.
 */
uint32_t plan_row(const struct plan *plan, const struct agg_layout *ag, unsigned int cpu,
		  unsigned int half);		   /* returns the offset in the value */
uint32_t plan_row_stride(const struct plan *plan); /* returns the distance between CPUs */
unsigned int plan_row_cpus(const struct plan *plan);

/* Returns the form of the keys in this update of an aggregation. */
unsigned int plan_form_of(const struct plan *plan, const struct expr *e);

/* Makes room for fields of probes with LEN characters. */
void plan_name_room(struct plan *plan, size_t len);

/* For the files of plan/. */
void plan_var_add(struct plan *plan, struct ident *id);
void plan_updates(struct plan *plan, const struct enabling *en, const struct unit *u);
void plan_agg_place(struct plan *plan, struct agg_layout *ag);
void plan_records(struct plan *plan, struct clause *c);

/* Returns the storage of a value in a record or key.  is_text: as a string. */
struct item plan_item(struct plan *plan, const struct expr *e, bool is_text);

/* For plan() of an action: add an action, or items of its record, which count from 0. */
struct rec_act *rec_act_add(struct plan *plan, struct rec_desc *d, const char *name,
			    const struct expr *e);
unsigned int rec_item_add(struct rec_desc *d, struct item it); /* sets off, returns the index */
unsigned int rec_item_expr(struct plan *plan, struct rec_desc *d,
			   const struct expr *e); /* storage by type */

/*
 * With policy ring: the bytes of a CPU's memory, a power of two, and the bytes that a record takes.
 */
uint64_t plan_kept_size(const struct plan *plan);
uint32_t plan_kept_room(uint64_t size);

/*
 * Return the maximum bytes of a string, with its NUL: of an expression, an array, a built-in
 * variable.
 */
uint32_t plan_str_bound(const struct plan *plan, const struct expr *e);
uint32_t plan_array_bound(const struct plan *plan, const struct expr *e);
uint32_t plan_var_bound(const struct plan *plan, const struct builtin_var *v);

/* Returns the number of text bytes of the string lvalue e. */
uint32_t plan_str_room(const struct plan *plan, const struct expr *e);

/*
 * Returns true for a variable or an element of an associative array, but not for a part of one or
 * for other memory.
 */
bool plan_is_variable(const struct expr *e);

/* Create the maps for processes and unwind tables, and for frames of interpreted languages. */
void plan_users(struct plan *plan, bool has_stacks);
void plan_frames(struct plan *plan);
void plan_specs(struct plan *plan); /* creates the maps of speculations once */
/* Returns the number of entries of ENTRY bytes that fit SIZE, at least 1. */
uint32_t plan_entries(uint64_t size, uint64_t entry);

/*
 * Programs can use at most 64 maps (MAX_USED_MAPS, linux/bpf_verifier.h).  plan_map_hash gives the
 * first aggregations and arrays a hash map each.  Later users share a map with users of about the
 * same sizes.  Their keys are padded with zeros and end with the number *id of the user, from 1.
 * In a shared array each user has the number of elements that it requested, in the order of *id.
 */
unsigned int plan_map_hash(struct plan *plan, const struct plan_map *like, uint32_t *id);

/*
 * Returns true if the next plan_map_hash() gives a shared map.  At the host there is no such limit.
 */
bool plan_next_hash_shared(const struct plan *plan);
unsigned int plan_map_share(struct plan *plan, const struct plan_map *like, uint32_t *id);
unsigned int plan_map_new(struct plan *plan, const char *name, enum bpf_map_type type, uint32_t key,
			  uint32_t value, uint32_t n, uint32_t flags);
bool plan_is_text(
    const struct type *t); /* stored as text: string, char []; a char * is an address */
uint32_t plan_type_size(const struct plan *plan, const struct type *t); /* strings: strsize */

/* Sets the size of type dt_stack_t to the largest stack requested so far. */
void plan_stacks(struct plan *plan);

/* ---- what a unit evaluates ---- */

/*
 * Maximum of scalar clause-locals in SSA variables.  If there are more, all are in memory of the
 * firing.  They would not fit the stack, and the verifier follows every combination of known
 * values: 30 flags set in branches and tested later are 2^30 paths.  Values from a map are unknown
 * to it.
 */
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
	const struct lang_args *args; /* arguments of its first probe */
	/* bytes of all mems, which begin at ABI_SCRATCH_HEAD */
	uint32_t mem_size;
	unsigned int narg_uses[PLAN_RAW_ARGS]; /* uses of argN in all clauses */
	bool has_area;			       /* memory of alloca() and of stores by address */
	bool needs_running;		       /* reads memory of the thread, or acts on it */
	bool has_result;		       /* decides the return value of the traced function */
	/*
	 * Number of assigned scalar clause-locals.  They are in memory if PLAN_LOCALS_MAX is less.
	 * Others are 0.
	 */
	unsigned int nlocals;
	struct map *use_by_ident, *mem_by_owner, *member_seen;
};

/*
 * Follows everything that the groups of a unit evaluate (again).  Marks variables that are read
 * (ident.is_read), and creates what built-ins need.
 */
void unit_plan_make(struct plan *plan, struct unit *u);
void unit_plan_free(struct unit_plan *up); /* NULL is allowed */

/* Returns true if a clause needs a thread that runs. */
bool plan_needs_running(struct plan *plan, const struct clause *c);

/* Prints the whole plan as text. */
void plan_text(struct buf *b, const struct plan *plan, struct unit *const *units, unsigned int n);

/* Returns the memory of the firing for an owner; NULL: the unit has none. */
struct firing_mem *plan_mem_find(const struct unit_plan *up, const void *owner);

/* Return the bytes of a variable with its flags, and of the memory for alloca(). */
uint32_t plan_var_size(const struct plan *plan, const struct type *t);
uint32_t plan_area_size(const struct plan *plan);

/* Returns the number of a map of built-ins, which the first use creates. */
unsigned int plan_leaf_map(struct plan *plan, const struct plan_map *like);

/*
 * Rows of src/builtin/: the objects that impl points to.  struct builtin_use lists the requirements
 * of a built-in, which must be met before a program that uses it is made.
 */
struct builtin_use {
	unsigned int firing_strings; /* number of strings in memory of the firing */
	bool area;		     /* alloca() memory */
	bool speculations;
	bool user_addrs;	    /* records addresses in processes */
	bool user_stack;	    /* walks user stacks */
	bool language_frames;	    /* with frames of interpreted languages */
	bool running;		    /* reads memory of the thread, or acts on it */
	bool result;		    /* decides the return value of the traced function */
	bool machine;		    /* reads the facts about the machine in struct abi_state */
	bool ring;		    /* works only with policy ring */
	const struct plan_map *map; /* a map of its own */
	unsigned int raw_arg;	    /* native argument of the probe, + 1 */
};

struct builtin_var {
	struct val (*read)(struct lw *lw, const struct expr *e);
	void (*str_into)(struct lw *lw, struct ir_ins *dst, uint32_t size,
			 enum ir_mem mem); /* string variables */
	uint32_t bound;			   /* maximum bytes of a string variable; 0: strsize; or: */
#define PLAN_BOUND_NAME UINT32_MAX	   /* bytes of the longest name of a probe */
	struct builtin_use use;
};

struct builtin_func {
	struct val (*call)(struct lw *lw, const struct expr *e);
	struct strv (*str)(struct lw *lw, const struct expr *e); /* functions that return strings */
	uint32_t bound; /* maximum bytes of such a string; 0: strsize */
	bool is_pure;	/* the same value as long as no memory changes */
	struct builtin_use use;
};

struct builtin_act {
	/* Appends items and a rec_act to the descriptor, once per clause. */
	void (*plan)(struct plan *plan, struct rec_desc *d, const struct expr *e);
	/* Stores the items from number `item` on, or acts. */
	void (*emit)(struct lw *lw, const struct expr *e, unsigned int item);
	/*
	 * For keys (stack(), sym() ...): key() returns the item, store() stores it.  NULL: no key.
	 */
	struct item (*key)(const struct plan *plan, const struct expr *e);
	void (*store)(struct lw *lw, const struct item *it, const struct expr *e, struct tmp t);
	enum item_enc enc; /* key: storage of an address */
	/* Runs at the consumer with the values V of the items; NULL: nothing to do. */
	void (*consume)(struct consumer *c, const struct rec_act *act, const struct value *v);
	struct builtin_use use;
};

struct builtin_agg {
	bool has_seen; /* agg_layout.has_seen */
	/* Converts the argument for update(), before the row is looked up; NULL: unchanged. */
	struct ir_ins *(*prepare)(struct lw *lw, struct agg_layout *ag, const struct expr *e,
				  struct ir_ins *v);
	void (*update)(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, struct ir_ins *v,
		       struct ir_ins *weight);
};

/* The tables of src/builtin/, ended by NULL.  Each table ends with an empty row. */
extern const struct lang_row *const builtin_tables[];

#endif
