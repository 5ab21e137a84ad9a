/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session.c: making a session, its options and programs, and compiling them; listing probes.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/mem.h"
#include "kern/kern.h"
#include "out/msg.h"
#include "run/session.h"
#include "run/world.h"

void session_error(struct session *s, const char *fmt, ...)
{
	va_list ap;

	fprintf(s->errors, "%s: ", s->progname);
	va_start(ap, fmt);
	vfprintf(s->errors, fmt, ap);
	va_end(ap);
	fputc('\n', s->errors);
}

struct session *session_new(const char *progname)
{
	struct session *s = mem_alloc(sizeof(*s));

	s->progname = progname;
	s->arena = arena_new();
	s->diags.arena = s->arena;
	s->lo.arena = s->arena;
	s->lo.cgroup_fd = -1;
	opts_init(&s->opts, s->arena);
	s->provider_structs = map_new();
	s->objects = map_new();
	s->processes = map_new();
	s->modules = map_new();
	s->file = stdout;
	s->errors = stderr;
	s->world = &world_live;
	return s;
}

void session_free(struct session *s)
{
	proc_end(s);
	load_close(s);
	enable_free(s);
	aggs_free(s);
	libs_free(s);
	probes_free(s->lo.probes);
	lang_free(s->lo.lang);
	types_free(s->lo.types);
	intern_free(s->lo.names);
	kern_close(s->lo.kern);
	lower_fini(&s->lo);
	vec_free(&s->progs);
	vec_free(&s->clauses);
	syms_free(s);
	mem_free(s->held);
	out_free(&s->out);
	arena_free(s->arena);
	mem_free(s);
}

/* Options that are copies of values elsewhere. */
static void apply_options(struct session *s)
{
	struct out_opts *o = &s->out.opts;
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
	o->encoding = !enc			? OUT_ENCODING_UNSET :
		      strcmp(enc, "utf8") == 0 ? OUT_ENCODING_UTF8 :
						 OUT_ENCODING_ASCII;
	s->lo.strsize = (uint32_t)n[OPT_strsize];
	s->lo.aggsize = n[OPT_aggsize];
	s->lo.dynvarsize = n[OPT_dynvarsize];
	s->lo.bufsize = n[OPT_bufsize];
	s->lo.stackframes = (int)n[OPT_stackframes];
	s->lo.cgroup_path = s->opts.is_set[OPT_cgroup] ? s->opts.text[OPT_cgroup] : NULL;
}

