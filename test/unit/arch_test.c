/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arch_test.c: instructions of all architectures: effects of single ones, and lengths of all in
 * whole files, compared with objdump; descriptions of registers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/insn.h"
#include "arch/operand.h"
#include "base/buf.h"
#include "test.h"

/* Reads the bytes of "  2a3b0:	 48 89 e5             	 mov    %rsp,%rbp"; returns 0 if the
 * line has another form. */
static size_t line_bytes(const char *line, uint8_t *bytes)
{
	const char *tab = strchr(line, '\t'), *end = tab ? strchr(tab + 1, '\t') : NULL;
	size_t n = 0;
	char *next;

	for (const char *p = tab + 1; end && p < end && n < INSN_MAX; p = next) {
		bytes[n] = (uint8_t)strtoul(p, &next, 16);
		if (next == p || next > end)
			break;
		n++;
	}
	return n;
}

/*
 * objdump and assemblers take a wait (9b) and the next instruction for one instruction; for the
 * processor they are two.
 */
static void agrees_with_objdump(const char *path)
{
	struct buf cmd = {0};
	unsigned int n = 0, wrong = 0;
	char line[512];
	FILE *f;

	buf_printf(&cmd, "objdump -d -w --insn-width=%d %s", INSN_MAX, path);
	f = popen(buf_str(&cmd), "re");
	while (f && fgets(line, sizeof(line), f)) {
		uint8_t bytes[INSN_MAX];
		size_t len = line_bytes(line, bytes);
		struct insn in;

		if (!len || bytes[0] == 0x9b)
			continue;
		n++;
		if (arch_native->decode(bytes, len, &in) && in.len == len)
			continue;
		if (wrong++ < 10)
			printf("# %s: %u bytes: %s", path, in.len, line);
	}
	CHECK(f && pclose(f) == 0);
	CHECK(n > 10000);
	CHECK_INT(wrong, 0);
	buf_free(&cmd);
}

/* Finds the C library of this test program. */
static void libc_path(char *path, size_t size)
{
	char line[1024], *slash;
	FILE *f = fopen("/proc/self/maps", "re");

	path[0] = '\0';
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		slash = strchr(line, '/');
		if (slash && strstr(slash, "/libc.so."))
			snprintf(path, size, "%s", slash);
	}
	if (f)
		fclose(f);
	CHECK(path[0]);
}

