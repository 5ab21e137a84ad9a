/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print.c: the plan as text (-x dump=plan).
 */
#include "plan/plan.h"

static const char *prefix(const struct ident *id)
{
	return id->kind == IDENT_SELF ? "self->" : id->kind == IDENT_THIS ? "this->" : "";
}

static void print_vars(struct buf *b, const char *what, const struct unit_plan *up, bool written)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < up->vars.n; i++) {
		const struct var_use *v = up->vars.a[i];

		if (written ? v->is_written : v->is_read)
			buf_printf(b, "%s%s%s%s", n++ ? " " : what, prefix(v->ident),
				   v->ident->name, v->ident->is_assoc ? "[]" : "");
	}
	if (n)
		buf_putc(b, '\n');
}

static void print_members(struct buf *b, const struct unit_plan *up)
{
	for (unsigned int i = 0; i < up->members.n; i++) {
		const struct member_use *m = &up->members.a[i];

		buf_puts(b, i ? " " : "    members   ");
		type_print(b, m->of);
		buf_printf(b, ".%s", m->member->name);
	}
	if (up->members.n)
		buf_putc(b, '\n');
}

static const char *owner_name(const struct unit_plan *up, const struct firing_mem *m)
{
	for (unsigned int i = 0; i < up->locals.n; i++)
		if (m->owner == up->locals.a[i].ident)
			return up->locals.a[i].ident->name;
	return m->owner == up ? "alloca" : ((const struct lang_row *)m->owner)->name;
}

static void print_group(struct buf *b, const struct group *g)
{
	if (!g->probes.n) {
		buf_puts(b, "    probes that may come later\n");
		return;
	}
	buf_printf(b, "    %u probe%s, from %s:%s:%s:%s:", g->probes.n, g->probes.n == 1 ? "" : "s",
		   g->probes.a[0]->prov, g->probes.a[0]->mod, g->probes.a[0]->func,
		   g->probes.a[0]->name);
	for (unsigned int i = 0; i < g->list.n; i++) {
		const struct enabling *en = &g->list.a[i];

		buf_printf(b, " %s", en->clause->is_library ? "state" : "clause");
		if (!en->clause->is_library)
			buf_printf(b, " %u", en->clause->id);
		if (en->site)
			buf_printf(b, " as %s:::%s", en->probe->prov, en->probe->name);
		if (i + 1 < g->list.n)
			buf_putc(b, ',');
	}
	buf_putc(b, '\n');
}

static void print_unit(struct buf *b, const struct unit *u)
{
	const struct unit_plan *up = u->plan;

	buf_printf(b, "unit %s:%s\n", u->provider->name, u->place);
	for (unsigned int i = 0; i < u->groups.n; i++)
		print_group(b, u->groups.a[i]);
	print_vars(b, "    reads     ", up, false);
	print_vars(b, "    writes    ", up, true);
	print_members(b, up);
	for (unsigned int i = 0; i < up->mems.n; i++)
		buf_printf(b, "    memory    %u+%u %s\n", up->mems.a[i]->off, up->mems.a[i]->size,
			   owner_name(up, up->mems.a[i]));
}

static void print_items(struct buf *b, const struct item *items, unsigned int n)
{
	static const char *const names[] = {
	    [ITEM_INT] = "int",	    [ITEM_STR] = "string", [ITEM_BYTES] = "bytes",
	    [ITEM_STACK] = "stack", [ITEM_SYM] = "sym",	   [ITEM_MOD] = "mod",
	    [ITEM_USYM] = "usym",   [ITEM_UMOD] = "umod",  [ITEM_UADDR] = "uaddr",
	};

	for (unsigned int i = 0; i < n; i++)
		buf_printf(b, " %s:%u+%u", names[items[i].enc], items[i].off, items[i].size);
}

static void print_vars_layout(struct buf *b, const struct plan *plan)
{
	for (unsigned int i = 0; i < plan->vars.n; i++) {
		const struct var_layout *v = plan->vars.a[i];

		buf_printf(b, "variable %s%s", prefix(v->ident), v->ident->name);
		if (v->ident->is_assoc)
			buf_printf(b, "[]: map %u, keys", v->map);
		else
			buf_printf(b, ": at %u, size %u", v->off, v->size);
		print_items(b, v->keys.a, v->keys.n);
		buf_putc(b, '\n');
	}
}

void plan_text(struct buf *b, const struct plan *plan, struct unit *const *units, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		print_unit(b, units[i]);
	if (plan->error_unit)
		print_unit(b, plan->error_unit);
	print_vars_layout(b, plan);
	for (unsigned int i = 0; i < plan->aggs.n; i++) {
		const struct agg_layout *ag = plan->aggs.a[i];

		buf_printf(b, "aggregation @%s: map %u, %u words%s, keys", ag->ident->name, ag->map,
			   ag->nwords, ag->is_shared ? " (shared)" : "");
		print_items(b, ag->keys.a, ag->keys.n);
		buf_putc(b, '\n');
	}
	for (unsigned int i = 0; i < plan->descs.n; i++) {
		const struct rec_desc *d = plan->descs.a[i];

		buf_printf(b, "record %u of clause %u: %llu bytes,", d->index, d->clause->id,
			   (unsigned long long)d->size);
		print_items(b, d->items.a, d->items.n);
		buf_putc(b, '\n');
	}
	for (unsigned int i = 0; i < plan->maps.n; i++) {
		const struct plan_map *m = &plan->maps.a[i];

		if (i >= MAP_FIRST || m->is_used)
			buf_printf(b,
				   "map %u %s: type %d, flags %u, key %u, value %u, %u entries\n",
				   i, m->name, (int)m->type, m->flags, m->key_size, m->value_size,
				   m->max_entries);
	}
}
