/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * env.c: services of a session for the compiler: probes, options, symbols.
 */
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/nearest.h"
#include "kern/kern.h"
#include "print/msg.h"
#include "compile/compile.h"
#include "sys/machine.h"

static bool same_type_list(struct type *const *a, struct type *const *b, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

static bool same_args(const struct lang_args *a, const struct lang_args *b)
{
	return a->nnative == b->nnative && a->nxlated == b->nxlated && a->places == b->places &&
	       same_type_list(a->native, b->native, a->nnative) &&
	       same_type_list(a->xlated, b->xlated, a->nxlated);
}

/* Room for names of later probes, because sizes are fixed before these names are known. */
#define LATER_NAME 63

/*
 * Notes whether more probes may match the description during tracing.  A loaded library gets no
 * more probes.  A pattern of processes must match probes of the provider, or none yet.
 */
static void ask_later(struct compile *comp, const struct pdesc *d, struct clause_probes *cp)
{
	bool names_mod = d->mod && *d->mod && !strpbrk(d->mod, "*?[");
	uint32_t pid;

	for (unsigned int i = 0; i < provider_count && !cp->follower; i++) {
		const struct provider *pv = provider_table[i];
		bool has_one = !cp->list.n;

		if (!pv->comes_later || !pv->comes_later(d, &pid))
			continue;
		for (unsigned int j = 0; j < cp->list.n; j++)
			has_one |= cp->list.a[j]->provider == pv;
		if (pid ? names_mod && cp->list.n : !has_one)
			continue;
		cp->follower = pv;
		plan_name_room(comp->plan, LATER_NAME);
		cp->later_pid = pid;
	}
}

struct clause_probes *compile_match(struct compile *comp, const struct pdesc *d)
{
	struct clause_probes *cp = arena_new_obj(comp->arena, struct clause_probes);
	probe_list list = {0};

	probes_match(comp->plan->env.probes, d, &list);
	cp->list.a = arena_new_arr(comp->arena, struct probe *, list.n + 1);
	cp->list.n = cp->list.cap = list.n;
	for (unsigned int i = 0; i < list.n; i++)
		cp->list.a[i] = list.a[i];
	vec_free(&list);
	ask_later(comp, d, cp);
	return cp;
}

/*
 * The maximum number of probes whose argument types are compared.  More are assumed to differ,
 * because comparing them costs more than the run (a file per system call).  Providers with equal
 * types for all probes are exempt.
 */
#define COMPARE_MAX 32

/* dlib/kernel.d */
#define THREAD_IN_SCOPE "thread_in_scope"

static bool all_differ(const struct clause_probes *cp)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < cp->list.n; i++)
		n += !cp->list.a[i]->provider->has_same_args;
	return n > COMPARE_MAX;
}

/*
 * Option cgroup: returns the variable that guards a clause.  Clauses of network providers have
 * none, because their sites compare the cgroup of the socket.  Clauses without a thread of their
 * own, such as tick, have none either.
 */
static const char *env_guard(void *ctx, const void *handle)
{
	static const char *const without[] = {"cgroup", "dtrace", "ip",	 "iter",   "mib",
					      "sctp",	"tcp",	  "udp", "udplite"};
	struct compile *comp = ctx;
	const struct clause_probes *cp = handle;
	const struct probe *p = comp->plan->opt.scope && cp->list.n ? cp->list.a[0] : NULL;

	if (!p || strncmp(p->name, "tick-", 5) == 0)
		return NULL;
	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		if (strcmp(p->prov, without[i]) == 0)
			return NULL;
	return THREAD_IN_SCOPE;
}

