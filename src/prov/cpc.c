/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpc.c: cpc:::EVENT-MODE-[MASK-]COUNT fires each time a CPU has counted COUNT of an event in the
 * mode: user, kernel or all.
 *
 * An event is one of four kinds: a software event; an event of most processors, by its name in perf
 * or PAPI; an event that the processor's driver names in /sys; or rHEX, a raw number.  Dashes in
 * names become underscores.  MASK (0xHEX) is the unit mask, bits 8 to 15 of the event selector.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "kern/kern.h"
#include "prov/perf.h"
#include "sys/bpf.h"
#include "sys/machine.h"

/* Minimum counts: for frequent events, for a clock in ns, and for rare events. */
#define FREQUENT_MIN 5000
#define CLOCK_MIN    200000
#define SELDOM_MIN   1

#define CACHE(cache, op, result)                                                               \
	PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##cache | (PERF_COUNT_HW_CACHE_OP_##op << 8) | \
				(PERF_COUNT_HW_CACHE_RESULT_##result << 16)

struct event {
	const char *name, *papi;
	uint32_t type;
	uint64_t config;
	uint64_t min, listed; /* counts: the minimum, and the one in listings */
};

#define SOFTWARE(name, id, min, listed)                                         \
	{                                                                       \
		name, NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id, min, listed \
	}
#define HARDWARE(name, papi, id, listed)                                                 \
	{                                                                                \
		name, papi, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id, FREQUENT_MIN, listed \
	}
#define CACHED(name, papi, ...)                                      \
	{                                                            \
		name, papi, CACHE(__VA_ARGS__), FREQUENT_MIN, 100000 \
	}

/* linux/perf_event.h.  Names of PAPI: its papi_avail(1). */
static const struct event events[] = {
    SOFTWARE("cpu_clock", CPU_CLOCK, CLOCK_MIN, 1000000000),
    SOFTWARE("task_clock", TASK_CLOCK, CLOCK_MIN, 1000000000),
    SOFTWARE("page_faults", PAGE_FAULTS, SELDOM_MIN, 100),
    SOFTWARE("minor_faults", PAGE_FAULTS_MIN, SELDOM_MIN, 100),
    SOFTWARE("major_faults", PAGE_FAULTS_MAJ, SELDOM_MIN, 1),
    SOFTWARE("context_switches", CONTEXT_SWITCHES, SELDOM_MIN, 1000),
    SOFTWARE("cpu_migrations", CPU_MIGRATIONS, SELDOM_MIN, 100),
    SOFTWARE("migrations", CPU_MIGRATIONS, SELDOM_MIN, 100),
    SOFTWARE("alignment_faults", ALIGNMENT_FAULTS, SELDOM_MIN, 1000),
    SOFTWARE("emulation_faults", EMULATION_FAULTS, SELDOM_MIN, 1000),
    HARDWARE("cpu_cycles", "PAPI_tot_cyc", CPU_CYCLES, 1000000000),
    HARDWARE("cycles", NULL, CPU_CYCLES, 1000000000),
    HARDWARE("instructions", "PAPI_tot_ins", INSTRUCTIONS, 1000000000),
    HARDWARE("cache_references", NULL, CACHE_REFERENCES, 1000000),
    HARDWARE("cache_misses", NULL, CACHE_MISSES, 1000000),
    HARDWARE("branch_instructions", "PAPI_br_ins", BRANCH_INSTRUCTIONS, 100000000),
    HARDWARE("branches", NULL, BRANCH_INSTRUCTIONS, 100000000),
    HARDWARE("branch_misses", "PAPI_br_msp", BRANCH_MISSES, 1000000),
    HARDWARE("bus_cycles", NULL, BUS_CYCLES, 100000000),
    HARDWARE("ref_cycles", "PAPI_ref_cyc", REF_CPU_CYCLES, 1000000000),
    HARDWARE("stalled_cycles_frontend", NULL, STALLED_CYCLES_FRONTEND, 100000000),
    HARDWARE("stalled_cycles_backend", "PAPI_res_stl", STALLED_CYCLES_BACKEND, 100000000),
    CACHED("L1_dcache_loads", "PAPI_l1_dcr", L1D, READ, ACCESS),
    CACHED("L1_dcache_load_misses", "PAPI_l1_dcm", L1D, READ, MISS),
    CACHED("L1_icache_load_misses", "PAPI_l1_icm", L1I, READ, MISS),
    CACHED("LLC_loads", NULL, LL, READ, ACCESS),
    CACHED("LLC_load_misses", NULL, LL, READ, MISS),
    CACHED("dTLB_load_misses", "PAPI_tlb_dm", DTLB, READ, MISS),
    CACHED("iTLB_load_misses", "PAPI_tlb_im", ITLB, READ, MISS),
};

#define NEVENTS (sizeof(events) / sizeof(events[0]))

/* ---- names ---- */

/* The parsed name.  An attribute that will be opened contains the count. */
struct request {
	struct perf_event_attr attr;
	uint64_t min;
	bool is_mode, is_event, is_counted;
};

static const struct event *find_event(const char *name, size_t len)
{
	for (size_t i = 0; i < NEVENTS; i++) {
		const struct event *e = &events[i];

		if ((strncmp(name, e->name, len) == 0 && !e->name[len]) ||
		    (e->papi && strncmp(name, e->papi, len) == 0 && !e->papi[len]))
			return e;
	}
	return NULL;
}

struct named {
	const char *name;
	size_t len;
	char found[64];
};

static void is_named(void *ctx, const char *name)
{
	struct named *n = ctx;

	if (strlen(name) != n->len || n->len >= sizeof(n->found))
		return;
	for (size_t i = 0; i < n->len; i++)
		if (n->name[i] != (name[i] == '-' ? '_' : name[i]))
			return;
	strcpy(n->found, name);
}

/* Finds an event that the processor's driver names, or its number. */
static bool find_native(struct kern *k, struct perf_event_attr *a, const char *name, size_t len)
{
	const char *cores = kern_event_cores(k);
	struct named n = {.name = name, .len = len};
	struct kern_event e;
	char *end;

	if (name[0] == 'r' && strspn(name + 1, "0123456789abcdefABCDEF") == len - 1 && len > 1) {
		a->type = PERF_TYPE_RAW;
		a->config = strtoull(name + 1, &end, 16);
		return true;
	}
	if (cores)
		kern_event_names(k, cores, is_named, &n);
	if (!n.found[0] || !kern_event_read(k, cores, n.found, &e))
		return false;
	a->type = e.type;
	a->config = e.config[0];
	a->config1 = e.config[1];
	a->config2 = e.config[2];
	return true;
}

static void parse_event(struct kern *k, struct request *q, const char *name, size_t len)
{
	const struct event *e = find_event(name, len);

	q->min = e ? e->min : FREQUENT_MIN;
	if (e) {
		q->attr.type = e->type;
		q->attr.config = e->config;
	}
	q->is_event = e || find_native(k, &q->attr, name, len);
}

/* Parses the mode after an event.  Returns NULL if there is none. */
static const char *parse_mode(struct request *q, const char *p)
{
	static const char *const modes[] = {"user-", "kernel-", "all-"};

	for (unsigned int i = 0; i < 3; i++) {
		size_t len = strlen(modes[i]);

		if (strncmp(p, modes[i], len) != 0)
			continue;
		q->attr.exclude_user = i == 1;
		q->attr.exclude_kernel = i == 0;
		q->attr.exclude_hv = i == 0;
		return p + len;
	}
	return NULL;
}

/* Parses the name as far as it is valid. */
static void parse(struct kern *k, struct request *q, const char *name)
{
	size_t len = strcspn(name, "-");
	const char *p;
	char *end;

	memset(q, 0, sizeof(*q));
	q->attr.size = sizeof(q->attr);
	q->attr.disabled = 1;
	p = name[len] ? parse_mode(q, name + len + 1) : NULL;
	if (!p || !len)
		return;
	q->is_mode = true;
	parse_event(k, q, name, len);
	if (strncmp(p, "0x", 2) == 0 && q->is_event) {
		uint64_t mask = strtoull(p, &end, 16);

		if (*end != '-' || mask > 0xff || find_event(name, len))
			return;
		q->attr.config |= mask << 8;
		p = end + 1;
	}
	q->attr.sample_period = strtoull(p, &end, 10);
	q->is_counted = *p >= '0' && *p <= '9' && !*end;
}

/* Returns true if the machine counts the event.  Every kernel counts software events. */
static bool is_there(struct machine *m, struct perf_event_attr *attr)
{
	int fd;

	if (attr->type == PERF_TYPE_SOFTWARE)
		return true;
	fd = sys_perf_open(m, attr, NULL, -1, 0);
	if (fd >= 0)
		sys_close(m, fd);
	return fd >= 0;
}

/* ---- probes ---- */

static void add(struct probes *ps, const struct provider *pv, uint64_t index, const char *name)
{
	struct kern *k = probes_plan(ps)->env.kern;
	struct request q;
	struct probe *p;

	parse(k, &q, name);
	if (!q.is_event || !q.is_counted || q.attr.sample_period < q.min ||
	    !is_there(kern_machine(k), &q.attr))
		return;
	p = probe_add_near(ps, pv, index, "cpc", "", "", name);
	if (p && !p->data)
		p->data = memcpy(arena_new_obj(probes_plan(ps)->env.arena, struct perf_event_attr),
				 &q.attr, sizeof(q.attr));
}

struct listing {
	struct probes *ps;
	const struct provider *pv;
	const struct pdesc *d;
	bool is_listed; /* d is the name of a listed probe */
};

/* Listed probes get their numbers first. */
static void add_listed(struct listing *l, uint64_t index, const char *event, uint64_t count)
{
	char *name = arena_printf(probes_plan(l->ps)->env.arena, "%s-all-%llu", event,
				  (unsigned long long)count);

	for (char *c = name; c < name + strlen(event); c++)
		if (*c == '-')
			*c = '_';
	if (!l->d->id && !probe_glob(l->d->name, name))
		return;
	add(l->ps, l->pv, index, name);
	l->is_listed = true;
}

static void add_native(void *ctx, const char *name)
{
	struct listing *l = ctx;

	if (!find_event(name, strlen(name)))
		add_listed(l, NEVENTS + probe_index("", name) % (l->pv->ids.n - NEVENTS), name,
			   1000000);
}

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	struct listing l = {.ps = ps, .pv = pv, .d = d};
	struct kern *k = probes_plan(ps)->env.kern;
	const char *cores = kern_event_cores(k);

	for (uint32_t i = 0; i < NEVENTS; i++)
		add_listed(&l, i, events[i].name, events[i].listed);
	if (cores)
		kern_event_names(k, cores, add_native, &l);
	if (!l.is_listed && d->name)
		add(ps, pv, NEVENTS + probe_index("", d->name) % (pv->ids.n - NEVENTS), d->name);
}

