/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * complete.c: what a word of the command line may become, a line for each, for shells that
 * complete words.  A description of probes is completed field by field, from the provider on; what
 * is empty in all that match (the module and function of a stable probe) is passed over.  A module
 * or function alone stands for itself where the option says so (-m, -f).
 */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "out/out.h"
#include "run/session.h"

enum { PROV, MOD, FUNC, NAME, NFIELDS };

struct completion {
	struct session *s;
	struct map *seen;
	const char *head; /* what is in front of the field in question */
	unsigned int nfields;
};

static void add(struct completion *c, const char *text)
{
	if (map_get_str(c->seen, text))
		return;
	map_set_str(c->seen, text, c);
	out_text(&c->s->out, text, strlen(text));
	out_putc(&c->s->out, '\n');
}

static void add_provider(struct completion *c, const char *prefix, const char *name)
{
	if (strncmp(prefix, name, strlen(prefix)) == 0)
		add(c,
		    arena_printf(c->s->arena, "%s%s%s", c->head, name, c->nfields > 1 ? ":" : ""));
}

/*
 * By the names of tables and libraries: to ask for their probes would take long.  Providers of
 * processes have no such name.
 */
static void add_providers(struct completion *c, const char *prefix)
{
	struct compile *comp = &c->s->compile;

	for (unsigned int i = 0; i < provider_count; i++) {
		const struct provider *pv = provider_table[i];

		if (!pv->is_hidden && !pv->matches_prefix)
			add_provider(c, prefix, pv->name);
	}
	for (unsigned int i = 0; i < comp->libs.n; i++)
		for (const struct lib_probe *lp = comp->libs.a[i]->probes; lp; lp = lp->next)
			if (!comp->libs.a[i]->of_process)
				add_provider(c, prefix, lp->prov);
}

/* All libraries take too long, and few of their probes have a module or function. */
static void match(struct completion *c, const struct pdesc *d, probe_list *list)
{
	if (d->prov) {
		libs_want_probes(&c->s->compile, d);
		libs_load_wanted(&c->s->compile);
	}
	probes_match(c->s->plan.probes, d, list);
}

/* One field of all probes that match, and what follows it. */
static void add_fields(struct completion *c, const struct pdesc *d, unsigned int at)
{
	probe_list list = {0};
	struct buf b = {0};

	match(c, d, &list);
	for (unsigned int i = 0; i < list.n; i++) {
		const struct probe *p = list.a[i];
		const char *const fields[] = {p->prov, p->mod, p->func, p->name};
		unsigned int n = at;

		buf_reset(&b);
		buf_printf(&b, "%s%s", c->head, fields[n]);
		while (n + 1 < c->nfields) {
			buf_putc(&b, ':');
			if (*fields[n])
				break;
			buf_puts(&b, fields[++n]);
		}
		add(c, buf_str(&b));
	}
	buf_free(&b);
	vec_free(&list);
}

/* Names that are written without their provider. */
static void add_short_names(struct completion *c, const char *pattern)
{
	static const char *const providers[] = {"dtrace", "profile"};
	unsigned int all = c->nfields;

	c->nfields = 1;
	for (size_t i = 0; i < sizeof(providers) / sizeof(providers[0]); i++) {
		struct pdesc d = {.prov = providers[i], .name = pattern};

		add_fields(c, &d, NAME);
	}
	c->nfields = all;
}

static void complete_probe(struct completion *c, char letter, const char *word)
{
	struct arena *a = c->s->arena;
	const char *fields[NFIELDS] = {0}, *comma = strrchr(word, ','),
		   *p = comma ? comma + 1 : word;
	unsigned int n = 0;
	struct pdesc d;

	c->nfields = letter == 'P' ? 1 : letter == 'm' ? 2 : letter == 'f' ? 3 : NFIELDS;
	p += strspn(p, " ");
	for (const char *colon; n + 1 < c->nfields && (colon = strchr(p, ':')); p = colon + 1)
		fields[n++] = arena_strndup(a, p, (size_t)(colon - p));
	if (strpbrk(p, ":/{ "))
		return;
	c->head = arena_strndup(a, word, (size_t)(p - word));
	if (n == 0 && c->nfields != 2 && c->nfields != 3)
		add_providers(c, p);
	if (n == 0 && c->nfields == NFIELDS)
		add_short_names(c, arena_printf(a, "%s*", p));
	if (n == 0 && c->nfields != 2 && c->nfields != 3)
		return;
	if (n == 0) {
		n = c->nfields - 1;
		c->nfields = 1;
	}
	fields[n] = arena_printf(a, "%s*", p);
	/* Instructions of processes are many. */
	if (n < NAME && fields[PROV] && strncmp(fields[PROV], "pid", 3) == 0)
		fields[NAME] = "entry";
	d = (struct pdesc){
	    .prov = fields[PROV], .mod = fields[MOD], .func = fields[FUNC], .name = fields[NAME]};
	add_fields(c, &d, n);
}

/* NAME, NAME= where there is a value, or NAME=VALUE where these are words. */
static void complete_option(struct completion *c, const char *word)
{
	const char *eq = strchr(word, '=');
	struct arena *a = c->s->arena;

	for (int i = 0; i < OPT_MAX; i++) {
		const char *name = opts_name((enum opt)i);
		const char *const *values = opts_words((enum opt)i);

		if (!eq && strncmp(word, name, strlen(word)) == 0)
			add(c, opts_has_value((enum opt)i) ? arena_printf(a, "%s=", name) : name);
		if (!eq || strlen(name) != (size_t)(eq - word) || memcmp(word, name, strlen(name)))
			continue;
		for (; values && *values; values++)
			if (strncmp(eq + 1, *values, strlen(eq + 1)) == 0)
				add(c, arena_printf(a, "%s=%s", name, *values));
	}
}

void session_complete(struct session *s, char letter, const char *word)
{
	struct completion c = {.s = s, .seen = map_new(), .head = ""};

	if (letter == 'x')
		complete_option(&c, word);
	else
		complete_probe(&c, letter, word);
	map_free(c.seen);
	out_flush(&s->out);
}
