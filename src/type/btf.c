/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf.c: kernel types from BTF.  A type is converted when it is named, and its members when they
 * are needed (type_resolve).  A program that follows two pointers therefore converts a handful of
 * the kernel's hundred thousand types.
 *
 * restrict is dropped.  A type tag "user" on the target of a pointer makes it a userland pointer.
 * Integers become the built-in types, so `int` of the kernel is `int` of D.
 */
#include <assert.h>
#include <bpf/btf.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/mem.h"
#include "kern/kern.h"
#include "type/priv.h"

struct type *type_btf_lookup(struct types *ts, const char *module, const char *name,
			     unsigned int kind)
{
	uint32_t id = ts->kern && module ? kern_btf_find_in(ts->kern, module, name, kind) : 0;

	if (ts->kern && !id)
		id = kern_btf_find(ts->kern, name, kind);
	if (ts->kern && !id)
		id = kern_btf_find_modules(ts->kern, name, kind, false);
	return id ? type_from_btf(ts, id) : NULL;
}

struct type *type_btf_of_modules(struct types *ts, const char *name, unsigned int kind, bool all)
{
	uint32_t id = ts->kern ? kern_btf_find_modules(ts->kern, name, kind, all) : 0;

	return id ? type_from_btf(ts, id) : NULL;
}

static const char *name_of(struct types *ts, uint32_t off)
{
	const char *s = kern_btf_name(ts->kern, off);

	return *s ? intern_str(ts->names, s) : NULL;
}

struct type *type_int_of(struct types *ts, const char *name, uint32_t size, bool is_signed,
			 bool is_bool)
{
	struct type *t = name ? type_int_named(ts, name) : NULL;

	if (t && t->kind == TYPE_INT && t->size == size)
		return t;
	if (is_bool)
		return ts->t_bool;
	if (size == 1 || size == 2 || size == 4 || size == 8)
		return type_int(ts, size, is_signed);
	t = type_new(ts, TYPE_INT, name ? name : "int");
	t->size = size;
	t->align = size;
	t->is_signed = is_signed;
	t->rank = 6;
	return t;
}

static struct type *conv_int(struct types *ts, const struct btf_type *bt)
{
	return type_int_of(ts, name_of(ts, bt->name_off), bt->size,
			   btf_int_encoding(bt) & BTF_INT_SIGNED,
			   btf_int_encoding(bt) & BTF_INT_BOOL);
}

static struct type *conv_ptr(struct types *ts, const struct btf_type *bt)
{
	const struct btf_type *to = kern_btf_type(ts->kern, bt->type);
	struct type *t;

	t = type_ptr(ts, bt->type ? type_from_btf(ts, bt->type) : ts->t_void);
	for (unsigned int depth = 0; to && depth < 8; depth++) {
		unsigned int kind = btf_kind(to);

		if (kind == BTF_KIND_TYPE_TAG &&
		    strcmp(kern_btf_name(ts->kern, to->name_off), "user") == 0)
			return type_userland(ts, t);
		if (kind != BTF_KIND_TYPE_TAG && kind != BTF_KIND_CONST &&
		    kind != BTF_KIND_VOLATILE)
			break;
		to = kern_btf_type(ts->kern, to->type);
	}
	return t;
}

/* Returns a structure, union or enum without its members. */
static struct type *conv_shell(struct types *ts, const struct btf_type *bt, enum type_kind kind)
{
	const char *name = name_of(ts, bt->name_off);
	struct type *t = type_new(ts, kind, name);

	t->size = bt->size;
	t->loaded = false;
	t->align = kind == TYPE_ENUM ? bt->size : 0;
	return t;
}

/* Parameters load at once.  Only structures, which load later, can lead back to the function. */
static void load_params(struct types *ts, struct type *t, const struct btf_type *bt)
{
	const struct btf_param *bp = btf_params(bt);
	unsigned int n = btf_vlen(bt);

	if (n && !bp[n - 1].type) {
		t->is_variadic = true;
		n--;
	}
	t->to = bt->type ? type_from_btf(ts, bt->type) : ts->t_void;
	t->nmembers = n;
	t->members = arena_new_arr(ts->arena, struct type_member, n);
	for (unsigned int i = 0; i < n; i++) {
		t->members[i].name = name_of(ts, bp[i].name_off);
		t->members[i].type = type_from_btf(ts, bp[i].type);
	}
}

static struct type *convert(struct types *ts, uint32_t id, const struct btf_type *bt)
{
	struct type *t;