static bool env_match(void *ctx, const struct pdesc *d, struct lang_args *args, const void **handle,
		      const char **err)
{
	struct compile *comp = ctx;
	unsigned int nerrors = comp->diags.n;
	struct clause_probes *cp;
	struct lang_args *first;

	*err = NULL;
	libs_want_probes(comp, d);
	if (comp->plan->opt.scope)
		libs_want_name(comp, THREAD_IN_SCOPE);
	if (!libs_load_wanted(comp))
		return false;
	cp = compile_match(comp, d);
	*handle = cp;
	if (comp->diags.n > nerrors)
		return false;
	memset(args, 0, sizeof(*args));
	if (!cp->list.n) {
		*err = compile_absent(comp, d);
		if (!*err)
			*err = libs_nearest(comp, d);
		return true;
	}
	cp->epid_base = comp->plan->next_epid;
	comp->plan->next_epid += vec_last(&cp->list)->id - cp->list.a[0]->id + 1;
	first = probe_args(comp->plan, cp->list.a[0]);
	*args = *first;
	args->nprobes = cp->list.n;
	args->is_multi = all_differ(cp);
	for (unsigned int i = 1; i < cp->list.n && !args->is_multi && !args->is_late; i++)
		args->is_multi = !same_args(first, probe_args(comp->plan, cp->list.a[i]));
	return true;
}

bool compile_is_named(const struct target_names *t, const char *pattern, unsigned int kinds)
{
	if (!pattern)
		return t->is_host;
	for (int i = 0; i < TARGET_NAMES; i++)
		if (t->a[i] && kinds >> i & 1 && probe_glob(pattern, t->a[i]))
			return true;
	return false;
}

static enum lang_target env_target(void *ctx, const char *pattern)
{
	struct compile *comp = ctx;

	if (compile_is_named(comp->self, pattern, opts_target_kinds(comp->opts)))
		return LANG_THIS_TARGET;
	return !pattern || comp->is_target(comp->target_ctx, pattern) ? LANG_OTHER_TARGET
								      : LANG_NO_TARGET;
}

static void env_late_args(void *ctx, const void *handle, struct lang_args *args)
{
	struct compile *comp = ctx;
	const struct clause_probes *cp = handle;
	bool is_multi = args->is_multi;
	const struct lang_args *first;

	args->is_late = false;
	if (is_multi)
		return;
	first = probe_all_args(comp->plan, cp->list.a[0]);
	*args = *first;
	args->nprobes = cp->list.n;
	for (unsigned int i = 1; i < cp->list.n && !args->is_multi; i++)
		args->is_multi = !same_args(first, probe_all_args(comp->plan, cp->list.a[i]));
}

static const char *env_no_return(void *ctx, const void *handle)
{
	struct compile *comp = ctx;
	const struct clause_probes *cp = handle;
	const char *why = NULL;

	for (unsigned int i = 0; !why && i < cp->list.n; i++) {
		struct probe *p = cp->list.a[i];

		why = p->provider && p->provider->no_return
			  ? p->provider->no_return(comp->plan, p)
			  : arena_printf(comp->arena, "%s:%s:%s:%s is not an entry probe of fbt",
					 p->prov, p->mod, p->func, p->name);
	}
	return why;
}

static const char *env_setopt(void *ctx, const char *name, const char *value)
{
	struct compile *comp = ctx;

	if (opts_is_early(name))
		return msg_reason(MSG_REASON_OPTION_CONTEXT);
	return comp->setopt(comp->ctx, name, value);
}

static const char *env_getopt(void *ctx, const char *name)
{
	struct compile *comp = ctx;

	return opts_text(comp->opts, name);
}

static bool env_ksym(void *ctx, const char *module, const char *name, struct lang_ksym *res)
{
	struct compile *comp = ctx;
	struct kern *k = comp->plan->env.kern;
	struct kern_sym sym;
	uint32_t id;

	/* For a function of vmlinux, the other symbols need not be read. */
	id = module && *module ? 0 : kern_btf_find_in(k, "vmlinux", name, BTF_KIND_FUNC);
	if (id && (sym.addr = kern_sym_find(k, name)) != 0) {
		*res = (struct lang_ksym){.addr = sym.addr,
					  .type = type_from_btf(comp->plan->env.types, id)};
		return true;
	}
	if (!kern_sym_by_name(k, module, name, &sym))
		return false;
	id = kern_btf_find_in(k, sym.module, name, BTF_KIND_VAR);
	if (!id)
		id = kern_btf_find_in(k, sym.module, name, BTF_KIND_FUNC);
	*res = (struct lang_ksym){.addr = sym.addr,
				  .type = id ? type_from_btf(comp->plan->env.types, id) : NULL,
				  .is_percpu = kern_sym_is_percpu(k, &sym)};
	return true;
}

