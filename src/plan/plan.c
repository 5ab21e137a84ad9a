/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan.c: the plan of a session, from its units.
 */
#include "plan/plan.h"

static void plan_unit(struct lower *lo, struct unit *u)
{
	lo->has_timer |= u->provider->is_timer;
	unit_plan_make(lo, u);
	u->plan->args = u->probes.n ? probe_args(lo, u->probes.a[0]) : NULL;
	for (unsigned int i = 0; i < u->plan->vars.n; i++)
		plan_var(lo, u->plan->vars.a[i]->ident);
	for (unsigned int i = 0; i < u->groups.n; i++) {
		const struct group *g = u->groups.a[i];

		for (unsigned int j = 0; j < g->list.n; j++) {
			plan_updates(lo, &g->list.a[j], u);
			plan_records(lo, g->list.a[j].clause);
		}
	}
}

void plan_make(struct lower *lo, struct unit *const *units, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		plan_unit(lo, units[i]);
	if (lo->error_unit)
		plan_unit(lo, lo->error_unit);
	for (unsigned int i = 0; i < lo->aggs.n; i++)
		plan_agg(lo, lo->aggs.a[i]);
}
