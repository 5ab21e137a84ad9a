/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * types.c: the table of types.  Names are looked up in this order: program declarations, built-in
 * types, the kernel.  Tagged types are entered as "struct x", "union x", "enum x".  Derived types
 * are made once, so that equal types are the same pointer.  A pointer is kept in the type that it
 * points to, arrays are kept in a map.
 */
#include <assert.h>
#include <linux/btf.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/mem.h"
#include "kern/kern.h"
#include "type/priv.h"

#define VIRTUALS_MAX 16	  /* nesting of base classes that are searched */
#define LOOKS_MAX    4096 /* of them in all */

struct types *types_new(struct arena *a, struct intern *names, struct kern *kern)
{
	struct types *ts = arena_new_obj(a, struct types);

	ts->arena = a;
	ts->names = names;
	ts->kern = kern;
	ts->program = map_new();
	ts->builtin = map_new();
	ts->enums = map_new();
	ts->arrays = map_new();
	ts->userland = map_new();
	ts->qualified = map_new();
	ts->of_programs = map_new();
	ts->of_objects = map_new();
	ts->strsize = 256;
	type_builtin_init(ts);
	return ts;
}

void types_free(struct types *ts)
{
	if (!ts)
		return;
	map_free(ts->program);
	map_free(ts->builtin);
	map_free(ts->enums);
	map_free(ts->arrays);
	map_free(ts->userland);
	map_free(ts->qualified);
	map_free(ts->of_programs);
	map_free(ts->of_objects);
	mem_free(ts->by_id);
	vec_free(&ts->declared);
	vec_free(&ts->with_string);
}

struct type *type_new(struct types *ts, enum type_kind kind, const char *name)
{
	struct type *t = arena_new_obj(ts->arena, struct type);

	t->kind = kind;
	t->name = name ? intern_str(ts->names, name) : NULL;
	t->align = 1;
	t->loaded = true;
	return t;
}

struct type *type_typedef(struct types *ts, const char *name, struct type *to)
{
	struct type *t = type_new(ts, TYPE_TYPEDEF, name);

	t->to = to;
	t->size = to->size;
	t->align = to->align;
	t->is_userland = to->is_userland;
	t->levels = to->levels + 1;
	return t;
}

struct type *type_void(struct types *ts)
{
	return ts->t_void;
}

struct type *type_int(struct types *ts, unsigned int size, bool is_signed)
{
	assert(size <= 8 && ts->ints[size][is_signed]);
	return ts->ints[size][is_signed];
}

struct type *type_int_named(struct types *ts, const char *name)
{
	return map_get_str(ts->builtin, name);
}

struct type *type_string(struct types *ts)
{
	return ts->t_string;
}

struct type *type_stack(struct types *ts)
{
	return ts->t_stack;
}

struct type *type_dyn(struct types *ts)
{
	return ts->t_dyn;
}

struct type *type_ptr(struct types *ts, struct type *to)
{
	if (!to->ptr) {
		struct type *t = type_new(ts, TYPE_PTR, NULL);

		t->size = t->align = 8;
		t->to = to;
		to->ptr = t;
	}
	return to->ptr;
}

static bool holds_string(struct types *ts, struct type *t)
{
	const struct type *b = type_base(t);

	if (b->kind == TYPE_FWD)
		b = type_resolve(ts, t);
	return b->kind == TYPE_STRING || b->has_string;
}

static void note_string(struct types *ts, struct type *t)
{
	if (!t->has_string)
		vec_push(&ts->with_string, t);
	t->has_string = true;
}

struct type *type_array(struct types *ts, struct type *elem, uint64_t n)
{
	struct {
		struct type *elem;
		uint64_t n;
	} key = {elem, n};
	struct type *t = map_get(ts->arrays, &key, sizeof(key));

	if (t)
		return t;
	t = type_new(ts, TYPE_ARRAY, NULL);
	t->to = elem;
	t->nelem = n;
	t->size = type_sizeof(ts, elem) * n;
	t->align = elem->align;
	t->levels = elem->levels + 1;
	if (holds_string(ts, elem))
		note_string(ts, t);
	map_set(ts->arrays, &key, sizeof(key), t);
	return t;
}

struct type *type_userland(struct types *ts, struct type *t)
{
	struct type *u;