static const char *absent(struct plan *plan, const struct pdesc *d)
{
	struct request q;

	parse(plan->env.kern, &q, d->name ? d->name : "");
	if (!q.is_mode)
		return "its probes are named EVENT-user-COUNT, EVENT-kernel-COUNT or "
		       "EVENT-all-COUNT";
	if (!q.is_event)
		return "this machine has no such event; dtrace -l -P cpc lists some that it has";
	if (!q.is_counted)
		return "the name must end with the number of events for each firing";
	if (q.attr.sample_period < q.min)
		return arena_printf(
		    plan->env.arena,
		    "the count is too small: at least %llu events are needed for each firing",
		    (unsigned long long)q.min);
	return "the processors of this machine do not count this event, or hide it from the kernel";
}

static const char *place(struct plan *plan, const struct probe *p)
{
	return p->name;
}

static int attach(struct plan *plan, struct unit *u, const char **err)
{
	return perf_attach(plan, u, u->probes.a[0]->data, false, err);
}

const struct provider provider_cpc = {
    .name = "cpc",
    .ids = {7000, 1000},
    .attrs = {"Evolving/Evolving/Common", "Private/Private/Unknown", "Private/Private/Unknown",
	      "Evolving/Evolving/CPU", "Evolving/Evolving/Common"},
    .provide = provide,
    .absent = absent,
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
