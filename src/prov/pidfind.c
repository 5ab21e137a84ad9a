/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pidfind.c: finds the functions and instructions for a description of the pid provider.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/map.h"
#include "kern/kern.h"
#include "proc/func.h"
#include "proc/gotable.h"
#include "proc/ifunc.h"
#include "proc/image.h"
#include "proc/notes.h"
#include "prov/pidfind.h"
#include "sys/machine.h"

#define PROBES_MAX 250000 /* DTrace's limit */

/*
 * A probe's id comes from its place in the process, so that it is independent of other probes.
 * With many processes it comes from its names.  There are two ids for each symbol, `entry` and
 * `return`, and one for each byte of code.  The distances between processes and between the kinds
 * exceed the needs of most.  On a collision the next free number is taken.
 */
#define IDS_PROCESS 0x1000000
#define IDS_OFFSETS 0x100000

/* A process that a description names. */
struct named {
	uint32_t pid;
	unsigned int number;
	struct named *next;
};

/* A function with several variants. */
struct chosen {
	struct proc_sym sym; /* variant that the process has chosen, by the common name */
	unsigned int number; /* number of the resolver in the object */
};

/* State of a session. */
struct state {
	struct named *processes; /* in reverse order */
	uint32_t nprobes;
};

/* A description while a process is searched. */
struct finder {
	struct probes *ps;
	struct plan *plan;
	struct state *state;
	const struct provider *pv;
	const struct pdesc *d;
	const char *prov; /* provider, and owner of the probes, 0: all processes */
	uint32_t owner;
	/* files whose functions have been found; NULL: only one process is searched */
	struct map *done;
	unsigned int number;	/* of the process */
	uint64_t nsyms, nbytes; /* sums over the objects before this one */
	struct proc *proc;
	const struct proc *asked; /* process of may_unwind; NULL: none yet */
	bool may_unwind;
	/* the object */
	struct proc_object *object;
	const struct proc_map *map;
	const char *file;
	int fd;
	enum mod_kind mod_kind;
	VEC(struct chosen) chosen;	/* by address */
	const struct proc_sym *unknown; /* a named function without a choice yet; NULL: none */
	bool is_elsewhere, is_any;	/* that function is in no file; some function was found */
	uint64_t nsym;			/* number of the function in the object */
	/* the function */
	const struct proc_sym *sym;
	uint64_t off; /* in the file */
	struct func func;
	bool is_read, is_decoded;
};

/* ---- creating probes ---- */

static uint64_t id_index(const struct finder *f, const char *func, const char *name,
			 enum pid_kind kind, int32_t at)
{
	uint64_t base = (uint64_t)f->number * IDS_PROCESS;

	if (f->done)
		return probe_index(f->prov, name) ^ probe_index(f->object->base, func);
	if (kind == PID_OFFSET)
		return IDS_OFFSETS + base + f->nbytes + f->off + (uint64_t)at;
	return base + 2 * (f->nsyms + f->nsym) + kind;
}

/*
 * Functions of one name are separate probes, as their arguments differ: static functions of a file,
 * and functions of different files.  Copies of a file have one build id.
 */
static uint64_t which(const struct finder *f)
{
	const char *file = f->object->build_id ? f->object->build_id : f->object->id;
	uint64_t h = map_hash(file, strlen(file));

	return f->sym ? map_hash(&(uint64_t[]){h, f->sym->addr}, 2 * sizeof(h)) : 0;
}

static struct pid_probe *probe_for(struct finder *f, const char *func, const char *name,
				   enum pid_kind kind, int32_t at)
{
	struct probe *probe = NULL;
	struct pid_probe *p;

	if (f->state->nprobes < PROBES_MAX)
		probe = probe_add_one_of(f->ps, f->pv, id_index(f, func, name, kind, at), which(f),
					 f->prov, f->object->base, func, name);
	if (!probe) {
		diag(f->plan->env.diags, f->d->loc, D_PROC_CREATEFAIL,
		     "failed to create probes of process %u: more than %u", f->proc->pid,
		     PROBES_MAX);
		return NULL;
	}
	if (probe->data)
		return (struct pid_probe *)probe->data;
	p = arena_new_obj(f->plan->env.arena, struct pid_probe);
	p->probe = probe;
	probe->mod_kind = f->mod_kind;
	probe->func_source = proc_source_name(f->plan->env.procs, func);
	probe->key = f->state->nprobes++;
	probe->data = p;
	p->in.pid = f->owner;
	p->in.need = UPROBE_OPTIONAL;
	p->kind = kind == PID_ENTRY && f->object->is_narrow ? PID_NARROW_ENTRY : kind;
	p->func = f->sym ? f->sym->addr : 0;
	return p;
}

