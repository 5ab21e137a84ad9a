/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe.h: probes, and what a provider has to offer.
 *
 * A *mechanism* provider knows how to make the kernel run a program somewhere (src/prov/).  A
 * stable provider is written in D: its probes have *sites*, clauses of a library on mechanism
 * probes.  A *unit* is one BPF program: everything enabled at one place of the kernel.
 */
#ifndef PLAN_PROBE_H
#define PLAN_PROBE_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "lang/lang.h"

struct ir_module;
struct plan;
struct lw;
struct provider;
struct unit;
struct val;

/*
 * What a module is.  A description may leave out what follows a dot in the file of a library
 * ("libc"), call the program "a.out", and say that it means what the dynamic linker loaded first
 * ("LM0`libc.so.6"), which is all that anybody can name.
 */
enum mod_kind { MOD_NAME, MOD_LIBRARY, MOD_PROGRAM };

/* Probes that the session fires itself, when tracing begins and when it has ended. */
enum probe_fired { FIRED_BY_KERNEL, FIRED_AT_BEGIN, FIRED_AT_END };

struct probe {
	uint32_t id;
	enum probe_fired fired;
	const char *prov, *mod, *func, *name;
	enum mod_kind mod_kind;
	const char *func_source; /* name of the function in the source; NULL: the same */
	const char *const
	    *aliases; /* what other systems call it, without patterns; NULL: nothing else */
	const struct provider *provider;
	int64_t key;		 /* the mechanism's own: system call number, nanoseconds ... */
	const void *data;	 /* the mechanism's own */
	struct probe_decl *decl; /* stable providers: the declaration in D */
	struct clause **sites;	 /* stable providers */
	unsigned int nsites;
	struct lang_args *args; /* cache */
};

/* All probes of a session. */
struct probes;
struct probes *probes_new(struct plan *plan);
void probes_free(struct probes *ps);
struct plan *probes_plan(struct probes *ps);

/* What a provider keeps for itself in a session: size bytes, 0 when they are first asked for. */
void *probes_state(struct probes *ps, const struct provider *pv, size_t size);

/*
 * Ids are fixed, so that they are the same in a listing and in every run, though a run creates only
 * the probes that it mentions.  Each provider has a range of its own (probes_new asserts that no
 * two overlap) and numbers its probes in it: by facts of the machine, or by their names.
 */
struct id_range {
	uint32_t first, n;
};

extern const struct id_range probe_ids_system,
    probe_ids_user; /* of the system's libraries, of others */

/*
 * Find the probe of this number in the provider's range, or create it.  Numbers outside of the
 * range are bugs.
 */
struct probe *probe_add(struct probes *ps, const struct provider *pv, uint32_t index,
			const char *prov, const char *mod, const char *func, const char *name);

/*
 * The same, where two probes may want one number: find the probe of these names, or create it with
 * the number or the next that is free.  NULL: none is.
 */
struct probe *probe_add_near(struct probes *ps, const struct provider *pv, uint64_t index,
			     const char *prov, const char *mod, const char *func, const char *name);

/* The same, where several probes have these names, and a number that is not 0 tells them apart. */
struct probe *probe_add_one_of(struct probes *ps, const struct provider *pv, uint64_t index,
			       uint64_t which, const char *prov, const char *mod, const char *func,
			       const char *name);

struct probe *probe_by_id(struct probes *ps, uint32_t id);

/* A number for probe_add_near, from the name of a probe. */
uint64_t probe_index(const char *prov, const char *name);

/* Argument types, found once. */
struct lang_args *probe_args(struct plan *plan, struct probe *p);

/* The same, with those that take long to find. */
struct lang_args *probe_all_args(struct plan *plan, struct probe *p);

/* The arguments of a declaration. */
void probe_decl_args(struct plan *plan, const struct probe_decl *d, struct lang_args *a);

/* Glob match as in probe descriptions; a NULL or empty pattern matches everything. */
bool probe_glob(const char *pattern, const char *s);
bool probe_mod_glob(const char *pattern, const char *mod, enum mod_kind kind);
bool probe_matches(const struct pdesc *d, const struct probe *p);

typedef VEC(struct probe *) probe_list;

/* All probes that d names, in id order; asks the providers to create what they know of. */
void probes_match(struct probes *ps, const struct pdesc *d, probe_list *out);

/* Is this one of the names? */
bool probe_is_alias(const char *const *aliases, const char *func);

