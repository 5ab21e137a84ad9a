/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * type_test.c: built-in types, layout, conversions and printing; types from BTF that is made here;
 * kernel types if this kernel has BTF.
 */
#include <bpf/btf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/intern.h"
#include "kern/kern.h"
#include "sys/machine.h"
#include "test.h"
#include "type/type.h"

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

static struct type *named(const char *name)
{
	struct type *t = type_lookup(ts, name);

	CHECK(t != NULL);
	return t ? t : type_void(ts);
}

static void test_builtin(void)
{
	static const struct {
		const char *name;
		unsigned int size;
		bool is_signed;
		unsigned int rank;
	} list[] = {
	    {"char", 1, true, 1},
	    {"signed char", 1, true, 1},
	    {"unsigned char", 1, false, 1},
	    {"short", 2, true, 2},
	    {"short int", 2, true, 2},
	    {"signed short", 2, true, 2},
	    {"unsigned short", 2, false, 2},
	    {"short unsigned int", 2, false, 2},
	    {"int", 4, true, 3},
	    {"signed int", 4, true, 3},
	    {"signed", 4, true, 3},
	    {"unsigned int", 4, false, 3},
	    {"unsigned", 4, false, 3},
	    {"long", 8, true, 4},
	    {"long int", 8, true, 4},
	    {"signed long", 8, true, 4},
	    {"unsigned long", 8, false, 4},
	    {"long unsigned int", 8, false, 4},
	    {"long long", 8, true, 5},
	    {"long long int", 8, true, 5},
	    {"signed long long", 8, true, 5},
	    {"unsigned long long", 8, false, 5},
	    {"long long unsigned int", 8, false, 5},
	    {"_Bool", 1, false, 1},
	    {"int8_t", 1, true, 1},
	    {"uint16_t", 2, false, 2},
	    {"int64_t", 8, true, 4},
	    {"uint64_t", 8, false, 4},
	    {"uintptr_t", 8, false, 4},
	    {"pid_t", 4, true, 3},
	    {"zoneid_t", 4, false, 3},
	    {"ipaddr_t", 4, false, 3},
	    {"offset_t", 8, true, 5},
	    {"u_longlong_t", 8, false, 5},
	};
	static const struct {
		const char *name;
		unsigned int size, align;
	} floats[] = {
	    {"float", 4, 4},
	    {"double", 8, 8},
	    {"long double", 16, 16},
	    {"float _Complex", 8, 8},
	    {"double _Complex", 16, 16},
	    {"long double _Complex", 32, 16},
	    {"float _Imaginary", 4, 4},
	    {"double _Imaginary", 8, 8},
	    {"long double _Imaginary", 16, 16},
	};
	uint64_t off;

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		const struct type *t = type_base(named(list[i].name));

		CHECK_INT(t->kind, TYPE_INT);
		CHECK_INT(t->size, list[i].size);
		CHECK_INT(t->is_signed, list[i].is_signed);
		CHECK_INT(t->rank, list[i].rank);
		CHECK_INT(t->align, t->size);
		CHECK_INT(t->is_char, t->size == 1 && !t->is_bool);
	}
	for (size_t i = 0; i < sizeof(floats) / sizeof(floats[0]); i++) {
		const struct type *t = named(floats[i].name);

		CHECK_INT(t->kind, TYPE_FLOAT);
		CHECK_INT(t->size, floats[i].size);
		CHECK_INT(t->align, floats[i].align);
	}
	CHECK_STR(text(type_base(named("caddr_t"))), "char *");
	CHECK_INT(type_sizeof(ts, named("_symaddr")), 8);
	CHECK_INT(type_sizeof(ts, named("_usymaddr")), 16);
	CHECK_INT(type_sizeof(ts, named("in6_addr_t")), 16);
	CHECK_INT(type_sizeof(ts, named("struct timeval")), 16);
	CHECK(named("long unsigned int") == named("unsigned long"));
	CHECK(named("long long int") == named("long long"));
	CHECK(type_lookup(ts, "no_such_type") == NULL);
	CHECK_INT(type_sizeof(ts, type_string(ts)), 256);
	CHECK_INT(type_sizeof(ts, named("timestruc_t")), 16);
	CHECK(type_member(ts, named("timestruc_t"), "tv_sec", &off)->type->is_signed);
	CHECK(type_member(ts, named("timestruc_t"), "tv_nsec", &off)->type->is_signed);
	CHECK_INT(type_sizeof(ts, type_void(ts)), 0);
}

