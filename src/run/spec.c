/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * spec.c: speculative records, kept aside until their speculation is committed or discarded.
 */
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "run/session.h"

/* One number: the records of its present use. */
struct spec {
	uint32_t use;
	VEC(void *) recs;
	VEC(size_t) lens;
};

static void empty(struct spec *sp)
{
	for (unsigned int i = 0; i < sp->recs.n; i++)
		mem_free(sp->recs.a[i]);
	sp->recs.n = sp->lens.n = 0;
}

/* The speculation of a handle; records of an earlier use are of no use any more. */
static struct spec *find(struct session *s, uint64_t handle)
{
	uint32_t id = (uint32_t)handle, use = (uint32_t)(handle >> 32);
	struct spec *sp;

	if (!s->specs)
		s->specs = map_new();
	sp = map_get_int(s->specs, id);
	if (!sp) {
		sp = mem_alloc(sizeof(*sp));
		map_set_int(s->specs, id, sp);
	}
	/* Uses are counted in 31 bits. */
	if (use == sp->use)
		return sp;
	if (((use - sp->use) & 0x7fffffff) > 0x3fffffff)
		return NULL;
	empty(sp);
	sp->use = use;
	return sp;
}

void spec_add(struct session *s, uint64_t handle, const void *rec, size_t len)
{
	struct spec *sp = find(s, handle);
	void *copy;

	if (!sp)
		return;
	copy = mem_alloc(len);
	memcpy(copy, rec, len);
	vec_push(&sp->recs, copy);
	vec_push(&sp->lens, len);
}

void spec_end(struct session *s, uint64_t handle, bool commit)
{
	struct spec *sp = find(s, handle);

	if (!sp)
		return;
	for (unsigned int i = 0; commit && i < sp->recs.n; i++)
		consume_data(s, sp->recs.a[i], sp->lens.a[i]);
	empty(sp);
}

void spec_free(struct session *s)
{
	struct spec *sp;
	size_t pos = 0;

	while (s->specs && (sp = map_next(s->specs, &pos, NULL, NULL)) != NULL) {
		empty(sp);
		vec_free(&sp->recs);
		vec_free(&sp->lens);
		mem_free(sp);
	}
	map_free(s->specs);
}
