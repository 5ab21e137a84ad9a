/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * func.c: decodes a function from start to end.  It is trusted if the last instruction ends where
 * the function does and all jumps inside lead to instructions: data in between would break that.
 *
 * A function returns at a ret, and at a jump to another function (a tail call).  The compiler may
 * have moved a part of it elsewhere: "f.cold".  That is read as well; but without local symbols it
 * cannot be told from another function, so a jump to where no function starts, or a conditional
 * one out of the function, leaves its returns unknown.  So does a computed jump, except one through
 * a table of switch.
 */
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "proc/func.h"
#include "proc/insn.h"

#define FUNC_SIZE_MAX (8U << 20) /* bytes; the largest of a web browser have some hundred KB */
#define TABLE_NEAR    4		 /* instructions from the addition of a table's entry to the jump */

struct part {
	uint64_t addr, size;
};

struct jump {
	uint64_t at, to; /* addresses */
	bool is_conditional;
};

struct scan {
	const struct proc_object *o;
	struct part parts[2];
	unsigned int nparts;
	VEC(uint64_t) starts; /* addresses of instructions, ascending in each part */
	VEC(struct jump) jumps;
	struct func *f;
};

static bool is_inside(const struct scan *s, uint64_t addr)
{
	for (unsigned int i = 0; i < s->nparts; i++)
		if (addr - s->parts[i].addr < s->parts[i].size)
			return true;
	return false;
}

static void add_return(struct scan *s, uint64_t at)
{
	vec_push(&s->f->returns, (int32_t)(at - s->parts[0].addr));
}

/* Is an entry of a table and its base what register reg has?  sums: of the instructions before. */
static bool is_table(const uint8_t *sums, uint8_t reg)
{
	return reg != INSN_NO_REG && memchr(sums, reg, TABLE_NEAR);
}

static void note(struct scan *s, const struct insn *in, uint64_t at, const uint8_t *sums)
{
	struct jump j = {at, at + (uint64_t)in->target, in->kind == INSN_JCC};

	switch (in->kind) {
	case INSN_RET:
	case INSN_JMP_MEM:
		add_return(s, at);
		return;
	case INSN_JMP:
	case INSN_JCC:
		vec_push(&s->jumps, j);
		return;
	case INSN_JMP_REG:
		if (!is_table(sums, in->reg))
			s->f->has_all_returns = false;
		return;
	case INSN_OTHER:
	case INSN_JMP_TABLE:
	case INSN_ADD_REG:
		return;
	}
}

/* False: not all of it is instructions. */
static bool decode(struct scan *s, const struct part *p, const uint8_t *code)
{
	uint8_t sums[TABLE_NEAR];
	struct insn in;
	size_t at = 0;

	memset(sums, INSN_NO_REG, sizeof(sums));
	for (unsigned int n = 0; at < p->size; at += in.len, n++) {
		if (!insn_decode(code + at, p->size - at, &in))
			return false;
		vec_push(&s->starts, p->addr + at);
		if (p == s->parts)
			vec_push(&s->f->insns, ((struct func_insn){(uint32_t)at, in.is_refused}));
		note(s, &in, p->addr + at, sums);
		sums[n % TABLE_NEAR] = in.kind == INSN_ADD_REG ? in.reg : INSN_NO_REG;
	}
	return true;
}

static bool read_part(struct scan *s, int fd, const struct part *p)
{
	uint64_t off;
	uint8_t *code;
	bool ok;

	if (p->size > FUNC_SIZE_MAX || !proc_offset(s->o, p->addr, &off))
		return false;
	code = mem_alloc(p->size);
	ok = pread(fd, code, p->size, (off_t)off) == (ssize_t)p->size && decode(s, p, code);
	mem_free(code);
	return ok;
}

static bool is_start(const struct scan *s, uint64_t addr)
{
	unsigned int lo = 0, hi = s->starts.n;

	/* Those of the second part come after those of the first, wherever it lies. */
	if (addr - s->parts[0].addr < s->parts[0].size)
		hi = s->f->insns.n;
	else
		lo = s->f->insns.n;
	while (lo < hi) {
		unsigned int mid = (lo + hi) / 2;

		if (s->starts.a[mid] == addr)
			return true;
		if (s->starts.a[mid] < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

static bool is_function(const struct proc_object *o, uint64_t addr)
{
	const struct proc_sym *sym = proc_sym_at(o, addr);

	for (unsigned int i = 0; i < o->plts.n; i++)
		if (addr >= o->plts.a[i].start && addr < o->plts.a[i].end)
			return true;
	return sym && sym->addr == addr;
}

/* False: a jump leads into the middle of an instruction. */
static bool follow_jumps(struct scan *s)
{
	for (unsigned int i = 0; i < s->jumps.n; i++) {
		const struct jump *j = &s->jumps.a[i];

		if (is_inside(s, j->to)) {
			if (!is_start(s, j->to))
				return false;
		} else if (!j->is_conditional && is_function(s->o, j->to)) {
			add_return(s, j->at);
		} else {
			s->f->has_all_returns = false;
		}
	}
	return true;
}

/* "f.cold", or "f.cold.7" of older compilers. */
static bool is_cold_part(const char *name, const char *func)
{
	size_t n = strlen(func);

	return strncmp(name, func, n) == 0 && strncmp(name + n, ".cold", 5) == 0;
}

/* The part that a jump out of the function leads to. */
static void find_cold_part(struct scan *s, const char *func)
{
	for (unsigned int i = 0; i < s->jumps.n && s->nparts == 1; i++) {
		const struct proc_sym *sym = proc_sym_at(s->o, s->jumps.a[i].to);

		if (sym && is_cold_part(sym->name, func))
			s->parts[s->nparts++] = (struct part){sym->addr, sym->size};
	}
}

bool func_read(int fd, const struct proc_object *o, const struct proc_sym *sym, struct func *res)
{
	struct scan s = {.o = o, .f = res, .parts = {{sym->addr, sym->size}}, .nparts = 1};
	bool ok;

	memset(res, 0, sizeof(*res));
	res->has_all_returns = true;
	ok = read_part(&s, fd, &s.parts[0]);
	if (ok)
		find_cold_part(&s, sym->name);
	ok = ok && (s.nparts == 1 || read_part(&s, fd, &s.parts[1])) && follow_jumps(&s);
	if (!ok) {
		res->insns.n = res->returns.n = 0;
		res->has_all_returns = false;
	}
	vec_free(&s.starts);
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
