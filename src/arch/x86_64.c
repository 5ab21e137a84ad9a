/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * x86_64.c: registers, operands, and instructions: prefixes, opcode, ModRM, displacement, immediate
 * (Intel SDM volume 2, chapter 2 and appendix A; AMD manual volume 3, appendix A).  A table has a
 * letter for each opcode that describes the following bytes.
 */
#include <capstone/capstone.h>
#include <elf.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/insn.h"
#include "arch/operand.h"

/*
 * Bytes after an opcode:
 *
 *   .  nothing			m  ModRM			x  no instruction
 *   b  8 bits			B  ModRM, 8 bits		p  prefix
 *   w  16 bits			z  16 or 32 bits by operand size
 *   e  16 bits and 8 bits	Z  ModRM, 16 or 32 bits		v  16, 32 or 64 bits
 *   j  8 bits to jump by	J  32 bits to jump by		o  an address
 *   g  ModRM, 8 bits if its reg field is 0 or 1		G  the same with 16 or 32 bits
 */
static const char one_byte[] =
    /* 0123456789abcdef */
    "mmmmbzxxmmmmbzxx" /* 00; 0f is the escape to two_byte */
    "mmmmbzxxmmmmbzxx" /* 10 */
    "mmmmbzpxmmmmbzpx" /* 20 */
    "mmmmbzpxmmmmbzpx" /* 30 */
    "pppppppppppppppp" /* 40: REX */
    "................" /* 50 */
    "xxxmppppzZbB...." /* 60; 62 is EVEX */
    "jjjjjjjjjjjjjjjj" /* 70 */
    "BZxBmmmmmmmmmmmm" /* 80 */
    "..........x....." /* 90 */
    "oooo....bz......" /* a0 */
    "bbbbbbbbvvvvvvvv" /* b0 */
    "BBw.xxBZe.w..bx." /* c0; c4 and c5 are VEX */
    "mmmmxxx.mmmmmmmm" /* d0 */
    "jjjjbbbbJJxj...." /* e0 */
    "p.pp..gG......mm" /* f0 */;

static const char two_byte[] =
    /* 0123456789abcdef */
    "mmmmx.....x.xm.B" /* 00 */
    "mmmmmmmmmmmmmmmm" /* 10 */
    "mmmmxxxxmmmmmmmm" /* 20 */
    "......x.xxxxxxxx" /* 30; 38 and 3a are escapes to three bytes */
    "mmmmmmmmmmmmmmmm" /* 40 */
    "mmmmmmmmmmmmmmmm" /* 50 */
    "mmmmmmmmmmmmmmmm" /* 60 */
    "BBBBmmm.mmmmmmmm" /* 70 */
    "JJJJJJJJJJJJJJJJ" /* 80 */
    "mmmmmmmmmmmmmmmm" /* 90 */
    "...mBmmm...mBmmm" /* a0 */
    "mmmmmmmmmmBmmmmm" /* b0 */
    "mmBmBBBm........" /* c0 */
    "mmmmmmmmmmmmmmmm" /* d0 */
    "mmmmmmmmmmmmmmmm" /* e0 */
    "mmmmmmmmmmmmmmmm" /* f0 */;

/* The instruction being decoded. */
struct dec {
	const uint8_t *code;
	size_t n, at;
	bool is_narrow;	  /* a program of 32 bits */
	bool is_short;	  /* 66: operands of 16 bits */
	bool is_addr32;	  /* 67 */
	bool is_notrack;  /* 3e */
	uint8_t rex;	  /* 0: none */
	unsigned int map; /* 0: one_byte, 1: two_byte, 2: 0f 38, 3: 0f 3a; more by EVEX */
	bool is_vex;	  /* VEX or EVEX */
	uint8_t op, modrm;
	size_t modrm_at;
	int64_t imm;
};

static bool fetch(struct dec *d, uint8_t *byte)
{
	if (d->at >= d->n)
		return false;
	*byte = d->code[d->at++];
	return true;
}

/* Prefixes with which the kernel refuses a breakpoint: is_prefix_bad, arch/x86/kernel/uprobes.c. */
static bool is_bad_prefix(uint8_t b)
{
	return b == 0x26 || b == 0x2e || b == 0x36 || b == 0x3e || b == 0xf0;
}