/* Whether a pattern is of a module, and of the function where a probe is, of another system's
 * kernel (foreign.c). */
bool foreign_is_module(const char *pattern);
bool foreign_is_function(const char *prov, const char *func, const char *name);

/* Why the provider that d names has no probes on this kernel, NULL if it has or d names none. */
const char *probes_absent(struct probes *ps, const struct pdesc *d);

/*
 * What the kernel puts on the stack between the function that a probe is in and the program:
 * `least` frames always, then up to `more`, the last of which is in one of the functions `in`.
 */
#define OWN_FUNCS 4

struct own_frames {
	unsigned int least, more;
	const char *in[OWN_FUNCS];
	enum {
		FRAME_IN_FUNC,	/* the next is that of the function that the probe is in */
		FRAME_AT_BREAK, /* so it is, with the address behind a breakpoint there */
		FRAME_OF_CALL,	/* so it is, but its call is probed: stack() starts behind it */
		FRAME_OF_CALLER /* the function has no frame any more */
	} next;
};

/* How one mechanism works. */
struct provider {
	const char *name; /* "syscall" */
	struct id_range ids;
	const char *const
	    *reserved;	      /* patterns of its names that nobody else has, up to NULL; or NULL */
	const char *attrs[5]; /* stability: provider, module, function, name, args */

	/* Create the probes that may match d (d->prov already matches name); what is wrong with d
	 * goes to the diagnostics. */
	void (*provide)(struct probes *ps, const struct provider *pv, const struct pdesc *d);

	/* Argument types: native ones, if nothing is translated; attrs are there to be changed. */
	void (*args)(struct plan *plan, struct probe *p, struct lang_args *args);

	/* The same, only when args[] is used; args() sets is_late then. */
	void (*late_args)(struct plan *plan, struct probe *p, struct lang_args *args);

	/* The place where probe p is served: equal strings are one unit. */
	const char *(*place)(struct plan *plan, const struct probe *p);

	/* Fill in type, attach type and BTF id of the unit's program.  False: *err says why not. */
	bool (*program)(struct plan *plan, struct unit *u, const char **err);

	/* The kernel refuses the program: make it otherwise.  False, or NULL: there is no other
	 * way. */
	bool (*another)(struct plan *plan, struct unit *u);

	/* Why return() cannot be done at the probe; NULL: it can, and will.  No such function: not
	 * at any. */
	const char *(*no_return)(struct plan *plan, struct probe *p);

	/* Number that tells the probes of a unit apart (probe->key), NULL if there is only one. */
	struct ir_ins *(*dispatch)(struct lw *lw);

	/* 0 if a firing is not one of the unit's probes, though the number is; NULL: it always is.
	 */
	struct ir_ins *(*applies)(struct lw *lw);

	/* The probe that fires, if the context says which; NULL: it is that of the clause. */
	struct ir_ins *(*probe_id)(struct lw *lw);

	/*
	 * Native argument n with its declared type; raw: as arg0..arg9 (64 bits), NULL: the same
	 * as a number, 0 if there are fewer.
	 */
	struct val (*arg)(struct lw *lw, unsigned int n, struct type *type);
	struct ir_ins *(*rawarg)(struct lw *lw, unsigned int n);

	/*
	 * Functions in front of that of the clauses (unit->nstubs), which they call.  What they
	 * pass to it is lw->firing.frame, and ctx says where the context is then; NULL: it is that.
	 */
	void (*stub)(const struct plan *plan, struct ir_module *mod);
	struct ir_ins *(*ctx)(struct lw *lw);

	/*
	 * Returns the bytes of argN if the argument is an integer narrower than a register, with a
	 * minus if it is signed; 0: argN is the whole register.  NULL: 0 for all.
	 */
	int (*raw_size)(const struct plan *plan, const struct probe *p, unsigned int n);

	/* The thread that fires; NULL: the current one. */
	struct val (*thread)(struct lw *lw);

	/* Frames of a firing that are not the traced kernel's; NULL: there are none. */
	struct own_frames (*own_frames)(const struct plan *plan, const struct unit *u);

	/*
	 * Returns the address that the function of the process returns to, if no frame has it yet,
	 * else 0; NULL: frames have all.  For a walk by tables sp becomes the stack pointer of the
	 * caller; NULL: for the kernel's walk, which finds the caller of some functions.
	 */
	struct ir_ins *(*hidden_caller)(struct lw *lw, struct ir_ins **sp);

