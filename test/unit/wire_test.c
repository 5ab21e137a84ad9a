/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire_test.c: frames between the ends of a socket, and calls in them.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "remote/wire.h"
#include "test.h"

struct pair {
	struct wire a, b;
};

static void make(struct pair *p)
{
	int ends[2];

	CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
	wire_init(&p->a, ends[0], ends[0]);
	wire_init(&p->b, ends[1], ends[1]);
}

static void take_away(struct pair *p)
{
	wire_free(&p->a);
	wire_free(&p->b);
}

static void meet(struct pair *p)
{
	wire_meet(&p->a, 77);
	wire_meet(&p->b, 77);
}

/* Frames arrive in order, whatever their length. */
static void frames(void)
{
	static const char text[] = "0123456789abcdef";
	const struct wire_head *h;
	struct pair p;

	make(&p);
	meet(&p);
	for (size_t n = 0; n < sizeof(text); n++)
		wire_send(&p.a, WIRE_CALL, text, n, text, 1);
	CHECK(wire_flush(&p.a) && wire_fill(&p.b));
	for (size_t n = 0; n < sizeof(text); n++) {
		h = wire_next(&p.b);
		CHECK(h && h->len == n + 1);
		CHECK(h && memcmp(h + 1, text, n) == 0 && ((const char *)(h + 1))[n] == '0');
	}
	CHECK(!wire_next(&p.b) && !p.b.is_over);
	take_away(&p);
}

/* A frame counts only when all of it has arrived. */
static void pieces(void)
{
	const struct wire_head *h = NULL;
	struct pair p;

	make(&p);
	meet(&p);
	wire_send(&p.a, WIRE_CALL, "abc", 3, NULL, 0);
	for (size_t i = 0; i < p.a.sent.n; i++) {
		CHECK(!h);
		CHECK(write(p.a.out, p.a.sent.s + i, 1) == 1);
		CHECK(wire_fill(&p.b));
		h = wire_next(&p.b);
	}
	CHECK(h && h->len == 3);
	take_away(&p);
}

/* Before the ends have met, leftovers of an earlier connection are skipped, half frames
 * included. */
static void noise(void)
{
	struct wire_head half = {WIRE_MAGIC, WIRE_RECORDS, WIRE_VERSION, 5, 4096};
	struct wire_hello hello = {.machine = 62};
	const struct wire_head *h;
	struct pair p;

	make(&p);
	CHECK(write(p.a.out, "xyzzy", 5) == 5);
	CHECK(write(p.a.out, &half, sizeof(half)) == sizeof(half));
	CHECK(write(p.a.out, "left", 4) == 4);
	p.a.session = 9;
	wire_send(&p.a, WIRE_HELLO, &hello, sizeof(hello), NULL, 0);
	CHECK(wire_flush(&p.a) && wire_fill(&p.b));
	h = wire_next(&p.b);
	CHECK(h && h->type == WIRE_HELLO && h->session == 9);
	take_away(&p);
}

/* Frames for others are skipped; bytes that are no frame end the connection. */
static void others(void)
{
	const struct wire_head *h;
	struct pair p;

	make(&p);
	meet(&p);
	p.a.session = 5;
	wire_send(&p.a, WIRE_RESULT, "old", 3, NULL, 0);
	p.a.session = 77;
	wire_send(&p.a, WIRE_RESULT, "new", 3, NULL, 0);
	CHECK(wire_flush(&p.a) && wire_fill(&p.b));
	h = wire_next(&p.b);
	CHECK(h && memcmp(h + 1, "new", 3) == 0);
	CHECK(write(p.a.out, "this is not a frame", 19) == 19);
	CHECK(wire_fill(&p.b));
	CHECK(!wire_next(&p.b) && p.b.is_over);
	take_away(&p);
}

