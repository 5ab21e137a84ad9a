/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * records.c: the records of clause parts in the ring buffer: items, offsets, actions.  Items are 8
 * bytes aligned.  Integers take 8 bytes in canonical form and print with their own size.  Keys of
 * aggregations are the same.  Keys of associative arrays are 64 bits.
 */
#include <assert.h>

#include "base/arena.h"
#include "base/map.h"
#include "plan/plan.h"

struct rec_act *rec_act_add(struct plan *plan, struct rec_desc *d, const char *name,
			    const struct expr *e)
{
	struct rec_act act = {
	    .name = name, .impl = e->ident->row->impl, .first = d->items.n, .fmt = e->fmt};

	vec_push(&d->acts, act);
	return &vec_last(&d->acts);
}

unsigned int rec_item_add(struct rec_desc *d, struct item it)
{
	it.off = (uint32_t)d->size;
	d->size += it.enc == ITEM_INT ? 8 : ((uint64_t)it.size + 7) & ~7ULL;
	vec_push(&d->items, it);
	vec_last(&d->acts).n++;
	return d->items.n - 1;
}

struct item plan_item(struct plan *plan, const struct expr *e, bool is_text)
{
	const struct type *b = type_base(e->type);
	struct item it = {.type = e->type};

	if (e->kind == EXPR_CALL && e->ident->kind == IDENT_ACTION) {
		const struct builtin_act *act = e->ident->row->impl;

		assert(act->key);
		return act->key(plan, e);
	}
	if (is_text) {
		it.enc = ITEM_STR;
		it.size = plan_str_bound(plan, e);
	} else if (type_is_scalar(e->type)) {
		it.enc = ITEM_INT;
		it.size = (uint32_t)b->size;
		it.is_signed = (b->kind == TYPE_INT || b->kind == TYPE_ENUM) && b->is_signed;
	} else {
		it.enc = type_is_stack(e->type) ? ITEM_STACK : ITEM_BYTES;
		it.size = plan_type_size(plan, e->type);
	}
	return it;
}

unsigned int rec_item_expr(struct plan *plan, struct rec_desc *d, const struct expr *e)
{
	return rec_item_add(d, plan_item(plan, e, type_is_string(e->type)));
}

/* DTrace's record: a header of 12 bytes, then aligned values.  An action without values takes 8. */
#define ROOM_HEAD   12
#define ROOM_ACTION 8

static void room_add(struct rec_desc *d, uint64_t size, uint32_t align)
{
	d->room = ((d->room + align - 1) & ~((uint64_t)align - 1)) + size;
	d->align = align > d->align ? align : d->align;
}

static void room_item(const struct plan *plan, struct rec_desc *d, const struct item *it)
{
	switch (it->enc) {
	case ITEM_INT:
		room_add(d, it->size, it->size);
		break;
	case ITEM_STR:
		room_add(d, plan->opt.strsize, 1);
		break;
	case ITEM_BYTES:
		room_add(d, it->size, 1);
		break;
	case ITEM_STACK:
	case ITEM_SYM:
	case ITEM_MOD:
	case ITEM_USYM:
	case ITEM_UMOD:
	case ITEM_UADDR:
		room_add(d, it->size, 8);
		break;
	}
}

static void plan_room(const struct plan *plan, struct rec_desc *d)
{
	d->room = ROOM_HEAD;
	d->align = 4;
	for (unsigned int i = 0; i < d->acts.n; i++) {
		const struct rec_act *act = &d->acts.a[i];
		bool is_spec = d->spec_item && act->n == 1 && act->first == d->spec_item - 1;

		for (unsigned int j = 0; j < act->n && !is_spec; j++)
			room_item(plan, d, &d->items.a[act->first + j]);
		if (!act->n && d->clause->parts[d->part].records)
			room_add(d, ROOM_ACTION, 8);
	}
}

struct rec_desc *plan_desc(const struct plan *plan, const struct clause *c, unsigned int part)
{
	struct rec_desc *d = map_get_int(plan->layouts, (uintptr_t)&c->parts[part]);

	assert(d);
	return d;
}

/* Limit of a CPU's memory.  The value of a map must have less than 4 GB. */
#define KEPT_MAX (1ULL << 30)

/* A record takes more room here than in a buffer of DTrace: trace(arg0) 40 bytes, not 24. */
uint64_t plan_kept_size(const struct plan *plan)
{
	uint64_t size = 4096;

	while (size < 2 * plan->opt.bufsize && size < KEPT_MAX)
		size *= 2;
	return size;
}

uint32_t plan_kept_room(uint64_t size)
{
	return (uint32_t)((size + 7) & ~7ULL) + (uint32_t)sizeof(struct abi_kept);
}

/* With policy ring a record may extend over the end of its CPU's memory. */
static void keep_room(struct plan *plan, uint64_t size)
{
	if (plan->opt.policy == PLAN_RING && size <= REC_SIZE_MAX &&
	    plan_kept_room(size) > plan->kept_max)
		plan->kept_max = plan_kept_room(size);
}

static void plan_record(struct plan *plan, struct clause *c, unsigned int part)
{
	struct part *pt = &c->parts[part];
	struct rec_desc *d = arena_new_obj(plan->env.arena, struct rec_desc);

	map_set_int(plan->layouts, (uintptr_t)pt, d);
	d->clause = c;
	d->part = part;
	d->size = sizeof(struct abi_rec);
	if (plan->opt.is_timed || plan->opt.has_threads) {
		d->time_off = (uint32_t)d->size;
		d->size += sizeof(uint64_t);
	}
	if (plan->opt.has_threads) {
		d->thread_off = (uint32_t)d->size;
		d->size += sizeof(struct abi_thread);
	}
	d->index = plan->descs.n;
	if (c->probes) {
		const struct clause_probes *cp = c->probes;

		d->epid_base = cp->epid_base;
		d->probe_base = cp->list.n ? cp->list.a[0]->id : 0;
	}
	vec_push(&plan->descs, d);
	for (struct stmt *s = pt->stmts; s; s = s->next) {
		if (s->kind != STMT_EXPR || s->expr->kind != EXPR_CALL ||
		    s->expr->ident->kind != IDENT_ACTION)
			continue;
		((const struct builtin_act *)s->expr->ident->row->impl)->plan(plan, d, s->expr);
	}
	plan_room(plan, d);
	keep_room(plan, d->size);
	keep_room(plan, sizeof(struct abi_error));
	keep_room(plan, sizeof(struct abi_spec));
}

void plan_records(struct plan *plan, struct clause *c)
{
	for (unsigned int i = 0; i < c->nparts; i++)
		if (!map_get_int(plan->layouts, (uintptr_t)&c->parts[i]))
			plan_record(plan, c, i);
}
