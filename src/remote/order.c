/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * order.c: merges the records of several machines in order of time.  A record waits until every
 * machine has reported that it has sent all older records.
 */
#include <poll.h>
#include <string.h>

#include "base/clocks.h"
#include "base/mem.h"
#include "load/backend.h"
#include "remote/priv.h"
#include "remote/remote.h"
#include "remote/slew.h"

#define SECOND	    1000000000ULL
#define MILLISECOND 1000000ULL
#define POLL_MS	    2		  /* while the last records arrive */
#define PING_NS	    (SECOND / 10) /* interval of measuring target clocks */
#define RELIEVE_NS  (SECOND / 5)  /* interval of looking how full aggregations are */
#define SAVE_NS	    SECOND	  /* interval of saving them: a lost target loses no more */
#define END_NS	    (20 * SECOND) /* time for the last answers of a target */
#define LATE_NS	    (2 * SECOND)  /* a target silent for longer is not waited for */
#define UNSURE_NS   MILLISECOND	  /* a larger error of times is reported */
#define TRIPS	    32		  /* a slow round trip counts less after as many others */

/*
 * The record of a firing can come after the target has reported that older records are complete.
 * The firing has taken its time already, but the processor of a virtual machine waits for a time
 * slice.  If the margin was not enough, as on a busy host, it grows for this target.
 */
#define MARGIN_NS     20000000
#define MARGIN_MAX_NS SECOND

/* Memory of the records of a target that wait.  Further records do not wait for their turn. */
#define HELD_MAX (64U << 20)

/* Returns true if calls to the target do not delay the other targets. */
static bool is_quick(const struct target *t)
{
	return is_live(t) && (t->s->machine->is_here || remote_is_awake(t->s->machine));
}

/* ---- records ---- */

static void consume(struct target *t, const void *data, size_t len)
{
	t->s->consume.out->symctx = &t->s->consume;
	consume_record(&t->s->consume, data, len);
}

/* Returns the time of a record on our clock.  A record without a time gets the newest one. */
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
	return time;
}

static bool is_process(const void *data, size_t len)
{
	const struct abi_rec *r = data;

	return len >= sizeof(*r) && r->desc == ABI_DESC_PROC;
}

/* Notes that newer records were already consumed, and widens the margin. */
static void count_late(struct target *t, uint64_t ns)
{
	t->nlate++;
	if (ns > t->late)
		t->late = ns;
	if (t->margin < MARGIN_NS + 2 * ns)
		t->margin = MARGIN_NS + 2 * ns;
	if (t->margin > MARGIN_MAX_NS)
		t->margin = MARGIN_MAX_NS;
}

static unsigned long long to_ms(uint64_t ns)
{
	return (ns + MILLISECOND - 1) / MILLISECOND;
}

static void say_late(struct target *t)
{
	if (t->nlate)
		report_error(report(t->all),
			     "target %s: %llu records out of order, up to %llu ms late", t->name,
			     (unsigned long long)t->nlate, to_ms(t->late));
	if (t->nahead)
		report_error(
		    report(t->all),
		    "target %s: %llu records shown before their turn: more than %u MB waited",
		    t->name, (unsigned long long)t->nahead, HELD_MAX >> 20);
	t->nlate = t->late = t->nahead = 0;
}

static void say_unsure(struct target *t)
{
	if (t->unsure > UNSURE_NS)
		report_error(report(t->all), "target %s: times can be wrong by up to %llu ms",
			     t->name, to_ms(t->unsure));
	t->unsure = 0;
}

void order_record(void *ctx, const void *data, size_t len)
{
	struct target *t = ctx;
	uint64_t time;

	/* Read a process at once, while it lives. */
	if (!t->all->holds || is_process(data, len)) {
		consume(t, data, len);
		return;
	}
	time = time_of(t, data, len);
	if (time > t->last)
		t->last = time;
	if (time < t->all->passed)
		count_late(t, t->all->passed - time);
	queue_put(&t->held, time, data, len);
	while (t->held.bytes > HELD_MAX) {
		struct held held = queue_take(&t->held);

		consume(t, held.data, held.len);
		mem_free(held.data);
		t->nahead++;
	}
}

/* Returns the target with the oldest record before that time, or NULL. */
static struct target *oldest(struct targets *h, uint64_t before)
{
	struct target *best = NULL;

	for (unsigned int i = 0; i < h->targets.n; i++) {
		const struct held *held = queue_oldest(&h->targets.a[i]->held);

		if (!held || held->time >= before)
			continue;
		if (!best || held->time < queue_oldest(&best->held)->time)
			best = h->targets.a[i];
	}
	return best;
}

static bool has_exited(const struct targets *h)
{
	return session_exited(host(h)->s) != NULL;
}

