/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keep.c: records that are kept.  Under buffer policies fill and ring nothing is printed before
 * tracing ends, and under switch records can wait for the next switch of buffers.
 *
 * Under fill, records are taken out of the ring buffer as they come.  Under ring, each CPU
 * overwrites its own memory (src/lower/buffer.c).  At the end the records that the buffer would
 * hold are taken from it, the last one first.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "kern/kern.h"
#include "consume/consume.h"
#include "load/backend.h"

static void keep(struct consume *co, uint64_t time, uint64_t at, const void *data, size_t len)
{
	struct kept k = {.time = time, .at = at, .len = len, .data = mem_alloc(len)};

	memcpy(k.data, data, len);
	vec_push(&co->kept, k);
	co->kept_size += len;
}

void keep_record(struct consume *co, const void *data, size_t len)
{
	keep(co, 0, 0, data, len);
}

/*
 * Returns the size of a record in a buffer of the reference; 0 if the reference has no such record.
 */
static uint64_t room_of(struct consume *co, const void *data, size_t len)
{
	struct abi_rec rec;

	if (len < sizeof(rec))
		return 0;
	/* Another machine can choose any address, aligned or not. */
	memcpy(&rec, data, sizeof(rec));
	if (rec.desc < ABI_DESC_MIN || rec.desc - ABI_DESC_MIN >= (int)co->plan->descs.n)
		return 0;
	return co->plan->descs.a[rec.desc - ABI_DESC_MIN]->room;
}

/*
 * Takes the records of a CPU, the newest first.  A firing that still runs after the end of tracing
 * can change them, so sizes are checked.
 */
static void take_memory(struct consume *co, const struct abi_memory *m)
{
	uint64_t size = plan_kept_size(co->plan), at = m->last, room = 0;
	struct abi_kept k;

	for (uint64_t n = 0; at && n < size / sizeof(k) && m->end - (at - 1) <= size; n++) {
		const char *p = m->records + ((at - 1) & (size - 1));

		memcpy(&k, p, sizeof(k));
		if (k.size < sizeof(k) || k.size > co->plan->kept_max)
			return;
		room += room_of(co, p + sizeof(k), k.size - sizeof(k));
		if (room > co->plan->opt.bufsize)
			return;
		if (k.is_complete)
			keep(co, k.time, at, p + sizeof(k), k.size - sizeof(k));
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

static void take_memories(struct consume *co)
{
	for (uint32_t c = 0; c < kern_ncpu_possible(co->plan->env.kern); c++)
		take_memory(co, (void *)((char *)co->load->memory +
					 (size_t)c * co->plan->maps.a[MAP_KEPT].value_size));
	qsort(co->kept.a, co->kept.n, sizeof(*co->kept.a), by_time);
}

void keep_replay(struct consume *co)
{
	const struct plan_map *m = &co->plan->maps.a[MAP_KEPT];

	if (co->load->memory) {
		co->load->backend->fetch(co->load, co->load->memory,
					 (size_t)m->value_size * m->max_entries);
		take_memories(co);
	}
	for (unsigned int i = 0; i < co->kept.n; i++)
		consume_kept(co, co->kept.a[i].data, co->kept.a[i].len);
	keep_free(co);
}

void keep_free(struct consume *co)
{
	for (unsigned int i = 0; i < co->kept.n; i++)
		mem_free(co->kept.a[i].data);
	vec_free(&co->kept);
	co->kept_size = 0;
}
