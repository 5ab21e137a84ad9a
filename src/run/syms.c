/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syms.c: addresses to names for the consumer: the kernel's from kern/, those of processes from
 * proc/.  The mappings of a process are read when it is first met or asked for, and again when an
 * address is in none of them.  Later ones come before older ones, of an address space that exec()
 * has left.
 */
#include <errno.h>

#include "base/arena.h"
#include "base/map.h"
#include "kern/kern.h"
#include "proc/proc.h"
#include "run/consume.h"
#include "run/unwind.h"
#include "run/watch.h"

/* The symbols are read as well: the files may be reached through the process only. */
void syms_meet(struct consume *co, uint32_t pid, uint64_t mm)
{
	struct proc *p;

	/* What it has mapped may be known, but not read here yet. */
	if (co->watch)
		watch_read(co->watch);
	p = procs_get(co->plan->procs, pid);
	if (!p)
		return;
	proc_read(p);
	for (unsigned int i = 0; i < p->maps.n; i++)
		proc_object(co->plan->procs, p, &p->maps.a[i]);
	unwind_meet(co, p, mm);
}

static struct proc_map *find_mapping(const struct proc *p, uint64_t addr)
{
	for (unsigned int i = p->maps.n; i-- > 0;)
		if (addr >= p->maps.a[i].start && addr < p->maps.a[i].end)
			return &p->maps.a[i];
	return NULL;
}

static int usym(void *ctx, uint32_t pid, uint64_t addr, struct out_sym *res)
{
	struct consume *co = ctx;
	struct proc *p = procs_get(co->plan->procs, pid);
	struct proc_map *m = p ? find_mapping(p, addr) : NULL;
	const struct proc_sym *sym = NULL;
	const struct proc_object *o;
	uint64_t vaddr;

	if (addr == ABI_FRAME_LOST) {
		*res = (struct out_sym){.text = "(not unwound)"};
		return 0;
	}
	if (p && !m) {
		proc_read_again(p);
		m = find_mapping(p, addr);
	}
	if (!m)
		return -ENOENT;
	o = proc_object(co->plan->procs, p, m);
	*res = (struct out_sym){.module = o->base, .mapped = addr - m->start};
	if (proc_vaddr(o, addr - m->start + m->off, &vaddr))
		sym = proc_sym_at(o, vaddr);
	if (sym) {
		res->name = proc_source_name(co->plan->procs, sym->name);
		res->offset = vaddr - sym->addr;
	}
	return 0;
}

static int ksym(void *ctx, uint64_t addr, struct out_sym *res)
{
	struct consume *co = ctx;
	struct kern_sym sym;

	if (!kern_sym_by_addr(co->plan->kern, addr, &sym))
		return -ENOENT;
	*res = (struct out_sym){.module = sym.module, .name = sym.name, .offset = addr - sym.addr};
	return 0;
}

const struct out_symtab syms_table = {.ksym = ksym, .usym = usym};

/* One address for all of a module, so that keys of one module are equal: the first one seen. */
uint64_t syms_module_addr(struct consume *co, const char *module, uint64_t addr)
{
	uint64_t *first = map_get_str(co->modules, module);

	if (!first) {
		first = arena_new_obj(co->arena, uint64_t);
		*first = addr;
		map_set_str(co->modules, module, first);
	}
	return *first;
}
