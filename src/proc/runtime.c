/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runtime.c: the list of runtimes.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

#include "base/buf.h"
#include "base/mem.h"
#include "proc/proc.h"
#include "proc/runtime.h"

static const struct runtime *const runtimes[] = {&runtime_python, &runtime_php, &runtime_perl,
						 &runtime_ruby,	  &runtime_v8,	&runtime_hotspot};

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

uint64_t runtime_content(uint64_t number, const char *text)
{
	uint64_t part[ABI_CONTENT_WORDS];
	const size_t size = sizeof(part) - 1;

	for (unsigned int i = 0; i < ABI_CONTENT_PARTS; i++) {
		size_t n = strnlen(text, size);

		memset(part, 0, sizeof(part));
		memcpy(part, text, n);
		number = abi_mix_words(number, part, ABI_CONTENT_WORDS);
		if (n < size)
			break;
		text += size;
	}
	return number;
}

bool runtime_unknown(struct runtime_layout *l, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(l->unknown, sizeof(l->unknown), fmt, args);
	va_end(args);
	buf_clean(l->unknown);
	return false;
}

static bool may_be(const struct runtime *r, const struct proc_map *m, bool only_native)
{
	const char *slash = strrchr(m->path, '/');

	if (only_native && !r->code)
		return false;
	return !r->library || strcmp(slash ? slash + 1 : m->path, r->library) == 0;
}

static bool find_in(struct procs *ps, struct proc *p, struct proc_map *m, bool only_native,
		    struct runtime_layout *l)
{
	for (unsigned int i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++) {
		struct runtime_layout new = {.runtime = runtimes[i]};
		const struct proc_object *o;
		uint64_t start;

		if (!may_be(runtimes[i], m, only_native))
			continue;
		o = proc_object(ps, p, m);
		if (!proc_vaddr(o, m->off, &start))
			return false;
		if (l->runtime == runtimes[i])
			new = *l;
		if (!runtimes[i]->find(p->pid, o, m->start - start, &new)) {
			if (*new.unknown)
				memcpy(l->unknown, new.unknown, sizeof(l->unknown));
			continue;
		}
		*l = new;
		return true;
	}
	return false;
}

bool runtime_find(struct procs *ps, struct proc *p, bool only_native, struct runtime_layout *l)
{
	/* The last mapping is the valid one. */
	for (unsigned int i = p->maps.n; i-- > 0;)
		if (find_in(ps, p, &p->maps.a[i], only_native, l))
			return true;
	return false;
}

unsigned int runtime_places(const struct runtime_code *c, uint32_t at, struct runtime_place *to,
			    unsigned int max)
{
	if (!max)
		return 0;
	if (c->runtime->places)
		return c->runtime->places(c, at, to, max);
	*to = (struct runtime_place){c->file, c->func, c->file ? c->runtime->line(c, at) : 0};
	return 1;
}

void runtime_code_free(struct runtime_code *c)
{
	if (!c)
		return;
	mem_free(c->file);
	mem_free(c->func);
	mem_free(c->lines);
	for (unsigned int i = 0; i < c->ninlined; i++)
		runtime_code_free(c->inlined[i]);
	mem_free(c->inlined);
	mem_free(c);
}
