/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hyper.c: sessions side by side.  Each has its kernel, its plan and its records; they share the
 * output, to which records go in the order of time, and their aggregations, which are those of the
 * first.
 *
 * A record is held back until every machine has said that it has sent all that happened before.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/mem.h"
#include "kern/kern.h"
#include "out/msg.h"
#include "run/world.h"
#include "target/find.h"
#include "target/hyper.h"
#include "target/remote.h"

#define SECOND	     1000000000ULL
#define POLL_IDLE_MS 20 /* as in run/trace.c */
#define POLL_BUSY_MS 2
#define PING_NS	     (SECOND / 10) /* how often the clock of a target is measured */
#define RELIEVE_NS   (SECOND / 5)  /* and how full its aggregations are */
#define LATE_NS	     (2 * SECOND)  /* who has not said anything for so long is not waited for */
#define SLEW_MAX     0.01	   /* the time of programs is corrected so fast */

/*
 * A firing may have its time before the target said what is complete, and its record behind, as
 * long as the processor of a virtual machine may have nothing to run on: a slice of time.
 */
#define MARGIN_NS 20000000

struct held {
	uint64_t time; /* of ours */
	size_t len;
	void *data;
};

struct target {
	struct hyper *hyper;
	const char *name, *channel;
	struct target_names names;
	struct session *s; /* NULL: not connected */
	const char *state; /* why not */
	uint64_t complete; /* everything before has come */
	uint64_t last;	   /* time of the newest record held */
	VEC(struct held) held;
	unsigned int first;	     /* of these that has not been consumed */
	bool is_lost;		     /* and that has been said */
	bool is_timed;		     /* its programs know our time */
	uint64_t relieved, reported; /* when aggregations, losses were looked at last */
};

struct hyper {
	struct arena *arena;
	VEC(struct target *) targets; /* the host's is the first */
	struct consume **peers;
	bool holds;	 /* records are put in order, not consumed as they come */
	uint64_t pinged; /* when the clocks were measured last */
};

static struct target *host(const struct hyper *h)
{
	return h->targets.a[0];
}

static struct report *report(const struct hyper *h)
{
	return &host(h)->s->report;
}

static bool is_live(const struct target *t)
{
	return t->s && !t->is_lost;
}

/* Calls to it do not keep the others waiting. */
static bool is_quick(const struct target *t)
{
	return is_live(t) && (t->s->machine->is_here || remote_is_awake(t->s->machine));
}

/* Say so once; true: it is. */
static bool is_lost(struct hyper *h, struct target *t)
{
	const char *why = t->s->machine->is_here ? NULL : remote_lost(t->s->machine);

	if (!why || t->is_lost)
		return t->is_lost;
	t->is_lost = true;
	out_flush(host(h)->s->consume.out);
	report_error(report(h), "target %s is lost: %s", t->name, why);
	return true;
}

/* ---- making ---- */

static struct target *add(struct hyper *h, const char *name, const char *channel)
{
	struct target *t = arena_new_obj(h->arena, struct target);

	t->hyper = h;
	t->name = name;
	t->channel = channel;
	vec_push(&h->targets, t);
	return t;
}

static bool names_one(void *ctx, const char *pattern)
{
	struct session *s = ctx;
	struct hyper *h = s->load.world_data;

	for (unsigned int i = 0; i < h->targets.n; i++)
		if (h->targets.a[i]->s && compile_is_named(&h->targets.a[i]->names, pattern,
							   opts_target_kinds(&host(h)->s->opts)))
			return true;
	return false;
}

static void hold_record(void *ctx, const void *data, size_t len);

/* The session is one of several from now on. */
static void join(struct target *t, struct session *s, unsigned int vmid)
{
	t->s = s;
	s->compile.self = &t->names;
	s->compile.is_target = names_one;
	s->load.world_data = t->hyper;
	s->load.record = hold_record;
	s->load.ctx = t;
	s->plan.is_timed = true;
	s->plan.vmname = t->name;
	s->plan.vmid = vmid;
	s->consume.out = &host(t->hyper)->s->out;
}

struct hyper *hyper_new(struct session *s)
{
	struct arena *a = arena_new();
	struct hyper *h = arena_new_obj(a, struct hyper);
	struct target *t;

	h->arena = a;
	t = add(h, "host", "");
	find_names(s->machine, a, t->name, &t->names);
	t->names.is_host = true;
	join(t, s, 0);
	return h;
}