/* Pointers in memory become pointers of the other side, and data written there comes back. */
static void calls(void)
{
	struct {
		uint64_t other, text;
	} attr = {42, 0};
	char text[8] = "abcdefg", *there;
	struct sys_call c = {.op = SYS_BPF, .args = {1, 0, sizeof(attr)}}, got;
	struct buf b = {0}, back = {0};
	void *room;

	sys_arg_both(&c, 1, &attr, sizeof(attr));
	sys_field_in(&c, &attr.text, text, sizeof(text));
	c.mems[1].is_out = true;
	wire_put_call(&b, &c);
	CHECK(wire_get_call(b.s, b.n, &got, &room));
	CHECK(got.op == SYS_BPF && got.args[0] == 1 && got.nmems == 2);
	there = got.mems[1].at;
	CHECK(there != text && strcmp(there, "abcdefg") == 0);
	CHECK(((uint64_t *)(intptr_t)got.args[1])[0] == 42);
	CHECK(((uint64_t *)(intptr_t)got.args[1])[1] == (uintptr_t)there);
	there[0] = 'X';
	((uint64_t *)(intptr_t)got.args[1])[0] = 43;
	wire_put_results(&back, &got, 0);
	CHECK(wire_get_results(back.s, back.n, &c, 0));
	CHECK(strcmp(text, "Xbcdefg") == 0 && attr.other == 43);
	CHECK(attr.text == (uintptr_t)text);
	CHECK(!wire_get_results(back.s, back.n - 1, &c, 0));
	mem_free(room);
	for (size_t n = 0; n < b.n; n++) {
		CHECK(!wire_get_call(b.s, n, &got, &room));
		mem_free(room);
	}
	buf_free(&b);
	buf_free(&back);
}

/* A place can hold the address of one memory: with two, the checks would cover only the first. */
static void twins(void)
{
	uint64_t attr[2] = {0};
	char text[8] = "abcdefg", other[8] = "";
	struct sys_call c = {.op = SYS_BPF, .args = {1, 0, sizeof(attr)}}, got;
	struct buf b = {0};
	void *room;

	sys_arg_both(&c, 1, attr, sizeof(attr));
	sys_field_in(&c, &attr[0], text, sizeof(text));
	sys_field_out(&c, &attr[1], other, sizeof(other));
	wire_put_call(&b, &c);
	CHECK(wire_get_call(b.s, b.n, &got, &room));
	mem_free(room);
	((struct wire_mem *)(b.s + sizeof(struct wire_call)))[2].off = 0;
	CHECK(!wire_get_call(b.s, b.n, &got, &room));
	mem_free(room);
	buf_free(&b);
}

/* The other end has closed: this one is over, and no signal is pending. */
static void nobody_reads(void)
{
	sigset_t pending;
	struct pair p;

	make(&p);
	meet(&p);
	wire_free(&p.b);
	wire_send(&p.a, WIRE_PING, "12345678", 8, NULL, 0);
	CHECK(!wire_flush(&p.a) && p.a.is_over);
	CHECK(sigpending(&pending) == 0 && !sigismember(&pending, SIGPIPE));
	wire_free(&p.a);
}

/* A peer that reads no answers is not read either, until it does. */
static void full(void)
{
	static char bytes[WIRE_MAX];
	struct pair p;

	make(&p);
	meet(&p);
	wire_send(&p.b, WIRE_PING, "12345678", 8, NULL, 0);
	CHECK(wire_flush(&p.b));
	for (int i = 0; i < 3; i++) {
		CHECK(!wire_is_full(&p.a));
		wire_send(&p.a, WIRE_RESULT, bytes, sizeof(bytes), NULL, 0);
		CHECK(wire_flush(&p.a));
	}
	CHECK(wire_is_full(&p.a));
	CHECK(wire_fill(&p.a) && !wire_next(&p.a));
	for (int i = 0; i < 1000 && wire_is_full(&p.a); i++) {
		CHECK(wire_fill(&p.b) && wire_flush(&p.a));
		wire_next(&p.b);
	}
	CHECK(!wire_is_full(&p.a));
	CHECK(wire_fill(&p.a) && wire_next(&p.a));
	take_away(&p);
}

int main(void)
{
	full();
	frames();
	pieces();
	noise();
	others();
	calls();
	twins();
	nobody_reads();
	return TEST_DONE();
}
