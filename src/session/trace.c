/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trace.c: the life of an enabled session: BEGIN, consuming, END.
 *
 * Everything is attached while `active` is IDLE, so no clause runs yet.  BPF_PROG_TEST_RUN runs
 * BEGIN and END.  Setting `active` starts or stops all probes at once.  The kernel finishes
 * detaching long after that.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "attach/keeper.h"
#include "base/buf.h"
#include "base/clocks.h"
#include "base/mem.h"
#include "kern/kern.h"
#include "print/structured.h"
#include "consume/runtime.h"
#include "session/follower.h"
#include "session/session.h"
#include "load/backend.h"
#include "sys/bpf.h"
#include "sys/machine.h"

/*
 * Sleep of the consumer while few records come, and while many come.  A record has at least 16
 * bytes.  At 3 million records per second, the default buffers of two CPUs last 110 ms.
 */
#define POLL_IDLE_MS 20
#define POLL_BUSY_MS 2
#define BUSY_RECORDS 1000

/*
 * Interval between comparisons of the clocks, and the minimum difference that means that the time
 * of day was set.  Both clocks run at the same adjusted rate, so smaller differences are errors of
 * reading.
 */
#define CLOCK_NS  100000000
#define SECOND_NS 1000000000
#define STEP_NS	  100000

/* Fetches the first words only; rows of aggregations follow them. */
bool session_is_stopped(struct session *s)
{
	struct abi_state *state = s->load.state;

	s->load.backend->fetch(&s->load, state, sizeof(*state));
	return state->active == ABI_STATE_STOPPED;
}

static void set_active(struct session *s, uint64_t value)
{
	struct abi_state *state = s->load.state;

	__atomic_store_n(&state->active, value, __ATOMIC_SEQ_CST);
	s->load.backend->store(&s->load, &state->active, sizeof(state->active));
}

static void run_unit(struct session *s, struct unit *u)
{
	if (u && u->fd >= 0)
		s->load.backend->run(&s->load, u);
}

/* The counted records were consumed.  Counts made meanwhile are lost, so slightly more fits. */
static void reset_meter(struct session *s)
{
	uint64_t *none = mem_alloc(kern_ncpu_possible(s->plan.env.kern) * sizeof(*none));
	uint32_t zero = 0;

	s->load.backend->update(&s->load, MAP_METER, &zero, none, BPF_ANY);
	mem_free(none);
}

/*
 * Consumes the available records.  Printed text leaves at once, also into files and pipes.  A small
 * buffer is then empty, but has room again only when buffers would be switched.
 */
static int drain(struct session *s)
{
	int n;

	spec_note_late(&s->consume);
	n = s->load.backend->drain(&s->load);
	if (n != WORLD_MORE && !s->consume.is_rated)
		spec_end_late(&s->consume);
	if (s->plan.opt.is_metered && s->plan.opt.policy == PLAN_SWITCH &&
	    clock_ns() - s->switched >= s->opts.num[OPT_switchrate]) {
		reset_meter(s);
		s->switched = clock_ns();
	}
	if (n > 0)
		out_flush(s->consume.out);
	return n > 0 ? n : 0;
}

/* The maximum size of records that wait for a switch of buffers. */
#define KEPT_MAX ((size_t)64 << 20)

/* Prints the records that wait for a switch. */
static void release(struct session *s)
{
	keep_replay(&s->consume);
	out_flush(s->consume.out);
}

/*
 * If option switchrate is set, records wait for the next switch.  printa() then shows the state of
 * that time.
 */
static int drain_at_rate(struct session *s)
{
	bool is_due = clock_ns() - s->switched >= s->opts.num[OPT_switchrate];
	struct consume *co = &s->consume;
	int n;

	co->is_rated = s->opts.is_set[OPT_switchrate] && s->plan.opt.policy == PLAN_SWITCH;
	n = drain(s);
	if (co->is_rated && (is_due || co->kept_size > KEPT_MAX)) {
		release(s);
		if (n != WORLD_MORE)
			spec_end_late(co);
		s->switched = clock_ns();
	}
	co->is_rated = false;
	return n;
}

