/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record.c: what a clause part leaves in the ring buffer.  The descriptor is the plan: which items
 * at which offsets, for which actions.  Items are 8 bytes aligned; integers take 8 bytes in
 * canonical form and print with their own size.  Keys of aggregations are the same; those of
 * associative arrays are 64 bits.
 */
#include <assert.h>
#include <bpf/bpf.h>

#include "base/arena.h"
#include "lower/memo.h"

struct rec_act *rec_act_add(struct lower *lo, struct rec_desc *d, const char *name, struct expr *e)
{
	struct rec_act act = {.name = name, .first = d->items.n, .loc = e->loc, .fmt = e->fmt};

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

unsigned int rec_item_expr(struct lower *lo, struct rec_desc *d, struct expr *e)
{
	const struct type *b = type_base(e->type);
	struct item it = {.type = e->type};
	struct lw bound = {.lo = lo};

	if (e->kind == EXPR_CALL && e->ident->kind == IDENT_ACTION) {
		const struct builtin_act *act = e->ident->row->impl;

		assert(act->key);
		return rec_item_add(d, act->key(lo, e));
	}
	if (type_is_string(e->type)) {
		it.enc = ITEM_STR;
		it.size = lw_str_bound(&bound, e);
	} else if (type_is_scalar(e->type)) {
		it.enc = ITEM_INT;
		it.size = (uint32_t)b->size;
		it.is_signed = (b->kind == TYPE_INT && b->is_signed) || b->kind == TYPE_ENUM;
	} else {
		it.enc = ITEM_BYTES;
		it.size = lower_type_size(lo, e->type);
	}
	return rec_item_add(d, it);
}

void lw_store_item(struct lw *lw, const struct item *it, struct expr *e, struct tmp t)
{
	struct ir_ins *dst, *v;

	switch (it->enc) {
	case ITEM_INT:
		v = lw_scalar(lw, e);
		if (it->size < 8)
			v = lw_norm(lw, v, it->type ? it->type : e->type);
		ir_store(&lw->b, 8, t.p, it->off, v, t.mem);
		return;
	case ITEM_STR:
		dst = ir_bin(&lw->b, IR_ADD, t.p, ir_const(&lw->b, it->off));
		lw_str_into(lw, e, dst, it->size, t.mem);
		return;
	case ITEM_BYTES:
		dst = ir_bin(&lw->b, IR_ADD, t.p, ir_const(&lw->b, it->off));
		lw_value_into(lw, e, e->type, dst, it->size, t.mem);
		return;
	default:
		assert(e->kind == EXPR_CALL && e->ident->kind == IDENT_ACTION);
		((const struct builtin_act *)e->ident->row->impl)->store(lw, it, e, t);
		return;
	}
}

void lw_item_store(struct lw *lw, unsigned int item, struct expr *e)
{
	struct tmp t = {lw->rec, IR_MEM_RECORD};

	lw_store_item(lw, &lw->desc->items.a[item], e, t);
}

void lw_item_store_int(struct lw *lw, unsigned int item, struct ir_ins *v)
{
	ir_store(&lw->b, 8, lw->rec, lw->desc->items.a[item].off, v, IR_MEM_RECORD);
}

/* A header of 12 bytes, then values aligned to their size; an action without values takes 8. */
#define ROOM_HEAD   12
#define ROOM_ACTION 8

static void room_add(struct rec_desc *d, uint64_t size, uint32_t align)
{
	d->room = ((d->room + align - 1) & ~((uint64_t)align - 1)) + size;
	d->align = align > d->align ? align : d->align;
}

static void room_item(const struct lower *lo, struct rec_desc *d, const struct item *it)
{
	switch (it->enc) {
	case ITEM_INT:
		room_add(d, it->size, it->size);
		break;
	case ITEM_STR:
		room_add(d, lo->strsize, 1);
		break;
	case ITEM_BYTES:
		room_add(d, it->size, 1);
		break;
	case ITEM_STACK:
	case ITEM_USTACK:
	case ITEM_SYM:
	case ITEM_MOD:
	case ITEM_USYM:
	case ITEM_UMOD:
	case ITEM_UADDR:
		room_add(d, it->size, 8);
		break;
	}
}

static void plan_room(const struct lower *lo, struct rec_desc *d)
{
	d->room = ROOM_HEAD;
	d->align = 4;
	for (unsigned int i = 0; i < d->acts.n; i++) {
		const struct rec_act *act = &d->acts.a[i];
		bool is_spec = d->spec_item && act->n == 1 && act->first == d->spec_item - 1;

		for (unsigned int j = 0; j < act->n && !is_spec; j++)
			room_item(lo, d, &d->items.a[act->first + j]);
		if (!act->n && d->clause->parts[d->part].records)
			room_add(d, ROOM_ACTION, 8);
	}
}

struct rec_desc *lower_desc(struct lower *lo, struct clause *c, unsigned int part)
{
	struct part *pt = &c->parts[part];
	struct rec_desc *d = pt->data;

	if (d)
		return d;
	d = pt->data = arena_new_obj(lo->arena, struct rec_desc);
	d->clause = c;
	d->part = part;
	d->size = sizeof(struct abi_rec);
	d->index = lo->descs.n;
	if (c->probes) {
		const struct clause_probes *cp = c->probes;

		d->epid_base = cp->epid_base;
		d->probe_base = cp->list.n ? cp->list.a[0]->id : 0;
	}
	vec_push(&lo->descs, d);
	for (struct stmt *s = pt->stmts; s; s = s->next) {
		if (s->kind != STMT_EXPR || s->expr->kind != EXPR_CALL ||
		    s->expr->ident->kind != IDENT_ACTION)
			continue;
		((const struct builtin_act *)s->expr->ident->row->impl)->plan(lo, d, s->expr);
	}
	plan_room(lo, d);
	return d;
}
