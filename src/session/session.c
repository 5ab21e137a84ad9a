/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session.c: making a session, and its options.
 */
#include <errno.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/dialect.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/mem.h"
#include "kern/kern.h"
#include "print/msg.h"
#include "proc/proc.h"
#include "attach/keeper.h"
#include "compile/cpp.h"
#include "session/follower.h"
#include "session/session.h"
#include "load/backend.h"
#include "sys/machine.h"

static const char *setopt(void *ctx, const char *name, const char *value)
{
	return session_setopt(ctx, name, value);
}

struct session *session_new(const char *progname)
{
	return session_new_on(progname, machine_here());
}

struct session *session_new_on(const char *progname, struct machine *m)
{
	struct session *s = mem_alloc(sizeof(*s));

	s->arena = arena_new();
	s->machine = m;
	s->report = (struct report){.progname = progname, .file = stderr, .opts = &s->opts};
	s->load = (struct load){.arena = s->arena,
				.plan = &s->plan,
				.opts = &s->opts,
				.report = &s->report,
				.backend = &backend_live,
				.wake_fd = -1,
				.serve_fd = -1,
				.record = consume_record,
				.ctx = &s->consume};
	opts_init(&s->opts, s->arena);
	s->compile = (struct compile){.arena = s->arena,
				      .machine = s->machine,
				      .plan = &s->plan,
				      .opts = &s->opts,
				      .report = &s->report,
				      .setopt = setopt,
				      .ctx = s};
	compile_init(&s->compile);
	s->consume = (struct consume){.arena = s->arena,
				      .plan = &s->plan,
				      .opts = &s->opts,
				      .report = &s->report,
				      .load = &s->load,
				      .out = &s->out,
				      .setopt = setopt,
				      .ctx = s,
				      .file = stdout};
	consume_init(&s->consume);
	s->sinks.env = (struct sink_env){.consume = &s->consume,
					 .report = &s->report,
					 .opts = &s->opts,
					 .arena = s->arena,
					 .title = ""};
	return s;
}

bool session_start_sinks(struct session *s)
{
	if (s->compile.progs.n)
		s->sinks.env.title = s->compile.progs.a[0]->text;
	if (!sinks_start(&s->sinks))
		return false;
	s->load.serve_fd = sinks_fd(&s->sinks);
	return true;
}

void session_disown(struct session *s)
{
	for (unsigned int i = 0; i < s->procs.n; i++)
		s->procs.a[i].is_child = false;
	keeper_forget(s->plan.env.keeper);
	s->plan.env.keeper = NULL;
}

void session_free(struct session *s)
{
	proc_end(s);
	sinks_free(&s->sinks);
	follower_stop(s->follower);
	load_close(&s->load);
	consume_free(&s->consume);
	compile_free(&s->compile);
	vec_free(&s->environment);
	vec_free(&s->targets);
	machine_free(s->machine);
	arena_free(s->arena);
	mem_free(s);
}

bool session_translate(struct session *s)
{
	return compile_units(&s->compile) &&
	       load_translate(&s->load, s->compile.units.a, s->compile.units.n);
}

bool session_load(struct session *s)
{
	/*
	 * Per-CPU maps have a value for each possible CPU of the kernel, so this number must be
	 * right.
	 */
	if (!kern_knows_cpus(s->plan.env.kern)) {
		report_error(&s->report,
			     "could not read /sys/devices/system/cpu/possible: is sysfs "
			     "mounted?");
		return false;
	}
	consume_start(&s->consume);
	if (!load_units(&s->load, s->compile.units.a, s->compile.units.n))
		return false;
	s->follower =
	    s->load.backend == &backend_live && s->machine->is_here ? follower_start(s) : NULL;
	s->load.wake_fd = s->follower ? follower_fd(s->follower) : -1;
	return true;
}

/* Copies options to the places that use them. */
static void apply_options(struct session *s)
{
	struct out_opts *o = &s->out.opts;
	const uint64_t *n = s->opts.num;
	const char *enc = s->opts.is_set[OPT_encoding] ? s->opts.text[OPT_encoding] : NULL;

	compile_set_options(&s->compile);
	o->dialect = s->plan.opt.dialect;
	o->strsize = s->plan.opt.strsize - 1;
	o->quiet = n[OPT_quiet];
	o->flowindent = n[OPT_flowindent];
	o->rawbytes = n[OPT_rawbytes];
	o->visible = n[OPT_visible];
	o->noresolve = s->opts.is_set[OPT_noresolve];
	o->inlines = s->opts.is_set[OPT_inlines];
	o->lines = s->opts.is_set[OPT_lines];
	o->agghist = n[OPT_agghist];
	o->aggpack = n[OPT_aggpack];
	o->aggzoom = n[OPT_aggzoom];
	o->aggsortkey = n[OPT_aggsortkey];
	o->aggsortrev = n[OPT_aggsortrev];
	o->aggsortkeypos = (int)n[OPT_aggsortkeypos];
	o->aggsortpos = (int)n[OPT_aggsortpos];
	o->stackindent = (int)n[OPT_stackindent];
	o->encoding = !enc			     ? OUT_ENCODING_UNSET
		      : strcasecmp(enc, "utf8") == 0 ? OUT_ENCODING_UTF8
						     : OUT_ENCODING_ASCII;
}

/* Adds to options that are lists, of which all values count. */
static void add_to_list(struct session *s, const char *name, const char *value)
{
	static const struct {
		const char *name, *arg;
	} cpp[] = {{"define", "-D"}, {"undef", "-U"}, {"incdir", "-I"}};

	if (strcmp(name, "libdir") == 0)
		vec_push(&s->compile.libdirs, arena_strdup(s->arena, value));
	if (strcmp(name, "target") == 0)
		vec_push(&s->targets, arena_strdup(s->arena, value));
	if (strcmp(name, "setenv") == 0 || strcmp(name, "unsetenv") == 0)
		vec_push(&s->environment, arena_strdup(s->arena, value));
	for (size_t i = 0; i < sizeof(cpp) / sizeof(cpp[0]); i++)
		if (strcmp(name, cpp[i].name) == 0)
			vec_push(&s->compile.cpp_args,
				 arena_printf(s->arena, "%s%s", cpp[i].arg, value));
}

const char *session_setopt(struct session *s, const char *name, const char *value)
{
	const char *why = opts_set(&s->opts, name, value);

	if (why)
		return why;
	if (opts_unused(name))
		report_debug(&s->report, "option %s has no effect: %s", name, opts_unused(name));
	if (value)
		add_to_list(s, name, value);
	apply_options(s);
	return NULL;
}

void session_prepare(struct session *s)
{
	struct out *out = &s->out;

	out_init(out, s->consume.file);
	if (s->dumps_output)
		out_dump(out);
	out->syms = &syms_table;
	out->symctx = &s->consume;
	if (s->procs.n)
		s->compile.target = s->procs.a[0].pid;
	out->target = (uint32_t)s->compile.target;
	apply_options(s);
}

bool session_compile(struct session *s)
{
	session_prepare(s);
	return compile_programs(&s->compile);
}
