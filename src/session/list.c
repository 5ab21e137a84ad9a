/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * list.c: facts about probes and programs without tracing: -l, -v, -d.
 */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/dialect.h"
#include "print/table.h"
#include "session/session.h"

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

static const char *site_text(struct session *s, const struct compile_site *site)
{
	const struct pdesc *d = &site->site->descs[0];

	return arena_printf(s->arena, "%s:%s:%s:%s%s%s", or_empty(d->prov), or_empty(d->mod),
			    or_empty(d->func), or_empty(d->name), site->lacks ? ": " : "",
			    or_empty(site->lacks));
}

/* Lists the places that serve a stable probe.  If none does, lists the reason for each place. */
static void describe_sites(struct session *s, const struct probe *p, struct table_probe *t)
{
	site_list sites = {0};
	const char **texts;

	compile_sites(&s->compile, p, &sites);
	texts = arena_new_arr(s->arena, const char *, sites.n + 1);
	t->sites = texts;
	t->sites_title = sites.n && sites.a[0].lacks ? "Missing Sites" : "Sites";
	for (unsigned int i = 0; i < sites.n; i++) {
		texts[t->nsites] = site_text(s, &sites.a[i]);
		/* A place may have several sites. */
		if (t->nsites == 0 || strcmp(texts[t->nsites], texts[t->nsites - 1]) != 0)
			t->nsites++;
	}
	vec_free(&sites);
}

/*
 * Fills in the details of -v: the stability of the fields and of the arguments, and the types of
 * the arguments.
 */
static void describe(struct session *s, struct probe *p, struct table_probe *t)
{
	const char *const fields[] = {t->prov, t->mod, t->func, t->name};
	const char *attr = p->provider->attrs[0];
	struct lang_args *a = probe_all_args(&s->plan, p);
	struct table_arg *args = arena_new_arr(s->arena, struct table_arg, a->nxlated + 1);

	for (int i = 1; i < 4; i++)
		if (*fields[i])
			attr = lang_attributes_min(s->plan.env.lang, attr, p->provider->attrs[i]);
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
	if (p->decl)
		describe_sites(s, p, t);
}

static void list_heading(struct session *s)
{
	if (!s->has_heading)
		table_list_heading(&s->out);
	s->has_heading = true;
}

static void list_probe(struct session *s, struct probe *p, bool verbose)
{
	struct table_probe t = {
	    .id = p->id, .prov = p->prov, .mod = p->mod, .func = p->func, .name = p->name};

	list_heading(s);
	table_list_row(&s->out, &t);
	if (verbose) {
		describe(s, p, &t);
		table_list_attrs(&s->out, &t);
	}
}

static void list_desc(struct session *s, const struct pdesc *d, bool verbose)
{
	probe_list list = {0};

	libs_load_probes(&s->compile, d);
	probes_match(s->plan.env.probes, d, &list);
	if (dialect_has(s->plan.opt.dialect, DIALECT_LIST_HEADING))
		list_heading(s);
	if (!list.n) {
		const char *why = compile_absent(&s->compile, d);

		report_error(&s->report, "failed to match %s:%s:%s:%s: %s", or_empty(d->prov),
			     or_empty(d->mod), or_empty(d->func), or_empty(d->name),
			     why ? why : "No probe matches description");
	}
	for (unsigned int i = 0; i < list.n; i++)
		list_probe(s, list.a[i], verbose);
	vec_free(&list);
}

/* -v -e: prints facts about the probes of a clause. */
static void report_clause(struct session *s, const struct clause *c)
{
	const struct clause_probes *cp = c->probes;
	const struct pdesc *d = &c->descs[0];
	struct table_probe t = {.prov = or_empty(d->prov),
				.mod = or_empty(d->mod),
				.func = or_empty(d->func),
				.name = or_empty(d->name)};

	if (!cp || !cp->list.n)
		return;
	describe(s, cp->list.a[0], &t);
	table_clause(&s->out, &t);
}

/* -v: prints the lowest stability that a program uses. */
void session_stability(struct session *s, const struct compile_prog *p, bool with_clauses)
{
	size_t len = p->src.is_cmdline ? strcspn(p->text, "{/;") : strlen(p->text);
	const char *desc, *stmt;
	struct table_attr d, t;

	lang_stability(s->plan.env.lang, p->program, &desc, &stmt);
	d = split_attr(s, desc);
	t = split_attr(s, stmt);
	table_stability(&s->out, !p->src.is_cmdline, arena_strndup(s->arena, p->text, len), &d, &t,
			with_clauses);
	for (struct clause *c = p->program->clauses; with_clauses && c; c = c->next)
		report_clause(s, c);
}

void session_print_source(struct session *s)
{
	struct buf b = {0};

	for (unsigned int i = 0; i < s->compile.progs.n; i++)
		ast_source(&b, s->compile.progs.a[i]->program);
	out_text(&s->out, buf_str(&b), b.n);
	out_flush(&s->out);
	buf_free(&b);
}

void session_list(struct session *s, bool verbose)
{
	struct pdesc all = {0};

	if (!s->compile.progs.n)
		list_desc(s, &all, verbose);
	for (unsigned int i = 0; i < s->compile.progs.n; i++)
		for (struct clause *c = s->compile.progs.a[i]->program->clauses; c; c = c->next)
			if (!c->is_elsewhere)
				list_desc(s, &c->descs[0], verbose);
	out_flush(&s->out);
}