	switch (btf_kind(bt)) {
	case BTF_KIND_INT:
		return conv_int(ts, bt);
	case BTF_KIND_PTR:
		return conv_ptr(ts, bt);
	case BTF_KIND_ARRAY:
		return type_array(ts, type_from_btf(ts, btf_array(bt)->type),
				  btf_array(bt)->nelems);
	case BTF_KIND_STRUCT:
		t = conv_shell(ts, bt, TYPE_STRUCT);
		break;
	case BTF_KIND_UNION:
		t = conv_shell(ts, bt, TYPE_UNION);
		break;
	case BTF_KIND_ENUM:
		t = conv_shell(ts, bt, TYPE_ENUM);
		/* Linux before 6.0 does not record the sign, so 32 bits count as int. */
		t->is_signed = btf_kflag(bt) || bt->size >= 4;
		break;
	case BTF_KIND_ENUM64:
		t = conv_shell(ts, bt, TYPE_ENUM);
		t->is_signed = btf_kflag(bt);
		break;
	case BTF_KIND_FWD:
		t = type_new(ts, TYPE_FWD, name_of(ts, bt->name_off));
		t->is_union_fwd = btf_kflag(bt);
		break;
	case BTF_KIND_TYPEDEF:
		t = map_get_str(ts->builtin, kern_btf_name(ts->kern, bt->name_off));
		if (t)
			return t;
		t = type_typedef(ts, name_of(ts, bt->name_off),
				 bt->type ? type_from_btf(ts, bt->type) : ts->t_void);
		break;
	case BTF_KIND_FUNC_PROTO:
		t = type_new(ts, TYPE_FUNC, NULL);
		load_params(ts, t, bt);
		break;
	case BTF_KIND_FLOAT:
		t = type_new(ts, TYPE_FLOAT, name_of(ts, bt->name_off));
		t->size = t->align = bt->size;
		break;
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
		return type_qualified(ts, bt->type ? type_from_btf(ts, bt->type) : ts->t_void,
				      btf_kind(bt) == BTF_KIND_CONST ? TYPE_CONST : TYPE_VOLATILE);
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
	case BTF_KIND_FUNC:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return bt->type ? type_from_btf(ts, bt->type) : ts->t_void;
	default:
		return ts->t_void;
	}
	t->btf_id = id;
	return t;
}

/* Most of the table is never touched and takes no memory. */
static void grow(struct types *ts, uint32_t n)
{
	struct type **by_id = mem_alloc(n * sizeof(*by_id));

	if (ts->nids)
		memcpy(by_id, ts->by_id, ts->nids * sizeof(*by_id));
	mem_free(ts->by_id);
	ts->by_id = by_id;
	ts->nids = n;
}

struct type *type_from_btf(struct types *ts, uint32_t id)
{
	const struct btf_type *bt = ts->kern && id ? kern_btf_type(ts->kern, id) : NULL;
	struct type *t;

	if (!bt)
		return ts->t_void;
	if (id >= ts->nids)
		grow(ts, kern_btf_end(ts->kern));
	if (ts->by_id[id])
		return ts->by_id[id];
	t = convert(ts, id, bt);
	ts->by_id[id] = t;
	return t;
}

/* The integer of a bit-field in the old encoding (kind_flag 0) may have the width itself. */
static unsigned int int_bits(struct types *ts, uint32_t id, unsigned int *off)
{
	const struct btf_type *bt = kern_btf_type(ts->kern, id);

	*off = 0;
	while (bt && (btf_kind(bt) == BTF_KIND_TYPEDEF || btf_kind(bt) == BTF_KIND_CONST ||
		      btf_kind(bt) == BTF_KIND_VOLATILE))
		bt = kern_btf_type(ts->kern, bt->type);
	if (!bt || btf_kind(bt) != BTF_KIND_INT || btf_int_bits(bt) == bt->size * 8)
		return 0;
	*off = btf_int_offset(bt);
	return btf_int_bits(bt);
}

static void load_members(struct types *ts, struct type *t, const struct btf_type *bt)
{
	const struct btf_member *bm = btf_members(bt);

	t->nmembers = btf_vlen(bt);
	t->members = arena_new_arr(ts->arena, struct type_member, t->nmembers);
	for (unsigned int i = 0; i < t->nmembers; i++) {
		struct type_member *m = &t->members[i];
		unsigned int off;

		m->name = name_of(ts, bm[i].name_off);
		m->type = type_from_btf(ts, bm[i].type);
		m->bit_off = btf_member_bit_offset(bt, i);
		m->bits = btf_member_bitfield_size(bt, i);
		if (!m->bits && !btf_kflag(bt)) {
			m->bits = int_bits(ts, bm[i].type, &off);
			m->bit_off += off;
		}
		if (m->bits && m->bits == m->type->size * 8 && m->bit_off % m->bits == 0)
			m->bits = 0;
	}
}

static void load_enum(struct types *ts, struct type *t, const struct btf_type *bt)
{
	t->nenums = btf_vlen(bt);
	t->enums = arena_new_arr(ts->arena, struct type_enumerator, t->nenums);
	for (unsigned int i = 0; i < t->nenums; i++) {
		struct type_enumerator *e = &t->enums[i];

		if (btf_kind(bt) == BTF_KIND_ENUM64) {
			const struct btf_enum64 *be = &btf_enum64(bt)[i];

			e->name = name_of(ts, be->name_off);
			e->value = (int64_t)btf_enum64_value(be);
		} else {
			const struct btf_enum *be = &btf_enum(bt)[i];

			e->name = name_of(ts, be->name_off);
			e->value = btf_kflag(bt) ? be->val : (int64_t)(uint32_t)be->val;
		}
	}
}

void type_btf_load(struct types *ts, struct type *t)
{
	const struct btf_type *bt = kern_btf_type(ts->kern, t->btf_id);

	assert(bt && !t->loaded);
	t->loaded = true;
	switch (t->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		load_members(ts, t, bt);
		break;
	default:
		assert(t->kind == TYPE_ENUM);
		load_enum(ts, t, bt);
		break;
	}
}
