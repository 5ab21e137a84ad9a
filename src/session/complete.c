/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * complete.c: candidates for a word of the command line, one per line, for completion in shells.
 *
 * A description is completed field by field, from the provider on.  Fields that are empty in all
 * matching probes are skipped, such as module and function of a stable probe.  With -m and -f, the
 * word may be a module or function alone.
 *
 * You have pressed a key and wait, so no probes are made if their names cost less.  These are names
 * of libraries, of the files of a process, and of kernel functions.  The latter come from BTF,
 * because the kernel takes too long to list the functions that can be traced.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "kern/kern.h"
#include "print/out.h"
#include "proc/proc.h"
#include "session/session.h"

enum { PROV, MOD, FUNC, NAME, NFIELDS };

struct completion {
	struct session *s;
	struct map *seen;
	const char *head; /* text before the current field */
	unsigned int nfields;
	const char *last; /* the last function that was added */
};

static void add(struct completion *c, const char *text)
{
	if (map_get_str(c->seen, text))
		return;
	map_set_str(c->seen, text, c);
	out_text(&c->s->out, text, strlen(text));
	out_putc(&c->s->out, '\n');
}

/* Adds a field after the head, and a colon if another field follows. */
static void add_joined(struct completion *c, const char *name)
{
	add(c, arena_printf(c->s->arena, "%s%s%s", c->head, name, c->nfields > 1 ? ":" : ""));
}

/*
 * Adds a function, of which there may be 100,000.  So it omits consecutive repetitions only, and
 * shells omit the others.  A single candidate must be one line, otherwise the shell does not
 * complete the word.
 */
static void add_function(struct completion *c, const char *name)
{
	struct out *o = &c->s->out;

	if (c->last && strcmp(c->last, name) == 0)
		return;
	c->last = name;
	out_text(o, c->head, strlen(c->head));
	out_text(o, name, strlen(name));
	if (c->nfields > 1)
		out_putc(o, ':');
	out_putc(o, '\n');
}

static void add_provider(struct completion *c, const char *prefix, const char *name)
{
	if (strncmp(prefix, name, strlen(prefix)) == 0)
		add_joined(c, name);
}

/*
 * Adds providers by the names in tables and libraries, because providing their probes takes long.
 * A provider of processes has no fixed name.
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
		for (const struct index_probe *lp = comp->libs.a[i]->index.probes; lp->name; lp++)
			if (!comp->libs.a[i]->index.of_process)
				add_provider(c, prefix, lp->prov);
}

static bool is_any(const char *pattern)
{
	return !pattern || !pattern[strspn(pattern, "*")];
}

/* Adds declared probes of any provider.  Loading all libraries would take too long. */
static void add_declared(struct completion *c, const struct pdesc *d, unsigned int at)
{
	struct compile *comp = &c->s->compile;

	for (unsigned int i = 0; at == NAME && i < comp->libs.n; i++)
		for (const struct index_probe *lp = comp->libs.a[i]->index.probes; lp->name; lp++)
			if (!comp->libs.a[i]->index.of_process && is_any(d->mod) &&
			    is_any(d->func) && probe_glob(d->name, lp->name))
				add(c, arena_printf(c->s->arena, "%s%s", c->head, lp->name));
}

static void match(struct completion *c, const struct pdesc *d, probe_list *list)
{
	if (!is_any(d->prov))
		libs_load_probes(&c->s->compile, d);
	probes_match(c->s->plan.env.probes, d, list);
}

/* ---- processes ---- */

/* Returns the process of "pid1234"; 0: no process, or several. */
static uint32_t process_of(const char *prov)
{
	char *end;
	unsigned long pid;

	if (!prov || strncmp(prov, "pid", 3) != 0 || !isdigit((unsigned char)prov[3]))
		return 0;
	pid = strtoul(prov + 3, &end, 10);
	return *end ? 0 : (uint32_t)pid;
}

/* Adds "pid1234" for each process that runs a program. */
static void add_processes(struct completion *c, const char *prefix)
{
	DIR *dir = strncmp(prefix, "pid", 3) == 0 ? opendir("/proc") : NULL;
	struct dirent *e;
	char path[300], exe[2];

	while (dir && (e = readdir(dir)) != NULL) {
		snprintf(path, sizeof(path), "/proc/%s/exe", e->d_name);
		if (isdigit((unsigned char)e->d_name[0]) && readlink(path, exe, sizeof(exe)) > 0)
			add_provider(c, prefix, arena_printf(c->s->arena, "pid%s", e->d_name));
	}
	if (dir)
		closedir(dir);
}

