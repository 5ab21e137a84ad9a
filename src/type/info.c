/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * info.c: types of programs from their debug information.  As in btf.c, a type is converted when it
 * is named, and members when they are needed.
 *
 * All pointers lead to memory of the process.  Descriptions of one type in several units of a file
 * become one type (struct info_type, identity).  Typedefs with built-in names become the built-in
 * types.
 *
 * The file is not trusted: members are checked to lie inside their structure, and no type may
 * contain itself.
 */
#include <assert.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/intern.h"
#include "type/priv.h"

/* Location of a type whose members are read later. */
struct type_source {
	struct info *file;
	info_ref ref;
};

#define ELEMENTS_MAX (1U << 24) /* bytes of an array */
#define LOOKS_MAX    1000	/* structures examined, to find one inside itself */

static struct type *convert(struct types *ts, struct info *file, info_ref ref);

static const char *name_of(struct types *ts, const struct info_type *dt)
{
	return dt->name ? intern_str(ts->names, dt->name) : NULL;
}

/* Returns a structure, union or enum without its members. */
static struct type *shell(struct types *ts, struct info *file, info_ref ref,
			  const struct info_type *dt, enum type_kind kind)
{
	struct {
		struct info *file;
		const char *name;
		uint64_t size, kind, identity;
	} key = {file, name_of(ts, dt), dt->size, kind, dt->identity};
	struct type *t = key.name ? map_get(ts->of_programs, &key, sizeof(key)) : NULL;

	if (t)
		return t;
	t = type_new(ts, kind, key.name);
	t->size = dt->size;
	t->align = kind == TYPE_ENUM ? (unsigned int)dt->size : 0;
	t->is_signed = kind == TYPE_ENUM && (dt->is_signed || !dt->identity);
	t->loaded = false;
	t->source = arena_new_obj(ts->arena, struct type_source);
	*t->source = (struct type_source){file, ref};
	if (key.name)
		map_set(ts->of_programs, &key, sizeof(key), t);
	return t;
}

/* Returns a structure that is only declared.  The kernel may have another of its name. */
static struct type *opaque(struct types *ts, const struct info_type *dt)
{
	char name[256];

	snprintf(name, sizeof(name), "%s %s", dt->kind == INFO_UNION ? "union" : "struct",
		 dt->name ? dt->name : "");
	return type_typedef(ts, intern_str(ts->names, name), ts->t_void);
}

static struct type *array(struct types *ts, struct info *file, info_ref ref, info_ref elem)
{
	struct type *t = convert(ts, file, elem);
	info_list dims = {0};

	info_members(file, ref, &dims);
	for (unsigned int i = dims.n; i-- > 0;) {
		uint64_t n = (uint64_t)dims.a[i].value, size = type_sizeof(ts, t);

		t = type_array(ts, t, size && n <= ELEMENTS_MAX / size ? n : 0);
	}
	vec_free(&dims);
	return t;
}

static struct type *named(struct types *ts, struct info *file, const struct info_type *dt)
{
	struct type *to = convert(ts, file, dt->to);
	struct type *t = dt->name ? map_get_str(ts->builtin, dt->name) : NULL;

	if (t && type_is_integer(t) && type_is_integer(to) &&
	    type_sizeof(ts, t) == type_sizeof(ts, to))
		return t;
	return dt->name ? type_typedef(ts, name_of(ts, dt), to) : to;
}

static struct type *function(struct types *ts, struct info *file, info_ref to)
{
	struct type *t = type_new(ts, TYPE_FUNC, NULL);

	t->to = convert(ts, file, to);
	t->is_variadic = true;
	return t;
}

static struct type *floating(struct types *ts, const struct info_type *dt)
{
	struct type *t = type_new(ts, TYPE_FLOAT, name_of(ts, dt));

	t->size = dt->size;
	t->align = (unsigned int)dt->size;
	return t;
}

/* Returns true for sizes 1, 2, 4 ... up to max. */
static bool has_size(uint64_t size, uint64_t max)
{
	return size && size <= max && (size & (size - 1)) == 0;
}

