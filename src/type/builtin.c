/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * builtin.c: the types that every program knows: C's integer and floating types in all spellings of
 * BTF and D, the special types of D, and typedef names.  Names of another kernel's types get the
 * Linux meaning that scripts expect.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "type/priv.h"

/* Integers.  Several names of one type are adjacent, and the first is the printed name. */
static const struct {
	const char *name;
	unsigned int size, rank; /* size 0: another name of the row above */
	bool is_signed;
} int_rows[] = {
    {"char", 1, 1, true},
    {"signed char", 1, 1, true},
    {"unsigned char", 1, 1, false},
    {"short", 2, 2, true},
    {.name = "short int"},
    {.name = "signed short"},
    {"unsigned short", 2, 2, false},
    {.name = "short unsigned int"},
    {"int", 4, 3, true},
    {.name = "signed int"},
    {.name = "signed"},
    {"unsigned int", 4, 3, false},
    {.name = "unsigned"},
    {"long", 8, 4, true},
    {.name = "long int"},
    {.name = "signed long"},
    {"unsigned long", 8, 4, false},
    {.name = "long unsigned int"},
    {"long long", 8, 5, true},
    {.name = "long long int"},
    {.name = "signed long long"},
    {"unsigned long long", 8, 5, false},
    {.name = "long long unsigned int"},
};

static const struct {
	const char *name;
	unsigned int size;
} float_rows[] = {
    {"float", 4},
    {"double", 8},
    {"long double", 16},
    {"float _Complex", 8},
    {"double _Complex", 16},
    {"long double _Complex", 32},
    {"float _Imaginary", 4},
    {"double _Imaginary", 8},
    {"long double _Imaginary", 16},
};

static const struct {
	const char *name, *to;
} typedef_rows[] = {
    {"int8_t", "signed char"},
    {"int16_t", "short"},
    {"int32_t", "int"},
    {"int64_t", "long"},
    {"intptr_t", "long"},
    {"ssize_t", "long"},
    {"uint8_t", "unsigned char"},
    {"uint16_t", "unsigned short"},
    {"uint32_t", "unsigned int"},
    {"uint64_t", "unsigned long"},
    {"uchar_t", "unsigned char"},
    {"ushort_t", "unsigned short"},
    {"uint_t", "unsigned int"},
    {"ulong_t", "unsigned long"},
    {"longlong_t", "long long"},
    {"u_longlong_t", "unsigned long long"},
    {"u_char", "unsigned char"},
    {"u_short", "unsigned short"},
    {"u_int", "unsigned int"},
    {"u_long", "unsigned long"},
    {"ptrdiff_t", "long"},
    {"uintptr_t", "unsigned long"},
    {"size_t", "unsigned long"},
    {"id_t", "int"},
    {"pid_t", "int"},
    {"uid_t", "unsigned int"},
    {"gid_t", "unsigned int"},
    {"dev_t", "unsigned int"},
    {"mode_t", "unsigned short"},
    {"off_t", "long"},
    {"off64_t", "long"},
    {"ino_t", "unsigned long"},
    {"time_t", "long"},
    {"suseconds_t", "long"},
    {"useconds_t", "unsigned int"},
    {"wchar_t", "int"},
    {"caddr_t", "char *"},
    {"offset_t", "long long"},
    {"hrtime_t", "long long"},
    {"boolean_t", "int"},
    {"major_t", "unsigned int"},
    {"minor_t", "unsigned int"},
    {"pri_t", "int"},
    {"processorid_t", "int"},
    {"psetid_t", "int"},
    {"chipid_t", "int"},
    {"lgrp_id_t", "int"},
    {"zoneid_t", "unsigned int"},
    {"projid_t", "int"},
    {"taskid_t", "int"},
    {"poolid_t", "int"},
    {"ctid_t", "int"},
    {"netstackid_t", "unsigned long"},
    {"ipaddr_t", "unsigned int"},
    {"in_addr_t", "unsigned int"},
    {"in_port_t", "unsigned short"},
    {"socklen_t", "unsigned int"},
};

static struct type *special(struct types *ts, enum type_kind kind, const char *name, uint64_t size)
{
	struct type *t = type_new(ts, kind, name);

	t->size = size;
	map_set_str(ts->builtin, name, t);
	return t;
}

/* Indexes a type by size and signedness.  The first of its kind wins. */
static void add_int(struct types *ts, struct type *t)
{
	if (!ts->ints[t->size][t->is_signed])
		ts->ints[t->size][t->is_signed] = t;
}

