/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source_test.c: this program, whose debug information says which function was inlined where.
 */
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "proc/proc.h"
#include "proc/reader.h"
#include "test.h"

static const char *place;

/* The call is in front of the return address. */
static __attribute__((noipa)) void note(void)
{
	place = (const char *)__builtin_return_address(0) - 1;
}

static inline __attribute__((always_inline)) void inner(void)
{
	note();
	__asm__ volatile("");
}
enum { INNER_LINE = __LINE__ - 3 };

static __attribute__((noipa)) void outer(void)
{
	inner();
	__asm__ volatile("");
}
enum { OUTER_LINE = __LINE__ - 3 };

static bool is_here(const struct reader_place *p, int line)
{
	return p->file && strstr(p->file, "source_test.c") && p->line == line;
}

static void asked(struct procs *ps, struct proc *p, struct proc_map *m)
{
	const struct proc_object *o = proc_object(ps, p, m);
	const struct reader_place *at;
	uint64_t vaddr = 0;
	unsigned int n;

	CHECK(o->reader != NULL);
	CHECK(proc_vaddr(o, (uint64_t)(uintptr_t)place - m->start + m->off, &vaddr));
	for (unsigned int i = 0; o->reader && i < 2; i++) {
		at = reader_places(o->reader, vaddr, &n);
		CHECK_INT(n, 2);
		if (n != 2)
			return;
		CHECK_STR(at[0].func, "inner");
		CHECK(is_here(&at[0], INNER_LINE));
		CHECK(!at[1].func && is_here(&at[1], OUTER_LINE));
	}
	reader_places(o->reader, 1, &n);
	CHECK_INT(n, 0);
}

int main(void)
{
	struct arena *a = arena_new();
	struct procs *ps = procs_new(a);
	struct proc *p = procs_get(ps, (uint32_t)getpid());

	procs_set_source(ps, true);
	outer();
	for (unsigned int i = 0; i < p->maps.n; i++)
		if (proc_is_exe(p, &p->maps.a[i]))
			asked(ps, p, &p->maps.a[i]);
	procs_free(ps);
	arena_free(a);
	return TEST_DONE();
}
