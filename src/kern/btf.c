/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf.c: the kernel's BTF (Documentation/bpf/btf.rst): mapped where the kernel allows it (6.16 and
 * later), read otherwise; one walk notes where each type starts and which ones have names worth
 * finding.  Types are found through a hash table made when first needed.  Functions and variables
 * are searched for, because few runs ask for one and touching 70,000 names costs milliseconds; what
 * was found is kept.
 */
#include <assert.h>
#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "base/mem.h"
#include "kern/priv.h"

/* Bytes behind struct btf_type for each kind (include/uapi/linux/btf.h). */
static size_t extra_size(const struct btf_type *t)
{
	size_t n = btf_vlen(t);

	switch (btf_kind(t)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return n * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return n * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return n * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return n * sizeof(struct btf_var_secinfo);
	default:
		return 0;
	}
}

/* Kinds that have names of types. */
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
	b->data = mmap(NULL, b->size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
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

static bool walk(struct kern_btf *b)
{
	const struct btf_header *h = b->data;
	const char *p, *end;
	uint32_t cap = 1 << 17;

	if (h->magic != BTF_MAGIC || h->version != BTF_VERSION || h->hdr_len > b->size ||
	    (size_t)h->hdr_len + h->type_off + h->type_len > b->size ||
	    (size_t)h->hdr_len + h->str_off + h->str_len > b->size || !h->str_len ||
	    (h->hdr_len + h->type_off) % 4)
		return false;
	p = (const char *)b->data + h->hdr_len + h->type_off;
	end = p + h->type_len;
	b->strs = (const char *)b->data + h->hdr_len + h->str_off;
	b->str_len = h->str_len;
	if (b->strs[b->str_len - 1] != '\0')
		return false;
	b->off = mem_realloc(NULL, cap * sizeof(*b->off));
	b->off[0] = 0;
	b->count = 1;
	while (p + sizeof(struct btf_type) <= end) {
		const struct btf_type *t = (const void *)p;

		if (b->count == cap) {
			cap *= 2;
			b->off = mem_realloc(b->off, cap * sizeof(*b->off));
		}
		if (t->name_off && is_type(btf_kind(t)))
			vec_push(&b->named, b->count);
		b->off[b->count++] = (uint32_t)(p - (const char *)b->data);
		p += sizeof(*t) + extra_size(t);
	}
	return p == end;
}

static void load(struct kern *k)
{
	struct kern_btf *b = &k->btf;
	int fd;

	if (b->tried)
		return;
	b->tried = true;
	fd = open(k->btf_path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!map_file(b, fd) || !walk(b))
		b->count = b->named.n = 0;
	close(fd);
}

void kern_btf_unload(struct kern *k)
{
	struct kern_btf *b = &k->btf;

	if (b->data && b->data != MAP_FAILED)
		munmap(b->data, b->size);
	mem_free(b->off);
	mem_free(b->index);
	map_free(b->funcs);
	map_free(b->vars);
	vec_free(&b->named);
	memset(b, 0, sizeof(*b));
}

uint32_t kern_btf_count(struct kern *k)
{
	load(k);
	return k->btf.count;
}

const struct btf_type *kern_btf_type(struct kern *k, uint32_t id)
{
	load(k);
	if (id == 0 || id >= k->btf.count)
		return NULL;
	return (const void *)((const char *)k->btf.data + k->btf.off[id]);
}

const char *kern_btf_name(struct kern *k, uint32_t name_off)
{
	load(k);
	return name_off < k->btf.str_len ? k->btf.strs + name_off : "";
}

static uint32_t hash_name(const char *s)
{
	uint32_t h = 5381;

	for (; *s; s++)
		h = h * 33 ^ (unsigned char)*s;
	return h ^ h >> 15;
}

static void index_build(struct kern *k)
{
	struct kern_btf *b = &k->btf;
	uint32_t size = 1024;

	while (size < b->named.n * 2)
		size *= 2;
	b->index = mem_alloc(size * sizeof(*b->index));
	b->index_mask = size - 1;
	for (uint32_t i = 0; i < b->named.n; i++) {
		const struct btf_type *t = kern_btf_type(k, b->named.a[i]);
		uint32_t j = hash_name(kern_btf_name(k, t->name_off)) & b->index_mask;

		while (b->index[j])
			j = (j + 1) & b->index_mask;
		b->index[j] = b->named.a[i];
	}
}

static uint32_t find_type(struct kern *k, const char *name, unsigned int kind)
{
	struct kern_btf *b = &k->btf;

	if (!b->index)
		index_build(k);
	for (uint32_t j = hash_name(name) & b->index_mask; b->index[j];
	     j = (j + 1) & b->index_mask) {
		const struct btf_type *t = kern_btf_type(k, b->index[j]);

		if (btf_kind(t) == kind && strcmp(kern_btf_name(k, t->name_off), name) == 0)
			return b->index[j];
	}
	return 0;
}

/* Who asks for many functions is quicker with all of them. */
#define SEARCHES_MAX 16

static void index_funcs(struct kern_btf *b, struct kern *k)
{
	for (uint32_t id = 1; id < b->count; id++) {
		const struct btf_type *t = kern_btf_type(k, id);

		if (btf_kind(t) == BTF_KIND_FUNC)
			map_set_str(b->funcs, kern_btf_name(k, t->name_off),
				    (void *)(uintptr_t)(id + 1));
	}
}

/* Results are kept as id + 1, so that "there is none" is kept too. */
static uint32_t find_symbol(struct kern *k, const char *name, unsigned int kind)
{
	struct kern_btf *b = &k->btf;
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
		index_funcs(b, k);
		known = (uintptr_t)map_get_str(b->funcs, name);
		return known ? (uint32_t)known - 1 : 0;
	}
	for (id = 1; id < b->count; id++) {
		const struct btf_type *t = (const void *)((const char *)b->data + b->off[id]);
		const char *s = kern_btf_name(k, t->name_off);

		if (btf_kind(t) == kind && s[0] == name[0] && strcmp(s, name) == 0)
			break;
	}
	if (id == b->count)
		id = 0;
	map_set_str(*known_ids, name, (void *)(uintptr_t)(id + 1));
	return id;
}

