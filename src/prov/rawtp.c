/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rawtp.c: every tracepoint the kernel's BTF knows, also those tracefs does not list.  The
 * arguments are those of the tracepoint's prototype; pointers to structures are followed by plain
 * loads.
 */
#include <bpf/btf.h>
#include <stddef.h>

#include "base/arena.h"
#include "kern/kern.h"
#include "lower/leaf.h"

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	size_t n;
	const struct kern_tp *tps = kern_tracepoints(probes_plan(ps)->kern, &n);

	for (size_t i = 0; i < n; i++) {
		uint32_t index = (uint32_t)i;

		if (d->id ? d->id == pv->ids.first + index : probe_glob(d->name, tps[i].name))
			probe_add(ps, pv, index, "rawtp", "vmlinux", "", tps[i].name)->data =
			    &tps[i];
	}
}

static void args(struct plan *plan, struct probe *p, struct lang_args *a)
{
	const struct kern_tp *tp = p->data;
	const struct btf_type *proto = kern_btf_type(plan->kern, tp->func_proto);
	const struct btf_param *params = btf_params(proto);
	unsigned int n = btf_vlen(proto);

	/* Parameter 0 is the tracepoint's private data. */
	a->nnative = n ? n - 1 : 0;
	a->native = arena_new_arr(plan->arena, struct type *, n);
	for (unsigned int i = 1; i < n; i++)
		a->native[i - 1] = type_from_btf(plan->types, params[i].type);
}

static const char *absent(struct plan *plan, const struct pdesc *d)
{
	return kern_btf_count(plan->kern) ? NULL : "this kernel offers no BTF";
}

static const char *place(struct plan *plan, const struct probe *p)
{
	return p->name;
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
	return unit_tracepoint_frames(plan, u->place);
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
    .has_irqs_off = true, /* sched_switch, for one */
};
