/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keep.c: buffer policies fill and ring, under which nothing is printed before tracing ends.
 *
 * Under fill records are taken out of the ring buffer as they come.  Under ring each CPU has
 * written its own memory round and round (src/lower/buffer.c), and what its buffer would hold of
 * that is taken at the end: from the last record backwards.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "kern/kern.h"
#include "run/session.h"

static void keep(struct session *s, uint64_t time, uint64_t at, const void *data, size_t len)
{
	struct kept k = {.time = time, .at = at, .len = len, .data = mem_alloc(len)};

	memcpy(k.data, data, len);
	vec_push(&s->kept, k);
}

void keep_record(struct session *s, const void *data, size_t len)
{
	keep(s, 0, 0, data, len);
}

/* Bytes of a record in a buffer of DTrace's; of one of our own, which there are not there, none. */
static uint64_t room_of(struct session *s, const void *data, size_t len)
{
	const struct abi_rec *rec = data;

	if (rec->desc < ABI_DESC_MIN || rec->desc - ABI_DESC_MIN >= (int)s->plan.descs.n)
		return 0;
	return s->plan.descs.a[rec->desc - ABI_DESC_MIN]->room;
}

/*
 * The records of a CPU, newest first.  A firing that was under way when tracing ended may still
 * write: what it says of itself is not believed.
 */
static void take_memory(struct session *s, const struct abi_memory *m)
{
	uint64_t size = plan_kept_size(&s->plan), at = m->last, room = 0;
	struct abi_kept k;

	for (uint64_t n = 0; at && n < size / sizeof(k) && m->end - (at - 1) <= size; n++) {
		const char *p = m->records + ((at - 1) & (size - 1));

		memcpy(&k, p, sizeof(k));
		if (k.size < sizeof(k) || k.size > s->plan.kept_max)
			return;
		room += room_of(s, p + sizeof(k), k.size - sizeof(k));
		if (room > s->plan.bufsize)
			return;
		if (k.is_complete)
			keep(s, k.time, at, p + sizeof(k), k.size - sizeof(k));
		at = k.before;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static void take_memories(struct session *s)
{
	for (uint32_t c = 0; c < kern_ncpu_possible(s->plan.kern); c++)
		take_memory(s, (void *)((char *)s->load.memory +
					(size_t)c * s->plan.maps.a[MAP_KEPT].value_size));
	qsort(s->kept.a, s->kept.n, sizeof(*s->kept.a), by_time);
}

void keep_replay(struct session *s)
{
	if (s->load.memory)
		take_memories(s);
	for (unsigned int i = 0; i < s->kept.n; i++)
		consume_kept(s, s->kept.a[i].data, s->kept.a[i].len);
	keep_free(s);
}

void keep_free(struct session *s)
{
	for (unsigned int i = 0; i < s->kept.n; i++)
		mem_free(s->kept.a[i].data);
	vec_free(&s->kept);
}
