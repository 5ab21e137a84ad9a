/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interp.c: executes instructions.
 *
 * A call is a call in C, with registers of its own and the next frame of the stack.  The set of
 * defined registers is tracked: as for the verifier, a call leaves r1 to r5 undefined, and reading
 * an undefined register ends the run.  The stack starts with a pattern, so that reads of unwritten
 * bytes show.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "bpf/interp_priv.h"
#include "ir/ir.h"

#define DEFAULT_BUDGET 1000000

struct cpu {
	uint64_t r[11];
	unsigned int defined; /* set of registers */
};

bool interp_fail(struct bpf_interp *in, const char *fmt, ...)
{
	va_list ap;

	if (in->has_failed)
		return false;
	in->has_failed = true;
	buf_reset(&in->error);
	buf_printf(&in->error, "instruction %u (", in->pc);
	if (in->code && in->pc < in->code->n)
		bpf_disasm_insn(&in->error, &in->code->insns[in->pc]);
	buf_puts(&in->error, "): ");
	va_start(ap, fmt);
	buf_vprintf(&in->error, fmt, ap);
	va_end(ap);
	return false;
}

static bool get(struct bpf_interp *in, const struct cpu *c, unsigned int reg, uint64_t *v)
{
	*v = 0;
	if (reg > 10 || !(c->defined >> reg & 1))
		return interp_fail(in, "r%u is undefined", reg);
	*v = c->r[reg];
	return true;
}

static bool set(struct bpf_interp *in, struct cpu *c, unsigned int reg, uint64_t v)
{
	if (reg > 9)
		return interp_fail(in, "write to r%u", reg);
	c->r[reg] = v;
	c->defined |= 1U << reg;
	return true;
}

/* ---- arithmetic ---- */

static const enum ir_op alu_ops[16] = {
    [BPF_ADD >> 4] = IR_ADD,  [BPF_SUB >> 4] = IR_SUB,	 [BPF_MUL >> 4] = IR_MUL,
    [BPF_DIV >> 4] = IR_UDIV, [BPF_OR >> 4] = IR_OR,	 [BPF_AND >> 4] = IR_AND,
    [BPF_LSH >> 4] = IR_SHL,  [BPF_RSH >> 4] = IR_LSHR,	 [BPF_MOD >> 4] = IR_UMOD,
    [BPF_XOR >> 4] = IR_XOR,  [BPF_ARSH >> 4] = IR_ASHR,
};

static uint64_t sign_extend(uint64_t v, int bits)
{
	return (uint64_t)((int64_t)(v << (64 - bits)) >> (64 - bits));
}

static uint64_t swap(uint64_t v, int bits)
{
	return bits == 16   ? __builtin_bswap16((uint16_t)v)
	       : bits == 32 ? __builtin_bswap32((uint32_t)v)
			    : __builtin_bswap64(v);
}

static bool exec_end(struct bpf_interp *in, struct cpu *c, const struct bpf_insn *i)
{
	bool is_native =
	    (BPF_SRC(i->code) == BPF_TO_LE) == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	uint64_t v;

	if (!get(in, c, i->dst_reg, &v))
		return false;
	if (i->imm != 16 && i->imm != 32 && i->imm != 64)
		return interp_fail(in, "bad width");
	if (BPF_CLASS(i->code) == BPF_ALU64 || !is_native)
		v = swap(v, i->imm);
	else if (i->imm < 64)
		v &= (1ULL << i->imm) - 1;
	return set(in, c, i->dst_reg, v);
}

/* 32-bit operations use the low 32 bits of operands, signed if the operation is, and extend the
 * result with zeros. */
static uint64_t eval(enum ir_op op, uint64_t a, uint64_t b, bool is64)
{
	bool is_signed = op == IR_SDIV || op == IR_SMOD || op == IR_ASHR;

	if (!is64) {
		a = is_signed ? sign_extend(a, 32) : (uint32_t)a;
		b = op == IR_SHL || op == IR_LSHR || op == IR_ASHR ? b & 31
		    : is_signed					   ? sign_extend(b, 32)
								   : (uint32_t)b;
	}
	a = (uint64_t)ir_eval(op, (int64_t)a, (int64_t)b);
	return is64 ? a : (uint32_t)a;
}

static bool exec_mov(struct bpf_interp *in, struct cpu *c, const struct bpf_insn *i, uint64_t b)
{
	bool is64 = BPF_CLASS(i->code) == BPF_ALU64;

	if (i->off)
		b = sign_extend(b, i->off);
	return set(in, c, i->dst_reg, is64 ? b : (uint32_t)b);
}

