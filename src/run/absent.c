/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * absent.c: providers that DTrace has elsewhere and this build has not, and what watches the same
 * here.
 */
#include <string.h>

#include "base/arena.h"
#include "plan/probe.h"
#include "run/compile.h"

static const struct {
	const char *name, *near;
} elsewhere[] = {
    {"fasttrap", "pid123:OBJECT:FUNCTION: is for functions of processes"},
};

const char *compile_absent(struct compile *comp, const struct pdesc *d)
{
	const char *why = probes_absent(comp->plan->probes, d);

	if (why || !d->prov || compile_have(comp, "provider", d->prov))
		return why;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		if (strcmp(elsewhere[i].name, d->prov) == 0)
			return arena_printf(comp->arena,
					    "there is no provider %s in this build; %s", d->prov,
					    elsewhere[i].near);
	return NULL;
}
