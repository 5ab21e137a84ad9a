/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * consume.h: records and aggregations to output.  It knows the plan and the loaded programs, but
 * neither D programs nor their compilation.
 */
#ifndef CONSUME_CONSUME_H
#define CONSUME_CONSUME_H

#include <stdbool.h>
#include <stdio.h>

#include "print/msg.h"
#include "print/out.h"
#include "print/table.h"
#include "print/value.h"
#include "plan/consumer.h"
#include "plan/plan.h"
#include "load/load.h"
#include "config/opts.h"
#include "config/report.h"

struct agg_state;
struct agg_desc;
struct metrics_agg;
struct runtimes;
struct unwinder;
struct mixed;

/*
 * Functions of src/lib that get events instead of the output.  If one is NULL, the event is
 * printed.
 */
struct consume_listener {
	void (*record)(void *ctx, const struct rec_desc *d, const struct abi_rec *r,
		       const struct abi_rec *next);
	/* text: the message as it would be printed.  r: the current record. */
	void (*error)(void *ctx, const struct rec_desc *d, const struct abi_rec *r,
		      const struct msg_error *m, const char *text);
	void (*drop)(void *ctx, const struct msg_loss *loss, int cpu); /* -1: all CPUs */
	/* Returns false if the action is to be printed as usual.  time: see aggs_printa. */
	bool (*printa)(void *ctx, const struct rec_act *act, uint64_t time);
};

/* A record that is kept until a snapshot or the end of tracing. */
struct kept {
	uint64_t time, at; /* time and position in the CPU's memory; or zeros */
	uint32_t cpu;
	size_t len;
	void *data;
};

/* Records of a CPU's memory (struct abi_memory), as positions of the newest of them. */
struct taken {
	uint64_t from, to; /* consumed earlier; of this snapshot */
};

struct consume {
	/* Input; borrowed. */
	struct arena *arena;
	struct plan *plan;
	const struct opts *opts;
	const struct report *report;
	struct load *load;
	struct out *out;
	struct watch *watch; /* of follower.c; NULL: the kernel reports no events of processes */
	const char *(*setopt)(void *ctx, const char *name, const char *value);
	void *ctx;
	const struct consume_listener *listener; /* NULL: none */
	void *listener_ctx;
	FILE *file;	     /* of -o, else stdout */
	const char *path;    /* of -o, or NULL */
	bool has_final_aggs; /* -O: prints aggregations at the end, even if other output has them */

	/*
	 * All consumers of one program on several machines.  This one is number `peer`.  Without
	 * others the list is empty until consume_start().  The first peer has the aggregations of
	 * all.
	 */
	struct consume **peers;
	unsigned int npeers, peer;

	/*
	 * Gets values for a clause that runs at the host (rec_desc.is_sent); NULL: there are none.
	 */
	void (*sent)(void *ctx, const struct rec_desc *d, const void *rec, size_t len);
	void *sent_ctx;
	/* Returns false if a fault is not to be reported.  NULL: all faults are reported. */
	bool (*faulted)(void *ctx, const struct abi_error *e);
	void *faulted_ctx;
	bool is_hosting; /* consuming records of any peer can make its records */

	/* State of the output.  The first peer prints the heading. */
	bool keeps;    /* records are kept for keep_replay */
	bool is_rated; /* records are kept until the next switch (option switchrate) */
	bool has_heading, wants_exit;
	bool wants_snapshot; /* of all peers, in the first one */
	bool has_snapshot;   /* in the current file, if the path of -o numbers files */
	unsigned int number; /* of that file */
	bool has_exited;     /* exit() was called; ignores more calls until consume_let_exit */
	int exit_status;
	uint64_t nrecords;

