/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind.c: converts .eh_frame to rows.
 *
 * The section is a list of CIEs, with common data of functions, and FDEs, one for each function.
 * The instructions of an FDE are run once, and each state becomes a row.  Compilers use few of the
 * possible states, and abi.h has a rule for each of these.  The file is not trusted (image.h).  All
 * reads are inside the section, and a nonsensical FDE has no rows.
 */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/mem.h"
#include "proc/image.h"
#include "proc/unwind.h"

#define SECTION_MAX (64U << 20) /* bytes; web browsers have some 20 million */
#define FDES_MAX    (2U << 20)
#define CIES_MAX    65536U
#define WORK_MAX    (128U << 20) /* bytes of instructions that are run, for all FDEs together */
#define SPREAD_MAX  UINT32_MAX	 /* range of the rows' pcs in bytes */
#define ROWS_MAX    ((uint32_t)ABI_UNWIND_ROWS * ABI_UNWIND_PAGES)
#define DEPTH_MAX   16	 /* nesting of remembered states */
#define CIE_MAX	    4096 /* bytes: each FDE runs the instructions of its CIE */
#define WORD	    8

/* Bytes from p on.  Reading after the end gives 0 and sets is_bad. */
struct cursor {
	const uint8_t *p, *end;
	bool is_bad;
};

static uint64_t fixed(struct cursor *c, unsigned int n)
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
		byte = fixed(c, 1);
		if (shift < 64)
			v |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !c->is_bad);
	if (is_signed && shift < 64 && byte & 0x40)
		v |= UINT64_MAX << shift;
	return v;
}

static uint64_t uleb(struct cursor *c)
{
	return leb(c, false);
}

static int64_t sleb(struct cursor *c)
{
	return (int64_t)leb(c, true);
}

/* Returns the next n bytes as a cursor. */
static struct cursor part(struct cursor *c, uint64_t n)
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

struct cie {
	const uint8_t *at;
	uint64_t code_align;
	int64_t data_align;
	uint8_t encoding; /* of pointers to code */
	bool is_augmented, is_signal, is_known;
	struct cursor insns;
};

struct fde {
	uint64_t start, size; /* of the code */
	const uint8_t *insns;
	uint32_t ninsns;  /* bytes */
	unsigned int cie; /* in the section's list */
};

struct section {
	const struct arch *arch;
	const uint8_t *bytes, *end;
	uint64_t addr;
	VEC(struct cie) cies; /* in the order of their first FDE; duplicates are possible */
	VEC(struct fde) fdes;
	uint64_t work; /* bytes */
	bool is_cut;   /* the section exceeds a limit */
};

static uint64_t address(const struct section *s, struct cursor *c, uint8_t encoding)
{
	static const uint8_t size[] = {8, 0, 2, 4, 8};
	uint64_t at = s->addr + (uint64_t)(c->p - s->bytes), v;
	unsigned int format = encoding & PE_FORMAT & ~PE_SIGNED;

	if (format >= sizeof(size)) {
		c->is_bad = true;
		return 0;
	}
	if (!size[format])
		v = leb(c, encoding & PE_SIGNED);
	else
		v = fixed(c, size[format]);
	if (encoding & PE_SIGNED && size[format] && size[format] < 8)
		v = (uint64_t)((int64_t)(v << (64 - 8 * size[format])) >> (64 - 8 * size[format]));
	if ((encoding & PE_BASE) == PE_PCREL)
		v += at;
	else if (encoding & PE_BASE)
		c->is_bad = true;
	return v;
}

static void read_augmentation(const struct section *s, struct cie *cie, const char *text,
			      struct cursor data)
{
	for (; *text && !data.is_bad; text++) {
		if (*text == 'R')
			cie->encoding = (uint8_t)fixed(&data, 1);
		else if (*text == 'L')
			fixed(&data, 1);
		else if (*text == 'P')
			address(s, &data, fixed(&data, 1) & PE_FORMAT);
		else if (*text == 'S')
			cie->is_signal = true;
		else if (*text != 'z' && *text != 'B')
			return;
	}
}

