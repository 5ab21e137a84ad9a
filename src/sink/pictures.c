/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pictures.c: see pictures.h.
 *
 * While a session runs, only histograms are read.  The growth in each interval is a column of a
 * heat map.  When there are too many columns, each pair is merged.  So a long run has longer
 * intervals, and memory is bounded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clocks.h"
#include "base/file.h"
#include "base/mem.h"
#include "print/agg.h"
#include "chart/chart.h"
#include "chart/firefox.h"
#include "chart/flame.h"
#include "chart/folded.h"
#include "chart/heat.h"
#include "chart/otlp.h"
#include "metrics/metrics.h"
#include "chart/page.h"
#include "chart/pprof.h"
#include "chart/speedscope.h"
#include "sink/collector.h"
#include "sink/pictures.h"
#include "sink/saved.h"
#include "consume/consume.h"
#include "load/load.h"
#include "config/opts.h"
#include "config/report.h"
#include "sink/sinks.h"

#define COLUMNS	   480
#define MOST_WORDS (4U << 20)	 /* of all columns of a histogram */
#define LAST_NS	   5000000000ULL /* of a request */

/* The columns of a histogram. */
struct series {
	const char *name;
	struct agg_desc desc;
	unsigned int nwords, most; /* words of a column, maximum number of columns */
	unsigned int n, per;	   /* number of columns, intervals in each */
	unsigned int nadded;	   /* intervals in the last column */
	int64_t *last;		   /* totals at the end of the last interval */
	int64_t *words;		   /* by column */
	double *to;		   /* end of each column, seconds */
};

struct pictures {
	struct sink k;
	struct chart *chart;	  /* NULL: tracing has not ended */
	uint64_t started, looked; /* CLOCK_MONOTONIC, ns */
	uint64_t drops;
	bool has_heat;
	VEC(struct series *) series;
};

/* ---- files ---- */

static bool write_file(const struct report *report, const char *path, const struct buf *b)
{
	bool ok = file_replace(path, b->s, b->n);

	if (!ok)
		report_error(report, "could not write '%s': %s", path, file_why());
	return ok;
}

/* Returns false after reporting an error.  Runs before tracing: an hour later is too late. */
static bool may_write(const struct report *report, const char *path)
{
	bool ok = file_may_replace(path);

	if (!ok)
		report_error(report, "could not write '%s': %s", path, file_why());
	return ok;
}

/* ---- drawing ---- */

/* Returns the name of an aggregation without the @. */
static const char *shown(const char *name)
{
	return strcmp(name, "_") == 0 ? "" : name;
}

static bool draw_flame(struct buf *b, struct chart *c, struct chart_agg *a)
{
	struct buf note = {0};
	bool ok =
	    flame_draw(b, c, a, c->nruns > 1 ? chart_agg_named(c, a->name, 0) : NULL, true, &note);

	buf_free(&note);
	return ok;
}

static bool draw_heat(struct buf *b, struct chart *c, struct chart_agg *a)
{
	struct buf note = {0};
	bool ok = heat_draw(b, c, a, true, &note);

	buf_free(&note);
	return ok;
}

static bool draw_page(struct buf *b, struct chart *c, struct chart_agg *a)
{
	time_t now = time(NULL);
	char when[64];
	struct tm tm;

	strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S %z", localtime_r(&now, &tm));
	return page_draw(b, c, when);
}

/* Kinds of files. */
static const struct kind {
	enum opt opt;
	/* Returns the chosen aggregation, or the first that fits.  NULL: the file has all. */
	struct chart_agg *(*choose)(const struct chart *c, const char *name);
	const char *lack; /* text after "has" if none fits */
	bool compares;	  /* can show two runs */
	/* Appends the file to b.  Returns false if there is nothing to draw. */
	bool (*draw)(struct buf *b, struct chart *c, struct chart_agg *a);
	const struct collector_signal *signal; /* NULL: the kind is a file */
} kinds[] = {
    {OPT_flame, chart_flame, "stacks with a value", true, draw_flame},
    {OPT_heat, chart_heat, "histograms by time", true, draw_heat},
    {OPT_html, NULL, "values", true, draw_page},
    {OPT_folded, chart_flame, "stacks with a value", false, folded_write},
    {OPT_speedscope, chart_flame, "stacks with a value", false, speedscope_write},
    {OPT_pprof, chart_flame, "stacks with a value", false, pprof_write},
    {OPT_firefox, chart_flame, "stacks with a value", false, firefox_write},
    {OPT_otlp, NULL, "stacks with a value", false, chart_otlp_write,
     &(const struct collector_signal){"profiles", "profiles", OPTS_OTLP_PROFILES}},
};

#define NKINDS (sizeof(kinds) / sizeof(kinds[0]))