	/* Internal. */
	const char *hinted;	  /* the last call that hint_path reported */
	uint32_t drops_hinted;	  /* kinds of drops (bits) that hint_memory reported */
	FILE *reopened;		  /* by freopen() */
	struct capture capture;	  /* in that file */
	uint64_t *drops;	  /* the last known counts, by kind and CPU */
	struct table_flow *flow;  /* by CPU */
	void *held;		  /* copy of a record whose successor is unknown */
	VEC(struct value) values; /* of the current action */
	VEC(uint64_t *) stacks;	  /* stacks of these values that differ from the record */
	VEC(struct agg_state *) aggs;
	uint64_t aggs_time; /* state of rows: at least this new (backend->now); 0: never read */
	struct consume *spec_keeper; /* consumer with the shared speculations; NULL: this one */
	struct map *specs;	     /* of spec.c, by handle */
	struct map *spec_ended;	     /* number -> last use that has ended */
	uint64_t late_ends;	     /* last known late_ends of struct abi_state */
	VEC(uint32_t) late;	     /* numbers that spec_end_late ends */
	struct map *print_types;     /* of printact.c, by D type */
	VEC(struct kept) kept;	     /* of keep.c */
	size_t kept_size;	     /* bytes of their data */
	struct taken *taken;	     /* of keep.c, by CPU; NULL: no snapshot yet */
	struct map *modules;	     /* of syms.c */
	bool saw_outside;	     /* of syms.c: reported a process outside this PID namespace */
	bool is_early;		     /* of syms.c: the process that is read has not fired */
	bool has_withheld;	     /* ... and there is a message about it */
	struct map *lines;	     /* of syms.c: stacks whose frames have names */
	struct map *name_numbers;    /* of syms.c: text of a name -> number in names, plus 1 */
	VEC(struct out_sym) names;   /* of syms.c: names in keys */
	struct unwinder *unwinder;   /* of unwind.c */
	struct runtimes *runtimes;   /* of runtime.c */
};

/* Needs the input.  Call consume_start() after the plan is made. */
void consume_init(struct consume *co);
void consume_start(struct consume *co);
void consume_free(struct consume *co);

/* Consumes a new record.  ctx: struct consume. */
void consume_record(void *ctx, const void *data, size_t len);
void consume_kept(struct consume *co, const void *data, size_t len); /* of keep.c, at the end */
void consume_data(struct consume *co, const void *data,
		  size_t len); /* not or no longer speculative */
/* Call this before END, which may exit() with another status. */
void consume_let_exit(struct consume *co);
void consume_held(struct consume *co, const struct abi_rec *next);
void consume_drops(struct consume *co);
/* Adds all losses so far to total, by kind (enum msg_drop). */
void consume_lost(const struct consume *co, uint64_t *total);
/* Opens an output file, with the next number if it has %n.  Returns NULL, after a message, if that
 * failed. */
FILE *consume_open(struct consume *co, const char *path);
void consume_rotate(struct consume *co); /* the file of -o was renamed: opens a new one */
/* Opens the next file, if files are numbered and the current one has a snapshot. */
void consume_begin_snapshot(struct consume *co);

/*
 * Steps of printing a record.  consume_header() returns the fields of its header.  consume_begin()
 * prints the header and stores it in *head, which must exist until the record ends.
 * consume_action() runs one action.
 */
struct table_rec consume_header(struct consume *co, const struct abi_rec *r,
				const struct rec_desc *d);
void consume_begin(struct consume *co, const struct rec_desc *d, const struct abi_rec *r,
		   const struct abi_rec *next, struct table_rec *head);
void consume_action(struct consume *co, const struct rec_desc *d, const struct abi_rec *r,
		    unsigned int action);

/* Returns an item of a record or key. */
struct value consume_value(const struct item *it, const void *base);

/* spec.c; handle: see struct abi_spec. */
void spec_add(struct consume *co, uint64_t handle, const void *rec, size_t len);
void spec_end(struct consume *co, uint64_t handle, bool commit);
void spec_free(struct consume *co);

/*
 * The ring had no room for the records that end these speculations.  spec_note_late, called before
 * records are consumed, finds them.  spec_end_late, called afterwards, ends them.
 */
void spec_note_late(struct consume *co);
void spec_end_late(struct consume *co);

/* printact.c; in the arena. */
const struct print_type *print_type_of(struct consume *co, struct type *type);

/* keep.c */
void keep_record(struct consume *co, const void *data, size_t len);
void keep_replay(struct consume *co); /* consumes and frees all kept records */
void keep_free(struct consume *co);

