/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * variables.c: types and variables that programs name by an object of the traced process ($target):
 * a.out`counter, (a.out`struct conn *)arg0, libc.so.6`environ.
 */
#include <string.h>

#include "base/arena.h"
#include "proc/info.h"
#include "proc/proc.h"
#include "run/compile.h"

/* An object of the process. */
struct named_object {
	struct proc *proc;
	struct proc_map *map;
	const struct proc_object *object;
};

static bool find_map(struct compile *comp, const char *name, struct named_object *res)
{
	struct procs *procs = comp->plan->procs;

	for (unsigned int i = 0; i < res->proc->maps.n; i++) {
		struct proc_map *m = &res->proc->maps.a[i];
		const struct proc_object *o = proc_object(procs, res->proc, m);

		if (!o->is_native ||
		    !probe_mod_glob(name, o->base,
				    proc_is_exe(res->proc, m) ? MOD_PROGRAM : MOD_LIBRARY))
			continue;
		res->map = m;
		res->object = o;
		return true;
	}
	return false;
}

/* A kernel has no module of the name a.out, so that a process without such an object is an error.
 */
static bool find_object(struct compile *comp, const char *name, struct named_object *res)
{
	*res = (struct named_object){
	    .proc = comp->target ? procs_get(comp->plan->procs, (uint32_t)comp->target) : NULL};
	if (!res->proc)
		return false;
	return find_map(comp, name, res) ||
	       (proc_read(res->proc) == 0 && find_map(comp, name, res));
}

static struct info *info_of(struct compile *comp, const struct named_object *o)
{
	return proc_info(comp->plan->procs, o->object,
			 proc_file(comp->plan->procs, o->proc, o->map));
}

bool compile_object_type(void *ctx, const char *object, const char *name, struct type **res)
{
	struct compile *comp = ctx;
	bool is_ambiguous = false;
	struct named_object o;
	struct info *in;
	info_ref ref;

	*res = NULL;
	if (!find_object(comp, object, &o))
		return false;
	in = info_of(comp, &o);
	ref = in ? info_find(in, name, &is_ambiguous) : 0;
	if (ref)
		*res = type_from_info(comp->plan->types, in, ref);
	else if (is_ambiguous)
		report_error(comp->report, "%s has several types %s, which differ", object, name);
	return true;
}

bool compile_object_symbol(void *ctx, const char *object, const char *name, struct lang_usym *res)
{
	struct compile *comp = ctx;
	const struct proc_sym *sym;
	struct named_object o;
	bool is_ambiguous;
	struct info *in;
	info_ref type;

	*res = (struct lang_usym){.pid = (uint32_t)comp->target};
	if (!comp->target && strcmp(object, "a.out") == 0) {
		res->why = "a.out is the program of a process (-c or -p)";
		return true;
	}
	if (!find_object(comp, object, &o))
		return false;
	sym = proc_data_named(comp->plan->procs, o.object, name, &is_ambiguous);
	if (sym)
		res->addr = proc_data_addr(o.object, o.map, sym->addr);
	if (!res->addr) {
		res->why = arena_printf(comp->arena,
					is_ambiguous ? "%s has several variables %s"
						     : "%s has no variable %s in memory",
					object, name);
		return true;
	}
	in = info_of(comp, &o);
	if (in && info_variable(in, sym->addr, sym->name, &type) && type)
		res->type = type_from_info(comp->plan->types, in, type);
	return true;
}