static void add_ints(struct types *ts)
{
	struct type *t = NULL;

	for (size_t i = 0; i < sizeof(int_rows) / sizeof(int_rows[0]); i++) {
		if (int_rows[i].size) {
			t = type_new(ts, TYPE_INT, int_rows[i].name);
			t->rank = int_rows[i].rank;
			t->size = t->align = ts->is_ilp32 && t->rank == 4 ? 4 : int_rows[i].size;
			t->is_signed = int_rows[i].is_signed;
			t->is_char = t->size == 1;
			add_int(ts, t);
		}
		map_set_str(ts->builtin, int_rows[i].name, t);
	}
	ts->t_bool = special(ts, TYPE_INT, "_Bool", 1);
	ts->t_bool->rank = 1;
	ts->t_bool->is_bool = true;
}

/* Returns struct NAME { type a; type b; }, for structures that some kernels lack. */
static struct type *small_struct(struct types *ts, const char *name, const char *a, const char *b,
				 struct type *ta, struct type *tb)
{
	struct type *t = type_new(ts, TYPE_STRUCT, name);

	t->nmembers = b ? 2 : 1;
	t->members = arena_new_arr(ts->arena, struct type_member, 2);
	t->members[0].name = intern_str(ts->names, a);
	t->members[0].type = ta;
	if (b) {
		t->members[1].name = intern_str(ts->names, b);
		t->members[1].type = tb;
	}
	type_layout(ts, t);
	return t;
}

/* Returns true for types that are long in one data model and long long in the other. */
static bool is_64_bits(const char *name)
{
	return strcmp(name, "int64_t") == 0 || strcmp(name, "uint64_t") == 0;
}

void type_set_ilp32(struct types *ts)
{
	memset(ts->ints, 0, sizeof(ts->ints));
	ts->is_ilp32 = true;
	type_builtin_init(ts);
}

void type_builtin_init(struct types *ts)
{
	struct type *t;

	ts->t_void = special(ts, TYPE_VOID, "void", 0);
	ts->t_string = special(ts, TYPE_STRING, "string", 0);
	ts->t_stack = special(ts, TYPE_STACK, "stack", 0);
	map_set_str(ts->builtin, "dt_stack_t", type_typedef(ts, "dt_stack_t", ts->t_stack));
	special(ts, TYPE_SYMADDR, "_symaddr", 8);
	special(ts, TYPE_USYMADDR, "_usymaddr", 16);
	ts->t_dyn = type_new(ts, TYPE_DYN, "dynamic");
	add_ints(ts);
	for (size_t i = 0; i < sizeof(float_rows) / sizeof(float_rows[0]); i++) {
		t = special(ts, TYPE_FLOAT, float_rows[i].name, float_rows[i].size);
		t->align = float_rows[i].size > 16 ? 16 : float_rows[i].size;
	}
	for (size_t i = 0; i < sizeof(typedef_rows) / sizeof(typedef_rows[0]); i++) {
		const char *to = typedef_rows[i].to;

		t = strcmp(to, "char *") == 0	       ? type_ptr(ts, type_int(ts, 1, true))
		    : is_64_bits(typedef_rows[i].name) ? type_int(ts, 8, to[0] != 'u')
						       : map_get_str(ts->builtin, to);
		assert(t);
		map_set_str(ts->builtin, typedef_rows[i].name,
			    type_typedef(ts, typedef_rows[i].name, t));
	}
	t = small_struct(ts, "timestruc", "tv_sec", "tv_nsec", type_int(ts, 8, true),
			 type_int(ts, 8, true));
	map_set_str(ts->builtin, "timestruc_t", type_typedef(ts, "timestruc_t", t));
	/* Arguments of system calls.  The kernel uses other names for these structures. */
	t = map_get_str(ts->builtin, "long");
	map_set_str(ts->builtin, "struct timespec",
		    small_struct(ts, "timespec", "tv_sec", "tv_nsec",
				 map_get_str(ts->builtin, "time_t"), t));
	map_set_str(ts->builtin, "struct timeval",
		    small_struct(ts, "timeval", "tv_sec", "tv_usec",
				 map_get_str(ts->builtin, "time_t"),
				 map_get_str(ts->builtin, "suseconds_t")));
	t = type_new(ts, TYPE_FWD, "in6_addr");
	t->size = 16;
	if (!ts->kern)
		t = small_struct(ts, "in6_addr", "s6_addr", NULL,
				 type_array(ts, type_int(ts, 1, false), 16), NULL);
	map_set_str(ts->builtin, "in6_addr_t", type_typedef(ts, "in6_addr_t", t));
}