static void test_derived(void)
{
	struct type *i = type_int(ts, 4, true), *p = type_ptr(ts, i);

	CHECK(type_ptr(ts, i) == p);
	CHECK(type_array(ts, i, 3) == type_array(ts, i, 3));
	CHECK(type_array(ts, i, 3) != type_array(ts, i, 4));
	CHECK_INT(type_array(ts, i, 3)->size, 12);
	CHECK(type_userland(ts, p) == type_userland(ts, p));
	CHECK(type_userland(ts, p)->is_userland && !p->is_userland);
	CHECK_STR(text(p), "int *");
	CHECK_STR(text(type_ptr(ts, p)), "int **");
	CHECK_STR(text(type_array(ts, type_int(ts, 1, true), 16)), "char [16]");
	CHECK_STR(text(type_ptr(ts, type_array(ts, i, 2))), "int (*)[2]");
	CHECK_STR(text(type_array(ts, p, 2)), "int *[2]");
	CHECK_STR(text(type_userland(ts, p)), "userland int *");
	CHECK_STR(text(named("uint32_t")), "uint32_t");
}

static void test_qualified(void)
{
	struct type *i = type_int(ts, 4, true), *c = type_qualified(ts, i, TYPE_CONST);

	CHECK(type_qualified(ts, i, TYPE_CONST) == c);
	CHECK(type_qualified(ts, i, 0) == i);
	CHECK(type_qualified(ts, c, TYPE_CONST) == c);
	CHECK(type_base(c) == i && type_is_integer(c) && type_sizeof(ts, c) == 4);
	CHECK(type_compatible(ts, type_ptr(ts, c), type_ptr(ts, i)));
	CHECK(type_promote(ts, c, c) == i);
	CHECK_STR(text(c), "const int");
	CHECK_STR(text(type_qualified(ts, c, TYPE_VOLATILE)), "const volatile int");
	CHECK_STR(text(type_ptr(ts, c)), "const int *");
	CHECK_STR(text(type_qualified(ts, type_ptr(ts, c), TYPE_CONST)), "const int *const");
	CHECK_STR(text(type_ptr(ts, type_qualified(ts, type_ptr(ts, i), TYPE_CONST))),
		  "int *const *");
	CHECK_STR(text(type_qualified(ts, type_array(ts, i, 2), TYPE_VOLATILE)),
		  "volatile int [2]");
	CHECK_STR(text(type_userland(ts, type_ptr(ts, c))), "userland const int *");
}

static struct type *make_struct(const char *name, enum type_kind kind, unsigned int n, ...)
{
	struct type *t = type_new(ts, kind, name);
	va_list ap;

	t->nmembers = n;
	t->members = arena_new_arr(arena, struct type_member, n);
	va_start(ap, n);
	for (unsigned int i = 0; i < n; i++) {
		t->members[i].name = va_arg(ap, const char *);
		t->members[i].type = va_arg(ap, struct type *);
		t->members[i].bits = va_arg(ap, unsigned int);
	}
	va_end(ap);
	type_layout(ts, t);
	return t;
}

static void test_layout(void)
{
	struct type *i = type_int(ts, 4, true), *c = type_int(ts, 1, true),
		    *l = type_int(ts, 8, true);
	struct type *s = make_struct("s", TYPE_STRUCT, 3, "a", c, 0, "b", i, 0, "c", c, 0), *u, *b;
	const struct type_member *m;
	uint64_t off;

	CHECK_INT(s->size, 12);
	CHECK_INT(s->align, 4);
	CHECK_INT(s->members[1].bit_off, 32);
	u = make_struct("u", TYPE_UNION, 2, "i", i, 0, "l", l, 0);
	CHECK_INT(u->size, 8);
	CHECK_INT(u->members[1].bit_off, 0);
	b = make_struct("b", TYPE_STRUCT, 4, "x", i, 3, "y", i, 30, "z", c, 2, "w", c, 0);
	CHECK_INT(b->members[0].bit_off, 0);
	CHECK_INT(b->members[1].bit_off, 32);
	CHECK_INT(b->members[2].bit_off, 62);
	CHECK_INT(b->members[3].bit_off, 64);
	CHECK_INT(b->size, 12);
	s = make_struct("n", TYPE_STRUCT, 2, "a", i, 0, NULL, u, 0);
	m = type_member(ts, s, "l", &off);
	CHECK(m && m->type == l);
	CHECK_INT(off, 64);
	CHECK(type_member(ts, s, "nosuch", &off) == NULL);
	s = make_struct("t", TYPE_STRUCT, 2, "s", type_string(ts), 0, "i", i, 0);
	CHECK_INT(s->size, 260);
}

