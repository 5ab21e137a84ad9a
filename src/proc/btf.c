/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf.c: types of programs from BTF.  The data is copied, since linkers append the parts of units
 * without alignment, and walked once.  Ids and names that lead out of it are ignored.
 *
 * A type is identified by the number of the part in the upper half, and its id there.
 */
#include <string.h>

#include "base/btf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "proc/info_priv.h"

#define LEVELS_MAX 16 /* nesting of types that are compared */

struct part {
	void *data;
	struct btf_parts in;
	VEC(const struct btf_type *) types; /* by id - 1 */
};

struct btf_info {
	VEC(struct part) parts;
};

void btf_info_close(struct btf_info *in)
{
	if (!in)
		return;
	for (unsigned int i = 0; i < in->parts.n; i++) {
		mem_free(in->parts.a[i].data);
		vec_free(&in->parts.a[i].types);
	}
	vec_free(&in->parts);
	mem_free(in);
}

static bool read_types(struct part *p)
{
	size_t left = p->in.len, size;
	const char *at = p->in.types;

	for (; left >= sizeof(struct btf_type); at += size, left -= size) {
		const struct btf_type *t = (const void *)at;

		size = btf_bytes_of(t);
		if (size > left)
			return false;
		vec_push(&p->types, t);
	}
	return left == 0;
}

struct btf_info *btf_info_open(const void *data, size_t size)
{
	struct btf_info *in = mem_alloc(sizeof(*in));
	struct part p = {0};

	while (btf_parts_of(&p.in, data, size)) {
		data = (const char *)data + p.in.size;
		size -= p.in.size;
		p.data = mem_alloc(p.in.size);
		memcpy(p.data, (const char *)data - p.in.size, p.in.size);
		btf_parts_of(&p.in, p.data, p.in.size);
		if (!read_types(&p))
			p.types.n = 0;
		vec_push(&in->parts, p);
		memset(&p, 0, sizeof(p));
	}
	if (in->parts.n)
		return in;
	btf_info_close(in);
	return NULL;
}

/* ---- types ---- */

static info_ref ref_of(unsigned int part, uint32_t id)
{
	return id ? (uint64_t)part << 32 | id : 0;
}

static const char *text(const struct part *p, uint32_t off)
{
	return off && off < p->in.str_len && p->in.strs[off] ? p->in.strs + off : NULL;
}

/* Returns NULL if there is none. */
static const struct btf_type *type_of(struct btf_info *in, info_ref ref, unsigned int *part)
{
	uint32_t id = (uint32_t)ref;

	*part = (unsigned int)(ref >> 32);
	return id && *part < in->parts.n && id <= in->parts.a[*part].types.n
		   ? in->parts.a[*part].types.a[id - 1]
		   : NULL;
}

static void set_int(const struct btf_type *t, struct info_type *res)
{
	unsigned int encoding = btf_int_encoding(t);

	res->kind = INFO_INT;
	res->size = t->size;
	res->is_signed = encoding & BTF_INT_SIGNED;
	res->is_bool = encoding & BTF_INT_BOOL;
}

static enum info_kind kind_of(const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_PTR:
		return INFO_PTR;
	case BTF_KIND_ARRAY:
		return INFO_ARRAY;
	case BTF_KIND_STRUCT:
		return INFO_STRUCT;
	case BTF_KIND_UNION:
		return INFO_UNION;
	case BTF_KIND_FWD:
		return btf_kflag(t) ? INFO_UNION : INFO_STRUCT;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return INFO_ENUM;
	case BTF_KIND_TYPEDEF:
		return INFO_TYPEDEF;
	case BTF_KIND_CONST:
		return INFO_CONST;
	case BTF_KIND_VOLATILE:
		return INFO_VOLATILE;
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		return INFO_SAME;
	case BTF_KIND_FUNC_PROTO:
		return INFO_FUNC;
	case BTF_KIND_FLOAT:
		return INFO_FLOAT;
	default:
		return INFO_VOID;
	}
}

void btf_info_type(struct btf_info *in, info_ref ref, struct info_type *res)
{
	unsigned int part;
	const struct btf_type *t = type_of(in, ref, &part);

	if (!t)
		return;
	if (btf_kind(t) == BTF_KIND_INT)
		set_int(t, res);
	else
		res->kind = kind_of(t);
	res->name = text(&in->parts.a[part], t->name_off);
	res->is_declared = btf_kind(t) == BTF_KIND_FWD;
	switch (res->kind) {
	case INFO_STRUCT:
	case INFO_UNION:
	case INFO_ENUM:
	case INFO_FLOAT:
		res->size = res->is_declared ? 0 : t->size;
		break;
	case INFO_ARRAY:
		res->to = ref_of(part, btf_array(t)->type);
		break;
	case INFO_PTR:
	case INFO_TYPEDEF:
	case INFO_CONST:
	case INFO_VOLATILE:
	case INFO_SAME:
	case INFO_FUNC:
		res->to = ref_of(part, t->type);
		break;
	case INFO_VOID:
	case INFO_INT:
		break;
	}
}

static struct info_member member(const struct part *p, unsigned int part, const struct btf_type *t,
				 unsigned int i)
{
	const struct btf_member *m = &btf_members(t)[i];

	return (struct info_member){.name = text(p, m->name_off),
				    .type = ref_of(part, m->type),
				    .bit_off = btf_member_bit_offset(t, i),
				    .bits = btf_member_bitfield_size(t, i)};
}

static struct info_member enumerator(const struct part *p, const struct btf_type *t, unsigned int i)
{
	const struct btf_enum *e = &btf_enum(t)[i];