static bool exec_alu(struct bpf_interp *in, struct cpu *c, const struct bpf_insn *i)
{
	bool is64 = BPF_CLASS(i->code) == BPF_ALU64;
	uint64_t a, b = (uint64_t)(int64_t)i->imm;
	enum ir_op op;

	if (BPF_OP(i->code) == BPF_END)
		return exec_end(in, c, i);
	if (BPF_SRC(i->code) == BPF_X && !get(in, c, i->src_reg, &b))
		return false;
	if (BPF_OP(i->code) == BPF_MOV)
		return exec_mov(in, c, i, b);
	if (!get(in, c, i->dst_reg, &a))
		return false;
	if (BPF_OP(i->code) == BPF_NEG)
		return set(in, c, i->dst_reg, is64 ? -a : (uint32_t)-a);
	op = alu_ops[BPF_OP(i->code) >> 4];
	if (i->off && (op == IR_UDIV || op == IR_UMOD))
		op = op == IR_UDIV ? IR_SDIV : IR_SMOD;
	if (op == IR_CONST || i->off > 1)
		return interp_fail(in, "unknown operation");
	if ((op == IR_UDIV || op == IR_UMOD) && BPF_SRC(i->code) == BPF_K && !i->imm)
		return interp_fail(in, "division by the constant 0");
	return set(in, c, i->dst_reg, eval(op, a, b, is64));
}

/* ---- jumps ---- */

static bool test(uint8_t op, uint64_t a, uint64_t b)
{
	int64_t sa = (int64_t)a, sb = (int64_t)b;

	switch (op) {
	case BPF_JEQ:
		return a == b;
	case BPF_JNE:
		return a != b;
	case BPF_JGT:
		return a > b;
	case BPF_JGE:
		return a >= b;
	case BPF_JLT:
		return a < b;
	case BPF_JLE:
		return a <= b;
	case BPF_JSGT:
		return sa > sb;
	case BPF_JSGE:
		return sa >= sb;
	case BPF_JSLT:
		return sa < sb;
	case BPF_JSLE:
		return sa <= sb;
	}
	assert(op == BPF_JSET);
	return a & b;
}

static bool exec_jump(struct bpf_interp *in, const struct cpu *c, const struct bpf_insn *i)
{
	uint64_t a, b = (uint64_t)(int64_t)i->imm;
	uint8_t op = BPF_OP(i->code);
	bool is_signed = op == BPF_JSGT || op == BPF_JSGE || op == BPF_JSLT || op == BPF_JSLE;

	if (op == BPF_JA) {
		in->pc = (unsigned int)((int)in->pc +
					(BPF_CLASS(i->code) == BPF_JMP32 ? i->imm : i->off));
		return true;
	}
	if (!get(in, c, i->dst_reg, &a))
		return false;
	if (BPF_SRC(i->code) == BPF_X && !get(in, c, i->src_reg, &b))
		return false;
	if (op > BPF_JSLE || op == BPF_CALL || op == BPF_EXIT)
		return interp_fail(in, "unknown jump");
	if (BPF_CLASS(i->code) == BPF_JMP32) {
		a = is_signed ? sign_extend(a, 32) : (uint32_t)a;
		b = is_signed ? sign_extend(b, 32) : (uint32_t)b;
	}
	if (test(op, a, b))
		in->pc = (unsigned int)((int)in->pc + i->off);
	return true;
}

/* ---- memory ---- */

static const unsigned int sizes[4] = {4, 2, 1, 8};

static unsigned int size_of(const struct bpf_insn *i)
{
	return sizes[BPF_SIZE(i->code) >> 3];
}

static bool exec_load(struct bpf_interp *in, struct cpu *c, const struct bpf_insn *i)
{
	unsigned int size = size_of(i);
	uint64_t addr, v = 0;
	const void *p;

	if (!get(in, c, i->src_reg, &addr))
		return false;
	addr += (uint64_t)(int64_t)i->off;
	p = bpf_interp_mem(in, addr, size, false);
	if (!p)
		return interp_fail(in, "%u bytes at 0x%" PRIx64 " are not readable", size, addr);
	memcpy(&v, p, size);
	if (BPF_MODE(i->code) == 0x80)
		v = sign_extend(v, (int)size * 8);
	return set(in, c, i->dst_reg, v);
}

static bool exec_store(struct bpf_interp *in, const struct cpu *c, const struct bpf_insn *i)
{
	unsigned int size = size_of(i);
	uint64_t addr, v = (uint64_t)(int64_t)i->imm;
	void *p;

	if (!get(in, c, i->dst_reg, &addr))
		return false;
	if (BPF_CLASS(i->code) == BPF_STX && !get(in, c, i->src_reg, &v))
		return false;
	addr += (uint64_t)(int64_t)i->off;
	p = bpf_interp_mem(in, addr, size, true);
	if (!p)
		return interp_fail(in, "%u bytes at 0x%" PRIx64 " are not writable", size, addr);
	memcpy(p, &v, size);
	return true;
}

