/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe.h: probes, and the interface of providers.
 *
 * A *mechanism* provider can make the kernel run a program somewhere (src/prov/).  A stable
 * provider is written in D: its probes have *sites*, clauses of a library on mechanism probes.  A
 * *unit* is one BPF program: everything enabled at one place of the kernel.
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
 * Kind of a module.  Descriptions have three shortcuts.  A library may omit the part after a dot
 * ("libc").  The program may be called "a.out".  The prefix of "LM0`libc.so.6" selects the first
 * list of objects of the dynamic linker, the only supported list.
 */
enum mod_kind { MOD_NAME, MOD_LIBRARY, MOD_PROGRAM };

/* Probes that the session fires itself, when tracing begins and after it has ended. */
enum probe_fired { FIRED_BY_KERNEL, FIRED_AT_BEGIN, FIRED_AT_END };

struct probe {
	uint32_t id;
	enum probe_fired fired;
	const char *prov, *mod, *func, *name;
	enum mod_kind mod_kind;
	const char *func_source;    /* name of the function in the source; NULL: func */
	const char *const *aliases; /* names on other systems, without patterns; NULL: none */
	const struct provider *provider;
	int64_t key;		 /* owned by the mechanism: system call number, nanoseconds ... */
	const void *data;	 /* owned by the mechanism */
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

/* Returns the provider's own state in a session: SIZE bytes, zeros at first. */
void *probes_state(struct probes *ps, const struct provider *pv, size_t size);

/*
 * Ids are fixed, so that they are equal in a listing and in every run, though a run creates only
 * the probes that it mentions.  Each provider has its own range (probes_new asserts that ranges are
 * disjoint).  It numbers its probes by facts of the machine, or by their names.
 */
struct id_range {
	uint32_t first, n;
};

extern const struct id_range probe_ids_system,
    probe_ids_user; /* of the system's libraries, of other libraries */

/*
 * Returns the probe of this number in the provider's range, and creates it if necessary.  Numbers
 * outside of the range are bugs.
 */
struct probe *probe_add(struct probes *ps, const struct provider *pv, uint32_t index,
			const char *prov, const char *mod, const char *func, const char *name);

/*
 * Does the same if two probes may want one number.  Returns the probe of these names, or creates it
 * with the number or the next free one.  NULL: no number is free.
 */
struct probe *probe_add_near(struct probes *ps, const struct provider *pv, uint64_t index,
			     const char *prov, const char *mod, const char *func, const char *name);

/* Does the same if several probes have these names.  WHICH, not 0, distinguishes them. */
struct probe *probe_add_one_of(struct probes *ps, const struct provider *pv, uint64_t index,
			       uint64_t which, const char *prov, const char *mod, const char *func,
			       const char *name);

struct probe *probe_by_id(struct probes *ps, uint32_t id);

/* Returns a number for probe_add_near from the name of a probe. */
uint64_t probe_index(const char *prov, const char *name);

/* Returns the argument types, which are cached. */
struct lang_args *probe_args(struct plan *plan, struct probe *p);

/* Does the same, including arguments that take long to find. */
struct lang_args *probe_all_args(struct plan *plan, struct probe *p);

/* Sets A to the arguments of a declaration. */
void probe_decl_args(struct plan *plan, const struct probe_decl *d, struct lang_args *a);

/* Match globs as in probe descriptions.  A NULL or empty pattern matches everything. */
bool probe_glob(const char *pattern, const char *s);
bool probe_mod_glob(const char *pattern, const char *mod, enum mod_kind kind);
bool probe_matches(const struct pdesc *d, const struct probe *p);

typedef VEC(struct probe *) probe_list;

/* Appends all probes that d names, in id order.  Providers create the probes that they know. */
void probes_match(struct probes *ps, const struct pdesc *d, probe_list *out);

/* Returns true if FUNC is one of the aliases. */
bool probe_is_alias(const char *const *aliases, const char *func);

/*
 * Returns the reason why the provider that d names has no probes on this kernel.  NULL: it has
 * probes, or d names none.
 */
const char *probes_absent(struct probes *ps, const struct pdesc *d);

/*
 * Frames that tracing adds to the kernel stack between the probed function and the program.  There
 * are always `least`.  Up to `more` follow, the last of which is in a function of `in`.
 */
#define OWN_FUNCS 4

struct own_frames {
	unsigned int least, more;
	const char *in[OWN_FUNCS];
	enum {
		FRAME_IN_FUNC,	/* the next frame is the probed function's */
		FRAME_AT_BREAK, /* the same, with the address after a breakpoint there */
		FRAME_OF_CALL,	/* the same, but its call is probed: stack() starts after it */
		FRAME_OF_CALLER /* the function no longer has a frame */
	} next;
};

/* A mechanism. */
struct provider {
	const char *name; /* "syscall" */
	struct id_range ids;
	const char *const
	    *reserved;	      /* patterns of names that only it has, ended by NULL; or NULL */
	const char *attrs[5]; /* stability: provider, module, function, name, args */

