/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * targets.c: sessions side by side.  Each session has its kernel, its plan and its records.  They
 * share the output, which gets records in order of time (order.c), and the aggregations of the
 * first session.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clocks.h"
#include "base/map.h"
#include "kern/kern.h"
#include "load/backend.h"
#include "remote/find.h"
#include "remote/priv.h"
#include "remote/remote.h"

/* First and longest wait before the next attempt to connect to a lost target. */
#define RETRY_NS     1000000000ULL
#define RETRY_MAX_NS 30000000000ULL

bool target_note_loss(struct target *t)
{
	const char *why = t->s->machine->is_here ? NULL : remote_lost(t->s->machine);
	struct targets *h = t->all;

	if (!why || t->is_lost)
		return t->is_lost;
	t->is_lost = true;
	t->asked = clock_ns();
	t->pause = RETRY_NS;
	out_flush(host(h)->s->consume.out);
	report_error(report(h), "target %s is lost: %s", t->name, why);
	return true;
}

/* ---- making ---- */

static struct target *add(struct targets *h, const char *name, const char *channel)
{
	struct target *t = arena_new_obj(h->arena, struct target);

	t->all = h;
	t->name = arena_strdup(h->arena, name);
	t->channel = arena_strdup(h->arena, channel);
	vec_push(&h->targets, t);
	return t;
}

static bool names_one(void *ctx, const char *pattern)
{
	struct targets *h = ctx;

	for (unsigned int i = 0; i < h->targets.n; i++)
		if (h->targets.a[i]->s && compile_is_named(&h->targets.a[i]->names, pattern,
							   opts_target_kinds(&host(h)->s->opts)))
			return true;
	return false;
}

/* Prepares a session for one of several machines. */
static void prepare(struct target *t, struct session *s)
{
	s->compile.self = &t->names;
	s->compile.is_target = names_one;
	s->compile.target_ctx = t->all;
	s->plan.opt.is_timed = true;
	s->plan.env.vmname = t->name;
	s->plan.env.vmid = t->vmid;
	s->consume.out = &host(t->all)->s->out;
}

/* Makes the session the one of this machine. */
static void join(struct target *t, struct session *s, unsigned int vmid)
{
	t->s = s;
	t->vmid = vmid;
	prepare(t, s);
	s->load.record = order_record;
	s->load.ctx = t;
}

struct targets *targets_new(struct session *s, targets_say *say, void *ctx)
{
	struct arena *a = arena_new();
	struct targets *h = arena_new_obj(a, struct targets);
	struct target *t;

	h->arena = a;
	h->say = say;
	h->say_ctx = ctx;
	t = add(h, "host", "");
	find_names(s->machine, a, t->name, &t->names);
	t->names.is_host = true;
	join(t, s, 0);
	s->group = &order_group;
	s->group_ctx = h;
	return h;
}

void targets_free(struct targets *h)
{
	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct target *t = h->targets.a[i];

		queue_free(&t->held);
		machine_free(t->next);
		hosting_free(t->hosted.hosting);
		if (i && t->s)
			session_free(t->s);
	}
	hostings_free(h->hostings);
	vec_free(&h->targets);
	arena_free(h->arena);
}

/* Returns the path of a socket, to compare named guests with the guests that were found. */
static const char *place(const char *channel)
{
	return strncmp(channel, "guest:", 6) == 0  ? channel + 6
	       : strncmp(channel, "unix:", 5) == 0 ? channel + 5
						   : channel;
}

/* Adds a target, unless the name is in use or the channel is known.  Two targets may run the same
 * command.  Returns NULL if nothing was added. */
static struct target *add_found(struct targets *h, const char *name, const char *channel)
{
	for (unsigned int i = 0; i < h->targets.n; i++) {
		if (strcmp(place(h->targets.a[i]->channel), place(channel)) == 0 &&
		    strncmp(channel, "exec:", 5) != 0)
			return NULL;
		if (strcmp(h->targets.a[i]->name, name) == 0) {
			report_error(report(h), "duplicate target name %s: ignoring %s", name,
				     channel);
			return NULL;
		}
	}
	return add(h, name, channel);
}

