/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * disasm.c: instructions as text, in the notation of the kernel's verifier.  Jumps have labels, and
 * unresolved functions, helpers and maps have names.
 */
#include <assert.h>
#include <inttypes.h>

#include "base/arena.h"
#include "base/buf.h"
#include "bpf/codegen.h"
#include "ir/ir.h"

static const char *size_name(uint8_t code)
{
	switch (BPF_SIZE(code)) {
	case BPF_B:
		return "u8";
	case BPF_H:
		return "u16";
	case BPF_W:
		return "u32";
	}
	return "u64";
}

static const char *alu_name(uint8_t code)
{
	static const char *const names[16] = {
	    [BPF_ADD >> 4] = "+=",  [BPF_SUB >> 4] = "-=",    [BPF_MUL >> 4] = "*=",
	    [BPF_DIV >> 4] = "/=",  [BPF_OR >> 4] = "|=",     [BPF_AND >> 4] = "&=",
	    [BPF_LSH >> 4] = "<<=", [BPF_RSH >> 4] = ">>=",   [BPF_MOD >> 4] = "%=",
	    [BPF_XOR >> 4] = "^=",  [BPF_ARSH >> 4] = "s>>=",
	};

	return names[BPF_OP(code) >> 4] ? names[BPF_OP(code) >> 4] : "?=";
}

static const char *jump_name(uint8_t code)
{
	static const char *const names[16] = {
	    [BPF_JEQ >> 4] = "==",   [BPF_JNE >> 4] = "!=",   [BPF_JGT >> 4] = ">",
	    [BPF_JGE >> 4] = ">=",   [BPF_JLT >> 4] = "<",    [BPF_JLE >> 4] = "<=",
	    [BPF_JSGT >> 4] = "s>",  [BPF_JSGE >> 4] = "s>=", [BPF_JSLT >> 4] = "s<",
	    [BPF_JSLE >> 4] = "s<=", [BPF_JSET >> 4] = "&",
	};

	return names[BPF_OP(code) >> 4] ? names[BPF_OP(code) >> 4] : "?";
}

static void print_alu(struct buf *out, const struct bpf_insn *in)
{
	char reg = BPF_CLASS(in->code) == BPF_ALU64 ? 'r' : 'w';
	bool is_x = BPF_SRC(in->code) == BPF_X;
	const char *sign = in->off ? "s" : "";

	switch (BPF_OP(in->code)) {
	case BPF_NEG:
		buf_printf(out, "%c%d = -%c%d", reg, in->dst_reg, reg, in->dst_reg);
		return;
	case BPF_END:
		buf_printf(out, "r%d = %s%d r%d", in->dst_reg, is_x ? "be" : "le", in->imm,
			   in->dst_reg);
		return;
	case BPF_MOV:
		buf_printf(out, "%c%d = ", reg, in->dst_reg);
		if (is_x && in->off)
			buf_printf(out, "(s%d)", in->off);
		break;
	default:
		buf_printf(out, "%c%d %s%s ", reg, in->dst_reg, sign, alu_name(in->code));
	}
	if (is_x)
		buf_printf(out, "%c%d", reg, in->src_reg);
	else
		buf_printf(out, "%d", in->imm);
}

static void print_wide(struct buf *out, const struct bpf_insn *in)
{
	uint64_t v = (uint32_t)in[0].imm | (uint64_t)(uint32_t)in[1].imm << 32;

	buf_printf(out, "r%d = ", in->dst_reg);
	switch (in->src_reg) {
	case BPF_PSEUDO_MAP_FD:
		buf_printf(out, "map fd %d", in->imm);
		return;
	case BPF_PSEUDO_MAP_VALUE:
		buf_printf(out, "map value fd %d + %d", in->imm, in[1].imm);
		return;
	case BPF_PSEUDO_BTF_ID:
		buf_printf(out, "btf %d", in->imm);
		return;
	case BPF_PSEUDO_FUNC:
		buf_printf(out, "func %+d", in->imm);
		return;
	}
	buf_printf(out, "0x%" PRIx64 " ll", v);
}

static void print_atomic(struct buf *out, const struct bpf_insn *in)
{
	static const char *const names[16] = {[BPF_ADD >> 4] = "+=",
					      [BPF_OR >> 4] = "|=",
					      [BPF_AND >> 4] = "&=",
					      [BPF_XOR >> 4] = "^="};
	const char *t = size_name(in->code);
	int op = in->imm & 0xf0;

	if (in->imm == BPF_XCHG)
		buf_printf(out, "r%d = xchg((%s *)(r%d %+d), r%d)", in->src_reg, t, in->dst_reg,
			   in->off, in->src_reg);
	else if (in->imm == BPF_CMPXCHG)
		buf_printf(out, "r0 = cmpxchg((%s *)(r%d %+d), r0, r%d)", t, in->dst_reg, in->off,
			   in->src_reg);
	else if (in->imm & BPF_FETCH)
		buf_printf(out, "r%d = fetch(*(%s *)(r%d %+d) %s r%d)", in->src_reg, t, in->dst_reg,
			   in->off, names[op >> 4] ? names[op >> 4] : "?", in->src_reg);
	else
		buf_printf(out, "lock *(%s *)(r%d %+d) %s r%d", t, in->dst_reg, in->off,
			   names[op >> 4] ? names[op >> 4] : "?", in->src_reg);
}

