/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rawtp.c: every tracepoint in the BTF of the kernel and of modules, including tracepoints that
 * tracefs does not list.  The arguments follow the tracepoint's prototype.  Plain loads follow
 * pointers to structures.
 */
#include <bpf/btf.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "kern/kern.h"
#include "lower/leaf.h"

/*
 * The kernel's own tracepoints are numbered in order.  Tracepoints of modules follow, numbered by a
 * hash of their names, with room at the end for collisions.
 */
#define OF_MODULES_FIRST 5000
#define OF_MODULES_SLOTS 4500

static void add(struct probes *ps, const struct provider *pv, const struct pdesc *d,
		const char *module)
{
	size_t n;
	const struct kern_tp *tps = kern_tracepoints(probes_plan(ps)->env.kern, module, &n);

	for (size_t i = 0; i < n; i++) {
		uint32_t index = (uint32_t)i;
		struct probe *p;

		if (!probe_glob(d->name, tps[i].name))
			continue;
		if (module)
			index =
			    OF_MODULES_FIRST + probe_index(module, tps[i].name) % OF_MODULES_SLOTS;
		if (d->id && !module && d->id != pv->ids.first + index)
			continue;
		p = module ? probe_add_near(ps, pv, index, "rawtp", module, "", tps[i].name)
			   : probe_add(ps, pv, index, "rawtp", "vmlinux", "", tps[i].name);
		if (p)
			p->data = &tps[i];
	}
}

static bool is_pattern(const char *field)
{
	return !field || !*field || strpbrk(field, "*?[\\");
}

static const char *typedef_of(struct probes *ps, const char *name)
{
	return arena_printf(probes_plan(ps)->env.arena, "btf_trace_%s", name);
}

/*
 * Returns true if modules have to be searched.  Reading all modules is slow.  It is necessary for
 * patterns, ids, and a tracepoint that exists but not in the kernel itself.
 */
static bool asks_modules(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	struct kern *k = probes_plan(ps)->env.kern;

	if (d->id)
		return d->id >= pv->ids.first + OF_MODULES_FIRST;
	if (is_pattern(d->name) || (d->mod && *d->mod))
		return true;
	return d->prov && *d->prov &&
	       !kern_btf_find(k, typedef_of(ps, d->name), BTF_KIND_TYPEDEF) &&
	       kern_has_event(k, d->name);
}

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	struct kern *k = probes_plan(ps)->env.kern;
	const char *module;

	if (!is_pattern(d->mod)) {
		add(ps, pv, d, strcmp(d->mod, "vmlinux") == 0 ? NULL : d->mod);
		return;
	}
	if (probe_glob(d->mod, "vmlinux"))
		add(ps, pv, d, NULL);
	if (!asks_modules(ps, pv, d))
		return;
	for (unsigned int i = 0; (module = kern_btf_module(k, i)) != NULL; i++)
		if (probe_glob(d->mod, module))
			add(ps, pv, d, module);
}

static void args(struct plan *plan, struct probe *p, struct lang_args *a)
{
	const struct kern_tp *tp = p->data;
	const struct btf_type *proto = kern_btf_type(plan->env.kern, tp->func_proto);
	const struct btf_param *params = btf_params(proto);
	unsigned int n = btf_vlen(proto);

	/* Parameter 0 is the tracepoint's private data. */
	a->nnative = n ? n - 1 : 0;
	a->native = arena_new_arr(plan->env.arena, struct type *, n);
	for (unsigned int i = 1; i < n; i++)
		a->native[i - 1] = type_from_btf(plan->env.types, params[i].type);
}

static const char *absent(struct plan *plan, const struct pdesc *d)
{
	return kern_btf_count(plan->env.kern) ? NULL : "this kernel offers no BTF";
}

static const char *place(struct plan *plan, const struct probe *p)
{
	const struct kern_tp *tp = p->data;

	return tp->module ? arena_printf(plan->env.arena, "%s:%s", tp->module, p->name) : p->name;
}

static bool program(struct plan *plan, struct unit *u, const char **err)
{
	const struct kern_tp *tp = u->probes.a[0]->data;

	u->prog_type = BPF_PROG_TYPE_TRACING;
	u->attach_type = BPF_TRACE_RAW_TP;
	u->btf_id = tp->typedef_id;
	return true;
}

static struct own_frames own_frames(const struct plan *plan, const struct unit *u)
{
	return unit_tracepoint_frames(plan, u->probes.a[0]->name);
}

static int attach(struct plan *plan, struct unit *u, const char **err)
{
	return unit_attach(plan, u, "tracepoint", err);
}

const struct provider provider_rawtp = {
    .name = "rawtp",
    .ids = {10000, 10000},
    .attrs = {"Private/Private/ISA", "Private/Private/Unknown", "Private/Private/Unknown",
	      "Private/Private/ISA", "Private/Private/ISA"},
    .provide = provide,
    .absent = absent,
    .args = args,
    .place = place,
    .program = program,
    .arg = lw_ctx_arg,
    .own_frames = own_frames,
    .attach = attach,
    .is_gated = true,
    .has_irqs_off = true, /* for example sched_switch */
    .has_batches = true,  /* sched_waking */
};
