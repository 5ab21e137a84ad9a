/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frames.c: reads the lists.  A nonsensical entry is left out.
 */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/mem.h"
#include "proc/frames.h"

#define FDES_MAX (2U << 20)
#define CIES_MAX 65536U
#define CIE_MAX	 4096 /* bytes: each FDE runs the instructions of its CIE */

/* Length of an entry that says that a length of 8 bytes follows. */
#define IS_WIDE UINT32_MAX

uint64_t frames_fixed(struct cursor *c, unsigned int n)
{
	uint64_t v = 0;

	if ((size_t)(c->end - c->p) < n) {
		c->is_bad = true;
		c->p = c->end;
		return 0;
	}
	memcpy(&v, c->p, n);
	c->p += n;
	return v;
}

static uint64_t leb(struct cursor *c, bool is_signed)
{
	unsigned int shift = 0;
	uint64_t v = 0, byte;

	do {
		byte = frames_fixed(c, 1);
		if (shift < 64)
			v |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !c->is_bad);
	if (is_signed && shift < 64 && byte & 0x40)
		v |= UINT64_MAX << shift;
	return v;
}

uint64_t frames_uleb(struct cursor *c)
{
	return leb(c, false);
}

int64_t frames_sleb(struct cursor *c)
{
	return (int64_t)leb(c, true);
}

struct cursor frames_part(struct cursor *c, uint64_t n)
{
	struct cursor r = {.p = c->p, .end = c->p};

	if (n > (uint64_t)(c->end - c->p)) {
		c->is_bad = r.is_bad = true;
		return r;
	}
	r.end = c->p += n;
	return r;
}

/* ---- the section ---- */

/* DW_EH_PE_*: encoding of pointers, and their base. */
enum { PE_FORMAT = 0x0f, PE_SIGNED = 0x08, PE_BASE = 0xf0, PE_PCREL = 0x10 };

uint64_t frames_address(const struct frames_table *t, struct cursor *c, uint8_t encoding)
{
	static const uint8_t size[] = {8, 0, 2, 4, 8};
	uint64_t at = t->addr + (uint64_t)(c->p - t->bytes), v;
	unsigned int format = encoding & PE_FORMAT & ~PE_SIGNED;

	if (format >= sizeof(size)) {
		c->is_bad = true;
		return 0;
	}
	if (!size[format])
		v = leb(c, encoding & PE_SIGNED);
	else
		v = frames_fixed(c, size[format]);
	if (encoding & PE_SIGNED && size[format] && size[format] < 8)
		v = (uint64_t)((int64_t)(v << (64 - 8 * size[format])) >> (64 - 8 * size[format]));
	if ((encoding & PE_BASE) == PE_PCREL)
		v += at;
	else if (encoding & PE_BASE)
		c->is_bad = true;
	return v;
}

static void read_augmentation(struct cie *cie, const char *text, struct cursor data)
{
	for (; *text && !data.is_bad; text++) {
		if (*text == 'R')
			cie->encoding = (uint8_t)frames_fixed(&data, 1);
		else if (*text == 'L')
			frames_fixed(&data, 1);
		else if (*text == 'P')
			frames_address(cie->table, &data, frames_fixed(&data, 1) & PE_FORMAT);
		else if (*text == 'S')
			cie->is_signal = true;
		else if (*text != 'z' && *text != 'B')
			return;
	}
}

/*
 * Returns true for a version that the table can have.  Version 4 adds the sizes of an address and
 * of a segment selector.
 */
static bool read_version(const struct frames_table *t, uint64_t version, struct cursor *c)
{
	if (version == 4 && t->is_debug)
		return frames_fixed(c, 1) == sizeof(uint64_t) && frames_fixed(c, 1) == 0;
	return version == 1 || version == 3;
}

/* Adds a CIE.  is_known says if it is valid. */
static void read_cie(struct frames *f, const struct frames_table *t, const uint8_t *at,
		     struct cursor body)
{
	struct cie *cie;
	const char *text;
	uint64_t version, column;

	vec_push(&f->cies, ((struct cie){.table = t, .at = at}));
	cie = &vec_last(&f->cies);
	f->work += (uint64_t)(body.end - body.p);
	version = frames_fixed(&body, 1);
	text = (const char *)body.p;
	while (frames_fixed(&body, 1))
		;
	/* Without "z" the size of other additions is unknown, but "S" has none. */
	if (body.is_bad || (*text && *text != 'z' && strcmp(text, "S") != 0) ||
	    !read_version(t, version, &body))
		return;
	cie->is_signal = *text == 'S';
	cie->code_align = frames_uleb(&body);
	cie->data_align = frames_sleb(&body);
	column = version == 1 ? frames_fixed(&body, 1) : frames_uleb(&body);
	cie->is_augmented = *text == 'z';
	if (cie->is_augmented)
		read_augmentation(cie, text, frames_part(&body, frames_uleb(&body)));
	cie->insns = body;
	cie->is_known = !body.is_bad && column == f->arch->dwarf_ra;
}