static struct type *make_enum(unsigned int size, bool is_signed)
{
	struct type *t = type_new(ts, TYPE_ENUM, "e");

	t->size = size;
	t->is_signed = is_signed;
	return t;
}

static void test_conversions(void)
{
	struct type *c = type_int(ts, 1, true), *i = type_int(ts, 4, true),
		    *u = type_int(ts, 4, false);
	struct type *l = type_int(ts, 8, true), *ul = type_int(ts, 8, false);
	struct type *v = type_ptr(ts, type_void(ts));

	CHECK(type_promote(ts, c, c) == c);
	CHECK(type_promote(ts, c, i) == i);
	CHECK(type_promote(ts, i, u) == u);
	CHECK(type_promote(ts, u, l) == l);
	CHECK(type_promote(ts, l, ul) == ul);
	CHECK(type_promote(ts, named("pid_t"), i) == named("pid_t"));
	CHECK(type_promote(ts, make_enum(1, false), c) == i);
	CHECK(type_promote(ts, make_enum(2, true), c) == i);
	CHECK(type_promote(ts, make_enum(4, true), u) == u);
	CHECK(type_promote(ts, make_enum(4, true), c) == i);
	CHECK(type_promote(ts, make_enum(4, false), i) == u);
	CHECK(type_promote(ts, make_enum(8, false), l) == ul);
	CHECK(type_compatible(ts, c, ul));
	CHECK(type_compatible(ts, v, type_ptr(ts, i)));
	CHECK(type_compatible(ts, type_ptr(ts, u), type_ptr(ts, i)));
	CHECK(!type_compatible(ts, type_ptr(ts, l), type_ptr(ts, i)));
	CHECK(!type_compatible(ts, i, v));
	CHECK(type_is_stringlike(type_ptr(ts, c)) && type_is_stringlike(type_array(ts, c, 4)));
	CHECK(type_is_stringlike(type_string(ts)) && !type_is_stringlike(type_ptr(ts, i)));
	CHECK(type_is_scalar(v) && !type_is_scalar(type_string(ts)));
}

static struct type *make_func(struct type *result, bool is_variadic, unsigned int n,
			      struct type *param)
{
	struct type *t = type_new(ts, TYPE_FUNC, NULL);

	t->to = result;
	t->is_variadic = is_variadic;
	t->nmembers = n;
	t->members = arena_new_arr(arena, struct type_member, n + 1);
	for (unsigned int i = 0; i < n; i++)
		t->members[i].type = param;
	return t;
}

/* Each type of the list is compatible with itself, and with no other type of the list. */
static void test_compatible(void)
{
	struct type *i = type_int(ts, 4, true), *l = type_int(ts, 8, true), *p = type_ptr(ts, i);
	struct type *s = make_struct("one", TYPE_STRUCT, 1, "a", i, 0);
	struct type *list[] = {i,
			       p,
			       type_ptr(ts, l),
			       type_ptr(ts, p),
			       type_string(ts),
			       type_void(ts),
			       named("float"),
			       named("double"),
			       type_array(ts, l, 2),
			       type_array(ts, l, 3),
			       type_array(ts, i, 2),
			       s,
			       type_ptr(ts, s),
			       make_struct("two", TYPE_STRUCT, 1, "a", i, 0),
			       make_struct("one", TYPE_UNION, 1, "a", i, 0),
			       make_struct(NULL, TYPE_STRUCT, 1, "a", i, 0),
			       make_func(i, false, 1, i),
			       make_func(p, false, 1, i),
			       make_func(i, true, 1, i),
			       make_func(i, false, 2, i),
			       make_func(i, false, 1, p)};
	struct type *again = make_struct("one", TYPE_STRUCT, 1, "b", l, 0);

	for (size_t x = 0; x < sizeof(list) / sizeof(list[0]); x++)
		for (size_t y = 0; y < sizeof(list) / sizeof(list[0]); y++)
			CHECK_INT(type_compatible(ts, list[x], list[y]), x == y);
	CHECK(type_compatible(ts, s, again));
	CHECK(type_compatible(ts, type_ptr(ts, s), type_ptr(ts, again)));
	CHECK(type_compatible(ts, make_func(i, true, 2, p), make_func(l, true, 2, p)));
	CHECK(!type_compatible(ts, make_struct(NULL, TYPE_STRUCT, 1, "a", i, 0), list[15]));
}