static const struct {
	const char *what;
	const uint8_t code[INSN_MAX];
	unsigned int len;
	enum insn_kind kind;
	int64_t target;
	uint8_t reg;
	bool is_refused;
} rows[] = {
    {"ret", {0xc3}, 1, INSN_RET, 1, 0, false},
    {"repz ret", {0xf3, 0xc3}, 2, INSN_RET, 2, 0, false},
    {"ret 8", {0xc2, 8, 0}, 3, INSN_RET, 3, 0, false},
    {"jmp -2", {0xeb, 0xfe}, 2, INSN_JMP, 0, 0, false},
    {"jmp, 32 bits", {0xe9, 0, 1, 0, 0}, 5, INSN_JMP, 0x105, 0, false},
    {"je", {0x74, 0x10}, 2, INSN_JCC, 0x12, 0, false},
    {"jne, 32 bits", {0x0f, 0x85, 0xfa, 0xff, 0xff, 0xff}, 6, INSN_JCC, 0, 0, false},
    {"jmp *%rax", {0xff, 0xe0}, 2, INSN_JMP_REG, 2, 0, false},
    {"jmp *%r10", {0x41, 0xff, 0xe2}, 3, INSN_JMP_REG, 3, 10, false},
    {"notrack jmp *%rax", {0x3e, 0xff, 0xe0}, 3, INSN_JMP_TABLE, 3, 0, true},
    {"jmp *8(%rip)", {0xff, 0x25, 8, 0, 0, 0}, 6, INSN_JMP_MEM, 6, 0, false},
    {"jmp *table(,%rax,8)", {0xff, 0x24, 0xc5, 0, 0, 0, 0}, 7, INSN_JMP_TABLE, 7, 0, false},
    {"jmp *(%rdx,%rax,8)", {0xff, 0x24, 0xc2}, 3, INSN_JMP_REG, 3, INSN_NO_REG, false},
    {"add %rdx,%rax", {0x48, 0x01, 0xd0}, 3, INSN_ADD_REG, 3, 0, false},
    {"add %rdx,%r9", {0x4c, 0x03, 0xca}, 3, INSN_ADD_REG, 3, 9, false},
    {"call", {0xe8, 0, 0, 0, 0}, 5, INSN_CALL, 5, 0, false},
    {"push %r12", {0x41, 0x54}, 2, INSN_PUSH, 2, 0, false},
    {"sub $8,%rsp", {0x48, 0x83, 0xec, 8}, 4, INSN_PUSH, 4, 0, false},
    {"sub $8,%r12", {0x49, 0x83, 0xec, 8}, 4, INSN_OTHER, 4, 0, false},
    {"pop %rbx", {0x5b}, 1, INSN_POP, 1, 0, false},
    {"add $8,%rsp", {0x48, 0x83, 0xc4, 8}, 4, INSN_POP, 4, 0, false},
    {"leave", {0xc9}, 1, INSN_POP, 1, 0, false},
    {"ud2", {0x0f, 0x0b}, 2, INSN_STOP, 2, 0, false},
    {"hlt", {0xf4}, 1, INSN_STOP, 1, 0, false},
    {"lock xadd", {0xf0, 0x0f, 0xc1, 0x07}, 4, INSN_OTHER, 4, 0, true},
    {"movabs", {0x48, 0xb8, 1, 0, 0, 0, 0, 0, 0, 0}, 10, INSN_OTHER, 10, 0, false},
    {"testw $1", {0x66, 0xf7, 0xc0, 1, 0}, 5, INSN_OTHER, 5, 0, false},
    {"notw", {0x66, 0xf7, 0xd0}, 3, INSN_OTHER, 3, 0, false},
    {"mov %eax,(address)", {0xa3, 0, 0, 0, 0, 0, 0, 0, 0}, 9, INSN_OTHER, 9, 0, false},
    {"the same, 67", {0x67, 0xa3, 0, 0, 0, 0}, 6, INSN_OTHER, 6, 0, false},
    {"vpalignr", {0xc4, 0xe3, 0x75, 0x0f, 0xc2, 1}, 6, INSN_OTHER, 6, 0, false},
    {"vzeroupper", {0xc5, 0xf8, 0x77}, 3, INSN_OTHER, 3, 0, true},
    {"vpbroadcastb, EVEX", {0x62, 0xe2, 0x7d, 0x28, 0x7a, 0xce}, 6, INSN_OTHER, 6, 0, true},
    {"vpor", {0xc5, 0xf5, 0xeb, 0xd0}, 4, INSN_OTHER, 4, 0, true},
    {"vpsubsb", {0xc5, 0xf5, 0xe8, 0xd0}, 4, INSN_OTHER, 4, 0, true},
    {"vfnmadd132ss", {0xc4, 0xe2, 0x71, 0x9d, 0xd0}, 5, INSN_OTHER, 5, 0, true},
    {"vcmpltps", {0xc5, 0xf4, 0xc2, 0xd0, 1}, 5, INSN_OTHER, 5, 0, false},
    {"vxorps", {0xc5, 0xf4, 0x57, 0xd0}, 4, INSN_OTHER, 4, 0, false},
    {"vmovdqu64, EVEX", {0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x46, 1}, 7, INSN_OTHER, 7, 0, true},
    {"vmovd", {0xc5, 0xf9, 0x6e, 0xc6}, 4, INSN_OTHER, 4, 0, true},
    {"kmovd, not a jump", {0xc5, 0xfb, 0x93, 0xc1}, 4, INSN_OTHER, 4, 0, false},
    {"kmovq, not a nop", {0xc4, 0xe1, 0xf8, 0x90, 0xc8}, 5, INSN_OTHER, 5, 0, true},
    {"xabort", {0xc6, 0xf8, 1}, 3, INSN_OTHER, 3, 0, false},
};

static void x86_64_ones(void)
{
	struct insn in;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool ok = arch_x86_64.decode(rows[i].code, rows[i].len, &in);

		if (!ok || in.len != rows[i].len || in.kind != rows[i].kind)
			printf("# %s: %u bytes, kind %d\n", rows[i].what, in.len, (int)in.kind);
		CHECK(ok);
		CHECK_INT(in.len, rows[i].len);
		CHECK_INT(in.kind, rows[i].kind);
		if (in.kind == INSN_JMP || in.kind == INSN_JCC)
			CHECK_INT(in.target, rows[i].target);
		CHECK_INT(in.reg, rows[i].reg);
		CHECK_INT(in.cond != 0, in.kind == INSN_JCC);
		CHECK_INT(in.is_refused, rows[i].is_refused);
		CHECK(!arch_x86_64.decode(rows[i].code, rows[i].len - 1, &in) ||
		      in.len < rows[i].len);
	}
}

