/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session.c: making a session, its options and programs, and compiling them; listing probes.
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
#include "out/msg.h"
#include "proc/proc.h"
#include "run/cpp.h"
#include "run/session.h"
#include "run/world.h"

static const char *setopt(void *ctx, const char *name, const char *value)
{
	return session_setopt(ctx, name, value);
}

struct session *session_new(const char *progname)
{
	struct session *s = mem_alloc(sizeof(*s));

	s->arena = arena_new();
	s->report = (struct report){.progname = progname, .file = stderr, .opts = &s->opts};
	s->load = (struct load){.arena = s->arena,
				.plan = &s->plan,
				.opts = &s->opts,
				.report = &s->report,
				.world = &world_live,
				.record = consume_record,
				.ctx = &s->consume};
	s->diags.arena = s->arena;
	s->plan.arena = s->arena;
	opts_init(&s->opts, s->arena);
	s->provider_structs = map_new();
	s->plan.procs = procs_new(s->arena);
	s->consume = (struct consume){.arena = s->arena,
				      .plan = &s->plan,
				      .opts = &s->opts,
				      .report = &s->report,
				      .load = &s->load,
				      .setopt = setopt,
				      .ctx = s,
				      .file = stdout};
	consume_init(&s->consume);
	return s;
}

void session_free(struct session *s)
{
	proc_end(s);
	load_close(&s->load);
	enable_free(s);
	consume_free(&s->consume);
	libs_free(s);
	probes_free(s->plan.probes);
	lang_free(s->plan.lang);
	types_free(s->plan.types);
	intern_free(s->plan.names);
	kern_close(s->plan.kern);
	plan_fini(&s->plan);
	vec_free(&s->progs);
	vec_free(&s->clauses);
	vec_free(&s->cpp_args);
	procs_free(s->plan.procs);
	vec_free(&s->environment);
	arena_free(s->arena);
	mem_free(s);
}

bool session_translate(struct session *s)
{
	return session_enable(s) && load_translate(&s->load, s->units.a, s->units.n);
}

bool session_load(struct session *s)
{
	consume_start(&s->consume);
	return load_units(&s->load, s->units.a, s->units.n);
}

static enum plan_policy buffer_policy(struct session *s)
{
	const char *p = s->opts.is_set[OPT_bufpolicy] ? s->opts.text[OPT_bufpolicy] : "switch";

	return strcasecmp(p, "fill") == 0   ? PLAN_FILL
	       : strcasecmp(p, "ring") == 0 ? PLAN_RING
					    : PLAN_SWITCH;
}

/* What is good for nothing when it is larger. */
#define PCAP_MAX	65535	   /* bytes of a packet: what the format can say */
#define STRSIZE_MAX	(1U << 30) /* no buffer holds a longer string */
#define SCRATCHSIZE_MAX (1U << 20) /* of each CPU, for each level of nesting */
#define NSPEC_MAX	65536
#define FRAMES_MAX	65536

static uint32_t at_most(uint64_t n, uint32_t max)
{
	return n < max ? (uint32_t)n : max;
}

/* A ring buffer is at least this large; smaller ones are a matter of counting. */
#define METERED_BELOW 65536

/* Options that are copies of values elsewhere. */
static void apply_options(struct session *s)
{
	struct out_opts *o = &s->consume.out.opts;
	const uint64_t *n = s->opts.num;
	const char *enc = s->opts.is_set[OPT_encoding] ? s->opts.text[OPT_encoding] : NULL;

	o->quiet = n[OPT_quiet];
	o->flowindent = n[OPT_flowindent];
	o->rawbytes = n[OPT_rawbytes];
	o->noresolve = s->opts.is_set[OPT_noresolve];
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
	dialect_parse(s->opts.text[OPT_dialect], &o->dialect);
	s->plan.dialect = s->diags.dialect = o->dialect;
	o->strsize = at_most(n[OPT_strsize], STRSIZE_MAX);
	s->plan.strsize = o->strsize + 1;
	s->plan.scratchsize = (at_most(n[OPT_scratchsize], SCRATCHSIZE_MAX) + 7) & ~7U;
	s->plan.aggsize = n[OPT_aggsize];
	s->plan.dynvarsize = n[OPT_dynvarsize];
	/* Buffers hold words of 8 bytes. */
	s->plan.bufsize = n[OPT_bufsize] & ~7ULL;
	s->plan.nspec = at_most(n[OPT_nspec], NSPEC_MAX);
	s->plan.specsize = n[OPT_specsize] & ~7ULL;
	s->plan.policy = buffer_policy(s);
	s->plan.is_metered = s->plan.policy == PLAN_FILL ||
			     (s->plan.policy == PLAN_SWITCH && s->plan.bufsize < METERED_BELOW);
	s->plan.cpu = s->opts.is_set[OPT_cpu] ? (int)at_most(n[OPT_cpu], INT32_MAX) : -1;
	s->plan.stackframes = at_most(n[OPT_stackframes], FRAMES_MAX);
	s->plan.maxframes = at_most(n[OPT_maxframes], FRAMES_MAX);
	s->plan.pcapsize = (at_most(n[OPT_pcapsize], PCAP_MAX) + 7) & ~7U;
	s->plan.ustackframes = at_most(n[OPT_ustackframes], FRAMES_MAX);
	s->plan.jstackframes = at_most(n[OPT_jstackframes], FRAMES_MAX);
	procs_limit(s->plan.procs, at_most(n[OPT_pgmax], UINT32_MAX));
	s->plan.scope = s->opts.is_set[OPT_cgroup] ? s->opts.text[OPT_cgroup] : NULL;
}

