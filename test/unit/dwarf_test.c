/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf_test.c: types of functions of this very program, by its debug information.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/intern.h"
#include "proc/dwarf.h"
#include "proc/proc.h"
#include "test.h"
#include "type/type.h"

struct t_inner {
	short s[2][3];
	unsigned int low : 3, high : 7;
};

struct t_missing;

struct t_outer {
	struct t_inner in;
	struct t_outer *next;
	void (*call)(int);
	union {
		long whole;
		char part;
	};
	enum { T_ONE = 1, T_LESS = -2 } which;
};

__attribute__((noipa, used)) static const struct t_outer *t_function(struct t_outer *o, uint32_t n,
								     struct t_missing *m, double d)
{
	return n && m && d > 0 ? o->next : NULL;
}

static struct arena *arena;
static struct types *ts;

static const char *text(const struct type *t)
{
	struct buf b = {0};
	const char *s;

	type_print(&b, t);
	s = arena_strdup(arena, buf_str(&b));
	buf_free(&b);
	return s;
}

static void check_member(struct type *t, const char *name, const char *type, uint64_t bit_off,
			 unsigned int bits)
{
	uint64_t off = 0;
	const struct type_member *m = type_member(ts, t, name, &off);

	CHECK(m != NULL);
	if (!m)
		return;
	CHECK_STR(text(m->type), type);
	CHECK_INT(off, bit_off);
	CHECK_INT(m->bits, bits);
}

static void check_outer(struct type *ptr)
{
	struct type *t = type_resolve(ts, type_base(ptr)->to), *in, *which;
	uint64_t off;

	CHECK(type_base(ptr)->is_userland);
	CHECK_INT(t->size, sizeof(struct t_outer));
	check_member(t, "in", "struct t_inner", 0, 0);
	check_member(t, "next", "userland struct t_outer *", offsetof(struct t_outer, next) * 8, 0);
	check_member(t, "part", "char", offsetof(struct t_outer, part) * 8, 0);
	CHECK(type_member(ts, t, "next", &off)->type == ptr);
	in = type_resolve(ts, type_member(ts, t, "in", &off)->type);
	check_member(in, "s", "short [2][3]", 0, 0);
	check_member(in, "low", "unsigned int", 96, 3);
	check_member(in, "high", "unsigned int", 99, 7);
	which = type_resolve(ts, type_member(ts, t, "which", &off)->type);
	CHECK(which->kind == TYPE_ENUM && which->nenums == 2);
	CHECK_STR(which->enums[1].name, "T_LESS");
	CHECK_INT(which->enums[1].value, -2);
}

/* Where the file has the function. */
static uint64_t address(struct procs *ps)
{
	struct proc *self = procs_get(ps, (uint32_t)getpid());
	uint64_t at = (uint64_t)(uintptr_t)t_function, addr = 0;

	for (unsigned int i = 0; i < self->maps.n; i++) {
		struct proc_map *m = &self->maps.a[i];

		if (at >= m->start && at < m->end)
			proc_vaddr(proc_object(ps, self, m), at - m->start + m->off, &addr);
	}
	return addr;
}

int main(void)
{
	struct dwarf *d = dwarf_open(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
	dwarf_list params = {0};
	struct intern *names;
	struct procs *ps;
	dwarf_ref result;

	arena = arena_new();
	names = intern_new(arena);
	ts = types_new(arena, names, NULL);
	ps = procs_new(arena);
	CHECK(d && dwarf_function(d, address(ps), &params, &result));
	CHECK_INT(params.n, 4);
	if (params.n == 4) {
		CHECK_STR(text(type_from_dwarf(ts, d, result)), "userland const struct t_outer *");
		CHECK_STR(text(type_from_dwarf(ts, d, params.a[1].type)), "uint32_t");
		CHECK_STR(text(type_from_dwarf(ts, d, params.a[2].type)),
			  "userland struct t_missing *");
		CHECK_INT(type_from_dwarf(ts, d, params.a[3].type)->kind, TYPE_FLOAT);
		check_outer(type_from_dwarf(ts, d, params.a[0].type));
	}
	params.n = 0;
	CHECK(d && !dwarf_function(d, 1, &params, &result));
	CHECK(!dwarf_open(open("/dev/null", O_RDONLY | O_CLOEXEC)));
	vec_free(&params);
	dwarf_close(d);
	procs_free(ps);
	types_free(ts);
	intern_free(names);
	arena_free(arena);
	return TEST_DONE();
}
