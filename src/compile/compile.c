/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compile.c: programs of the command line, from text to typed clauses.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clocks.h"
#include "base/dialect.h"
#include "base/intern.h"
#include "base/map.h"
#include "kern/kern.h"
#include "print/msg.h"
#include "proc/proc.h"
#include "compile/compile.h"
#include "compile/cpp.h"
#include "sys/machine.h"

static void report_limit(void *arg, const char *text)
{
	const struct compile *comp = arg;

	report_error(comp->report, "%s", text);
}

void compile_init(struct compile *comp)
{
	comp->diags.arena = comp->arena;
	comp->provider_structs = map_new();
	comp->lib_names = map_new();
	comp->plan->env.arena = comp->arena;
	comp->plan->env.procs = procs_new(comp->arena);
	procs_set_report(comp->plan->env.procs, report_limit, comp);
	procs_set_far(comp->plan->env.procs, comp->machine->is_here ? NULL : comp->machine);
}

void compile_free(struct compile *comp)
{
	compile_free_units(comp);
	libs_free(comp);
	probes_free(comp->plan->env.probes);
	lang_free(comp->plan->env.lang);
	types_free(comp->plan->env.types);
	intern_free(comp->plan->env.names);
	kern_close(comp->plan->env.kern);
	plan_fini(comp->plan);
	vec_free(&comp->progs);
	vec_free(&comp->clauses);
	vec_free(&comp->cpp_args);
	procs_free(comp->plan->env.procs);
}

static enum plan_policy buffer_policy(const struct opts *o)
{
	const char *p = o->is_set[OPT_bufpolicy] ? o->text[OPT_bufpolicy] : "switch";

	return strcasecmp(p, "fill") == 0   ? PLAN_FILL
	       : strcasecmp(p, "ring") == 0 ? PLAN_RING
					    : PLAN_SWITCH;
}

/* Upper limits, beyond which larger values are useless. */
#define PCAP_MAX	65535	   /* bytes of a packet, limited by the format */
#define STRSIZE_MAX	(1U << 30) /* no buffer holds a longer string */
#define SCRATCHSIZE_MAX (1U << 20) /* of each CPU, for each level of nesting */
#define NSPEC_MAX	65536
#define FRAMES_MAX	65536

static uint32_t at_most(uint64_t n, uint32_t max)
{
	return n < max ? (uint32_t)n : max;
}

/* The smallest ring buffer.  A smaller buffer is simulated by counting bytes (MAP_METER). */
#define METERED_BELOW 65536

/* Returns the folder of the debug information that distributions package. */
/* Returns the frames of a call without a number.  A picture of cut stacks would mislead. */
static unsigned int frames(const struct opts *o, enum opt opt)
{
	bool is_whole = opts_draw_stacks(o) && !o->is_set[opt];

	return at_most(o->num[is_whole ? OPT_maxframes : opt], FRAMES_MAX);
}

static const char *debugdir(const struct compile *comp)
{
	return comp->opts->is_set[OPT_debugdir] ? comp->opts->text[OPT_debugdir] : "/usr/lib/debug";
}

/* Copies the options that lowering needs into the plan. */
void compile_set_options(struct compile *comp)
{
	const struct opts *o = comp->opts;
	const uint64_t *n = o->num;
	struct plan *plan = comp->plan;

	dialect_parse(o->text[OPT_dialect], &plan->opt.dialect);
	comp->diags.dialect = plan->opt.dialect;
	plan->opt.strsize = at_most(n[OPT_strsize], STRSIZE_MAX) + 1;
	plan->opt.scratchsize = (at_most(n[OPT_scratchsize], SCRATCHSIZE_MAX) + 7) & ~7U;
	/* Deep stacks are large keys. */
	plan->opt.aggsize =
	    n[OPT_aggsize] * (opts_draw_stacks(o) && !o->is_set[OPT_aggsize] ? 4 : 1);
	plan->opt.dynvarsize = n[OPT_dynvarsize];
	/* Buffers hold words of 8 bytes. */
	plan->opt.bufsize = n[OPT_bufsize] & ~7ULL;
	plan->opt.nspec = at_most(n[OPT_nspec], NSPEC_MAX);
	plan->opt.specsize = n[OPT_specsize] & ~7ULL;
	plan->opt.policy = buffer_policy(o);
	plan->opt.is_metered = plan->opt.policy == PLAN_FILL || (plan->opt.policy == PLAN_SWITCH &&
								 plan->opt.bufsize < METERED_BELOW);
	plan->opt.cpu = o->is_set[OPT_cpu] ? (int)at_most(n[OPT_cpu], INT32_MAX) : -1;
	plan->opt.maxframes = at_most(n[OPT_maxframes], FRAMES_MAX);
	plan->opt.stackframes = frames(o, OPT_stackframes);
	plan->opt.pcapsize = (at_most(n[OPT_pcapsize], PCAP_MAX) + 7) & ~7U;
	plan->opt.unwindsize = n[OPT_unwindsize];
	plan->opt.ustackframes = frames(o, OPT_ustackframes);
	plan->opt.jstackframes = frames(o, OPT_jstackframes);
	plan->opt.follows = o->is_set[OPT_follow];
	plan->opt.hooks_returns = o->is_set[OPT_uretprobe];
	plan->opt.allows_none = o->is_set[OPT_zdefs];
	plan->opt.has_threads = opts_timeline(o);
	procs_limit(plan->env.procs, at_most(n[OPT_pgmax], UINT32_MAX));
	procs_set_debugdir(plan->env.procs, debugdir(comp));
	procs_set_source(plan->env.procs, o->is_set[OPT_inlines] || o->is_set[OPT_lines]);
	plan->opt.scope = o->is_set[OPT_cgroup] ? o->text[OPT_cgroup] : NULL;
}

