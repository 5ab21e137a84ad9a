/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan.c: makes the plan of a session.  plan_make() is the entry: it takes units after
 * unit_plan_make and sets maps and layouts.  After it only sizes from lowering are added.
 */
#include "plan/plan.h"

static bool is_in_ring(const struct unit *u)
{
	for (unsigned int i = 0; u->provider->is_in_ring && i < u->probes.n; i++)
		if (u->provider->is_in_ring(u->probes.a[i]))
			return true;
	return false;
}

static void plan_unit(struct plan *plan, struct unit *u)
{
	if (!plan->ring_busy && is_in_ring(u))
		plan->ring_busy =
		    plan_map_new(plan, "ring_busy", BPF_MAP_TYPE_PERCPU_ARRAY, 4, 8, 1, 0);
	plan->has_timer |= u->provider->is_timer;
	u->plan->args = u->probes.n ? probe_args(plan, u->probes.a[0]) : NULL;
	for (unsigned int i = 0; i < u->plan->vars.n; i++)
		plan_var_add(plan, u->plan->vars.a[i]->ident);
	for (unsigned int i = 0; i < u->groups.n; i++) {
		const struct group *g = u->groups.a[i];

		for (unsigned int j = 0; j < g->list.n; j++) {
			plan_updates(plan, &g->list.a[j], u);
			plan_records(plan, g->list.a[j].clause);
		}
	}
}

void plan_make(struct plan *plan, struct unit *const *units, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		plan_unit(plan, units[i]);
	if (plan->error_unit)
		plan_unit(plan, plan->error_unit);
	for (unsigned int i = 0; i < plan->aggs.n; i++)
		plan_agg_place(plan, plan->aggs.a[i]);
	plan->is_made = true;
}