/* A member that is a structure of the kernel is aligned like the members of this structure. */
static void test_alignment(void)
{
	struct type *c = type_int(ts, 1, true), *s;

	s = make_struct("in6", TYPE_STRUCT, 2, "c", c, 0, "a", named("in6_addr_t"), 0);
	CHECK_INT(s->members[1].bit_off / 8, type_lookup(ts, "struct in6_addr") ? 4 : 1);
	if (!type_lookup(ts, "struct in6_addr")) {
		uint64_t off;
		const struct type *bytes =
		    type_member(ts, named("in6_addr_t"), "s6_addr", &off)->type;

		CHECK(bytes->nelem == 16 && !bytes->to->is_signed && bytes->to->size == 1);
	}
	if (type_lookup(ts, "uuid_t")) {
		s = make_struct("id", TYPE_STRUCT, 2, "c", c, 0, "a", named("uuid_t"), 0);
		CHECK_INT(s->members[1].bit_off, 8);
	}
	s = make_struct("arr", TYPE_STRUCT, 2, "c", c, 0, "a",
			type_array(ts, named("timestruc_t"), 2), 0);
	CHECK_INT(s->members[1].bit_off, 64);
	CHECK_INT(s->size, 40);
}

static void test_program(void)
{
	struct type *fwd = type_new(ts, TYPE_FWD, "later"), *def, *e;
	int64_t v = 0;

	CHECK(type_is_incomplete(ts, fwd));
	CHECK_STR(text(fwd), "struct later");
	def = make_struct("later", TYPE_STRUCT, 1, "a", type_int(ts, 4, true), 0);
	type_define(ts, "struct later", def, false);
	CHECK(type_resolve(ts, fwd) == def);
	CHECK(type_lookup(ts, "struct later") == def);
	CHECK(type_lookup(ts, "struct mod`later") == def);
	e = type_new(ts, TYPE_ENUM, "color");
	e->size = 4;
	e->nenums = 1;
	e->enums = arena_new_arr(arena, struct type_enumerator, 1);
	e->enums[0] = (struct type_enumerator){"TYPE_TEST_RED", 7};
	type_add_enumerators(ts, e);
	CHECK(!type_enumerator(ts, "TYPE_TEST_NONE", &v));
	CHECK(type_enumerator(ts, "TYPE_TEST_RED", &v) == e);
	CHECK_INT(v, 7);
	type_define(ts, "mine", type_typedef(ts, "mine", type_ptr(ts, def)), false);
	CHECK(type_is_pointer(named("mine")));
	CHECK_STR(text(named("mine")), "mine");
}