static int file_of(struct finder *f)
{
	if (f->fd < 0)
		f->fd = proc_open(f->proc, f->map);
	return f->fd;
}

_Static_assert(PROBES_MAX < 1 << PID_NUMBER_BITS, "numbers of probes in cookies");

static uint64_t make_cookie(const struct pid_probe *p, struct func_return at,
			    enum arch_caller caller)
{
	uint64_t off = (uint32_t)at.off & ((1U << (PID_KIND_SHIFT - PID_OFFSET_SHIFT)) - 1);

	return (uint64_t)p->kind << PID_KIND_SHIFT | off << PID_OFFSET_SHIFT |
	       (uint64_t)caller << PID_CALLER_SHIFT | (uint64_t)at.cond << PID_COND_SHIFT |
	       (uint32_t)p->probe->key;
}

/*
 * The kernel takes 0.1 s for each attempt, and does not say which of many places it refuses.  Hence
 * this test.
 */
static bool is_refused(struct finder *f, uint64_t off)
{
	struct insn in;

	return f->object->is_native && func_insn_in(file_of(f), off, &in) && in.is_refused;
}

/*
 * A breakpoint on the instruction of a static probe has its semaphore, too: the kernel refuses two
 * that differ (ref_ctr_offset in kernel/events/uprobes.c).  The breakpoint of a static probe at a
 * spoilt nop is at the next instruction.  Returns 0 for other instructions.
 */
static uint64_t semaphore_at(struct finder *f, uint64_t off)
{
	const struct notes *ns = proc_notes(f->plan->env.procs, f->proc, f->map);
	uint64_t addr, semaphore, res;

	if (!ns->semaphores || !proc_vaddr(f->object, off, &addr))
		return 0;
	semaphore = notes_semaphore(ns, addr);
	if (!semaphore && off >= INSN_CALL_NOP &&
	    process_spoilt_nop(f->plan, file_of(f), off - INSN_CALL_NOP))
		semaphore = notes_semaphore(ns, addr - INSN_CALL_NOP);
	return semaphore && proc_offset(f->object, semaphore, &res) ? res : 0;
}

static struct process_place *add_to(struct finder *f, struct pid_probe *p, uint64_t off,
				    uint64_t cookie)
{
	struct process_place *pl = arena_new_obj(f->plan->env.arena, struct process_place);

	/* Its objects are compared by their addresses. */
	f->proc->is_pinned = true;
	*pl = (struct process_place){.object = f->object,
				     .file = f->file,
				     .off = off,
				     .semaphore = semaphore_at(f, off),
				     .cookie = cookie,
				     .next = p->in.places};
	p->in.places = pl;
	return pl;
}

/* Decodes the function.  Returns false if its instructions are unclear. */
static bool decoded(struct finder *f)
{
	if (!f->is_read) {
		f->is_decoded = func_read(file_of(f), f->object, f->sym, &f->func);
		f->is_read = true;
	}
	return f->is_decoded;
}

static uint32_t spoilt_entry(struct finder *f)
{
	return f->object->is_native ? process_spoilt_nop(f->plan, file_of(f), f->off) : 0;
}

/*
 * Sets *begin to the offset of the instruction that stands for the entry.  A Go function starts
 * again after its stack has grown, so the entry is after the comparison.  A spoilt nop has no
 * effect, so the entry is after the nop.  Returns false if the function can come back there.
 */
static bool find_entry(struct finder *f, uint32_t *begin)
{
	*begin = f->object->is_go ? gotable_begin(file_of(f), f->off) : spoilt_entry(f);
	if (f->object->is_go || !*begin)
		return true;
	return decoded(f) && process_stands_in(&f->func, *begin);
}

