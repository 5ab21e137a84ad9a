/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vars.c: storage of D variables: globals in one array map, the thread-locals of a thread in one
 * structure, associative arrays in hash maps.  A scalar takes 8 bytes.
 */
#include <assert.h>
#include <linux/bpf.h>

#include "base/arena.h"
#include "base/map.h"
#include "plan/plan.h"

/*
 * Limit of preallocated elements of an array, in bytes.  See BURST_ROWS in aggs.c for the reason.
 * They cost 0.1 ms a megabyte (measured on 6.18).
 */
#define PREALLOC_MAX (16 << 20)

/*
 * Task storage takes values of almost 64 KB (BPF_LOCAL_STORAGE_MAX_VALUE_SIZE, kernel
 * include/linux/bpf_local_storage.h).  Larger thread-locals are in a hash.
 */
#define SELF_STORAGE_MAX 65000

uint32_t plan_type_size(const struct plan *plan, const struct type *t)
{
	if (type_base(t)->kind == TYPE_STRING)
		return plan->opt.strsize - 1;
	return (uint32_t)type_sizeof(plan->env.types, (struct type *)t);
}

#define STACK_MIN 16 /* bytes of a stack of one frame */

void plan_stacks(struct plan *plan)
{
	struct type *t = type_stack(plan->env.types);

	t->size = STACK_MIN;
	for (unsigned int i = 0; i < lang_nstacks(plan->env.lang); i++) {
		const struct expr *e = lang_stack(plan->env.lang, i);
		uint32_t size = plan_item(plan, e, false).size;

		t->size = size > t->size ? size : t->size;
	}
}

bool plan_is_text(const struct type *t)
{
	return type_is_stringlike(t) && !type_is_pointer(t);
}

/* A byte after the text of a string variable says if the variable is NULL. */
uint32_t plan_var_size(const struct plan *plan, const struct type *t)
{
	if (type_is_string(t))
		return (plan->opt.strsize + 1 + 7) & ~7U;
	return type_is_scalar(t) ? 8 : (plan_type_size(plan, t) + 7) & ~7U;
}

bool plan_is_variable(const struct expr *e)
{
	return e->kind == EXPR_IDENT || (e->kind == EXPR_INDEX && e->ident && e->ident->is_assoc);
}

uint32_t plan_str_room(const struct plan *plan, const struct expr *e)
{
	return plan_is_variable(e) ? plan->opt.strsize : plan_type_size(plan, e->type);
}

/* Sets the keys of an associative array.  Strings take strsize bytes, scalars all 64 bits. */
static void key_layout(struct plan *plan, struct var_layout *v, bool is_self)
{
	if (is_self) {
		vec_push(&v->keys, ((struct item){.enc = ITEM_INT, .off = 0, .size = 8}));
		v->key_size = 8;
	}
	for (unsigned int i = 0; i < v->ident->nkeys; i++) {
		struct type *t = v->ident->keys[i];
		uint32_t size = plan_is_text(t)	    ? plan->opt.strsize
				: type_is_scalar(t) ? 8
						    : plan_type_size(plan, t);
		struct item it = {.off = v->key_size, .size = size, .type = t};

		it.enc = plan_is_text(t) ? ITEM_STR : type_is_scalar(t) ? ITEM_INT : ITEM_BYTES;
		vec_push(&v->keys, it);
		v->key_size += (size + 7) & ~7U;
	}
}

struct var_layout *plan_var(const struct plan *plan, const struct ident *id)
{
	struct var_layout *v = map_get_int(plan->layouts, (uintptr_t)id);

	assert(v);
	return v;
}

#define LIBRARY_ELEMS 65536
#define LIBRARY_SMALL 64 /* maximum bytes of an element in a preallocated map */

/*
 * Small elements are about kernel objects and give way to newer ones.  Large elements take memory
 * only while they exist, and the library removes them.
 */
static unsigned int library_map(struct plan *plan, const struct var_layout *v)
{
	bool is_small = v->size <= LIBRARY_SMALL;

	return plan_map_new(plan, v->ident->name,
			    is_small ? BPF_MAP_TYPE_LRU_HASH : BPF_MAP_TYPE_HASH, v->key_size,
			    v->size, LIBRARY_ELEMS, is_small ? 0 : BPF_F_NO_PREALLOC);
}

static void array_map(struct plan *plan, struct var_layout *v)
{
	const struct ident *id = v->ident;
	struct plan_map map = {.name = id->name,
			       .type = BPF_MAP_TYPE_HASH,
			       .value_size = v->size,
			       .flags =
				   plan->opt.dynvarsize > PREALLOC_MAX ? BPF_F_NO_PREALLOC : 0};

	key_layout(plan, v, id->kind == IDENT_SELF);
	map.key_size = v->key_size;
	map.max_entries = plan_entries(plan->opt.dynvarsize, (uint64_t)v->key_size + v->size + 48);
	if (id->is_library)
		v->map = library_map(plan, v);
	else
		v->map = plan_map_hash(plan, &map, &v->id);
}

void plan_var_add(struct plan *plan, struct ident *id)
{
	struct var_layout *v = map_get_int(plan->layouts, (uintptr_t)id);

	if (v || id->kind == IDENT_THIS)
		return;
	v = arena_new_obj(plan->env.arena, struct var_layout);
	map_set_int(plan->layouts, (uintptr_t)id, v);
	v->ident = id;
	v->size = plan_var_size(plan, id->type);
	vec_push(&plan->vars, v);
	if (id->is_assoc) {
		array_map(plan, v);
	} else if (id->kind == IDENT_GLOBAL) {
		v->off = plan->globals_size;
		plan->globals_size += v->size;
	} else if (id->kind == IDENT_SELF) {
		v->off = plan->self_size;
		plan->self_size += v->size;
		plan->self_is_hash = plan->self_size > SELF_STORAGE_MAX;
		plan->maps.a[MAP_SELF].is_used = true;
	}
}
