/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interp_map.c: the interpreter's memory: maps, ring records, declared regions.
 *
 * All values of a map are in one block: a slot for each element, in it a value for each CPU.  Slots
 * of hashes are found through an index and remember when they were used last, for LRU maps.  A
 * record of a ring buffer is an allocation of its own; it can be accessed while it is open.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/map.h"
#include "bpf/interp_priv.h"

static bool is_array(int type)
{
	return type == BPF_MAP_TYPE_ARRAY || type == BPF_MAP_TYPE_PERCPU_ARRAY;
}

static bool is_percpu(int type)
{
	return type == BPF_MAP_TYPE_PERCPU_ARRAY || type == BPF_MAP_TYPE_PERCPU_HASH ||
	       type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

static bool is_lru(int type)
{
	return type == BPF_MAP_TYPE_LRU_HASH || type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

int bpf_interp_map(struct bpf_interp *in, int type, uint32_t key_size, uint32_t value_size,
		   uint32_t max_entries)
{
	struct imap *m = mem_alloc(sizeof(*m));
	uint32_t slots = max_entries ? max_entries : 1024;

	m->type = type;
	m->key_size = type == BPF_MAP_TYPE_TASK_STORAGE ? 8 : key_size;
	m->value_size = value_size;
	m->max_entries = type == BPF_MAP_TYPE_RINGBUF ? max_entries : slots;
	m->copies = is_percpu(type) ? in->ncpus : 1;
	m->stride = (value_size + 7) / 8 * 8;
	if (type != BPF_MAP_TYPE_RINGBUF) {
		m->values = mem_alloc((size_t)slots * m->copies * m->stride);
		m->keys = mem_alloc((size_t)slots * m->key_size);
		m->used = mem_alloc(slots * sizeof(*m->used));
	}
	if (type != BPF_MAP_TYPE_RINGBUF && type != BPF_MAP_TYPE_QUEUE && !is_array(type))
		m->index = map_new();
	vec_push(&in->maps, m);
	return (int)in->maps.n;
}

static void free_map(struct imap *m)
{
	for (unsigned int r = 0; r < m->records.n; r++)
		mem_free(m->records.a[r].data);
	vec_free(&m->records);
	map_free(m->index);
	mem_free(m->last_read);
	mem_free(m->values);
	mem_free(m->keys);
	mem_free(m->used);
	mem_free(m);
}

void bpf_interp_free(struct bpf_interp *in)
{
	if (!in)
		return;
	for (unsigned int m = 0; m < in->maps.n; m++)
		free_map(in->maps.a[m]);
	vec_free(&in->maps);
	vec_free(&in->regions);
	buf_free(&in->error);
	mem_free(in);
}

static struct imap *by_fd(struct bpf_interp *in, int fd)
{
	assert(fd >= 1 && (unsigned int)fd <= in->maps.n);
	return in->maps.a[fd - 1];
}

struct imap *interp_map_of(struct bpf_interp *in, uint64_t handle)
{
	for (unsigned int m = 0; m < in->maps.n; m++)
		if ((uint64_t)(uintptr_t)in->maps.a[m] == handle)
			return in->maps.a[m];
	return NULL;
}

/* As for the verifier: for arrays with one element, with an offset inside the value. */
uint64_t interp_map_value(struct bpf_interp *in, int fd, int32_t off)
{
	struct imap *m;

	if (fd < 1 || (unsigned int)fd > in->maps.n)
		return 0;
	m = in->maps.a[fd - 1];
	if (m->type != BPF_MAP_TYPE_ARRAY || m->max_entries != 1 || off < 0 ||
	    (uint32_t)off >= m->value_size)
		return 0;
	return (uint64_t)(uintptr_t)m->values + (uint64_t)off;
}

/* ---- elements ---- */

static char *value_at(const struct imap *m, unsigned int slot, unsigned int cpu)
{
	return m->values + ((size_t)slot * m->copies + (m->copies > 1 ? cpu : 0)) * m->stride;
}

/* Returns the slot of a key; -1: absent. */
static int64_t slot_of(const struct imap *m, const void *key)
{
	uint32_t n;

	if (m->index)
		return (int64_t)(intptr_t)map_get(m->index, key, m->key_size) - 1;
	memcpy(&n, key, sizeof(n));
	return n < m->max_entries ? (int64_t)n : -1;
}

char *map_lookup(struct bpf_interp *in, struct imap *m, const void *key, unsigned int cpu)
{
	int64_t slot = m->values ? slot_of(m, key) : -1;

	if (slot < 0)
		return NULL;
	m->used[slot] = ++in->clock;
	return value_at(m, (unsigned int)slot, cpu);
}

static void free_slot(struct imap *m, unsigned int slot)
{
	map_del(m->index, m->keys + (size_t)slot * m->key_size, m->key_size);
	m->used[slot] = 0;
}

/* Returns a free slot; in an LRU map perhaps the least recently used one.  -1: full. */
static int64_t take_slot(struct imap *m)
{
	unsigned int oldest = 0;

	for (unsigned int n = 0; n < m->max_entries; n++) {
		unsigned int slot = (m->next_slot + n) % m->max_entries;

		if (!m->used[slot]) {
			m->next_slot = slot + 1;
			return slot;
		}
		if (m->used[slot] < m->used[oldest])
			oldest = slot;
	}
	if (!is_lru(m->type))
		return -1;
	free_slot(m, oldest);
	return oldest;
}

int map_update(struct bpf_interp *in, struct imap *m, const void *key, const void *value,
	       unsigned int cpu, uint64_t flags)
{
	int64_t slot = m->values ? slot_of(m, key) : -1;

	if (!m->values)
		return -EINVAL;
	if (slot >= 0 && flags == BPF_NOEXIST)
		return -EEXIST;
	if (slot < 0 && !m->index)
		return -E2BIG;
	if (slot < 0 && flags == BPF_EXIST)
		return -ENOENT;
	if (slot < 0) {
		slot = take_slot(m);
		if (slot < 0)
			return -E2BIG;
		memcpy(m->keys + (size_t)slot * m->key_size, key, m->key_size);
		memset(value_at(m, (unsigned int)slot, 0), 0, (size_t)m->copies * m->stride);
		map_set(m->index, key, m->key_size, (void *)(intptr_t)(slot + 1));
	}
	m->used[slot] = ++in->clock;
	memcpy(value_at(m, (unsigned int)slot, cpu), value, m->value_size);
	return 0;
}

int map_push(struct imap *m, const void *value)
{
	uint32_t slot = m->next_slot % m->max_entries;

	if (m->type != BPF_MAP_TYPE_QUEUE)
		return -EINVAL;
	if (m->used[slot])
		return -E2BIG;
	memcpy(value_at(m, slot, 0), value, m->value_size);
	m->used[slot] = 1;
	m->next_slot = slot + 1;
	return 0;
}

int map_pop(struct imap *m, void *value)
{
	uint32_t slot = m->read_pos % m->max_entries;

	if (m->type != BPF_MAP_TYPE_QUEUE)
		return -EINVAL;
	memset(value, 0, m->value_size);
	if (!m->used[slot])
		return -ENOENT;
	memcpy(value, value_at(m, slot, 0), m->value_size);
	m->used[slot] = 0;
	m->read_pos = slot + 1;
	return 0;
}

int map_delete(struct imap *m, const void *key)
{
	int64_t slot;

	if (!m->index)
		return -EINVAL;
	slot = slot_of(m, key);
	if (slot < 0)
		return -ENOENT;
	free_slot(m, (unsigned int)slot);
	return 0;
}

void *bpf_interp_lookup(struct bpf_interp *in, int fd, const void *key, unsigned int cpu)
{
	return map_lookup(in, by_fd(in, fd), key, cpu);
}

int bpf_interp_update(struct bpf_interp *in, int fd, const void *key, const void *value,
		      unsigned int cpu, uint64_t flags)
{
	struct imap *m = by_fd(in, fd);

	return m->type == BPF_MAP_TYPE_QUEUE ? map_push(m, value)
					     : map_update(in, m, key, value, cpu, flags);
}

int bpf_interp_delete(struct bpf_interp *in, int fd, const void *key)
{
	return map_delete(by_fd(in, fd), key);
}

const void *bpf_interp_key(struct bpf_interp *in, int fd, unsigned int n)
{
	const struct imap *m = by_fd(in, fd);
	const void *key;
	size_t pos = 0, len;

	if (!m->index)
		return NULL;
	while (map_next(m->index, &pos, &key, &len))
		if (n-- == 0)
			return key;
	return NULL;
}

/* ---- ring buffers ---- */

/* Each record takes 8 more bytes in the ring, as in the kernel. */
static size_t ring_cost(size_t size)
{
	return (size + 8 + 7) / 8 * 8;
}

char *ring_reserve(struct imap *m, size_t size)
{
	struct record r = {.size = size};

	if (m->type != BPF_MAP_TYPE_RINGBUF || m->ring_used + ring_cost(size) > m->max_entries)
		return NULL;
	m->ring_used += ring_cost(size);
	r.data = mem_alloc(size);
	memset(r.data, 0xa5, size);
	vec_push(&m->records, r);
	return r.data;
}

bool ring_finish(struct imap *m, const char *data, bool discard)
{
	for (unsigned int k = m->read_pos; k < m->records.n; k++) {
		struct record *r = &m->records.a[k];

		if (r->data != data || r->state != RECORD_OPEN)
			continue;
		r->state = discard ? RECORD_DISCARDED : RECORD_SUBMITTED;
		return true;
	}
	return false;
}

const void *bpf_interp_ring_next(struct bpf_interp *in, int fd, size_t *size)
{
	struct imap *m = by_fd(in, fd);

	while (m->read_pos < m->records.n) {
		struct record *r = &m->records.a[m->read_pos];

		if (r->state == RECORD_OPEN)
			return NULL;
		m->read_pos++;
		m->ring_used -= ring_cost(r->size);
		mem_free(m->last_read);
		m->last_read = r->data;
		r->data = NULL;
		*size = r->size;
		if (r->state == RECORD_SUBMITTED)
			return m->last_read;
	}
	return NULL;
}

/* ---- addresses ---- */

static bool inside(uint64_t addr, size_t size, uint64_t base, uint64_t len)
{
	return addr >= base && addr - base <= len && size <= len - (addr - base);
}

static bool in_map(const struct imap *m, uint64_t addr, size_t size)
{
	uint64_t base = (uint64_t)(uintptr_t)m->values;
	uint64_t total = (uint64_t)m->max_entries * m->copies * m->stride;

	for (unsigned int k = m->read_pos; k < m->records.n; k++)
		if (m->records.a[k].state == RECORD_OPEN &&
		    inside(addr, size, (uint64_t)(uintptr_t)m->records.a[k].data,
			   m->records.a[k].size))
			return true;
	if (!m->values || !m->stride || !inside(addr, size, base, total))
		return false;
	/* A direct address may cover more than one value only in an array with one element. */
	return (addr - base) % m->stride + size <= m->value_size;
}

static bool in_stack(const struct bpf_interp *in, uint64_t addr, size_t size)
{
	for (unsigned int d = 0; d < in->depth; d++)
		if (inside(addr, size, (uint64_t)(uintptr_t)in->stack[d], INTERP_STACK))
			return true;
	return false;
}

static void *in_regions(struct bpf_interp *in, uint64_t addr, size_t size, unsigned int flags)
{
	for (unsigned int r = 0; r < in->regions.n; r++) {
		const struct region *g = &in->regions.a[r];

		if ((g->flags & flags) == flags && inside(addr, size, g->addr, g->size))
			return g->host + (addr - g->addr);
	}
	return NULL;
}

void bpf_interp_region(struct bpf_interp *in, uint64_t addr, void *host, size_t size,
		       unsigned int flags)
{
	struct region r = {addr, host, size, flags};

	assert(flags & (BPF_REGION_KERNEL | BPF_REGION_USER));
	vec_push(&in->regions, r);
}

static void *own_memory(struct bpf_interp *in, uint64_t addr, size_t size)
{
	if (in_stack(in, addr, size))
		return (void *)(uintptr_t)addr;
	for (unsigned int m = 0; m < in->maps.n; m++)
		if (in_map(in->maps.a[m], addr, size))
			return (void *)(uintptr_t)addr;
	return NULL;
}

void *bpf_interp_mem(struct bpf_interp *in, uint64_t addr, size_t size, bool is_write)
{
	const struct bpf_firing *f = in->firing;
	void *p = own_memory(in, addr, size);

	if (p)
		return p;
	if (!is_write && f->ctx && inside(addr, size, (uint64_t)(uintptr_t)f->ctx, f->ctx_size))
		return (void *)(uintptr_t)addr;
	return in_regions(in, addr, size, BPF_REGION_KERNEL | (is_write ? BPF_REGION_WRITE : 0));
}

const void *bpf_interp_probe(struct bpf_interp *in, uint64_t addr, size_t size, bool is_user)
{
	if (is_user)
		return in_regions(in, addr, size, BPF_REGION_USER);
	return bpf_interp_mem(in, addr, size, false);
}