/* Returns true for a record of a firing after exit().  Earlier ones can arrive after it. */
static bool is_over(const struct targets *h, const struct rec_desc *d, const void *rec)
{
	uint64_t time;

	if (!has_exited(h))
		return false;
	memcpy(&time, (const char *)rec + d->time_off, sizeof(time));
	return !h->exited || time > h->exited;
}

void order_sent(void *ctx, const struct rec_desc *d, const void *rec, size_t len)
{
	struct target *t = ctx;

	hosting_run(t->hosted.hosting, d, rec, len, is_over(t->all, d, rec));
}

static void deliver(struct targets *h, uint64_t before)
{
	struct target *t;
	bool any = false;

	while ((t = oldest(h, before)) != NULL) {
		struct held held = queue_take(&t->held);

		consume(t, held.data, held.len);
		if (!h->exited && has_exited(h))
			h->exited = held.time;
		if (held.time > h->passed)
			h->passed = held.time;
		mem_free(held.data);
		any = true;
	}
	if (any)
		out_flush(host(h)->s->consume.out);
}

/* Returns the time before which all records of all machines have arrived.  A machine that is silent
 * for long does not hold up the others: its records are late. */
static uint64_t complete(const struct targets *h)
{
	uint64_t least = clock_ns() - LATE_NS;
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

/* Reads the records of a machine; returns their number. */
static int drain(struct target *t)
{
	struct machine *m = t->s->machine;
	uint64_t now = clock_ns();
	int n = session_drain(t->s);

	if (n == WORLD_MORE)
		return n;
	if (m->is_here)
		t->complete = now - t->margin;
	else if (remote_complete(m))
		t->complete = slew_here(t->s->load.state, remote_complete(m)) - t->margin;
	return n;
}

static void wait(void *ctx, int ms)
{
	struct targets *h = ctx;
	struct pollfd *p = mem_alloc((h->targets.n + 2) * sizeof(*p));
	unsigned int n = 0;

	for (unsigned int i = 0; i < h->targets.n; i++)
		if (is_live(h->targets.a[i])) {
			struct machine *m = h->targets.a[i]->s->machine;

			p[n++] = (struct pollfd){.fd = m->ops->ring_fd(m), .events = POLLIN};
		}
	p[n++] = (struct pollfd){.fd = host(h)->s->load.wake_fd, .events = POLLIN};
	p[n++] = (struct pollfd){.fd = host(h)->s->load.serve_fd, .events = POLLIN};
	poll(p, n, ms);
	mem_free(p);
}

/* Returns the time after which something sent to a target has surely arrived, ns. */
static uint64_t arrival(const struct target *t)
{
	uint64_t ns = PING_NS / 2 + 4 * t->trip;

	return ns < LATE_NS ? ns : LATE_NS;
}

/* Notes how far the times of programs can be wrong now.  `there` is the target's time. */
static void note_error(struct target *t, uint64_t there)
{
	const struct clock *c = remote_clock(t->s->machine);
	uint64_t want = clock_here(c, there), is = slew_here(t->s->load.state, there);
	uint64_t error = clock_error(c, there) + (want > is ? want - is : is - want);

	if (error > t->unsure)
		t->unsure = error;
}

/*
 * Sends the clock that the programs of a target will use when it has surely arrived.  The answer to
 * the next ping shows when it had arrived, since the ping is sent after it.
 */
static void set_clock(struct target *t)
{
	struct machine *m = t->s->machine;
	const struct clock *c = remote_clock(m);
	struct abi_state *state = t->s->load.state;
	uint64_t there = clock_there(c, clock_ns()), trip = remote_trip(m);

	t->trip = trip > t->trip ? trip : t->trip - t->trip / TRIPS;
	note_error(t, there);
	if (t->is_sent && slew_step(state, c->since) > t->unsure)
		t->unsure = slew_step(state, c->since);
	t->is_sent = false;
	if (slew_is_early(state, there - clock_error(c, there)))
		return;
	slew_next(state, c, there + clock_error(c, there) + arrival(t));
	t->s->load.backend->store(&t->s->load, &state->clocks[state->clock & 1],
				  sizeof(state->clocks[0]));
	t->s->load.backend->store(&t->s->load, &state->clock, sizeof(state->clock));
	t->is_sent = true;
}

static void measure(struct targets *h)
{
	if (clock_ns() - h->pinged < PING_NS)
		return;
	h->pinged = clock_ns();
	for (unsigned int i = 1; i < h->targets.n; i++) {
		struct target *t = h->targets.a[i];

		if (!is_live(t) || remote_is_pinged(t->s->machine))
			continue;
		set_clock(t);
		remote_ping(t->s->machine);
	}
}

/* Reports losses.  The caller follows the state of the host. */
static void report_losses(struct targets *h)
{
	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct target *t = h->targets.a[i];

		if (i && is_live(t))
			session_follow(t->s);
		if (clock_ns() - t->reported < host(h)->s->opts.num[OPT_statusrate] || !is_quick(t))
			continue;
		consume_drops(&t->s->consume);
		say_late(t);
		if (t->hosted.hosting)
			consume_drops(&hosting_session(t->hosted.hosting)->consume);
		t->reported = clock_ns();
	}
}

