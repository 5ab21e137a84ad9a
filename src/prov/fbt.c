/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt.c: entry and return of kernel functions; arguments typed from BTF.
 *
 * A named function is traced through a BPF trampoline (fentry, fexit).  This is the cheapest way,
 * and plain loads can follow its pointers.  Other functions are kprobes, see kprobe.c: functions
 * without BTF, functions that the compiler has renamed, functions with arguments on the stack, and
 * all functions of a pattern, which share a program.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <stddef.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/map.h"
#include "kern/kern.h"
#include "prov/call.h"
#include "prov/kprobe.h"

extern const struct provider provider_fbt;

/* Data of the probes of one function. */
struct func {
	const char *name, *module;
	uint32_t btf; /* BTF id, 0: none; for a module: valid if is_found */
	bool is_found;
	bool is_pattern; /* named by a pattern first */
	/*
	 * first word of each argument, and the end of the last; NULL: probe_args() was not called
	 */
	unsigned int *words;
};

/* Last numbers of cookies, from 1 in each of the two programs. */
struct state {
	uint32_t last[2];
};

/*
 * Functions in the kernel's BTF are numbered by their id.  Others follow, numbered by a hash of
 * their names, with room at the end for collisions.
 */
#define NAMED_FIRST 360000
#define NAMED_SLOTS 80000

static const char *const names[] = {"entry", "return"};

static bool is_return(const struct probe *p)
{
	return p->name[0] == 'r';
}

static struct func *func_of(const struct probe *p)
{
	return (struct func *)p->data;
}

/* ---- probes ---- */

static bool is_own(const struct func *f)
{
	return strcmp(f->module, "vmlinux") == 0;
}

/*
 * The types of a module are read when a function needs them, because a pattern may match all
 * modules.
 */
static uint32_t btf_of(struct kern *k, struct func *f)
{
	if (!f->is_found)
		f->btf = kern_btf_find_in(k, f->module, f->name, BTF_KIND_FUNC);
	f->is_found = true;
	return f->btf;
}

static struct probe *add_probe(struct probes *ps, const struct provider *pv, const struct func *f,
			       uint32_t kind)
{
	if (is_own(f) && f->btf && f->btf < NAMED_FIRST / 2)
		return probe_add(ps, pv, f->btf * 2 + kind, "fbt", f->module, f->name, names[kind]);
	return probe_add_near(
	    ps, pv, NAMED_FIRST + probe_index(f->module, f->name) % NAMED_SLOTS / 2 * 2 + kind,
	    "fbt", f->module, f->name, names[kind]);
}

static void add(struct probes *ps, const struct provider *pv, const struct pdesc *d,
		const char *module, const char *name, bool is_pattern)
{
	struct plan *plan = probes_plan(ps);
	struct state *st = probes_state(ps, pv, sizeof(*st));
	struct func *f = NULL;

	for (uint32_t kind = 0; kind < 2; kind++) {
		struct probe *p;

		if (!d->id && !probe_glob(d->name, names[kind]))
			continue;
		if (!f) {
			f = arena_new_obj(plan->env.arena, struct func);
			f->name = name;
			f->module = module;
			f->is_pattern = is_pattern;
			if (is_own(f))
				btf_of(plan->env.kern, f);
		}
		p = add_probe(ps, pv, f, kind);
		if (!p || p->data)
			continue;
		p->data = f;
		p->key = ++st->last[kind];
	}
}

static bool is_glob(const char *pattern)
{
	return !pattern || !*pattern || strpbrk(pattern, "*?[\\");
}

/* Several functions of one name are one probe. */
static void add_all(struct probes *ps, const struct provider *pv, const struct pdesc *d,
		    const struct kern_func *funcs, size_t n, bool is_pattern)
{
	for (size_t i = 0; i < n; i++) {
		const struct kern_func *f = &funcs[i];

		if (i > 0 && strcmp(f->name, f[-1].name) == 0 &&
		    strcmp(f->module, f[-1].module) == 0)
			continue;
		if (d->id || (probe_glob(d->func, f->name) && probe_glob(d->mod, f->module)))
			add(ps, pv, d, f->module, f->name, is_pattern);
	}
}

