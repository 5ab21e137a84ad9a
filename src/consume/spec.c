/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * spec.c: speculative records, kept aside until their speculation is committed or discarded.
 *
 * A clause reserves its record before it runs.  So the first record of one use of a number may
 * precede the commit of the previous use, and records are kept by use.
 */
#include <linux/bpf.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "consume/consume.h"
#include "load/backend.h"

struct kept_rec {
	struct kept_rec *next;
	struct consume *co; /* the consumer of the record */
	size_t len;
	char data[];
};

/* A use of a number, identified by its handle. */
struct use {
	struct kept_rec *first, **end;
};

static struct use *use_new(void)
{
	struct use *u = mem_alloc(sizeof(*u));

	u->end = &u->first;
	return u;
}

static void use_free(struct use *u)
{
	while (u->first) {
		struct kept_rec *r = u->first;

		u->first = r->next;
		mem_free(r);
	}
	mem_free(u);
}

/* Returns the consumer that owns the speculations, which several consumers may share. */
static struct consume *keeper(struct consume *co)
{
	return co->spec_keeper ? co->spec_keeper : co;
}

/*
 * Returns true if this use of its number, or a later one, has ended.  Uses are counted in 31 bits.
 */
static bool has_ended(struct consume *co, uint64_t handle)
{
	uint32_t last = (uint32_t)(uintptr_t)map_get_int(keeper(co)->spec_ended, (uint32_t)handle);

	return ((last - (uint32_t)(handle >> 32)) & 0x7fffffff) < 0x40000000;
}

void spec_add(struct consume *co, uint64_t handle, const void *rec, size_t len)
{
	struct use *u = map_get_int(keeper(co)->specs, handle);
	struct kept_rec *r;

	if (has_ended(co, handle))
		return;
	if (!u) {
		u = use_new();
		map_set_int(keeper(co)->specs, handle, u);
	}
	r = mem_alloc(sizeof(*r) + len);
	r->co = co;
	r->len = len;
	memcpy(r->data, rec, len);
	*u->end = r;
	u->end = &r->next;
}

void spec_end(struct consume *co, uint64_t handle, bool commit)
{
	struct use *u = map_get_int(keeper(co)->specs, handle);
	void *symctx = co->out->symctx;

	map_set_int(keeper(co)->spec_ended, (uint32_t)handle, (void *)(uintptr_t)(handle >> 32));
	if (!u)
		return;
	map_del(keeper(co)->specs, &handle, sizeof(handle));
	for (const struct kept_rec *r = u->first; commit && r; r = r->next) {
		co->out->symctx = r->co;
		consume_data(r->co, r->data, r->len);
	}
	co->out->symctx = symctx;
	use_free(u);
}

void spec_note_late(struct consume *co)
{
	struct load *l = co->load;
	struct abi_state *state = l->state;
	uint64_t word;

	if (!co->plan->spec_free)
		return;
	l->backend->fetch(l, &state->late_ends, sizeof(state->late_ends));
	if (state->late_ends == co->late_ends)
		return;
	co->late_ends = state->late_ends;
	co->late.n = 0;
	for (uint32_t id = 1; id <= co->plan->opt.nspec; id++)
		if (l->backend->lookup(l, co->plan->spec_words, &id, &word) &&
		    word & ABI_SPEC_ENDED)
			vec_push(&co->late, id);
}

void spec_end_late(struct consume *co)
{
	const struct backend *backend = co->load->backend;
	uint64_t word;

	while (co->late.n) {
		uint32_t id = vec_pop(&co->late);

		if (!backend->lookup(co->load, co->plan->spec_words, &id, &word))
			continue;
		spec_end(co, word >> ABI_SPEC_USE << 32 | id, word & ABI_SPEC_COMMIT);
		word &= ~(uint64_t)(ABI_SPEC_ENDED | ABI_SPEC_COMMIT);
		backend->update(co->load, co->plan->spec_words, &id, &word, BPF_ANY);
		backend->update(co->load, co->plan->spec_free, NULL, &id, BPF_ANY);
	}
}

void spec_free(struct consume *co)
{
	struct use *u;
	size_t pos = 0;

	while ((u = map_next(co->specs, &pos, NULL, NULL)) != NULL)
		use_free(u);
	map_free(co->specs);
	map_free(co->spec_ended);
	vec_free(&co->late);
}