/* Options of which all values count, not only the last. */
static void add_to_list(struct session *s, const char *name, const char *value)
{
	static const struct {
		const char *name, *arg;
	} cpp[] = {{"define", "-D"}, {"undef", "-U"}, {"incdir", "-I"}};

	if (strcmp(name, "libdir") == 0)
		vec_push(&s->libdirs, arena_strdup(s->arena, value));
	if (strcmp(name, "setenv") == 0 || strcmp(name, "unsetenv") == 0)
		vec_push(&s->environment, arena_strdup(s->arena, value));
	for (size_t i = 0; i < sizeof(cpp) / sizeof(cpp[0]); i++)
		if (strcmp(name, cpp[i].name) == 0)
			vec_push(&s->cpp_args, arena_printf(s->arena, "%s%s", cpp[i].arg, value));
}

const char *session_setopt(struct session *s, const char *name, const char *value)
{
	const char *why = opts_set(&s->opts, name, value);

	if (why)
		return why;
	if (value)
		add_to_list(s, name, value);
	apply_options(s);
	return NULL;
}

static struct session_prog *add(struct session *s, enum lang_spec spec, const char *text)
{
	struct session_prog *p = arena_new_obj(s->arena, struct session_prog);

	p->spec = spec;
	p->text = text;
	vec_push(&s->progs, p);
	return p;
}

bool session_add_text(struct session *s, enum lang_spec spec, const char *text)
{
	struct session_prog *p = add(s, spec, text);

	p->src =
	    (struct source){.text = text, .len = (unsigned int)strlen(text), .is_cmdline = true};
	return true;
}

bool session_add_script(struct session *s, const char *path)
{
	unsigned int len;
	char *text = session_read_file(s, path, &len);
	struct session_prog *p;

	if (!text)
		return false;
	p = add(s, LANG_SPEC_NONE, path);
	p->src = (struct source){.name = path, .text = text, .len = len};
	if (!s->script)
		s->script = path;
	return true;
}

static int64_t wall_offset(void)
{
	struct timespec wall, mono;

	clock_gettime(CLOCK_REALTIME, &wall);
	clock_gettime(CLOCK_MONOTONIC, &mono);
	return (int64_t)(wall.tv_sec - mono.tv_sec) * 1000000000 + wall.tv_nsec - mono.tv_nsec;
}

static bool open_compiler(struct session *s)
{
	struct plan *plan = &s->plan;

	plan->kern = kern_open_live();
	plan->names = intern_new(s->arena);
	plan->types = types_new(s->arena, plan->names, plan->kern);
	if (s->is_ilp32)
		type_set_ilp32(plan->types);
	plan->diags = &s->diags;
	plan->wall_offset = wall_offset();
	plan_init(plan);
	plan->probes = probes_new(plan);
	plan->lang = lang_new(s->arena, plan->names, plan->types, &s->diags, session_env(s));
	for (const struct lang_row *const *t = builtin_tables; *t; t++) {
		unsigned int n = 0;

		while ((*t)[n].name)
			n++;
		lang_add_rows(plan->lang, *t, n);
	}
	return libs_scan(s);
}

/*
 * Without BTF the libraries' own errors, all of unknown types, would hide the cause.
 */
static void print_diags(struct session *s)
{
	bool has_btf = !s->diags.n || kern_btf_count(s->plan.kern);

	for (unsigned int i = 0; i < s->diags.n; i++)
		if (has_btf || !s->diags.list[i].loc.src || !s->diags.list[i].loc.src->is_library)
			diag_print(s->report.file, s->report.progname, &s->diags.list[i],
				   s->opts.is_set[OPT_errtags]);
	if (!has_btf)
		report_error(&s->report,
			     "the types of this kernel are not known: /sys/kernel/btf/vmlinux: %s",
			     access("/sys/kernel/btf/vmlinux", R_OK) ? strerror(errno)
								     : "not understood");
}