/* aggs.c; time: start of the firing whose record contains the action. */
void aggs_printa(struct consume *co, const struct rec_act *act, uint64_t time);
void aggs_clear(struct consume *co, struct ident *id, uint64_t time);
void aggs_trunc(struct consume *co, struct ident *id, int64_t n, uint64_t time);
void aggs_normalize(struct consume *co, struct ident *id, int64_t n, uint64_t time);
/*
 * Makes room in the kernel if its maps fill.  Returns true if the caller should call it again soon.
 */
bool aggs_relieve(struct consume *co);
/* Takes the rows out of the kernel, with which they may be lost.  The next read shows them. */
void aggs_save(struct consume *co);
/* Call this after peers were added to the first consumer.  had: their number before. */
void aggs_grow(struct consume *co, unsigned int had);
void aggs_print(struct consume *co, bool is_over); /* is_over: nothing is counted any more */
/* Reads the kernel, so that all rows show the current state. */
void aggs_snap(struct consume *co);
/*
 * Calls view for all aggregations in their current state, as if they had never been cleared.
 * is_last: nothing is counted any more, so nothing may stay in the kernel.
 */
typedef void aggs_view(void *ctx, const struct metrics_agg *a);
void aggs_each(struct consume *co, bool is_last, aggs_view *view, void *ctx);
/* Calls total with the sum of all rows, for each aggregation that is a histogram. */
typedef void aggs_total(void *ctx, const char *name, const struct agg_desc *d,
			const int64_t *words);
void aggs_totals(struct consume *co, aggs_total *total, void *ctx);
/* Marks an aggregation as drawn, so it is not printed at the end too. */
void aggs_drawn(struct consume *co, const char *name);
void aggs_free(struct consume *co);

/* syms.c */
extern const struct out_symtab syms_table;
/*
 * Returns the first address seen of a module, so that all keys of the module are equal.  The
 * address belongs to process pid (0: the kernel), where it is looked up again.
 */
uint64_t syms_module_addr(struct consume *co, uint32_t pid, const char *module, uint64_t addr);
/*
 * Reads the mappings of a process while it lives, and updates the maps of the kernel side.  mm: the
 * reported address space; 0: unknown.
 */
void syms_learn(struct consume *co, uint32_t pid, uint64_t mm);

/* Reads only what unwinding needs, of a process that might never fire. */
void syms_learn_early(struct consume *co, uint32_t pid);

/* Returns true if a message about the process that is being read must wait, because it has not
 * fired. */
bool syms_withhold(struct consume *co);

/* Handles a report of the kernel side. */
void syms_news(struct consume *co, const struct abi_proc *proc);
/*
 * Returns the frames of a kernel stack with their names, one per line, up to a frame 0.  Equal
 * texts of a consumer and its peers are one string, which lives as long as they do.
 */
const char *syms_lines(struct consume *co, const void *frames, uint32_t size);

/* Returns true if the first word of a stack says that its frames get names at once. */
static inline bool consume_is_named(uint64_t owner)
{
	return owner & ABI_STACK_NAMED && !(owner & ABI_STACK_USER);
}

/*
 * Finds wrong callers in the frames of a process's stack that ends with ABI_FRAME_LOST: the first
 * caller that is not in code, and those after it.  Returns their number and sets *first.
 */
unsigned int syms_wrong_frames(struct consume *co, uint32_t pid, const void *frames, uint32_t size,
			       unsigned int *first);
/* Removes n frames. */
void syms_remove_frames(void *frames, uint32_t size, unsigned int first, unsigned int n);

/*
 * Gives keys their names at once, so that keys of several processes with equal names are equal.
 * The address of the text replaces the frames of such a stack.  The number of a name replaces the
 * address of usym(), umod() or uaddr().  Keys can come from other machines, so everything that
 * consume_value takes for a name is replaced.
 */
void syms_name(struct consume *co, const struct item *items, unsigned int n, void *key);
/* Returns the frames of a stack in such a key if it has frames of languages, else NULL. */
const struct mixed *syms_mixed(const struct item *it, const void *key);
/*
 * Option mergestacks: makes a key of one process equal to the keys of other processes with these
 * stacks.
 */
void syms_merge(struct consume *co, const struct item *items, unsigned int n, void *key);

#endif
