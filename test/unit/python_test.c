/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * python_test.c: lines of instructions, from tables that are written here; names in this process,
 * at the places where a code object has them.
 */
#include <string.h>
#include <unistd.h>

#include "proc/python.h"
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
	struct python_code c = {.line = 10, .lines = table, .nlines = sizeof(table)};

	CHECK_INT(python_line(&c, 0), 10);
	CHECK_INT(python_line(&c, 1), 13);
	CHECK_INT(python_line(&c, 2), 13 - 150);
	CHECK_INT(python_line(&c, 3), 13 - 150);
	CHECK_INT(python_line(&c, 4), 13 - 150);
	CHECK_INT(python_line(&c, 11), 13 - 150);
	CHECK_INT(python_line(&c, 16), 13 - 150 + 69);
	CHECK_INT(python_line(&c, 17), 10);
	/* Cut off at each place. */
	for (c.nlines = 0; c.nlines < sizeof(table); c.nlines++)
		CHECK(python_line(&c, 16) <= 13);
	memset(table, 0xff, sizeof(table));
	CHECK_INT(python_line(&c, 1000), 10);
}

/* The memory of a process can be nonsense. */
static void nonsense(void)
{
	const struct python_layout l = {.line = 72, .ascii = 48, .other = 72};
	uint64_t words[64];

	memset(words, 0xff, sizeof(words));
	CHECK(!python_read((uint32_t)getpid(), &l, (uint64_t)(uintptr_t)words));
	CHECK(!python_read((uint32_t)getpid(), &l, 0));
	for (unsigned int i = 0; i < 64; i++)
		words[i] = (uint64_t)(uintptr_t)words;
	CHECK(!python_read((uint32_t)getpid(), &l, (uint64_t)(uintptr_t)words));
}

int main(void)
{
	lines();
	nonsense();
	return TEST_DONE();
}
