/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keep.c: records that are kept.  Under buffer policies fill and ring nothing is printed before
 * tracing ends, and under switch records can wait for the next switch of buffers.
 *
 * Under fill, records are taken out of the ring buffer as they come.  Under ring, each CPU
 * overwrites its own memory (src/lower/buffer.c).  At a snapshot, and at the end, the records that
 * the buffer would hold are taken from it, the last one first.  Programs continue during a
 * snapshot, so it leaves out incomplete records, and records that are overwritten meanwhile.  No
 * record is taken twice.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "kern/kern.h"
#include "consume/consume.h"
#include "load/backend.h"

static void keep(struct consume *co, struct kept k, const void *data)
{
	k.data = mem_alloc(k.len);
	memcpy(k.data, data, k.len);
	vec_push(&co->kept, k);
	co->kept_size += k.len;
}

void keep_record(struct consume *co, const void *data, size_t len)
{
	keep(co, (struct kept){.len = len}, data);
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

static struct abi_memory *memory_of(const struct consume *co, unsigned int cpu)
{
	return (void *)((char *)co->load->memory +
			(size_t)cpu * co->plan->maps.a[MAP_KEPT].value_size);
}

static bool is_overwritten(const struct consume *co, uint32_t cpu, uint64_t at)
{
	return memory_of(co, cpu)->end - (at - 1) > plan_kept_size(co->plan);
}

/*
 * Takes the new records of a CPU, from the last record back.  Firings that still run can change
 * older records, and after the end of tracing any record, so sizes are checked.
 */
static void take_memory(struct consume *co, uint32_t cpu)
{
	uint64_t size = plan_kept_size(co->plan), at = co->taken[cpu].to, room = 0;
	struct abi_kept k;

	for (uint64_t n = 0; at && at != co->taken[cpu].from && n < size / sizeof(k); n++) {
		const char *p = memory_of(co, cpu)->records + ((at - 1) & (size - 1));

		if (is_overwritten(co, cpu, at))
			return;
		memcpy(&k, p, sizeof(k));
		if (k.size < sizeof(k) || k.size > co->plan->kept_max)
			return;
		room += room_of(co, p + sizeof(k), k.size - sizeof(k));
		if (room > co->plan->opt.bufsize)
			return;
		if (k.is_complete)
			keep(co,
			     (struct kept){
				 .time = k.time, .at = at, .cpu = cpu, .len = k.size - sizeof(k)},
			     p + sizeof(k));
		at = k.before;
	}
}

/* Drops the records that were overwritten while they were copied. */
static void drop_overwritten(struct consume *co)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < co->kept.n; i++) {
		struct kept k = co->kept.a[i];

		if (!k.at || !is_overwritten(co, k.cpu, k.at)) {
			co->kept.a[n++] = k;
			continue;
		}
		co->kept_size -= k.len;
		mem_free(k.data);
	}
	co->kept.n = n;
}

static int by_time(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Reads where the memory of each CPU ends now. */
static void fetch_ends(struct consume *co)
{
	for (unsigned int c = 0; c < kern_ncpu_possible(co->plan->env.kern); c++)
		co->load->backend->fetch(co->load, memory_of(co, c), sizeof(struct abi_memory));
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void take_memories(struct consume *co)
{
	const struct plan_map *m = &co->plan->maps.a[MAP_KEPT];
	unsigned int ncpu = kern_ncpu_possible(co->plan->env.kern);

	if (!co->taken)
		co->taken = mem_alloc(ncpu * sizeof(*co->taken));
	fetch_ends(co);
	for (unsigned int c = 0; c < ncpu; c++)
		co->taken[c].to = __atomic_load_n(&memory_of(co, c)->last, __ATOMIC_SEQ_CST);
	if (((const struct abi_state *)co->load->state)->active == ABI_STATE_ACTIVE)
		co->load->backend->settle(co->load);
	co->load->backend->fetch(co->load, co->load->memory,
				 (size_t)m->value_size * m->max_entries);
	for (unsigned int c = 0; c < ncpu; c++) {
		take_memory(co, c);
		co->taken[c].from = co->taken[c].to;
	}
	fetch_ends(co);
	drop_overwritten(co);
	qsort(co->kept.a, co->kept.n, sizeof(*co->kept.a), by_time);
}

/* Frees all kept records. */
static void free_all(struct consume *co)
{
	for (unsigned int i = 0; i < co->kept.n; i++)
		mem_free(co->kept.a[i].data);
	vec_free(&co->kept);
	co->kept_size = 0;
}

void keep_replay(struct consume *co)
{
	if (co->load->memory)
		take_memories(co);
	for (unsigned int i = 0; i < co->kept.n; i++)
		consume_kept(co, co->kept.a[i].data, co->kept.a[i].len);
	free_all(co);
}

void keep_free(struct consume *co)
{
	free_all(co);
	mem_free(co->taken);
}
