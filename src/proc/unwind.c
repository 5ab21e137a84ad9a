/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind.c: converts .eh_frame and .debug_frame to rows.
 *
 * The instructions of an FDE are run once, and each state becomes a row.  Compilers use few of the
 * possible states, and abi.h has a rule for each of these.  The file is not trusted (image.h).
 */
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/mem.h"
#include "proc/debug.h"
#include "proc/frames.h"
#include "proc/image.h"
#include "proc/unpack.h"
#include "proc/unwind.h"

#define SECTION_MAX (64U << 20)	 /* bytes; web browsers have some 20 million */
#define WORK_MAX    (128U << 20) /* bytes of instructions that are run, for all FDEs together */
#define SPREAD_MAX  UINT32_MAX	 /* range of the rows' pcs in bytes */
#define ROWS_MAX    ((uint32_t)ABI_UNWIND_ROWS * ABI_UNWIND_PAGES)
#define DEPTH_MAX   16 /* nesting of remembered states */
#define HEADER_SIZE 12 /* bytes of .eh_frame_hdr before its table */
#define WORD	    8

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
	struct frames *f;
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
	const struct arch *arch = m->f->arch;

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
	if (reg == m->f->arch->dwarf_ra)
		return &st->ra;
	return reg == m->f->arch->dwarf_fp ? &st->fp : NULL;
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
	uint64_t reg = frames_fixed(&c, 1) - OP_BREG0, pc, push;
	int64_t off = frames_sleb(&c);

	m->now.cfa_rule = ABI_RULE_LOST;
	if (reg == m->f->arch->dwarf_fp && frames_fixed(&c, 1) == OP_DEREF && c.p == c.end &&
	    !c.is_bad) {
		m->now.cfa_rule = ABI_RULE_SAVED;
		m->now.cfa_off = off;
		return;
	}
	if (reg != m->f->arch->dwarf_sp || off != WORD)
		return;
	pc = frames_fixed(&c, 1) - OP_BREG0;
	if (pc != m->f->arch->dwarf_ra || frames_sleb(&c) || frames_fixed(&c, 1) != OP_LIT15 ||
	    frames_fixed(&c, 1) != OP_AND)
		return;
	push = frames_fixed(&c, 1) - OP_LIT0;
	if (push < 16 && c.end - c.p == sizeof(compare) &&
	    memcmp(c.p, compare, sizeof(compare)) == 0) {
		m->now.cfa_rule = ABI_RULE_PLT;
		m->now.cfa_off = (int64_t)push * WORD;
	}
}

/* The register's old value was pushed at the frame pointer. */
static void expression(struct machine *m, uint64_t reg, struct cursor c)
{
	bool points = frames_fixed(&c, 1) - OP_BREG0 == m->f->arch->dwarf_fp &&
		      frames_sleb(&c) == 0 && c.p == c.end && !c.is_bad;

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
	uint64_t reg = frames_uleb(c);

	switch (op) {
	case CFA_OFFSET_EXTENDED:
		save(m, reg, PLACE_OFFSET, factored(m, frames_uleb(c)));
		return true;
	case CFA_OFFSET_EXTENDED_SF:
		save(m, reg, PLACE_OFFSET, factored(m, (uint64_t)frames_sleb(c)));
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
		expression(m, reg, frames_part(c, frames_uleb(c)));
		return true;
	case CFA_VAL_EXPRESSION:
		frames_part(c, frames_uleb(c));
		save(m, reg, PLACE_OTHER, 0);
		return true;
	case CFA_REGISTER:
	case CFA_VAL_OFFSET:
	case CFA_VAL_OFFSET_SF:
		frames_uleb(c);
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
		reg = frames_address(m->cie->table, c, m->cie->encoding);
		add_row(m->uw, m->pc, rule_now(m));
		m->pc = reg >= m->pc && reg < m->end ? reg : m->end;
		return true;
	case CFA_ADVANCE_LOC1:
		advance(m, frames_fixed(c, 1));
		return true;
	case CFA_ADVANCE_LOC2:
		advance(m, frames_fixed(c, 2));
		return true;
	case CFA_ADVANCE_LOC4:
		advance(m, frames_fixed(c, 4));
		return true;
	case CFA_REMEMBER_STATE:
		return remember(m);
	case CFA_RESTORE_STATE:
		return recall(m);
	case CFA_DEF_CFA:
		reg = frames_uleb(c);
		def_cfa(m, reg, (int64_t)frames_uleb(c));
		return true;
	case CFA_DEF_CFA_SF:
		reg = frames_uleb(c);
		def_cfa(m, reg, factored(m, (uint64_t)frames_sleb(c)));
		return true;
	case CFA_DEF_CFA_REGISTER:
		def_cfa(m, frames_uleb(c), m->now.cfa_off);
		return true;
	case CFA_DEF_CFA_OFFSET:
		def_cfa(m, m->now.cfa_reg, (int64_t)frames_uleb(c));
		return true;
	case CFA_DEF_CFA_OFFSET_SF:
		def_cfa(m, m->now.cfa_reg, factored(m, (uint64_t)frames_sleb(c)));
		return true;
	case CFA_DEF_CFA_EXPRESSION:
		cfa_expression(m, frames_part(c, frames_uleb(c)));
		return true;
	case CFA_GNU_ARGS_SIZE:
		frames_uleb(c);
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
		uint64_t op = frames_fixed(&c, 1), low = op & 0x3f;

		switch (op & 0xc0) {
		case CFA_ADVANCE_LOC:
			advance(m, low);
			break;
		case CFA_OFFSET:
			save(m, low, PLACE_OFFSET, factored(m, frames_uleb(&c)));
			break;
		case CFA_RESTORE:
			restore(m, low);
			break;
		default:
			is_known = run_one(m, op, &c);
		}
		is_known = is_known && !c.is_bad;
	}
	m->f->work += (uint64_t)(c.p - from);
	return is_known;
}

