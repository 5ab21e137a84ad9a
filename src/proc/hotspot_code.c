/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotspot_code.c: compiled methods.  Code has a descriptor for each place where a thread can be
 * seen (src/hotspot/share/code/pcDesc.hpp).  A descriptor refers to a scope: the innermost method
 * that is inlined there (code/debugInfoRec.cpp).  A scope refers to the scope of its caller, which
 * has a lower offset.
 */
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "proc/hotspot_priv.h"

#define PLACES_MAX   (64U << 10)
#define SCOPES_MAX   (4U << 20) /* bytes */
#define METADATA_MAX (64U << 10)
#define FOUND_MAX    (256U << 10) /* scopes */
#define LINES_MAX    (1U << 20)	  /* bytes of the tables of lines of all inlined methods */
#define UNKNOWN	     UINT32_MAX

/* struct PcDesc.  The first and the last of an array are no places. */
struct pc_desc {
	int32_t pc, scope, object, flags;
};

/* A scope: a method, and a bytecode from 1 on (0: none).  The methods are inlined[] of the code. */
struct scope {
	uint32_t caller; /* index + 1; 0: the outermost */
	uint32_t method; /* UNKNOWN: it could not be read */
	uint32_t bci;
};

/* A place: offsets of instructions up to this one (from code start) are in the scope. */
struct place {
	uint32_t pc, scope; /* scope: index + 1; 0: none */
};

/* The contents of runtime_code.lines: places, and after them the scopes. */
struct table {
	uint32_t nplaces, nscopes;
	struct place places[];
};

/* ---- where the parts are ---- */

struct parts {
	uint64_t descs, ndescs, scopes, nscopes, metadata, nmetadata;
};

static uint64_t after(uint64_t start, uint64_t end, size_t size)
{
	return end > start ? (end - start) / size : 0;
}

/* The parts follow the code, in one block. */
static void find_near(uint32_t pid, const struct runtime_layout *l, uint64_t code, struct parts *p)
{
	uint64_t end = code + hotspot_u32(pid, code + hotspot_at(l, CODE_PLACES_END));

	p->descs = code + hotspot_u32(pid, code + hotspot_at(l, CODE_PLACES));
	p->ndescs = after(p->descs, end, sizeof(struct pc_desc));
	p->scopes = runtime_pointer(pid, code + hotspot_at(l, CODE_SCOPES));
	p->nscopes = after(p->scopes, p->descs, 1);
	p->metadata = code + hotspot_u32(pid, code + hotspot_at(l, CODE_METADATA));
	p->nmetadata = after(p->metadata, p->scopes, sizeof(uint64_t));
}

/* The parts are in two blocks of memory of their own. */
static void find_apart(uint32_t pid, const struct runtime_layout *l, uint64_t code, struct parts *p)
{
	uint64_t fixed = runtime_pointer(pid, code + hotspot_at(l, CODE_IMMUTABLE));
	uint64_t data = runtime_pointer(pid, code + hotspot_at(l, BLOB_MUTABLE));
	uint32_t nfixed = hotspot_u32(pid, code + hotspot_at(l, CODE_IMMUTABLE_SIZE));
	uint32_t ndata = hotspot_u32(pid, code + hotspot_at(l, BLOB_MUTABLE_SIZE));

	p->descs = fixed + hotspot_u32(pid, code + hotspot_at(l, CODE_PLACES));
	p->scopes = fixed + hotspot_u32(pid, code + hotspot_at(l, CODE_SCOPES));
	p->ndescs = after(p->descs, p->scopes, sizeof(struct pc_desc));
	p->nscopes = after(p->scopes, fixed + nfixed, 1);
	p->metadata = data + hotspot_u32(pid, code + hotspot_at(l, BLOB_RELOCATIONS));
	p->nmetadata = after(p->metadata, data + ndata, sizeof(uint64_t));
}

/* ---- scopes ---- */

struct reading {
	uint32_t pid;
	const struct runtime_layout *l;
	uint64_t method;   /* of the code itself */
	uint64_t *methods; /* by number from 1 on */
	uint32_t nmethods;
	uint8_t *scopes;
	uint32_t nbytes, nlines;
	VEC(struct scope) found;
	VEC(struct place) places;
	struct map *by_offset; /* index + 1 of a scope */
	struct map *by_number; /* index + 1 of an inlined method */
	struct runtime_code *code;
};

/* Returns the index in inlined[] of the method with a number, or UNKNOWN. */
static uint32_t inlined(struct reading *r, uint32_t number)
{
	uint32_t known = (uint32_t)(uintptr_t)map_get_int(r->by_number, number);
	struct runtime_code *c = r->code, *method;

	if (known)
		return known - 1;
	if (!number || number > r->nmethods || r->nlines > LINES_MAX)
		return UNKNOWN;
	method = hotspot_method(r->pid, r->l, r->methods[number - 1]);
	if (!method)
		return UNKNOWN;
	r->nlines += method->nlines;
	c->inlined = mem_realloc(c->inlined, (c->ninlined + 1) * sizeof(*c->inlined));
	c->inlined[c->ninlined++] = method;
	map_set_int(r->by_number, number, (void *)(uintptr_t)c->ninlined);
	return c->ninlined - 1;
}

/*
 * Returns the index + 1 of the scope at an offset, and adds it with its callers; 0: none.  Offsets
 * decrease from a scope to its caller, so the chain ends.
 */