static void test_kernel(void)
{
	struct type *sock = type_lookup(ts, "struct sock"), *task, *t;
	const struct type_member *m;
	uint64_t off;
	int64_t v;

	if (!sock) {
		printf("no kernel types here\n");
		return;
	}
	CHECK(type_lookup(ts, "struct sock") == sock);
	t = type_resolve(ts, named("struct list_head"));
	CHECK(t->nmembers == 2 && t->members[0].bit_off == 0 && t->members[1].bit_off == 64);
	t = type_resolve(ts, sock);
	CHECK(t->nmembers > 10 && t->size > 100);
	m = type_member(ts, sock, "sk_sndbuf", &off);
	CHECK(m && type_base(m->type)->kind == TYPE_INT && off > 0);
	m = type_member(ts, sock, "sk_protocol", &off);
	CHECK(m && m->bits == 0);
	m = type_member(ts, named("struct sock_common"), "skc_reuse", &off);
	CHECK(m && m->bits == 4);
	task = named("struct task_struct");
	m = type_member(ts, task, "real_parent", &off);
	CHECK(m && type_is_pointer(m->type) && type_base(m->type)->to == task);
	m = type_member(ts, task, "comm", &off);
	CHECK_STR(text(m->type), "char [16]");
	CHECK(type_enumerator(ts, "BPF_MAP_TYPE_HASH", &v) == named("enum bpf_map_type"));
	CHECK_INT(v, 1);
	CHECK(type_base(named("u64")) == named("unsigned long long"));
	CHECK_INT(type_sizeof(ts, named("in6_addr_t")), 16);
	CHECK(type_is_sou(named("in6_addr_t")));
	m = type_member(ts, named("struct file_operations"), "read", &off);
	CHECK_STR(text(m->type), "ssize_t (*)(struct file *, char *, size_t, loff_t *)");
	/* a type of the program hides the kernel's, but not after the name of a module */
	t = make_struct("sock", TYPE_STRUCT, 1, "a", type_int(ts, 4, true), 0);
	type_define(ts, "struct sock", t, false);
	CHECK(named("struct sock") == t && named("struct D`sock") == t);
	CHECK(named("struct vmlinux`sock") == sock && named("struct `sock") == sock);
	t = type_typedef(ts, "inner_t", type_int(ts, 1, true));
	CHECK_INT(t->levels, type_int(ts, 1, true)->levels + 1);
	CHECK_INT(type_typedef(ts, "outer_t", t)->levels, t->levels + 1);
	t = type_typedef(ts, "loff_t", type_int(ts, 1, true));
	type_define(ts, "loff_t", t, false);
	CHECK(named("loff_t") == t && named("C`loff_t") == t);
	CHECK_INT(type_sizeof(ts, named("vmlinux`loff_t")), 8);
}

static const struct btf_type *btf_struct(struct btf *btf, const char *name)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_STRUCT);

	return id < 0 ? NULL : btf__type_by_id(btf, (uint32_t)id);
}

/* Returns the kind of type that a member points to. */
static int btf_kind_of_target(struct btf *btf, const char *name, int member)
{
	uint32_t ptr = btf_members(btf_struct(btf, name))[member].type;

	return btf_kind(btf__type_by_id(btf, btf__type_by_id(btf, ptr)->type));
}

/* type_store writes BTF that has the types declared in C or in D. */
static void test_store(void)
{
	struct type *in = make_struct("store_c", TYPE_STRUCT, 1, "x", type_int(ts, 4, true), 3);
	struct type *out =
	    make_struct("store_d", TYPE_STRUCT, 2, "in",
			type_ptr(ts, type_qualified(ts, in, TYPE_CONST | TYPE_VOLATILE)), 0, "s",
			type_string(ts), 0);
	char path[] = "/tmp/type_test.XXXXXX";
	int fd = mkstemp(path);
	struct btf *btf;

	CHECK(fd >= 0);
	type_define(ts, "struct store_c", in, true);
	type_define(ts, "struct store_d", out, false);
	CHECK_INT(type_store(ts, true, path), 0);
	btf = btf__parse_raw(path);
	CHECK(btf && btf_struct(btf, "store_c") && !btf_struct(btf, "store_d"));
	CHECK_INT(btf ? btf_member_bitfield_size(btf_struct(btf, "store_c"), 0) : 0, 3);
	btf__free(btf);
	CHECK_INT(type_store(ts, false, path), 0);
	btf = btf__parse_raw(path);
	CHECK(btf && btf_struct(btf, "store_d") && btf_struct(btf, "store_c"));
	CHECK_INT(btf ? btf_struct(btf, "store_d")->size : 0, type_sizeof(ts, out));
	CHECK(btf && btf__find_by_name_kind(btf, "mine", BTF_KIND_TYPEDEF) > 0);
	CHECK_INT(btf ? btf_kind_of_target(btf, "store_d", 0) : 0, BTF_KIND_CONST);
	btf__free(btf);
	CHECK_INT(type_store(ts, false, "/nonexistent/x"), -ENOENT);
	close(fd);
	unlink(path);
}

/* Runs a function with the types of this BTF. */
static void with_btf(struct btf *btf, void (*f)(void))
{
	char path[] = "/tmp/type_test.XXXXXX";
	int fd = mkstemp(path);
	struct types *saved = ts;
	struct intern *names = intern_new(arena);
	struct kern *kern;
	uint32_t n;
	const void *data = btf__raw_data(btf, &n);

	CHECK(fd >= 0 && write(fd, data, n) == (ssize_t)n);
	kern = kern_open_fixture(path);
	CHECK(kern != NULL);
	ts = types_new(arena, names, kern);
	f();
	types_free(ts);
	intern_free(names);
	kern_close(kern);
	close(fd);
	unlink(path);
	ts = saved;
}