static uint64_t atomic_result(int op, uint64_t old, uint64_t v)
{
	switch (op & 0xf0) {
	case BPF_ADD:
		return old + v;
	case BPF_OR:
		return old | v;
	case BPF_AND:
		return old & v;
	case BPF_XOR:
		return old ^ v;
	}
	return v;
}

static bool exec_atomic(struct bpf_interp *in, struct cpu *c, const struct bpf_insn *i)
{
	unsigned int size = size_of(i);
	uint64_t addr, v, expected = 0, old = 0, new;
	void *p;

	if (!get(in, c, i->dst_reg, &addr) || !get(in, c, i->src_reg, &v))
		return false;
	addr += (uint64_t)(int64_t)i->off;
	if (addr % size)
		return interp_fail(in, "atomic operation at odd address 0x%" PRIx64, addr);
	p = bpf_interp_mem(in, addr, size, true);
	if (!p)
		return interp_fail(in, "%u bytes at 0x%" PRIx64 " are not writable", size, addr);
	memcpy(&old, p, size);
	new = atomic_result(i->imm, old, v);
	if (i->imm == BPF_CMPXCHG) {
		if (!get(in, c, 0, &expected))
			return false;
		new = old == expected ? v : old;
	}
	memcpy(p, &new, size);
	if (i->imm == BPF_CMPXCHG)
		return set(in, c, 0, old);
	return i->imm & BPF_FETCH ? set(in, c, i->src_reg, old) : true;
}

static bool exec_wide(struct bpf_interp *in, struct cpu *c, const struct bpf_insn *i)
{
	uint64_t v;

	if (i->code != (BPF_LD | BPF_IMM | BPF_DW) || in->pc >= in->code->n)
		return interp_fail(in, "unknown instruction");
	v = (uint32_t)i[0].imm | (uint64_t)(uint32_t)i[1].imm << 32;
	in->pc++;
	switch (i->src_reg) {
	case BPF_PSEUDO_MAP_FD:
		if (i->imm < 1 || (unsigned int)i->imm > in->maps.n)
			return interp_fail(in, "no map %d", i->imm);
		v = (uint64_t)(uintptr_t)in->maps.a[i->imm - 1];
		break;
	case BPF_PSEUDO_MAP_VALUE:
		v = interp_map_value(in, i->imm, i[1].imm);
		if (!v)
			return interp_fail(in, "no value in map %d", i->imm);
		break;
	case BPF_PSEUDO_BTF_ID:
		if (!in->hooks.btf_addr)
			return interp_fail(in, "no kernel variables");
		v = in->hooks.btf_addr(in->hooks.arg, i->imm);
		break;
	case BPF_PSEUDO_FUNC:
		v = (uint64_t)(in->pc - 1 + (unsigned int)i->imm);
		break;
	}
	return set(in, c, i->dst_reg, v);
}

/* ---- calls ---- */

static bool exec_call(struct bpf_interp *in, struct cpu *c, const struct bpf_insn *i)
{
	unsigned int pc = in->pc;
	uint64_t r[11] = {0};
	bool ok;

	for (int n = 1; n <= 5; n++)
		r[n] = c->defined >> n & 1 ? c->r[n] : 0xdeadbeefdeadbeefULL;
	if (i->src_reg == BPF_PSEUDO_CALL)
		ok = interp_call(in, (unsigned int)((int)pc + i->imm), r + 1, &r[0]);
	else if (i->src_reg == BPF_PSEUDO_KFUNC_CALL)
		ok = in->hooks.kfunc && in->hooks.kfunc(in->hooks.arg, in, i->imm, r);
	else
		ok = interp_helper(in, i->imm, r);
	if (!ok)
		return interp_fail(in, "the call failed");
	in->pc = pc;
	c->defined &= ~0x3fU;
	return set(in, c, 0, r[0]);
}

