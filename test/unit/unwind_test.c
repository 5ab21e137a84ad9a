/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of unwind tables are what readelf(1) says of each place. */
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"
#include "proc/unwind.h"
#include "test.h"

static uint32_t rule_at(const struct unwind *uw, uint64_t pc)
{
	unsigned int lo = 0, hi = uw->rows.n;

	while (hi - lo > 1) {
		unsigned int mid = (lo + hi) / 2;

		if (uw->rows.a[mid].pc <= pc - uw->base)
			lo = mid;
		else
			hi = mid;
	}
	return uw->rows.n ? uw->rows.a[lo].rule : ABI_RULE_FRAME;
}

/* A cell for %rbp: "u" unchanged, "c-16", "exp" and others; none: unchanged. */
static uint32_t slot(const char *text)
{
	int off;

	if (!*text || strcmp(text, "u") == 0 || strcmp(text, "s") == 0)
		return 0;
	return sscanf(text, "c-%d", &off) == 1 ? (uint32_t)off / 8 : ABI_SLOT_LOST;
}

/* What a line of readelf's table should have become; cfa "exp" is left to the caller. */
static uint32_t expected(const char *cfa, const char *fp, const char *ra)
{
	uint32_t rest = slot(fp) << ABI_RULE_SLOT;
	int off;

	if (strcmp(ra, "u") == 0)
		return ABI_RULE_END;
	if (strcmp(ra, "c-8") != 0)
		return ABI_RULE_LOST;
	if (sscanf(cfa, "rsp+%d", &off) == 1)
		return ABI_RULE_SP | rest | (uint32_t)off / 8 << ABI_RULE_OFF;
	if (sscanf(cfa, "rbp+%d", &off) == 1)
		return ABI_RULE_FP | rest | (uint32_t)off / 8 << ABI_RULE_OFF;
	return ABI_RULE_LOST;
}

#define WORDS_MAX 24

/* The words of a line, which is changed; those that are not there are empty. */
static void split(char *line, const char *words[WORDS_MAX])
{
	unsigned int n = 0;

	/* A register is shown twice, "r3 (rbx)". */
	for (char *w = strtok(line, " \n"); w && n < WORDS_MAX; w = strtok(NULL, " \n"))
		if (*w != '(')
			words[n++] = w;
	while (n < WORDS_MAX)
		words[n++] = "";
}

struct columns {
	unsigned int fp, ra; /* numbers of words in a line; none: an empty one */
};

static void read_head(char *line, struct columns *c)
{
	const char *words[WORDS_MAX];

	split(line, words);
	*c = (struct columns){WORDS_MAX - 1, WORDS_MAX - 1};
	for (unsigned int i = 0; i < WORDS_MAX; i++) {
		if (strcmp(words[i], "rbp") == 0)
			c->fp = i;
		if (strcmp(words[i], "ra") == 0)
			c->ra = i;
	}
}

struct result {
	unsigned int nlines, nexp, nbad;
};

static void check_line(const struct unwind *uw, char *line, const struct columns *c,
		       struct result *res)
{
	const char *words[WORDS_MAX];
	unsigned long long pc;
	uint32_t rule;

	split(line, words);
	/* At 0 is what functions have in common. */
	if (strlen(words[0]) != 16 || sscanf(words[0], "%llx", &pc) != 1 || !pc)
		return;
	res->nlines++;
	rule = rule_at(uw, pc);
	if (strcmp(words[1], "exp") == 0) {
		res->nexp += (rule & ABI_RULE_MASK) == ABI_RULE_SAVED ||
			     (rule & ABI_RULE_MASK) == ABI_RULE_PLT ||
			     (rule & ABI_RULE_MASK) == ABI_RULE_SIGNAL;
		return;
	}
	if (rule == expected(words[1], words[c->fp], words[c->ra]))
		return;
	if (!res->nbad++)
		printf("%s %s %s %s has rule %#x\n", words[0], words[1], words[c->fp], words[c->ra],
		       rule);
}

