/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aarch64.c: registers, and instructions, which are words of four bytes (Arm Architecture Reference
 * Manual, C4.1).
 */
#include <capstone/capstone.h>
#include <elf.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/insn.h"
#include "arch/operand.h"

/* An instruction matches if its bits `mask` are `bits`. */
struct pattern {
	uint32_t mask, bits;
};

static bool is_one(uint32_t w, const struct pattern *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((w & list[i].mask) == list[i].bits)
			return true;
	return false;
}

#define IS_ONE(w, list) is_one(w, list, sizeof(list) / sizeof((list)[0]))

/*
 * Returns true if the kernel neither executes the instruction out of line nor simulates it:
 * arch/arm64/kernel/probes/decode-insn.c.
 */
static bool is_refused(uint32_t w)
{
	static const struct pattern refused[] = {
	    {0x3f800000, 0x08000000}, /* exclusive loads and stores */
	    {0xff000000, 0xd4000000}, /* exceptions */
	    {0xfff8f01f, 0xd500401f}, /* msr of an immediate */
	    {0xfff00000, 0xd5100000}, /* msr of a register */
	    {0xffffffe0, 0xd53b4220}, /* mrs of daif */
	    {0xfffff0ff, 0xd503305f}, /* clrex */
	    {0xffffffff, 0xd69f03e0}, /* eret */
	    {0xfffffbff, 0xd69f0bff},
	    {0xfefff800, 0xd61f0800}, /* branches and calls with authentication */
	    {0xfefff800, 0xd63f0800},
	};
	/* nop, signing and authentication of addresses, bti. */
	static const struct pattern hints[] = {
	    {0xffffffff, 0xd503201f}, {0xffffffff, 0xd50320ff}, {0xfffffd3f, 0xd503211f},
	    {0xffffff1f, 0xd503231f}, {0xffffff3f, 0xd503241f},
	};

	if ((w & 0xfffff01f) == 0xd503201f)
		return !IS_ONE(w, hints);
	return IS_ONE(w, refused);
}

/* Returns the signed number in n bits from bit `at` on. */
static int64_t field(uint32_t w, unsigned int at, unsigned int n)
{
	return (int64_t)((uint64_t)w << (64 - at - n)) >> (64 - n);
}

/* The stack pointer decreases.  is_pop: it increases. */
static bool is_push(uint32_t w)
{
	static const struct pattern list[] = {
	    {0xffc003e0, 0xa98003e0}, /* stp x, x, [sp, #n]! */
	    {0xffe00fe0, 0xf8000fe0}, /* str x, [sp, #n]! */
	    {0xff8003ff, 0xd10003ff}, /* sub sp, sp, #n */
	    {0xffe0ffff, 0xcb2063ff}, /* sub sp, sp, x */
	};

	return IS_ONE(w, list);
}

static bool is_pop(uint32_t w)
{
	static const struct pattern list[] = {
	    {0xffc003e0, 0xa8c003e0}, /* ldp x, x, [sp], #n */
	    {0xffe00fe0, 0xf84007e0}, /* ldr x, [sp], #n */
	    {0xff80001f, 0x9100001f}, /* add sp, x, #n */
	    {0xffe0ffff, 0x8b2063ff}, /* add sp, sp, x */
	};

	return IS_ONE(w, list);
}

/* An addition of a shifted or extended register: the entry of a table and its base. */
static bool is_add(uint32_t w)
{
	static const struct pattern list[] = {{0x7f200000, 0x0b000000}, {0x7fe00000, 0x0b200000}};

	return IS_ONE(w, list);
}

static bool is_stop(uint32_t w)
{
	static const struct pattern list[] = {
	    {0xffff0000, 0x00000000}, /* udf */
	    {0xffe0001f, 0xd4200000}, /* brk */
	    {0xffe0001f, 0xd4400000}, /* hlt */
	};

	return IS_ONE(w, list);
}

static bool is_return(uint32_t w)
{
	static const struct pattern list[] = {{0xfffffc1f, 0xd65f0000}, {0xfffffbff, 0xd65f0bff}};

	return IS_ONE(w, list);
}

/* br, also with authentication. */
static bool is_jump_reg(uint32_t w)
{
	static const struct pattern list[] = {{0xfffffc1f, 0xd61f0000}, {0xfefff800, 0xd61f0800}};

	return IS_ONE(w, list);
}

static void classify(uint32_t w, struct insn *res)
{
	if ((w & 0x7c000000) == 0x14000000) { /* b, bl */
		res->kind = w >> 31 ? INSN_CALL : INSN_JMP;
		res->target = field(w, 0, 26) * 4;
	} else if ((w & 0xff000000) == 0x54000000 || (w & 0x7e000000) == 0x34000000) {
		res->kind = INSN_JCC; /* b.cond; cbz, cbnz */
		res->target = field(w, 5, 19) * 4;
	} else if ((w & 0x7e000000) == 0x36000000) {
		res->kind = INSN_JCC; /* tbz, tbnz */
		res->target = field(w, 5, 14) * 4;
	} else if (is_return(w)) {
		res->kind = INSN_RET;
	} else if (is_jump_reg(w)) {
		res->kind = INSN_JMP_REG;
		res->reg = w >> 5 & 31;
	} else if (is_stop(w)) {
		res->kind = INSN_STOP;
	} else if (is_push(w)) {
		res->kind = INSN_PUSH;
	} else if (is_pop(w)) {
		res->kind = INSN_POP;
	} else if (is_add(w)) {
		res->kind = INSN_ADD_REG;
		res->reg = w & 31;
	}
}