static void check_member(const char *in, const char *name, const char *want, uint64_t bit_off,
			 unsigned int bits)
{
	uint64_t off = 0;
	const struct type_member *m = type_member(ts, named(in), name, &off);

	CHECK(m != NULL);
	if (!m)
		return;
	CHECK_STR(text(m->type), want);
	CHECK_INT(off, bit_off);
	CHECK_INT(m->bits, bits);
}

static const struct type *member_target(const char *in, const char *name)
{
	uint64_t off;
	const struct type_member *m = type_member(ts, named(in), name, &off);

	return m ? type_resolve(ts, type_base(m->type)->to) : type_void(ts);
}

static void check_stored(void)
{
	const struct type *e;
	int64_t v = 0;

	CHECK_INT(type_sizeof(ts, named("struct kinds")), 224);
	check_member("struct kinds", "u", "union either", 0, 0);
	check_member("struct kinds", "call", "int (*)(int, int, ...)", 64, 0);
	check_member("struct kinds", "none", "int (*)(void)", 128, 0);
	check_member("struct kinds", "real", "double", 192, 0);
	check_member("struct kinds", "complex", "struct long double _Complex", 256, 0);
	check_member("struct kinds", "list", "short [3]", 512, 0);
	check_member("struct kinds", "s", "struct far *", 576, 0);
	check_member("struct kinds", "un", "union far *", 640, 0);
	check_member("struct kinds", "en", "enum far *", 704, 0);
	check_member("struct kinds", "v", "volatile int", 768, 0);
	check_member("struct kinds", "c", "const char *", 832, 0);
	check_member("struct kinds", "yes", "_Bool", 896, 0);
	check_member("struct kinds", "n", "unsigned int", 928, 0);
	check_member("struct kinds", "color", "enum store_color", 960, 0);
	check_member("struct kinds", "text", "char [64]", 992, 0);
	check_member("struct kinds", "shown", "store_t", 1536, 0);
	check_member("struct kinds", "nothing", "void *", 1600, 0);
	check_member("struct kinds", "low", "unsigned int", 1664, 3);
	check_member("struct kinds", "high", "unsigned int", 1667, 29);
	check_member("union either", "i", "int", 0, 0);
	check_member("union either", "l", "long", 0, 0);
	CHECK_INT(member_target("struct kinds", "s")->kind, TYPE_FWD);
	CHECK_INT(type_base(named("store_t"))->size, 8);
	e = named("enum store_color");
	CHECK_INT(e->size, 4);
	CHECK(type_enumerator(ts, "STORE_RED", &v) == e);
	CHECK_INT(v, 7);
	CHECK(type_enumerator(ts, "STORE_LESS", &v) == e);
	CHECK_INT(v, -2);
}

/* A type that is only declared. */
static struct type *declared(const char *name, bool is_union, bool is_enum)
{
	struct type *t = type_new(ts, TYPE_FWD, name);

	t->is_union_fwd = is_union;
	t->is_enum_fwd = is_enum;
	return type_ptr(ts, t);
}

