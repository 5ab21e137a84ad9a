/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sound.c: checks the BTF of another machine.  The local kernel has checked its own BTF
 * (kernel/bpf/btf.c), but an agent can send anything.
 *
 * Two walks follow the references of each type.  The first follows everything that type/btf.c
 * converts at once: all but the members of structures.  The second follows the contents of a value:
 * all but pointers.  No walk may return to a type that it is inside, or go deeper than any real
 * type.
 */
#include <bpf/btf.h>

#include "base/mem.h"
#include "kern/priv.h"

#define DEPTH_MAX 64
#define ARRAY_MAX (1ULL << 40) /* bytes of an array; larger ones could overflow */

/* States of a type.  DONE plus the length of the longest walk from the type is its final state. */
enum { NEW, ENTERED, DONE };

struct check {
	const struct kern_btf *b;
	uint8_t *converted, *contained; /* state of each type, per walk */
};

/* Returns a type of this file, else NULL.  Other types are sound, or do not exist. */
static const struct btf_type *own(const struct check *c, uint32_t id)
{
	return id && id - c->b->first < c->b->count ? kern_btf_at(c->b, id) : NULL;
}

static const struct btf_type *any(const struct check *c, uint32_t id)
{
	const struct kern_btf *base = c->b->base;

	return base && id && id < base->count ? kern_btf_at(base, id) : own(c, id);
}

/* Returns the bytes of a value. */
static uint64_t size_of(const struct check *c, uint32_t id)
{
	const struct btf_type *t = any(c, id);
	uint64_t n = 1;

	for (unsigned int depth = 0; t && depth < DEPTH_MAX; depth++) {
		switch (btf_kind(t)) {
		case BTF_KIND_ARRAY:
			n *= btf_array(t)->nelems;
			t = n > ARRAY_MAX ? NULL : any(c, btf_array(t)->type);
			break;
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			t = any(c, t->type);
			break;
		case BTF_KIND_PTR:
			return n * 8;
		case BTF_KIND_INT:
		case BTF_KIND_FLOAT:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
			return n * t->size;
		default:
			return 0;
		}
	}
	return n > ARRAY_MAX ? n : 0;
}

/* Visits a type.  Returns the length of the longest walk from it, -1 if it is not sound. */
static int visit(struct check *c, uint8_t *states, uint32_t id, unsigned int depth);

static int larger(int a, int b)
{
	return a < 0 || b < 0 ? -1 : a > b ? a : b;
}

static int visit_params(struct check *c, uint8_t *states, const struct btf_type *t,
			unsigned int depth)
{
	int most = visit(c, states, t->type, depth);

	for (unsigned int i = 0; most >= 0 && i < btf_vlen(t); i++)
		most = larger(most, visit(c, states, btf_params(t)[i].type, depth));
	return most;
}

/* Returns true if a member lies in the structure. */
static bool is_inside(const struct check *c, const struct btf_type *t, unsigned int member)
{
	uint64_t all = t->size * 8ULL, off = btf_member_bit_offset(t, member);
	uint64_t bits = btf_member_bitfield_size(t, member);
	uint32_t id = btf_members(t)[member].type;
	const struct btf_type *mt = any(c, id);

	if (!bits)
		bits = size_of(c, id) * 8;
	/* In the old encoding of bit-fields the integer has the width. */
	if (mt && btf_kind(mt) == BTF_KIND_INT && !btf_kflag(t))
		bits = btf_int_offset(mt) + btf_int_bits(mt);
	return off <= all && bits <= all - off;
}

static int visit_members(struct check *c, const struct btf_type *t, unsigned int depth)
{
	int most = 0;

	for (unsigned int i = 0; most >= 0 && i < btf_vlen(t); i++)
		most = is_inside(c, t, i)
			   ? larger(most, visit(c, c->contained, btf_members(t)[i].type, depth))
			   : -1;
	return most;
}

static bool is_int(const struct btf_type *t)
{
	return t->size && t->size <= 16 && !(t->size & (t->size - 1)) &&
	       btf_int_offset(t) + btf_int_bits(t) <= t->size * 8;
}

static int visit_type(struct check *c, uint8_t *states, const struct btf_type *t,
		      unsigned int depth)
{
	bool is_converting = states == c->converted;
	const struct btf_type *to;

	switch (btf_kind(t)) {
	case BTF_KIND_INT:
		return is_int(t) ? 0 : -1;
	case BTF_KIND_ARRAY:
		return visit(c, states, btf_array(t)->type, depth);
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		return visit(c, states, t->type, depth);
	case BTF_KIND_PTR:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return is_converting ? visit(c, states, t->type, depth) : 0;
	case BTF_KIND_FUNC:
		to = any(c, t->type);
		if (!to || btf_kind(to) != BTF_KIND_FUNC_PROTO)
			return -1;
		return is_converting ? visit(c, states, t->type, depth) : 0;
	case BTF_KIND_FUNC_PROTO:
		return is_converting ? visit_params(c, states, t, depth) : 0;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return is_converting ? 0 : visit_members(c, t, depth);
	default:
		return 0;
	}
}

static int visit(struct check *c, uint8_t *states, uint32_t id, unsigned int depth)
{
	const struct btf_type *t = own(c, id);
	uint8_t *state = t ? &states[id - c->b->first] : NULL;
	int most;

	if (!t)
		return 0;
	if (*state >= DONE)
		return *state - DONE;
	if (*state == ENTERED || depth > DEPTH_MAX)
		return -1;
	*state = ENTERED;
	most = visit_type(c, states, t, depth + 1);
	if (most < 0 || most >= DEPTH_MAX)
		return -1;
	*state = (uint8_t)(DONE + most + 1);
	return most + 1;
}

bool kern_btf_is_sound(const struct kern_btf *b)
{
	struct check c = {.b = b};
	bool ok = true;

	c.converted = mem_alloc(b->count);
	c.contained = mem_alloc(b->count);
	for (uint32_t i = 0; ok && i < b->count; i++)
		ok = visit(&c, c.converted, b->first + i, 0) >= 0 &&
		     visit(&c, c.contained, b->first + i, 0) >= 0;
	mem_free(c.converted);
	mem_free(c.contained);
	return ok;
}
