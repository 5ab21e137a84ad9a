/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runtime_test.c: lines of instructions of Python, from tables that are written here, and readers
 * of all runtimes on memory with nonsense.
 */
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "proc/runtime.h"
#include "test.h"

static void lines(void)
{
	/* Line 10 + 3 has one instruction, 10 - 67 two, the same eight, none four, 12 one. */
	uint8_t table[] = {0x80 | 14 << 3 | 0,
			   6,
			   0,
			   0,
			   0,
			   0x80 | 13 << 3 | 1,
			   32 + 64 + 13,
			   4,
			   0x80 | 0 << 3 | 7,
			   0,
			   0x80 | 15 << 3 | 3,
			   0x80 | 13 << 3,
			   64 + 10,
			   2};
	struct runtime_code c = {.line = 10, .lines = table, .nlines = sizeof(table)};

	CHECK_INT(runtime_python.line(&c, 0), 10);
	CHECK_INT(runtime_python.line(&c, 1), 13);
	CHECK_INT(runtime_python.line(&c, 2), 13 - 150);
	CHECK_INT(runtime_python.line(&c, 3), 13 - 150);
	CHECK_INT(runtime_python.line(&c, 4), 13 - 150);
	CHECK_INT(runtime_python.line(&c, 11), 13 - 150);
	CHECK_INT(runtime_python.line(&c, 16), 13 - 150 + 69);
	CHECK_INT(runtime_python.line(&c, 17), 10);
	/* Cut off at each place. */
	for (c.nlines = 0; c.nlines < sizeof(table); c.nlines++)
		CHECK(runtime_python.line(&c, 16) <= 13);
	memset(table, 0xff, sizeof(table));
	CHECK_INT(runtime_python.line(&c, 1000), 10);
}

/* The memory of a process can be nonsense. */
static void nonsense(const struct runtime *r, const struct runtime_layout *l)
{
	uint64_t words[64];

	memset(words, 0xff, sizeof(words));
	CHECK(!r->read((uint32_t)getpid(), l, (uint64_t)(uintptr_t)words));
	CHECK(!r->read((uint32_t)getpid(), l, 0));
	for (unsigned int i = 0; i < 64; i++)
		words[i] = (uint64_t)(uintptr_t)words;
	CHECK(!r->read((uint32_t)getpid(), l, (uint64_t)(uintptr_t)words));
}

static const struct runtime_layout php_8_2 = {.frames.php = {.code = 88, .file = 152}};

static struct runtime_code *read_php(const uint64_t *words)
{
	return runtime_php.read((uint32_t)getpid(), &php_8_2, (uint64_t)(uintptr_t)words);
}

/* A function of PHP whose name and file are strings in this process. */
static void php(void)
{
	uint64_t words[32] = {0};
	struct {
		uint64_t head[2], length;
		char bytes[64];
	} name = {.length = 5, .bytes = "alpha"}, file = {.length = 1ULL << 40, .bytes = "a\nb"};
	struct runtime_code *c;

	words[0] = 2;
	words[1] = (uint64_t)(uintptr_t)&name;
	words[19] = (uint64_t)(uintptr_t)&name;
	c = read_php(words);
	CHECK_STR(c ? c->func : NULL, "alpha");
	CHECK_STR(c ? c->file : NULL, "alpha");
	CHECK_INT(runtime_php.line(c, 7), 7);
	runtime_code_free(c);
	words[1] = 0;
	c = read_php(words);
	CHECK_STR(c ? c->func : NULL, "{main}");
	runtime_code_free(c);
	/* A length that is wrong reads a bounded number of bytes, or none. */
	words[19] = (uint64_t)(uintptr_t)&file;
	c = read_php(words);
	CHECK(!c || strlen(c->file) <= 1024);
	runtime_code_free(c);
	words[0] = 3;
	CHECK(!read_php(words));
}

int main(void)
{
	const struct runtime_layout python = {.python = {.line = 72, .ascii = 48, .other = 72}};

	lines();
	nonsense(&runtime_python, &python);
	nonsense(&runtime_php, &php_8_2);
	php();
	return TEST_DONE();
}
