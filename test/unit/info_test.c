/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * info_test.c: types of functions of this program, from its debug information; and from BTF that is
 * made here, right and wrong.
 */
#include <bpf/btf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/intern.h"
#include "elf_file.h"
#include "proc/debug.h"
#include "proc/info_priv.h"
#include "proc/proc.h"
#include "test.h"
#include "type/type.h"

struct t_inner {
	short s[2][3];
	unsigned int low : 3, high : 7;
};

struct t_missing;
union t_gone;
typedef unsigned int t_number;

struct t_outer {
	struct t_inner in;
	struct t_outer *next;
	void (*call)(int);
	union {
		long whole;
		char part;
	};
	enum { T_ONE = 1, T_LESS = -2 } which;
	enum { T_NONE, T_ALL = 0xffffffffU } many;
	volatile int changes;
	const volatile t_number both;
	void *any;
	union t_gone *gone;
	_Bool yes;
	float real;
	size_t size;
	unsigned __int128 huge;
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
	check_member(t, "call", "userland void (*)(...)", offsetof(struct t_outer, call) * 8, 0);
	check_member(t, "changes", "volatile int", offsetof(struct t_outer, changes) * 8, 0);
	check_member(t, "both", "const volatile t_number", offsetof(struct t_outer, both) * 8, 0);
	check_member(t, "any", "userland void *", offsetof(struct t_outer, any) * 8, 0);
	check_member(t, "gone", "userland union t_gone *", offsetof(struct t_outer, gone) * 8, 0);
	check_member(t, "yes", "_Bool", offsetof(struct t_outer, yes) * 8, 0);
	check_member(t, "real", "float", offsetof(struct t_outer, real) * 8, 0);
	check_member(t, "size", "size_t", offsetof(struct t_outer, size) * 8, 0);
	check_member(t, "huge", "__int128 unsigned", offsetof(struct t_outer, huge) * 8, 0);
	CHECK_INT(type_member(ts, t, "huge", &off)->type->size, 16);
	CHECK_INT(type_member(ts, t, "real", &off)->type->align, 4);
	in = type_resolve(ts, type_member(ts, t, "in", &off)->type);
	check_member(in, "s", "short [2][3]", 0, 0);
	check_member(in, "low", "unsigned int", 96, 3);
	check_member(in, "high", "unsigned int", 99, 7);
	which = type_resolve(ts, type_member(ts, t, "which", &off)->type);
	CHECK(which->kind == TYPE_ENUM && which->nenums == 2);
	CHECK_STR(which->enums[1].name, "T_LESS");
	CHECK_INT(which->enums[1].value, -2);
	CHECK(which->is_signed);
	CHECK(!type_resolve(ts, type_member(ts, t, "many", &off)->type)->is_signed);
}

/* Returns the address of the function in the file. */
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

/* ---- BTF ---- */

/* Makes BTF of NAME(struct s *, ...); the structure has a bit-field and refers to itself. */
static struct btf *make_btf(const char *name, const char *param)
{
	struct btf *btf = btf__new_empty();
	int number = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	int s = btf__add_struct(btf, param, 16);

	btf__add_field(btf, "bits", number, 3, 5);
	btf__add_field(btf, "next", s + 1, 64, 0);
	btf__add_ptr(btf, s);
	btf__add_func_proto(btf, number);
	btf__add_func_param(btf, "o", s + 1);
	btf__add_func_param(btf, NULL, 0);
	btf__add_func(btf, name, BTF_FUNC_STATIC, s + 2);
	return btf;
}

static void add_part(struct buf *to, const char *name, const char *param)
{
	struct btf *btf = make_btf(name, param);
	uint32_t n;
	const void *data = btf__raw_data(btf, &n);

	buf_add(to, data, n);
	btf__free(btf);
}

/* Returns the types of the result and of the parameter's target; NULL if unknown. */
static const char *prototype(struct btf_info *in, const char *name)
{
	struct info_type result = {0}, ptr = {0}, s = {0};
	struct info_function f = {.language = INFO_C};
	const char *res = NULL;

	if (btf_info_function(in, name, &f)) {
		btf_info_type(in, f.results.a[0], &result);
		btf_info_type(in, f.params.a[0].type, &ptr);
		btf_info_type(in, ptr.to, &s);
		res = arena_printf(arena, "%s %u %s", result.name, f.params.n, s.name);
	}
	info_function_free(&f);
	return res ? res : "none";
}

