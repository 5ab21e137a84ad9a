/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * goplaces.c: source lines and inlined functions of Go programs without debug information.
 *
 * The description of a function has tables of values by address: the file, the line, and the number
 * of the inlined call.  The calls are a tree in read-only data.  A call has the name of its
 * function, and an address in the caller, where the search continues (Go's internal/abi/symtab.go
 * and runtime/symtabinl.go).
 */
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "proc/gotable_priv.h"
#include "proc/reader.h"

#define NONE	 0xffffffffU
#define CALL_MAX 20 /* bytes of an inlined call */

/* Offsets in the description of a function. */
enum { FUNC_FILES = 20, FUNC_LINES = 24, FUNC_NVALUES = 28, FUNC_UNIT = 32 };

/* Numbers of the tables of inlined calls, among the values and among the data of a function. */
enum { VALUE_INLINED = 2, DATA_INLINED = 3 };

struct goplaces {
	struct gotable_bytes table;
	char *data;	 /* of the table */
	char *calls;	 /* section with the trees of calls; NULL: none */
	uint64_t ncalls; /* its bytes */
	uint64_t base;	 /* offset in it from which functions count */
	uint32_t head;	 /* bytes of a description before the offsets of its tables */
	uint32_t size;	 /* bytes of a call */
	uint32_t name;	 /* offsets in a call */
	uint32_t parent;
};

/* A function that the table describes. */
struct func {
	const char *at;
	uint64_t room; /* bytes of the table from there */
	uint64_t addr;
};

/* ---- the module ---- */

/* Returns the offset of member gofunc in struct moduledata; 0: unknown version. */
static uint64_t member_of(int version)
{
	if (version < 18 || version > 27)
		return 0;
	return version < 20 ? 304 : version < 27 ? 320 : 344;
}

static const Elf64_Shdr *section_of(const struct image *im, uint64_t addr)
{
	for (unsigned int i = 0; i < im->sections.n; i++) {
		const Elf64_Shdr *sh = &im->sections.a[i];

		if (sh->sh_flags & SHF_ALLOC && sh->sh_type == SHT_PROGBITS &&
		    addr >= sh->sh_addr && addr - sh->sh_addr < sh->sh_size)
			return sh;
	}
	return NULL;
}

/* Returns the word at an address as it is after loading; 0: the file has none. */
static uint64_t loaded_word(const struct image *im, uint64_t addr)
{
	const Elf64_Shdr *sh = section_of(im, addr);
	uint64_t w = 0;

	if (!sh || sh->sh_size - (addr - sh->sh_addr) < sizeof(w) ||
	    pread(im->fd, &w, sizeof(w), (off_t)(sh->sh_offset + (addr - sh->sh_addr))) !=
		(ssize_t)sizeof(w))
		return 0;
	return gotable_address(im, w, addr);
}

/* Searches two words in a section.  Returns the address of the first, or 0. */
static uint64_t find_words(const struct image *im, const char *section, uint64_t first,
			   uint64_t second)
{
	const Elf64_Shdr *sh = image_find(im, section);
	char *data = sh ? image_section(im, sh, GOTABLE_MAX) : NULL;
	uint64_t res = 0;

	for (uint64_t at = 0; data && !res && sh->sh_size - at >= 16; at += 8)
		if (gotable_word(data + at) == first && gotable_word(data + at + 8) == second)
			res = sh->sh_addr + at;
	mem_free(data);
	return res;
}

/* The description of the module starts with the addresses of the table and of its names. */
static uint64_t find_module(const struct image *im, const struct gotable_bytes *t)
{
	uint64_t first = t->sh->sh_addr, second = first + t->names, res;
	const Elf64_Shdr *own = image_find(im, ".go.module");

	if (own)
		return own->sh_addr;
	res = find_words(im, ".noptrdata", first, second);
	if (!res)
		res = find_words(im, ".data", first, second);
	return res ? res : gotable_relocated(im, first, second);
}

static void find_calls(struct goplaces *g, const struct image *im)
{
	uint64_t member = member_of(gotable_version(im)), module = 0, base = 0;
	const Elf64_Shdr *sh = NULL;

	if (member)
		module = find_module(im, &g->table);
	if (module)
		base = loaded_word(im, module + member);
	if (base)
		sh = section_of(im, base);
	if (!sh)
		return;
	g->calls = image_section(im, sh, GOTABLE_MAX);
	g->ncalls = g->calls ? sh->sh_size : 0;
	g->base = base - sh->sh_addr;
}

struct goplaces *goplaces_open(const struct image *im)
{
	struct gotable_bytes t = {.sh = gotable_find(im)};
	struct goplaces *g;
	bool is_old;

	t.data = t.sh ? image_section(im, t.sh, GOTABLE_MAX) : NULL;
	t.size = t.data ? t.sh->sh_size : 0;
	if (!t.data || !gotable_header(im, &t)) {
		mem_free((char *)t.data);
		return NULL;
	}
	is_old = t.magic == GOTABLE_1_18;
	g = mem_alloc(sizeof(*g));
	*g = (struct goplaces){.table = t,
			       .data = (char *)t.data,
			       .head = is_old ? 40 : 44,
			       .size = is_old ? 20 : 16,
			       .name = is_old ? 12 : 4,
			       .parent = is_old ? 16 : 8};
	find_calls(g, im);
	g->table.sh = NULL;
	return g;
}