/* Adds a CIE.  is_known says if it is valid. */
static void read_cie(struct section *s, const uint8_t *at, struct cursor body)
{
	struct cie *cie;
	const char *text;
	uint64_t version, column;

	vec_push(&s->cies, (struct cie){.at = at});
	cie = &vec_last(&s->cies);
	s->work += (uint64_t)(body.end - body.p);
	version = fixed(&body, 1);
	text = (const char *)body.p;
	while (fixed(&body, 1))
		;
	if (body.is_bad || (version != 1 && version != 3) || (*text && *text != 'z'))
		return;
	cie->code_align = uleb(&body);
	cie->data_align = sleb(&body);
	column = version == 1 ? fixed(&body, 1) : uleb(&body);
	cie->is_augmented = *text == 'z';
	if (cie->is_augmented)
		read_augmentation(s, cie, text, part(&body, uleb(&body)));
	cie->insns = body;
	cie->is_known = !body.is_bad && column == s->arch->dwarf_ra;
}

/* Returns the body of an entry.  Its position has been checked to lie in the section. */
static struct cursor entry(const struct section *s, const uint8_t *at)
{
	struct cursor c = {.p = at, .end = s->end};
	uint64_t n = fixed(&c, 4);

	return part(&c, n == UINT32_MAX ? fixed(&c, 8) : n);
}

/*
 * Returns the CIE of an FDE; NULL: it is invalid or exceeds the limit.  It usually is the last one.
 */
static const struct cie *cie_at(struct section *s, const uint8_t *at)
{
	struct cursor c;

	if (!s->cies.n || vec_last(&s->cies).at != at) {
		c = entry(s, at);
		if (c.end - c.p > CIE_MAX || fixed(&c, 4) || c.is_bad)
			return NULL;
		s->is_cut |= s->cies.n == CIES_MAX;
		if (s->cies.n == CIES_MAX)
			return NULL;
		read_cie(s, at, c);
	}
	return vec_last(&s->cies).is_known ? &vec_last(&s->cies) : NULL;
}

static void read_fde(struct section *s, const uint8_t *at, struct cursor body)
{
	const struct cie *cie = cie_at(s, at);
	struct fde f = {.cie = s->cies.n - 1};

	if (!cie)
		return;
	f.start = address(s, &body, cie->encoding);
	f.size = address(s, &body, cie->encoding & PE_FORMAT & ~PE_SIGNED);
	if (cie->is_augmented)
		part(&body, uleb(&body));
	f.insns = body.p;
	f.ninsns = (uint32_t)(body.end - body.p);
	if (body.is_bad || !f.size || f.start + f.size <= f.start)
		return;
	s->is_cut |= s->fdes.n == FDES_MAX;
	if (s->fdes.n < FDES_MAX)
		vec_push(&s->fdes, f);
}

/* An entry is a CIE if it begins with 0.  Otherwise the word is the distance back to its CIE. */
static void read_entries(struct section *s)
{
	const uint8_t *at = s->bytes;

	while (s->end - at >= 4) {
		struct cursor c = entry(s, at);
		const uint8_t *id_at = c.p, *next = c.end;
		uint64_t id = fixed(&c, 4);

		if (c.is_bad)
			return;
		if (id && id <= (uint64_t)(id_at - s->bytes))
			read_fde(s, id_at - id, c);
		at = next;
	}
}

/* ---- states ---- */

enum place { PLACE_SAME, PLACE_OFFSET, PLACE_POINTED, PLACE_UNDEFINED, PLACE_OTHER };

struct saved {
	enum place place;
	int64_t off; /* PLACE_OFFSET: from the CFA */
};

struct state {
	uint64_t cfa_reg;
	int64_t cfa_off;
	enum abi_rule cfa_rule; /* if not ABI_RULE_FRAME: rule of an expression, with cfa_off */
	struct saved fp, ra;
};