/* Returns the body of an entry.  Its position has been checked to lie in the section. */
static struct cursor entry(const struct frames_table *t, const uint8_t *at, bool *is_wide)
{
	struct cursor c = {.p = at, .end = t->end};
	uint64_t n = frames_fixed(&c, 4);

	*is_wide = n == IS_WIDE;
	return frames_part(&c, *is_wide ? frames_fixed(&c, 8) : n);
}

/*
 * Reads the first word of an entry.  Returns true for a CIE.  Otherwise *cie is the position of the
 * CIE in the section: .eh_frame has the distance back to it.
 */
static bool read_id(const struct frames_table *t, struct cursor *c, bool is_wide, uint64_t *cie)
{
	uint64_t here = (uint64_t)(c->p - t->bytes);
	uint64_t id = frames_fixed(c, t->is_debug && is_wide ? 8 : 4);

	*cie = t->is_debug ? id : here - id;
	return t->is_debug ? id == (is_wide ? UINT64_MAX : UINT32_MAX) : !id;
}

/*
 * Returns the CIE of an FDE; NULL: it is invalid or exceeds the limit.  It usually is the last one.
 */
static const struct cie *cie_at(struct frames *f, const struct frames_table *t, const uint8_t *at)
{
	struct cursor c;
	uint64_t none;
	bool is_wide;

	if (!f->cies.n || vec_last(&f->cies).at != at) {
		c = entry(t, at, &is_wide);
		if (c.end - c.p > CIE_MAX || !read_id(t, &c, is_wide, &none) || c.is_bad)
			return NULL;
		f->is_cut |= f->cies.n == CIES_MAX;
		if (f->cies.n == CIES_MAX)
			return NULL;
		read_cie(f, t, at, c);
	}
	return vec_last(&f->cies).is_known ? &vec_last(&f->cies) : NULL;
}

static void read_fde(struct frames *f, const struct frames_table *t, const uint8_t *cie_start,
		     struct cursor body)
{
	const struct cie *cie = cie_at(f, t, cie_start);
	struct fde new = {.cie = f->cies.n - 1};

	if (!cie)
		return;
	new.start = frames_address(t, &body, cie->encoding);
	new.size = frames_address(t, &body, cie->encoding & PE_FORMAT & ~PE_SIGNED);
	if (cie->is_augmented)
		frames_part(&body, frames_uleb(&body));
	new.insns = body.p;
	new.ninsns = (uint32_t)(body.end - body.p);
	if (body.is_bad || !new.size || new.start + new.size <= new.start)
		return;
	f->is_cut |= f->fdes.n == FDES_MAX;
	if (f->fdes.n < FDES_MAX)
		vec_push(&f->fdes, new);
}

static void read_entries(struct frames *f, const struct frames_table *t)
{
	const uint8_t *at = t->bytes;

	while (t->end - at >= 4) {
		bool is_wide;
		struct cursor c = entry(t, at, &is_wide);
		const uint8_t *next = c.end;
		uint64_t cie;
		bool is_cie = read_id(t, &c, is_wide, &cie);

		if (c.is_bad)
			return;
		if (!is_cie && cie < (uint64_t)(t->end - t->bytes))
			read_fde(f, t, t->bytes + cie, c);
		at = next;
	}
}

static int by_start(const void *x, const void *y)
{
	const struct fde *a = x, *b = y;

	return a->start < b->start ? -1 : a->start > b->start;
}

static void sort(struct frames *f)
{
	if (f->fdes.n)
		qsort(f->fdes.a, f->fdes.n, sizeof(*f->fdes.a), by_start);
}

void frames_read(struct frames *f, const struct frames_table *t)
{
	read_entries(f, t);
	sort(f);
}

/* Returns true if one of the first n entries, which are sorted, covers a part of the function. */
static bool is_covered(const struct frames *f, unsigned int n, const struct fde *new)
{
	const struct {
		const struct fde *a;
		unsigned int n;
	} known = {f->fdes.a, n};
	unsigned int i = vec_after(&known, start, new->start);

	return (i && known.a[i - 1].start + known.a[i - 1].size > new->start) ||
	       (i < n && known.a[i].start < new->start + new->size);
}

void frames_read_rest(struct frames *f, const struct frames_table *t,
		      bool (*is_code)(const void *ctx, uint64_t addr), const void *ctx)
{
	unsigned int had = f->fdes.n, n = had;

	read_entries(f, t);
	for (unsigned int i = had; i < f->fdes.n; i++)
		if (is_code(ctx, f->fdes.a[i].start) && !is_covered(f, had, &f->fdes.a[i]))
			f->fdes.a[n++] = f->fdes.a[i];
	f->fdes.n = n;
	sort(f);
}

void frames_free(struct frames *f)
{
	vec_free(&f->cies);
	vec_free(&f->fdes);
}