/*
 * After VEX, too, the kernel takes these for opcodes of one byte, and refuses them: good_insns_64,
 * arch/x86/kernel/uprobes.c.
 */
static bool is_bad_opcode(uint8_t op)
{
	switch (op) {
	case 0x06 ... 0x07:
	case 0x0e:
	case 0x16 ... 0x17:
	case 0x1e ... 0x1f:
	case 0x27:
	case 0x2f:
	case 0x37:
	case 0x3f:
	case 0x60 ... 0x62:
	case 0x6c ... 0x6f:
	case 0x82:
	case 0x9a:
	case 0xcc ... 0xcf:
	case 0xd4 ... 0xd6:
	case 0xe4 ... 0xe7:
	case 0xea:
	case 0xec ... 0xf1:
	case 0xf4:
	case 0xfa ... 0xfb:
		return true;
	default:
		return false;
	}
}

/*
 * The kernel takes these for a jump, a call or a nop, and emulates that: branch_setup_ops().  After
 * popf it leaves the process in single-step mode: arch_uprobe_analyze_insn().  The instruction
 * would not be executed, or the process be killed.
 */
static bool is_mistaken_opcode(uint8_t op)
{
	return (op & 0xf0) == 0x70 || op == 0x90 || op == 0x9d || op == 0xe8 || op == 0xe9 ||
	       op == 0xeb;
}

static bool is_prefix(const struct dec *d, uint8_t b)
{
	return one_byte[b] == 'p' && !(d->is_narrow && (b & 0xf0) == 0x40);
}

/* Reads prefixes, up to the first byte of the opcode.  REX counts only directly before that. */
static bool prefixes(struct dec *d, struct insn *res, uint8_t *b)
{
	while (fetch(d, b) && is_prefix(d, *b)) {
		d->rex = (*b & 0xf0) == 0x40 ? *b : 0;
		d->is_short |= *b == 0x66;
		d->is_addr32 |= *b == 0x67;
		d->is_notrack |= *b == 0x3e;
		res->is_refused |= is_bad_prefix(*b);
	}
	return d->at <= d->n && !is_prefix(d, *b) && !(d->is_narrow && d->is_addr32);
}

/* Reads VEX (c5: one byte more, c4: two) and EVEX (62: three): the map, and the bits of REX. */
static bool vex(struct dec *d, uint8_t first)
{
	uint8_t p[3] = {0};
	unsigned int n = first == 0xc5 ? 1 : first == 0xc4 ? 2 : 3;

	for (unsigned int i = 0; i < n; i++)
		if (!fetch(d, &p[i]))
			return false;
	d->is_vex = true;
	d->map = n == 1 ? 1 : n == 2 ? p[0] & 31 : p[0] & 7;
	return d->map >= 1 && (d->map <= 3 || (n == 3 && d->map <= 6)) && fetch(d, &d->op);
}

static bool opcode(struct dec *d, uint8_t b)
{
	if (b == 0xc4 || b == 0xc5 || b == 0x62)
		/*
		 * In 32 bits, unless a register follows, this is another instruction, which no
		 * compiler uses.
		 */
		return (!d->is_narrow || (d->at < d->n && d->code[d->at] >> 6 == 3)) && vex(d, b);
	d->op = b;
	if (b != 0x0f)
		return true;
	d->map = 1;
	if (!fetch(d, &d->op))
		return false;
	if (d->op != 0x38 && d->op != 0x3a)
		return true;
	d->map = d->op == 0x38 ? 2 : 3;
	return fetch(d, &d->op);
}

/* Returns the letter of the opcode. */
static char form(const struct dec *d)
{
	if (d->map == 0 && d->is_narrow && (d->op & 0xf0) == 0x40)
		return '.'; /* inc, dec */
	if (d->map == 0)
		return one_byte[d->op];
	if (d->map == 3)
		return 'B';
	if (d->map != 1)
		return 'm';
	return d->is_vex && two_byte[d->op] == 'J' ? 'm' : two_byte[d->op];
}