static void compare(const char *path, struct result *res)
{
	char command[512], line[512];
	struct columns c = {WORDS_MAX - 1, WORDS_MAX - 1};
	struct unwind uw;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	FILE *f;

	*res = (struct result){0};
	unwind_read(&uw, &arch_x86_64, fd);
	snprintf(command, sizeof(command), "readelf --debug-dump=frames-interp '%s' 2>&1", path);
	f = popen(command, "r");
	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, "   LOC", 6) == 0)
			read_head(line, &c);
		else
			check_line(&uw, line, &c, res);
	}
	if (f)
		pclose(f);
	for (unsigned int i = 1; i < uw.rows.n; i++)
		if (uw.rows.a[i].pc <= uw.rows.a[i - 1].pc)
			res->nbad++;
	unwind_free(&uw);
	close(fd);
}

static int find_libc(struct dl_phdr_info *info, size_t size, void *ctx)
{
	if (strstr(info->dlpi_name, "libc.so"))
		*(const char **)ctx = info->dlpi_name;
	return 0;
}

/* The rows of a file whose only FDE has a CIE with so many instructions that do nothing. */
static unsigned int rows_after_nops(uint32_t nops)
{
	static const uint8_t begin[] = {0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b};
	static const char names[] = "\0.eh_frame";
	static struct {
		Elf64_Ehdr head;
		Elf64_Shdr sections[3];
		char names[16];
		uint8_t frame[16384];
	} f;
	uint32_t size = sizeof(begin) + nops, fde[5] = {16, size + 8, 4096, 16, 0};
	int fd = memfd_create("frames", MFD_CLOEXEC);
	struct unwind uw;
	unsigned int n;

	memset(&f, 0, sizeof(f));
	memcpy(f.head.e_ident, ELFMAG "\2\1\1", 7);
	f.head.e_type = ET_DYN;
	f.head.e_machine = arch_native->machine;
	f.head.e_shoff = sizeof(f.head);
	f.head.e_ehsize = sizeof(f.head);
	f.head.e_shentsize = sizeof(Elf64_Shdr);
	f.head.e_shnum = 3;
	f.head.e_shstrndx = 1;
	f.sections[1] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
				     .sh_offset = (uintptr_t)f.names - (uintptr_t)&f,
				     .sh_size = sizeof(names)};
	f.sections[2] = (Elf64_Shdr){.sh_name = 1,
				     .sh_type = SHT_PROGBITS,
				     .sh_offset = (uintptr_t)f.frame - (uintptr_t)&f,
				     .sh_size = size + 24};
	memcpy(f.names, names, sizeof(names));
	memcpy(f.frame, &size, 4);
	memcpy(f.frame + 4, begin, sizeof(begin));
	memcpy(f.frame + 4 + size, fde, sizeof(fde));
	CHECK(write(fd, &f, sizeof(f)) == sizeof(f));
	unwind_read(&uw, arch_native, fd);
	n = uw.rows.n;
	unwind_free(&uw);
	close(fd);
	return n;
}

int main(void)
{
	char self[PATH_MAX] = "";
	const char *libc = NULL;
	struct result res;

	dl_iterate_phdr(find_libc, &libc);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 1;
	if (strcmp(arch_native->name, "x86_64") == 0 && libc) {
		compare(self, &res);
		CHECK(res.nlines > 100);
		CHECK_INT(res.nbad, 0);
		compare(libc, &res);
		CHECK(res.nlines > 10000);
		CHECK(res.nexp > 0);
		CHECK_INT(res.nbad, 0);
	}
	if (strcmp(arch_native->name, "x86_64") == 0) {
		CHECK(rows_after_nops(99) > 0);
		CHECK_INT(rows_after_nops(9999), 0);
	}
	return TEST_DONE();
}