static void print_call(struct buf *out, const struct bpf_insn *in)
{
	if (in->src_reg == BPF_PSEUDO_CALL)
		buf_printf(out, "call pc%+d", in->imm);
	else if (in->src_reg == BPF_PSEUDO_KFUNC_CALL)
		buf_printf(out, "call kernel#%d", in->imm);
	else
		buf_printf(out, "call %s", ir_helper_name(in->imm));
}

static void print_condition(struct buf *out, const struct bpf_insn *in)
{
	char reg = BPF_CLASS(in->code) == BPF_JMP ? 'r' : 'w';

	buf_printf(out, "if %c%d %s ", reg, in->dst_reg, jump_name(in->code));
	if (BPF_SRC(in->code) == BPF_X)
		buf_printf(out, "%c%d ", reg, in->src_reg);
	else
		buf_printf(out, "%d ", in->imm);
}

static bool is_jump(const struct bpf_insn *in)
{
	unsigned int class = BPF_CLASS(in->code), op = BPF_OP(in->code);

	return (class == BPF_JMP || class == BPF_JMP32) && op != BPF_CALL && op != BPF_EXIT;
}

/* Prints everything except the target of a jump. */
static void print_body(struct buf *out, const struct bpf_insn *in)
{
	switch (BPF_CLASS(in->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		print_alu(out, in);
		return;
	case BPF_LD:
		print_wide(out, in);
		return;
	case BPF_LDX:
		buf_printf(out, "r%d = *(%s *)(r%d %+d)", in->dst_reg, size_name(in->code),
			   in->src_reg, in->off);
		return;
	case BPF_ST:
		buf_printf(out, "*(%s *)(r%d %+d) = %d", size_name(in->code), in->dst_reg, in->off,
			   in->imm);
		return;
	case BPF_STX:
		if (BPF_MODE(in->code) == BPF_ATOMIC)
			print_atomic(out, in);
		else
			buf_printf(out, "*(%s *)(r%d %+d) = r%d", size_name(in->code), in->dst_reg,
				   in->off, in->src_reg);
		return;
	}
	if (BPF_OP(in->code) == BPF_EXIT)
		buf_puts(out, "exit");
	else if (BPF_OP(in->code) == BPF_CALL)
		print_call(out, in);
	else if (BPF_OP(in->code) != BPF_JA)
		print_condition(out, in);
}

void bpf_disasm_insn(struct buf *out, const struct bpf_insn *in)
{
	print_body(out, in);
	if (is_jump(in))
		buf_printf(out, "goto %+d", in->off);
}

/* Returns labels by instruction, numbered in order; 0: none. */
static unsigned int *find_labels(const struct bpf_code *c)
{
	unsigned int *label = arena_new_arr(c->arena, unsigned int, c->n + 1), n = 0;

	for (unsigned int i = 0; i < c->n; i++)
		if (is_jump(&c->insns[i])) {
			int64_t to = (int64_t)i + c->insns[i].off + 1;

			assert(to >= 0 && to <= c->n);
			label[to] = 1;
		}
	for (unsigned int i = 0; i <= c->n; i++)
		label[i] = label[i] ? ++n : 0;
	return label;
}

static void print_reloc(struct buf *out, const struct bpf_reloc *r)
{
	switch (r->kind) {
	case BPF_RELOC_MAPFD:
		buf_printf(out, "\t; map %" PRId64, r->target);
		break;
	case BPF_RELOC_MAPVAL:
		buf_printf(out, "\t; map %" PRId64 " value + %" PRId64, r->target, r->off);
		break;
	case BPF_RELOC_RT:
	case BPF_RELOC_RTFUNC_ADDR:
		buf_printf(out, "\t; library function %" PRId64, r->target);
		break;
	case BPF_RELOC_FN:
	case BPF_RELOC_FNADDR:
		buf_printf(out, "\t; function %" PRId64, r->target);
		break;
	case BPF_RELOC_RTMAP:
		buf_printf(out, "\t; map %s", r->name);
		break;
	}
}

void bpf_disasm(struct buf *out, const struct bpf_code *c)
{
	unsigned int *label = find_labels(c), f = 0, r = 0;

	for (unsigned int i = 0; i < c->n; i++) {
		const struct bpf_insn *in = &c->insns[i];

		if (f < c->nfuncs && c->funcs[f].insn == i)
			buf_printf(out, "%s:\n", c->funcs[f++].name);
		if (label[i])
			buf_printf(out, "L%u:\n", label[i]);
		buf_printf(out, "%5u\t", i);
		print_body(out, in);
		if (is_jump(in))
			buf_printf(out, "goto L%u", label[(int)i + in->off + 1]);
		while (r < c->nrelocs && c->relocs[r].insn < i)
			r++;
		if (r < c->nrelocs && c->relocs[r].insn == i)
			print_reloc(out, &c->relocs[r]);
		buf_putc(out, '\n');
		i += in->code == (BPF_LD | BPF_IMM | BPF_DW);
	}
}