static void found(void *ctx, const char *name, const char *channel)
{
	add_found(ctx, name, channel);
}

static void found_guest(void *ctx, const char *name, const char *channel)
{
	struct target *t = add_found(ctx, name, channel);

	if (t)
		t->is_found = true;
}

/* Begins a session with a connected machine. */
static void begin(struct target *t, struct machine *m, unsigned int vmid)
{
	struct targets *h = t->all;
	struct session *s = session_new_on(report(h)->progname, m);

	find_names(m, h->arena, t->name, &t->names);
	s->plan.opt.has_clock = true;
	s->report.about = t->name;
	join(t, s, vmid);
}

static bool connect_target(struct targets *h, struct target *t, unsigned int vmid)
{
	const char *err = NULL;
	struct machine *m = remote_open(t->channel, &err);

	if (!m) {
		t->state = err;
		report_error(report(h), "target %s (%s): %s", t->name, t->channel, err);
		return true;
	}
	begin(t, m, vmid);
	return h->say(h->say_ctx, t->s);
}

static void find_targets(struct targets *h)
{
	struct session *s = host(h)->s;

	for (unsigned int i = 0; i < s->targets.n; i++)
		find_option(s->targets.a[i], found, h);
	if (!s->targets.n) {
		find_files(report(h), TARGETS_DIR, found, h);
		find_guests(report(h), found_guest, h);
	}
}

bool targets_connect(struct targets *h)
{
	bool ok = true;

	find_targets(h);
	for (unsigned int i = 1; ok && i < h->targets.n; i++)
		ok = connect_target(h, h->targets.a[i], i);
	return ok;
}

/* Completion connects to no target, because a user waits for it.  Target names come from here, and
 * probes from this machine. */
void targets_complete(struct targets *h, char letter, const char *word)
{
	struct session *s = host(h)->s;
	const char *comma = strrchr(word, ','), *from = comma ? comma + 1 : word;
	const char *colon = strchr(from, ':');
	int nhead = (int)(from - word);
	bool is_target = false;

	find_targets(h);
	for (unsigned int i = 0; i < h->targets.n && letter != 'x'; i++) {
		const char *name = h->targets.a[i]->name;

		if (!colon && strncmp(from, name, strlen(from)) == 0)
			printf("%.*s%s:\n", nhead, word, name);
		else if (colon)
			is_target |=
			    probe_glob(arena_strndup(h->arena, from, (size_t)(colon - from)), name);
	}
	fflush(stdout);
	if (is_target)
		session_complete(s, letter,
				 arena_strndup(h->arena, word, (size_t)(colon + 1 - word)),
				 colon + 1);
	else
		session_complete(s, letter, "", word);
}

static const char *or_none(const char *text)
{
	return text ? text : "-";
}

/* Returns the current error of the clock of a target in ns. */
static uint64_t error_of(const struct target *t)
{
	const struct clock *c = remote_clock(t->s->machine);

	return clock_error(c, clock_there(c, clock_ns()));
}

void targets_list(struct targets *h)
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

void targets_list_probes(struct targets *h, bool verbose)
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
 * Returns the folder for the types of a kernel.  They are kept by the build id of its notes, and
 * for each target separately, because a target is not trusted.
 */
static const char *store_of(struct targets *h, const struct target *t)
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

static void add_peer(struct targets *h, struct session *s)
{
	h->peers[h->npeers++] = &s->consume;
	s->consume.file = host(h)->s->consume.file;
	/* The host's session has the only output, and its options. */
	s->consume.ctx = host(h)->s;
	s->consume.opts = &host(h)->s->opts;
}

/* Makes all consumers known to each other.  Sessions and second sessions of targets from `from` on
 * are new. */
