/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * out_test.c: control characters become visible on a terminal, and nowhere else.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/arena.h"
#include "print/fmt.h"
#include "print/value.h"
#include "outmem.h"
#include "test.h"

/* Opens both ends of a terminal that changes no output; returns NULL if there is none. */
static FILE *open_terminal(int *other)
{
	struct termios raw;
	const char *name;
	FILE *f;

	*other = posix_openpt(O_RDWR | O_NOCTTY);
	grantpt(*other);
	unlockpt(*other);
	name = ptsname(*other);
	f = name ? fopen(name, "w") : NULL;
	if (!f)
		return NULL;
	tcgetattr(fileno(f), &raw);
	cfmakeraw(&raw);
	tcsetattr(fileno(f), TCSANOW, &raw);
	return f;
}

/* Returns the output at the other end, as long as WANT; that can take several reads. */
static const char *shown(struct out *o, int terminal, const char *want)
{
	static char text[256];
	size_t n = 0;
	ssize_t got;

	out_flush(o);
	do {
		got = read(terminal, text + n, sizeof(text) - 1 - n);
		n += got > 0 ? (size_t)got : 0;
	} while (got > 0 && n < strlen(want));
	text[n] = '\0';
	return text;
}

#define CHECK_SHOWN(o, terminal, want) CHECK_STR(shown(o, terminal, want), want)

#define TEXT(s) s, sizeof(s) - 1

static void test_text(struct out *o, int terminal)
{
	out_text(o, TEXT("a\033[2Jb\r\n\tc\x7f"));
	CHECK_SHOWN(o, terminal, "a\\033[2Jb\\r\n\tc\\177");
	/* Letters, and the control characters from U+0080 on, in UTF-8 and as bytes. */
	out_text(o, TEXT("gr\xc3\xbc\xe2\x82\xac \xf0\x9f\x98\x80 \xc3\x9b"));
	CHECK_SHOWN(o, terminal, "gr\xc3\xbc\xe2\x82\xac \xf0\x9f\x98\x80 \xc3\x9b");
	out_text(o, TEXT("\xc2\x9b"
			 "1m\x9b"
			 "2m\xe9"));
	CHECK_SHOWN(o, terminal, "\\302\\2331m\\2332m\xe9");
	out_field(o, TEXT("\a"), 4, false);
	out_field(o, TEXT("ab"), 4, true);
	CHECK_SHOWN(o, terminal, "  \\aab  ");
}

/* The format belongs to the program, arguments do not. */
static void test_format(struct out *o, int terminal)
{
	struct arena *arena = arena_new();
	struct value v = {.kind = VALUE_STR, .data = "\033[H", .len = 4};
	const char *err;

	fmt_print(o, fmt_parse(arena, "\033[H<%s>", &err), &v, 1);
	CHECK_SHOWN(o, terminal, "\033[H<\\033[H>");
	arena_free(arena);
}

static void test_terminal(void)
{
	int terminal;
	FILE *f = open_terminal(&terminal);
	struct out o;

	if (!f) {
		printf("no terminals here\n");
		return;
	}
	alarm(20); /* too little output would block a read forever */
	out_init(&o, f);
	test_text(&o, terminal);
	test_format(&o, terminal);
	out_redirect(&o, stderr);
	out_redirect(&o, f);
	test_text(&o, terminal);
	out_free(&o);
	fclose(f);
	close(terminal);
}

int main(void)
{
	test_terminal();
	outmem_start();
	out_text(&outmem.o, TEXT("a\033[2Jb\r"));
	CHECK_STR(outmem_text(), "a\033[2Jb\r");
	outmem_end();
	return TEST_DONE();
}