static void check_parts(void)
{
	struct buf b = {0};
	struct btf_info *in;

	add_part(&b, "first", "s");
	add_part(&b, "other", "odd");
	add_part(&b, "other", "odd");
	add_part(&b, "both", "one");
	add_part(&b, "both", "another");
	in = btf_info_open(b.s, b.n);
	CHECK_STR(prototype(in, "first"), "int 1 s");
	CHECK_STR(prototype(in, "other"), "int 1 odd");
	CHECK_STR(prototype(in, "both"), "none");
	CHECK_STR(prototype(in, "missing"), "none");
	btf_info_close(in);
	buf_free(&b);
}

/* Whatever the BTF contains, reading it ends, and stays inside (which sanitizers check). */
static void check_hostile(void)
{
	struct buf b = {0};

	add_part(&b, "first", "s");
	for (size_t i = 0; i < b.n * 2; i++) {
		unsigned char was = (unsigned char)b.s[i / 2];
		struct btf_info *in;
		struct info_type t = {0};
		struct info_function f = {.language = INFO_C};
		info_list list = {0};

		b.s[i / 2] = (char)(i % 2 ? was ^ 0x80 : was + 1);
		in = btf_info_open(b.s, b.n);
		for (uint32_t id = 0; in && id < 8; id++) {
			btf_info_type(in, id, &t);
			btf_info_members(in, id, &list);
		}
		if (in)
			btf_info_function(in, "first", &f);
		for (unsigned int j = 0; in && j < f.params.n; j++)
			btf_info_type(in, f.params.a[j].type, &t);
		info_function_free(&f);
		for (unsigned int j = 0; j < list.n; j++)
			btf_info_type(in, list.a[j].type, &t);
		btf_info_close(in);
		vec_free(&list);
		b.s[i / 2] = (char)was;
	}
	for (size_t n = 0; n < b.n; n++)
		CHECK(!btf_info_open(b.s, n));
	buf_free(&b);
}

/* ---- types of a file that is wrong ---- */

/* Returns the type as text, and the names of its members. */
static const char *whole(struct info *in, int id)
{
	struct type *t = type_resolve(ts, type_from_info(ts, in, (info_ref)id));
	struct buf b = {0};
	const char *s;

	type_print(&b, t);
	for (unsigned int i = 0; type_is_sou(t) && i < t->nmembers; i++)
		buf_printf(&b, " %s", t->members[i].name ? t->members[i].name : "-");
	s = arena_strdup(arena, buf_str(&b));
	buf_free(&b);
	return s;
}

static struct info *open_btf(const struct btf *btf)
{
	struct debug_dir dir = {.path = ""};
	uint32_t n;
	const void *data = btf__raw_data(btf, &n);

	return info_open(elf_file(&(struct elf_part){".BTF", SHT_PROGBITS, data, n}, 1), "", &dir);
}

static void set_size(struct btf *btf, int id, uint32_t size)
{
	((struct btf_type *)btf__type_by_id(btf, (uint32_t)id))->size = size;
}

static int add_int(struct btf *btf, const char *name, uint32_t size)
{
	int id = btf__add_int(btf, name, 4, BTF_INT_SIGNED);

	set_size(btf, id, size);
	return id;
}

static int add_enum(struct btf *btf, const char *name, uint32_t size)
{
	int id = btf__add_enum(btf, name, 4);

	set_size(btf, id, size);
	return id;
}