static void share(struct targets *h, unsigned int from)
{
	struct consume **old = h->peers;
	unsigned int had = h->npeers;

	h->peers = arena_new_arr(h->arena, struct consume *, had + 2 * (h->targets.n - from));
	if (had)
		memcpy(h->peers, old, had * sizeof(struct consume *));
	for (unsigned int i = from; i < h->targets.n; i++)
		if (h->targets.a[i]->s)
			add_peer(h, h->targets.a[i]->s);
	for (unsigned int i = from; i < h->targets.n; i++)
		if (h->targets.a[i]->hosted.hosting)
			add_peer(h, hosting_session(h->targets.a[i]->hosted.hosting));
	for (unsigned int i = 0; i < h->npeers; i++) {
		h->peers[i]->peers = h->peers;
		h->peers[i]->npeers = h->npeers;
		h->peers[i]->peer = i;
	}
	aggs_grow(h->peers[0], had);
}

static bool compile_target(struct target *t)
{
	struct targets *h = t->all;

	if (t != host(h))
		t->s->compile.store = store_of(h, t);
	if (session_compile(t->s))
		return true;
	if (t != host(h))
		report_error(report(h), "target %s: the program cannot run there", t->name);
	return false;
}

bool targets_compile(struct targets *h)
{
	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct target *t = h->targets.a[i];

		if (t->s && !compile_target(t) && !target_note_loss(t))
			return false;
	}
	return true;
}

unsigned int targets_matched(struct targets *h, unsigned int program)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < h->targets.n; i++)
		if (h->targets.a[i]->s)
			n += h->targets.a[i]->s->compile.progs.a[program]->nmatched;
	return n;
}

/* Lists the connected targets for hosted.h; returns their number. */
static unsigned int list_hosted(struct targets *h, struct hosted **list)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct target *t = h->targets.a[i];

		t->hosted.s = t->s;
		t->hosted.name = t->name;
		if (is_live(t))
			list[n++] = &t->hosted;
	}
	return n;
}

/* Makes the second session of a machine, for its hosted clauses. */
static bool make_hosting(struct targets *h, struct target *t)
{
	struct session *s = session_new_on(report(h)->progname, t->s->machine);

	s->compile.target = t->s->compile.target;
	s->compile.store = t->s->compile.store;
	s->report.about = t->s->report.about;
	prepare(t, s);
	if (!h->say(h->say_ctx, s) || !session_compile(s)) {
		s->machine = NULL;
		session_free(s);
		return false;
	}
	t->s->consume.sent = order_sent;
	t->s->consume.sent_ctx = t;
	return hosting_new(h->hostings, &t->hosted, s);
}

/* Finds clauses that use variables shared by several machines, and makes second sessions. */
static bool find_hosted(struct targets *h)
{
	struct hosted **list = arena_new_arr(h->arena, struct hosted *, h->targets.n);
	const struct opts *opts = &host(h)->s->opts;
	const char *where = opts->is_set[OPT_execute] ? opts->text[OPT_execute] : "";
	unsigned int n = list_hosted(h, list);
	bool any = false;

	if (!hosted_find(list, n, strcasecmp(where, "host") == 0))
		return false;
	for (unsigned int i = 0; i < n; i++) {
		unsigned int cpus = kern_ncpu_possible(list[i]->s->plan.env.kern);

		h->ncpus = cpus > h->ncpus ? cpus : h->ncpus;
		any |= hosted_is_any(list[i]);
	}
	if (any && strcasecmp(where, "target") == 0) {
		hosted_refuse(list, n);
		return false;
	}
	if (any)
		h->hostings = hostings_new(h->ncpus);
	for (unsigned int i = 0; i < h->targets.n; i++)
		if (is_live(h->targets.a[i]) && hosted_is_any(&h->targets.a[i]->hosted) &&
		    !make_hosting(h, h->targets.a[i]))
			return false;
	return true;
}

/* Plans, loads and attaches. */
static bool load_target(struct target *t)
{
	struct session *s = t->s;

	s->plan.env.signals = host(t->all)->s->plan.env.signals;
	return session_fit_options(s) && compile_units(&s->compile) &&
	       (!t->hosted.hosting || hosting_load(t->hosted.hosting)) && session_load(s);
}