/* Bytes with another meaning in a 32-bit program. */
static void narrow_ones(void)
{
	static const struct {
		uint8_t code[8];
		unsigned int n, len; /* len 0: no instruction that compilers use */
	} list[] = {
	    {{0x40}, 1, 1},			 /* inc %eax */
	    {{0x48, 0x8b, 0x44, 0x24, 4}, 5, 1}, /* dec %eax */
	    {{0xa1, 0, 0, 0, 0}, 5, 5},		 /* mov address,%eax */
	    {{0xb8, 1, 0, 0, 0}, 5, 5},		 /* mov $1,%eax */
	    {{0xc5, 0xf8, 0x77}, 3, 3},		 /* vzeroupper */
	    {{0xc5, 0x38, 0x77}, 3, 0},		 /* lds */
	    {{0x62, 0x08}, 2, 0},		 /* bound */
	    {{0x67, 0x8b, 0x07}, 3, 0},		 /* an address of 16 bits */
	};
	struct insn in;

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		bool ok = arch_x86_64.narrow_decode(list[i].code, list[i].n, &in);

		CHECK_INT(ok ? in.len : 0, list[i].len);
	}
}

/* Bytes that are no instruction, and bytes without an end. */
static void bad_ones(void)
{
	static const uint8_t bad[][INSN_MAX] = {{0x06}, {0x0f, 0x04}, {0x62}, {0xd6}, {0xc4}};
	uint8_t all[INSN_MAX + 1];
	struct insn in;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!arch_x86_64.decode(bad[i], sizeof(bad[i]), &in));
	memset(all, 0x66, sizeof(all));
	CHECK(!arch_x86_64.decode(all, sizeof(all), &in));
	CHECK(!arch_x86_64.decode(all, 0, &in));
}

static const struct {
	const char *what;
	uint32_t code;
	enum insn_kind kind;
	int64_t target;
	uint8_t reg;
	bool is_refused;
} words[] = {
    {"ret", 0xd65f03c0, INSN_RET, 4, 0, false},
    {"retaa", 0xd65f0bff, INSN_RET, 4, 0, false},
    {"b .", 0x14000000, INSN_JMP, 0, 0, false},
    {"b .-4", 0x17ffffff, INSN_JMP, -4, 0, false},
    {"bl .+8", 0x94000002, INSN_CALL, 8, 0, false},
    {"b.ne .+16", 0x54000081, INSN_JCC, 16, 0, false},
    {"cbz x0, .-8", 0xb4ffffc0, INSN_JCC, -8, 0, false},
    {"cbnz w1, .+12", 0x35000061, INSN_JCC, 12, 0, false},
    {"tbz w0, #3, .+4", 0x36180020, INSN_JCC, 4, 0, false},
    {"tbnz x1, #33, .-4", 0xb70fffe1, INSN_JCC, -4, 0, false},
    {"br x16", 0xd61f0200, INSN_JMP_REG, 4, 16, false},
    {"braaz x3", 0xd61f087f, INSN_JMP_REG, 4, 3, true},
    {"blr x16", 0xd63f0200, INSN_OTHER, 4, 0, false},
    {"stp x29, x30, [sp, #-32]!", 0xa9be7bfd, INSN_PUSH, 4, 0, false},
    {"stp x29, x30, [sp, #16]", 0xa9017bfd, INSN_OTHER, 4, 0, false},
    {"str x30, [sp, #-16]!", 0xf81f0ffe, INSN_PUSH, 4, 0, false},
    {"str x0, [x1, #-16]!", 0xf81f0c20, INSN_OTHER, 4, 0, false},
    {"sub sp, sp, #64", 0xd10103ff, INSN_PUSH, 4, 0, false},
    {"ldp x29, x30, [sp], #32", 0xa8c27bfd, INSN_POP, 4, 0, false},
    {"ldp x29, x30, [sp, #16]", 0xa9417bfd, INSN_OTHER, 4, 0, false},
    {"ldr x30, [sp], #16", 0xf84107fe, INSN_POP, 4, 0, false},
    {"add sp, sp, #64", 0x910103ff, INSN_POP, 4, 0, false},
    {"mov sp, x29", 0x910003bf, INSN_POP, 4, 0, false},
    {"mov x29, sp", 0x910003fd, INSN_OTHER, 4, 0, false},
    {"add x1, x2, x3", 0x8b030041, INSN_ADD_REG, 4, 1, false},
    {"add x1, x2, w1, sxtb #2", 0x8b218841, INSN_ADD_REG, 4, 1, false},
    {"udf #0", 0x00000000, INSN_STOP, 4, 0, false},
    {"brk #1000", 0xd4207d00, INSN_STOP, 4, 0, true},
    {"svc #0", 0xd4000001, INSN_OTHER, 4, 0, true},
    {"nop", 0xd503201f, INSN_OTHER, 4, 0, false},
    {"paciasp", 0xd503233f, INSN_OTHER, 4, 0, false},
    {"bti c", 0xd503245f, INSN_OTHER, 4, 0, false},
    {"yield", 0xd503203f, INSN_OTHER, 4, 0, true},
    {"ldxr x0, [x1]", 0xc85f7c20, INSN_OTHER, 4, 0, true},
    {"stlxr w2, x0, [x1]", 0xc802fc20, INSN_OTHER, 4, 0, true},
    {"mrs x0, tpidr_el0", 0xd53bd040, INSN_OTHER, 4, 0, false},
    {"msr tpidr_el0, x0", 0xd51bd040, INSN_OTHER, 4, 0, true},
    {"ldr x0, .+8", 0x58000040, INSN_OTHER, 4, 0, false},
};