	if (t->is_userland)
		return t;
	u = map_get_int(ts->userland, (uintptr_t)t);
	if (u)
		return u;
	u = arena_new_obj(ts->arena, struct type);
	*u = *t;
	u->ptr = NULL;
	u->is_userland = true;
	if (t->kind == TYPE_TYPEDEF)
		u->to = type_userland(ts, t->to);
	map_set_int(ts->userland, (uintptr_t)t, u);
	return u;
}

struct type *type_qualified(struct types *ts, struct type *t, unsigned int quals)
{
	struct {
		struct type *t;
		uint64_t quals;
	} key = {t, quals};
	struct type *q;

	if (t->quals)
		return type_qualified(ts, t->to, t->quals | quals);
	/*
	 * A qualified array has qualified elements.  Functions and values without a type have no
	 * qualifiers.
	 */
	if (t->kind == TYPE_ARRAY)
		return type_array(ts, type_qualified(ts, t->to, quals), t->nelem);
	if (!quals || t->kind == TYPE_FUNC || t->kind == TYPE_DYN)
		return t;
	q = map_get(ts->qualified, &key, sizeof(key));
	if (!q) {
		q = type_typedef(ts, NULL, t);
		q->quals = quals;
		map_set(ts->qualified, &key, sizeof(key), q);
	}
	return q;
}

/* Returns x of "mod`x". */
static const char *without_module(const char *s)
{
	const char *q = strrchr(s, '`');

	return q ? q + 1 : s;
}

/*
 * Returns the module, or NULL if the name has no kernel module.  D`x and C`x are types of programs.
 */
static const char *module_of(struct types *ts, const char *s)
{
	const char *q = strrchr(s, '`');

	if (!q || (q == s + 1 && (*s == 'D' || *s == 'C')))
		return NULL;
	return arena_strndup(ts->arena, s, (size_t)(q - s));
}

void types_set_find(struct types *ts, type_find_fn *find, void *ctx)
{
	ts->find = find;
	ts->find_ctx = ctx;
}

struct found {
	bool is_object;
	struct type *type;
};

/* Results are cached: searching an object is slow, and the parser repeats its look-ups. */
static const struct found *find_in_object(struct types *ts, const char *name)
{
	const char *tick = strrchr(name, '`'), *space = strchr(name, ' ');
	const char *from = space && space < tick ? space + 1 : name;
	struct found *f = map_get_str(ts->of_objects, name);

	if (f)
		return f;
	f = arena_new_obj(ts->arena, struct found);
	if (ts->find && tick && tick > from)
		f->is_object =
		    ts->find(ts->find_ctx, arena_strndup(ts->arena, from, (size_t)(tick - from)),
			     arena_printf(ts->arena, "%.*s%s", (int)(from - name), name, tick + 1),
			     &f->type);
	map_set_str(ts->of_objects, arena_strdup(ts->arena, name), f);
	return f;
}

bool type_is_of_object(struct types *ts, const char *name)
{
	return strchr(name, '`') && find_in_object(ts, name)->is_object;
}

/* Types of a kernel module take precedence over declarations of a program. */
struct type *type_lookup(struct types *ts, const char *name)
{
	static const struct {
		const char *prefix;
		int kind, kind2;
	} tags[] = {
	    {"struct ", BTF_KIND_STRUCT, 0},
	    {"union ", BTF_KIND_UNION, 0},
	    {"enum ", BTF_KIND_ENUM, BTF_KIND_ENUM64},
	    {"", BTF_KIND_TYPEDEF, 0},
	};
	char tagged[192];

	if (type_is_of_object(ts, name))
		return find_in_object(ts, name)->type;
	for (unsigned int i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		size_t n = strlen(tags[i].prefix);
		const char *base, *full, *module;
		struct type *t;

		if (strncmp(name, tags[i].prefix, n) != 0)
			continue;
		base = without_module(name + n);
		full = base;
		if (n) {
			snprintf(tagged, sizeof(tagged), "%s%s", tags[i].prefix, base);
			full = tagged;
		}
		module = module_of(ts, name + n);
		t = module ? NULL : map_get_str(ts->program, full);
		if (!t)
			t = map_get_str(ts->builtin, full);
		if (!t)
			t = type_btf_lookup(ts, module, base, (unsigned int)tags[i].kind);
		if (!t && tags[i].kind2)
			t = type_btf_lookup(ts, module, base, (unsigned int)tags[i].kind2);
		return t || !module ? t : map_get_str(ts->program, full);
	}
	assert(!"no empty prefix");
	return NULL;
}