static struct type *convert_new(struct types *ts, struct info *file, info_ref ref,
				const struct info_type *dt)
{
	switch (dt->kind) {
	case INFO_VOID:
		break;
	case INFO_INT:
		if (!has_size(dt->size, 16))
			break;
		return type_int_of(ts, name_of(ts, dt), (uint32_t)dt->size, dt->is_signed,
				   dt->is_bool);
	case INFO_FLOAT:
		if (dt->size < 4 || !has_size(dt->size, 16))
			break;
		return floating(ts, dt);
	case INFO_PTR:
		return type_userland(ts, type_ptr(ts, convert(ts, file, dt->to)));
	case INFO_ARRAY:
		return array(ts, file, ref, dt->to);
	case INFO_STRUCT:
	case INFO_UNION:
		return dt->is_declared ? opaque(ts, dt)
				       : shell(ts, file, ref, dt,
					       dt->kind == INFO_UNION ? TYPE_UNION : TYPE_STRUCT);
	case INFO_ENUM:
		if (!has_size(dt->size, 8))
			break;
		return shell(ts, file, ref, dt, TYPE_ENUM);
	case INFO_TYPEDEF:
		return named(ts, file, dt);
	case INFO_CONST:
		return type_qualified(ts, convert(ts, file, dt->to), TYPE_CONST);
	case INFO_VOLATILE:
		return type_qualified(ts, convert(ts, file, dt->to), TYPE_VOLATILE);
	case INFO_SAME:
		return convert(ts, file, dt->to);
	case INFO_FUNC:
		return function(ts, file, dt->to);
	}
	return ts->t_void;
}

/* A type that refers to itself without a structure in between is an error of the file. */
static struct type *convert(struct types *ts, struct info *file, info_ref ref)
{
	struct {
		struct info *file;
		info_ref ref;
	} key = {file, ref};
	struct info_type dt;
	struct type *t;

	if (!ref || ts->info_level == TYPE_LEVELS_MAX)
		return ts->t_void;
	t = map_get(ts->of_programs, &key, sizeof(key));
	if (t)
		return t;
	ts->info_level++;
	info_type(file, ref, &dt);
	t = convert_new(ts, file, ref, &dt);
	ts->info_level--;
	map_set(ts->of_programs, &key, sizeof(key), t);
	return t;
}

struct type *type_from_info(struct types *ts, struct info *file, info_ref ref)
{
	return convert(ts, file, ref);
}

/* Returns true if t is inside a type, which then has at least its size. */
static bool is_inside(struct types *ts, struct type *in, const struct type *t, unsigned int *looks)
{
	in = type_resolve(ts, in);
	while (in->kind == TYPE_ARRAY)
		in = type_resolve(ts, in->to);
	if (in == t)
		return true;
	if (in->size < t->size)
		return false;
	if ((*looks)++ == LOOKS_MAX)
		return true;
	for (unsigned int i = 0; i < in->nmembers; i++)
		if (is_inside(ts, in->members[i].type, t, looks))
			return true;
	return false;
}

static bool fits(struct types *ts, const struct type *t, const struct type_member *m)
{
	uint64_t bits = m->bits ? m->bits : type_sizeof(ts, m->type) * 8, all = t->size * 8;

	return m->bit_off <= all && bits <= all - m->bit_off &&
	       (!m->bits || (type_is_integer(m->type) && m->bits <= type_base(m->type)->size * 8));
}

static unsigned int count_virtuals(const info_list *list)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < list->n; i++)
		n += list->a[i].before_table != 0;
	return n;
}

/* Members that are wrong are left out. */
static void load_members(struct types *ts, struct type *t, const info_list *list)
{
	t->members = arena_new_arr(ts->arena, struct type_member, list->n);
	t->virtuals = arena_new_arr(ts->arena, struct type_virtual, count_virtuals(list));
	for (unsigned int i = 0; i < list->n; i++) {
		struct type_member m = {.bit_off = list->a[i].bit_off, .bits = list->a[i].bits};
		unsigned int looks = 0;

		m.name = list->a[i].name ? intern_str(ts->names, list->a[i].name) : NULL;
		m.type = convert(ts, t->source->file, list->a[i].type);
		if (list->a[i].before_table)
			t->virtuals[t->nvirtuals++] =
			    (struct type_virtual){m.type, list->a[i].before_table};
		else if (fits(ts, t, &m) && !is_inside(ts, m.type, t, &looks))
			t->members[t->nmembers++] = m;
	}
}

static void load_enum(struct types *ts, struct type *t, const info_list *list)
{
	t->nenums = list->n;
	t->enums = arena_new_arr(ts->arena, struct type_enumerator, list->n);
	for (unsigned int i = 0; i < list->n; i++)
		t->enums[i] = (struct type_enumerator){
		    .name = intern_str(ts->names, list->a[i].name ? list->a[i].name : ""),
		    .value = list->a[i].value};
}

void type_info_load(struct types *ts, struct type *t)
{
	info_list list = {0};

	assert(!t->loaded);
	t->loaded = true;
	info_members(t->source->file, t->source->ref, &list);
	if (t->kind == TYPE_ENUM)
		load_enum(ts, t, &list);
	else
		load_members(ts, t, &list);
	vec_free(&list);
}