/* A value of an option. */
struct wanted {
	const struct kind *kind;
	unsigned int i;	  /* of the values */
	const char *path; /* file or URL */
	const char *name; /* the chosen aggregation, or NULL */
};

static const char *path_of(const struct opts *o, const struct kind *k, struct wanted *w)
{
	w->name = NULL;
	if (!k->signal)
		return opts_picture(o, k->opt, w->i, &w->name);
	return w->i == 0 && opts_otlp(o, k->signal->path) ? o->text[k->opt] : NULL;
}

/* Moves to the next value of any option.  Zeros begin.  Returns false at the end. */
static bool next_wanted(const struct opts *o, struct wanted *w)
{
	if (!w->kind)
		w->kind = kinds;
	else
		w->i++;
	for (; w->kind < kinds + NKINDS; w->kind++, w->i = 0) {
		w->path = path_of(o, w->kind, w);
		if (w->path)
			return true;
	}
	return false;
}

/* Returns true if the URL is for all signals, so that this one can be absent. */
static bool is_optional(const struct opts *o, const struct kind *k)
{
	return k->signal && opts_otlp(o, OPTS_OTLP_METRICS);
}

static bool shows(const struct kind *k, const struct chart *c, const char *name,
		  const struct chart_agg *a)
{
	return k->choose ? k->choose(c, name) == a : !k->signal || a->has_stacks;
}

static void report_not_made(const struct report *report, const struct kind *k, const char *path,
			    const char *why)
{
	if (k->signal)
		report_error(report, "no %s were sent to '%s': %s", k->signal->name, path, why);
	else
		report_error(report, "'%s' was not written: %s", path, why);
}

/* name: the chosen aggregation, or NULL. */
static void report_nothing(const struct report *report, const struct kind *k, const char *path,
			   const struct chart *c, const char *name)
{
	struct buf b = {0};

	if (!c->aggs.n)
		buf_printf(&b, "there is no aggregation%s",
			   c->is_saved ? "; save runs with --save or -O" : "");
	else if (!name)
		buf_printf(&b, "no aggregation has %s", k->lack);
	else if (!chart_agg_named(c, name, c->nruns - 1))
		buf_printf(&b, "no aggregation is named @%s", shown(name));
	else
		buf_printf(&b, "@%s has no %s", shown(name), k->lack);
	report_not_made(report, k, path, b.s);
	buf_free(&b);
}

/* Tries twice, because no later request has the data. */
static bool send_last(struct collector *to, const struct buf *b)
{
	uint64_t end = clock_ns() + LAST_NS;
	bool is_late = false;

	for (int i = 0; i < 2 && !is_late && (i == 0 || collector_can_retry(to)); i++) {
		collector_send(to, b);
		is_late = !collector_wait(to, end);
		if (!is_late && collector_ok(to))
			return true;
	}
	if (is_late)
		collector_too_late(to);
	return false;
}

static bool draw_wanted(const struct sink_env *env, const struct wanted *w, struct chart *c)
{
	const struct kind *k = w->kind;
	const char *path = w->path, *name = w->name;
	struct chart_agg *a = k->choose ? k->choose(c, name) : NULL;
	struct collector *to = k->signal ? collector_new(env, k->signal) : NULL;
	struct buf b = {0};
	bool ok = false;

	if (k->signal && !to)
		return false;
	if (to)
		c->resource = collector_resource(to);
	if (c->nruns > 1 && !k->compares)
		report_not_made(env->report, k, path, "its format cannot compare two runs");
	else if ((!k->choose || a) && k->draw(&b, c, a))
		ok = to ? send_last(to, &b) : write_file(env->report, path, &b);
	else if (is_optional(env->opts, k))
		ok = true;
	else
		report_nothing(env->report, k, path, c, name);
	collector_free(to);
	buf_free(&b);
	return ok;
}

/* is_hasty: does not wait for a collector. */
static bool draw(const struct sink_env *env, struct chart *c, bool is_hasty)
{
	struct wanted w = {0};
	bool ok = true;

	chart_rank(c);
	chart_sort(c);
	while (next_wanted(env->opts, &w))
		if (!(w.kind->signal && is_hasty))
			ok = draw_wanted(env, &w, c) && ok;
	return ok;
}

/* ---- columns ---- */

static struct series *series_of(struct pictures *p, const char *name, const struct agg_desc *d)
{
	struct series *s;

	for (unsigned int i = 0; i < p->series.n; i++)
		if (strcmp(p->series.a[i]->name, name) == 0)
			return p->series.a[i];
	s = arena_new_obj(p->k.env->arena, struct series);
	s->name = name;
	s->desc = *d;
	s->nwords = agg_nwords(d);
	s->most = MOST_WORDS / s->nwords;
	s->most = s->most < COLUMNS ? s->most / 2 * 2 : COLUMNS;
	s->per = 1;
	s->last = arena_new_arr(p->k.env->arena, int64_t, s->nwords);
	s->words = mem_alloc((size_t)s->most * s->nwords * sizeof(*s->words));
	s->to = arena_new_arr(p->k.env->arena, double, s->most);
	vec_push(&p->series, s);
	return s;
}