static struct compile_prog *add(struct compile *comp, enum lang_spec spec, const char *text)
{
	struct compile_prog *p = arena_new_obj(comp->arena, struct compile_prog);

	p->spec = spec;
	p->text = text;
	vec_push(&comp->progs, p);
	return p;
}

struct compile_prog *compile_add_text(struct compile *comp, enum lang_spec spec, const char *text)
{
	struct compile_prog *p = add(comp, spec, text);

	p->src =
	    (struct source){.text = text, .len = (unsigned int)strlen(text), .is_cmdline = true};
	return p;
}

bool compile_add_script(struct compile *comp, const char *path)
{
	unsigned int len;
	char *text = compile_read_file(comp, path, &len);
	struct compile_prog *p;

	if (!text)
		return false;
	p = add(comp, LANG_SPEC_NONE, path);
	p->src = (struct source){.name = path, .text = text, .len = len};
	if (!comp->script)
		comp->script = path;
	return true;
}

static bool open_compiler(struct compile *comp)
{
	struct plan *plan = comp->plan;

	plan->env.kern = kern_open(comp->machine);
	kern_set_store(plan->env.kern, comp->store);
	kern_set_debugdir(plan->env.kern, debugdir(comp));
	plan->env.names = intern_new(comp->arena);
	plan->env.types = types_new(comp->arena, plan->env.names, plan->env.kern);
	types_set_find(plan->env.types, compile_object_type, comp);
	if (comp->is_ilp32)
		type_set_ilp32(plan->env.types);
	plan->env.diags = &comp->diags;
	plan->opt.wall_offset = clock_offset();
	plan_init(plan);
	plan->env.probes = probes_new(plan);
	plan->env.lang = lang_new(comp->arena, plan->env.names, plan->env.types, &comp->diags,
				  compile_env(comp));
	for (const struct lang_row *const *t = builtin_tables; *t; t++) {
		unsigned int n = 0;

		while ((*t)[n].name)
			n++;
		lang_add_rows(plan->env.lang, *t, n);
	}
	return libs_scan(comp);
}

/*
 * Returns true if the diagnostic is in the list already.  A clause is checked once for each
 * description, and each error is printed once.
 */
static bool is_repeated(const struct diags *d, unsigned int nth)
{
	const struct diag *x = &d->list[nth];

	for (unsigned int i = 0; i < nth; i++) {
		const struct diag *y = &d->list[i];

		if (x->loc.src == y->loc.src && x->loc.line == y->loc.line &&
		    x->loc.col == y->loc.col && strcmp(x->text, y->text) == 0)
			return true;
	}
	return false;
}

/* Without BTF, errors of the libraries about unknown types would hide the cause. */
static void print_diags(struct compile *comp)
{
	bool has_btf = !comp->diags.n || kern_btf_count(comp->plan->env.kern);

	for (unsigned int i = 0; i < comp->diags.n; i++)
		if ((has_btf || !comp->diags.list[i].loc.src ||
		     !comp->diags.list[i].loc.src->is_library) &&
		    !is_repeated(&comp->diags, i))
			report_diag(comp->report, &comp->diags.list[i]);
	if (!has_btf)
		report_error(comp->report,
			     "could not read the types of this kernel: /sys/kernel/btf/vmlinux: %s",
			     access("/sys/kernel/btf/vmlinux", R_OK) ? strerror(errno)
								     : "not understood");
}

static unsigned int count_matched(const struct program *p)
{
	unsigned int n = 0;

	for (struct clause *c = p->clauses; c; c = c->next)
		n += c->is_elsewhere ? 0 : ((const struct clause_probes *)c->probes)->list.n;
	return n;
}

