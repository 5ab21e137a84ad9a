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

/* Reads the function at an address of this process. */
static struct runtime_code *read_at(const struct runtime *r, const struct runtime_layout *l,
				    uint64_t object)
{
	const struct abi_lang_new new = {.object = object};

	return r->read((uint32_t)getpid(), l, &new);
}

/* The memory of a process can be nonsense. */
static void nonsense(const struct runtime *r, const struct runtime_layout *l)
{
	uint64_t words[64];

	memset(words, 0xff, sizeof(words));
	CHECK(!read_at(r, l, (uint64_t)(uintptr_t)words));
	CHECK(!read_at(r, l, 0));
	for (unsigned int i = 0; i < 64; i++)
		words[i] = (uint64_t)(uintptr_t)words;
	CHECK(!read_at(r, l, (uint64_t)(uintptr_t)words));
}

static const struct runtime_layout php_8_2 = {.frames.php = {.code = 88, .file = 152}};

static struct runtime_code *read_php(const uint64_t *words)
{
	return read_at(&runtime_php, &php_8_2, (uint64_t)(uintptr_t)words);
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

static const struct runtime_layout ruby_3_3 = {.frames.ruby = {.module = 1, .frame = 56},
					       .ruby = {.places = 112, .text = 24}};

/* A String of Ruby in this process. */
struct ruby_text {
	uint64_t flags, class, length;
	char bytes[32];
};

/* A function whose lines are 5 from word 0 on, 7 from word 60 on, and 9 from word 700 on. */
static void ruby(void)
{
	struct ruby_text path = {.flags = 5, .length = 4, .bytes = "a.rb"},
			 label = {.flags = 5, .length = 10, .bytes = "block in f"};
	uint64_t array[6] = {7 | 1 << 13 | 2 << 15, 0, (uint64_t)(uintptr_t)&path};
	int32_t places[9] = {5, 0, 0, 7, 0, 0, 9, 0, 0};
	uint64_t succ[6 + 20] = {0};
	uint64_t words[32] = {800ULL << 32};
	struct runtime_code *c;

	for (unsigned int i = 0; i < 54; i++)
		succ[i / 9] |= 1ULL << (i % 9 * 7);
	/* Blocks: rank, small ranks, bits.  Word 60 is bit 6 of the first block, 700 bit 134 of the
	 * second. */
	succ[6] = 1;
	for (unsigned int i = 0; i < 7; i++)
		succ[7] |= 1ULL << (9 * i);
	succ[8] = 1 << 6;
	succ[16] = 2;
	succ[17] = 1ULL << 18 | 1ULL << 27 | 1ULL << 36 | 1ULL << 45 | 1ULL << 54;
	succ[18 + 2] = 1 << 6;
	words[8] = (uint64_t)(uintptr_t)array;
	words[10] = (uint64_t)(uintptr_t)&label;
	words[11] = 4;
	words[14] = (uint64_t)(uintptr_t)places;
	words[16] = 3;
	words[17] = (uint64_t)(uintptr_t)succ;
	c = read_at(&runtime_ruby, &ruby_3_3, (uint64_t)(uintptr_t)words);
	CHECK_STR(c ? c->func : NULL, "block in f");
	CHECK_STR(c ? c->file : NULL, "a.rb");
	if (!c)
		return;
	CHECK_INT(runtime_ruby.line(c, 0), 4);
	CHECK_INT(runtime_ruby.line(c, 1), 5);
	CHECK_INT(runtime_ruby.line(c, 61), 5);
	CHECK_INT(runtime_ruby.line(c, 62), 7);
	CHECK_INT(runtime_ruby.line(c, 701), 7);
	CHECK_INT(runtime_ruby.line(c, 702), 9);
	CHECK_INT(runtime_ruby.line(c, 801), 9);
	CHECK_INT(runtime_ruby.line(c, 5000), 4);
	runtime_code_free(c);
	/* A table that claims more than there is. */
	words[16] = 1ULL << 31;
	c = read_at(&runtime_ruby, &ruby_3_3, (uint64_t)(uintptr_t)words);
	CHECK_INT(c ? runtime_ruby.line(c, 62) : 0, 4);
	runtime_code_free(c);
	label.length = 1ULL << 40;
	c = read_at(&runtime_ruby, &ruby_3_3, (uint64_t)(uintptr_t)words);
	CHECK(!c || strlen(c->func) <= 1024);
	runtime_code_free(c);
	array[0] = 6;
	CHECK(!read_at(&runtime_ruby, &ruby_3_3, (uint64_t)(uintptr_t)words));
}

int main(void)
{
	const struct runtime_layout python = {.python = {.line = 72, .ascii = 48, .other = 72}};

	lines();
	nonsense(&runtime_python, &python);
	nonsense(&runtime_php, &php_8_2);
	php();
	nonsense(&runtime_ruby, &ruby_3_3);
	CHECK(!read_at(&runtime_ruby, &ruby_3_3, 4097));
	ruby();
	return TEST_DONE();
}
