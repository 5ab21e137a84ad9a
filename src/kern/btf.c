/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf.c: one file of BTF (Documentation/bpf/btf.rst).  The file is mapped if the kernel allows it
 * (its own from 6.16 on), otherwise read.  One walk notes the start of each type, and the types
 * whose names are worth finding.  A hash table for types is made on first use.  Functions and
 * variables are searched linearly and the results kept: few runs need one, and touching 70,000
 * names costs milliseconds.
 */
#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/btf.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "kern/priv.h"

/* Returns true for kinds that have names of types. */
static bool is_type(unsigned int kind)
{
	switch (kind) {
	case BTF_KIND_INT:
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_FLOAT:
		return true;
	default:
		return false;
	}
}

static bool map_file(struct kern_btf *b, int fd)
{
	struct stat st;
	size_t got = 0;
	ssize_t n;

	if (fstat(fd, &st) != 0 || st.st_size < (off_t)sizeof(struct btf_header))
		return false;
	b->size = (size_t)st.st_size;
	b->data = b->base ? MAP_FAILED
			  : mmap(NULL, b->size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (b->data != MAP_FAILED)
		return true;
	b->data = mmap(NULL, b->size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (b->data == MAP_FAILED)
		return false;
	while (got < b->size && (n = read(fd, (char *)b->data + got, b->size - got)) > 0)
		got += (size_t)n;
	return got == b->size;
}

/* Id 0 of the kernel's own BTF is no type. */
static bool walk(struct kern_btf *b)
{
	struct btf_parts parts;
	const char *p;
	size_t len, size;
	uint32_t cap = b->base ? 1 << 10 : 1 << 17;

	if (!btf_parts_of(&parts, b->data, b->size))
		return false;
	p = parts.types;
	len = parts.len;
	b->strs = parts.strs;
	b->str_len = parts.str_len;
	b->off = mem_realloc(NULL, cap * sizeof(*b->off));
	b->off[0] = 0;
	b->count = !b->base;
	for (; len >= sizeof(struct btf_type); p += size, len -= size) {
		const struct btf_type *t = (const void *)p;

		size = btf_bytes_of(t);
		if (size > len)
			return false;
		if (b->count == cap) {
			cap *= 2;
			b->off = mem_realloc(b->off, cap * sizeof(*b->off));
		}
		if (b->base)
			kern_btf_move(b, (struct btf_type *)p);
		if (t->name_off && is_type(btf_kind(t)))
			vec_push(&b->named, b->first + b->count);
		b->off[b->count++] = (uint32_t)(p - (const char *)b->data);
	}
	return len == 0;
}

void kern_btf_read(struct kern_btf *b, const char *path)
{
	int fd = file_open(path, O_RDONLY);

	if (fd < 0)
		return;
	if (!map_file(b, fd) || !walk(b))
		b->count = b->named.n = 0;
	close(fd);
}

void kern_btf_free(struct kern_btf *b)
{
	if (b->data && b->data != MAP_FAILED)
		munmap(b->data, b->size);
	mem_free(b->off);
	mem_free(b->index);
	map_free(b->funcs);
	map_free(b->vars);
	vec_free(&b->named);
	vec_free(&b->tps);
	mem_free(b);
}

const struct btf_type *kern_btf_at(const struct kern_btf *b, uint32_t id)
{
	assert(id - b->first < b->count);
	return (const void *)((const char *)b->data + b->off[id - b->first]);
}

const char *kern_btf_text(const struct kern_btf *b, uint32_t name_off)
{
	if (name_off < b->str_first)
		return b->base ? kern_btf_text(b->base, name_off) : "";
	return name_off - b->str_first < b->str_len ? b->strs + (name_off - b->str_first) : "";
}

static uint32_t hash_name(const char *s)
{
	uint32_t h = 5381;

	for (; *s; s++)
		h = h * 33 ^ (unsigned char)*s;
	return h ^ h >> 15;
}

static const char *name_of(const struct kern_btf *b, uint32_t id)
{
	return kern_btf_text(b, kern_btf_at(b, id)->name_off);
}

static void index_build(struct kern_btf *b)
{
	uint32_t size = 1024;

	while (size < b->named.n * 2)
		size *= 2;
	b->index = mem_alloc(size * sizeof(*b->index));
	b->index_mask = size - 1;
	for (uint32_t i = 0; i < b->named.n; i++) {
		uint32_t j = hash_name(name_of(b, b->named.a[i])) & b->index_mask;

		while (b->index[j])
			j = (j + 1) & b->index_mask;
		b->index[j] = b->named.a[i];
	}
}

static uint32_t find_type(struct kern_btf *b, const char *name, unsigned int kind)
{
	if (!b->index)
		index_build(b);
	for (uint32_t j = hash_name(name) & b->index_mask; b->index[j]; j = (j + 1) & b->index_mask)
		if (btf_kind(kern_btf_at(b, b->index[j])) == kind &&
		    strcmp(name_of(b, b->index[j]), name) == 0)
			return b->index[j];
	return 0;
}

/* After this many searches an index of all functions is faster. */
#define SEARCHES_MAX 16

static void index_funcs(struct kern_btf *b)
{
	for (uint32_t i = !b->base; i < b->count; i++) {
		uint32_t id = b->first + i;

		if (btf_kind(kern_btf_at(b, id)) == BTF_KIND_FUNC)
			map_set_str(b->funcs, name_of(b, id), (void *)(uintptr_t)(id + 1));
	}
}

static uint32_t search(const struct kern_btf *b, const char *name, unsigned int kind)
{
	for (uint32_t i = !b->base; i < b->count; i++) {
		const struct btf_type *t = kern_btf_at(b, b->first + i);
		const char *s;

		if (btf_kind(t) != kind)
			continue;
		s = kern_btf_text(b, t->name_off);
		if (s[0] == name[0] && strcmp(s, name) == 0)
			return b->first + i;
	}
	return 0;
}

/* Results are kept as id + 1, so that misses are kept too. */
static uint32_t find_symbol(struct kern_btf *b, const char *name, unsigned int kind)
{
	struct map **known_ids = kind == BTF_KIND_FUNC ? &b->funcs : &b->vars;
	uintptr_t known;
	uint32_t id;

	if (!*known_ids)
		*known_ids = map_new();
	known = (uintptr_t)map_get_str(*known_ids, name);
	if (known)
		return (uint32_t)known - 1;
	if (kind == BTF_KIND_FUNC && b->nsearches > SEARCHES_MAX)
		return 0;
	if (kind == BTF_KIND_FUNC && b->nsearches++ == SEARCHES_MAX) {
		index_funcs(b);
		known = (uintptr_t)map_get_str(b->funcs, name);
		return known ? (uint32_t)known - 1 : 0;
	}
	id = search(b, name, kind);
	map_set_str(*known_ids, name, (void *)(uintptr_t)(id + 1));
	return id;
}

uint32_t kern_btf_search(struct kern_btf *b, const char *name, unsigned int kind)
{
	if (!b->count)
		return 0;
	if (kind == BTF_KIND_FUNC || kind == BTF_KIND_VAR)
		return find_symbol(b, name, kind);
	return find_type(b, name, kind);
}

/* Returns a section of variables; 0: none.  There are few, and no section is searched twice. */
uint32_t kern_btf_search_section(const struct kern_btf *b, const char *name)
{
	return search(b, name, BTF_KIND_DATASEC);
}

static bool enumerator(const struct kern_btf *b, const struct btf_type *t, const char *name,
		       int64_t *value)
{
	for (unsigned int i = 0; btf_kind(t) == BTF_KIND_ENUM && i < btf_vlen(t); i++) {
		const struct btf_enum *e = &btf_enum(t)[i];

		*value = btf_kflag(t) ? e->val : (int64_t)(uint32_t)e->val;
		if (strcmp(kern_btf_text(b, e->name_off), name) == 0)
			return true;
	}
	for (unsigned int i = 0; btf_kind(t) == BTF_KIND_ENUM64 && i < btf_vlen(t); i++) {
		const struct btf_enum64 *e = &btf_enum64(t)[i];

		*value = (int64_t)btf_enum64_value(e);
		if (strcmp(kern_btf_text(b, e->name_off), name) == 0)
			return true;
	}
	return false;
}

/* The search is linear: a run looks up an enumerator once or twice, if at all. */
uint32_t kern_btf_search_enumerators(const struct kern_btf *b, const char *name, int64_t *value)
{
	for (uint32_t i = !b->base; i < b->count; i++)
		if (enumerator(b, kern_btf_at(b, b->first + i), name, value))
			return b->first + i;
	return 0;
}

bool kern_btf_member(struct kern *k, const char *type, const char *name, uint32_t *off)
{
	const struct btf_type *t = kern_btf_type(k, kern_btf_find(k, type, BTF_KIND_STRUCT));

	for (unsigned int i = 0; t && i < btf_vlen(t); i++) {
		const struct btf_member *m = &btf_members(t)[i];

		if (strcmp(kern_btf_name(k, m->name_off), name) == 0) {
			*off = btf_member_bit_offset(t, i) / 8;
			return true;
		}
	}
	return false;
}