/* After an unknown instruction everything is unknown. */
static void run_fde(struct frames *f, const struct fde *fde, struct unwind *uw)
{
	const struct cie *cie = &f->cies.a[fde->cie];
	struct machine m = {.f = f, .cie = cie, .uw = uw, .pc = fde->start};
	struct cursor insns = {.p = fde->insns, .end = fde->insns + fde->ninsns};
	uint32_t rule = ABI_RULE_LOST;

	m.end = fde->start + fde->size;
	if (run(&m, cie->insns) && m.pc == fde->start) {
		m.initial = m.now;
		if (run(&m, insns))
			rule = rule_now(&m);
	}
	if (m.pc < m.end)
		add_row(uw, m.pc, rule);
	add_row(uw, m.end, ABI_RULE_FRAME);
}

static void run_all(struct frames *f, struct unwind *uw)
{
	unsigned int n = 0;

	if (f->fdes.n)
		uw->base = f->fdes.a[0].start;
	for (; n < f->fdes.n && uw->rows.n < ROWS_MAX && f->work < WORK_MAX; n++)
		run_fde(f, &f->fdes.a[n], uw);
	uw->is_cut = uw->is_cut || f->is_cut || n < f->fdes.n;
	if (uw->rows.n > ROWS_MAX)
		uw->rows.n = ROWS_MAX;
}

/* ---- the file ---- */

/* DW_EH_PE_omit: there is no pointer. */
#define PE_OMIT 0xff

/*
 * Finds .eh_frame through the header that the segments have, as libgcc does in the process itself:
 * a file may have no sections.  An entry of length 0 ends the table before the end of its segment.
 */
static bool find_by_segments(const struct image *im, Elf64_Shdr *res)
{
	uint8_t bytes[HEADER_SIZE];
	struct frames_table t = {.bytes = bytes, .end = bytes + sizeof(bytes)};
	struct cursor c = {.p = bytes + 4, .end = bytes + sizeof(bytes)};
	bool has_header = false;
	uint64_t at;

	for (unsigned int i = 0; i < im->segments.n && !has_header; i++) {
		const Elf64_Phdr *ph = &im->segments.a[i];

		t.addr = ph->p_vaddr;
		has_header = ph->p_type == PT_GNU_EH_FRAME &&
			     image_bytes(im, ph->p_offset, bytes, sizeof(bytes));
	}
	if (!has_header || bytes[0] != 1 || bytes[1] == PE_OMIT)
		return false;
	at = frames_address(&t, &c, bytes[1]);
	for (unsigned int i = 0; i < im->segments.n && !c.is_bad; i++) {
		const Elf64_Phdr *ph = &im->segments.a[i];
		uint64_t off = at - ph->p_vaddr, size = ph->p_filesz - off;

		if (ph->p_type != PT_LOAD || off >= ph->p_filesz)
			continue;
		*res = (Elf64_Shdr){.sh_type = SHT_PROGBITS,
				    .sh_addr = at,
				    .sh_offset = ph->p_offset + off,
				    .sh_size = size < SECTION_MAX ? size : SECTION_MAX};
		return true;
	}
	return false;
}