	/*
	 * Creates the probes that may match d (d->prov already matches name).  Reports errors in d.
	 */
	void (*provide)(struct probes *ps, const struct provider *pv, const struct pdesc *d);

	/* Sets argument types: only native types if nothing is translated.  Can change attrs. */
	void (*args)(struct plan *plan, struct probe *p, struct lang_args *args);

	/* Does the same, but only when args[] is used; args() then sets is_late. */
	void (*late_args)(struct plan *plan, struct probe *p, struct lang_args *args);

	/* Returns the place of probe p.  Equal strings are one unit. */
	const char *(*place)(struct plan *plan, const struct probe *p);

	/*
	 * Sets type, attach type and BTF id of the unit's program.  Returns false and sets *err if
	 * that is impossible.
	 */
	bool (*program)(struct plan *plan, struct unit *u, const char **err);

	/*
	 * Selects another form of a program that the kernel refused.  Returns false if there is
	 * none.  May be NULL.
	 */
	bool (*another)(struct plan *plan, struct unit *u);

	/*
	 * Makes the probe's function return a value.  Returns NULL, or the reason why this is
	 * impossible.  If the function is NULL, it is impossible at all probes.
	 */
	const char *(*no_return)(struct plan *plan, struct probe *p);

	/*
	 * Returns the number that distinguishes the probes of a unit (probe->key).  NULL: there is
	 * only one probe.
	 */
	struct ir_ins *(*dispatch)(struct lw *lw);

	/*
	 * Returns 0 if a firing is not one of the unit's probes, despite its number.  NULL: it
	 * always is.
	 */
	struct ir_ins *(*applies)(struct lw *lw);

	/*
	 * Returns the id of the firing probe if the context has it.  NULL: the clause's probe
	 * fires.
	 */
	struct ir_ins *(*probe_id)(struct lw *lw);

	/*
	 * arg() returns native argument n with its declared type.  rawarg() returns it as
	 * arg0..arg9 (64 bits), or 0 if there are fewer; NULL: arg() as a number.
	 */
	struct val (*arg)(struct lw *lw, unsigned int n, struct type *type);
	struct ir_ins *(*rawarg)(struct lw *lw, unsigned int n);

	/*
	 * stub() makes functions that precede and call the function of the clauses (unit->nstubs).
	 * Their argument is lw->firing.frame.  ctx() returns the context from it; NULL: they are
	 * equal.
	 */
	void (*stub)(const struct plan *plan, struct ir_module *mod);
	struct ir_ins *(*ctx)(struct lw *lw);

	/*
	 * Returns the bytes of argN if the argument is an integer narrower than a register,
	 * negative if it is signed.  0: argN is the whole register.  NULL: 0 for all.
	 */
	int (*raw_size)(const struct plan *plan, const struct probe *p, unsigned int n);

	/* Returns the thread that fires; NULL: the current one. */
	struct val (*thread)(struct lw *lw);

	/* Returns the frames of a firing that tracing adds; NULL: none. */
	struct own_frames (*own_frames)(const struct plan *plan, const struct unit *u);

	/*
	 * Returns the address that the function of the process returns to, if no frame has it yet,
	 * else 0.  NULL: frames have all addresses.  For a walk by tables, *sp is set to the stack
	 * pointer of the caller.  SP is NULL for the kernel's walk, which finds the caller of some
	 * functions.
	 */
	struct ir_ins *(*hidden_caller)(struct lw *lw, struct ir_ins **sp);

	/* errno, NULL: always 0. */
	struct ir_ins *(*err)(struct lw *lw);