/* Each kind of type is the same in the BTF that type_store writes. */
static void test_store_kinds(void)
{
	struct type *i = type_int(ts, 4, true), *u = type_int(ts, 4, false), *e, *all;
	char path[] = "/tmp/type_test.XXXXXX";
	uint64_t strsize = type_sizeof(ts, type_string(ts));
	int fd = mkstemp(path);
	struct btf *btf;

	e = type_new(ts, TYPE_ENUM, "store_color");
	e->size = e->align = 4;
	e->is_signed = true;
	e->nenums = 2;
	e->enums = arena_new_arr(arena, struct type_enumerator, 2);
	e->enums[0] = (struct type_enumerator){"STORE_RED", 7};
	e->enums[1] = (struct type_enumerator){"STORE_LESS", -2};
	type_set_strsize(ts, 64);
	all = make_struct(
	    "kinds", TYPE_STRUCT, 19, "u",
	    make_struct("either", TYPE_UNION, 2, "i", i, 0, "l", type_int(ts, 8, true), 0), 0,
	    "call", type_ptr(ts, make_func(i, true, 2, i)), 0, "none",
	    type_ptr(ts, make_func(i, false, 0, i)), 0, "real", named("double"), 0, "complex",
	    named("long double _Complex"), 0, "list", type_array(ts, type_int(ts, 2, true), 3), 0,
	    "s", declared("far", false, false), 0, "un", declared("far", true, false), 0, "en",
	    declared("far", false, true), 0, "v", type_qualified(ts, i, TYPE_VOLATILE), 0, "c",
	    type_ptr(ts, type_qualified(ts, type_int(ts, 1, true), TYPE_CONST)), 0, "yes",
	    named("_Bool"), 0, "n", u, 0, "color", e, 0, "text", type_string(ts), 0, "shown",
	    type_typedef(ts, "store_t", type_int(ts, 8, true)), 0, "nothing",
	    type_ptr(ts, type_void(ts)), 0, "low", u, 3, "high", u, 29);
	type_define(ts, "struct kinds", all, false);
	CHECK_INT(type_store(ts, false, path), 0);
	btf = btf__parse_raw(path);
	CHECK(btf != NULL);
	with_btf(btf, check_stored);
	btf__free(btf);
	type_set_strsize(ts, strsize);
	close(fd);
	unlink(path);
}

static void check_kinds(void)
{
	const struct type *t;
	int64_t v = 0;

	check_member("struct kinds", "wide", "__int128", 0, 0);
	check_member("struct kinds", "truth", "_Bool", 128, 0);
	check_member("struct kinds", "named", "unsigned long", 192, 0);
	check_member("struct kinds", "there", "userland const int *", 256, 0);
	check_member("struct kinds", "here", "const int *", 320, 0);
	check_member("struct kinds", "call", "int (*)(int, ...)", 384, 0);
	check_member("struct kinds", "real", "__float128", 448, 0);
	check_member("struct kinds", "once", "int *", 576, 0);
	check_member("struct kinds", "f", "struct far *", 640, 0);
	check_member("struct kinds", "g", "union far *", 704, 0);
	CHECK_INT(type_sizeof(ts, named("__float128_t")), 16);
	t = type_base(named("__int128_t"));
	CHECK(t->kind == TYPE_INT && t->size == 16 && t->align == 16 && t->is_signed);
	t = named("enum large");
	CHECK(t->kind == TYPE_ENUM && t->size == 8 && !t->is_signed);
	CHECK(type_enumerator(ts, "LARGE", &v) == t);
	CHECK_INT(v, 1LL << 40);
	CHECK(named("enum less")->is_signed);
	CHECK(type_enumerator(ts, "LESS", &v) == named("enum less"));
	CHECK_INT(v, -(1LL << 40));
	t = named("enum byte");
	CHECK(t->size == 1 && !t->is_signed);
	t = named("enum word");
	CHECK(t->size == 4 && t->is_signed);
	t = type_resolve(ts, named("enum word"));
	CHECK_INT(t->enums[0].value, 0xffffffff);
	t = type_resolve(ts, named("enum below"));
	CHECK_INT(t->enums[0].value, -1);
	check_member("struct old", "a", "int", 0, 0);
	check_member("struct old", "b", "unsigned int", 37, 3);
	check_member("struct old", "c", "three_t", 69, 3);
	check_member("struct fields", "a", "int", 0, 3);
	check_member("struct fields", "b", "int", 32, 0);
	check_member("struct fields", "c", "int", 80, 32);
}

