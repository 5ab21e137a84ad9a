/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * map.c: open addressing over an index of entry numbers.  The entries are in an array in order of
 * insertion.  A deleted entry keeps its place (val NULL) until the next growth.
 */
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/torture.h"
#include "base/vec.h"

struct entry {
	uint64_t hash;
	void *val; /* NULL: deleted */
	void *key;
	uint32_t len;
};

struct map {
	VEC(struct entry) ents;
	uint32_t *index; /* entry number + 1; 0 is free */
	uint32_t mask;
	size_t live;
};

/* FNV-1a over 8-byte steps with a final mix (constants: draft-eastlake-fnv, splitmix64). */
uint64_t map_hash(const void *p, size_t len)
{
	const unsigned char *s = p;
	uint64_t h = 0xcbf29ce484222325ULL ^ len, w;

	for (; len >= 8; s += 8, len -= 8) {
		memcpy(&w, s, 8);
		h = (h ^ w) * 0x100000001b3ULL;
		h ^= h >> 29;
	}
	for (; len; s++, len--)
		h = (h ^ *s) * 0x100000001b3ULL;
	h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
	h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
	return h ^ (h >> 31);
}

struct map *map_new(void)
{
	return mem_alloc(sizeof(struct map));
}

void map_free(struct map *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->ents.n; i++)
		mem_free(m->ents.a[i].key);
	vec_free(&m->ents);
	mem_free(m->index);
	mem_free(m);
}

static struct entry *find(const struct map *m, uint64_t hash, const void *key, size_t len)
{
	if (!m->index)
		return NULL;
	for (uint32_t i = hash & m->mask; m->index[i]; i = (i + 1) & m->mask) {
		struct entry *e = &m->ents.a[m->index[i] - 1];

		if (e->hash == hash && e->len == len && memcmp(e->key, key, len) == 0)
			return e;
	}
	return NULL;
}

static void grow(struct map *m)
{
	uint32_t n = 0, size = TORTURE_OR(1, 16), *index;

	while (size < 4 * (m->live + 1))
		size *= 2;
	/* A failure leaves the map as it was. */
	index = mem_alloc(size * sizeof(*index));
	for (uint32_t i = 0; i < m->ents.n; i++) {
		if (m->ents.a[i].val)
			m->ents.a[n++] = m->ents.a[i];
		else
			mem_free(m->ents.a[i].key);
	}
	m->ents.n = n;
	mem_free(m->index);
	m->index = index;
	m->mask = size - 1;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t j = m->ents.a[i].hash & m->mask;

		while (m->index[j])
			j = (j + 1) & m->mask;
		m->index[j] = i + 1;
	}
}

void *map_get(const struct map *m, const void *key, size_t len)
{
	struct entry *e = find(m, map_hash(key, len), key, len);

	return e ? e->val : NULL;
}

void map_set(struct map *m, const void *key, size_t len, void *val)
{
	uint64_t hash = map_hash(key, len);
	struct entry *e = find(m, hash, key, len), new = {.hash = hash, .val = val, .len = len};
	uint32_t j;

	if (e) {
		m->live += !e->val;
		e->val = val;
		return;
	}
	if (!m->index || (m->ents.n + 1) * 2 > m->mask)
		grow(m);
	new.key = mem_alloc(len);
	memcpy(new.key, key, len);
	vec_push(&m->ents, new);
	for (j = hash & m->mask; m->index[j]; j = (j + 1) & m->mask)
		;
	m->index[j] = m->ents.n;
	m->live++;
}

bool map_del(struct map *m, const void *key, size_t len)
{
	struct entry *e = find(m, map_hash(key, len), key, len);

	if (!e || !e->val)
		return false;
	e->val = NULL;
	m->live--;
	return true;
}

void *map_get_str(const struct map *m, const char *key)
{
	return map_get(m, key, strlen(key));
}

void map_set_str(struct map *m, const char *key, void *val)
{
	map_set(m, key, strlen(key), val);
}

void *map_get_int(const struct map *m, uint64_t key)
{
	return map_get(m, &key, sizeof(key));
}

void map_set_int(struct map *m, uint64_t key, void *val)
{
	map_set(m, &key, sizeof(key), val);
}

size_t map_count(const struct map *m)
{
	return m->live;
}

uint32_t map_number(struct map *m, const void *key, size_t len, bool *is_new)
{
	uintptr_t number = (uintptr_t)map_get(m, key, len);

	*is_new = !number;
	if (*is_new) {
		number = map_count(m) + 1;
		map_set(m, key, len, (void *)number);
	}
	return (uint32_t)number;
}

void *map_next(const struct map *m, size_t *pos, const void **key, size_t *len)
{
	while (*pos < m->ents.n) {
		const struct entry *e = &m->ents.a[(*pos)++];

		if (!e->val)
			continue;
		if (key)
			*key = e->key;
		if (len)
			*len = e->len;
		return e->val;
	}
	return NULL;
}
