/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * out_test.c: what a terminal would obey is made visible there, and nowhere else.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "base/arena.h"
#include "out/fmt.h"
#include "out/value.h"
#include "outmem.h"
#include "test.h"

/* Both ends of a terminal that passes on what is written as it is. */
static FILE *open_terminal(int *other)
{
	struct termios raw;
	FILE *f;

	*other = posix_openpt(O_RDWR | O_NOCTTY);
	grantpt(*other);
	unlockpt(*other);
	f = fopen(ptsname(*other), "w");
	tcgetattr(fileno(f), &raw);
	cfmakeraw(&raw);
	tcsetattr(fileno(f), TCSANOW, &raw);
	return f;
}

static const char *shown(struct out *o, int terminal)
{
	static char text[256];
	ssize_t n;

	out_flush(o);
	n = read(terminal, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

#define TEXT(s) s, sizeof(s) - 1

static void test_text(struct out *o, int terminal)
{
	out_text(o, TEXT("a\033[2Jb\r\n\tc\x7f"));
	CHECK_STR(shown(o, terminal), "a\\033[2Jb\\r\n\tc\\177");
	/* Letters, and the control characters from U+0080 on, in UTF-8 and as bytes. */
	out_text(o, TEXT("gr\xc3\xbc\xe2\x82\xac \xf0\x9f\x98\x80 \xc3\x9b"));
	CHECK_STR(shown(o, terminal), "gr\xc3\xbc\xe2\x82\xac \xf0\x9f\x98\x80 \xc3\x9b");
	out_text(o, TEXT("\xc2\x9b"
			 "1m\x9b"
			 "2m\xe9"));
	CHECK_STR(shown(o, terminal), "\\302\\2331m\\2332m\xe9");
	out_field(o, TEXT("\a"), 4, false);
	out_field(o, TEXT("ab"), 4, true);
	CHECK_STR(shown(o, terminal), "  \\aab  ");
}

/* The format is the program's, an argument is not. */
static void test_format(struct out *o, int terminal)
{
	struct arena *arena = arena_new();
	struct value v = {.kind = VALUE_STR, .data = "\033[H", .len = 4};
	const char *err;

	fmt_print(o, fmt_parse(arena, "\033[H<%s>", &err), &v, 1);
	CHECK_STR(shown(o, terminal), "\033[H<\\033[H>");
	arena_free(arena);
}

int main(void)
{
	int terminal;
	FILE *f = open_terminal(&terminal);
	struct out o;

	out_init(&o, f);
	test_text(&o, terminal);
	test_format(&o, terminal);
	out_redirect(&o, stderr);
	out_redirect(&o, f);
	test_text(&o, terminal);
	out_free(&o);
	fclose(f);
	close(terminal);
	outmem_start();
	out_text(&outmem.o, TEXT("a\033[2Jb\r"));
	CHECK_STR(outmem_text(), "a\033[2Jb\r");
	outmem_end();
	return TEST_DONE();
}
