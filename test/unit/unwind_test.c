/* SPDX-License-Identifier: BSD-2-Clause */
/* unwind_test.c: rows of unwind tables agree with readelf(1) at each place. */
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "proc/debug.h"
#include "proc/unwind.h"
#include "elf_file.h"
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

/* Reads a cell for %rbp: "u" unchanged, "c-16", "exp" and others; an empty cell is unchanged. */
static uint32_t slot(const char *text)
{
	int off;

	if (!*text || strcmp(text, "u") == 0 || strcmp(text, "s") == 0)
		return 0;
	return sscanf(text, "c-%d", &off) == 1 ? (uint32_t)off / 8 : ABI_SLOT_LOST;
}

/* Returns the expected row for a line of readelf's table; cfa "exp" is left to the caller. */
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

/* Splits a line, which is modified, into words; missing words are empty. */
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
	unsigned int fp, ra; /* indexes of words in a line; NONE: an empty word */
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
	/* The entry at 0 is common to all functions. */
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

/* Compares the rows of a file with what readelf(1) shows of it, or of its debug file. */
static void compare_with(const char *path, const char *shown, struct debug_dir *dir,
			 struct result *res)
{
	char command[512], line[512];
	struct columns c = {WORDS_MAX - 1, WORDS_MAX - 1};
	struct unwind uw;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	FILE *f;

	*res = (struct result){0};
	unwind_read(&uw, &arch_x86_64, fd, &(struct unwind_source){path, dir});
	snprintf(command, sizeof(command), "readelf --debug-dump=frames-interp '%s' 2>&1", shown);
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

static void compare(const char *path, struct result *res)
{
	struct debug_dir dir = {.path = "/nowhere"};

	compare_with(path, path, &dir, res);
}

static int find_libc(struct dl_phdr_info *info, size_t size, void *ctx)
{
	if (strstr(info->dlpi_name, "libc.so"))
		*(const char **)ctx = info->dlpi_name;
	return 0;
}

/* Reads the table of a file with n FDEs that share a CIE with NOPS instructions that do nothing. */
static void read_after_nops(struct unwind *uw, uint32_t nops, unsigned int n)
{
	static const uint8_t begin[] = {0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b};
	static const uint8_t nothing[16384];
	uint32_t size = sizeof(begin) + nops;
	struct elf_part part = {".eh_frame", SHT_PROGBITS, NULL, 0};
	struct debug_dir dir = {.path = "/nowhere"};
	struct buf b = {0};
	int fd;

	buf_add(&b, &size, sizeof(size));
	buf_add(&b, begin, sizeof(begin));
	buf_add(&b, nothing, nops);
	for (unsigned int i = 0; i < n; i++) {
		/* Distance back to the CIE, distance to the function from here, size of the
		 * function. */
		uint32_t fde[5] = {16, (uint32_t)b.n + 4, 4096, 16, 0};

		buf_add(&b, fde, sizeof(fde));
	}
	part.bytes = b.s;
	part.n = b.n;
	fd = elf_file(&part, 1);
	unwind_read(uw, arch_native, fd, &(struct unwind_source){"", &dir});
	buf_free(&b);
	close(fd);
}

static void limits(void)
{
	struct unwind uw;

	read_after_nops(&uw, 99, 1);
	CHECK(uw.rows.n > 0 && !uw.is_cut);
	unwind_free(&uw);
	read_after_nops(&uw, 9999, 1);
	CHECK_INT(uw.rows.n, 0);
	unwind_free(&uw);
	/* All of them would be 160 million instructions. */
	read_after_nops(&uw, 4000, 40000);
	CHECK(uw.rows.n > 0 && uw.is_cut);
	unwind_free(&uw);
}

static bool run(const char *dir, const char *command, const char *options)
{
	char line[1024];

	snprintf(line, sizeof(line), "cd %s && %s %s 2>&1", dir, command, options);
	return system(line) == 0;
}

/* Tables of functions in .debug_frame, while .eh_frame has tables for the C library's start files.
 */
static void debug_frames(void)
{
	static const char program[] =
	    "int puts(const char *);\n"
	    "int f(int n) { char a[n * 3 + 1]; for (int i = 0; i < n; i++) a[i] = i;\n"
	    "	puts(a); return f(a[n - 1]) + n; }\n"
	    "int g(int n) { return n > 3 ? f(n) + f(n + 1) * g(n - 1) : puts(\"\"); }\n"
	    "int main(void) { return g(5); }\n";
	static const char *const options[] = {
	    "-gdwarf-2", "-gdwarf-3",	 "-gdwarf-4", "-gdwarf-5",
	    "-gz",	 "-gz=zlib-gnu", "-gdwarf64", "-Wl,--gc-sections -ffunction-sections"};
	char dir[] = "/tmp/unwind-XXXXXX", path[64], debug[64];
	struct debug_dir nowhere = {.path = "/nowhere"};
	struct result res, without;
	FILE *f;

	CHECK(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/program", dir);
	snprintf(debug, sizeof(debug), "%s/program.debug", dir);
	f = fopen(strcat(strcpy(path, dir), "/program.c"), "w");
	CHECK(f && fputs(program, f) >= 0);
	if (f)
		fclose(f);
	snprintf(path, sizeof(path), "%s/program", dir);
	CHECK(run(dir, "gcc -O2 -o program program.c", ""));
	compare(path, &without);
	for (unsigned int i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		CHECK(run(dir, "gcc -O2 -g -fno-asynchronous-unwind-tables -o program program.c",
			  options[i]));
		compare(path, &res);
		CHECK(res.nlines >= without.nlines - 4);
		CHECK_INT(res.nbad, 0);
	}
	CHECK(run(dir, "objcopy --only-keep-debug program program.debug && strip program &&",
		  "objcopy --add-gnu-debuglink=program.debug program"));
	compare_with(path, debug, &nowhere, &res);
	CHECK(res.nlines > 8);
	CHECK_INT(res.nbad, 0);
	CHECK(run(dir, "rm -f program program.c program.debug && rmdir", dir));
}

/* A file without sections has the same rows. */
static void without_sections(const char *self)
{
	struct debug_dir dir = {.path = "/nowhere"};
	const struct unwind_source from = {self, &dir};
	struct unwind whole, stripped;
	int fd = open(self, O_RDONLY | O_CLOEXEC), copy = memfd_create("copy", MFD_CLOEXEC);
	Elf64_Ehdr head;
	struct stat st;

	CHECK(fstat(fd, &st) == 0 && sendfile(copy, fd, NULL, (size_t)st.st_size) == st.st_size);
	CHECK(pread(copy, &head, sizeof(head), 0) == sizeof(head));
	head.e_shoff = head.e_shnum = head.e_shstrndx = 0;
	CHECK(pwrite(copy, &head, sizeof(head), 0) == sizeof(head));
	unwind_read(&whole, arch_native, fd, &from);
	unwind_read(&stripped, arch_native, copy, &from);
	CHECK(whole.rows.n > 100);
	CHECK_INT(stripped.rows.n, whole.rows.n);
	CHECK(memcmp(stripped.rows.a, whole.rows.a, whole.rows.n * sizeof(*whole.rows.a)) == 0);
	unwind_free(&whole);
	unwind_free(&stripped);
	close(copy);
	close(fd);
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
		limits();
		debug_frames();
		without_sections(self);
	}
	return TEST_DONE();
}