	/*
	 * Attaches the loaded program.  u->links or plan->env.keeper gets the file descriptors that
	 * keep it attached.
	 */
	int (*attach)(struct plan *plan, struct unit *u, const char **err);

	/*
	 * comes_later() returns true if a description may match more probes during tracing, as a
	 * process maps more files.  It sets *pid, 0: any.  has_more() returns true if a probe has
	 * places that are not attached yet.  NULL: no.
	 */
	bool (*comes_later)(const struct pdesc *d, uint32_t *pid);
	bool (*has_more)(const struct probe *p);

	/*
	 * Returns the reason why this kernel has no probe that d names; NULL: unknown.  d names
	 * this provider.  May be NULL.
	 */
	const char *(*absent)(struct plan *plan, const struct pdesc *d);

	/*
	 * Returns true if the ring buffer runs the probe with its lock held.  A program there that
	 * uses the ring would wait for itself.  NULL: no probes are in that code.
	 */
	bool (*is_in_ring)(const struct probe *p);

	bool matches_prefix; /* gets every description: it has providers of other names */
	bool is_error;	     /* ERROR: compiled into every other program */
	bool is_noted;	     /* its probes are in files with notes of static probes */
	bool is_timer;	     /* fires on top of any code, other programs included */
	bool is_gated;	     /* fires only while tracing is active */
	bool has_same_args;  /* all of its probes have the same arguments */
	bool is_hidden;	     /* hidden in listings: internal to the libraries */
	bool has_irqs_off;   /* its programs may run with interrupts off */
	bool has_batches;    /* may run many times before interrupts are on again */
	bool is_gate;	     /* entry and return are entry to and return from the kernel */
	bool has_regs;	     /* the context is the registers at an instruction, for regs[] */
	bool may_nest;	     /* may run inside itself: in a preempting thread, or an interrupt */
	bool has_dear_args;  /* argN takes branches and never faults: many uses share the value */
};

/* Object of clause->probes: the probes of its description, by id. */
struct clause_probes {
	probe_list list;
	uint32_t epid_base; /* epid of the first; epids of the others follow their ids */
	const struct provider *follower; /* this provider may add probes; NULL: all are known */
	uint32_t later_pid;		 /* process of later probes, 0: any */
};

/* A clause enabled at a probe. */
struct enabling {
	struct clause *clause;
	struct clause *site; /* NULL: the clause is on the mechanism probe itself */
	struct probe *probe; /* published probe */
	unsigned int order;  /* order of the site: probes of one place fire in this order */
};

/* Probes of a unit that run the same clauses. */
struct group {
	probe_list probes;	   /* mechanism probes */
	VEC(struct enabling) list; /* in order; clauses of one site are adjacent */
};

struct unit_plan;

struct unit {
	const struct provider *provider;
	const char *place;
	probe_list probes;
	VEC(struct group *) groups;
	struct unit_plan *plan; /* evaluated parts of the clauses */
	enum bpf_prog_type prog_type;
	enum bpf_attach_type attach_type;
	uint32_t btf_id;	/* in the numbering of kern/ */
	enum probe_fired fired; /* of all of its probes */
	bool is_idle;		/* program does nothing and is not loaded */
	bool may_sleep;		/* program may wait for pages of the process */
	bool no_direct;		/* program reads kernel memory only through helpers */
	unsigned int nstubs;	/* functions before the clauses; the first is the entry */
	bool is_exact;		/* program runs at its probes and nowhere else */
	uint64_t misses;	/* nested firings reported so far */
	const char *err;	/* reason of a failure; NULL: none */
	int fd;			/* -1: not loaded */
	VEC(int) links;
};

/*
 * Attaches a loaded program of a raw tracepoint or trampoline.  u->links gets the link.  Returns 0,
 * or -errno with *err, which calls the place WHAT.
 */
int unit_attach(struct plan *plan, struct unit *u, const char *what, const char **err);

/* Returns the frames of a program that is attached to a tracepoint through BTF. */
struct own_frames unit_tracepoint_frames(const struct plan *plan, const char *tracepoint);

/*
 * Provider of clauses that run at the host (src/prov/hosted.c).  It has a numbered probe for each.
 */
#define HOSTED_PROVIDER "hosted"

/* The table of mechanisms, generated from the files of src/prov/. */
extern const struct provider *const provider_table[];
extern const unsigned int provider_count;

#endif
