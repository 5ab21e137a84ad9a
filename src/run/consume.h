/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * consume.h: from records and aggregations to output.  It knows the plan and what is loaded, and
 * neither programs nor how they came to be.
 */
#ifndef RUN_CONSUME_H
#define RUN_CONSUME_H

#include <stdbool.h>
#include <stdio.h>

#include "out/msg.h"
#include "out/out.h"
#include "out/table.h"
#include "out/value.h"
#include "plan/plan.h"
#include "run/load.h"
#include "run/opts.h"
#include "run/report.h"

struct agg_state;
struct agg_desc;
struct metrics_agg;
struct python;
struct unwinder;

/* Functions of src/lib that get events instead of the output.  If one is NULL, the event is
 * printed. */
struct consume_listener {
	void (*record)(void *ctx, const struct rec_desc *d, const struct abi_rec *r,
		       const struct abi_rec *next);
	/* text: as it would be printed; r: what was at hand */
	void (*error)(void *ctx, const struct rec_desc *d, const struct abi_rec *r,
		      const struct msg_error *m, const char *text);
	void (*drop)(void *ctx, const struct msg_loss *loss, int cpu); /* -1: of all CPUs */
	/* False: it is printed as a whole.  time: as of aggs_printa */
	bool (*printa)(void *ctx, const struct rec_act *act, uint64_t time);
};

/* A record that is kept until tracing ends. */
struct kept {
	uint64_t time, at; /* when, and where in the CPU's memory; or all the same */
	size_t len;
	void *data;
};

struct consume {
	/* Input; borrowed. */
	struct arena *arena;
	struct plan *plan;
	const struct opts *opts;
	const struct report *report;
	struct load *load;
	struct out *out;
	struct watch *watch; /* of later.c; NULL: the kernel does not tell of processes */
	const char *(*setopt)(void *ctx, const char *name, const char *value);
	void *ctx;
	const struct consume_listener *listener; /* NULL: nobody */
	void *listener_ctx;
	FILE *file;	     /* -o, else stdout */
	const char *path;    /* of -o, or NULL */
	bool has_final_aggs; /* -O: aggregations are printed at the end, whatever else shows them */

	/*
	 * All that consume for one program on several machines, itself among them, as number
	 * `peer`; none: it is alone.  The aggregations of all are those of the first.
	 */
	struct consume **peers;
	unsigned int npeers, peer;

	/* Values for a clause that runs at the host (rec_desc.is_sent); NULL: none do. */
	void (*sent)(void *ctx, const struct rec_desc *d, const void *rec, size_t len);
	void *sent_ctx;
	/* A fault; false: it is not to be told.  NULL: they all are. */
	bool (*faulted)(void *ctx, const struct abi_error *e);
	void *faulted_ctx;
	bool is_home; /* its records are made while they are consumed, also those of other peers */

	/* State of the output.  The first peer prints the heading. */
	bool keeps;    /* records are kept for keep_replay */
	bool is_rated; /* so are they, until the next switch (option switchrate) */
	bool has_heading, wants_exit;
	bool has_exited; /* exit() counts once until consume_let_exit */
	int exit_status;
	uint64_t nrecords;

	/* Its own. */
	const char *hinted;	  /* the last call that hint_path reported */
	FILE *reopened;		  /* by freopen() */
	uint64_t *drops;	  /* last seen, by kind and CPU */
	struct table_flow *flow;  /* by CPU */
	void *held;		  /* copy of a record whose successor is not known yet */
	VEC(struct value) values; /* of the action at hand */
	VEC(struct agg_state *) aggs;
	uint64_t aggs_time; /* they are at least as new as this (world->now), 0: never read */
	struct consume *spec_keeper; /* who has the speculations of several; NULL: itself */
	struct map *specs;	     /* of spec.c, by handle */
	struct map *spec_ended;	     /* number -> last use that has ended */
	uint64_t late_ends;	     /* as in struct abi_state when it was last looked at */
	VEC(uint32_t) late;	     /* numbers that spec_end_late ends */
	struct map *print_types;     /* of printact.c, by D type */
	VEC(struct kept) kept;	     /* of keep.c */
	size_t kept_size;	     /* bytes of their data */
	struct map *modules;	     /* of syms.c */
	bool met_outside;	     /* of syms.c: a process of another PID namespace */
	struct map *lines;	     /* of syms.c: stacks whose frames have names */
	struct map *name_numbers;    /* of syms.c: text of a name -> number in names, plus 1 */
	VEC(struct out_sym) names;   /* of syms.c: names in keys */
	struct unwinder *unwinder;   /* of unwind.c */
	struct python *python;	     /* of python.c */
};

/* Needs the input; call consume_start() after the plan is made. */
void consume_init(struct consume *co);
void consume_start(struct consume *co);
void consume_free(struct consume *co);