/* Returns false if no more probes can be made. */
static bool add_place_if(struct finder *f, const char *func, const char *name, enum pid_kind kind,
			 struct func_return at)
{
	bool is_optional = process_is_pattern(f->d->func) || process_is_pattern(f->d->name);
	uint32_t begin = 0;
	bool is_spoilt = kind == PID_ENTRY && !find_entry(f, &begin);
	uint64_t off = f->off + (uint64_t)at.off + begin;
	enum arch_caller caller = ARCH_CALLER_IN_FRAME;
	struct pid_probe *p;

	/* A place that is named in full may not be left out. */
	if (is_spoilt || is_refused(f, off))
		return is_optional ||
		       diag(f->plan->env.diags, f->d->loc, D_PROC_CREATEFAIL,
			    "failed to create probe %s in %s: the kernel cannot put a breakpoint "
			    "on this instruction",
			    f->d->name, func);
	p = probe_for(f, func, name, kind, at.off);
	if (!p)
		return false;
	if (!is_optional)
		p->in.need = f->owner ? UPROBE_REQUIRED : UPROBE_EXPECTED;
	if (process_place_again(&p->in, f->object, off, f->file))
		return true;
	if (f->sym && f->object->is_native)
		caller =
		    func_caller(file_of(f), f->off + begin, (uint32_t)at.off, kind == PID_RETURN,
				kern_has(f->plan->env.kern, KERN_UPROBE_CALLER));
	add_to(f, p, off, make_cookie(p, at, caller));
	return true;
}

static bool add_place(struct finder *f, const char *func, const char *name, enum pid_kind kind,
		      int32_t at)
{
	return add_place_if(f, func, name, kind, (struct func_return){at, 0});
}

/* ---- functions ---- */

/* Reports an error of a description that names the function.  Returns false. */
static bool undecoded(struct finder *f, const char *name)
{
	return diag(f->plan->env.diags, f->d->loc, D_PROC_CREATEFAIL,
		    "failed to create probe %s in %s: the function contains bytes that are not "
		    "instructions",
		    f->d->name, name);
}

/* ---- hooks of returns ---- */

static bool has_symbol(const struct proc_object *o, const char *name)
{
	for (unsigned int i = 0; i < o->syms.n; i++)
		if (strcmp(o->syms.a[i].name, name) == 0)
			return true;
	return false;
}

/*
 * Returns true if the process has code that walks its own stack to unwind it: exceptions of C++ and
 * Rust, the end of a thread, or growing stacks of Go.  A hooked return address ends such a process.
 */
static bool may_unwind(struct finder *f)
{
	for (unsigned int i = 0; i < f->proc->maps.n; i++) {
		struct proc_map *m = &f->proc->maps.a[i];
		const struct proc_object *o =
		    proc_is_first(f->proc, i) ? proc_object(f->plan->env.procs, f->proc, m) : NULL;

		if (o && (o->is_go || has_symbol(o, "_Unwind_RaiseException")))
			return true;
	}
	return false;
}

/* Returns true if the kernel may replace the return address of the function. */
static bool may_hook(struct finder *f)
{
	if (!f->plan->opt.hooks_returns || f->done || !f->object->is_native ||
	    !kern_has(f->plan->env.kern, KERN_UPROBE_MULTI) || is_refused(f, f->off) ||
	    spoilt_entry(f))
		return false;
	if (f->asked != f->proc) {
		f->asked = f->proc;
		f->may_unwind = may_unwind(f);
	}
	return !f->may_unwind;
}

static bool add_hook(struct finder *f, const char *name)
{
	struct pid_probe *p = probe_for(f, name, "return", PID_RETURN, 0);

	if (!p)
		return false;
	if (process_place_again(&p->in, f->object, f->off, f->file))
		return true;
	add_to(f, p, f->off, make_cookie(p, (struct func_return){0}, 0) | 1 << PID_HOOK_SHIFT)
	    ->is_hook = true;
	return true;
}

static bool add_returns(struct finder *f, const char *name)
{
	if (may_hook(f))
		return add_hook(f, name);
	if (!decoded(f))
		return process_is_pattern(f->d->func) || process_is_pattern(f->d->name) ||
		       undecoded(f, name);
	for (unsigned int i = 0; i < f->func.returns.n; i++)
		if (!add_place_if(f, name, "return", PID_RETURN, f->func.returns.a[i]))
			return false;
	return true;
}