int session_drain(struct session *s)
{
	if (s->plan.opt.policy == PLAN_SWITCH && !s->consume.keeps)
		release(s);
	return drain(s);
}

/* Repeats drains that ended because of their time limit. */
void session_drain_all(struct session *s)
{
	while (session_drain(s) == WORLD_MORE)
		;
}

/*
 * Empties the file of -o for a document, because a file has one document.  Text and lines are
 * appended to the file.
 */
static void begin_structured(struct session *s, const char *format)
{
	FILE *f = s->consume.file;

	if (s->consume.path && (structured_is_document(format) || opts_timeline_output(&s->opts)) &&
	    ftruncate(fileno(f), 0) < 0 && errno != EINVAL)
		report_error(&s->report, "could not empty '%s': %s", s->consume.path,
			     strerror(errno));
	if (opts_timeline_output(&s->opts))
		structured_discard(s->consume.out);
	else
		structured_init(s->consume.out, f, format);
}

/* Returns the number after a name in the text of a file of /proc, or 0. */
static uint64_t number_after(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

#define LOAD_MAX 1e9 /* no machine has a larger average */

/* Updates the facts about the machine that programs read (proc(5): loadavg, meminfo). */
static void watch_machine(struct session *s)
{
	struct machine *m = kern_machine(s->plan.env.kern);
	struct abi_state *state = s->load.state;
	struct buf load = {0}, memory = {0};
	uint64_t kb = (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
	double average[3] = {0};

	if (!s->plan.watches_machine || (s->watched && clock_ns() - s->watched < SECOND_NS))
		return;
	s->watched = clock_ns();
	if (sys_read_file(m, "/proc/loadavg", &load) &&
	    sscanf(buf_str(&load), "%lf %lf %lf", &average[0], &average[1], &average[2]) == 3)
		for (int i = 0; i < 3; i++)
			state->load[i] = average[i] >= 0 && average[i] < LOAD_MAX
					     ? (uint64_t)(average[i] * 65536)
					     : 0;
	if (sys_read_file(m, "/proc/meminfo", &memory)) {
		state->free_pages = number_after(buf_str(&memory), "MemFree:") / kb;
		state->usable_pages = number_after(buf_str(&memory), "MemAvailable:") / kb;
	}
	if (m->is_here && s->load.backend == &backend_live)
		state->sched = (uint64_t)sys_sched_offset();
	s->load.backend->store(&s->load, state->load, 6 * sizeof(state->load[0]));
	buf_free(&load);
	buf_free(&memory);
}

void session_begin(struct session *s)
{
	if (s->opts.is_set[OPT_oformat] && s->consume.out == &s->out)
		begin_structured(s, s->opts.text[OPT_oformat]);
	s->opts.is_active = true;
	s->switched = clock_ns();
	sinks_begin(&s->sinks);
	watch_machine(s);
	runtime_begin(&s->consume);
	run_unit(s, s->load.begin);
	if (session_is_stopped(s))
		return;
	proc_learn(s);
	set_active(s, ABI_STATE_ACTIVE);
}

void session_start(struct session *s)
{
	s->reported = clock_ns();
	s->wait_ms = POLL_BUSY_MS;
	if (!s->consume.wants_exit && !session_is_stopped(s))
		proc_release(s);
}

/* Prints the kept records of all machines: of rings, and records that waited for the end. */
static void print_kept(struct session *s)
{
	struct consume *co = &s->consume;

	co->wants_snapshot = false;
	consume_begin_snapshot(co);
	for (unsigned int i = 0; i < co->npeers; i++) {
		co->out->symctx = co->peers[i];
		keep_replay(co->peers[i]);
		consume_held(co->peers[i], NULL);
	}
	out_flush(co->out);
}

void session_go_alone(struct session *s)
{
	session_begin(s);
	session_drain_all(s);
	session_start(s);
}

void session_go(struct session *s)
{
	if (s->group)
		s->group->go(s->group_ctx);
	else
		session_go_alone(s);
}

void session_wait(struct session *s)
{
	if (s->group)
		s->group->wait(s->group_ctx, s->wait_ms);
	else
		s->load.backend->wait(&s->load, s->wait_ms);
}

void session_follow(struct session *s)
{
	struct abi_state *state = s->load.state;
	int64_t wall, step;

	watch_machine(s);
	if (clock_ns() - s->clocked < CLOCK_NS)
		return;
	s->clocked = clock_ns();
	wall = clock_offset();
	step = (int64_t)((uint64_t)wall - state->wall);
	if (step >= STEP_NS || step <= -STEP_NS)
		load_set_wall(&s->load, wall);
}

/* Consumes the waiting data.  Returns true if more is expected soon. */
static bool consume_alone(struct session *s)
{
	int n = drain_at_rate(s);
	bool is_filling = aggs_relieve(&s->consume);

	return n > BUSY_RECORDS || is_filling;
}

/* Reports once that probes are gone, because somebody has killed the keeper. */
static void watch_keeper(struct session *s)
{
	if (!keeper_is_lost(s->plan.env.keeper))
		return;
	keeper_end(s->plan.env.keeper);
	s->plan.env.keeper = NULL;
	report_error(&s->report,
		     "the process that keeps breakpoints has ended: functions and static probes "
		     "of processes that were enabled before no longer fire");
}

bool session_round(struct session *s)
{
	bool is_busy;

	if (s->plan.env.signals && signals_take_hangup())
		consume_rotate(&s->consume);
	sinks_round(&s->sinks);
	session_follow(s);
	watch_keeper(s);
	if (s->follower)
		follower_run(s->follower);
	is_busy = s->group ? s->group->round(s->group_ctx) : consume_alone(s);
	is_busy |= s->follower && follower_is_due(s->follower);
	if (s->consume.wants_snapshot || (s->plan.env.signals && signals_take_request()))
		print_kept(s);
	s->wait_ms = is_busy ? POLL_BUSY_MS : POLL_IDLE_MS;
	if (s->consume.out->error || (!s->group && session_is_stopped(s)))
		return false;
	if (!s->group && clock_ns() - s->reported >= s->opts.num[OPT_statusrate]) {
		consume_drops(&s->consume);
		s->reported = clock_ns();
	}
	return true;
}

void session_halt(struct session *s)
{
	set_active(s, ABI_STATE_STOPPED);
}

void session_end(struct session *s)
{
	session_drain_all(s);
	if (s->consume.wants_snapshot)
		print_kept(s);
	if (s->plan.opt.is_metered && s->plan.opt.policy == PLAN_SWITCH)
		reset_meter(s);
	consume_let_exit(&s->consume);
	run_unit(s, s->load.end);
	session_drain_all(s);
}

bool session_attach(struct session *s)
{
	return session_fit_options(s) && compile_units(&s->compile) && session_load(s);
}

const struct consume *session_exited(const struct session *s)
{
	for (unsigned int i = 0; i < s->consume.npeers; i++)
		if (s->consume.peers[i]->wants_exit)
			return s->consume.peers[i];
	return NULL;
}

int session_status(const struct session *s)
{
	const struct consume *co = session_exited(s);

	return co && co->exit_status ? co->exit_status : s->has_failed;
}

bool session_step(struct session *s)
{
	if (session_exited(s))
		return false;
	session_wait(s);
	return session_round(s) && !session_exited(s) && !proc_reap(s) && !signals_seen(s);
}

/* Shows sinks and aggregations for the last time. */
static void print_last(struct session *s)
{
	struct out *out = s->consume.out;

	out_putc(out, '\n');
	out->symctx = &s->consume;
	sinks_take(&s->sinks);
	aggs_print(&s->consume, true);
	out_flush(out);
}

/* Consumes and prints the data that waits for the end of all records. */
static void wind_up(struct session *s)
{
	print_kept(s);
	print_last(s);
	if (s->group)
		s->group->report(s->group_ctx);
	else
		consume_drops(&s->consume);
}

static void end_alone(struct session *s)
{
	session_halt(s);
	if (signals_seen(s) < 2)
		session_end(s);
}

void session_stop(struct session *s)
{
	if (s->group)
		s->group->end(s->group_ctx);
	else
		end_alone(s);
	if (signals_seen(s) < 2)
		wind_up(s);
	else
		report_error(&s->report,
			     "the second signal discarded the output that was not printed yet");
	out_finish(s->consume.out);
}