struct machine {
	struct section *s;
	const struct cie *cie;
	struct unwind *uw;
	uint64_t pc, end;
	struct state now, initial, kept[DEPTH_MAX];
	unsigned int nkept;
};

static void add_row(struct unwind *uw, uint64_t pc, uint32_t rule)
{
	struct abi_unwind_row *last = uw->rows.n ? &uw->rows.a[uw->rows.n - 1] : NULL;
	uint64_t at = pc - uw->base;

	if (pc < uw->base || at > SPREAD_MAX || (last && at < last->pc))
		return;
	if (last && last->pc == at)
		last->rule = rule;
	else if (!last || last->rule != rule)
		vec_push(&uw->rows, ((struct abi_unwind_row){.pc = (uint32_t)at, .rule = rule}));
}

static uint32_t rule_of(enum abi_rule rule, int64_t off, uint32_t slot)
{
	if (off < 0 || off % WORD || off / WORD > ABI_RULE_OFF_MAX)
		return ABI_RULE_LOST;
	return (uint32_t)rule | slot << ABI_RULE_SLOT | (uint32_t)(off / WORD) << ABI_RULE_OFF;
}

static uint32_t slot_of(const struct saved *fp)
{
	if (fp->place == PLACE_SAME)
		return 0;
	if (fp->place != PLACE_OFFSET || fp->off >= 0 || fp->off % WORD ||
	    fp->off / -WORD >= ABI_SLOT_LOST)
		return ABI_SLOT_LOST;
	return (uint32_t)(fp->off / -WORD);
}

static uint32_t rule_now(const struct machine *m)
{
	const struct state *st = &m->now;
	const struct arch *arch = m->s->arch;

	if (m->cie->is_signal)
		return ABI_RULE_SIGNAL;
	if (st->ra.place == PLACE_UNDEFINED)
		return ABI_RULE_END;
	if (st->ra.place != PLACE_OFFSET || st->ra.off != -WORD)
		return ABI_RULE_LOST;
	if (st->cfa_rule == ABI_RULE_SAVED)
		return st->fp.place == PLACE_POINTED
			   ? rule_of(ABI_RULE_SAVED, (int64_t) - (uint64_t)st->cfa_off, 0)
			   : ABI_RULE_LOST;
	if (st->cfa_rule == ABI_RULE_PLT)
		return rule_of(ABI_RULE_PLT, st->cfa_off, slot_of(&st->fp));
	if (st->cfa_rule == ABI_RULE_FRAME && st->cfa_reg == arch->dwarf_sp)
		return rule_of(ABI_RULE_SP, st->cfa_off, slot_of(&st->fp));
	if (st->cfa_rule == ABI_RULE_FRAME && st->cfa_reg == arch->dwarf_fp)
		return rule_of(ABI_RULE_FP, st->cfa_off, slot_of(&st->fp));
	return ABI_RULE_LOST;
}

static void advance(struct machine *m, uint64_t units)
{
	uint64_t by = units * m->cie->code_align;

	add_row(m->uw, m->pc, rule_now(m));
	m->pc = by < m->end - m->pc ? m->pc + by : m->end;
}

/* Offsets count units of the CIE.  Too large ones overflow to nonsense. */
static int64_t factored(const struct machine *m, uint64_t n)
{
	return (int64_t)(n * (uint64_t)m->cie->data_align);
}

static struct saved *saved(struct machine *m, struct state *st, uint64_t reg)
{
	if (reg == m->s->arch->dwarf_ra)
		return &st->ra;
	return reg == m->s->arch->dwarf_fp ? &st->fp : NULL;
}

static void save(struct machine *m, uint64_t reg, enum place place, int64_t off)
{
	struct saved *to = saved(m, &m->now, reg);

	if (to)
		*to = (struct saved){place, off};
}

static void restore(struct machine *m, uint64_t reg)
{
	struct saved *to = saved(m, &m->now, reg);

	if (to)
		*to = *saved(m, &m->initial, reg);
}