	/* errno, NULL: always 0. */
	struct ir_ins *(*err)(struct lw *lw);

	/* Attach the loaded program; the file descriptors that keep it so go to u->links, or are
	 * with plan->keeper. */
	int (*attach)(struct plan *plan, struct unit *u, const char **err);

	/*
	 * Whether a description may match more probes while tracing goes on, as a process maps more
	 * files: *pid, 0: any.  NULL: none does.  And whether a probe has places that are not
	 * attached yet.
	 */
	bool (*comes_later)(const struct pdesc *d, uint32_t *pid);
	bool (*has_more)(const struct probe *p);

	/* Why this kernel has no probe that d names, which names the provider; NULL, or no such
	 * function: not known. */
	const char *(*absent)(struct plan *plan, const struct pdesc *d);

	/*
	 * Whether a probe is in what the ring buffer runs with its lock held: a program there that
	 * wants the ring, too, would wait for itself.  NULL: none is.
	 */
	bool (*is_in_ring)(const struct probe *p);

	bool matches_prefix; /* ask it about every description: it has providers of other names */
	bool is_error;	     /* ERROR: compiled into every other program */
	bool is_noted;	     /* its probes are in files that have notes of static probes */
	bool is_timer;	     /* fires on top of whatever runs, other programs too */
	bool is_gated;	     /* fires only while tracing is active */
	bool has_same_args;  /* all of its probes */
	bool is_hidden;	     /* left out of listings: plumbing of the libraries */
	bool has_irqs_off;   /* its programs may run with interrupts off */
	bool has_batches;    /* many may, before interrupts are on again */
	bool is_gate;	     /* entry and return are of the kernel as a whole */
	bool has_regs;	     /* the context is the registers at an instruction, for regs[] */
	bool may_nest;	     /* may run inside itself: in a thread that preempts, or an interrupt */
	bool has_dear_args;  /* argN takes branches and never faults: many uses share the value */
};

/* What clause->probes points to: the probes of its description, by id. */
struct clause_probes {
	probe_list list;
	uint32_t epid_base;	      /* epid of the first; the others follow as their ids do */
	const struct provider *later; /* more may come, of this provider; NULL: all are there */
	uint32_t later_pid;	      /* in this process, 0: in any */
};

/* One clause enabled at one probe. */
struct enabling {
	struct clause *clause;
	struct clause *site; /* NULL: the clause is on the mechanism probe itself */
	struct probe *probe; /* published probe */
	unsigned int order;  /* of the site: probes of one place fire in the order of their sites */
};

/* Probes of a unit that run the same clauses. */
struct group {
	probe_list probes;	   /* mechanism probes */
	VEC(struct enabling) list; /* in order; those of one site side by side */
};

struct unit_plan;

struct unit {
	const struct provider *provider;
	const char *place;
	probe_list probes;
	VEC(struct group *) groups;
	struct unit_plan *plan; /* what these evaluate */
	enum bpf_prog_type prog_type;
	enum bpf_attach_type attach_type;
	uint32_t btf_id;	/* as kern/ numbers them */
	enum probe_fired fired; /* all of its probes are */
	bool is_idle;		/* its program does nothing and is not loaded */
	bool may_sleep;		/* its program may wait for pages of the process */
	bool no_direct;		/* its program reads kernel memory only through helpers */
	unsigned int nstubs;	/* functions in front of the clauses, the first is the entry */
	bool is_exact;		/* its program runs where its probes are and nowhere else */
	uint64_t misses;	/* nested firings reported so far */
	const char *err;	/* why it could not be served, NULL if it is */
	int fd;			/* -1: not loaded */
	VEC(int) links;
};

/*
 * Attach a loaded program of a raw tracepoint or trampoline; the link goes to u->links.  0, or
 * -errno and *err, which calls the place `what`.
 */
int unit_attach(struct plan *plan, struct unit *u, const char *what, const char **err);

/* The frames of a program that is attached to a tracepoint through BTF. */
struct own_frames unit_tracepoint_frames(const struct plan *plan, const char *tracepoint);

/* The one of clauses that run at the host (src/prov/hosted.c): a probe for each, by its number. */
#define HOSTED_PROVIDER "hosted"

/* The table of mechanisms, generated from the files of src/prov/. */
extern const struct provider *const provider_table[];
extern const unsigned int provider_count;

#endif