struct type *type_lookup_program(struct types *ts, const char *name)
{
	return map_get_str(ts->program, name);
}

void type_define(struct types *ts, const char *name, struct type *t, bool is_c)
{
	t->is_c = is_c;
	vec_push(&ts->declared, t);
	map_set_str(ts->program, name, t);
}

void type_add_enumerators(struct types *ts, struct type *t)
{
	for (unsigned int i = 0; i < t->nenums; i++) {
		struct type_enum_ref *r = arena_new_obj(ts->arena, struct type_enum_ref);

		r->type = t;
		r->value = t->enums[i].value;
		map_set_str(ts->enums, t->enums[i].name, r);
	}
}

struct type *type_enumerator(struct types *ts, const char *name, int64_t *value)
{
	struct type_enum_ref *r = map_get_str(ts->enums, without_module(name));
	uint32_t id;

	if (r) {
		*value = r->value;
		return r->type;
	}
	id = ts->kern ? kern_btf_enumerator(ts->kern, without_module(name), value) : 0;
	return id ? type_from_btf(ts, id) : NULL;
}

void type_set_strsize(struct types *ts, uint64_t size)
{
	ts->strsize = size;
	for (unsigned int i = 0; i < ts->with_string.n; i++) {
		struct type *t = ts->with_string.a[i];

		if (t->kind == TYPE_ARRAY)
			t->size = type_sizeof(ts, t->to) * t->nelem;
		else
			type_layout(ts, t);
	}
}

uint64_t type_sizeof(struct types *ts, struct type *t)
{
	const struct type *b = type_base(t);

	if (b->kind == TYPE_STRING)
		return ts->strsize;
	if (b->kind == TYPE_VOID || b->kind == TYPE_FUNC || b->kind == TYPE_DYN)
		return 0;
	if (b->kind == TYPE_FWD)
		b = type_resolve(ts, t);
	return b->kind == TYPE_FWD ? 0 : b->size;
}

/*
 * Returns the definition of a structure that was only named.  It may have been defined since, or be
 * in a module.  For names of a program all modules are searched, otherwise only modules in use.
 */
static struct type *resolve_fwd(struct types *ts, struct type *t)
{
	unsigned int kind = t->is_union_fwd ? BTF_KIND_UNION : BTF_KIND_STRUCT;
	char full[192];
	struct type *def;

	if (!t->name)
		return t;
	snprintf(full, sizeof(full), "%s %s",
		 t->is_enum_fwd	   ? "enum"
		 : t->is_union_fwd ? "union"
				   : "struct",
		 t->name);
	def = type_lookup(ts, full);
	if ((!def || def->kind == TYPE_FWD) && !t->is_enum_fwd && !strchr(t->name, '`'))
		def = type_btf_of_modules(ts, t->name, kind, !t->btf_id);
	return def ? def : t;
}

struct type *type_resolve(struct types *ts, struct type *t)
{
	while (t->kind == TYPE_TYPEDEF)
		t = t->to;
	if (t->kind == TYPE_FWD)
		t = resolve_fwd(ts, t);
	if (!t->loaded && t->source)
		type_info_load(ts, t);
	else if (!t->loaded)
		type_btf_load(ts, t);
	return t;
}

static const struct type_member *find_member(struct types *ts, struct type *t, const char *name,
					     uint64_t *off, unsigned int depth)
{
	t = type_resolve(ts, t);
	if (t->kind != TYPE_STRUCT && t->kind != TYPE_UNION)
		return NULL;
	for (unsigned int i = 0; i < t->nmembers; i++) {
		const struct type_member *m = &t->members[i], *in;

		if (m->name) {
			if (strcmp(m->name, name) == 0) {
				*off = m->bit_off;
				return m;
			}
			continue;
		}
		in = depth < 16 ? find_member(ts, m->type, name, off, depth + 1) : NULL;
		if (in) {
			*off += m->bit_off;
			return in;
		}
	}
	return NULL;
}

const struct type_member *type_member(struct types *ts, struct type *t, const char *name,
				      uint64_t *bit_off)
{
	*bit_off = 0;
	return find_member(ts, t, name, bit_off, 0);
}

