/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * func.c: decodes a function from start to end.  The result is trusted if the last instruction ends
 * at the end of the function and all internal jumps lead to instructions.  Data in between would
 * break that.
 *
 * A function returns at a ret, and at a jump to another function (a tail call).  The compiler may
 * have moved parts of it elsewhere, which are read as well: "f.cold", or without local symbols the
 * target of a jump.
 *
 * Such a target is another function if it is also called, or if several functions jump to it.  A
 * part ends where the next one begins.  Its own jumps to places without a symbol are ignored,
 * because its end may be wrong: a function that it calls may not return.
 *
 * A computed jump is internal if there is a table, and a tail call if the function has freed its
 * room on the stack.  A conditional jump to another function is a return if the condition can be
 * evaluated.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/insn.h"
#include "base/mem.h"
#include "proc/func.h"

#define FUNC_SIZE_MAX (8U << 20)   /* bytes; the largest of a web browser have some hundred KB */
#define PART_SIZE_MAX 4096	   /* of a part without a symbol */
#define PARTS_MAX     1024	   /* of a function: some have a hundred */
#define CODE_MAX      (2ULL << 30) /* bytes of an object, ten times the largest, read twice */
#define FUNC_ALIGN    16	   /* bytes; of gcc and clang */
#define TABLE_NEAR    4 /* instructions from the addition of a table's entry to the jump */
#define POP_NEAR      4 /* from the last pop to the jump of a tail call */

struct part {
	uint64_t addr, size;
	bool is_whole; /* has a symbol, so its end is known */
};

struct jump {
	uint64_t at, to; /* addresses */
	bool is_conditional;
	uint8_t cond;  /* enum insn_cond */
	bool is_whole; /* from a part with is_whole */
};

struct scan {
	struct proc_object *o;
	int fd;
	const char *name;
	VEC(struct part) parts; /* the function itself first */
	VEC(struct jump) jumps;
	struct func *f;
};

/* Context in this part: the instructions decoded before. */
struct past {
	const struct part *part;
	uint64_t reach;		  /* the furthest target of internal jumps */
	uint8_t sums[TABLE_NEAR]; /* registers that became sums */
	unsigned int n, last_pop;
	bool has_frame;
};

static bool (*decode_of(const struct proc_object *o))(const uint8_t *, size_t, struct insn *)
{
	return o->is_narrow ? arch_native->narrow_decode : arch_native->decode;
}

static void add_return(struct scan *s, uint64_t at, uint8_t cond)
{
	vec_push(&s->f->returns, ((struct func_return){(int32_t)(at - s->parts.a[0].addr), cond}));
}

/* Returns true if a jump through a register leaves the function. */
static bool is_tail_call(const struct past *past, const struct insn *in)
{
	if (in->reg == INSN_NO_REG || memchr(past->sums, in->reg, TABLE_NEAR))
		return false;
	return !past->has_frame || (past->last_pop && past->n - past->last_pop < POP_NEAR);
}

/* Records the effect of an instruction.  Returns false if it never reaches the next one. */
static bool note(struct scan *s, struct past *past, const struct insn *in, uint64_t at)
{
	struct jump j = {at, at + (uint64_t)in->target, in->kind == INSN_JCC, in->cond,
			 past->part->is_whole};

	past->sums[past->n++ % TABLE_NEAR] = in->kind == INSN_ADD_REG ? in->reg : INSN_NO_REG;
	switch (in->kind) {
	case INSN_RET:
	case INSN_JMP_MEM:
		add_return(s, at, 0);
		return false;
	case INSN_JMP:
	case INSN_JCC:
		vec_push(&s->jumps, j);
		if (j.to > past->reach && j.to - past->part->addr < past->part->size)
			past->reach = j.to;
		return j.is_conditional;
	case INSN_JMP_REG:
		if (is_tail_call(past, in))
			add_return(s, at, 0);
		return false;
	case INSN_JMP_TABLE:
	case INSN_STOP:
		return false;
	case INSN_PUSH:
		past->has_frame = true;
		return true;
	case INSN_POP:
		past->last_pop = past->n;
		return true;
	case INSN_OTHER:
	case INSN_CALL:
	case INSN_ADD_REG:
		break;
	}
	return true;
}

/*
 * Returns true if another function begins here, after a call that does not return: with a typical
 * first instruction.
 */
static bool begins_another(const struct past *past, const struct insn *in, uint64_t at)
{
	return at > past->part->addr && at > past->reach && at % FUNC_ALIGN == 0 &&
	       in->kind == INSN_PUSH;
}