static uint32_t scope_at(struct reading *r, uint32_t off)
{
	uint32_t first = 0, last = 0, caller;

	for (; off && off < r->nbytes && r->found.n < FOUND_MAX; off = caller) {
		uint32_t index = (uint32_t)(uintptr_t)map_get_int(r->by_offset, off);
		const uint8_t *p = r->scopes + off, *end = r->scopes + r->nbytes;
		bool is_new = !index;
		struct scope s = {0};

		caller = hotspot_number(r->l, &p, end);
		if (is_new) {
			s.method = inlined(r, hotspot_number(r->l, &p, end));
			s.bci = hotspot_number(r->l, &p, end);
			vec_push(&r->found, s);
			index = r->found.n;
			map_set_int(r->by_offset, off, (void *)(uintptr_t)index);
		}
		if (last)
			r->found.a[last - 1].caller = index;
		first = first ? first : index;
		last = index;
		if (!is_new || caller >= off)
			break;
	}
	return first;
}

static void read_places(struct reading *r, const struct pc_desc *descs, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		if (descs[i].pc >= 0) {
			struct place p = {(uint32_t)descs[i].pc,
					  scope_at(r, (uint32_t)descs[i].scope)};

			vec_push(&r->places, p);
		}
}

static void make_table(struct reading *r)
{
	size_t places = r->places.n * sizeof(struct place),
	       scopes = r->found.n * sizeof(struct scope);
	struct table *t = mem_alloc(sizeof(*t) + places + scopes);

	t->nplaces = r->places.n;
	t->nscopes = r->found.n;
	if (places)
		memcpy(t->places, r->places.a, places);
	if (scopes)
		memcpy((char *)t->places + places, r->found.a, scopes);
	r->code->lines = (uint8_t *)t;
	r->code->nlines = (uint32_t)(sizeof(*t) + places + scopes);
}

/* Reads the scopes.  Code whose parts are absurd or gone stays without. */
static void read_scopes(struct reading *r, const struct parts *p)
{
	struct pc_desc *descs;

	if (!p->ndescs || p->ndescs > PLACES_MAX || !p->nscopes || p->nscopes > SCOPES_MAX ||
	    p->nmetadata > METADATA_MAX)
		return;
	descs = mem_alloc(p->ndescs * sizeof(*descs));
	r->nbytes = (uint32_t)p->nscopes;
	r->nmethods = (uint32_t)p->nmetadata;
	r->scopes = mem_alloc(r->nbytes);
	r->methods = mem_alloc((r->nmethods + 1) * sizeof(*r->methods));
	r->by_offset = map_new();
	r->by_number = map_new();
	if (runtime_read(r->pid, p->descs, descs, p->ndescs * sizeof(*descs)) &&
	    runtime_read(r->pid, p->scopes, r->scopes, r->nbytes) &&
	    (!r->nmethods ||
	     runtime_read(r->pid, p->metadata, r->methods, r->nmethods * sizeof(*r->methods)))) {
		read_places(r, descs, p->ndescs);
		make_table(r);
	}
	vec_free(&r->found);
	vec_free(&r->places);
	map_free(r->by_offset);
	map_free(r->by_number);
	mem_free(r->scopes);
	mem_free(r->methods);
	mem_free(descs);
}

/* ---- code ---- */

struct runtime_code *hotspot_code(uint32_t pid, const struct runtime_layout *l, uint64_t code)
{
	struct reading r = {.pid = pid, .l = l};
	struct runtime_code *method =
	    hotspot_method(pid, l, runtime_pointer(pid, code + hotspot_at(l, CODE_METHOD)));
	struct parts p;

	if (!method)
		return NULL;
	r.code = mem_alloc(sizeof(*r.code));
	r.code->func = mem_strdup(method->func);
	r.code->file = method->file ? mem_strdup(method->file) : NULL;
	r.code->line = method->line;
	r.code->inlined = mem_alloc(sizeof(*r.code->inlined));
	r.code->inlined[0] = method;
	r.code->ninlined = 1;
	if (l->hotspot.version >= HOTSPOT_RELATIVE)
		find_apart(pid, l, code, &p);
	else
		find_near(pid, l, code, &p);
	read_scopes(&r, &p);
	return r.code;
}

/* Returns the scope of an instruction, index + 1.  A return address is a place of its own. */
static uint32_t scope_of(const struct table *t, uint32_t pc)
{
	uint32_t low = 0, high = t->nplaces;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (t->places[mid].pc < pc)
			low = mid + 1;
		else
			high = mid;
	}
	return low < t->nplaces ? t->places[low].scope : 0;
}

unsigned int hotspot_inlined(const struct runtime_code *c, uint32_t at, struct runtime_place *to,
			     unsigned int max)
{
	const struct table *t = (const struct table *)c->lines;
	const struct scope *scopes = t ? (const struct scope *)(t->places + t->nplaces) : NULL;
	uint32_t scope = t && at ? scope_of(t, at - 1) : 0;
	unsigned int n = 0;

	for (; scope && n < max; scope = scopes[scope - 1].caller) {
		const struct scope *s = &scopes[scope - 1];
		const struct runtime_code *m = s->method == UNKNOWN ? NULL : c->inlined[s->method];

		if (!m)
			continue;
		to[n++] = (struct runtime_place){m->file, m->func,
						 s->bci ? hotspot_line(m, s->bci - 1) : m->line};
	}
	if (!n)
		to[n++] = (struct runtime_place){c->file, c->func, c->line};
	return n;
}