static unsigned int count_matched(const struct program *p)
{
	unsigned int n = 0;

	for (struct clause *c = p->clauses; c; c = c->next)
		n += ((const struct clause_probes *)c->probes)->list.n;
	return n;
}

static bool is_cgroup(struct session *s, const char *path)
{
	struct statfs fs;
	const char *why = NULL;

	if (statfs(path, &fs) != 0)
		why = strerror(errno);
	else if (fs.f_type != CGROUP2_SUPER_MAGIC)
		why = "no cgroup (of version 2)";
	if (why)
		report_error(&s->report, "failed to set -x cgroup: %s: %s", path, why);
	return !why;
}

static bool is_online(struct kern *k, int cpu)
{
	unsigned int n;
	const int *cpus = kern_cpus_online(k, &n);

	for (unsigned int i = 0; i < n; i++)
		if (cpus[i] == cpu)
			return true;
	return false;
}

/* -C: scripts only, not the text of the command line. */
static bool preprocess(struct session *s, struct session_prog *p)
{
	const char *why;

	if (!s->opts.is_set[OPT_cpp] || p->src.is_cmdline)
		return true;
	why = cpp_run(s, &p->src);
	if (why)
		report_error(&s->report, "failed to compile script %s: %s", p->text, why);
	return !why;
}

/* -x ctypes and dtypes. */
static bool store_types(struct session *s, enum opt opt, bool is_c)
{
	const char *path = s->opts.text[opt];
	int err = s->opts.is_set[opt] ? type_store(s->plan.types, is_c, path) : 0;

	if (err)
		report_error(&s->report, "failed to write %s: %s", path, strerror(-err));
	return !err;
}

/* Tracing only on one CPU and such need options before anything is lowered. */
bool session_compile(struct session *s)
{
	out_init(&s->consume.out, s->consume.file);
	if (s->dumps_output)
		out_dump(&s->consume.out);
	s->consume.out.syms = &syms_table;
	s->consume.out.symctx = &s->consume;
	s->consume.out.target = s->procs.n ? (uint32_t)s->procs.a[0].pid : 0;
	apply_options(s);
	if (s->plan.scope && !is_cgroup(s, s->plan.scope))
		return false;
	if (!open_compiler(s))
		return false;
	if (s->plan.cpu >= 0 && !is_online(s->plan.kern, s->plan.cpu)) {
		report_error(&s->report, "failed to set -x cpu: CPU %d is not online", s->plan.cpu);
		return false;
	}
	if (s->checks_libs && !s->progs.n)
		libs_check_all(s);
	for (unsigned int i = 0; i < s->progs.n; i++) {
		struct session_prog *p = s->progs.a[i];

		if (!preprocess(s, p))
			return false;
		s->diags.program = &p->src;
		if (!libs_load_for(s, &p->src))
			break;
		p->program = lang_compile(s->plan.lang, &p->src, p->spec);
		if (!p->program)
			break;
		p->nmatched = count_matched(p->program);
	}
	if (s->progs.n && s->diags.n == 0)
		lang_check_operands(s->plan.lang, &vec_last(&s->progs)->src);
	print_diags(s);
	return s->diags.n == 0 && store_types(s, OPT_ctypes, true) &&
	       store_types(s, OPT_dtypes, false);
}

/* An action that this system has no way to do, NULL if there is none. */
static const char *impossible(const struct part *p)
{
	for (const struct stmt *st = p->stmts; st; st = st->next)
		if (st->kind == STMT_EXPR && st->expr->kind == EXPR_CALL &&
		    st->expr->ident->kind == IDENT_ACTION && !st->expr->ident->row->impl)
			return st->expr->name;
	return NULL;
}

static bool check_part(struct session *s, const char *program, const struct part *p)
{
	const char *action = impossible(p);

	if (p->has_destructive && !s->opts.num[OPT_destructive]) {
		report_error(&s->report, "failed to enable '%s': %s", program,
			     msg_reason(MSG_REASON_DESTRUCTIVE));
		return false;
	}
	if (action)
		report_error(&s->report,
			     "failed to enable '%s': this kernel offers no way to do %s()", program,
			     action);
	return !action;
}

/* "Destructive actions not allowed" is said of the program as a whole, when it is enabled. */
bool session_check_actions(struct session *s)
{
	for (unsigned int i = 0; i < s->progs.n; i++)
		for (struct clause *c = s->progs.a[i]->program->clauses; c; c = c->next)
			for (unsigned int k = 0; k < c->nparts; k++)
				if (!check_part(s, s->progs.a[i]->text, &c->parts[k]))
					return false;
	return true;
}

