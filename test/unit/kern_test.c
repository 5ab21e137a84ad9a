/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kern_test.c: the types of a kernel and of two modules, whose ids and names have the same numbers
 * in their files.
 */
#include <bpf/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/intern.h"
#include "kern/kern.h"
#include "test.h"
#include "type/type.h"

static struct arena *arena;
static struct kern *k;
static struct types *ts;
static struct intern *names;
static char dir[] = "/tmp/kern_test.XXXXXX";

static const char *text(const struct type *t)
{
	struct buf b = {0};
	const char *s;

	type_print(&b, t);
	s = arena_strdup(arena, buf_str(&b));
	buf_free(&b);
	return s;
}

static void save(struct btf *btf, const char *name)
{
	uint32_t size;
	const void *data = btf__raw_data(btf, &size);
	FILE *f = fopen(arena_printf(arena, "%s/%s", dir, name), "w");

	CHECK(f && fwrite(data, size, 1, f) == 1);
	if (f)
		fclose(f);
}

/* struct two; struct task { int pid; struct two *two; } */
static struct btf *make_kernel(void)
{
	struct btf *btf = btf__new_empty();
	int i = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	int two = btf__add_ptr(btf, btf__add_fwd(btf, "two", BTF_FWD_STRUCT));

	btf__add_struct(btf, "task", 16);
	btf__add_field(btf, "pid", i, 0, 0);
	btf__add_field(btf, "two", two, 64, 0);
	save(btf, "vmlinux");
	return btf;
}

/*
 * struct NAME { enum NAME_e { NAME_a = VALUE } kind[2]; struct task *task; },
 * struct task *NAME_f(struct NAME *arg), a tracepoint NAME_tp(struct NAME *), a variable NAME_v.
 */
static void make_module(struct btf *kernel, const char *name, int value)
{
	struct btf *btf = btf__new_empty_split(kernel);
	int task = btf__add_ptr(btf, btf__find_by_name_kind(kernel, "task", BTF_KIND_STRUCT));
	int kind = btf__add_enum(btf, arena_printf(arena, "%s_e", name), 4);
	int self, f, tp;

	btf__add_enum_value(btf, arena_printf(arena, "%s_a", name), value);
	kind = btf__add_array(btf, kind, kind, 2);
	self = btf__add_struct(btf, name, 16);
	btf__add_field(btf, "kind", kind, 0, 0);
	btf__add_field(btf, "task", task, 64, 0);
	btf__add_var(btf, arena_printf(arena, "%s_v", name), BTF_VAR_STATIC, self);
	self = btf__add_ptr(btf, self);
	f = btf__add_func_proto(btf, task);
	btf__add_func_param(btf, "arg", self);
	btf__add_func(btf, arena_printf(arena, "%s_f", name), BTF_FUNC_STATIC, f);
	tp = btf__add_func_proto(btf, 0);
	btf__add_func_param(btf, "", 0);
	btf__add_func_param(btf, "", self);
	tp = btf__add_ptr(btf, tp);
	btf__add_typedef(btf, arena_printf(arena, "btf_trace_%s_tp", name), tp);
	save(btf, name);
	btf__free(btf);
}

static void make(void)
{
	struct btf *kernel;

	CHECK(mkdtemp(dir) != NULL);
	kernel = make_kernel();
	make_module(kernel, "one", 11);
	make_module(kernel, "two", 22);
	btf__free(kernel);
	k = kern_open_fixture(arena_printf(arena, "%s/vmlinux", dir));
	ts = types_new(arena, names, k);
}

static struct type *member(const char *sou, const char *name)
{
	struct type *t = type_lookup(ts, sou);
	uint64_t off;
	const struct type_member *m = t ? type_member(ts, t, name, &off) : NULL;

	CHECK(m != NULL);
	return m ? m->type : type_void(ts);
}

/* A module that was not named is not read. */
static void test_named(void)
{
	CHECK(type_lookup(ts, "struct one") == NULL);
	CHECK(kern_btf_find(k, "one_f", BTF_KIND_FUNC) == 0);
	CHECK_INT(kern_btf_end(k), kern_btf_count(k));
	CHECK(type_lookup(ts, "struct none`task") == type_lookup(ts, "struct task"));
	CHECK(type_lookup(ts, "struct one`one") != NULL);
	CHECK(kern_btf_end(k) > kern_btf_count(k));
	CHECK(type_lookup(ts, "struct one") == type_lookup(ts, "struct one`one"));
	CHECK(type_lookup(ts, "struct two") == NULL);
}

/* A type that the kernel only names is in a module; types that the module refers to are in the
 * kernel. */