/* Reads ModRM, SIB and displacement. */
static bool modrm(struct dec *d)
{
	unsigned int mod, rm;
	uint8_t sib = 0;

	d->modrm_at = d->at;
	if (!fetch(d, &d->modrm))
		return false;
	mod = d->modrm >> 6;
	rm = d->modrm & 7;
	if (mod == 3)
		return true;
	if (rm == 4 && !fetch(d, &sib))
		return false;
	if (mod == 1)
		d->at += 1;
	else if (mod == 2 || rm == 5 || (rm == 4 && (sib & 7) == 5))
		d->at += 4;
	return d->at <= d->n;
}

static bool immediate(struct dec *d, unsigned int size)
{
	if (size > d->n || d->at > d->n - size)
		return false;
	if (size == 1)
		d->imm = (int8_t)d->code[d->at];
	if (size == 4) {
		int32_t v;

		memcpy(&v, d->code + d->at, sizeof(v));
		d->imm = v;
	}
	d->at += size;
	return true;
}

/* Reads the bytes after the opcode. */
static bool operands(struct dec *d)
{
	bool is_wide = d->rex & 8;
	unsigned int z = d->is_short && !is_wide ? 2 : 4;
	char f = form(d);

	if (strchr("mBZgG", f) && !modrm(d))
		return false;
	switch (f) {
	case '.':
	case 'm':
		return true;
	case 'b':
	case 'B':
	case 'j':
		return immediate(d, 1);
	case 'w':
		return immediate(d, 2);
	case 'e':
		return immediate(d, 3);
	case 'z':
	case 'Z':
		return immediate(d, z);
	case 'v':
		return immediate(d, is_wide ? 8 : z);
	case 'J':
		return immediate(d, 4);
	case 'o':
		return immediate(d, d->is_addr32 || d->is_narrow ? 4 : 8);
	case 'g':
	case 'G':
		return (d->modrm >> 3 & 7) > 1 || immediate(d, f == 'g' ? 1 : z);
	}
	return false;
}

/* ff /4: jmp through a register or memory.  Compilers use notrack for tables. */
static void indirect(const struct dec *d, struct insn *res)
{
	bool has_sib = d->modrm >> 6 != 3 && (d->modrm & 7) == 4;
	uint8_t sib = has_sib ? d->code[d->modrm_at + 1] : 0;

	if (d->is_notrack || (has_sib && d->modrm >> 6 == 0 && (sib & 7) == 5)) {
		/* This includes an index without a base: jmp *table(,%rax,8). */
		res->kind = INSN_JMP_TABLE;
	} else if (d->modrm >> 6 == 3) {
		res->kind = INSN_JMP_REG;
		res->reg = (d->modrm & 7) | (d->rex & 1) << 3;
	} else if (has_sib && ((sib >> 3 & 7) != 4 || d->rex & 2)) {
		res->kind = INSN_JMP_REG;
		res->reg = INSN_NO_REG;
	} else {
		res->kind = INSN_JMP_MEM;
	}
}

/* Detects push and pop of a register, leave, and changes of the stack pointer. */
static void stack_use(const struct dec *d, struct insn *res)
{
	bool is_rsp = (d->op == 0x81 || d->op == 0x83) && d->modrm >> 6 == 3 &&
		      (d->modrm & 7) == 4 && !(d->rex & 1);
	unsigned int reg = d->modrm >> 3 & 7;

	if ((d->op & 0xf8) == 0x50 || (is_rsp && reg == 5))
		res->kind = INSN_PUSH;
	else if ((d->op & 0xf8) == 0x58 || d->op == 0xc9 || (is_rsp && reg == 0))
		res->kind = INSN_POP;
}

/* Intel SDM volume 2, table B-10: conditions in pairs, each with its opposite. */
static uint8_t condition(uint8_t op)
{
	static const uint8_t conds[] = {
	    COND_OVERFLOW, COND_CARRY,	COND_ZERO, COND_CARRY | COND_ZERO,
	    COND_SIGN,	   COND_PARITY, COND_LESS, COND_LESS | COND_ZERO};

	return (uint8_t)(conds[op >> 1 & 7] | (op & 1 ? COND_NOT : 0));
}

