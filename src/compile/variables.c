/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * variables.c: types and variables of an object of the traced process ($target), as programs name
 * them: a.out`counter, (a.out`struct conn *)arg0, libc.so.6`environ.
 */
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "proc/gotable.h"
#include "proc/info.h"
#include "proc/proc.h"
#include "compile/compile.h"

#define GO_FIRST 18 /* versions 1.18 to 1.27 have known structures */
#define GO_LAST	 27

/* An object of the process. */
struct named_object {
	struct proc *proc;
	struct proc_map *map;
	const struct proc_object *object;
};

static bool find_map(struct compile *comp, const char *name, struct named_object *res)
{
	struct procs *procs = comp->plan->env.procs;

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

/* Returns false if the process has no such object.  Then the name may be a module of the kernel. */
static bool find_object(struct compile *comp, const char *name, struct named_object *res)
{
	*res = (struct named_object){
	    .proc = comp->target ? procs_get(comp->plan->env.procs, (uint32_t)comp->target) : NULL};
	if (!res->proc)
		return false;
	return find_map(comp, name, res) ||
	       (proc_read(res->proc) == 0 && find_map(comp, name, res));
}

static struct info *info_of(struct compile *comp, const struct named_object *o)
{
	return proc_info(comp->plan->env.procs, o->object,
			 proc_file(comp->plan->env.procs, o->proc, o->map));
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
		*res = type_from_info(comp->plan->env.types, in, ref);
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
		res->why = "a.out needs a process (-c or -p)";
		return true;
	}
	if (!find_object(comp, object, &o))
		return false;
	sym = proc_data_named(comp->plan->env.procs, o.object, name, &is_ambiguous);
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
		res->type = type_from_info(comp->plan->env.types, in, type);
	return true;
}

/* ---- goroutines ---- */

/*
 * Returns offsets from runtime2.go of each version: goid in a g, and curg in an m.  Go 1.23 added a
 * word before goid.  Go 1.25 removed a word before each.
 */
static uint32_t goroutine_places(int version)
{
	uint32_t goid = version == 23 || version == 24 ? 160 : 152;
	uint32_t curg = version >= 25 ? 184 : 192;

	return goid | curg << 16;
}

static int go_version(const struct named_object *o)
{
	int fd = proc_open(o->proc, o->map), res = -1;
	struct image im;

	if (fd < 0)
		return -1;
	if (image_read(&im, fd))
		res = gotable_version(&im);
	image_free(&im);
	close(fd);
	return res;
}

const char *compile_goroutine(void *ctx, struct lang_goroutine *res)
{
	struct compile *comp = ctx;
	struct named_object o;
	int version;

	if (!arch_native->thread_pointer || arch_native->machine != EM_X86_64)
		return "goroutines are supported on x86-64 only";
	if (!find_object(comp, "a.out", &o) || !o.object->is_go)
		return "no process (-c or -p) runs a Go program";
	version = go_version(&o);
	if (version < GO_FIRST || version > GO_LAST)
		return arena_printf(comp->arena,
				    "this version of Go is not supported (1.%d to 1.%d are)",
				    GO_FIRST, GO_LAST);
	*res = (struct lang_goroutine){(uint32_t)comp->target, goroutine_places(version)};
	return NULL;
}