/* ---- listing ---- */

static struct table_attr split_attr(struct session *s, const char *text)
{
	char *copy = arena_strdup(s->arena, text), *save = NULL;
	struct table_attr a;

	a.names = strtok_r(copy, "/", &save);
	a.data = strtok_r(NULL, "/", &save);
	a.cls = strtok_r(NULL, "/", &save);
	return a;
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

/*
 * What -v says of a probe, under a description's fields: the stability of the fields that are
 * there, of the arguments, and their types.
 */
static void describe(struct session *s, struct probe *p, struct table_probe *t)
{
	const char *const fields[] = {t->prov, t->mod, t->func, t->name};
	const char *attr = p->provider->attrs[0];
	struct lang_args *a = probe_args(&s->plan, p);
	struct table_arg *args = arena_new_arr(s->arena, struct table_arg, a->nxlated + 1);

	for (int i = 1; i < 4; i++)
		if (*fields[i])
			attr = lang_attributes_min(s->plan.lang, attr, p->provider->attrs[i]);
	for (unsigned int i = 0; i < a->nxlated; i++) {
		struct buf b = {0};

		type_print(&b, a->xlated[i]);
		args[i].type = arena_strdup(s->arena, buf_str(&b));
		buf_free(&b);
	}
	t->args = args;
	t->nargs = a->nxlated;
	t->attr = split_attr(s, attr);
	t->args_attr = split_attr(s, p->provider->attrs[4]);
}

/* What matches nothing has no heading. */
static void list_probe(struct session *s, struct probe *p, bool verbose)
{
	struct table_probe t = {
	    .id = p->id, .prov = p->prov, .mod = p->mod, .func = p->func, .name = p->name};

	if (!s->has_heading)
		table_list_heading(&s->consume.out);
	s->has_heading = true;
	table_list_row(&s->consume.out, &t);
	if (verbose) {
		describe(s, p, &t);
		table_list_attrs(&s->consume.out, &t);
	}
}

static void list_desc(struct session *s, const struct pdesc *d, bool verbose)
{
	probe_list list = {0};

	libs_want_probes(s, d);
	libs_load_wanted(s);
	probes_match(s->plan.probes, d, &list);
	if (!list.n) {
		const char *why = session_absent(s, d);

		report_error(&s->report, "failed to match %s:%s:%s:%s: %s", or_empty(d->prov),
			     or_empty(d->mod), or_empty(d->func), or_empty(d->name),
			     why ? why : "No probe matches description");
	}
	for (unsigned int i = 0; i < list.n; i++)
		list_probe(s, list.a[i], verbose);
	vec_free(&list);
}

/* -v -e: what is known of the probes that a clause is for. */
static void report_clause(struct session *s, const struct clause *c)
{
	const struct clause_probes *cp = c->probes;
	const struct pdesc *d = &c->descs[0];
	struct table_probe t = {.prov = or_empty(d->prov),
				.mod = or_empty(d->mod),
				.func = or_empty(d->func),
				.name = or_empty(d->name)};

	if (!cp->list.n)
		return;
	describe(s, cp->list.a[0], &t);
	table_clause(&s->consume.out, &t);
}

/* -v: the least stable things a program uses. */
void session_stability(struct session *s, struct session_prog *p, bool with_clauses)
{
	size_t len = p->src.is_cmdline ? strcspn(p->text, "{/;") : strlen(p->text);
	const char *desc, *stmt;
	struct table_attr d, t;

	lang_stability(s->plan.lang, p->program, &desc, &stmt);
	d = split_attr(s, desc);
	t = split_attr(s, stmt);
	table_stability(&s->consume.out, !p->src.is_cmdline, arena_strndup(s->arena, p->text, len),
			&d, &t, with_clauses);
	for (struct clause *c = p->program->clauses; with_clauses && c; c = c->next)
		report_clause(s, c);
}

void session_print_source(struct session *s)
{
	struct buf b = {0};

	for (unsigned int i = 0; i < s->progs.n; i++)
		ast_source(&b, s->progs.a[i]->program);
	out_text(&s->consume.out, buf_str(&b), b.n);
	out_flush(&s->consume.out);
	buf_free(&b);
}

void session_list(struct session *s, bool verbose)
{
	struct pdesc all = {0};

	if (!s->progs.n)
		list_desc(s, &all, verbose);
	for (unsigned int i = 0; i < s->progs.n; i++)
		for (struct clause *c = s->progs.a[i]->program->clauses; c; c = c->next)
			list_desc(s, &c->descs[0], verbose);
	out_flush(&s->consume.out);
}