void goplaces_close(struct goplaces *g)
{
	if (!g)
		return;
	mem_free(g->data);
	mem_free(g->calls);
	mem_free(g);
}

/* ---- a function ---- */

static bool find_func(const struct goplaces *g, uint64_t addr, struct func *f)
{
	const struct gotable_bytes *t = &g->table;
	const char *rows = t->data + t->functions;
	uint64_t lo = 0, hi = t->nfuncs, off;

	if (addr < t->text || addr - t->text > UINT32_MAX)
		return false;
	while (lo < hi) {
		uint64_t mid = (lo + hi) / 2;

		if (gotable_half(rows + mid * 8) <= addr - t->text)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return false;
	off = gotable_half(rows + (lo - 1) * 8 + 4);
	if (t->size - t->functions < g->head || off > t->size - t->functions - g->head)
		return false;
	f->at = rows + off;
	f->room = t->size - t->functions - off;
	f->addr = t->text + gotable_half(rows + (lo - 1) * 8);
	return true;
}

/* Takes a number of up to 32 bits, seven in each byte.  Returns false at the end of the table. */
static bool take(const struct gotable_bytes *t, uint64_t *at, uint32_t *n)
{
	unsigned char byte;

	*n = 0;
	for (unsigned int shift = 0; shift < 32 && *at < t->size; shift += 7) {
		byte = (unsigned char)t->data[(*at)++];
		*n |= (uint32_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* Returns the value at an address, from the table at an offset; -1: none. */
static int32_t value_at(const struct goplaces *g, const struct func *f, uint32_t off, uint64_t addr)
{
	const struct gotable_bytes *t = &g->table;
	uint64_t at = gotable_word(t->data + GOTABLE_VALUES), pc = f->addr;
	uint32_t value = NONE, change, distance, scale = (unsigned char)t->data[6];

	if (!off || at > t->size || off >= t->size - at)
		return -1;
	for (at += off; take(t, &at, &change) && (change || pc == f->addr);) {
		/* The lowest bit is the sign. */
		value += change & 1 ? ~(change >> 1) : change >> 1;
		if (!take(t, &at, &distance))
			break;
		pc += (uint64_t)distance * scale;
		if (addr < pc)
			return (int32_t)value;
	}
	return -1;
}

static int32_t value_of(const struct goplaces *g, const struct func *f, uint32_t member,
			uint64_t addr)
{
	return value_at(g, f, gotable_half(f->at + member), addr);
}

/* ---- inlined calls ---- */

/* Returns the call that an address belongs to, or NULL. */
static const char *call_at(const struct goplaces *g, const struct func *f, uint64_t addr)
{
	uint64_t nvalues = gotable_half(f->at + FUNC_NVALUES);
	uint64_t ndata = (unsigned char)f->at[g->head - 1], tree, off;
	uint64_t values = g->head, data = values + nvalues * 4;
	int32_t n;

	if (nvalues <= VALUE_INLINED || ndata <= DATA_INLINED || nvalues > f->room / 4 ||
	    data + ndata * 4 > f->room)
		return NULL;
	n = value_at(g, f, gotable_half(f->at + values + VALUE_INLINED * 4), addr);
	tree = gotable_half(f->at + data + DATA_INLINED * 4);
	if (n < 0 || tree == NONE || g->base >= g->ncalls)
		return NULL;
	off = g->base + tree + (uint64_t)n * g->size;
	return off < g->ncalls && g->ncalls - off >= CALL_MAX ? g->calls + off : NULL;
}

/* Returns a text without control characters, or NULL. */
static const char *text_at(const struct goplaces *g, uint64_t from, uint64_t off)
{
	const char *text = gotable_text(&g->table, from, off);

	if (text)
		buf_clean(g->data + (text - g->table.data));
	return text;
}

static const char *file_at(const struct goplaces *g, const struct func *f, uint64_t addr)
{
	const struct gotable_bytes *t = &g->table;
	uint64_t units = gotable_word(t->data + GOTABLE_UNITS);
	int32_t n = value_of(g, f, FUNC_FILES, addr);
	uint64_t at = ((uint64_t)gotable_half(f->at + FUNC_UNIT) + (uint64_t)(n < 0 ? 0 : n)) * 4;

	if (n < 0 || units > t->size || t->size - units < 4 || at > t->size - units - 4)
		return NULL;
	return text_at(g, gotable_word(t->data + GOTABLE_FILES),
		       gotable_half(t->data + units + at));
}

unsigned int goplaces_find(const struct goplaces *g, uint64_t vaddr, struct reader_place *to)
{
	unsigned int n = 0;
	struct func f;

	if (!find_func(g, vaddr, &f))
		return 0;
	while (n < GOPLACES_MAX) {
		const char *call = call_at(g, &f, vaddr);
		int32_t line = value_of(g, &f, FUNC_LINES, vaddr);
		struct reader_place *p = &to[n++];

		*p = (struct reader_place){.file = file_at(g, &f, vaddr),
					   .line = line > 0 ? line : 0};
		if (!call)
			break;
		p->func = text_at(g, g->table.names, gotable_half(call + g->name));
		vaddr = f.addr + gotable_half(call + g->parent);
	}
	return n;
}