const char *session_setopt(struct session *s, const char *name, const char *value)
{
	const char *why;

	if (strcmp(name, "libdir") == 0 && value) {
		vec_push(&s->libdirs, arena_strdup(s->arena, value));
		return NULL;
	}
	why = opts_set(&s->opts, name, value);
	if (!why)
		apply_options(s);
	return why;
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

	p->src = (struct source){ .text = text, .len = (unsigned int)strlen(text), .is_cmdline = true };
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
	p->src = (struct source){ .name = path, .text = text, .len = len };
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

static void open_compiler(struct session *s)
{
	struct lower *lo = &s->lo;

	lo->kern = kern_open_live();
	lo->names = intern_new(s->arena);
	lo->types = types_new(s->arena, lo->names, lo->kern);
	lo->diags = &s->diags;
	lo->wall_offset = wall_offset();
	lower_init(lo);
	lo->probes = probes_new(lo);
	lo->lang = lang_new(s->arena, lo->names, lo->types, &s->diags, session_env(s));
	for (const struct lang_row *const *t = builtin_tables; *t; t++) {
		unsigned int n = 0;

		while ((*t)[n].name)
			n++;
		lang_add_rows(lo->lang, *t, n);
	}
	libs_scan(s);
}

static void print_diags(struct session *s)
{
	for (unsigned int i = 0; i < s->diags.n; i++)
		diag_print(s->errors, s->progname, &s->diags.list[i], s->opts.is_set[OPT_errtags]);
}

static unsigned int count_matched(const struct program *p)
{
	unsigned int n = 0;

	for (struct clause *c = p->clauses; c; c = c->next)
		n += ((const struct clause_probes *)c->probes)->list.n;
	return n;
}

/* Tracing only on one CPU and such need options before anything is lowered. */
bool session_compile(struct session *s)
{
	out_init(&s->out, s->file);
	s->out.syms = &session_symtab;
	s->out.symctx = s;
	s->out.target = s->procs.n ? (uint32_t)s->procs.a[0].pid : 0;
	apply_options(s);
	if (s->lo.cgroup_path && access(s->lo.cgroup_path, R_OK) != 0) {
		session_error(s, "failed to set -x cgroup: %s: %s", s->lo.cgroup_path, strerror(errno));
		return false;
	}
	open_compiler(s);
	for (unsigned int i = 0; i < s->progs.n; i++) {
		struct session_prog *p = s->progs.a[i];

		if (!libs_load_for(s, &p->src))
			break;
		p->program = lang_compile(s->lo.lang, &p->src, p->spec);
		if (!p->program)
			break;
		p->nmatched = count_matched(p->program);
	}
	print_diags(s);
	return s->diags.n == 0;
}

/* "Destructive actions not allowed" is said of the program as a whole, when it is enabled. */
bool session_check_destructive(struct session *s)
{
	for (unsigned int i = 0; i < s->progs.n && !s->opts.num[OPT_destructive]; i++) {
		for (struct clause *c = s->progs.a[i]->program->clauses; c; c = c->next) {
			for (unsigned int k = 0; k < c->nparts; k++) {
				if (!c->parts[k].has_destructive)
					continue;
				session_error(s, "failed to enable '%s': %s", s->progs.a[i]->text,
					      msg_reason(MSG_REASON_DESTRUCTIVE));
				return false;
			}
		}
	}
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

static void list_probe(struct session *s, struct probe *p, bool verbose)
{
	struct table_probe t = { .id = p->id, .prov = p->prov, .mod = p->mod, .func = p->func,
				 .name = p->name };
	struct lang_args *a;
	struct table_arg *args;

	if (!verbose) {
		table_list_row(&s->out, &t);
		return;
	}
	a = probe_args(&s->lo, p);
	args = arena_new_arr(s->arena, struct table_arg, a->nxlated + 1);
	for (unsigned int i = 0; i < a->nxlated; i++) {
		struct buf b = { 0 };

		type_print(&b, a->xlated[i]);
		args[i].type = arena_strdup(s->arena, buf_str(&b));
		args[i].is_userland = type_base(a->xlated[i])->is_userland;
		buf_free(&b);
	}
	t.args = args;
	t.nargs = a->nxlated;
	t.attr = split_attr(s, p->provider->attrs[3]);
	t.args_attr = split_attr(s, p->provider->attrs[4]);
	table_list_row(&s->out, &t);
	table_list_attrs(&s->out, &t);
}

static void list_desc(struct session *s, const struct pdesc *d, bool verbose)
{
	probe_list list = { 0 };

	libs_want_probes(s, d);
	libs_load_wanted(s);
	probes_match(s->lo.probes, d, &list);
	if (!list.n) {
		session_error(s, "failed to match %s:%s:%s:%s: No probe matches description",
			      d->prov ? d->prov : "", d->mod ? d->mod : "", d->func ? d->func : "",
			      d->name ? d->name : "");
	}
	for (unsigned int i = 0; i < list.n; i++)
		list_probe(s, list.a[i], verbose);
	vec_free(&list);
}

/* -v: the least stable things a program uses. */
void session_stability(struct session *s, struct session_prog *p)
{
	const char *desc, *stmt;
	struct table_attr d, t;

	lang_stability(s->lo.lang, p->program, &desc, &stmt);
	d = split_attr(s, desc);
	t = split_attr(s, stmt);
	table_stability(&s->out, !p->src.is_cmdline, p->text, &d, &t, false);
}

void session_list(struct session *s, bool verbose)
{
	struct pdesc all = { 0 };

	table_list_heading(&s->out);
	if (!s->progs.n)
		list_desc(s, &all, verbose);
	for (unsigned int i = 0; i < s->progs.n; i++)
		for (struct clause *c = s->progs.a[i]->program->clauses; c; c = c->next)
			list_desc(s, &c->descs[0], verbose);
	out_flush(&s->out);
}