/*
 * Returns false unless all of it is instructions.  A part without a symbol ends where control
 * leaves it for good.
 */
static bool decode(struct scan *s, struct part *p, const uint8_t *code)
{
	bool is_main = p->addr == s->parts.a[0].addr;
	struct past past = {.part = p, .has_frame = !is_main};
	struct insn in;

	memset(past.sums, INSN_NO_REG, sizeof(past.sums));
	for (size_t at = 0; at < p->size; at += in.len) {
		if (!decode_of(s->o)(code + at, p->size - at, &in))
			return !p->is_whole;
		if (!p->is_whole && begins_another(&past, &in, p->addr + at)) {
			p->size = at;
			return true;
		}
		if (is_main)
			vec_push(&s->f->insns, ((struct func_insn){(uint32_t)at, in.is_refused,
								   in.is_call_nop, false}));
		if (!note(s, &past, &in, p->addr + at) && !p->is_whole &&
		    p->addr + at + in.len > past.reach)
			p->size = at + in.len;
	}
	return true;
}

/* Returns the code at an address, to be freed; NULL: it cannot be read. */
static uint8_t *read_code(int fd, struct proc_object *o, uint64_t addr, uint64_t size)
{
	uint64_t off;
	uint8_t *code;

	if (!size || size > FUNC_SIZE_MAX || o->ncode > CODE_MAX || !proc_offset(o, addr, &off))
		return NULL;
	o->ncode += size;
	code = mem_alloc(size);
	if (pread(fd, code, size, (off_t)off) == (ssize_t)size)
		return code;
	mem_free(code);
	return NULL;
}

static bool read_part(struct scan *s, struct part p)
{
	uint8_t *code;
	unsigned int i = s->parts.n;
	bool ok = false;

	if (i >= PARTS_MAX)
		return false;
	code = read_code(s->fd, s->o, p.addr, p.size);
	vec_push(&s->parts, p);
	if (code)
		ok = decode(s, &p, code);
	s->parts.a[i].size = p.size;
	mem_free(code);
	return ok;
}

/* ---- code without symbols ---- */

/* Records jumps in a function, or in the code between two. */
static void scan_range(int fd, struct proc_object *o, uint64_t addr, uint64_t size)
{
	uint8_t *code = read_code(fd, o, addr, size);
	struct insn in;

	for (size_t at = 0; code && at < size; at += in.len) {
		struct proc_jump j = {.from = addr};

		if (!decode_of(o)(code + at, size - at, &in)) {
			in.len = 1;
			continue;
		}
		j.to = addr + at + (uint64_t)in.target;
		j.is_call = in.kind == INSN_CALL;
		if (!j.is_call && in.kind != INSN_JMP && in.kind != INSN_JCC)
			continue;
		if ((j.is_call || j.to - addr >= size) && !proc_in_plt(o, j.to) &&
		    !proc_in_function(o, j.to))
			vec_push(&o->jumps, j);
	}
	mem_free(code);
}

static int jump_cmp(const void *a, const void *b)
{
	const struct proc_jump *x = a, *y = b;

	return x->to != y->to ? (x->to < y->to ? -1 : 1)
			      : (x->from > y->from) - (x->from < y->from);
}

/* Returns the start of the segment that contains the first function. */
static uint64_t code_start(const struct proc_object *o)
{
	for (unsigned int i = 0; i < o->loads.n && o->syms.n; i++)
		if (o->syms.a[0].addr - o->loads.a[i].vaddr < o->loads.a[i].size)
			return o->loads.a[i].vaddr;
	return 0;
}

/*
 * Finds all jumps and calls of the object to places without a symbol.  Functions without a symbol
 * lie between the others, so gaps are scanned, too.
 */
static void find_jumps(int fd, struct proc_object *o)
{
	uint64_t end = code_start(o);

	if (o->has_jumps)
		return;
	for (unsigned int i = 0; i < o->syms.n; i++) {
		const struct proc_sym *sym = &o->syms.a[i];

		if (sym->addr > end)
			scan_range(fd, o, end, sym->addr - end);
		if (i == 0 || sym->addr != sym[-1].addr)
			scan_range(fd, o, sym->addr, sym->size);
		if (sym->addr + sym->size > end)
			end = sym->addr + sym->size;
	}
	if (o->jumps.n)
		qsort(o->jumps.a, o->jumps.n, sizeof(*o->jumps.a), jump_cmp);
	o->has_jumps = true;
}

