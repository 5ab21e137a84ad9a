/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * env.c: what the compiler asks of a session: probes, options, symbols.
 */
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/intern.h"
#include "base/map.h"
#include "kern/kern.h"
#include "out/msg.h"
#include "run/session.h"

static bool same_type_list(struct type *const *a, struct type *const *b, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

static bool same_args(const struct lang_args *a, const struct lang_args *b)
{
	return a->nnative == b->nnative && a->nxlated == b->nxlated &&
	       same_type_list(a->native, b->native, a->nnative) &&
	       same_type_list(a->xlated, b->xlated, a->nxlated);
}

struct clause_probes *session_match(struct session *s, const struct pdesc *d)
{
	struct clause_probes *cp = arena_new_obj(s->arena, struct clause_probes);
	probe_list list = {0};

	probes_match(s->plan.probes, d, &list);
	cp->list.a = arena_new_arr(s->arena, struct probe *, list.n + 1);
	cp->list.n = cp->list.cap = list.n;
	for (unsigned int i = 0; i < list.n; i++)
		cp->list.a[i] = list.a[i];
	vec_free(&list);
	return cp;
}

/*
 * Probes whose argument types are compared; more are taken to differ, because finding out would
 * cost more than the run (a file per system call).
 */
#define COMPARE_MAX 32

static bool env_match(void *ctx, const struct pdesc *d, struct lang_args *args, const void **handle,
		      const char **err)
{
	struct session *s = ctx;
	unsigned int nerrors = s->diags.n;
	struct clause_probes *cp;
	struct lang_args *first;

	*err = NULL;
	libs_want_probes(s, d);
	if (!libs_load_wanted(s))
		return false;
	cp = session_match(s, d);
	*handle = cp;
	if (s->diags.n > nerrors)
		return false;
	memset(args, 0, sizeof(*args));
	if (!cp->list.n) {
		*err = session_absent(s, d);
		if (!*err)
			*err = libs_nearest(s, d);
		return true;
	}
	cp->epid_base = s->plan.next_epid;
	s->plan.next_epid += vec_last(&cp->list)->id - cp->list.a[0]->id + 1;
	first = probe_args(&s->plan, cp->list.a[0]);
	*args = *first;
	args->nprobes = cp->list.n;
	args->is_multi = cp->list.n > COMPARE_MAX;
	for (unsigned int i = 1; i < cp->list.n && !args->is_multi; i++)
		args->is_multi = !same_args(first, probe_args(&s->plan, cp->list.a[i]));
	return true;
}

static const char *env_setopt(void *ctx, const char *name, const char *value)
{
	struct session *s = ctx;

	if (opts_is_early(name))
		return msg_reason(MSG_REASON_OPTION_CONTEXT);
	return session_setopt(s, name, value);
}

static const char *env_getopt(void *ctx, const char *name)
{
	struct session *s = ctx;

	return opts_text(&s->opts, name);
}

static bool env_ksym(void *ctx, const char *module, const char *name, uint64_t *addr,
		     struct type **type)
{
	struct session *s = ctx;
	struct kern_sym sym;
	uint32_t id;

	if (!kern_sym_by_name(s->plan.kern, module, name, &sym))
		return false;
	*addr = sym.addr;
	id = kern_btf_find(s->plan.kern, name, BTF_KIND_VAR);
	if (!id)
		id = kern_btf_find(s->plan.kern, name, BTF_KIND_FUNC);
	*type = id ? type_from_btf(s->plan.types, id) : NULL;
	return true;
}

bool session_have(struct session *s, const char *kind, const char *name)
{
	if (strcmp(kind, "module") == 0)
		return strcmp(name, "vmlinux") == 0 ||
		       access(arena_printf(s->arena, "/sys/module/%s", name), F_OK) == 0;
	for (unsigned int i = 0; i < provider_count; i++)
		if (strcmp(provider_table[i]->name, name) == 0)
			return true;
	for (unsigned int i = 0; i < s->libs.n; i++)
		for (const struct lib_probe *p = s->libs.a[i]->probes; p; p = p->next)
			if (strcmp(p->prov, name) == 0)
				return true;
	return false;
}

static void env_passed(void *ctx, const char *stage, const struct program *p)
{
	struct session *s = ctx;
	struct buf b = {0};

	if (!report_dumps(&s->report, stage))
		return;
	ast_print(&b, p);
	report_dump(&s->report, stage, &b);
}

static bool env_have(void *ctx, const char *kind, const char *name)
{
	return session_have(ctx, kind, name);
}

const struct lang_env *session_env(struct session *s)
{
	struct lang_env *env = arena_new_obj(s->arena, struct lang_env);

	*env = (struct lang_env){
	    .ctx = s,
	    .match = env_match,
	    .setopt = env_setopt,
	    .getopt = env_getopt,
	    .ksym = env_ksym,
	    .have = env_have,
	    .passed = env_passed,
	    .progname = s->script ? s->script : s->report.progname,
	    .nargs = s->nargs,
	    .args = s->args,
	    .has_target = s->procs.n != 0,
	    .target = s->procs.n ? s->procs.a[0].pid : 0,
	};
	return env;
}
