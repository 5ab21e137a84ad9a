/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy.c: everything that a mechanism provider needs, in one file: toy:::fork, at the tracepoint
 * where a thread makes another, with both as arguments.  `make build/test/dtrace-toy` builds dtrace
 * with it.
 */
#include <linux/btf.h>

#include "base/arena.h"
#include "kern/kern.h"
#include "lower/leaf.h"

#define TRACEPOINT "btf_trace_sched_process_fork"

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	probe_add(ps, pv, 0, "toy", "", "", "fork");
}

static void args(struct plan *plan, struct probe *p, struct lang_args *a)
{
	a->nnative = 2;
	a->native = arena_new_arr(plan->env.arena, struct type *, 2);
	a->native[0] =
	    type_ptr(plan->env.types, type_lookup(plan->env.types, "struct task_struct"));
	a->native[1] = a->native[0];
}

static const char *place(struct plan *plan, const struct probe *p)
{
	return p->name;
}

static bool program(struct plan *plan, struct unit *u, const char **err)
{
	u->prog_type = BPF_PROG_TYPE_TRACING;
	u->attach_type = BPF_TRACE_RAW_TP;
	u->btf_id = kern_btf_find(plan->env.kern, TRACEPOINT, BTF_KIND_TYPEDEF);
	*err = "this kernel has no such tracepoint";
	return u->btf_id != 0;
}

static int attach(struct plan *plan, struct unit *u, const char **err)
{
	return unit_attach(plan, u, "tracepoint", err);
}

const struct provider provider_toy = {
    .name = "toy",
    .ids = {4, 1},
    .attrs = {"Private/Private/Common", "Private/Private/Unknown", "Private/Private/Unknown",
	      "Private/Private/Common", "Private/Private/Common"},
    .provide = provide,
    .args = args,
    .place = place,
    .program = program,
    .arg = lw_ctx_arg,
    .attach = attach,
    .is_gated = true,
};
