/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * insn_test.c: lengths of instructions, against objdump over whole files, and what single
 * instructions do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "proc/insn.h"
#include "test.h"

#if defined(__x86_64__)

/* "  2a3b0:\t48 89 e5             \tmov    %rsp,%rbp": the bytes; 0: no such line. */
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
 * objdump takes a wait (9b) and the instruction after it for one, as assemblers do; to the
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
		if (insn_decode(bytes, len, &in) && in.len == len)
			continue;
		if (wrong++ < 10)
			printf("# %s: %u bytes: %s", path, in.len, line);
	}
	CHECK(f && pclose(f) == 0);
	CHECK(n > 10000);
	CHECK_INT(wrong, 0);
	buf_free(&cmd);
}

/* The C library that this test runs with. */
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
    {"vzeroupper", {0xc5, 0xf8, 0x77}, 3, INSN_OTHER, 3, 0, false},
    {"vmovdqu64, EVEX", {0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x46, 1}, 7, INSN_OTHER, 7, 0, false},
    {"kmovd, not a jump", {0xc5, 0xfb, 0x93, 0xc1}, 4, INSN_OTHER, 4, 0, false},
    {"xabort", {0xc6, 0xf8, 1}, 3, INSN_OTHER, 3, 0, false},
};

static void single_ones(void)
{
	struct insn in;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool ok = insn_decode(rows[i].code, rows[i].len, &in);

		if (!ok || in.len != rows[i].len || in.kind != rows[i].kind)
			printf("# %s: %u bytes, kind %d\n", rows[i].what, in.len, (int)in.kind);
		CHECK(ok);
		CHECK_INT(in.len, rows[i].len);
		CHECK_INT(in.kind, rows[i].kind);
		if (in.kind == INSN_JMP || in.kind == INSN_JCC)
			CHECK_INT(in.target, rows[i].target);
		CHECK_INT(in.reg, rows[i].reg);
		CHECK_INT(in.is_refused, rows[i].is_refused);
		CHECK(!insn_decode(rows[i].code, rows[i].len - 1, &in) || in.len < rows[i].len);
	}
}

/* What is no instruction, and bytes that never end. */
static void bad_ones(void)
{
	static const uint8_t bad[][INSN_MAX] = {{0x06}, {0x0f, 0x04}, {0x62}, {0xd6}, {0xc4}};
	uint8_t all[INSN_MAX + 1];
	struct insn in;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!insn_decode(bad[i], sizeof(bad[i]), &in));
	memset(all, 0x66, sizeof(all));
	CHECK(!insn_decode(all, sizeof(all), &in));
	CHECK(!insn_decode(all, 0, &in));
}

int main(void)
{
	char libc[512];

	single_ones();
	bad_ones();
	libc_path(libc, sizeof(libc));
	agrees_with_objdump(libc);
	agrees_with_objdump("/bin/bash");
	return TEST_DONE();
}

#else

int main(void)
{
	return TEST_DONE();
}

#endif
