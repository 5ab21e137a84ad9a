/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * env.c: services of a session for the compiler: options, symbols, targets.  match.c has the
 * probes.
 */
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/nearest.h"
#include "kern/kern.h"
#include "print/msg.h"
#include "compile/compile.h"
#include "sys/machine.h"

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
	return libs_have(ctx, kind, name);
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
	    .match = match_probes,
	    .late_args = match_late_args,
	    .split = match_split,
	    .split_args = match_split_args,
	    .find_target = comp->self ? env_target : NULL,
	    .guard = match_guard,
	    .no_return = match_no_return,
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