void hyper_free(struct hyper *h)
{
	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct target *t = h->targets.a[i];

		for (unsigned int j = t->first; j < t->held.n; j++)
			mem_free(t->held.a[j].data);
		vec_free(&t->held);
		if (i && t->s)
			session_free(t->s);
	}
	vec_free(&h->targets);
	arena_free(h->arena);
}

/* The first that has a name keeps it.  A guest may have been named, too, but a command runs anew.
 */
static void found(void *ctx, const char *name, const char *channel)
{
	struct hyper *h = ctx;

	for (unsigned int i = 0; i < h->targets.n; i++) {
		if (strcmp(h->targets.a[i]->channel, channel) == 0 &&
		    strncmp(channel, "exec:", 5) != 0)
			return;
		if (strcmp(h->targets.a[i]->name, name) == 0) {
			report_error(report(h), "there are two targets %s: %s is left out", name,
				     channel);
			return;
		}
	}
	add(h, name, channel);
}

static void connect_target(struct hyper *h, struct target *t, unsigned int vmid)
{
	const char *err = NULL;
	struct machine *m = remote_open(t->channel, &err);
	struct session *s;

	if (!m) {
		t->state = err;
		report_error(report(h), "target %s (%s): %s", t->name, t->channel, err);
		return;
	}
	s = session_new_on(report(h)->progname, m);
	find_names(m, h->arena, t->name, &t->names);
	s->plan.has_clock = true;
	join(t, s, vmid);
}

void hyper_connect(struct hyper *h)
{
	struct session *s = host(h)->s;

	for (unsigned int i = 0; i < s->targets.n; i++)
		find_option(s->targets.a[i], found, h);
	if (!s->targets.n) {
		find_files(report(h), TARGETS_DIR, found, h);
		find_guests(found, h);
	}
	for (unsigned int i = 1; i < h->targets.n; i++)
		connect_target(h, h->targets.a[i], i);
}

unsigned int hyper_count(const struct hyper *h)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < h->targets.n; i++)
		n += h->targets.a[i]->s != NULL;
	return n;
}

struct session *hyper_session(struct hyper *h, unsigned int n)
{
	for (unsigned int i = 0; i < h->targets.n; i++)
		if (h->targets.a[i]->s && n-- == 0)
			return h->targets.a[i]->s;
	return NULL;
}

static const char *or_none(const char *text)
{
	return text ? text : "-";
}

/* Of its clock, now. */
static uint64_t error_of(const struct target *t)
{
	const struct clock *c = remote_clock(t->s->machine);

	return clock_error(c, load_clock() + (uint64_t)clock_ahead(c, load_clock()));
}

void hyper_list(struct hyper *h)
{
	printf("%-16s %-16s %-12s %-28s %-10s %s\n", "TARGET", "HOST", "SYSTEM", "KERNEL", "CLOCK",
	       "STATE");
	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct target *t = h->targets.a[i];
		struct buf error = {0};

		if (i && t->s)
			buf_printf(&error, "+-%llu us", (unsigned long long)error_of(t) / 1000 + 1);
		printf("%-16s %-16s %-12s %-28s %-10s %s\n", t->name,
		       or_none(t->names.a[TARGET_HOST]), or_none(t->names.a[TARGET_OS]),
		       or_none(t->names.a[TARGET_KERNEL]), or_none(error.s),
		       t->s ? "connected" : t->state);
		buf_free(&error);
	}
}

static bool has_descriptions(const struct session *s)
{
	for (unsigned int i = 0; i < s->compile.progs.n; i++)
		for (struct clause *c = s->compile.progs.a[i]->program->clauses; c; c = c->next)
			if (!c->is_elsewhere)
				return true;
	return !s->compile.progs.n;
}

void hyper_list_probes(struct hyper *h, bool verbose)
{
	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct session *s = h->targets.a[i]->s;

		if (!s || !has_descriptions(s))
			continue;
		printf("%s:\n", h->targets.a[i]->name);
		fflush(stdout);
		s->has_heading = false;
		session_list(s, verbose);
	}
}

/* ---- compiling ---- */

/*
 * Where the types of a kernel are kept: by its build id, which is in its notes, and for each target
 * apart, as they are what it says.
 */
