/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt.c: entry and return of kernel functions through BPF trampolines (fentry, fexit); arguments
 * typed from BTF.  Sites of the libraries use it where the kernel allows it.  A function is a
 * program of its own, so patterns are for listing and for a few functions.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "kern/kern.h"
#include "lower/leaf.h"

extern const struct provider provider_fbt;

static bool is_entry(const char *name)
{
	return name[0] == 'e';
}

static void add(struct probes *ps, const struct provider *pv, const struct pdesc *d, uint32_t id,
		const char *func)
{
	static const char *const names[] = {"entry", "return"};

	for (uint32_t k = 0; k < 2 && id < pv->ids.n / 2; k++)
		if (probe_glob(d->name, names[k]))
			probe_add(ps, pv, id * 2 + k, "fbt", "vmlinux", func, names[k])->key = id;
}

/* Patterns match functions that have BTF and that ftrace can instrument. */
static void provide_all(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	struct kern *k = probes_plan(ps)->kern;

	for (uint32_t id = 1; id < kern_btf_count(k); id++) {
		const struct btf_type *t = kern_btf_type(k, id);
		const char *name = kern_btf_name(k, t->name_off);

		if (btf_kind(t) == BTF_KIND_FUNC && probe_glob(d->func, name) &&
		    kern_is_traceable(k, name))
			add(ps, pv, d, id, name);
	}
}

/* Only who names the provider means functions: a bare `entry` is for system calls. */
static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	struct plan *plan = probes_plan(ps);
	bool is_pattern = !d->func || !*d->func || strpbrk(d->func, "*?[\\");
	uint32_t id;

	if (d->id || !d->prov || !*d->prov || !kern_has(plan->kern, KERN_FENTRY))
		return;
	if (is_pattern) {
		provide_all(ps, pv, d);
		return;
	}
	id = kern_btf_find(plan->kern, d->func, BTF_KIND_FUNC);
	if (id)
		add(ps, pv, d, id, d->func);
}

static const char *absent(struct plan *plan)
{
	if (!kern_has(plan->kern, KERN_FENTRY))
		return "this kernel refuses function tracing; rawtp::: has its tracepoints";
	return kern_btf_count(plan->kern) <= provider_fbt.ids.n / 2
		   ? NULL
		   : "this kernel has more types than fbt has probes";
}

static const struct btf_type *proto_of(const struct plan *plan, const struct probe *p)
{
	return kern_btf_type(plan->kern, kern_btf_type(plan->kern, (uint32_t)p->key)->type);
}

/* entry: the parameters; return: an offset, which is always 0, and the result. */
static void args(struct plan *plan, struct probe *p, struct lang_args *a)
{
	const struct btf_type *proto = proto_of(plan, p);
	const struct btf_param *params = btf_params(proto);
	unsigned int n = btf_vlen(proto);

	if (!is_entry(p->name)) {
		a->nnative = proto->type ? 2 : 1;
		a->native = arena_new_arr(plan->arena, struct type *, 2);
		a->native[0] = type_int(plan->types, 4, true);
		if (proto->type)
			a->native[1] = type_from_btf(plan->types, proto->type);
		return;
	}
	a->native = arena_new_arr(plan->arena, struct type *, n + 1);
	while (a->nnative < n && params[a->nnative].type) {
		a->native[a->nnative] = type_from_btf(plan->types, params[a->nnative].type);
		a->nnative++;
	}
}

static const char *place(struct plan *plan, const struct probe *p)
{
	return arena_printf(plan->arena, "%s:%s", p->func, p->name);
}

static bool program(struct plan *plan, struct unit *u, const char **err)
{
	u->prog_type = BPF_PROG_TYPE_TRACING;
	u->attach_type = is_entry(u->probes.a[0]->name) ? BPF_TRACE_FENTRY : BPF_TRACE_FEXIT;
	u->btf_id = (uint32_t)u->probes.a[0]->key;
	return true;
}

static struct val arg(struct lw *lw, unsigned int n, struct type *type)
{
	struct probe *p = lw->unit->probes.a[0];
	unsigned int nparams = btf_vlen(proto_of(lw->plan, p));

	if (is_entry(p->name))
		return lw_ctx_arg(lw, n, type);
	if (n == 0)
		return (struct val){.v = lw_const(lw, 0), .type = type, .place = PLACE_SCALAR};
	return lw_ctx_arg(lw, nparams, type);
}

/* The program and the trampoline. */
static struct own_frames own_frames(const struct plan *plan, const struct unit *u)
{
	return (struct own_frames){.least = 2};
}

static int attach(struct plan *plan, struct unit *u, const char **err)
{
	return unit_attach(plan, u, "function", err);
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
    .arg = arg,
    .own_frames = own_frames,
    .attach = attach,
    .is_gated = true,
    .is_call = true,
};
