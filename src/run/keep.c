/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keep.c: buffer policies fill and ring, under which nothing is printed before tracing ends.
 * Records are taken out of the ring buffer as they come and kept in a list for each CPU; under ring
 * the oldest of a CPU give way when they are more than its buffer holds.
 */
#include <string.h>

#include "base/mem.h"
#include "kern/kern.h"
#include "run/session.h"

struct kept {
	struct kept *next;
	uint64_t number; /* in order of time, over all CPUs */
	uint64_t room;	 /* that it takes in the buffer */
	size_t len;
	char data[];
};

struct keep {
	struct kept *first, **end;
	uint64_t bytes;
};

static struct kept *take_first(struct keep *k)
{
	struct kept *r = k->first;

	k->first = r->next;
	k->bytes -= r->room;
	if (!k->first)
		k->end = &k->first;
	return r;
}

void keep_record(struct session *s, unsigned int cpu, const void *data, size_t len)
{
	const struct abi_rec *rec = data;
	struct kept *r = mem_alloc(sizeof(*r) + len);
	struct keep *k;

	if (!s->kept) {
		s->kept = mem_alloc(kern_ncpu_possible(s->lo.kern) * sizeof(*s->kept));
		for (unsigned int c = 0; c < kern_ncpu_possible(s->lo.kern); c++)
			s->kept[c].end = &s->kept[c].first;
	}
	k = &s->kept[cpu];
	r->number = s->nkept++;
	r->len = len;
	r->room = rec->desc < ABI_DESC_MIN ? len : s->lo.descs.a[rec->desc - ABI_DESC_MIN]->room;
	memcpy(r->data, data, len);
	*k->end = r;
	k->end = &r->next;
	k->bytes += r->room;
	while (s->lo.policy == LOWER_RING && k->bytes > s->lo.bufsize && k->first != r)
		mem_free(take_first(k));
}

/* The CPU whose first record is the oldest. */
static struct keep *oldest(struct session *s)
{
	struct keep *best = NULL;

	for (unsigned int c = 0; s->kept && c < kern_ncpu_possible(s->lo.kern); c++)
		if (s->kept[c].first && (!best || s->kept[c].first->number < best->first->number))
			best = &s->kept[c];
	return best;
}

void keep_replay(struct session *s)
{
	struct keep *k;

	while ((k = oldest(s)) != NULL) {
		struct kept *r = take_first(k);

		consume_now(s, r->data, r->len);
		mem_free(r);
	}
}

void keep_free(struct session *s)
{
	struct keep *k;

	while ((k = oldest(s)) != NULL)
		mem_free(take_first(k));
	mem_free(s->kept);
}