static bool can_probe(struct kern *k)
{
	return kern_has(k, KERN_FENTRY) || kern_has(k, KERN_KPROBE);
}

/*
 * Only descriptions with the provider mean functions: a bare `entry` is for system calls.  Reading
 * the list of all functions takes time, and is unnecessary for a function with BTF.
 */
static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	struct kern *k = probes_plan(ps)->env.kern;
	const struct kern_func *funcs;
	size_t n;

	if (!can_probe(k) || (!d->id && (!d->prov || !*d->prov)))
		return;
	if (d->id || is_glob(d->func)) {
		funcs = kern_funcs(k, &n);
		add_all(ps, pv, d, funcs, n, true);
	} else if (kern_has(k, KERN_FENTRY) && probe_glob(d->mod, "vmlinux") &&
		   kern_btf_find(k, d->func, BTF_KIND_FUNC)) {
		add(ps, pv, d, "vmlinux", d->func, false);
	} else {
		funcs = kern_func_find(k, d->func, &n);
		add_all(ps, pv, d, funcs, n, false);
	}
}

static const char *absent(struct plan *plan, const struct pdesc *d)
{
	if (!can_probe(plan->env.kern))
		return "this kernel refuses function tracing; use tracepoints (rawtp:::)";
	return kern_btf_count(plan->env.kern) <= NAMED_FIRST / 2
		   ? NULL
		   : "this kernel has more types than fbt has probes";
}

/* ---- arguments ---- */

static const struct btf_type *proto_of(const struct plan *plan, struct func *f)
{
	uint32_t id = btf_of(plan->env.kern, f);

	return id ? kern_btf_type(plan->env.kern, kern_btf_type(plan->env.kern, id)->type) : NULL;
}

/* Returns the number of words of an argument. */
static unsigned int words_of(const struct plan *plan, const struct btf_param *param)
{
	struct type *t = type_from_btf(plan->env.types, param->type);
	uint64_t size = type_base(type_resolve(plan->env.types, t))->size;

	return size > 8 ? (unsigned int)((size + 7) / 8) : 1;
}

/* A structure passed by value becomes the number in its first word. */
static struct type *value_type(struct plan *plan, uint32_t id)
{
	struct type *t = type_from_btf(plan->env.types, id);
	const struct type *b = type_base(type_resolve(plan->env.types, t));

	if (b->kind != TYPE_STRUCT && b->kind != TYPE_UNION)
		return t;
	return type_int(plan->env.types,
			b->size > 4   ? 8
			: b->size > 2 ? 4
			: b->size > 1 ? 2
				      : 1,
			false);
}

/* entry: the parameters.  return: an offset, which is always 0, and the result. */
static void args(struct plan *plan, struct probe *p, struct lang_args *a)
{
	struct func *f = func_of(p);
	const struct btf_type *proto = proto_of(plan, f);
	const struct btf_param *params = proto ? btf_params(proto) : NULL;
	unsigned int n = proto ? btf_vlen(proto) : 0;

	if (!proto)
		return;
	if (is_return(p)) {
		a->nnative = proto->type ? 2 : 1;
		a->native = arena_new_arr(plan->env.arena, struct type *, 2);
		a->native[0] = type_int(plan->env.types, 4, true);
		if (proto->type)
			a->native[1] = value_type(plan, proto->type);
		return;
	}
	a->native = arena_new_arr(plan->env.arena, struct type *, n + 1);
	f->words = arena_new_arr(plan->env.arena, unsigned int, n + 1);
	for (unsigned int i = 0; i < n && params[i].type; i++) {
		a->native[a->nnative++] = value_type(plan, params[i].type);
		f->words[i + 1] = f->words[i] + words_of(plan, &params[i]);
	}
}

/* ---- programs ---- */

static bool is_kprobe(const struct unit *u)
{
	return u->prog_type == BPF_PROG_TYPE_KPROBE;
}

/* A trampoline only passes arguments in registers. */
static bool fits_trampoline(const struct plan *plan, struct func *f)
{
	const struct btf_type *proto = proto_of(plan, f);
	unsigned int words = 0;

	if (!proto || !kern_has(plan->env.kern, KERN_FENTRY))
		return false;
	for (unsigned int i = 0; i < btf_vlen(proto) && btf_params(proto)[i].type; i++)
		words += words_of(plan, &btf_params(proto)[i]);
	return words <= arch_native->nargs;
}