/* Adds the functions that provider pid traces: the best name of each address, and IFUNCs. */
static void add_functions(struct completion *c, const struct proc_object *o, const char *pattern)
{
	const struct proc_sym *last = NULL;

	for (unsigned int i = 0; i < o->syms.n; i++) {
		const struct proc_sym *sym = &o->syms.a[i];

		if (!sym->size || (last && last->addr == sym->addr) || strstr(sym->name, ".cold") ||
		    !probe_glob(pattern, sym->name))
			continue;
		last = sym;
		add_function(c, sym->name);
	}
	for (unsigned int i = 0; i < o->resolvers.n; i++)
		if (probe_glob(pattern, o->resolvers.a[i].name))
			add_function(c, o->resolvers.a[i].name);
}

/* Adds the files that a process has mapped, or their functions. */
static void add_of_process(struct completion *c, const struct pdesc *d, unsigned int at)
{
	struct procs *ps = c->s->plan.env.procs;
	struct proc *p = procs_get(ps, process_of(d->prov));

	for (unsigned int i = 0; p && i < p->maps.n; i++) {
		struct proc_map *m = &p->maps.a[i];
		char *base = proc_base(m);

		if (proc_is_first(p, i) &&
		    probe_mod_glob(d->mod, base, proc_is_exe(p, m) ? MOD_PROGRAM : MOD_LIBRARY)) {
			if (at == MOD)
				add_joined(c, base);
			else
				add_functions(c, proc_object(ps, p, m), d->func);
		}
		mem_free(base);
	}
}

/* ---- functions of the kernel ---- */

struct kernel_funcs {
	struct completion *c;
	const struct pdesc *d;
	unsigned int at;
};

static bool is_of_kernel(const struct completion *c, const char *prov)
{
	struct kern *k = c->s->plan.env.kern;

	return prov && ((strcmp(prov, "fbt") == 0 && kern_has(k, KERN_FENTRY)) ||
			((strcmp(prov, "fbt") == 0 || strcmp(prov, "kinst") == 0) &&
			 kern_has(k, KERN_KPROBE)));
}

static void found_func(void *ctx, const char *module, const char *name)
{
	struct kernel_funcs *f = ctx;

	if (!probe_glob(f->d->mod, module))
		return;
	if (f->at == MOD)
		add_joined(f->c, module);
	else if (probe_glob(f->d->func, name))
		add_function(f->c, name);
}

/* ---- descriptions ---- */

/* Adds a field of all matching probes, with the next separator. */
static void add_fields(struct completion *c, const struct pdesc *d, unsigned int at)
{
	probe_list list = {0};
	struct buf b = {0};

	match(c, d, &list);
	if (is_any(d->prov))
		add_declared(c, d, at);
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

/* Adds names that can be written without their provider. */
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

static void complete_probe(struct completion *c, char letter, const char *head, const char *word)
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
	c->head = arena_printf(a, "%s%.*s", head, (int)(p - word), word);
	if (n == 0 && c->nfields != 2 && c->nfields != 3) {
		add_providers(c, p);
		add_processes(c, p);
	}
	if (n == 0 && c->nfields == NFIELDS)
		add_short_names(c, arena_printf(a, "%s*", p));
	if (n == 0 && c->nfields != 2 && c->nfields != 3)
		return;
	if (n == 0) {
		n = c->nfields - 1;
		c->nfields = 1;
	}
	fields[n] = arena_printf(a, "%s*", p);
	/* A process has too many instructions to list. */
	if (n < NAME && fields[PROV] && strncmp(fields[PROV], "pid", 3) == 0)
		fields[NAME] = "entry";
	d = (struct pdesc){
	    .prov = fields[PROV], .mod = fields[MOD], .func = fields[FUNC], .name = fields[NAME]};
	if (n < NAME && process_of(d.prov))
		add_of_process(c, &d, n);
	else if (n < NAME && is_of_kernel(c, d.prov))
		kern_btf_funcs(c->s->plan.env.kern, found_func, &(struct kernel_funcs){c, &d, n});
	else
		add_fields(c, &d, n);
}

/* Adds NAME, NAME= if the option has a value, or NAME=VALUE if its values are a fixed list. */
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

void session_complete(struct session *s, char letter, const char *head, const char *word)
{
	struct completion c = {.s = s, .seen = map_new(), .head = ""};

	if (letter == 'x')
		complete_option(&c, word);
	else
		complete_probe(&c, letter, head, word);
	map_free(c.seen);
	out_flush(&s->out);
}