/* Aggregations that fill up are emptied again at once. */
static void relieve(struct targets *h)
{
	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct target *t = h->targets.a[i];

		if (clock_ns() - t->relieved < RELIEVE_NS || !is_quick(t))
			continue;
		if (i && clock_ns() - t->saved > SAVE_NS) {
			aggs_save(&t->s->consume);
			t->saved = clock_ns();
		}
		t->relieved = aggs_relieve(&t->s->consume) ? 0 : clock_ns();
		if (t->hosted.hosting)
			aggs_relieve(&hosting_session(t->hosted.hosting)->consume);
	}
}

void order_start(struct target *t)
{
	struct load *l = &t->s->load;
	struct abi_state *state = l->state;

	if (!t->s->machine->is_here) {
		remote_measure(t->s->machine);
		slew_start(state, remote_clock(t->s->machine));
		l->backend->store(l, state->clocks, sizeof(state->clocks));
	}
	t->saved = clock_ns();
	t->margin = t->margin ? t->margin : MARGIN_NS;
	session_go_alone(t->s);
}

static void go(void *ctx)
{
	struct targets *h = ctx;

	for (unsigned int i = h->targets.n; i-- > 0;)
		if (is_live(h->targets.a[i]))
			order_start(h->targets.a[i]);
	h->holds = true;
	h->pinged = clock_ns();
}

/* Reads the records of all machines.  Returns true if there are more. */
static bool drain_all(struct targets *h)
{
	bool is_more = false;

	for (unsigned int i = 0; i < h->targets.n; i++) {
		struct target *t = h->targets.a[i];

		if (!is_live(t))
			continue;
		is_more |= drain(t) == WORLD_MORE;
		target_note_loss(t);
	}
	return is_more;
}

/*
 * Returns true if all records that were in the rings at a time have arrived.  Reported times are
 * not enough: after a program has ended, its record exists, whatever the clocks say.
 */
static bool has_all(const struct targets *h, uint64_t time)
{
	for (unsigned int i = 1; i < h->targets.n; i++) {
		const struct target *t = h->targets.a[i];

		if (is_live(t) && !remote_is_past(t->s->machine, t->mark))
			return false;
	}
	return complete(h) > time;
}

/* Delivers everything recorded so far, in order.  Agents send their records at their next look. */
static void deliver_all(struct targets *h)
{
	uint64_t now = clock_ns();

	for (unsigned int i = 1; i < h->targets.n; i++)
		if (is_live(h->targets.a[i]))
			h->targets.a[i]->mark = remote_mark(h->targets.a[i]->s->machine);
	do {
		drain_all(h);
		if (has_all(h, now))
			break;
		wait(h, POLL_MS);
	} while (clock_ns() - now < LATE_NS && signals_seen(host(h)->s) < 2);
	deliver(h, UINT64_MAX);
}

static void end(void *ctx)
{
	struct targets *h = ctx;

	for (unsigned int i = 1; i < h->targets.n; i++)
		if (is_live(h->targets.a[i]))
			remote_end_within(h->targets.a[i]->s->machine, END_NS);
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

static void report_last(void *ctx)
{
	struct targets *h = ctx;

	for (unsigned int i = 0; i < h->targets.n; i++)
		if (is_live(h->targets.a[i]))
			consume_drops(&h->targets.a[i]->s->consume);
	for (unsigned int i = 0; i < h->targets.n; i++)
		say_late(h->targets.a[i]);
	for (unsigned int i = 0; i < h->targets.n; i++)
		say_unsure(h->targets.a[i]);
	for (unsigned int i = 0; i < h->targets.n; i++)
		if (h->targets.a[i]->hosted.hosting)
			consume_drops(&hosting_session(h->targets.a[i]->hosted.hosting)->consume);
}

static bool one_round(void *ctx)
{
	struct targets *h = ctx;
	bool is_busy = drain_all(h);

	deliver(h, complete(h));
	relieve(h);
	measure(h);
	report_losses(h);
	targets_retry(h);
	return is_busy;
}

const struct session_group order_group = {
    .go = go, .wait = wait, .round = one_round, .end = end, .report = report_last};