/* DW_OP_*: registers + offset, small numbers, and the operations of the two known expressions. */
enum { OP_DEREF = 0x06, OP_AND = 0x1a, OP_LIT0 = 0x30, OP_LIT15 = 0x3f, OP_BREG0 = 0x70 };

/*
 * Handles two expressions for the CFA.  A function that has aligned its stack stores it at the
 * frame pointer less a constant.  In a linkage table it is one word more after a push, which is at
 * the same place in all entries of 16 bytes.
 */
static void cfa_expression(struct machine *m, struct cursor c)
{
	static const uint8_t compare[] = {0x2a, 0x33, 0x24, 0x22}; /* ge, lit3, shl, plus */
	uint64_t reg = fixed(&c, 1) - OP_BREG0, pc, push;
	int64_t off = sleb(&c);

	m->now.cfa_rule = ABI_RULE_LOST;
	if (reg == m->s->arch->dwarf_fp && fixed(&c, 1) == OP_DEREF && c.p == c.end && !c.is_bad) {
		m->now.cfa_rule = ABI_RULE_SAVED;
		m->now.cfa_off = off;
		return;
	}
	if (reg != m->s->arch->dwarf_sp || off != WORD)
		return;
	pc = fixed(&c, 1) - OP_BREG0;
	if (pc != m->s->arch->dwarf_ra || sleb(&c) || fixed(&c, 1) != OP_LIT15 ||
	    fixed(&c, 1) != OP_AND)
		return;
	push = fixed(&c, 1) - OP_LIT0;
	if (push < 16 && c.end - c.p == sizeof(compare) &&
	    memcmp(c.p, compare, sizeof(compare)) == 0) {
		m->now.cfa_rule = ABI_RULE_PLT;
		m->now.cfa_off = (int64_t)push * WORD;
	}
}

/* The register's old value was pushed at the frame pointer. */
static void expression(struct machine *m, uint64_t reg, struct cursor c)
{
	bool points = fixed(&c, 1) - OP_BREG0 == m->s->arch->dwarf_fp && sleb(&c) == 0 &&
		      c.p == c.end && !c.is_bad;

	save(m, reg, points ? PLACE_POINTED : PLACE_OTHER, 0);
}

static void def_cfa(struct machine *m, uint64_t reg, int64_t off)
{
	m->now.cfa_reg = reg;
	m->now.cfa_off = off;
	m->now.cfa_rule = ABI_RULE_FRAME;
}

static bool remember(struct machine *m)
{
	if (m->nkept == DEPTH_MAX)
		return false;
	m->kept[m->nkept++] = m->now;
	return true;
}

static bool recall(struct machine *m)
{
	if (!m->nkept)
		return false;
	m->now = m->kept[--m->nkept];
	return true;
}

/* DW_CFA_* whose upper two bits are 0. */
enum {
	CFA_NOP,
	CFA_SET_LOC,
	CFA_ADVANCE_LOC1,
	CFA_ADVANCE_LOC2,
	CFA_ADVANCE_LOC4,
	CFA_OFFSET_EXTENDED,
	CFA_RESTORE_EXTENDED,
	CFA_UNDEFINED,
	CFA_SAME_VALUE,
	CFA_REGISTER,
	CFA_REMEMBER_STATE,
	CFA_RESTORE_STATE,
	CFA_DEF_CFA,
	CFA_DEF_CFA_REGISTER,
	CFA_DEF_CFA_OFFSET,
	CFA_DEF_CFA_EXPRESSION,
	CFA_EXPRESSION,
	CFA_OFFSET_EXTENDED_SF,
	CFA_DEF_CFA_SF,
	CFA_DEF_CFA_OFFSET_SF,
	CFA_VAL_OFFSET,
	CFA_VAL_OFFSET_SF,
	CFA_VAL_EXPRESSION,
	CFA_GNU_ARGS_SIZE = 0x2e,
	CFA_ADVANCE_LOC = 0x40,
	CFA_OFFSET = 0x80,
	CFA_RESTORE = 0xc0,
};

