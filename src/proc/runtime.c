/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runtime.c: the list of runtimes.
 */
#include <sys/uio.h>

#include "base/mem.h"
#include "proc/proc.h"
#include "proc/runtime.h"

static const struct runtime *const runtimes[] = {&runtime_python, &runtime_php, &runtime_perl,
						 &runtime_ruby};

bool runtime_read(uint32_t pid, uint64_t addr, void *to, size_t size)
{
	struct iovec here = {to, size}, there = {(void *)(uintptr_t)addr, size};

	return process_vm_readv((pid_t)pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

uint64_t runtime_pointer(uint32_t pid, uint64_t addr)
{
	uint64_t p = 0;

	return runtime_read(pid, addr, &p, sizeof(p)) ? p : 0;
}

bool runtime_find(struct procs *ps, struct proc *p, struct runtime_layout *l)
{
	/* The last mapping is the valid one. */
	for (unsigned int i = p->maps.n; i-- > 0;) {
		struct proc_map *m = &p->maps.a[i];
		const struct proc_object *o = proc_object(ps, p, m);
		uint64_t start;

		if (!proc_vaddr(o, m->off, &start))
			continue;
		for (unsigned int k = 0; k < sizeof(runtimes) / sizeof(runtimes[0]); k++) {
			*l = (struct runtime_layout){.runtime = runtimes[k]};
			if (runtimes[k]->find(p->pid, o, m->start - start, l))
				return true;
		}
	}
	return false;
}

void runtime_code_free(struct runtime_code *c)
{
	if (!c)
		return;
	mem_free(c->file);
	mem_free(c->func);
	mem_free(c->lines);
	mem_free(c);
}