static bool is_traceable(struct finder *f, const struct func_insn *in)
{
	return !in->is_refused && !process_is_spoilt(f->plan, in->is_call_nop);
}

/* Adds all instructions whose offset matches the pattern. */
static bool add_offsets(struct finder *f, const char *name)
{
	char text[16];

	if (!decoded(f))
		return true;
	for (unsigned int i = 0; i < f->func.insns.n; i++) {
		const struct func_insn *in = &f->func.insns.a[i];

		snprintf(text, sizeof(text), "%x", in->off);
		if (is_traceable(f, in) && probe_glob(f->d->name, text) &&
		    !add_place(f, name, text, PID_OFFSET, (int32_t)in->off))
			return false;
	}
	return true;
}

/* Parses a name as a number in base 16.  Returns false if it is none. */
static bool parse_hex(const char *name, uint64_t *v)
{
	char *end;

	errno = 0;
	*v = strtoull(name, &end, 16);
	return strspn(name, "0123456789abcdefABCDEF") > 0 && !*end && !errno;
}

/* Adds one instruction.  With a pattern, only functions that contain the instruction get it. */
static bool add_offset(struct finder *f, const char *name)
{
	const struct pdesc *d = f->d;
	bool is_named = !process_is_pattern(d->func);
	const struct func_insn *in;
	uint64_t off;

	if (!parse_hex(d->name, &off))
		return diag(f->plan->env.diags, d->loc, D_PROC_NAME,
			    "%s: the name must be entry, return or an offset in hexadecimal",
			    d->name);
	if (off >= f->sym->size)
		return !is_named ||
		       diag(f->plan->env.diags, d->loc, D_PROC_OFF,
			    "offset 0x%llx is outside of function %s, which has 0x%llx "
			    "bytes",
			    (unsigned long long)off, name, (unsigned long long)f->sym->size);
	if (!decoded(f))
		return !is_named || undecoded(f, name);
	in = func_insn_at(&f->func, (uint32_t)off);
	if (!in)
		return !is_named || diag(f->plan->env.diags, d->loc, D_PROC_ALIGN,
					 "offset 0x%llx of function %s is not the start of an "
					 "instruction",
					 (unsigned long long)off, name);
	if (!is_traceable(f, in))
		return !is_named ||
		       diag(f->plan->env.diags, d->loc, D_PROC_CREATEFAIL,
			    "failed to create probe %s in %s: %s", d->name, name,
			    in->is_refused
				? "the kernel cannot put a breakpoint on this instruction"
				: "this kernel replaces the instruction by a call, which can "
				  "corrupt variables of the function");
	return add_place(f, name, d->name, PID_OFFSET, (int32_t)off);
}

/* Adds all probes of one function that match the description. */
static bool add_function(struct finder *f, const struct proc_sym *sym)
{
	const char *name = f->d->name;
	bool ok = true;

	if (!proc_offset(f->object, sym->addr, &f->off))
		return true;
	f->sym = sym;
	f->is_read = false;
	memset(&f->func, 0, sizeof(f->func));
	if (process_is_pattern(name)) {
		if (probe_glob(name, "entry"))
			ok = add_place(f, sym->name, "entry", PID_ENTRY, 0);
		if (ok && probe_glob(name, "return"))
			ok = add_returns(f, sym->name);
		ok = ok && add_offsets(f, sym->name);
	} else if (strcmp(name, "entry") == 0) {
		ok = add_place(f, sym->name, "entry", PID_ENTRY, 0);
	} else if (strcmp(name, "return") == 0) {
		ok = add_returns(f, sym->name);
	} else {
		ok = add_offset(f, sym->name);
	}
	func_free(&f->func);
	return ok;
}

/* C++ functions have two names. */
static bool names_function(struct finder *f, const char *name)
{
	return probe_glob(f->d->func, name) ||
	       (strpbrk(f->d->func, "*?(<\\") &&
		probe_glob(f->d->func, proc_source_name(f->plan->env.procs, name)));
}