static char *read_eh_frame(struct frames *f, struct frames_table *t, const struct image *im)
{
	const Elf64_Shdr *sh = image_find(im, ".eh_frame");
	Elf64_Shdr found;
	char *bytes;

	if (!sh && find_by_segments(im, &found))
		sh = &found;
	bytes = sh ? image_section(im, sh, SECTION_MAX) : NULL;
	f->is_cut = sh && !bytes && sh->sh_size > SECTION_MAX;
	if (!bytes)
		return NULL;
	t->bytes = (const uint8_t *)bytes;
	t->end = t->bytes + sh->sh_size;
	t->addr = sh->sh_addr;
	frames_read(f, t);
	return bytes;
}

static bool is_code(const void *ctx, uint64_t addr)
{
	const struct unwind *uw = ctx;

	for (unsigned int i = 0; i < uw->loads.n; i++)
		if (uw->loads.a[i].is_code && addr - uw->loads.a[i].vaddr < uw->loads.a[i].size)
			return addr >= sizeof(Elf64_Ehdr);
	return false;
}

/* Returns false if the file has no .debug_frame.  to: the bytes, which must stay. */
static bool read_debug_frame(struct frames *f, struct frames_table *t, const struct image *im,
			     const struct unwind *uw, const struct unwind_source *from,
			     struct buf *to)
{
	const Elf64_Shdr *sh = image_find(im, ".debug_frame");
	const char *error;

	if (!sh)
		sh = image_find(im, ".zdebug_frame");
	if (!sh || sh->sh_type == SHT_NOBITS)
		return false;
	error = unpack_section(im, sh, SECTION_MAX, from->dir, to);
	if (error)
		debug_failed(from->dir, from->path, error);
	t->bytes = (const uint8_t *)to->s;
	t->end = t->bytes + to->n;
	t->is_debug = true;
	if (to->n)
		frames_read_rest(f, t, is_code, uw);
	return true;
}

/* Reads .debug_frame of a separate debug file. */
static void read_separate(struct frames *f, struct frames_table *t, const struct image *im,
			  const struct unwind *uw, const struct unwind_source *from, struct buf *to)
{
	int fd = debug_open(im, from->path, from->dir);
	struct image debug;

	if (fd < 0)
		return;
	if (image_read(&debug, fd) && !debug.is_32 && debug.head.e_machine == im->head.e_machine)
		read_debug_frame(f, t, &debug, uw, from, to);
	image_free(&debug);
	close(fd);
}

/* Functions of assembler, and of programs that catch no exceptions, can be in .debug_frame only. */
static void read_rows(struct unwind *uw, const struct arch *arch, const struct image *im,
		      const struct unwind_source *from)
{
	struct frames f = {.arch = arch};
	struct frames_table eh = {0}, debug = {0};
	struct buf unpacked = {0};
	char *bytes = read_eh_frame(&f, &eh, im);

	if (!read_debug_frame(&f, &debug, im, uw, from, &unpacked))
		read_separate(&f, &debug, im, uw, from, &unpacked);
	run_all(&f, uw);
	frames_free(&f);
	buf_free(&unpacked);
	mem_free(bytes);
}

void unwind_read(struct unwind *uw, const struct arch *arch, int fd,
		 const struct unwind_source *from)
{
	struct image im;

	*uw = (struct unwind){0};
	uw->is_native = image_read(&im, fd) && !im.is_32 && im.head.e_machine == arch->machine;
	for (unsigned int i = 0; uw->is_native && i < im.segments.n; i++) {
		const Elf64_Phdr *ph = &im.segments.a[i];

		if (ph->p_type == PT_LOAD)
			vec_push(&uw->loads,
				 ((struct proc_segment){ph->p_offset, ph->p_vaddr, ph->p_filesz,
							ph->p_memsz, ph->p_flags & PF_X}));
	}
	if (uw->is_native && arch->dwarf_ra)
		read_rows(uw, arch, &im, from);
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