static bool uses_kprobe(const struct plan *plan, const struct probe *p)
{
	return kern_has(plan->env.kern, KERN_KPROBE) &&
	       (func_of(p)->is_pattern || !fits_trampoline(plan, func_of(p)));
}

static const char *place(struct plan *plan, const struct probe *p)
{
	if (uses_kprobe(plan, p))
		return is_return(p) ? "*:return" : "*:entry";
	return is_own(func_of(p))
		   ? arena_printf(plan->env.arena, "%s:%s", p->func, p->name)
		   : arena_printf(plan->env.arena, "%s:%s:%s", p->mod, p->func, p->name);
}

/* program() checks this before any other code of a unit is made. */
static bool has_result(const struct unit *u)
{
	return u->plan && u->plan->has_result;
}

/*
 * A trampoline can return a value for a function that is marked for it (ALLOW_ERROR_INJECTION) or
 * is a security hook: within_error_injection_list() and check_attach_modify_return(),
 * kernel/bpf/verifier.c.
 */
static const char *no_return(struct plan *plan, struct probe *p)
{
	struct func *f = func_of(p);
	struct kern_sym sym;

	if (is_return(p))
		return arena_printf(plan->env.arena, "%s:return fires after the function has run",
				    p->func);
	if (fits_trampoline(plan, f) && proto_of(plan, f)->type &&
	    kern_is_modifiable(plan->env.kern, f->btf)) {
		f->is_pattern = false;
		return NULL;
	}
	return arena_printf(
	    plan->env.arena, "%s is not one of the functions whose result %s", p->func,
	    kern_sym_by_name(plan->env.kern, NULL, "within_error_injection_list", &sym)
		? "programs may change (error_injection/list in debugfs; security_*)"
		: "programs may change (security_* only: this kernel has no error injection)");
}

static bool program(struct plan *plan, struct unit *u, const char **err)
{
	if (uses_kprobe(plan, u->probes.a[0])) {
		kprobe_program(plan, u, true);
		return true;
	}
	u->prog_type = BPF_PROG_TYPE_TRACING;
	u->attach_type = is_return(u->probes.a[0]) ? BPF_TRACE_FEXIT
			 : has_result(u)	   ? BPF_MODIFY_RETURN
						   : BPF_TRACE_FENTRY;
	u->btf_id = func_of(u->probes.a[0])->btf;
	return true;
}

/* Some functions cannot have a trampoline, for example functions that BPF itself calls. */
static bool another(struct plan *plan, struct unit *u)
{
	if (is_kprobe(u) || has_result(u) || !kern_has(plan->env.kern, KERN_KPROBE))
		return false;
	kprobe_program(plan, u, true);
	u->btf_id = 0;
	return true;
}

static struct ir_ins *dispatch(struct lw *lw)
{
	return is_kprobe(lw->unit) ? call_cookie(lw) : lw_const(lw, lw->unit->probes.a[0]->key);
}

static struct probe *one_of(const struct lw *lw)
{
	return lw->firing.group->probes.a[0];
}

/* Returns word n of the arguments.  At a return, number 1 is the result. */
static struct ir_ins *word(struct lw *lw, unsigned int n)
{
	struct probe *p = one_of(lw);
	const struct btf_type *proto = proto_of(lw->plan, func_of(p));

	if (!is_return(p))
		return is_kprobe(lw->unit) ? call_arg(lw, n, PLACE_SCALAR)
					   : lw_load_pure(lw, 8, lw->firing.ctx, n * 8, IR_MEM_CTX);
	if (n != 1)
		return lw_const(lw, 0);
	return is_kprobe(lw->unit)
		   ? call_reg(lw, arch_native->result)
		   : lw_load_pure(lw, 8, lw->firing.ctx, btf_vlen(proto) * 8, IR_MEM_CTX);
}

static struct val arg(struct lw *lw, unsigned int n, struct type *type)
{
	struct probe *p = one_of(lw);
	struct val v = {.type = type, .place = PLACE_SCALAR};