static void aarch64_ones(void)
{
	static const uint32_t bad[] = {0x02000000, 0x06000000};
	struct insn in;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const uint8_t *code = (const uint8_t *)&words[i].code;
		bool ok = arch_aarch64.decode(code, 4, &in);

		if (!ok || in.kind != words[i].kind || in.is_refused != words[i].is_refused)
			printf("# %s: kind %d\n", words[i].what, (int)in.kind);
		CHECK(ok && in.len == 4);
		CHECK_INT(in.kind, words[i].kind);
		CHECK_INT(in.target, words[i].target);
		CHECK_INT(in.reg, words[i].reg);
		CHECK_INT(in.is_refused, words[i].is_refused);
		CHECK(!arch_aarch64.decode(code, 3, &in));
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!arch_aarch64.decode((const uint8_t *)&bad[i], 4, &in));
}

/* Finds the caller of a function that sets up a frame, at each of its instructions. */
static void callers(void)
{
	static const uint8_t push[ARCH_HEAD] = {0x55, 0x48, 0x89, 0xe5}, ret[ARCH_HEAD] = {0xc3};
	static const uint32_t stp[] = {0xa9be7bfd, 0x910003fd}, ret_word[] = {0xd65f03c0, 0};
	const uint8_t *head = (const uint8_t *)stp;

	CHECK_INT(arch_x86_64.caller(push, push, 0, false), ARCH_CALLER_ON_TOP);
	CHECK_INT(arch_x86_64.caller(push, push, 0, true), ARCH_CALLER_SHOWN);
	CHECK_INT(arch_x86_64.caller(push, push + 1, 1, false), ARCH_CALLER_BELOW_TOP);
	CHECK_INT(arch_x86_64.caller(push, push + 4, 4, false), ARCH_CALLER_IN_FRAME);
	CHECK_INT(arch_x86_64.caller(push, ret, 9, false), ARCH_CALLER_ON_TOP);
	CHECK_INT(arch_aarch64.caller(head, head, 0, false), ARCH_CALLER_ON_TOP);
	CHECK_INT(arch_aarch64.caller(head, head + 4, 8, false), ARCH_CALLER_IN_FRAME);
	CHECK_INT(arch_aarch64.caller(head, (const uint8_t *)ret_word, 8, false),
		  ARCH_CALLER_ON_TOP);
}

/* The registers declared to D programs are the architecture's. */
static void registers(void)
{
	unsigned int n = arch_native->nuregs;

	for (const char *const *p = arch_native->thread_regs; *p; p++)
		n++;
	CHECK_INT(strtoul(strchr(arch_regs, '[') + 1, NULL, 10), n);
	CHECK_INT(strtoul(strchr(arch_uregs, '[') + 1, NULL, 10), n);
}

/* "mem reg 40 index 80 scale 3 disp -8" */
static const char *operand_of(const struct arch *arch, const char *text)
{
	static const char *const kinds[] = {"other", "const", "reg", "mem", "near"};
	static char res[128];
	struct operand o;

	if (!arch->operand(text, strlen(text), &o))
		return "none";
	snprintf(res, sizeof(res), "%s %d %d %u %u %lld %.*s%s", kinds[o.kind], (int16_t)o.reg,
		 (int16_t)o.index, o.scale, o.shift, (long long)o.disp, (int)o.nsymbol,
		 o.symbol ? o.symbol : "", o.in_thread ? " thread" : "");
	return res;
}