static const char *store_of(struct hyper *h, const struct target *t)
{
	static const char root[] = "/var/cache/dtrace";
	struct buf notes = {0}, path = {0};
	const char *text = NULL;

	if (sys_read_file(t->s->machine, "/sys/kernel/notes", &notes) && notes.n) {
		buf_printf(&path, "%s/%016llx%016llx", root,
			   (unsigned long long)map_hash(t->name, strlen(t->name)),
			   (unsigned long long)map_hash(notes.s, notes.n));
		if ((mkdir(root, 0755) == 0 || errno == EEXIST) &&
		    (mkdir(path.s, 0700) == 0 || errno == EEXIST))
			text = arena_strdup(h->arena, path.s);
	}
	buf_free(&notes);
	buf_free(&path);
	return text;
}

static void share(struct hyper *h)
{
	unsigned int n = hyper_count(h);

	h->peers = arena_new_arr(h->arena, struct consume *, n);
	for (unsigned int i = 0; i < n; i++) {
		struct session *s = hyper_session(h, i);

		h->peers[i] = &s->consume;
		s->consume.peers = h->peers;
		s->consume.npeers = n;
		s->consume.peer = i;
		s->consume.file = host(h)->s->consume.file;
	}
}

bool hyper_compile(struct hyper *h)
{
	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct session *s = h->targets.a[i]->s;

		if (!s)
			continue;
		if (i)
			s->compile.store = store_of(h, h->targets.a[i]);
		if (!session_compile(s) && !is_lost(h, h->targets.a[i])) {
			if (i)
				report_error(report(h), "target %s: the program cannot run there",
					     h->targets.a[i]->name);
			return false;
		}
	}
	return true;
}

unsigned int hyper_matched(struct hyper *h, unsigned int program)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < hyper_count(h); i++)
		n += hyper_session(h, i)->compile.progs.a[program]->nmatched;
	return n;
}

/* The first variable of a unit that another machine's clauses use, too; *other: which one. */
static const struct ident *shared_in(const struct unit *u, struct target *t, struct map *users,
				     struct target **other)
{
	for (unsigned int i = 0; u && u->plan && i < u->plan->vars.n; i++) {
		const struct ident *id = u->plan->vars.a[i]->ident;

		if (id->is_library || id->kind != IDENT_GLOBAL)
			continue;
		*other = map_get_str(users, id->name);
		if (*other && *other != t)
			return id;
		map_set_str(users, id->name, t);
	}
	return NULL;
}

static const struct ident *find_shared(struct target *t, struct map *users, struct target **other)
{
	const struct compile *comp = &t->s->compile;
	const struct ident *id = shared_in(comp->plan->error_unit, t, users, other);

	for (unsigned int i = 0; i < comp->units.n && !id; i++)
		id = shared_in(comp->units.a[i], t, users, other);
	return id;
}

/* Each machine has its own variables, so what several use would be something else on each. */
static bool check_shared(struct hyper *h)
{
	struct map *users = map_new();
	const struct ident *id = NULL;
	struct target *other;

	for (unsigned int i = 0; i < h->targets.n && !id; i++) {
		struct target *t = h->targets.a[i];

		if (!t->s)
			continue;
		id = find_shared(t, users, &other);
		if (id) {
			struct diag d = {.loc = id->loc};

			d.text = arena_printf(h->arena,
					      "%s is used on %s and on %s: a variable is one "
					      "machine's (aggregations are those of all)",
					      id->name, other->name, t->name);
			diag_print(stderr, report(h)->progname, &d, false);
		}
	}
	map_free(users);
	return !id;
}

bool hyper_load(struct hyper *h)
{
	share(h);
	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct session *s = h->targets.a[i]->s;

		if (!s || is_lost(h, h->targets.a[i]))
			continue;
		s->plan.signals = host(h)->s->plan.signals;
		if (!compile_check_actions(&s->compile) || !session_fit_options(s) ||
		    !compile_units(&s->compile))
			return false;
	}
	if (!check_shared(h))
		return false;
	for (unsigned int i = 0; i < h->targets.n; i++)
		if (is_live(h->targets.a[i]) && !session_load(h->targets.a[i]->s) &&
		    !is_lost(h, h->targets.a[i]))
			return false;
	return true;
}

/* ---- records ---- */

static void consume(struct target *t, const void *data, size_t len)
{
	t->s->consume.out->symctx = &t->s->consume;
	consume_record(&t->s->consume, data, len);
}

/* When a record was made, as a time of ours; those that do not say, with the one before. */
static uint64_t time_of(const struct target *t, const void *data, size_t len)
{
	const struct abi_rec *r = data;
	const struct plan *plan = &t->s->plan;
	unsigned int i = (unsigned int)(r->desc - ABI_DESC_MIN);
	uint64_t time;

	if (len < sizeof(*r) || r->desc < ABI_DESC_MIN || i >= plan->descs.n ||
	    len < plan->descs.a[i]->size)
		return t->last;
	memcpy(&time, (const char *)data + plan->descs.a[i]->time_off, sizeof(time));
	return time > t->last ? time : t->last;
}