	return (struct info_member){.name = text(p, e->name_off), .value = e->val};
}

static struct info_member enumerator_64(const struct part *p, const struct btf_type *t,
					unsigned int i)
{
	const struct btf_enum64 *e = &btf_enum64(t)[i];

	return (struct info_member){.name = text(p, e->name_off),
				    .value = (int64_t)btf_enum64_value(e)};
}

void btf_info_members(struct btf_info *in, info_ref ref, info_list *list)
{
	unsigned int part;
	const struct btf_type *t = type_of(in, ref, &part);
	const struct part *p = t ? &in->parts.a[part] : NULL;

	if (t && btf_is_array(t))
		vec_push(list, ((struct info_member){.value = btf_array(t)->nelems}));
	else if (t && btf_is_composite(t))
		for (unsigned int i = 0; i < btf_vlen(t); i++)
			vec_push(list, member(p, part, t, i));
	else if (t && btf_is_enum(t))
		for (unsigned int i = 0; i < btf_vlen(t); i++)
			vec_push(list, enumerator(p, t, i));
	else if (t && btf_is_enum64(t))
		for (unsigned int i = 0; i < btf_vlen(t); i++)
			vec_push(list, enumerator_64(p, t, i));
}

/* ---- names ---- */

info_ref btf_info_find(struct btf_info *in, const char *name, bool *is_ambiguous)
{
	struct info_type first = {0};
	const char *tag;
	info_ref res = 0;

	name = info_untag(name, &tag);
	for (unsigned int i = 0; i < in->parts.n; i++)
		for (unsigned int j = 1; j <= in->parts.a[i].types.n; j++) {
			info_ref ref = ref_of(i, j);
			struct info_type t = {0};

			btf_info_type(in, ref, &t);
			if (!t.name || strcmp(t.name, name) != 0 || t.is_declared ||
			    t.kind == INFO_VOID || strcmp(info_tag(t.kind), tag) != 0)
				continue;
			*is_ambiguous = *is_ambiguous ||
					(res && (t.size != first.size || t.kind != first.kind));
			if (!res)
				first = t;
			res = ref;
		}
	return *is_ambiguous ? 0 : res;
}

bool btf_info_variable(struct btf_info *in, const char *symbol, info_ref *type)
{
	for (unsigned int i = 0; i < in->parts.n; i++) {
		const struct part *p = &in->parts.a[i];

		for (unsigned int j = 0; j < p->types.n; j++) {
			const struct btf_type *t = p->types.a[j];
			const char *name = btf_is_var(t) ? text(p, t->name_off) : NULL;

			if (name && strcmp(name, symbol) == 0) {
				*type = ref_of(i, t->type);
				return true;
			}
		}
	}
	return false;
}

/* ---- functions ---- */

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Returns true if two types of different units may be the same. */
static bool alike(struct btf_info *in, info_ref a, info_ref b)
{
	for (unsigned int i = 0; i < LEVELS_MAX && (a || b) && a != b; i++) {
		struct info_type ta = {0}, tb = {0};

		btf_info_type(in, a, &ta);
		btf_info_type(in, b, &tb);
		if (ta.kind != tb.kind || ta.size != tb.size || !same_text(ta.name, tb.name))
			return false;
		a = ta.to;
		b = tb.to;
	}
	return true;
}

static bool same_function(struct btf_info *in, const struct info_function *a,
			  const struct info_function *b)
{
	for (unsigned int i = 0; i < a->params.n && i < b->params.n; i++)
		if (!alike(in, a->params.a[i].type, b->params.a[i].type))
			return false;
	for (unsigned int i = 0; i < a->results.n && i < b->results.n; i++)
		if (!alike(in, a->results.a[i], b->results.a[i]))
			return false;
	return a->params.n == b->params.n && a->results.n == b->results.n;
}

/* The last parameter, for `...`, has no type. */
static void read_proto(const struct part *p, unsigned int part, const struct btf_type *proto,
		       struct info_function *f)
{
	const struct btf_param *params = btf_params(proto);

	for (unsigned int i = 0; i < btf_vlen(proto); i++)
		if (params[i].type)
			vec_push(&f->params,
				 ((struct info_param){.name = text(p, params[i].name_off),
						      .type = ref_of(part, params[i].type)}));
	if (proto->type)
		vec_push(&f->results, ref_of(part, proto->type));
}

static const struct btf_type *proto_of(struct btf_info *in, unsigned int part,
				       const struct btf_type *func, const char *symbol)
{
	const char *name = btf_is_func(func) ? text(&in->parts.a[part], func->name_off) : NULL;
	const struct btf_type *proto =
	    name && strcmp(name, symbol) == 0 ? type_of(in, ref_of(part, func->type), &part) : NULL;

	return proto && btf_is_func_proto(proto) ? proto : NULL;
}

/* If two functions of the symbol differ, the intended one is unknown. */
bool btf_info_function(struct btf_info *in, const char *symbol, struct info_function *res)
{
	bool found = false, same = true;

	for (unsigned int i = 0; i < in->parts.n; i++) {
		const struct part *p = &in->parts.a[i];

		for (unsigned int j = 0; j < p->types.n; j++) {
			const struct btf_type *proto = proto_of(in, i, p->types.a[j], symbol);
			struct info_function other = {0};

			if (!proto)
				continue;
			read_proto(p, i, proto, found ? &other : res);
			same = same && (!found || same_function(in, res, &other));
			found = true;
			info_function_free(&other);
		}
	}
	return found && same;
}