static void x86_64_operands(void)
{
	const struct arch *x = &arch_x86_64;

	CHECK_STR(operand_of(x, "$-5"), "const -1 -1 0 0 -5 ");
	CHECK_STR(operand_of(x, "$0xffffffffffffffff"), "const -1 -1 0 0 -1 ");
	CHECK_STR(operand_of(x, "%rax"), "reg 80 -1 0 0 0 ");
	CHECK_STR(operand_of(x, "%r14d"), "reg 8 -1 0 0 0 ");
	CHECK_STR(operand_of(x, "%dil"), "reg 112 -1 0 0 0 ");
	CHECK_STR(operand_of(x, "%ch"), "reg 88 -1 0 8 0 ");
	CHECK_STR(operand_of(x, "-132(%rbp)"), "mem 32 -1 0 0 -132 ");
	CHECK_STR(operand_of(x, "(%r12)"), "mem 24 -1 0 0 0 ");
	CHECK_STR(operand_of(x, "16(%rax,%rcx,8)"), "mem 80 88 3 0 16 ");
	CHECK_STR(operand_of(x, "(%rax,%rcx)"), "mem 80 88 0 0 0 ");
	CHECK_STR(operand_of(x, "64(,%rcx,4)"), "mem -1 88 2 0 64 ");
	CHECK_STR(operand_of(x, "mp_+24(%rip)"), "near 128 -1 0 0 24 mp_");
	CHECK_STR(operand_of(x, "24+mp_(%rip)"), "near 128 -1 0 0 24 mp_");
	CHECK_STR(operand_of(x, "count(%rip)"), "near 128 -1 0 0 0 count");
	CHECK_STR(operand_of(x, "%fs:v@tpoff"), "mem -1 -1 0 0 0 v thread");
	CHECK_STR(operand_of(x, "%fs:v@tpoff+4"), "mem -1 -1 0 0 4 v thread");
	CHECK_STR(operand_of(x, "%fs:8+v@tpoff(,%rcx,8)"), "mem -1 88 3 0 8 v thread");
	CHECK_STR(operand_of(x, "%fs:-8"), "mem -1 -1 0 0 -8  thread");
	CHECK_STR(operand_of(x, "%fs:(%rax)"), "mem 80 -1 0 0 0  thread");
	CHECK_STR(operand_of(x, "%fs:16(%rax)"), "mem 80 -1 0 0 16  thread");
	for (const char *const *p =
		 (const char *const[]){"", "%", "%xmm0", "%rrr", "$", "$x", "5", "()x",
				       "8(%rax,%rcx,3)", "8(%zz)", "%fs:", "%fs:v", "%fs:@tpoff",
				       "%fs:%eax", "%gs:(%rax)", "(%ah)", "x+y(%rip)", "x(%rax)",
				       NULL};
	     *p; p++)
		CHECK_STR(operand_of(x, *p), "none");
}

static void aarch64_operands(void)
{
	const struct arch *a = &arch_aarch64;

	CHECK_STR(operand_of(a, "5"), "const -1 -1 0 0 5 ");
	CHECK_STR(operand_of(a, "#-5"), "const -1 -1 0 0 -5 ");
	CHECK_STR(operand_of(a, "x0"), "reg 0 -1 0 0 0 ");
	CHECK_STR(operand_of(a, "w19"), "reg 152 -1 0 0 0 ");
	CHECK_STR(operand_of(a, "[sp, 12]"), "mem 248 -1 0 0 12 ");
	CHECK_STR(operand_of(a, "[x29,-8]"), "mem 232 -1 0 0 -8 ");
	CHECK_STR(operand_of(a, "[x3]"), "mem 24 -1 0 0 0 ");
	CHECK_STR(operand_of(a, "[x3, x4]"), "mem 24 32 0 0 0 ");
	for (const char *const *p = (const char *const[]){"", "x31", "v0", "[]", "[x]",
							  "[x3, w4, sxtw]", "[x3, x4", "x", NULL};
	     *p; p++)
		CHECK_STR(operand_of(a, *p), "none");
}

int main(void)
{
	char libc[512];

	x86_64_ones();
	narrow_ones();
	bad_ones();
	aarch64_ones();
	callers();
	registers();
	x86_64_operands();
	aarch64_operands();
	/* Elsewhere all instructions have the same length. */
	if (arch_native != &arch_x86_64)
		return TEST_DONE();
	libc_path(libc, sizeof(libc));
	agrees_with_objdump(libc);
	agrees_with_objdump("/bin/bash");
	return TEST_DONE();
}