/* Returns true if the place is called, or if several functions jump to it. */
static bool is_shared(const struct proc_object *o, uint64_t addr)
{
	unsigned int first = vec_first(&o->jumps, to, addr);

	for (unsigned int i = first; i < o->jumps.n && o->jumps.a[i].to == addr; i++)
		if (o->jumps.a[i].is_call || o->jumps.a[i].from != o->jumps.a[first].from)
			return true;
	return false;
}

/* Returns the distance from an address to the next known target. */
static uint64_t size_at(const struct proc_object *o, uint64_t addr)
{
	unsigned int jump = vec_after(&o->jumps, to, addr);
	unsigned int sym = vec_after(&o->syms, addr, addr);
	uint64_t size = PART_SIZE_MAX;

	if (jump < o->jumps.n && o->jumps.a[jump].to - addr < size)
		size = o->jumps.a[jump].to - addr;
	if (sym < o->syms.n && o->syms.a[sym].addr - addr < size)
		size = o->syms.a[sym].addr - addr;
	return size;
}

/* ---- jumps out of the function ---- */

/* "f.cold", or "f.cold.7" of older compilers. */
static bool is_cold_part(const char *name, const char *func)
{
	size_t n = strlen(func);

	return strncmp(name, func, n) == 0 && strncmp(name + n, ".cold", 5) == 0;
}

static bool is_read(const struct scan *s, uint64_t addr)
{
	for (unsigned int i = 0; i < s->parts.n; i++)
		if (addr - s->parts.a[i].addr < s->parts.a[i].size)
			return true;
	return false;
}

/* Handles a jump out of the code read so far: to a part of the function, or a tail call. */
static void leave(struct scan *s, struct jump j)
{
	const struct proc_sym *sym = proc_sym_at(s->o, j.to);
	bool is_known = proc_in_plt(s->o, j.to) || proc_in_function(s->o, j.to);

	if (sym && is_cold_part(sym->name, s->name)) {
		read_part(s, (struct part){sym->addr, sym->size, true});
		return;
	}
	if (!is_known)
		find_jumps(s->fd, s->o);
	if (!is_known && !is_shared(s->o, j.to)) {
		if (j.is_whole)
			read_part(s, (struct part){j.to, size_at(s->o, j.to), false});
	} else if (!j.is_conditional || j.cond)
		add_return(s, j.at, j.cond);
}

/* Returns false if a jump leads into the middle of an instruction. */
static bool follow_jumps(struct scan *s)
{
	for (unsigned int i = 0; i < s->jumps.n; i++) {
		struct jump j = s->jumps.a[i];
		uint64_t off = j.to - s->parts.a[0].addr;
		struct func_insn *in;

		if (!is_read(s, j.to)) {
			leave(s, j);
		} else if (off < s->parts.a[0].size) {
			in = (struct func_insn *)func_insn_at(s->f, (uint32_t)off);
			if (!in)
				return false;
			in->is_target = true;
		}
	}
	return true;
}

bool func_read(int fd, struct proc_object *o, const struct proc_sym *sym, struct func *res)
{
	struct scan s = {.o = o, .fd = fd, .name = sym->name, .f = res};
	bool ok;

	memset(res, 0, sizeof(*res));
	ok = read_part(&s, (struct part){sym->addr, sym->size, true}) && follow_jumps(&s);
	if (!ok)
		res->insns.n = res->returns.n = 0;
	vec_free(&s.parts);
	vec_free(&s.jumps);
	return ok;
}

void func_free(struct func *f)
{
	vec_free(&f->insns);
	vec_free(&f->returns);
}

const struct func_insn *func_insn_at(const struct func *f, uint32_t off)
{
	unsigned int lo = 0, hi = f->insns.n;

	while (lo < hi) {
		unsigned int mid = (lo + hi) / 2;

		if (f->insns.a[mid].off == off)
			return &f->insns.a[mid];
		if (f->insns.a[mid].off < off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

bool func_insn_in(int fd, uint64_t off, struct insn *res)
{
	uint8_t code[INSN_MAX];
	ssize_t n = pread(fd, code, sizeof(code), (off_t)off);

	return n > 0 && arch_native->decode(code, (size_t)n, res);
}

enum arch_caller func_caller(int fd, uint64_t off, uint32_t at, bool is_return, bool is_shown)
{
	uint8_t head[ARCH_HEAD] = {0}, code[ARCH_HEAD] = {0};

	if (is_return)
		return ARCH_CALLER_ON_TOP;
	if (pread(fd, head, sizeof(head), (off_t)off) < 0 ||
	    pread(fd, code, sizeof(code), (off_t)(off + at)) < 0)
		return ARCH_CALLER_IN_FRAME;
	return arch_native->caller(head, code, at, is_shown);
}