/*
 * Finds matching functions with several variants.  Each becomes a symbol at the address of the
 * variant that the process has chosen.
 */
static void find_chosen(struct finder *f, struct proc_map *m)
{
	ifunc_list list = {0};

	f->chosen.n = 0;
	for (unsigned int i = 0; i < f->object->resolvers.n; i++)
		if (names_function(f, f->object->resolvers.a[i].name))
			vec_push(&list, (struct ifunc){.resolver = &f->object->resolvers.a[i]});
	if (list.n)
		ifunc_find(f->plan->env.procs, f->proc, m, &list);
	for (unsigned int i = 0; i < list.n; i++) {
		const struct proc_sym *resolver = list.a[i].resolver;
		struct chosen c = {*resolver, (unsigned int)(resolver - f->object->resolvers.a)};

		if (!list.a[i].addr) {
			f->unknown = resolver;
			f->is_elsewhere = list.a[i].is_elsewhere;
			continue;
		}
		c.sym.addr = list.a[i].addr;
		c.sym.size = list.a[i].size;
		vec_push(&f->chosen, c);
	}
	if (f->chosen.n)
		qsort(f->chosen.a, f->chosen.n, sizeof(*f->chosen.a), proc_sym_cmp);
	vec_free(&list);
}

/* Returns the next function of both lists, by address; NULL: no more. */
static const struct proc_sym *next_function(struct finder *f, unsigned int *sym,
					    unsigned int *chosen)
{
	const struct proc_sym *s = *sym < f->object->syms.n ? &f->object->syms.a[*sym] : NULL;
	const struct chosen *c = *chosen < f->chosen.n ? &f->chosen.a[*chosen] : NULL;

	if (c && (!s || proc_sym_cmp(&c->sym, s) < 0)) {
		(*chosen)++;
		f->nsym = f->object->syms.n + c->number;
		return &c->sym;
	}
	f->nsym = s ? (*sym)++ : 0;
	return s;
}

/*
 * A full name is found even if the address has better names.  For a pattern, the best matching name
 * of an address counts.  Parts that the compiler has moved away ("f.cold") and local symbols whose
 * end is guessed do not.
 */
static bool add_functions(struct finder *f)
{
	bool is_named = !process_is_pattern(f->d->func), found = false;
	const struct proc_sym *last = NULL, *sym;
	unsigned int nsym = 0, nchosen = 0;

	while ((sym = next_function(f, &nsym, &nchosen)) != NULL) {
		bool is_chosen = f->nsym >= f->object->syms.n;

		if ((!sym->size && !is_chosen) || !names_function(f, sym->name) ||
		    (!is_named &&
		     ((last && last->addr == sym->addr) || strstr(sym->name, ".cold") ||
		      (sym->is_guessed && sym->bind == STB_LOCAL))))
			continue;
		last = sym;
		found = f->is_any = true;
		if (!add_function(f, sym))
			return false;
	}
	if (!found && !f->unknown && is_named && !process_is_pattern(f->d->mod) && !f->done &&
	    !f->plan->opt.allows_none)
		return diag(f->plan->env.diags, f->d->loc, D_PROC_FUNC,
			    "failed to find function %s in module %s", f->d->func, f->d->mod);
	return true;
}

/* Reports a function whose variant is unknown, if no other function has the name. */
static void tell_unknown(struct finder *f)
{
	if (!f->unknown || f->is_any || process_is_pattern(f->d->func))
		return;
	diag(f->plan->env.diags, f->d->loc, D_PROC_CREATEFAIL,
	     f->is_elsewhere ? "failed to create probe %s: function %s of %s is in the kernel's "
			       "code (vdso), which allows no breakpoint"
			     : "failed to create probe %s: the variant of function %s of %s is not "
			       "chosen yet; use option evaltime=main for a static program, option "
			       "setenv=LD_BIND_NOW=1 for others",
	     f->d->name, f->unknown->name, f->prov);
}

/* ---- processes ---- */

/* Makes the object of a mapping the current one. */
static void at_object(struct finder *f, struct proc_map *m)
{
	f->object = proc_object(f->plan->env.procs, f->proc, m);
	f->map = m;
	f->file = f->done ? proc_lasting_file(f->plan->env.procs, f->proc, m)
			  : proc_file(f->plan->env.procs, f->proc, m);
	f->mod_kind = proc_is_exe(f->proc, m) ? MOD_PROGRAM : MOD_LIBRARY;
	f->fd = -1;
}