static void hold_record(void *ctx, const void *data, size_t len)
{
	struct target *t = ctx;
	struct held held = {.len = len};

	if (!t->hyper->holds) {
		consume(t, data, len);
		return;
	}
	held.time = t->last = time_of(t, data, len);
	held.data = mem_alloc(len);
	memcpy(held.data, data, len);
	vec_push(&t->held, held);
}

/* The machine with the oldest record; NULL: none has one before that time. */
static struct target *oldest(struct hyper *h, uint64_t before)
{
	struct target *best = NULL;

	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct target *t = h->targets.a[i];

		if (t->first == t->held.n || t->held.a[t->first].time >= before)
			continue;
		if (!best || t->held.a[t->first].time < best->held.a[best->first].time)
			best = t;
	}
	return best;
}

static bool wants_exit(const struct hyper *h)
{
	for (unsigned int i = 0; i < h->targets.n; i++)
		if (h->targets.a[i]->s && h->targets.a[i]->s->consume.wants_exit)
			return true;
	return false;
}

static void deliver(struct hyper *h, uint64_t before)
{
	struct target *t;
	bool any = false;

	while ((t = oldest(h, before)) != NULL) {
		struct held *held = &t->held.a[t->first++];

		consume(t, held->data, held->len);
		mem_free(held->data);
		if (t->first == t->held.n)
			t->first = t->held.n = 0;
		any = true;
	}
	if (any)
		out_flush(host(h)->s->consume.out);
}

/*
 * Until when all records have come, from all machines.  One that says nothing for long does not
 * hold up the others: what it has, comes late.
 */
static uint64_t complete(const struct hyper *h)
{
	uint64_t least = load_clock() - LATE_NS;
	bool is_late = false;

	for (unsigned int i = 0; i < h->targets.n; i++)
		is_late |= is_live(h->targets.a[i]) && h->targets.a[i]->complete < least;
	if (is_late)
		return least;
	least = UINT64_MAX;
	for (unsigned int i = 0; i < h->targets.n; i++)
		if (is_live(h->targets.a[i]) && h->targets.a[i]->complete < least)
			least = h->targets.a[i]->complete;
	return least;
}

/* ---- running ---- */

/* Records of a machine; how many. */
static int drain(struct target *t)
{
	struct machine *m = t->s->machine;
	uint64_t now = load_clock();
	int n = session_drain(t->s);

	if (n == WORLD_MORE)
		return n;
	if (m->is_here)
		t->complete = now - MARGIN_NS;
	else if (remote_complete(m))
		t->complete = clock_here(remote_clock(m), remote_complete(m)) - MARGIN_NS;
	return n;
}

static void wait(struct hyper *h, int ms)
{
	struct pollfd *p = mem_alloc((h->targets.n + 1) * sizeof(*p));
	unsigned int n = 0;

	for (unsigned int i = 0; i < h->targets.n; i++)
		if (is_live(h->targets.a[i])) {
			struct machine *m = h->targets.a[i]->s->machine;

			p[n++] = (struct pollfd){.fd = m->ops->ring_fd(m), .events = POLLIN};
		}
	p[n++] = (struct pollfd){.fd = host(h)->s->load.wake_fd, .events = POLLIN};
	poll(p, n, ms);
	mem_free(p);
}

/*
 * Tell the programs of a target what is known of its clock.  Their time goes on from where it is,
 * never back: what it was wrong by it makes good for in the next second.
 */
static void set_clock(struct target *t)
{
	const struct clock *c = remote_clock(t->s->machine);
	struct abi_state *state = t->s->load.state;
	uint64_t here = load_clock(), there = here + (uint64_t)clock_ahead(c, here);
	struct abi_clock *old = &state->clocks[state->clock & 1];
	struct abi_clock *new = &state->clocks[!(state->clock & 1)];
	uint64_t want = clock_here(c, there), is = want;
	double wrong;

	if (t->is_timed)
		is = there + old->offset +
		     (uint64_t)((__int128)(int64_t)(there - old->since) * (int64_t)old->rate >> 32);
	wrong = (double)(int64_t)(want - is) / (double)SECOND;
	wrong = wrong > SLEW_MAX ? SLEW_MAX : wrong < -SLEW_MAX ? -SLEW_MAX : wrong;
	new->since = there;
	new->offset = is - there;
	new->rate = (uint64_t)(int64_t)((wrong - c->rate) * 4294967296.0);
	t->s->load.world->store(&t->s->load, new, sizeof(*new));
	state->clock = !(state->clock & 1);
	t->s->load.world->store(&t->s->load, &state->clock, sizeof(state->clock));
	t->is_timed = true;
}