/* A table, one row for each class of instructions.  in->pc points after i. */
static bool exec(struct bpf_interp *in, struct cpu *c, const struct bpf_insn *i)
{
	switch (BPF_CLASS(i->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		return exec_alu(in, c, i);
	case BPF_LD:
		return exec_wide(in, c, i);
	case BPF_LDX:
		return exec_load(in, c, i);
	case BPF_ST:
		return exec_store(in, c, i);
	case BPF_STX:
		return BPF_MODE(i->code) == BPF_ATOMIC ? exec_atomic(in, c, i)
						       : exec_store(in, c, i);
	}
	if (BPF_CLASS(i->code) == BPF_JMP && BPF_OP(i->code) == BPF_CALL)
		return exec_call(in, c, i);
	return exec_jump(in, c, i);
}

static bool is_exit(const struct bpf_insn *i)
{
	return i->code == (BPF_JMP | BPF_EXIT);
}

enum { DST = 1, SRC = 2, OFF = 4, IMM = 8 };

/* Returns the set of fields that have a meaning. */
static unsigned int fields(const struct bpf_insn *i)
{
	uint8_t class = BPF_CLASS(i->code), op = BPF_OP(i->code);
	unsigned int second = BPF_SRC(i->code) == BPF_X ? SRC : IMM;

	switch (class) {
	case BPF_LD:
		return DST | SRC | IMM;
	case BPF_LDX:
		return DST | SRC | OFF;
	case BPF_ST:
		return DST | OFF | IMM;
	case BPF_STX:
		return DST | SRC | OFF | (BPF_MODE(i->code) == BPF_ATOMIC ? IMM : 0);
	case BPF_JMP:
	case BPF_JMP32:
		if (op == BPF_CALL)
			return SRC | IMM;
		if (op == BPF_EXIT)
			return 0;
		if (op == BPF_JA)
			return class == BPF_JMP ? OFF : IMM;
		return DST | OFF | second;
	}
	if (op == BPF_NEG)
		return DST;
	if (op == BPF_END)
		return DST | IMM;
	if (op == BPF_DIV || op == BPF_MOD || (op == BPF_MOV && second == SRC))
		return DST | OFF | second;
	return DST | second;
}

static unsigned int fields_set(const struct bpf_insn *i)
{
	return (i->dst_reg ? DST : 0) | (i->src_reg ? SRC : 0) | (i->off ? OFF : 0) |
	       (i->imm ? IMM : 0);
}

static void begin(struct bpf_interp *in, const struct bpf_code *code)
{
	in->code = code;
	in->has_failed = false;
	buf_reset(&in->error);
}

bool bpf_interp_check(struct bpf_interp *in, const struct bpf_code *code)
{
	begin(in, code);
	for (in->pc = 0; in->pc < code->n; in->pc++) {
		const struct bpf_insn *i = &code->insns[in->pc];
		bool is_wide = i->code == (BPF_LD | BPF_IMM | BPF_DW);

		if (fields_set(i) & ~fields(i))
			return interp_fail(in, "a reserved field is not 0");
		in->pc += is_wide;
	}
	return true;
}

bool interp_call(struct bpf_interp *in, unsigned int pc, const uint64_t args[5], uint64_t *ret)
{
	struct cpu c = {0};

	if (in->depth == INTERP_FRAMES)
		return interp_fail(in, "calls are too deep");
	for (int n = 0; n < 5; n++)
		c.r[n + 1] = args[n];
	memset(in->stack[in->depth], 0xa5, INTERP_STACK);
	c.r[10] = (uint64_t)(uintptr_t)in->stack[in->depth] + INTERP_STACK;
	c.defined = 0x43e; /* r1 to r5 and r10 */
	in->depth++;
	in->pc = pc;
	for (;;) {
		const struct bpf_insn *i;
		unsigned int at = in->pc;

		if (at >= in->code->n)
			return interp_fail(in, "ran out of the program");
		if (in->executed++ >= in->budget)
			return interp_fail(in, "ran too long");
		i = &in->code->insns[at];
		if (is_exit(i))
			break;
		in->pc = at + 1;
		if (!exec(in, &c, i)) {
			in->pc = at;
			return interp_fail(in, "failed");
		}
	}
	in->depth--;
	return get(in, &c, 0, ret);
}

bool bpf_interp_run(struct bpf_interp *in, const struct bpf_code *code, const struct bpf_firing *f,
		    uint64_t *ret)
{
	uint64_t args[5] = {(uint64_t)(uintptr_t)f->ctx}, r0;

	assert(f->cpu < in->ncpus);
	begin(in, code);
	in->firing = f;
	in->executed = 0;
	in->depth = 0;
	if (!interp_call(in, 0, args, ret ? ret : &r0))
		return false;
	for (unsigned int m = 0; m < in->maps.n; m++)
		for (unsigned int k = 0; k < in->maps.a[m]->records.n; k++)
			if (in->maps.a[m]->records.a[k].state == RECORD_OPEN)
				return interp_fail(in, "a ring record is neither submitted nor "
						       "discarded");
	return true;
}

struct bpf_interp *bpf_interp_new(unsigned int ncpus)
{
	struct bpf_interp *in = mem_alloc(sizeof(*in));

	assert(ncpus > 0);
	in->ncpus = ncpus;
	in->budget = DEFAULT_BUDGET;
	in->random = 1;
	return in;
}

void bpf_interp_set_hooks(struct bpf_interp *in, const struct bpf_interp_hooks *hooks)
{
	in->hooks = *hooks;
}

const char *bpf_interp_error(const struct bpf_interp *in)
{
	return buf_str(&in->error);
}

uint64_t bpf_interp_insns(const struct bpf_interp *in)
{
	return in->executed;
}
