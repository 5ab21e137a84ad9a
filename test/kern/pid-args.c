/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid-args.c: a program whose functions have parameters of its own types.
 *
 *	pid-args N	calls each N times, with values computed from the number of the call
 */
#include <stdio.h>
#include <stdlib.h>

#define FUNCTION __attribute__((noipa))

struct part {
	char name[16];
	unsigned int low : 3, high : 5;
	double weight;
};

enum colour { RED, GREEN = 5 };

typedef struct node {
	int value;
	struct node *next;
	const char *text;
	struct part part;
	enum colour colour;
	union {
		short half[4];
		long whole;
	};
} node_t;

struct pair {
	long a, b;
};

struct opaque;

static volatile long sink;

/* Parameters of all sizes; the last ones are on the stack. */
FUNCTION long sizes(signed char a, unsigned short b, int c, float d, unsigned long e, _Bool f,
		    short g, int h, short i)
{
	sink += a + b + c + (long)d + (long)e + f + g + h + i;
	return -7;
}

FUNCTION const node_t *follow(const node_t *n, int steps)
{
	while (steps-- > 0)
		n = n->next;
	return n;
}

/* The large structure is in memory, and so is the result: its address is the first word. */
FUNCTION node_t build(int value, node_t from, struct opaque *what)
{
	from.value = value;
	sink += what != NULL;
	return from;
}

/* Two registers; the locations of later parameters are unknown. */
FUNCTION int split(int before, struct pair p, int after)
{
	return before + (int)p.a + (int)p.b + after;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;
	node_t second = {.value = 2,
			 .text = "the second",
			 .part = {"inner second", 1, 17, 2.5},
			 .colour = GREEN};
	node_t first = {
	    .value = 1, .next = &second, .text = "the first", .part = {"inner first", 6, 30, -0.5}};

	second.whole = 0x0004000300020001;
	for (long i = 0; i < n; i++) {
		sizes((signed char)-i, (unsigned short)(65000 + i), -3, 1.5f, 1UL << 63, 1, -300,
		      (int)i, (short)-i);
		sink += follow(&first, 1)->value;
		sink += build((int)i, second, NULL).value;
		sink += split((int)i, (struct pair){1, 2}, 3);
	}
	return 0;
}