/* Returns true if a target other than this one has a clause of the program. */
static bool is_other_traced(struct targets *h, const struct target *but)
{
	for (unsigned int i = 0; i < h->targets.n; i++)
		if (h->targets.a[i] != but && is_live(h->targets.a[i]) &&
		    has_descriptions(h->targets.a[i]->s))
			return true;
	return false;
}

/*
 * Goes on without a target that cannot run its programs, because nobody but its owner decides what
 * it can.  Returns false if nothing else is traced.
 */
static bool go_on_without(struct targets *h, struct target *t)
{
	if (t->s->machine->is_here || !is_other_traced(h, t) || signals_seen(host(h)->s))
		return false;
	remote_give_up(t->s->machine, "its probes cannot be enabled");
	t->is_replaced = true;
	return target_note_loss(t);
}

bool targets_load(struct targets *h)
{
	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct session *s = h->targets.a[i]->s;

		if (s && !target_note_loss(h->targets.a[i]) &&
		    !compile_check_actions(&s->compile, 0))
			return false;
	}
	if (!find_hosted(h))
		return false;
	share(h, 0);
	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct target *t = h->targets.a[i];

		if (is_live(t) && !load_target(t) && !target_note_loss(t) && !go_on_without(h, t))
			return false;
	}
	return true;
}

/* ---- coming back ---- */

static void found_again(void *ctx, const char *name, const char *channel)
{
	struct target *t = ctx;

	if (strcmp(name, t->name) == 0 && strcmp(channel, t->channel) != 0)
		t->channel = arena_strdup(t->all->arena, channel);
}

/* A restarted guest may have its port elsewhere: paths of libvirt contain a number. */
static struct machine *ask(struct target *t)
{
	const char *err;

	if (t->is_found)
		find_guests(NULL, found_again, t);
	t->asked = clock_ns();
	return remote_begin(t->channel, &err);
}

/* Doubles the wait after a refusal, because each try may run a command. */
static void refused(struct target *t)
{
	machine_free(t->next);
	t->next = NULL;
	t->asked = clock_ns();
	t->pause = 2 * t->pause < RETRY_MAX_NS ? 2 * t->pause : RETRY_MAX_NS;
}

/* Adds the machine as a new target, because its kernel may differ, and records of the lost one keep
 * the old names.  Returns false if the new session cannot run; the reason is reported. */
static bool revive(struct targets *h, struct target *was)
{
	struct target *t = add(h, was->name, was->channel);
	struct machine *m = was->next;

	t->is_found = was->is_found;
	was->next = NULL;
	was->is_replaced = true;
	begin(t, m, was->vmid);
	if (!h->say(h->say_ctx, t->s) || !compile_target(t) ||
	    !compile_check_actions(&t->s->compile, 0))
		return false;
	if (kern_ncpu_possible(t->s->plan.env.kern) > h->ncpus) {
		report_error(report(h), "target %s has more processors than before", t->name);
		return false;
	}
	t->hosted = (struct hosted){.s = t->s, .name = t->name};
	if (was->hosted.hosting) {
		hosted_like(&t->hosted, &was->hosted);
		if (!make_hosting(h, t))
			return false;
	}
	share(h, h->targets.n - 1);
	return load_target(t);
}

void targets_retry(struct targets *h)
{
	for (unsigned int i = 1; i < h->targets.n; i++) {
		struct target *t = h->targets.a[i];
		const char *err = NULL;
		enum remote_state state;

		if (!t->is_lost || t->is_replaced)
			continue;
		if (!t->next && clock_ns() - t->asked > t->pause)
			t->next = ask(t);
		if (!t->next)
			continue;
		state = remote_meet(t->next, &err);
		if (state == REMOTE_REFUSES)
			refused(t);
		if (state != REMOTE_ANSWERS)
			continue;
		if (revive(h, t)) {
			order_start(vec_last(&h->targets));
			report_error(report(h), "target %s is back", t->name);
		} else {
			vec_last(&h->targets)->is_lost = vec_last(&h->targets)->is_replaced = true;
			report_error(report(h), "target %s is back, but cannot be traced", t->name);
		}
	}
}