uint32_t kern_btf_find(struct kern *k, const char *name, unsigned int kind)
{
	if (!kern_btf_count(k))
		return 0;
	if (kind == BTF_KIND_FUNC || kind == BTF_KIND_VAR)
		return find_symbol(k, name, kind);
	return find_type(k, name, kind);
}

/* A linear search: enumerators are looked up once or twice in a run, if at all. */
uint32_t kern_btf_enumerator(struct kern *k, const char *name, int64_t *value)
{
	uint32_t count = kern_btf_count(k);

	for (uint32_t id = 1; id < count; id++) {
		const struct btf_type *t = kern_btf_type(k, id);
		unsigned int n = btf_vlen(t);

		if (btf_kind(t) == BTF_KIND_ENUM) {
			const struct btf_enum *e = btf_enum(t);

			for (unsigned int i = 0; i < n; i++) {
				if (strcmp(kern_btf_name(k, e[i].name_off), name) == 0) {
					*value =
					    btf_kflag(t) ? e[i].val : (int64_t)(uint32_t)e[i].val;
					return id;
				}
			}
		} else if (btf_kind(t) == BTF_KIND_ENUM64) {
			const struct btf_enum64 *e = btf_enum64(t);

			for (unsigned int i = 0; i < n; i++) {
				if (strcmp(kern_btf_name(k, e[i].name_off), name) == 0) {
					*value = (int64_t)btf_enum64_value(&e[i]);
					return id;
				}
			}
		}
	}
	return 0;
}

static int tp_cmp(const void *a, const void *b)
{
	return strcmp(((const struct kern_tp *)a)->name, ((const struct kern_tp *)b)->name);
}

const struct kern_tp *kern_tracepoints(struct kern *k, size_t *n)
{
	static const char prefix[] = "btf_trace_";
	uint32_t count = kern_btf_count(k) ? k->btf.named.n : 0;

	for (uint32_t i = 0; i < count && !k->tps_done; i++) {
		uint32_t id = k->btf.named.a[i];
		const struct btf_type *t = kern_btf_type(k, id), *ptr, *proto;
		const char *name = kern_btf_name(k, t->name_off);

		if (btf_kind(t) != BTF_KIND_TYPEDEF ||
		    strncmp(name, prefix, sizeof(prefix) - 1) != 0)
			continue;
		ptr = kern_btf_type(k, t->type);
		proto = ptr && btf_kind(ptr) == BTF_KIND_PTR ? kern_btf_type(k, ptr->type) : NULL;
		if (!proto || btf_kind(proto) != BTF_KIND_FUNC_PROTO)
			continue;
		vec_push(&k->tps, ((struct kern_tp){name + sizeof(prefix) - 1, ptr->type, id}));
	}
	if (!k->tps_done && k->tps.n)
		qsort(k->tps.a, k->tps.n, sizeof(*k->tps.a), tp_cmp);
	k->tps_done = true;
	*n = k->tps.n;
	return k->tps.a;
}