/* Advances to the next object in the order of mappings. */
static void pass_object(struct finder *f)
{
	uint64_t end = 0;

	for (unsigned int i = 0; i < f->object->loads.n; i++)
		if (f->object->loads.a[i].off + f->object->loads.a[i].size > end)
			end = f->object->loads.a[i].off + f->object->loads.a[i].size;
	f->nsyms += f->object->syms.n + f->object->resolvers.n;
	f->nbytes += end;
}

/* Searches one file of the process.  Returns false if no more probes can be made. */
static bool find_in_object(struct finder *f, struct proc_map *m)
{
	bool ok = true, was_any = f->is_any;

	at_object(f, m);
	if ((f->object->is_native || f->object->is_narrow) &&
	    probe_mod_glob(f->d->mod, f->object->base, f->mod_kind)) {
		find_chosen(f, m);
		ok = add_functions(f);
	}
	if (f->fd >= 0)
		close(f->fd);
	pass_object(f);
	/* Another process may have made choices that this one has not. */
	if (f->done && (f->is_any > was_any || !f->unknown))
		map_set_str(f->done, m->id, f);
	return ok;
}

/* With many processes, only files that the description may match are read, each once. */
static bool is_worth(struct finder *f, const struct proc_map *m)
{
	bool is_it = true;
	char *base;

	if (!f->done)
		return true;
	base = proc_base(m);
	is_it =
	    probe_mod_glob(f->d->mod, base, proc_is_exe(f->proc, m) ? MOD_PROGRAM : MOD_LIBRARY) &&
	    !map_get_str(f->done, m->id);
	mem_free(base);
	return is_it;
}

static bool find_in_process(struct finder *f)
{
	bool ok = true;

	for (unsigned int i = 0; i < f->proc->maps.n && ok; i++)
		if (proc_is_first(f->proc, i) && is_worth(f, &f->proc->maps.a[i]))
			ok = find_in_object(f, &f->proc->maps.a[i]);
	return ok;
}

static bool grab(struct finder *f, uint32_t pid)
{
	f->proc = pid == (uint32_t)getpid() ? NULL : procs_get(f->plan->env.procs, pid);
	if (f->proc && f->plan->env.only_pid)
		proc_read(f->proc);
	return f->proc != NULL;
}

/*
 * Searches a process that matches a pattern.  It has probes of its own, unless the pattern matches
 * all processes.
 */
static bool find_in_one(struct finder *f, uint32_t pid, bool is_all)
{
	const char *prov = arena_printf(f->plan->env.arena, "pid%u", pid);
	bool ok;

	if (is_all)
		return !grab(f, pid) || find_in_process(f);
	if (!probe_glob(f->d->prov, prov) || !grab(f, pid))
		return true;
	f->prov = prov;
	f->owner = pid;
	f->done = map_new();
	ok = find_in_process(f);
	map_free(f->done);
	f->done = NULL;
	return ok;
}

/*
 * Searches all processes that match a pattern.  If the pattern matches every process, there is one
 * probe for all processes that execute the file, later ones included.
 */
static void find_in_all(struct finder *f)
{
	bool is_all = !f->plan->env.is_listing && probe_glob(f->d->prov, "pid*");
	const uint32_t *pids = &f->plan->env.only_pid;
	unsigned int n = 1;

	if (process_is_pattern(f->d->mod) && (!f->d->mod || strcmp(f->d->mod, "*") == 0)) {
		diag(f->plan->env.diags, f->d->loc, D_PROC_LIB,
		     "a pattern of all processes needs the name of a file: pid*:libc:malloc:entry");
		return;
	}
	if (is_all) {
		f->prov = "pid*";
		f->done = map_new();
	}
	if (!f->plan->env.only_pid)
		pids = procs_all(f->plan->env.procs, &n);
	for (unsigned int i = 0; i < n; i++)
		if (!find_in_one(f, pids[i], is_all))
			break;
	tell_unknown(f);
	map_free(f->done);
}