/* Members that do not fit into their structure are left out. */
static void check_fits(void)
{
	struct btf *btf = btf__new_empty();
	int number = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	int wide = btf__add_int(btf, "long", 8, BTF_INT_SIGNED), real = btf__add_float(btf, "r", 8);
	int color = btf__add_enum(btf, "color", 4), list = btf__add_array(btf, number, number, 0);
	int s = btf__add_struct(btf, "s", 16), empty;
	struct info *in;

	btf__add_field(btf, "first", number, 0, 0);
	btf__add_field(btf, "last", number, 96, 0);
	btf__add_field(btf, "over", number, 97, 0);
	btf__add_field(btf, "behind", number, 128, 0);
	btf__add_field(btf, "far", number, 160, 0);
	btf__add_field(btf, "long", wide, 64, 0);
	btf__add_field(btf, "longer", wide, 72, 0);
	btf__add_field(btf, "bits", number, 96, 32);
	btf__add_field(btf, "more", number, 64, 33);
	btf__add_field(btf, "end", number, 127, 1);
	btf__add_field(btf, "after", number, 127, 2);
	btf__add_field(btf, "color", color, 64, 3);
	btf__add_field(btf, "real", real, 0, 8);
	btf__add_field(btf, NULL, number, 32, 0);
	btf__add_field(btf, "list", list, 128, 0);
	empty = btf__add_struct(btf, "empty", 0);
	btf__add_field(btf, "x", number, 0, 0);
	in = open_btf(btf);
	CHECK_STR(whole(in, s), "struct s first last long bits end color - list");
	CHECK_STR(whole(in, empty), "struct empty");
	info_close(in);
	btf__free(btf);
}

/* No structure is inside itself.  The search for one ends, and refuses a member in doubt. */
static void check_inside(void)
{
	struct btf *btf = btf__new_empty();
	int number = btf__add_int(btf, "int", 4, BTF_INT_SIGNED), many, own, arr, part, wrap, u[12];
	struct info *in;

	own = btf__add_struct(btf, "own", 16);
	btf__add_field(btf, "x", number, 0, 0);
	btf__add_field(btf, "itself", own, 0, 0);
	btf__add_field(btf, "several", own + 1, 0, 0);
	btf__add_field(btf, "part", own + 2, 0, 0);
	btf__add_field(btf, "next", own + 3, 64, 0);
	btf__add_field(btf, "y", number, 32, 0);
	arr = btf__add_array(btf, number, own, 1);
	part = btf__add_union(btf, "part", 16);
	btf__add_field(btf, "z", number, 0, 0);
	btf__add_field(btf, "owner", own, 0, 0);
	btf__add_ptr(btf, own);
	many = btf__add_struct(btf, "many", 4800);
	for (unsigned int i = 0; i < 1200; i++)
		btf__add_field(btf, NULL, number, i * 32, 0);
	wrap = btf__add_struct(btf, "wrap", 4800);
	btf__add_field(btf, "many", many, 0, 0);
	u[0] = btf__add_union(btf, "u0", 16);
	btf__add_field(btf, "x", number, 0, 0);
	for (int i = 1; i < 12; i++) {
		u[i] = btf__add_union(btf, arena_printf(arena, "u%d", i), 16);
		btf__add_field(btf, "a", u[i - 1], 0, 0);
		btf__add_field(btf, "b", u[i - 1], 0, 0);
	}
	in = open_btf(btf);
	CHECK_INT(arr, own + 1);
	CHECK_INT(part, own + 2);
	CHECK_STR(whole(in, own), "struct own x next y");
	CHECK_STR(whole(in, part), "union part z owner");
	CHECK_STR(whole(in, wrap), "struct wrap many");
	CHECK_STR(whole(in, u[9]), "union u9 a b");
	CHECK_STR(whole(in, u[10]), "union u10");
	CHECK_STR(whole(in, u[11]), "union u11 a b");
	info_close(in);
	btf__free(btf);
}

/* Follows n pointers. */
static const char *target(struct info *in, int id, unsigned int n)
{
	struct type *t = type_from_info(ts, in, (info_ref)id);

	while (n-- && type_base(t)->kind == TYPE_PTR)
		t = type_base(t)->to;
	return text(t);
}