static bool decode(const uint8_t *code, size_t n, struct insn *res)
{
	uint32_t w;

	memset(res, 0, sizeof(*res));
	if (n < sizeof(w))
		return false;
	memcpy(&w, code, sizeof(w));
	/* Two of the main groups are unallocated. */
	if ((w >> 25 & 15) == 1 || (w >> 25 & 15) == 3)
		return false;
	res->len = sizeof(w);
	res->target = sizeof(w);
	res->is_refused = is_refused(w);
	classify(w, res);
	return true;
}

/*
 * bl puts the return address into the link register, which has it again when the function returns.
 */
static enum arch_caller caller(const uint8_t *head, const uint8_t *code, uint32_t at, bool is_shown)
{
	struct insn in;

	return at == 0 || (decode(code, ARCH_HEAD, &in) && in.kind == INSN_RET)
		   ? ARCH_CALLER_ON_TOP
		   : ARCH_CALLER_IN_FRAME;
}

/* struct user_pt_regs, arch/arm64/include/uapi/asm/ptrace.h: x0 to x30, sp, pc, pstate. */
#define X(n) ((n)*8)
enum { FP = X(29), SP = X(31), PC = X(32), PSTATE = X(33), NREGS = 34 };

/* Parses x0, w0, sp. */
static bool reg_operand(const char *text, size_t n, uint16_t *reg)
{
	int64_t number;

	if (n == 2 && memcmp(text, "sp", 2) == 0) {
		*reg = SP;
		return true;
	}
	if (n < 2 || (text[0] != 'x' && text[0] != 'w') ||
	    !operand_number(text + 1, n - 1, &number) || number < 0 || number > 30)
		return false;
	*reg = (uint16_t)X(number);
	return true;
}

/* Parses a number, which may have a # before it. */
static bool number_operand(const char *text, size_t n, int64_t *v)
{
	bool is_marked = n && text[0] == '#';

	return operand_number(text + is_marked, n - is_marked, v);
}

/* Parses 5, w0, [x0], [sp, 12], [x0, x1]. */
static bool operand(const char *text, size_t n, struct operand *res)
{
	const char *comma;
	size_t base;

	*res =
	    (struct operand){.kind = OPERAND_CONST, .reg = OPERAND_NO_REG, .index = OPERAND_NO_REG};
	if (number_operand(text, n, &res->disp))
		return true;
	res->kind = OPERAND_REG;
	if (reg_operand(text, n, &res->reg))
		return true;
	res->kind = OPERAND_MEM;
	if (n < 3 || text[0] != '[' || text[n - 1] != ']')
		return false;
	comma = memchr(text, ',', n);
	base = comma ? (size_t)(comma - text) - 1 : n - 2;
	if (!reg_operand(text + 1, base, &res->reg) || !comma)
		return !comma && res->reg != OPERAND_NO_REG;
	comma += 1 + (comma[1] == ' ');
	n -= (size_t)(comma - text) + 1;
	return number_operand(comma, n, &res->disp) ||
	       (*comma == 'x' && reg_operand(comma, n, &res->index));
}

static const unsigned int args[] = {X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7)};
/* DWARF for the Arm 64-bit Architecture (AADWARF64), 4.1 */
static const unsigned int dwarf_regs[] = {
    X(0),  X(1),  X(2),	 X(3),	X(4),  X(5),  X(6),  X(7),  X(8),  X(9),  X(10),
    X(11), X(12), X(13), X(14), X(15), X(16), X(17), X(18), X(19), X(20), X(21),
    X(22), X(23), X(24), X(25), X(26), X(27), X(28), X(29), X(30), SP,
};
/* go.dev/s/regabi: R0 to R15 */
static const unsigned int go_args[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const char *const thread_regs[] = {NULL};

const struct arch arch_aarch64 = {
    .name = "aarch64",
    .machine = EM_AARCH64,
    .rel_choice = R_AARCH64_IRELATIVE,
    .rel_call = R_AARCH64_JUMP_SLOT,
    .rel_address = R_AARCH64_GLOB_DAT,
    .capstone = CS_ARCH_ARM64,
    .capstone_mode = CS_MODE_ARM,
    .nregs = NREGS,
    .pc = PC,
    .sp = SP,
    .fp = FP,
    .result = X(0),
    .link = X(30),
    .mode = PSTATE,
    .mode_mask = 15, /* PSR_MODE_MASK; PSR_MODE_EL0t is 0 */
    .user_is_zero = true,
    .args = args,
    .nargs = sizeof(args) / sizeof(args[0]),
    .large_words = 1, /* its address */
    .dwarf_regs = dwarf_regs,
    .ndwarf_regs = sizeof(dwarf_regs) / sizeof(dwarf_regs[0]),
    .dwarf_vector = 64, /* v0 */
    .dwarf_results = {0, 1},
    .go_args = go_args,
    .ngo_args = sizeof(go_args) / sizeof(go_args[0]),
    .ngo_vectors = 16,
    .nvector_args = 8,
    .syscall_args = {X(0), X(1), X(2), X(3), X(4), X(5)},
    .syscall_nr = "syscallno",
    .compat_word = "flags", /* TIF_32BIT, arch/arm64/include/asm/thread_info.h */
    .compat_bit = 1 << 22,
    .compat_args = {X(0), X(1), X(2), X(3), X(4), X(5)},
    .nuregs = NREGS + 2, /* orig_x0 and syscallno, arch/arm64/include/asm/ptrace.h */
    .thread_regs = thread_regs,
    .brk = 0xd4200000, /* brk #0 */
    .brk_mask = 0xffffffff,
    .decode = decode,
    .caller = caller,
    .operand = operand,
};