static void classify(const struct dec *d, struct insn *res)
{
	uint8_t op = d->op;

	if (d->map == 1 && !d->is_vex && (op & 0xf0) == 0x80) {
		res->kind = INSN_JCC;
		res->cond = condition(op);
	} else if (d->map == 1 && !d->is_vex && op == 0x0b)
		res->kind = INSN_STOP; /* ud2 */
	if (d->map != 0)
		return;
	if (op == 0xc2 || op == 0xc3)
		res->kind = INSN_RET;
	else if (op == 0xe8)
		res->kind = INSN_CALL;
	else if (op == 0xe9 || op == 0xeb)
		res->kind = INSN_JMP;
	else if ((op & 0xf0) == 0x70) {
		res->kind = INSN_JCC;
		res->cond = condition(op);
	} else if (op >= 0xe0 && op <= 0xe3)
		res->kind = INSN_JCC; /* by a register */
	else if (op == 0xf4)
		res->kind = INSN_STOP; /* hlt */
	else if (op == 0xff && (d->modrm >> 3 & 7) == 4)
		indirect(d, res);
	else if ((op == 0x01 || op == 0x03) && d->modrm >> 6 == 3) {
		res->kind = INSN_ADD_REG;
		res->reg = op == 0x01 ? (d->modrm & 7) | (d->rex & 1) << 3
				      : (d->modrm >> 3 & 7) | (d->rex & 4) << 1;
	} else {
		stack_use(d, res);
	}
}

static bool decode_as(bool is_narrow, const uint8_t *code, size_t n, struct insn *res)
{
	struct dec d = {.code = code, .n = n < INSN_MAX ? n : INSN_MAX, .is_narrow = is_narrow};
	uint8_t b = 0;

	memset(res, 0, sizeof(*res));
	if (!n || !prefixes(&d, res, &b) || !opcode(&d, b) || !operands(&d))
		return false;
	res->len = (unsigned int)d.at;
	classify(&d, res);
	res->is_refused |= d.is_vex && (is_bad_opcode(d.op) || is_mistaken_opcode(d.op));
	res->is_call_nop = !is_narrow && res->len == INSN_CALL_NOP &&
			   ((d.map == 1 && d.op == 0x1f) || (d.map == 0 && d.op == 0x90));
	res->target = (int64_t)d.at + d.imm;
	return true;
}

static bool decode(const uint8_t *code, size_t n, struct insn *res)
{
	return decode_as(false, code, n, res);
}

static bool narrow_decode(const uint8_t *code, size_t n, struct insn *res)
{
	return decode_as(true, code, n, res);
}

enum { PUSH_FRAME = 0x55, RET = 0xc3, RET_POP = 0xc2 }; /* push %rbp */

/* The stack pointer is known in the first instructions of a function, and at a ret. */
static enum arch_caller caller(const uint8_t *head, const uint8_t *code, uint32_t at, bool is_shown)
{
	static const uint8_t endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
	uint32_t start = memcmp(head, endbr, sizeof(endbr)) == 0 ? sizeof(endbr) : 0;

	if (at == start + 1 && head[start] == PUSH_FRAME)
		return ARCH_CALLER_BELOW_TOP;
	if (at > start && code[0] != RET && code[0] != RET_POP)
		return ARCH_CALLER_IN_FRAME;
	return is_shown && (code[0] == PUSH_FRAME || memcmp(code, endbr, sizeof(endbr)) == 0)
		   ? ARCH_CALLER_SHOWN
		   : ARCH_CALLER_ON_TOP;
}

/* struct pt_regs, arch/x86/include/uapi/asm/ptrace.h; PTRACE_GETREGSET adds six words. */
enum {
	R15 = 0 * 8,
	R14 = 1 * 8,
	R13 = 2 * 8,
	R12 = 3 * 8,
	BP = 4 * 8,
	BX = 5 * 8,
	R11 = 6 * 8,
	R10 = 7 * 8,
	R9 = 8 * 8,
	R8 = 9 * 8,
	AX = 10 * 8,
	CX = 11 * 8,
	DX = 12 * 8,
	SI = 13 * 8,
	DI = 14 * 8,
	IP = 16 * 8,
	CS = 17 * 8,
	FLAGS = 18 * 8,
	SP = 19 * 8,
	NUREGS = 21,
	NREGS = 27
};