/* A search in virtual base classes.  Debug information can contain circles of them. */
struct search {
	struct types *ts;
	const char *name;
	const struct type_member *found;
	uint64_t bit_off;
	unsigned int depth, looks;
};

static const struct type_step *find_virtual(struct search *s, struct type *t);

static const struct type_step *find_below(struct search *s, struct type *t)
{
	const struct type_step *res = NULL;

	if (s->depth < VIRTUALS_MAX && s->looks++ < LOOKS_MAX) {
		s->depth++;
		res = find_virtual(s, t);
		s->depth--;
	}
	return res;
}

static const struct type_step *find_virtual(struct search *s, struct type *t)
{
	struct type_step step = {0}, *res;
	bool is_there = false;

	t = type_resolve(s->ts, t);
	if (t->kind != TYPE_STRUCT && t->kind != TYPE_UNION)
		return NULL;
	for (unsigned int i = 0; i < t->nvirtuals && !is_there; i++) {
		step.before_table = t->virtuals[i].before_table;
		s->found = type_member(s->ts, t->virtuals[i].type, s->name, &s->bit_off);
		if (!s->found)
			step.next = find_below(s, t->virtuals[i].type);
		is_there = s->found;
	}
	for (unsigned int i = 0; i < t->nmembers && !is_there; i++) {
		const struct type_step *in =
		    t->members[i].name ? NULL : find_below(s, t->members[i].type);

		is_there = in;
		if (in)
			step = *in;
		step.off += in ? t->members[i].bit_off / 8 : 0;
	}
	if (!is_there)
		return NULL;
	res = arena_new_obj(s->ts->arena, struct type_step);
	*res = step;
	return res;
}

const struct type_step *type_virtual(struct types *ts, struct type *t, const char *name,
				     const struct type_member **m, uint64_t *bit_off)
{
	struct search s = {.ts = ts, .name = name};
	const struct type_step *steps = find_virtual(&s, t);

	*m = s.found;
	*bit_off = s.bit_off;
	return steps;
}

static uint64_t round_up(uint64_t n, uint64_t align)
{
	return (n + align - 1) / align * align;
}

/*
 * Returns the alignment of an object of type t.  Neither BTF nor debug information record it for
 * structures; a member at an odd place belongs to a packed structure.
 */
static unsigned int alignment(struct types *ts, struct type *t)
{
	unsigned int most = 1;

	t = type_resolve(ts, t);
	if (t->kind == TYPE_ARRAY)
		return alignment(ts, t->to);
	if (t->align || (t->kind != TYPE_STRUCT && t->kind != TYPE_UNION))
		return t->align ? t->align : 1;
	for (unsigned int i = 0; i < t->nmembers; i++) {
		const struct type_member *m = &t->members[i];
		unsigned int align = alignment(ts, m->type);
		bool is_packed = t->size % align || (!m->bits && m->bit_off % (align * 8));

		if (align > most && !is_packed)
			most = align;
	}
	t->align = most;
	return most;
}

/* Bit-fields follow the psABI of x86-64 and arm64: they never cross a unit of their type. */
void type_layout(struct types *ts, struct type *t)
{
	uint64_t bits = 0, end = 0;
	unsigned int align = 1;

	assert(t->kind == TYPE_STRUCT || t->kind == TYPE_UNION);
	for (unsigned int i = 0; i < t->nmembers; i++) {
		struct type_member *m = &t->members[i];
		uint64_t size = type_sizeof(ts, m->type), unit = size * 8, start = bits;
		unsigned int malign = alignment(ts, m->type);

		if (t->kind == TYPE_UNION)
			start = 0;
		if (m->bits) {
			if (start / unit != (start + m->bits - 1) / unit)
				start = round_up(start, unit);
			bits = start + m->bits;
		} else {
			start = round_up(start, malign * 8);
			bits = start + unit;
		}
		m->bit_off = start;
		if (m->type->levels >= t->levels)
			t->levels = m->type->levels + 1;
		if (holds_string(ts, m->type))
			note_string(ts, t);
		if (malign > align && (m->name || !m->bits))
			align = malign;
		if (bits > end)
			end = bits;
	}
	t->align = align;
	t->size = round_up((end + 7) / 8, align);
}
