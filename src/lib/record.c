/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record.c: records in the public layout: the number of the enabled probe, then the aligned data of
 * each action.  Strings have at least strsize bytes, because programs take data of 1, 2, 4 or 8
 * bytes for numbers.  The owner of a kernel stack is left out.
 */
#include <string.h>

#include "base/mem.h"
#include "lib/priv.h"

enum { RECORD_HEAD = 8 };

uint32_t lib_align(uint32_t off, uint32_t to)
{
	return (off + to - 1) / to * to;
}

/* Kinds of actions by name. */
static const struct {
	const char *name;
	dtrace_actkind_t action;
} actions[] = {
    {"exit", DTRACEACT_EXIT},	      {"printf", DTRACEACT_PRINTF},  {"printa", DTRACEACT_PRINTA},
    {"stack", DTRACEACT_STACK},	      {"immstack", DTRACEACT_STACK}, {"ustack", DTRACEACT_USTACK},
    {"jstack", DTRACEACT_JSTACK},     {"system", DTRACEACT_SYSTEM},  {"freopen", DTRACEACT_FREOPEN},
    {"tracemem", DTRACEACT_TRACEMEM},
};

dtrace_actkind_t lib_action(const struct rec_act *act, const struct item *it)
{
	for (size_t i = 0; act && i < sizeof(actions) / sizeof(actions[0]); i++)
		if (strcmp(act->name, actions[i].name) == 0)
			return actions[i].action;
	if (!it)
		return DTRACEACT_LIBACT;
	switch (it->enc) {
	case ITEM_STACK:
		return DTRACEACT_STACK;
	case ITEM_SYM:
		return DTRACEACT_SYM;
	case ITEM_MOD:
		return DTRACEACT_MOD;
	case ITEM_USYM:
		return DTRACEACT_USYM;
	case ITEM_UMOD:
		return DTRACEACT_UMOD;
	case ITEM_UADDR:
		return DTRACEACT_UADDR;
	case ITEM_INT:
	case ITEM_STR:
	case ITEM_BYTES:
		break;
	}
	/* Other actions with data print nothing, except print(). */
	return !act || strcmp(act->name, "trace") == 0 || strcmp(act->name, "print") == 0
		   ? DTRACEACT_DIFEXPR
		   : DTRACEACT_LIBACT;
}

static bool is_user_stack(dtrace_actkind_t action)
{
	return action == DTRACEACT_USTACK || action == DTRACEACT_JSTACK;
}

static void describe(const struct plan *plan, const struct item *it, dtrace_recdesc_t *r)
{
	r->dtrd_size = it->size;
	r->dtrd_alignment = 8;
	switch (it->enc) {
	case ITEM_INT:
		if (r->dtrd_action == DTRACEACT_EXIT)
			r->dtrd_size = sizeof(int32_t);
		r->dtrd_alignment = (uint16_t)r->dtrd_size;
		break;
	case ITEM_STR:
		if (it->size < plan->opt.strsize - 1)
			r->dtrd_size = plan->opt.strsize - 1;
		r->dtrd_alignment = 1;
		break;
	case ITEM_STACK:
		r->dtrd_arg = it->size / 8 - 1;
		r->dtrd_size = it->size - (is_user_stack(r->dtrd_action) ? 0 : 8);
		break;
	default:
		break;
	}
}

static struct lib_desc *make(dtrace_hdl_t *h, const struct rec_desc *d)
{
	unsigned int n = 0;
	uint32_t off = RECORD_HEAD;
	struct lib_desc *ld = mem_alloc(sizeof(*ld));

	for (unsigned int i = 0; i < d->acts.n; i++)
		n += d->acts.a[i].n ? d->acts.a[i].n : 1;
	ld->pub = mem_alloc(sizeof(*ld->pub) + n * sizeof(ld->pub->dtepd_rec[0]));
	ld->of = mem_alloc(n * sizeof(*ld->of));
	ld->pub->dtepd_nrecs = (int)n;
	n = 0;
	for (unsigned int i = 0; i < d->acts.n; i++) {
		const struct rec_act *act = &d->acts.a[i];

		for (unsigned int k = 0; k < act->n || k == 0; k++, n++) {
			dtrace_recdesc_t *r = &ld->pub->dtepd_rec[n];
			const struct item *it = k < act->n ? &d->items.a[act->first + k] : NULL;

			ld->of[n].act = i;
			ld->of[n].item = it ? (int)(act->first + k) : -1;
			r->dtrd_action = lib_action(act, it);
			r->dtrd_uarg = i;
			r->dtrd_format = lib_format(h, act->fmt);
			r->dtrd_alignment = 1;
			if (it)
				describe(&h->s->plan, it, r);
			off = lib_align(off, r->dtrd_alignment);
			r->dtrd_offset = off;
			off += r->dtrd_size;
		}
	}
	ld->pub->dtepd_size = lib_align(off, 8);
	return ld;
}

struct lib_desc *lib_desc(dtrace_hdl_t *h, const struct rec_desc *d)
{
	while (h->descs.n <= d->index)
		vec_push(&h->descs, NULL);
	if (!h->descs.a[d->index])
		h->descs.a[d->index] = make(h, d);
	return h->descs.a[d->index];
}

/* The number of a process precedes its frames.  Frames of the kernel stand alone. */
static void copy_stack(char *to, const dtrace_recdesc_t *r, const struct item *it, const char *from)
{
	uint64_t owner;

	memcpy(&owner, from, sizeof(owner));
	owner = (uint32_t)owner;
	if (is_user_stack(r->dtrd_action)) {
		memcpy(to, &owner, sizeof(owner));
		to += sizeof(owner);
	}
	memcpy(to, from + sizeof(owner), it->size - sizeof(owner));
}

void lib_copy_record(dtrace_hdl_t *h, const struct lib_desc *ld, const struct rec_desc *d,
		     const struct abi_rec *r)
{
	if (h->record_size < ld->pub->dtepd_size) {
		h->record_size = ld->pub->dtepd_size;
		h->record = mem_realloc(h->record, h->record_size);
	}
	memset(h->record, 0, ld->pub->dtepd_size);
	memcpy(h->record, &ld->pub->dtepd_epid, sizeof(ld->pub->dtepd_epid));
	for (int i = 0; i < ld->pub->dtepd_nrecs; i++) {
		const dtrace_recdesc_t *rec = &ld->pub->dtepd_rec[i];
		const struct item *it = ld->of[i].item >= 0 ? &d->items.a[ld->of[i].item] : NULL;
		const char *from = it ? (const char *)r + it->off : NULL;

		if (it && it->enc == ITEM_STACK)
			copy_stack(h->record + rec->dtrd_offset, rec, it, from);
		else if (it)
			memcpy(h->record + rec->dtrd_offset, from,
			       it->size < rec->dtrd_size ? it->size : rec->dtrd_size);
	}
}