/* Names of the words of struct pt_regs, and of their parts. */
static const char *const names64[] = {"r15", "r14", "r13", "r12", "rbp", "rbx", "r11",
				      "r10", "r9",  "r8",  "rax", "rcx", "rdx", "rsi",
				      "rdi", "",    "rip", "",	  "",	 "rsp", NULL};
static const char *const names32[] = {"r15d", "r14d", "r13d", "r12d", "ebp", "ebx", "r11d",
				      "r10d", "r9d",  "r8d",  "eax",  "ecx", "edx", "esi",
				      "edi",  "",     "eip",  "",     "",    "esp", NULL};
static const char *const names16[] = {"r15w", "r14w", "r13w", "r12w", "bp", "bx", "r11w",
				      "r10w", "r9w",  "r8w",  "ax",   "cx", "dx", "si",
				      "di",   "",     "",     "",     "",   "sp", NULL};
static const char *const names8[] = {"r15b", "r14b", "r13b", "r12b", "bpl", "bl",  "r11b",
				     "r10b", "r9b",  "r8b",  "al",   "cl",  "dl",  "sil",
				     "dil",  "",     "",     "",     "",    "spl", NULL};
static const char *const names_high[] = {"", "", "", "",   "",	 "bh", "",
					 "", "", "", "ah", "ch", "dh", NULL};

/* Parses %rax, %eax, %ax, %al, %ah. */
static bool reg_operand(const char *text, size_t n, uint16_t *reg, uint8_t *shift)
{
	static const char *const *const tables[] = {names64, names32, names16, names8, names_high};

	if (n < 3 || text[0] != '%')
		return false;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		int word = operand_name(tables[i], text + 1, n - 1);

		if (word < 0)
			continue;
		*reg = (uint16_t)(word * 8);
		*shift = tables[i] == names_high ? 8 : 0;
		return true;
	}
	return false;
}

/* Parses (base,index,scale).  Any part may be missing. */
static bool address_operand(const char *text, size_t n, struct operand *res)
{
	const char *end = text + n, *comma;
	uint16_t *const regs[] = {&res->reg, &res->index};
	int64_t scale = 1;
	uint8_t shift;

	for (unsigned int i = 0; i < 2 && text < end; i++, text = comma + 1) {
		comma = memchr(text, ',', (size_t)(end - text));
		comma = comma ? comma : end;
		if (comma > text &&
		    (!reg_operand(text, (size_t)(comma - text), regs[i], &shift) || shift))
			return false;
	}
	if (text < end && !operand_number(text, (size_t)(end - text), &scale))
		return false;
	while (1 << res->scale < scale && res->scale < 3)
		res->scale++;
	return scale == 1 << res->scale;
}

/* Parses 16+mp_, mp_+16, mp_. */
static bool symbol_operand(const char *text, size_t n, struct operand *res)
{
	const char *plus = memchr(text, '+', n), *after = plus ? plus + 1 : text;
	size_t before = plus ? (size_t)(plus - text) : 0, rest = n - (size_t)(after - text);

	res->kind = OPERAND_NEAR;
	if (plus && operand_number(after, rest, &res->disp)) {
		res->symbol = text;
		res->nsymbol = before;
	} else {
		res->symbol = after;
		res->nsymbol = rest;
		if (plus && !operand_number(text, before, &res->disp))
			return false;
	}
	return res->nsymbol && strcspn(res->symbol, "%$():*") >= res->nsymbol;
}

/* Parses v@tpoff, v@tpoff+4: a thread-local variable, by its distance from the thread pointer. */
static bool thread_operand(const char *text, size_t n, struct operand *res)
{
	static const char how[] = "@tpoff";
	size_t len = sizeof(how) - 1;

	if (!n || operand_number(text, n, &res->disp))
		return true;
	if (!symbol_operand(text, n, res) || res->nsymbol <= len ||
	    memcmp(res->symbol + res->nsymbol - len, how, len) != 0)
		return false;
	res->kind = OPERAND_MEM;
	res->nsymbol -= len;
	return true;
}