static struct type *env_debug_type(void *ctx, const char *module, const char *name)
{
	struct compile *comp = ctx;
	struct types *ts = comp->plan->env.types;
	struct kern_sym sym;
	struct kern_ctype ct;
	struct type *t;

	if (!kern_sym_by_name(comp->plan->env.kern, module, name, &sym) ||
	    !kern_debug_type(comp->plan->env.kern, &sym, &ct))
		return NULL;
	t = type_lookup(ts, ct.name);
	for (unsigned int i = ct.nparts; t && i-- > 0;)
		t = ct.parts[i] == KERN_CTYPE_POINTER ? type_ptr(ts, t)
						      : type_array(ts, t, ct.parts[i]);
	return t;
}

struct type *compile_symbol_type(struct compile *comp, const char *module, const char *name)
{
	struct lang_ksym sym;

	if (!env_ksym(comp, module, name, &sym))
		return NULL;
	return sym.type ? sym.type : env_debug_type(comp, module, name);
}

/*
 * A kernel that has no symbol jiffies lacks CONFIG_KALLSYMS_ALL, so it shows symbols of functions
 * only.
 */
static const char *env_no_ksym(void *ctx, const char *name)
{
	struct compile *comp = ctx;
	struct nearest near = {.word = name};

	kern_sym_near(comp->plan->env.kern, &near);
	if (near.best)
		return lang_meant(comp->plan->env.lang, &near);
	return kern_sym_count(comp->plan->env.kern, NULL, "jiffies")
		   ? ""
		   : "; this kernel shows symbols of functions only";
}

bool compile_have(struct compile *comp, const char *kind, const char *name)
{
	if (strcmp(kind, "module") == 0)
		return strcmp(name, "vmlinux") == 0 ||
		       sys_exists(comp->machine, arena_printf(comp->arena, "/sys/module/%s", name));
	for (unsigned int i = 0; i < provider_count; i++)
		if (strcmp(provider_table[i]->name, name) == 0)
			return true;
	for (unsigned int i = 0; i < comp->libs.n; i++)
		for (const struct index_probe *p = comp->libs.a[i]->index.probes; p->name; p++)
			if (strcmp(p->prov, name) == 0)
				return true;
	return false;
}

static void env_passed(void *ctx, const char *stage, const struct program *p)
{
	struct compile *comp = ctx;
	struct buf b = {0};

	if (!report_dumps(comp->report, stage))
		return;
	ast_print(&b, p);
	report_dump(comp->report, stage, &b);
}

static bool env_have(void *ctx, const char *kind, const char *name)
{
	return compile_have(ctx, kind, name);
}

static int64_t env_host_pid(void *ctx, int64_t pid)
{
	struct compile *comp = ctx;
	uint32_t host = kern_host_pid(comp->plan->env.kern, (uint32_t)pid);

	if (pid && !host)
		report_error(comp->report,
			     "the number of process %lld outside this PID namespace is unknown; "
			     "using 0 instead",
			     (long long)pid);
	return host;
}

const struct lang_env *compile_env(struct compile *comp)
{
	if (!comp->env)
		comp->env = arena_new_obj(comp->arena, struct lang_env);
	*comp->env = (struct lang_env){
	    .ctx = comp,
	    .match = env_match,
	    .late_args = env_late_args,
	    .find_target = comp->self ? env_target : NULL,
	    .guard = env_guard,
	    .no_return = env_no_return,
	    .setopt = env_setopt,
	    .getopt = env_getopt,
	    .ksym = env_ksym,
	    .no_ksym = env_no_ksym,
	    .debug_type = env_debug_type,
	    .usym = compile_object_symbol,
	    .goroutine = compile_goroutine,
	    .have = env_have,
	    .passed = env_passed,
	    .progname = comp->script ? comp->script : comp->report->progname,
	    .nargs = comp->nargs,
	    .args = comp->args,
	    .has_target = comp->target != 0,
	    .target = comp->target,
	    .host_pid = env_host_pid,
	    .asks_target = &comp->asks_target,
	};
	return comp->env;
}