static int64_t *column(struct series *s, unsigned int i)
{
	return &s->words[(size_t)i * s->nwords];
}

/* Merges pairs of columns. */
static void halve(struct series *s)
{
	for (unsigned int i = 0; i < s->n / 2; i++) {
		memmove(column(s, i), column(s, 2 * i), s->nwords * sizeof(*s->words));
		for (unsigned int k = 0; k < s->nwords; k++)
			agg_add(&column(s, i)[k], column(s, 2 * i + 1)[k]);
		s->to[i] = s->to[2 * i + 1];
	}
	s->n /= 2;
	s->per *= 2;
	s->nadded = s->per;
}

/* After trunc() a total can be smaller than before.  Then the whole total is new. */
static bool has_shrunk(const struct series *s, const int64_t *words)
{
	for (unsigned int i = 0; i < s->nwords; i++)
		if (words[i] < s->last[i])
			return true;
	return false;
}

static void add_interval(void *ctx, const char *name, const struct agg_desc *d,
			 const int64_t *words)
{
	struct pictures *p = ctx;
	struct series *s = series_of(p, name, d);
	bool is_new = has_shrunk(s, words);

	if (s->nadded == s->per || !s->n) {
		if (s->n == s->most)
			halve(s);
		memset(column(s, s->n), 0, s->nwords * sizeof(*words));
		s->nadded = 0;
		s->n++;
	}
	for (unsigned int i = 0; i < s->nwords; i++)
		agg_add(&column(s, s->n - 1)[i],
			is_new ? words[i] : (int64_t)((uint64_t)words[i] - (uint64_t)s->last[i]));
	memcpy(s->last, words, s->nwords * sizeof(*words));
	s->to[s->n - 1] = (double)(p->looked - p->started) / 1e9;
	s->nadded++;
}

static void look(struct pictures *p)
{
	p->looked = clock_ns();
	aggs_totals(p->k.env->consume, add_interval, p);
}

static void begin(struct sink *k)
{
	struct pictures *p = (struct pictures *)k;

	p->started = p->looked = clock_ns();
}

static void look_if_due(struct sink *k)
{
	struct pictures *p = (struct pictures *)k;

	if (p->has_heat && clock_ns() - p->looked >= p->k.env->opts->num[OPT_heatrate])
		look(p);
}

static void add_columns(struct pictures *p, struct series *s)
{
	struct chart_agg *a = chart_agg_named(p->chart, s->name, 0);

	for (unsigned int i = 0; a && i < s->n; i++)
		chart_add_column(p->chart, a, &s->desc, column(s, i), i ? s->to[i - 1] : 0,
				 s->to[i]);
}

/* ---- a session ---- */

static const struct ident *find_agg(const struct sink_env *env, const char *name)
{
	struct lang *l = env->consume->plan->env.lang;

	for (unsigned int i = 0; i < lang_nidents(l, IDENT_AGG); i++) {
		const struct ident *id = lang_ident(l, IDENT_AGG, i);

		if (id->agg_func && !id->is_library && strcmp(id->name, name) == 0)
			return id;
	}
	return NULL;
}

static bool has_stack(const struct ident *agg)
{
	for (unsigned int i = 0; i < agg->nkeys; i++)
		if (type_is_stack(agg->keys[i]))
			return true;
	return false;
}

static bool any_has_stack(const struct sink_env *env)
{
	struct lang *l = env->consume->plan->env.lang;

	for (unsigned int i = 0; i < lang_nidents(l, IDENT_AGG); i++)
		if (!lang_ident(l, IDENT_AGG, i)->is_library &&
		    has_stack(lang_ident(l, IDENT_AGG, i)))
			return true;
	return false;
}

/* Returns true if the chosen aggregation exists and has this kind of picture. */
static bool may_draw(const struct sink_env *env, const struct kind *k, const char *path,
		     const char *name)
{
	const struct ident *agg = find_agg(env, name);

	if (!agg)
		report_error(env->report, "cannot draw '%s': no aggregation is named @%s", path,
			     shown(name));
	else if (k->choose == chart_flame && !has_stack(agg))
		report_error(env->report, "cannot draw '%s': the keys of @%s have no stack", path,
			     shown(name));
	else if (k->choose == chart_heat && !lang_agg_desc(agg).ops->hist)
		report_error(env->report, "cannot draw '%s': @%s is %s(), which has no histogram",
			     path, shown(name), agg->agg_func->name);
	else
		return true;
	return false;
}

