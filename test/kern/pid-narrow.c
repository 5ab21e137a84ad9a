/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid-narrow.c: a 32-bit program without a library, which calls its functions 20 times.
 */
#define FUNCTION __attribute__((noipa))

static volatile int sink;

FUNCTION int leaf(int x)
{
	sink++;
	return x + 1;
}

FUNCTION int tail(int x)
{
	sink++;
	return leaf(x * 2);
}

FUNCTION int several(int x)
{
	if (x == 0)
		return -10;
	if (x == 1) {
		sink++;
		return 20;
	}
	sink -= 2;
	return 30;
}

FUNCTION int chosen(int x)
{
	switch (x) {
	case 0:
		sink += 3;
		return 1;
	case 1:
		sink -= 5;
		return leaf(4);
	case 2:
		sink = 4;
		return 7;
	case 3:
		sink *= 5;
		return 11;
	case 4:
		sink ^= 5;
		return 13;
	}
	return -1;
}

FUNCTION unsigned three(unsigned a, int b, const char *text)
{
	sink += (int)a + b + *text;
	return a + 1;
}

__attribute__((used)) void _start(void)
{
	for (int i = 0; i < 20; i++) {
		leaf(1);
		tail(2);
		several(i % 3);
		chosen(i % 5);
		three(0xfffffff0u, -i, "a text");
	}
	__asm__ volatile("int $0x80" : : "a"(1), "b"(0));
}
