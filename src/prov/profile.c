/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.c: profile-N on every CPU and tick-N on one, from the perf software event cpu-clock,
 * which also fires on idle CPUs.  The kernel raises intervals below 10 us to that (measured on
 * 6.18: with 10 us and less, 72 to 81 thousand firings a second).
 */
#include <stdlib.h>
#include <string.h>

#include "base/rate.h"
#include "prov/perf.h"

#define INTERVAL_MIN 200000 /* ns */

static const char *const standard[] = {
    "profile-97",   "profile-199",  "profile-499", "profile-997", "profile-1999",
    "profile-4001", "profile-4999", "tick-1",	   "tick-10",	  "tick-100",
    "tick-500",	    "tick-1000",    "tick-5000"};

#define NSTANDARD (sizeof(standard) / sizeof(standard[0]))

/* Returns the interval in ns of "tick-10ms"; 0: the name is invalid or the interval too short. */
static uint64_t interval(const char *name)
{
	const char *p = strncmp(name, "tick-", 5) == 0	    ? name + 5
			: strncmp(name, "profile-", 8) == 0 ? name + 8
							    : NULL;
	uint64_t ns;

	if (!p || !rate_parse(p, RATE_HZ, &ns) || strtoull(p, NULL, 10) == 0)
		return 0;
	return ns < INTERVAL_MIN ? 0 : ns;
}

static bool is_tick(const struct probe *p)
{
	return p->name[0] == 't';
}

static void add(struct probes *ps, const struct provider *pv, uint64_t index, const char *name)
{
	struct probe *p = probe_add_near(ps, pv, index, "profile", "", "", name);

	if (p)
		p->key = (int64_t)interval(name);
}

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	bool is_standard = false;

	for (uint32_t i = 0; i < NSTANDARD; i++) {
		if (!probe_glob(d->name, standard[i]) && !d->id)
			continue;
		add(ps, pv, i, standard[i]);
		is_standard = true;
	}
	if (!is_standard && d->name && interval(d->name))
		add(ps, pv, NSTANDARD + probe_index("", d->name) % (pv->ids.n - NSTANDARD),
		    d->name);
}

static const char *place(struct plan *plan, const struct probe *p)
{
	return p->name;
}

static int attach(struct plan *plan, struct unit *u, const char **err)
{
	const struct probe *p = u->probes.a[0];
	const struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
					     .size = sizeof(attr),
					     .config = PERF_COUNT_SW_CPU_CLOCK,
					     .sample_period = (uint64_t)p->key};

	return perf_attach(plan, u, &attr, is_tick(p), err);
}

static const char *const reserved[] = {"tick-*", "profile-*", NULL};

const struct provider provider_profile = {
    .name = "profile",
    .ids = {10, 890},
    .reserved = reserved,
    .attrs = {"Evolving/Evolving/Common", "Unstable/Unstable/Unknown", "Private/Private/Unknown",
	      "Evolving/Evolving/Common", "Evolving/Evolving/Common"},
    .provide = provide,
    .args = perf_args,
    .place = place,
    .program = perf_program,
    .arg = perf_arg,
    .rawarg = perf_rawarg,
    .attach = attach,
    .is_gated = true,
    .is_timer = true,
    .has_irqs_off = true,
};