/* Returns false after reporting an error. */
static bool may_send(const struct sink_env *env, const struct kind *k)
{
	struct collector *to = collector_new(env, k->signal);

	collector_free(to);
	return to;
}

static struct sink *open_pictures(const struct sink_env *env, bool *failed)
{
	struct wanted w = {0};
	struct pictures *p;
	bool is_asked = false;

	*failed = true;
	while (next_wanted(env->opts, &w)) {
		if (is_optional(env->opts, w.kind) && !any_has_stack(env))
			continue;
		if (w.name && !may_draw(env, w.kind, w.path, w.name))
			return NULL;
		if (!(w.kind->signal ? may_send(env, w.kind) : may_write(env->report, w.path)))
			return NULL;
		is_asked = true;
	}
	*failed = false;
	if (!is_asked)
		return NULL;
	p = mem_alloc(sizeof(*p));
	p->k.env = env;
	p->has_heat = env->opts->is_set[OPT_heat] || env->opts->is_set[OPT_html];
	return &p->k;
}

struct adding {
	struct pictures *p;
	struct out *out;
};

static void add_agg(void *ctx, const struct metrics_agg *a)
{
	struct adding *to = ctx;

	chart_add_set(to->p->chart, to->out, &a->set);
}

static bool is_drawn(const struct pictures *p, const struct chart_agg *a)
{
	struct wanted w = {0};

	while (next_wanted(p->k.env->opts, &w))
		if (shows(w.kind, p->chart, w.name, a))
			return true;
	return false;
}

static void mark_drawn(struct pictures *p)
{
	for (unsigned int i = 0; i < p->chart->aggs.n; i++)
		if (is_drawn(p, p->chart->aggs.a[i]))
			aggs_drawn(p->k.env->consume, p->chart->aggs.a[i]->name);
}

static void describe(struct chart *c, const struct msg_run *run)
{
	c->nruns = 1;
	c->runs[0] =
	    (struct chart_run){.program = chart_text(c, run->program),
			       .command = run->command ? chart_text(c, run->command) : NULL,
			       .host = chart_text(c, run->host),
			       .kernel = chart_text(c, run->kernel),
			       .start = run->start,
			       .duration = run->duration};
	c->runs[0].name = c->runs[0].program;
}

/* Losses are also reported after the aggregations were taken. */
static void count_drops(struct sink *k, enum out_object what, const void *obj)
{
	struct pictures *p = (struct pictures *)k;
	const struct msg_loss *loss = obj;

	if (what == OUT_OBJECT_DROP)
		p->drops += loss->n;
}

static void take(struct sink *k)
{
	struct pictures *p = (struct pictures *)k;
	struct consume *co = k->env->consume;
	struct adding to = {p, co->out};
	void *symctx;

	/* Naming addresses takes time, which no column should include. */
	if (p->has_heat)
		look(p);
	p->chart = chart_new();
	describe(p->chart, &k->env->run);
	symctx = co->out->symctx;
	co->out->symctx = co;
	aggs_each(co, true, add_agg, &to);
	co->out->symctx = symctx;
	for (unsigned int i = 0; i < p->series.n; i++)
		add_columns(p, p->series.a[i]);
	mark_drawn(p);
}

static bool write_files(struct sink *k, bool is_hasty)
{
	struct pictures *p = (struct pictures *)k;

	if (!p->chart)
		return true;
	p->chart->runs[0].drops = p->drops;
	return draw(p->k.env, p->chart, is_hasty);
}

static void free_pictures(struct sink *k)
{
	struct pictures *p = (struct pictures *)k;

	for (unsigned int i = 0; i < p->series.n; i++)
		mem_free(p->series.a[i]->words);
	vec_free(&p->series);
	chart_free(p->chart);
	mem_free(p);
}

const struct sink_type sink_pictures = {
    .start = open_pictures,
    .begin = begin,
    .object = count_drops,
    .round = look_if_due,
    .take = take,
    .write = write_files,
    .free = free_pictures,
};

/* ---- saved runs ---- */

bool pictures_of_saved(struct report *report, const struct opts *opts, char *const *files,
		       unsigned int n)
{
	struct chart *c = chart_new();
	struct sink_env env = {.report = report, .opts = opts, .arena = c->arena};
	bool ok = true;

	c->nruns = n;
	c->is_saved = true;
	for (unsigned int i = 0; i < n && ok; i++) {
		const char *slash = strrchr(files[i], '/'), *base = slash ? slash + 1 : files[i];

		c->runs[i].name = chart_text(c, base);
		ok = saved_read(report, c, files[i], i);
	}
	if (n > 1)
		chart_pair(c);
	env.run.host = n ? c->runs[n - 1].host : NULL;
	ok = ok && draw(&env, c, false);
	chart_free(c);
	return ok;
}
