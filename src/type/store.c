/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store.c: writes the types that programs declared to a BTF file, for `bpftool btf dump file` and
 * pahole.  Each type gets its id, its place in a list, on first use.  The list is then written in
 * order, so that a type can refer to a later one.
 *
 * Types of the kernel are only named: their members are in the kernel's own BTF.
 */
#include <assert.h>
#include <bpf/btf.h>
#include <errno.h>

#include "base/file.h"
#include "base/map.h"
#include "base/vec.h"
#include "type/priv.h"

struct store {
	struct types *ts;
	struct btf *btf;
	struct map *ids; /* type -> id */
	VEC(struct type *) list;
};

static int id_of(struct store *st, struct type *t)
{
	uintptr_t id;

	if (!t || t->kind == TYPE_VOID)
		return 0;
	id = (uintptr_t)map_get(st->ids, &t, sizeof(t));
	if (!id) {
		vec_push(&st->list, t);
		id = st->list.n;
		map_set(st->ids, &t, sizeof(t), (void *)id);
	}
	return (int)id;
}

static int add_members(struct store *st, const struct type *t)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < t->nmembers; i++) {
		const struct type_member *m = &t->members[i];

		err = btf__add_field(st->btf, m->name, id_of(st, m->type), (uint32_t)m->bit_off,
				     m->bits);
	}
	return err;
}

static int add_struct(struct store *st, struct type *t)
{
	uint32_t size = (uint32_t)type_sizeof(st->ts, t);
	int id = t->kind == TYPE_UNION ? btf__add_union(st->btf, t->name, size)
				       : btf__add_struct(st->btf, t->name, size);

	return id < 0 || t->btf_id ? id : add_members(st, t);
}

static int add_enum(struct store *st, const struct type *t)
{
	int err = btf__add_enum(st->btf, t->name, (uint32_t)t->size);

	for (unsigned int i = 0; err >= 0 && !t->btf_id && i < t->nenums; i++)
		err = btf__add_enum_value(st->btf, t->enums[i].name, t->enums[i].value);
	return err;
}

static int add_func(struct store *st, const struct type *t)
{
	int err = btf__add_func_proto(st->btf, id_of(st, t->to));

	for (unsigned int i = 0; err >= 0 && i < t->nmembers; i++)
		err =
		    btf__add_func_param(st->btf, t->members[i].name, id_of(st, t->members[i].type));
	if (err >= 0 && t->is_variadic)
		err = btf__add_func_param(st->btf, NULL, 0);
	return err;
}

static int add_array(struct store *st, struct type *elem, uint64_t n)
{
	return btf__add_array(st->btf, id_of(st, type_int(st->ts, 8, false)), id_of(st, elem),
			      (uint32_t)n);
}

/* BTF has a separate type for each qualifier. */
static int add_typedef(struct store *st, const struct type *t)
{
	struct type *to = t->to;

	if (t->quals == (TYPE_CONST | TYPE_VOLATILE))
		to = type_qualified(st->ts, to, TYPE_VOLATILE);
	return t->quals & TYPE_CONST ? btf__add_const(st->btf, id_of(st, to))
	       : t->quals	     ? btf__add_volatile(st->btf, id_of(st, to))
				     : btf__add_typedef(st->btf, t->name, id_of(st, to));
}

/* BTF knows floating-point types of up to 16 bytes.  Complex numbers are larger. */
static int add_float(struct store *st, const struct type *t)
{
	if (t->size <= 16)
		return btf__add_float(st->btf, t->name, t->size);
	return btf__add_struct(st->btf, t->name, (uint32_t)t->size);
}

static int add(struct store *st, struct type *t)
{
	switch (t->kind) {
	case TYPE_INT:
		return btf__add_int(st->btf, t->name, t->size,
				    t->is_bool	   ? BTF_INT_BOOL
				    : t->is_signed ? BTF_INT_SIGNED
						   : 0);
	case TYPE_FLOAT:
		return add_float(st, t);
	case TYPE_PTR:
		return btf__add_ptr(st->btf, id_of(st, t->to));
	case TYPE_ARRAY:
		return add_array(st, t->to, t->nelem);
	case TYPE_STRING:
		return add_array(st, type_int(st->ts, 1, true), type_sizeof(st->ts, t));
	case TYPE_STRUCT:
	case TYPE_UNION:
		return add_struct(st, t);
	case TYPE_ENUM:
		return add_enum(st, t);
	case TYPE_TYPEDEF:
		return add_typedef(st, t);
	case TYPE_FUNC:
		return add_func(st, t);
	case TYPE_FWD:
		return btf__add_fwd(st->btf, t->name,
				    t->is_enum_fwd    ? BTF_FWD_ENUM
				    : t->is_union_fwd ? BTF_FWD_UNION
						      : BTF_FWD_STRUCT);
	case TYPE_VOID:
	case TYPE_STACK:
	case TYPE_SYMADDR:
	case TYPE_USYMADDR:
	case TYPE_DYN:
		break;
	}
	assert(!"not a type that can be declared");
	return -EINVAL;
}

static int write_file(const struct btf *btf, const char *path)
{
	uint32_t n;
	const void *data = btf__raw_data(btf, &n);

	return data && file_replace(path, data, n) ? 0 : -errno;
}

int type_store(struct types *ts, bool is_c, const char *path)
{
	struct store st = {.ts = ts, .btf = btf__new_empty(), .ids = map_new()};
	int err = st.btf ? 0 : -errno;

	for (unsigned int i = 0; i < ts->declared.n; i++)
		if (ts->declared.a[i]->is_c == is_c)
			id_of(&st, ts->declared.a[i]);
	for (unsigned int i = 0; err >= 0 && i < st.list.n; i++)
		err = add(&st, st.list.a[i]);
	if (err >= 0)
		err = write_file(st.btf, path);
	btf__free(st.btf);
	map_free(st.ids);
	vec_free(&st.list);
	return err < 0 ? err : 0;
}