/* Runs instructions that say where a register of the caller is saved. */
static bool run_saved(struct machine *m, uint64_t op, struct cursor *c)
{
	uint64_t reg = uleb(c);

	switch (op) {
	case CFA_OFFSET_EXTENDED:
		save(m, reg, PLACE_OFFSET, factored(m, uleb(c)));
		return true;
	case CFA_OFFSET_EXTENDED_SF:
		save(m, reg, PLACE_OFFSET, factored(m, (uint64_t)sleb(c)));
		return true;
	case CFA_RESTORE_EXTENDED:
		restore(m, reg);
		return true;
	case CFA_UNDEFINED:
		save(m, reg, PLACE_UNDEFINED, 0);
		return true;
	case CFA_SAME_VALUE:
		save(m, reg, PLACE_SAME, 0);
		return true;
	case CFA_EXPRESSION:
		expression(m, reg, part(c, uleb(c)));
		return true;
	case CFA_VAL_EXPRESSION:
		part(c, uleb(c));
		save(m, reg, PLACE_OTHER, 0);
		return true;
	case CFA_REGISTER:
	case CFA_VAL_OFFSET:
	case CFA_VAL_OFFSET_SF:
		uleb(c);
		save(m, reg, PLACE_OTHER, 0);
		return true;
	default:
		return false;
	}
}

/* Runs instructions that set the CFA or the pc, or that restore a state. */
static bool run_one(struct machine *m, uint64_t op, struct cursor *c)
{
	uint64_t reg;

	switch (op) {
	case CFA_NOP:
		return true;
	case CFA_SET_LOC:
		reg = address(m->s, c, m->cie->encoding);
		add_row(m->uw, m->pc, rule_now(m));
		m->pc = reg >= m->pc && reg < m->end ? reg : m->end;
		return true;
	case CFA_ADVANCE_LOC1:
		advance(m, fixed(c, 1));
		return true;
	case CFA_ADVANCE_LOC2:
		advance(m, fixed(c, 2));
		return true;
	case CFA_ADVANCE_LOC4:
		advance(m, fixed(c, 4));
		return true;
	case CFA_REMEMBER_STATE:
		return remember(m);
	case CFA_RESTORE_STATE:
		return recall(m);
	case CFA_DEF_CFA:
		reg = uleb(c);
		def_cfa(m, reg, (int64_t)uleb(c));
		return true;
	case CFA_DEF_CFA_SF:
		reg = uleb(c);
		def_cfa(m, reg, factored(m, (uint64_t)sleb(c)));
		return true;
	case CFA_DEF_CFA_REGISTER:
		def_cfa(m, uleb(c), m->now.cfa_off);
		return true;
	case CFA_DEF_CFA_OFFSET:
		def_cfa(m, m->now.cfa_reg, (int64_t)uleb(c));
		return true;
	case CFA_DEF_CFA_OFFSET_SF:
		def_cfa(m, m->now.cfa_reg, factored(m, (uint64_t)sleb(c)));
		return true;
	case CFA_DEF_CFA_EXPRESSION:
		cfa_expression(m, part(c, uleb(c)));
		return true;
	case CFA_GNU_ARGS_SIZE:
		uleb(c);
		return true;
	default:
		return run_saved(m, op, c);
	}
}

static bool run(struct machine *m, struct cursor c)
{
	const uint8_t *from = c.p;
	bool is_known = true;

	while (c.p < c.end && m->pc < m->end && is_known) {
		uint64_t op = fixed(&c, 1), low = op & 0x3f;

		switch (op & 0xc0) {
		case CFA_ADVANCE_LOC:
			advance(m, low);
			break;
		case CFA_OFFSET:
			save(m, low, PLACE_OFFSET, factored(m, uleb(&c)));
			break;
		case CFA_RESTORE:
			restore(m, low);
			break;
		default:
			is_known = run_one(m, op, &c);
		}
		is_known = is_known && !c.is_bad;
	}
	m->s->work += (uint64_t)(c.p - from);
	return is_known;
}