/* Finds the traced cgroup (option cgroup).  Returns false after reporting an error. */
static bool find_scope(struct compile *comp)
{
	struct plan *plan = comp->plan;
	const char *why = "cgroups of other machines cannot be chosen";

	if (comp->machine->is_here)
		why = kern_cgroup_find(plan->env.kern, plan->opt.scope, &plan->opt.scope_at);
	if (why)
		report_error(comp->report, "failed to set -x cgroup: %s: %s", plan->opt.scope, why);
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

/* Option -C affects scripts, not the text of the command line. */
static bool preprocess(struct compile *comp, struct compile_prog *p)
{
	const char *why;

	if (!comp->opts->is_set[OPT_cpp] || p->src.is_cmdline)
		return true;
	why = cpp_run(comp, &p->src);
	if (why && p->src.name)
		report_error(comp->report, "failed to compile script %s: %s", p->text, why);
	else if (why)
		report_error(comp->report, "%s", why);
	return !why;
}

/* Writes the file of -x ctypes or dtypes. */
static bool store_types(struct compile *comp, enum opt opt, bool is_c)
{
	const char *path = comp->opts->text[opt];
	int err = comp->opts->is_set[opt] ? type_store(comp->plan->env.types, is_c, path) : 0;

	if (err)
		report_error(comp->report, "could not write %s: %s", path, strerror(-err));
	return !err;
}

/* A process in a nested PID namespace has two numbers. */
static void check_pidns(struct compile *comp)
{
	const struct kern_pidns *ns = kern_pidns(comp->plan->env.kern);

	if (ns && !ns->has_proc)
		report_error(comp->report, "/proc does not show this PID namespace, so processes "
					   "cannot be traced by their numbers and addresses have "
					   "no names; mount it with \"mount -t proc proc /proc\"");
	else if (ns && !ns->is_known)
		report_error(comp->report,
			     "the kernel does not show the numbers of processes in this PID "
			     "namespace, so processes cannot be traced by their numbers and "
			     "addresses have no names; run dtrace outside of the namespace");
}

/* Also checks options cpu and cgroup, because lowering depends on them. */
bool compile_open(struct compile *comp)
{
	if (!open_compiler(comp))
		return false;
	if (comp->plan->opt.scope && !find_scope(comp))
		return false;
	check_pidns(comp);
	if (comp->plan->opt.cpu >= 0 && !is_online(comp->plan->env.kern, comp->plan->opt.cpu)) {
		report_error(comp->report, "failed to set -x cpu: CPU %d is not online",
			     comp->plan->opt.cpu);
		return false;
	}
	return true;
}

/* Returns false if there are diagnostics. */
static bool compile_one(struct compile *comp, struct compile_prog *p)
{
	comp->diags.program = &p->src;
	if (!libs_load_for(comp, &p->src))
		return false;
	p->program = lang_compile(comp->plan->env.lang, &p->src, p->spec);
	if (p->program)
		p->nmatched = count_matched(p->program);
	return p->program != NULL;
}

bool compile_program(struct compile *comp, struct compile_prog *p)
{
	bool ok;

	if (!preprocess(comp, p))
		return false;
	compile_env(comp);
	if (compile_one(comp, p) && comp->diags.n == 0)
		lang_check_operands(comp->plan->env.lang, &p->src);
	print_diags(comp);
	ok = comp->diags.n == 0;
	comp->diags.n = 0;
	return ok;
}

bool compile_programs(struct compile *comp)
{
	if (!compile_open(comp))
		return false;
	if (comp->checks_libs && !comp->progs.n)
		libs_check_all(comp);
	for (unsigned int i = 0; i < comp->progs.n; i++) {
		if (!preprocess(comp, comp->progs.a[i]))
			return false;
		if (!compile_one(comp, comp->progs.a[i]))
			break;
	}
	if (comp->progs.n && comp->diags.n == 0)
		lang_check_operands(comp->plan->env.lang, &vec_last(&comp->progs)->src);
	print_diags(comp);
	return comp->diags.n == 0 && store_types(comp, OPT_ctypes, true) &&
	       store_types(comp, OPT_dtypes, false);
}

/* Reports an action that this system, or this buffer policy, does not have. */
static bool check_action(const struct compile *comp, const char *program, const struct expr *call)
{
	const struct builtin_act *act = call->ident->row->impl;

	if (!act)
		report_error(comp->report,
			     "failed to enable '%s': this kernel does not support %s()", program,
			     call->name);
	else if (act->use.ring && buffer_policy(comp->opts) != PLAN_RING)
		report_error(comp->report, "failed to enable '%s': %s() needs -x bufpolicy=ring",
			     program, call->name);
	else
		return true;
	return false;
}

static bool check_part(struct compile *comp, const char *program, const struct part *p)
{
	if (p->has_destructive && !comp->opts->num[OPT_destructive]) {
		report_error(comp->report, "failed to enable '%s': %s", program,
			     msg_reason(MSG_REASON_DESTRUCTIVE));
		return false;
	}
	for (const struct stmt *st = p->stmts; st; st = st->next)
		if (st->kind == STMT_EXPR && st->expr->kind == EXPR_CALL &&
		    st->expr->ident->kind == IDENT_ACTION && !check_action(comp, program, st->expr))
			return false;
	return true;
}

/* A destructive action is reported for the whole program, when the program is enabled. */
bool compile_check_actions(struct compile *comp, unsigned int first)
{
	for (unsigned int i = first; i < comp->progs.n; i++)
		for (struct clause *c = comp->progs.a[i]->program->clauses; c; c = c->next)
			for (unsigned int k = 0; k < c->nparts; k++)
				if (!check_part(comp, comp->progs.a[i]->text, &c->parts[k]))
					return false;
	return true;
}