/* Kinds of BTF that this kernel need not have. */
static void test_kinds(void)
{
	struct btf *btf = btf__new_empty();
	int number = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	int constant = btf__add_const(btf, number);
	int wide = btf__add_int(btf, "__int128", 16, BTF_INT_SIGNED);
	int truth = btf__add_int(btf, "boolean", 1, BTF_INT_BOOL);
	int size = btf__add_int(btf, "sizetype", 8, 0);
	int user = btf__add_type_tag(btf, "user", constant),
	    rcu = btf__add_type_tag(btf, "rcu", constant);
	int real = btf__add_float(btf, "__float128", 16);
	int fwd = btf__add_fwd(btf, "far", BTF_FWD_STRUCT),
	    ufwd = btf__add_fwd(btf, "far", BTF_FWD_UNION);
	int there = btf__add_ptr(btf, user), here = btf__add_ptr(btf, rcu),
	    ptr = btf__add_ptr(btf, number);
	int once = btf__add_restrict(btf, ptr), func = btf__add_func_proto(btf, number), call,
	    to_fwd, to_ufwd, bits, three;
	struct btf_type *t;

	btf__add_func_param(btf, "a", number);
	btf__add_func_param(btf, NULL, 0);
	call = btf__add_ptr(btf, func);
	to_fwd = btf__add_ptr(btf, fwd);
	to_ufwd = btf__add_ptr(btf, ufwd);
	btf__add_typedef(btf, "__int128_t", wide);
	btf__add_typedef(btf, "__float128_t", real);
	btf__add_struct(btf, "kinds", 96);
	btf__add_field(btf, "wide", wide, 0, 0);
	btf__add_field(btf, "truth", truth, 128, 0);
	btf__add_field(btf, "named", size, 192, 0);
	btf__add_field(btf, "there", there, 256, 0);
	btf__add_field(btf, "here", here, 320, 0);
	btf__add_field(btf, "call", call, 384, 0);
	btf__add_field(btf, "real", real, 448, 0);
	btf__add_field(btf, "once", once, 576, 0);
	btf__add_field(btf, "f", to_fwd, 640, 0);
	btf__add_field(btf, "g", to_ufwd, 704, 0);
	btf__add_enum64(btf, "large", 8, false);
	btf__add_enum64_value(btf, "LARGE", 1ULL << 40);
	btf__add_enum64(btf, "less", 8, true);
	btf__add_enum64_value(btf, "LESS", -(1ULL << 40));
	btf__add_enum(btf, "byte", 1);
	btf__add_enum_value(btf, "BYTE", 1);
	btf__add_enum(btf, "word", 4);
	btf__add_enum_value(btf, "WORD", 0xffffffff);
	btf__add_enum(btf, "below", 4);
	btf__add_enum_value(btf, "BELOW", -1);
	bits = btf__add_int(btf, "unsigned int", 4, 0);
	/* The old encoding of a bit-field: an integer of 3 bits from bit 5. */
	t = (struct btf_type *)btf__type_by_id(btf, (uint32_t)bits);
	*(uint32_t *)(t + 1) = 5 << 16 | 3;
	three = btf__add_typedef(btf, "three_t", btf__add_const(btf, btf__add_volatile(btf, bits)));
	btf__add_struct(btf, "old", 12);
	btf__add_field(btf, "a", number, 0, 0);
	btf__add_field(btf, "b", bits, 32, 0);
	btf__add_field(btf, "c", three, 64, 0);
	btf__add_struct(btf, "fields", 16);
	btf__add_field(btf, "a", number, 0, 3);
	btf__add_field(btf, "b", number, 32, 32);
	btf__add_field(btf, "c", number, 80, 32);
	with_btf(btf, check_kinds);
	btf__free(btf);
}

/* The 32-bit data model: long is short, but types with a size in their name keep it. */
static void test_ilp32(void)
{
	type_set_ilp32(ts);
	CHECK_INT(type_sizeof(ts, named("long")), 4);
	CHECK_INT(type_sizeof(ts, named("unsigned long")), 4);
	CHECK_INT(type_sizeof(ts, named("size_t")), 4);
	CHECK_INT(type_sizeof(ts, named("int64_t")), 8);
	CHECK_INT(type_sizeof(ts, named("uint64_t")), 8);
	CHECK_INT(type_sizeof(ts, named("long long")), 8);
	CHECK_INT(type_sizeof(ts, type_int(ts, 4, true)), 4);
	CHECK_STR(text(type_int(ts, 4, true)), "int");
	CHECK_STR(text(type_int(ts, 8, false)), "unsigned long long");
}

int main(void)
{
	struct machine *machine = machine_here();
	struct kern *kern = kern_open(machine);

	for (int pass = 0; pass < 2; pass++) {
		struct intern *names;

		arena = arena_new();
		names = intern_new(arena);
		ts = types_new(arena, names, pass ? kern : NULL);
		test_builtin();
		test_derived();
		test_qualified();
		test_layout();
		test_conversions();
		test_compatible();
		test_alignment();
		test_program();
		test_store();
		test_store_kinds();
		test_kinds();
		if (pass)
			test_kernel();
		test_ilp32();
		types_free(ts);
		intern_free(names);
		arena_free(arena);
	}
	kern_close(kern);
	machine_free(machine);
	return TEST_DONE();
}