/* After an unknown instruction everything is unknown. */
static void run_fde(struct section *s, const struct fde *f, struct unwind *uw)
{
	const struct cie *cie = &s->cies.a[f->cie];
	struct machine m = {.s = s, .cie = cie, .uw = uw, .pc = f->start};
	struct cursor insns = {.p = f->insns, .end = f->insns + f->ninsns};
	uint32_t rule = ABI_RULE_LOST;

	m.end = f->start + f->size;
	if (run(&m, cie->insns) && m.pc == f->start) {
		m.initial = m.now;
		if (run(&m, insns))
			rule = rule_now(&m);
	}
	if (m.pc < m.end)
		add_row(uw, m.pc, rule);
	add_row(uw, m.end, ABI_RULE_FRAME);
}

static int by_start(const void *x, const void *y)
{
	const struct fde *a = x, *b = y;

	return a->start < b->start ? -1 : a->start > b->start;
}

static void run_section(struct section *s, struct unwind *uw)
{
	unsigned int n = 0;

	read_entries(s);
	if (s->fdes.n) {
		qsort(s->fdes.a, s->fdes.n, sizeof(*s->fdes.a), by_start);
		uw->base = s->fdes.a[0].start;
	}
	for (; n < s->fdes.n && uw->rows.n < ROWS_MAX && s->work < WORK_MAX; n++)
		run_fde(s, &s->fdes.a[n], uw);
	uw->is_cut = s->is_cut || n < s->fdes.n;
	if (uw->rows.n > ROWS_MAX)
		uw->rows.n = ROWS_MAX;
	vec_free(&s->fdes);
	vec_free(&s->cies);
}

static void read_rows(struct unwind *uw, const struct arch *arch, const struct image *im)
{
	const Elf64_Shdr *sh = image_find(im, ".eh_frame");
	char *bytes = sh ? image_section(im, sh, SECTION_MAX) : NULL;
	struct section s = {.arch = arch, .bytes = (const uint8_t *)bytes};

	uw->is_cut = sh && !bytes && sh->sh_size > SECTION_MAX;
	if (!bytes)
		return;
	s.end = s.bytes + sh->sh_size;
	s.addr = sh->sh_addr;
	run_section(&s, uw);
	mem_free(bytes);
}

void unwind_read(struct unwind *uw, const struct arch *arch, int fd)
{
	struct image im;

	*uw = (struct unwind){0};
	uw->is_native = image_read(&im, fd) && !im.is_32 && im.head.e_machine == arch->machine;
	for (unsigned int i = 0; uw->is_native && i < im.segments.n; i++) {
		const Elf64_Phdr *ph = &im.segments.a[i];

		if (ph->p_type == PT_LOAD)
			vec_push(&uw->loads,
				 ((struct proc_segment){ph->p_offset, ph->p_vaddr, ph->p_filesz}));
	}
	if (uw->is_native && arch->dwarf_ra)
		read_rows(uw, arch, &im);
	image_free(&im);
}

void unwind_free(struct unwind *uw)
{
	vec_free(&uw->rows);
	vec_free(&uw->loads);
}

/*
 * Two segments may share a page of the file.  The mapping belongs to the one with more bytes in it.
 */
bool unwind_moved(const struct unwind *uw, const struct proc_map *m, uint64_t *by)
{
	uint64_t size = m->end - m->start, most = 0;

	for (unsigned int i = 0; i < uw->loads.n; i++) {
		const struct proc_segment *s = &uw->loads.a[i];
		uint64_t from = s->off > m->off ? s->off : m->off;
		uint64_t s_end = s->off + s->size, m_end = m->off + size;
		uint64_t to = s_end < m_end ? s_end : m_end;

		if (to <= from || to - from <= most)
			continue;
		most = to - from;
		*by = m->start - m->off + s->off - s->vaddr;
	}
	return most > 0;
}