/* Searches files of the named process's children that it does not have itself. */
static void find_in_children(struct finder *f)
{
	const struct proc *parent = f->proc;
	const uint32_t *pids;
	unsigned int n = 0;

	f->done = map_new();
	for (unsigned int i = 0; i < parent->maps.n; i++)
		map_set_str(f->done, parent->maps.a[i].id, f);
	pids = process_family(f->plan, parent->pid, &n);
	for (unsigned int i = 0; i < n; i++)
		if (grab(f, pids[i]) && !find_in_process(f))
			break;
	map_free(f->done);
}

/* Function "-": the name is an address in the process. */
static void find_address(struct finder *f)
{
	const struct pdesc *d = f->d;
	struct proc_map *m;
	uint64_t addr;
	bool is_program = !d->mod || probe_glob(d->mod, "a.out");

	for (unsigned int i = 0; i < f->proc->maps.n && !is_program; i++) {
		at_object(f, &f->proc->maps.a[i]);
		is_program = f->mod_kind == MOD_PROGRAM && probe_glob(d->mod, f->object->base);
	}
	if (!is_program) {
		diag(f->plan->env.diags, d->loc, D_PROC_LIB,
		     "function -, which stands for addresses, exists in module a.out only, not in "
		     "%s",
		     d->mod);
		return;
	}
	if (!d->name || !parse_hex(d->name, &addr)) {
		diag(f->plan->env.diags, d->loc, D_PROC_NAME,
		     "the name of a probe of function - must be an address in hexadecimal");
		return;
	}
	m = proc_map_at(f->proc, addr);
	if (!m) {
		diag(
		    f->plan->env.diags, d->loc, D_PROC_CREATEFAIL,
		    "failed to create probe %s: no code of a file is at this address of process %u",
		    d->name, f->proc->pid);
		return;
	}
	at_object(f, m);
	f->mod_kind = MOD_PROGRAM;
	f->off = addr - m->start + m->off;
	if (process_spoilt_nop(f->plan, file_of(f), f->off)) {
		diag(f->plan->env.diags, d->loc, D_PROC_CREATEFAIL,
		     "failed to create probe %s: this kernel replaces the instruction by a call, "
		     "which can corrupt variables, and kill children of the process",
		     d->name);
	} else {
		add_place(f, "-", d->name, PID_OFFSET, 0);
	}
	if (f->fd >= 0)
		close(f->fd);
}

/* Numbers processes in the order in which they are named. */
static unsigned int number_of(struct finder *f, uint32_t pid)
{
	struct named *p = f->state->processes;
	unsigned int n = p ? p->number + 1 : 0;

	while (p && p->pid != pid)
		p = p->next;
	if (!p) {
		p = arena_new_obj(f->plan->env.arena, struct named);
		*p = (struct named){pid, n, f->state->processes};
		f->state->processes = p;
	}
	return p->number;
}

/* "LM1`libc.so.6" names objects that a program has loaded separately, by dlmopen(3). */
static bool names_link_map(const struct pdesc *d)
{
	char *end;

	if (!d->mod || strncmp(d->mod, "LM", 2) != 0)
		return false;
	return strtoul(d->mod + 2, &end, 16) && *end == '`';
}

void pidfind(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	struct finder f = {.ps = ps, .plan = probes_plan(ps), .pv = pv, .d = d, .prov = d->prov};
	size_t base;

	f.state = probes_state(ps, pv, sizeof(*f.state));
	if (process_is_all_pids(d) && kern_machine(f.plan->env.kern)->is_here) {
		find_in_all(&f);
	} else if ((f.proc = process_of(f.plan, d, true, &base)) != NULL) {
		f.owner = f.proc->pid;
		f.number = number_of(&f, f.owner);
		if (names_link_map(d)) {
			diag(f.plan->env.diags, d->loc, D_PROC_LIB,
			     "%s: cannot distinguish link maps; omit the prefix to trace the file "
			     "in all of them",
			     d->mod);
		} else if (d->func && strcmp(d->func, "-") == 0) {
			find_address(&f);
		} else {
			find_in_process(&f);
			if (f.plan->opt.follows)
				find_in_children(&f);
			tell_unknown(&f);
		}
	}
	vec_free(&f.chosen);
}