static void measure(struct hyper *h)
{
	if (load_clock() - h->pinged < PING_NS)
		return;
	h->pinged = load_clock();
	for (unsigned int i = 1; i < h->targets.n; i++) {
		struct target *t = h->targets.a[i];

		if (!is_live(t))
			continue;
		set_clock(t);
		remote_ping(t->s->machine);
	}
}

static void each_second(struct hyper *h)
{
	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct target *t = h->targets.a[i];

		if (load_clock() - t->reported < SECOND || !is_quick(t))
			continue;
		consume_drops(&t->s->consume);
		t->reported = load_clock();
	}
}

/* Aggregations that fill up want to be looked at again soon. */
static void relieve(struct hyper *h)
{
	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct target *t = h->targets.a[i];

		if (load_clock() - t->relieved < RELIEVE_NS || !is_quick(t))
			continue;
		t->relieved = aggs_relieve(&t->s->consume) ? 0 : load_clock();
	}
}

static void start(struct hyper *h)
{
	for (unsigned int i = h->targets.n; i-- > 0;) {
		struct target *t = h->targets.a[i];

		if (!is_live(t))
			continue;
		if (i) {
			remote_measure(t->s->machine);
			set_clock(t);
		}
		session_go(t->s);
	}
	h->holds = true;
	h->pinged = load_clock();
}

/* Records of all machines; true: there are more. */
static bool drain_all(struct hyper *h)
{
	bool is_more = false;

	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct target *t = h->targets.a[i];

		if (!is_live(t))
			continue;
		is_more |= drain(t) == WORLD_MORE;
		is_lost(h, t);
	}
	return is_more;
}

/* Everything that has been recorded by now, in order: an agent sends it when it looks next. */
static void deliver_all(struct hyper *h)
{
	uint64_t now = load_clock();

	do {
		drain_all(h);
		if (complete(h) > now)
			break;
		wait(h, POLL_BUSY_MS);
	} while (load_clock() - now < LATE_NS && signals_seen(host(h)->s) < 2);
	deliver(h, UINT64_MAX);
}

static void stop(struct hyper *h)
{
	for (unsigned int i = 0; i < h->targets.n; i++)
		if (is_live(h->targets.a[i]))
			session_halt(h->targets.a[i]->s);
	deliver_all(h);
	for (unsigned int i = h->targets.n; i-- > 0;)
		if (is_live(h->targets.a[i]))
			session_end(h->targets.a[i]->s);
	deliver_all(h);
	h->holds = false;
}

/* What is left when all have stopped. */
static void wind_up(struct hyper *h)
{
	struct session *s = host(h)->s;

	for (unsigned int i = 0; i < h->targets.n; i++)
		if (h->targets.a[i]->s) {
			keep_replay(&h->targets.a[i]->s->consume);
			consume_held(&h->targets.a[i]->s->consume, NULL);
		}
	out_putc(s->consume.out, '\n');
	s->consume.out->symctx = &s->consume;
	aggs_final(&s->consume);
	out_flush(s->consume.out);
	for (unsigned int i = 0; i < h->targets.n; i++)
		if (is_live(h->targets.a[i]))
			consume_drops(&h->targets.a[i]->s->consume);
}

void hyper_run(struct hyper *h)
{
	struct session *s = host(h)->s;
	int wait_ms = POLL_BUSY_MS;

	start(h);
	while (!signals_seen(s) && !wants_exit(h) && !s->consume.out->error) {
		bool is_busy;

		wait(h, wait_ms);
		is_busy = drain_all(h);
		deliver(h, complete(h));
		relieve(h);
		measure(h);
		wait_ms = is_busy ? POLL_BUSY_MS : POLL_IDLE_MS;
		each_second(h);
		if (proc_all_ended(s))
			break;
	}
	stop(h);
	if (signals_seen(s) < 2)
		wind_up(h);
	out_finish(s->consume.out);
}

int hyper_status(const struct hyper *h)
{
	for (unsigned int i = 0; i < h->targets.n; i++)
		if (h->targets.a[i]->s && h->targets.a[i]->s->consume.wants_exit)
			return h->targets.a[i]->s->consume.exit_status;
	return 0;
}