static void test_members(void)
{
	struct type *two = type_base(member("struct task", "two"))->to;

	CHECK_INT(two->kind, TYPE_FWD);
	CHECK_INT(type_resolve(ts, two)->kind, TYPE_FWD);
	CHECK(type_lookup(ts, "struct two`two") != NULL);
	CHECK(type_resolve(ts, two) == type_lookup(ts, "struct two"));
	CHECK_STR(text(member("struct two", "kind")), "enum two_e [2]");
	CHECK_STR(text(member("struct one", "kind")), "enum one_e [2]");
	CHECK(type_base(member("struct two", "task"))->to == type_lookup(ts, "struct task"));
}

static void test_enumerators(void)
{
	int64_t value = 0;

	CHECK(type_enumerator(ts, "one_a", &value) == type_lookup(ts, "enum one_e"));
	CHECK_INT(value, 11);
	CHECK(type_enumerator(ts, "two_a", &value) == type_lookup(ts, "enum two_e"));
	CHECK_INT(value, 22);
}

static void test_functions(void)
{
	uint32_t id = kern_btf_find_in(k, "two", "two_f", BTF_KIND_FUNC);
	int fd;

	CHECK_STR(text(type_from_btf(ts, id)), "struct task *(struct two *)");
	CHECK_STR(kern_btf_name(k, kern_btf_type(k, id)->name_off), "two_f");
	CHECK_INT(kern_btf_find_in(k, "two", "one_f", BTF_KIND_FUNC), 0);
	CHECK_INT(kern_btf_find_in(k, "none", "one_f", BTF_KIND_FUNC), 0);
	CHECK(type_from_btf(ts, kern_btf_find_in(k, "one", "one_v", BTF_KIND_VAR)) ==
	      type_lookup(ts, "struct one"));
	/* A program calls functions of both modules by the numbers in their files. */
	CHECK_INT(kern_btf_ref(k, id, &fd),
		  kern_btf_ref(k, kern_btf_find_in(k, "one", "one_f", BTF_KIND_FUNC), &fd));
}

static void test_tracepoints(void)
{
	const struct kern_tp *tp;
	const struct btf_type *proto;
	size_t n;

	kern_tracepoints(k, NULL, &n);
	CHECK_INT(n, 0);
	tp = kern_tracepoints(k, "two", &n);
	CHECK_INT(n, 1);
	CHECK_STR(tp->name, "two_tp");
	proto = kern_btf_type(k, tp->func_proto);
	CHECK_STR(text(type_from_btf(ts, btf_params(proto)[1].type)), "struct two *");
}

static void test_names(void)
{
	unsigned int n = 0;

	for (unsigned int i = 0; kern_btf_module(k, i); i++)
		n += strcmp(kern_btf_module(k, i), "one") == 0 ||
		     strcmp(kern_btf_module(k, i), "two") == 0;
	CHECK_INT(n, 2);
}

/* A structure named by a program is searched in all modules. */
static void test_all(void)
{
	struct types *other;
	struct type *fwd;

	kern_close(k);
	k = kern_open_fixture(arena_printf(arena, "%s/vmlinux", dir));
	other = types_new(arena, names, k);
	fwd = type_new(other, TYPE_FWD, "two");
	type_define(other, "struct two", fwd, false);
	CHECK_INT(type_resolve(other, fwd)->size, 16);
	types_free(other);
}

static void test_modules(void)
{
	char text[] = "ext4 1122304 2 - Live 0xffffffffc0a00000\n"
		      "loop 40960 0 mbcache,jbd2, Live 0x0000000000000000 (OE)\n"
		      "\ncut\nlast 1 0 - Live";
	kern_module_list list = {0};

	kern_modules_parse(text, &list);
	CHECK_INT(list.n, 3);
	CHECK_STR(list.a[0].name, "ext4");
	CHECK(list.a[0].size == 1122304 && list.a[0].addr == 0xffffffffc0a00000);
	CHECK_STR(list.a[1].name, "loop");
	CHECK(list.a[1].size == 40960 && !list.a[1].addr);
	CHECK_STR(list.a[2].name, "last");
	vec_free(&list);
}

int main(void)
{
	names = intern_new(arena = arena_new());
	make();
	test_named();
	test_members();
	test_enumerators();
	test_functions();
	test_tracepoints();
	test_names();
	types_free(ts);
	test_all();
	test_modules();
	kern_close(k);
	for (unsigned int i = 0; i < 3; i++)
		unlink(arena_printf(arena, "%s/%s", dir,
				    ((const char *[]){"vmlinux", "one", "two"})[i]));
	rmdir(dir);
	intern_free(names);
	arena_free(arena);
	return TEST_DONE();
}