/* A record as it comes; ctx: struct consume. */
void consume_record(void *ctx, const void *data, size_t len);
void consume_kept(struct consume *co, const void *data, size_t len); /* of keep.c, at the end */
void consume_data(struct consume *co, const void *data,
		  size_t len); /* not speculative (any more) */
/* END begins: it may say another status. */
void consume_let_exit(struct consume *co);
void consume_held(struct consume *co, const struct abi_rec *next);
void consume_drops(struct consume *co);
/* Losses up to then, by kind (enum msg_drop), are added. */
void consume_lost(const struct consume *co, uint64_t *total);
void consume_rotate(struct consume *co); /* the file of -o was moved away: go on in a new one */

/* Pieces of what is done with a record: what stands in front of it, which has to last until its end
 * (head); that printed; one of its actions. */
struct table_rec consume_header(struct consume *co, const struct abi_rec *r,
				const struct rec_desc *d);
void consume_begin(struct consume *co, const struct rec_desc *d, const struct abi_rec *r,
		   const struct abi_rec *next, struct table_rec *head);
void consume_action(struct consume *co, const struct rec_desc *d, const struct abi_rec *r,
		    unsigned int action);

/* An item of a record or key. */
struct value consume_value(const struct item *it, const void *base);

/* spec.c: handles are those of struct abi_spec */
void spec_add(struct consume *co, uint64_t handle, const void *rec, size_t len);
void spec_end(struct consume *co, uint64_t handle, bool commit);
void spec_free(struct consume *co);

/*
 * The ring had no room for the records that end these speculations.  spec_note_late, called before
 * records are consumed, finds them.  spec_end_late, called afterwards, ends them.
 */
void spec_note_late(struct consume *co);
void spec_end_late(struct consume *co);

/* printact.c: in the arena */
const struct print_type *print_type_of(struct consume *co, struct type *type);

/* keep.c */
void keep_record(struct consume *co, const void *data, size_t len);
void keep_replay(struct consume *co); /* consume and forget all */
void keep_free(struct consume *co);

/* aggs.c; time: when the firing began whose record asks for it */
void aggs_printa(struct consume *co, const struct rec_act *act, uint64_t time);
void aggs_clear(struct consume *co, struct ident *id, uint64_t time);
void aggs_trunc(struct consume *co, struct ident *id, int64_t n, uint64_t time);
void aggs_normalize(struct consume *co, struct ident *id, int64_t n, uint64_t time);
/* Make room in the kernel if it is getting full; true: look again soon. */
bool aggs_relieve(struct consume *co);
/* Take out what the kernel has, because it may be lost with it; it is shown when it is asked for.
 */
void aggs_save(struct consume *co);
/* The first consumer has more peers than before. */
void aggs_grow(struct consume *co, unsigned int had);
void aggs_print(struct consume *co, bool is_over); /* is_over: nothing is counted any more */
/* Take in what was counted since, so that all rows are as they are now. */
void aggs_snap(struct consume *co);
/*
 * All of them as they are now, as if they had never been cleared; is_last: nothing is counted any
 * more, and nothing may be left in the kernel.
 */
typedef void aggs_view(void *ctx, const struct metrics_agg *a);
void aggs_each(struct consume *co, bool is_last, aggs_view *view, void *ctx);
/* The words of all rows added up, of those that are histograms. */
typedef void aggs_total(void *ctx, const char *name, const struct agg_desc *d,
			const int64_t *words);
void aggs_totals(struct consume *co, aggs_total *total, void *ctx);
/* It is in a picture, and not printed at the end, too. */
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
 * Read what is mapped where in a process, while it is there, and tell the kernel side.  mm: the
 * address space in which it was met, 0: not known.
 */
void syms_meet(struct consume *co, uint32_t pid, uint64_t mm);
/*
 * The frames of a kernel stack with their names, one per line, up to one that is 0.  Equal texts of
 * one consumer, or of its peers, are one, which lasts as long as they do.
 */
const char *syms_lines(struct consume *co, const void *frames, uint32_t size);

/* Does the first word of a stack say that it has names at once? */
static inline bool consume_is_named(uint64_t owner)
{
	return owner & ABI_STACK_NAMED && !(owner & ABI_STACK_USER);
}

/*
 * Gives keys their names at once: the address of the text takes the place of the frames of such a
 * stack, and a number the place of the address of usym(), umod() or uaddr(), so that keys of
 * several processes with equal names are equal.  Keys come from other machines, too, so all that
 * consume_value takes for names is replaced.
 */
void syms_name(struct consume *co, const struct item *items, unsigned int n, void *key);
/* Option mergestacks: make the key of an aggregation that of all processes with the same one. */
void syms_merge(struct consume *co, const struct item *items, unsigned int n, void *key);

#endif