/* Parses the AT&T syntax: $5, %eax, -8(%rbp), 16(%rax,%rcx,8), name(%rip), %fs:name@tpoff. */
static bool operand(const char *text, size_t n, struct operand *res)
{
	bool in_thread = n > 4 && memcmp(text, "%fs:", 4) == 0;
	const char *open;
	size_t disp;

	if (in_thread) {
		text += 4;
		n -= 4;
	}
	open = memchr(text, '(', n);
	disp = open ? (size_t)(open - text) : n;
	*res = (struct operand){.kind = OPERAND_MEM,
				.reg = OPERAND_NO_REG,
				.index = OPERAND_NO_REG,
				.in_thread = in_thread};
	if (!in_thread && n && text[0] == '$') {
		res->kind = OPERAND_CONST;
		return operand_number(text + 1, n - 1, &res->disp);
	}
	if (!open && in_thread)
		return thread_operand(text, n, res);
	if (!open) {
		res->kind = OPERAND_REG;
		return reg_operand(text, n, &res->reg, &res->shift);
	}
	if (text[n - 1] != ')' || !address_operand(open + 1, n - disp - 2, res))
		return false;
	if (in_thread)
		return thread_operand(text, disp, res);
	if (!disp || operand_number(text, disp, &res->disp))
		return true;
	return res->reg == IP && res->index == OPERAND_NO_REG && symbol_operand(text, disp, res);
}

static const unsigned int args[] = {DI, SI, DX, CX, R8, R9};
/* System V ABI, AMD64 supplement, figure 3.36 */
static const unsigned int dwarf_regs[] = {AX, DX, CX,  BX,  SI,	 DI,  BP,  SP,
					  R8, R9, R10, R11, R12, R13, R14, R15};
/* go.dev/s/regabi: RAX, RBX, RCX, RDI, RSI, R8 to R11 */
static const unsigned int go_args[] = {0, 3, 2, 5, 4, 8, 9, 10, 11};
static const char *const thread_regs[] = {"ds", "es", "fsbase", "gsbase", "trap_nr", NULL};

const struct arch arch_x86_64 = {
    .name = "x86_64",
    .machine = EM_X86_64,
    .rel_choice = R_X86_64_IRELATIVE,
    .rel_call = R_X86_64_JUMP_SLOT,
    .rel_address = R_X86_64_GLOB_DAT,
    .capstone = CS_ARCH_X86,
    .capstone_mode = CS_MODE_64,
    .nregs = NREGS,
    .pc = IP,
    .sp = SP,
    .fp = BP,
    .dwarf_fp = 6, /* System V ABI, AMD64 supplement, 3.6.2 */
    .dwarf_sp = 7,
    .dwarf_ra = 16,
    .result = AX,
    .mode = CS,
    .mode_mask = 3,
    .flags = FLAGS,
    .flag_bits = {0, 2, 6, 7, 11},
    .args = args,
    .nargs = sizeof(args) / sizeof(args[0]),
    .result_words = 1, /* its address */
    .dwarf_regs = dwarf_regs,
    .ndwarf_regs = sizeof(dwarf_regs) / sizeof(dwarf_regs[0]),
    .dwarf_vector = 17, /* xmm0 */
    .dwarf_results = {0, 1},
    .go_args = go_args,
    .ngo_args = sizeof(go_args) / sizeof(go_args[0]),
    .ngo_vectors = 15,
    .nvector_args = 8,
    .stack_args = 1, /* above the return address */
    .syscall_args = {DI, SI, DX, R10, R8, R9},
    .syscall_nr = "orig_ax",
    .compat_word = "status", /* TS_COMPAT, arch/x86/include/asm/thread_info.h */
    .compat_bit = 0x0002,
    .compat_args = {BX, CX, DX, SI, DI, BP},
    .nuregs = NUREGS,
    .thread_regs = thread_regs,
    .thread_pointer = "fsbase",
    .brk = 0xcc, /* int3 */
    .brk_mask = 0xff,
    .brk_len = 1,
    .decode = decode,
    .narrow_machine = EM_386,
    .narrow_decode = narrow_decode,
    .caller = caller,
    .operand = operand,
};
