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

/* Adds a record of a function that is made (id 0) or moved (1), with code after the name. */
static void add_record(int fd, uint32_t id, uint64_t addr, uint64_t to_or_size,
		       uint64_t size_or_index, const char *name)
{
	size_t n = strlen(name) + 1;
	struct {
		uint32_t id, size;
		uint64_t time;
		uint32_t pid, tid;
		uint64_t words[4];
	} r = {id, (uint32_t)(sizeof(r) + n + 32),	   0, 1,
	       1,  {addr, addr, to_or_size, size_or_index}};
	static const char code[32];

	CHECK(write(fd, &r, sizeof(r)) == sizeof(r));
	CHECK(write(fd, name, n) == (ssize_t)n);
	CHECK(write(fd, code, sizeof(code)) == sizeof(code));
}

static void dumps(void)
{
	/* Magic, version, size, machine, padding, pid, time, flags. */
	static const uint32_t head[10] = {0x4a695444, 1, 40, 62, 0, 1};
	int fd = memfd_create("dump", 0);
	struct perfmap *pm = perfmap_new_dump(fd);
	char longest[3000];

	CHECK(!perfmap_find(pm, 0x1000, &start));
	CHECK(write(fd, head, sizeof(head)) == sizeof(head));
	add_record(fd, 0, 0x1000, 32, 1, "JS:*f a.js:1");
	/* Lines of the source. */
	add_record(fd, 2, 0x1000, 32, 1, "a.js");
	add_record(fd, 0, 0x2000, 16, 2, "bell\a");
	CHECK_STR(perfmap_find(pm, 0x101f, &start), "JS:*f a.js:1");
	CHECK_INT(start, 0x1000);
	CHECK(!perfmap_find(pm, 0x1020, &start));
	CHECK_STR(perfmap_find(pm, 0x2000, &start), "bell?");
	/* A moved function, and one whose old place is unknown. */
	add_record(fd, 1, 0x2000, 0x3000, 16, "");
	add_record(fd, 1, 0x9000, 0x4000, 16, "");
	CHECK_STR(perfmap_find(pm, 0x300f, &start), "bell?");
	CHECK(!perfmap_find(pm, 0x4000, &start));
	/* A name that is longer than one reading, and the record that follows. */
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	add_record(fd, 0, 0x5000, 16, 3, longest);
	add_record(fd, 0, 0x6000, 16, 4, "last");
	CHECK_STR(perfmap_find(pm, 0x6000, &start), "last");
	CHECK(perfmap_find(pm, 0x5000, &start) && start == 0x5000);
	perfmap_free(pm);
	CHECK(perfmap_is_dump("/x/jit-12.dump"));
	CHECK(!perfmap_is_dump("/x/jit-.dump") && !perfmap_is_dump("/jit-1.dump/x"));
	CHECK(!perfmap_is_dump("/x/jit-1.dump2") && !perfmap_is_dump("jit-1.dump"));
}

int main(void)
{
	dumps();
	growing();
	hostile();
	large();
	return TEST_DONE();
}