/* Numbers have sizes of the processor, arrays a limit; names decide which types are one. */
static void check_sizes(void)
{
	struct btf *btf = btf__new_empty();
	int number = btf__add_int(btf, "int", 4, BTF_INT_SIGNED), p;
	int wide = btf__add_int(btf, "unsigned long", 8, 0);
	int same = btf__add_struct(btf, "same", 8), again = btf__add_struct(btf, "same", 8);
	int larger = btf__add_struct(btf, "same", 16), other = btf__add_union(btf, "same", 8);
	int none = btf__add_struct(btf, NULL, 8), none_2 = btf__add_struct(btf, NULL, 8);
	const struct {
		int id;
		const char *want;
	} list[] = {
	    {number, "int"},
	    {add_int(btf, "tiny", 1), "char"},
	    {add_int(btf, "huge", 16), "huge"},
	    {add_int(btf, "odd", 3), "void"},
	    {add_int(btf, "none", 0), "void"},
	    {add_int(btf, "large", 32), "void"},
	    {add_enum(btf, "e1", 1), "enum e1"},
	    {add_enum(btf, "e8", 8), "enum e8"},
	    {add_enum(btf, "e6", 6), "void"},
	    {add_enum(btf, "e16", 16), "void"},
	    {btf__add_float(btf, "f2", 2), "void"},
	    {btf__add_float(btf, "f4", 4), "f4"},
	    {btf__add_float(btf, "f12", 12), "void"},
	    {btf__add_float(btf, "f16", 16), "f16"},
	    {btf__add_array(btf, number, number, 1 << 22), "int [4194304]"},
	    {btf__add_array(btf, number, number, (1 << 22) + 1), "int [0]"},
	    {btf__add_array(btf, number, 0, 5), "void [0]"},
	    {btf__add_typedef(btf, "uint64_t", wide), "uint64_t"},
	    {btf__add_typedef(btf, "uint32_t", wide), "uint32_t"},
	    {btf__add_typedef(btf, "pid_t", same), "pid_t"},
	    {btf__add_fwd(btf, "far", BTF_FWD_UNION), "union far"},
	    {btf__add_volatile(btf, btf__add_const(btf, number)), "const volatile int"},
	    {btf__add_restrict(btf, number), "int"},
	};
	struct type *t;
	struct info *in, *deeper; /* twice, because types are kept */

	p = btf__add_ptr(btf, number);
	for (int i = 1; i < 512; i++)
		btf__add_ptr(btf, p + i - 1);
	in = open_btf(btf);
	deeper = open_btf(btf);
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		CHECK_STR(text(type_from_info(ts, in, (info_ref)list[i].id)), list[i].want);
	CHECK(type_from_info(ts, in, (info_ref)same) == type_from_info(ts, in, (info_ref)again));
	CHECK(type_from_info(ts, in, (info_ref)same) != type_from_info(ts, in, (info_ref)larger));
	CHECK(type_from_info(ts, in, (info_ref)same) != type_from_info(ts, in, (info_ref)other));
	CHECK(type_from_info(ts, in, (info_ref)none) != type_from_info(ts, in, (info_ref)none_2));
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if ((t = type_from_info(ts, in, (info_ref)list[i].id))->kind == TYPE_ENUM)
			CHECK(t->align == t->size && t->is_signed);
	t = type_from_info(ts, in, (info_ref)same);
	CHECK(!t->align && !t->is_signed);
	CHECK_STR(target(in, p + 510, 511), "int");
	CHECK_STR(target(deeper, p + 511, 512), "void");
	info_close(deeper);
	info_close(in);
	btf__free(btf);
}

int main(void)
{
	struct debug_dir dir = {.path = ""};
	struct info *d = info_open(open("/proc/self/exe", O_RDONLY | O_CLOEXEC), "", &dir);
	struct info_function f;
	struct intern *names;
	struct procs *ps;

	arena = arena_new();
	names = intern_new(arena);
	ts = types_new(arena, names, NULL);
	ps = procs_new(arena);
	CHECK(d && info_function(d, address(ps), "t_function", &f));
	CHECK_INT(f.params.n, 4);
	CHECK_INT(f.results.n, 1);
	if (f.params.n == 4 && f.results.n) {
		CHECK_STR(text(type_from_info(ts, d, f.results.a[0])),
			  "userland const struct t_outer *");
		CHECK_STR(text(type_from_info(ts, d, f.params.a[1].type)), "uint32_t");
		CHECK_STR(text(type_from_info(ts, d, f.params.a[2].type)),
			  "userland struct t_missing *");
		CHECK_INT(type_from_info(ts, d, f.params.a[3].type)->kind, TYPE_FLOAT);
		check_outer(type_from_info(ts, d, f.params.a[0].type));
	}
	info_function_free(&f);
	CHECK(d && !info_function(d, 1, "no", &f));
	info_function_free(&f);
	CHECK(!info_open(open("/dev/null", O_RDONLY | O_CLOEXEC), "", &dir));
	info_close(d);
	check_parts();
	check_hostile();
	check_fits();
	check_inside();
	check_sizes();
	procs_free(ps);
	types_free(ts);
	intern_free(names);
	arena_free(arena);
	return TEST_DONE();
}
