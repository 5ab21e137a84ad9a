/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfmap_test.c: a file of names that grows, and a malformed one.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proc/perfmap.h"
#include "test.h"

static uint64_t start;

static void add(int fd, const char *text)
{
	CHECK_INT(write(fd, text, strlen(text)), (long long)strlen(text));
}

static void growing(void)
{
	int fd = memfd_create("map", 0);
	struct perfmap *pm = perfmap_new(fd);

	CHECK(!perfmap_find(pm, 0x1000, &start));
	add(fd, "1000 20 LazyCompile:~f a.js:1\n1020 10 g");
	CHECK_STR(perfmap_find(pm, 0x1000, &start), "LazyCompile:~f a.js:1");
	CHECK_STR(perfmap_find(pm, 0x101f, &start), "LazyCompile:~f a.js:1");
	CHECK_INT(start, 0x1000);
	/* Its line is not complete yet. */
	CHECK(!perfmap_find(pm, 0x1020, &start));
	add(fd, "ood\n800 10 before\n");
	CHECK_STR(perfmap_find(pm, 0x1020, &start), "good");
	CHECK(!perfmap_find(pm, 0x1030, &start));
	CHECK_STR(perfmap_find(pm, 0x800, &start), "before");
	/* A later entry replaces earlier ones at the same addresses. */
	add(fd, "1010 100 over\n1200 1 other\n");
	CHECK_STR(perfmap_find(pm, 0x1200, &start), "other");
	CHECK_STR(perfmap_find(pm, 0x1015, &start), "over");
	CHECK_STR(perfmap_find(pm, 0x100f, &start), "LazyCompile:~f a.js:1");
	CHECK_STR(perfmap_find(pm, 0x1050, &start), "over");
	perfmap_free(pm);
}

static void hostile(void)
{
	static char line[70000];
	int fd = memfd_create("map", 0);
	struct perfmap *pm = perfmap_new(fd);

	add(fd, "\n \nxyz\n10\n10 \n10 5\n10 5 \n10  5 twice\nffx\n");
	add(fd, "20 0 empty\n30 8 bell\a\x1b[2J\n-40 8 negative\n");
	CHECK(!perfmap_find(pm, 0x20, &start));
	CHECK_STR(perfmap_find(pm, 0x37, &start), "bell??[2J");
	CHECK_STR(perfmap_find(pm, 0x10, &start), "twice");
	/* A line longer than one read, and the text that follows it. */
	memset(line, '1', sizeof(line) - 1);
	add(fd, line);
	add(fd, "\n5000 8 behind\n");
	CHECK_STR(perfmap_find(pm, 0x5007, &start), "behind");
	/* Up to the end of the address space. */
	add(fd, "fffffffffffffff0 ffffffffffffffff last\n");
	CHECK_STR(perfmap_find(pm, UINT64_MAX, &start), "last");
	perfmap_free(pm);
}

/* More functions than are read for one process. */
static void large(void)
{
	int fd = memfd_create("map", 0);
	struct perfmap *pm = perfmap_new(fd);
	static char lines[6000];

	for (unsigned int i = 0; i < sizeof(lines); i += 6)
		memcpy(lines + i, "1 1 f\n", 6);
	for (unsigned int i = 0; i < 1000; i++)
		CHECK(write(fd, lines, sizeof(lines)) == sizeof(lines));
	CHECK_STR(perfmap_find(pm, 1, &start), "f");
	CHECK(!perfmap_is_cut(pm));
	perfmap_free(pm);
	fd = memfd_create("map", 0);
	pm = perfmap_new(fd);
	for (unsigned int i = 0; i < 1001; i++)
		CHECK(write(fd, lines, sizeof(lines)) == sizeof(lines));
	add(fd, "2 1 g\n");
	CHECK(!perfmap_find(pm, 2, &start));
	CHECK(perfmap_is_cut(pm));
	perfmap_free(pm);
}

int main(void)
{
	growing();
	hostile();
	large();
	return TEST_DONE();
}