	if (is_return(p) && n == 1 && !is_kprobe(lw->unit))
		return lw_ctx_arg(lw, btf_vlen(proto_of(lw->plan, func_of(p))), type);
	if (!is_return(p))
		n = func_of(p)->words[n];
	if (!is_return(p) && !is_kprobe(lw->unit))
		return lw_ctx_arg(lw, n, type);
	v.v = word(lw, n);
	if (type_base(type)->kind != TYPE_PTR)
		v.v = lw_norm(lw, v.v, type);
	return v;
}

static int integer_size(const struct plan *plan, uint32_t id)
{
	const struct btf_type *t = kern_btf_type(plan->env.kern, id);

	while (t && (btf_is_mod(t) || btf_is_typedef(t) || btf_is_type_tag(t)))
		t = kern_btf_type(plan->env.kern, t->type);
	if (t && btf_is_int(t) && t->size < 8)
		return btf_int_encoding(t) & BTF_INT_SIGNED ? -(int)t->size : (int)t->size;
	/* Enumerations have a sign since Linux 6.0.  Before that the flag is never set. */
	return t && btf_is_enum(t) && btf_kflag(t) && t->size < 8 ? -(int)t->size : 0;
}

static int raw_size(const struct plan *plan, const struct probe *p, unsigned int n)
{
	const struct btf_type *proto = proto_of(plan, func_of(p));

	if (!proto || is_return(p))
		return proto && n == 1 ? integer_size(plan, proto->type) : 0;
	for (unsigned int i = 0; i < btf_vlen(proto) && btf_params(proto)[i].type; i++) {
		unsigned int words = words_of(plan, &btf_params(proto)[i]);

		if (n < words)
			return words == 1 ? integer_size(plan, btf_params(proto)[i].type) : 0;
		n -= words;
	}
	return 0;
}

static struct ir_ins *rawarg(struct lw *lw, unsigned int n)
{
	const struct probe *p = one_of(lw);
	const struct func *f = func_of(p);

	if (is_kprobe(lw->unit) || is_return(p) || (p->args && n < f->words[p->args->nnative]))
		return word(lw, n);
	return lw_const(lw, 0);
}

/* The frames of a trampoline: the program and the trampoline. */
static struct own_frames own_frames(const struct plan *plan, const struct unit *u)
{
	if (is_kprobe(u))
		return (struct own_frames){.next = is_return(u->probes.a[0]) ? FRAME_OF_CALLER
									     : FRAME_OF_CALL};
	return (struct own_frames){.least = 2, .next = FRAME_OF_CALL};
}

/* ---- attaching ---- */

static int attach(struct plan *plan, struct unit *u, const char **err)
{
	kprobe_list list = {0};
	int r;

	if (!is_kprobe(u))
		return unit_attach(plan, u, "function", err);
	for (unsigned int i = 0; i < u->probes.n; i++) {
		const struct probe *p = u->probes.a[i];
		size_t n;
		const struct kern_func *f = kern_func_find(plan->env.kern, p->func, &n);

		for (size_t k = 0; k < n; k++)
			if (f[k].addr && strcmp(f[k].module, p->mod) == 0)
				vec_push(&list, ((struct kprobe){f[k].addr, (uint64_t)p->key, p,
								 .is_optional = true}));
	}
	r = kprobe_attach(plan, u, &list, is_return(u->probes.a[0]), err);
	vec_free(&list);
	return r;
}

const struct provider provider_fbt = {
    .name = "fbt",
    .ids = {20000, 480000},
    .attrs = {"Evolving/Evolving/ISA", "Private/Private/Unknown", "Private/Private/Unknown",
	      "Evolving/Evolving/ISA", "Private/Private/ISA"},
    .provide = provide,
    .absent = absent,
    .args = args,
    .place = place,
    .program = program,
    .no_return = no_return,
    .another = another,
    .dispatch = dispatch,
    .arg = arg,
    .rawarg = rawarg,
    .raw_size = raw_size,
    .own_frames = own_frames,
    .attach = attach,
    .is_in_ring = kprobe_in_ring,
    .is_gated = true,
};
