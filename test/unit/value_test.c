/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * value_test.c: output of trace() and keys for every kind of value, stacks, hex dumps, key order;
 * and the writer itself: back ends and failing writes.
 */
#include <errno.h>
#include <stdint.h>

#include "base/buf.h"
#include "print/value.h"
#include "outmem.h"
#include "test.h"

#define INT(x) \
	((struct value){.kind = VALUE_INT, .size = sizeof(x), .data = &(x), .len = sizeof(x)})
#define STR(s, n)     ((struct value){.kind = VALUE_STR, .data = (s), .len = (n)})
#define BYTES(s, n)   ((struct value){.kind = VALUE_BYTES, .data = (s), .len = (n)})
#define ADDR(k, x, p) ((struct value){.kind = (k), .size = 8, .data = &(x), .len = 8, .pid = (p)})

static const char *traced(struct value v, bool quiet)
{
	value_trace(&outmem.o, &v, quiet);
	return outmem_text();
}

static const char *key(struct value v)
{
	value_key(&outmem.o, &v);
	return outmem_text();
}

#define HEX_HEAD "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"

static void test_ints(void)
{
	int64_t n8 = -42;
	int32_t n4 = 42;
	int16_t n2 = -1;
	int8_t n1 = -1;
	uint32_t u4 = 0xffffffff;

	CHECK_STR(traced(INT(n8), false), "              -42");
	CHECK_STR(traced(INT(n8), true), "-42");
	CHECK_STR(traced(INT(n4), false), "       42");
	CHECK_STR(traced(INT(n4), true), "42");
	CHECK_STR(traced(INT(u4), false), "       -1");
	CHECK_STR(traced(INT(u4), true), "-1");
	CHECK_STR(traced(INT(n2), false), " 65535");
	CHECK_STR(traced(INT(n2), true), "65535");
	CHECK_STR(traced(INT(n1), false), " 255");
	CHECK_STR(traced(INT(n1), true), "255");
	CHECK_STR(key(INT(n8)), "              -42");
	CHECK_STR(key(INT(n4)), "       42");
	CHECK_STR(key(INT(n2)), " 65535");
	CHECK_STR(key(INT(n1)), " 255");
	CHECK_STR(traced(BYTES(&n4, 4), false), "       42");
	struct value p = {.kind = VALUE_PTR, .size = 8, .data = &n8, .len = 8};
	CHECK_STR(traced(p, false), "              -42");
	CHECK_INT(value_int(&(struct value){VALUE_INT, 1, true, &n1, 1, 0}), -1);
	CHECK_INT(value_int(&(struct value){VALUE_INT, 1, false, &n1, 1, 0}), 255);
	double d = 0;
	struct value f = {.kind = VALUE_FLOAT, .size = 8, .data = &d, .len = 8};
	CHECK_STR(traced(f, true), "0");
}

static void test_strings(void)
{
	CHECK_STR(traced(STR("/etc/hosts", 11), false), "  /etc/hosts                       ");
	CHECK_STR(traced(STR("/etc/hosts", 11), true), "/etc/hosts");
	CHECK_STR(traced(STR("", 1), false), "                                   ");
	CHECK_STR(traced(STR("", 1), true), "");
	CHECK_STR(traced(STR("\xc3\xa4", 3), false), "  \xc3\xa4                               ");
	CHECK_STR(traced(STR("a string that is longer than the field is", 42), false),
		  "  a string that is longer than the field is");
	CHECK_STR(key(STR("cat", 4)), "  cat                                               ");
	CHECK_STR(key(STR("abc", 2)), "  ab                                                ");
}

static void test_bytes(void)
{
	CHECK_STR(traced(BYTES("abc\0\0", 5), false), "  abc                              ");
	CHECK_STR(traced(BYTES("abc\0\0", 5), true), "abc");
	CHECK_STR(traced(BYTES("a\tb c", 5), false), "  a\tb c                            ");
	CHECK_STR(traced(BYTES("a\tb c", 5), true), "  a\tb c                            ");
	CHECK_STR(traced(BYTES("\0bc", 3), false),
		  HEX_HEAD "         0: 00 62 63                                         .bc\n");
	CHECK_STR(traced(BYTES("a\0c", 3), true),
		  HEX_HEAD "         0: 61 00 63                                         a.c\n");
	CHECK_STR(traced(BYTES("a\xe4\0", 3), false),
		  HEX_HEAD "         0: 61 e4 00                                         a..\n");
	CHECK_STR(key(BYTES("abc\0\0", 5)), "  abc                                               ");
	CHECK_STR(key(BYTES("\1bc", 3)),
		  HEX_HEAD "         0: 01 62 63                                         .bc\n");
	outmem.o.opts.rawbytes = true;
	CHECK_STR(traced(BYTES("abc\0\0", 5), false),
		  HEX_HEAD "         0: 61 62 63 00 00                                   abc..\n");
	CHECK_STR(traced(STR("abc", 3), true),
		  HEX_HEAD "         0: 61 62 63                                         abc\n");
	int32_t n = 1;
	CHECK_STR(traced(BYTES(&n, 4), true), "1");
	outmem.o.opts.rawbytes = false;
}

static void test_hexdump(void)
{
	value_hexdump(&outmem.o,
		      "Hello, world\n\0\x7f"
		      "ELF\2\1",
		      20);
	CHECK_STR(outmem_text(),
		  "\n"
		  "             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
		  "         0: 48 65 6c 6c 6f 2c 20 77 6f 72 6c 64 0a 00 7f 45  Hello, world...E\n"
		  "        10: 4c 46 02 01                                      LF..\n");
	value_hexdump(&outmem.o, "", 0);
	CHECK_STR(outmem_text(), "");
	CHECK_STR(traced(BYTES("", 0), false), "");
}

static void test_symbols(void)
{
	uint64_t fn = 0x1110, nosym = 0x2010, nothing = 0x9000, ufn = 0x400111, ulib = 0x500010;

	CHECK_STR(key(ADDR(VALUE_SYM, fn, 0)),
		  "  vmlinux`vfs_read                                  ");
	CHECK_STR(traced(ADDR(VALUE_SYM, nosym, 0), true),
		  "  nf_tables`0x2010                                  ");
	CHECK_STR(traced(ADDR(VALUE_SYM, nothing, 0), false),
		  "  0x9000                                            ");
	CHECK_STR(traced(ADDR(VALUE_MOD, fn, 0), false),
		  "  vmlinux                                           ");
	CHECK_STR(key(ADDR(VALUE_MOD, nothing, 0)),
		  "  0x9000                                            ");
	CHECK_STR(key(ADDR(VALUE_USYM, ufn, 7)),
		  "  cat`main                                          ");
	CHECK_STR(key(ADDR(VALUE_UADDR, ufn, 7)),
		  "  cat`main+0x11                                     ");
	CHECK_STR(key(ADDR(VALUE_UMOD, ufn, 7)),
		  "  cat                                               ");
	CHECK_STR(key(ADDR(VALUE_USYM, ulib, 7)),
		  "  libc.so.6`0x500010                                ");
	CHECK_STR(key(ADDR(VALUE_USYM, ufn, 8)),
		  "  0x400111                                          ");
	CHECK_STR(key(ADDR(VALUE_UMOD, ufn, 8)),
		  "  0x400111                                          ");
	outmem.o.syms = NULL;
	CHECK_STR(key(ADDR(VALUE_SYM, fn, 0)),
		  "  0x1110                                            ");
	outmem.o.syms = &outmem_syms;
}

static struct value stack(enum value_kind kind, const uint64_t *pcs, uint32_t n, uint32_t pid)
{
	return (struct value){.kind = kind, .data = pcs, .len = 8 * n, .pid = pid};
}

static void test_stacks(void)
{
	static const uint64_t k[] = {0x1111, 0x1100, 0x2010, 0x9000, 0, 0x1111};
	static const uint64_t u[] = {0x400111, 0x500010, 0x600000, 0x400180, 0x10};

	CHECK_STR(traced(stack(VALUE_STACK, k, 6, 0), false),
		  "\n"
		  "              vmlinux`vfs_read+0x11\n"
		  "              vmlinux`vfs_read\n"
		  "              nf_tables`0x2010\n"
		  "              0x9000\n");
	CHECK_STR(key(stack(VALUE_USTACK, u, 5, 7)), "\n"
						     "              cat`main+0x11\n"
						     "              libc.so.6`0x500010\n"
						     "              java.lang.Thread.run()\n"
						     "              cat`main+0x80\n"
						     "                [ line 12 ]\n"
						     "              0x10\n");
	CHECK_STR(traced(stack(VALUE_USTACK, u, 2, 8), true), "\n"
							      "              0x400111\n"
							      "              0x500010\n");
	/* The call is the last instruction of its function. */
	CHECK_STR(key(stack(VALUE_USTACK, (uint64_t[]){0x400200, 0x400200}, 2, 7)),
		  "\n              0x400200\n              cat`main+0x100\n");
	outmem.o.opts.stackindent = 2;
	CHECK_STR(traced(stack(VALUE_STACK, k, 1, 0), false), "\n  vmlinux`vfs_read+0x11\n");
	outmem.o.opts.noresolve = true;
	CHECK_STR(traced(stack(VALUE_USTACK, u, 1, 7), false), "\n  cat:0x111\n");
	CHECK_STR(traced(stack(VALUE_USTACK, u + 4, 1, 7), false), "\n  0x10\n");
	outmem.o.opts.noresolve = false;
	outmem.o.opts.stackindent = 14;
	CHECK_STR(traced(stack(VALUE_STACK, k, 0, 0), false), "\n");
}

static unsigned int places(void *ctx, uint32_t pid, uint64_t addr, struct out_place *to,
			   unsigned int max)
{
	static const struct out_place all[] = {
	    {"deep", "b.h", 3}, {"shallow", NULL, 0}, {NULL, "a.c", 12}};

	CHECK(pid == 7 && max == VALUE_PLACES);
	memcpy(to, all, sizeof(all));
	/* A frame that continues after a call is looked up at the call. */
	return addr == 0x400111 || addr == 0x400180 - 1 ? 3 : 0;
}

/* Frames of processes with inlined functions and lines, each of which can be shown alone. */
static void test_places(void)
{
	static const uint64_t u[] = {0x400111, 0x500010, 0x400180};
	struct out_symtab syms = *outmem.o.syms;

	syms.places = places;
	outmem.o.syms = &syms;
	outmem.o.opts.stackindent = 1;
	outmem.o.opts.inlines = outmem.o.opts.lines = true;
	CHECK_STR(traced(stack(VALUE_USTACK, u, 2, 7), false), "\n"
							       " cat`deep (inlined) at b.h:3\n"
							       " cat`shallow (inlined)\n"
							       " cat`main+0x11 at a.c:12\n"
							       " libc.so.6`0x500010\n");
	outmem.o.opts.lines = false;
	CHECK_STR(traced(stack(VALUE_USTACK, u + 1, 2, 7), false), "\n"
								   " libc.so.6`0x500010\n"
								   " cat`deep (inlined)\n"
								   " cat`shallow (inlined)\n"
								   " cat`main+0x80\n"
								   "   [ line 12 ]\n");
	outmem.o.opts.inlines = false;
	outmem.o.opts.lines = true;
	CHECK_STR(traced(stack(VALUE_USTACK, u, 1, 7), false), "\n cat`main+0x11 at a.c:12\n");
	outmem.o.opts.noresolve = true;
	CHECK_STR(traced(stack(VALUE_USTACK, u, 1, 7), false), "\n cat:0x111\n");
	outmem.o.opts.noresolve = outmem.o.opts.lines = false;
	CHECK_STR(traced(stack(VALUE_USTACK, u, 1, 7), false), "\n cat`main+0x11\n");
	outmem.o.opts.stackindent = 14;
	outmem.o.syms = &outmem_syms;
}

static int order(struct value a, struct value b)
{
	int d = value_compare(&a, &b), e = value_compare(&b, &a);

	CHECK((d < 0 && e > 0) || (d > 0 && e < 0) || (d == 0 && e == 0));
	return d < 0 ? -1 : d > 0;
}

static void test_order(void)
{
	int32_t minus = -1, one = 1;
	uint64_t low = 0x400000, high = 0x500000;
	static const uint64_t s1[] = {0x100, 0}, s2[] = {0x100, 0x200};

	CHECK_INT(order(INT(minus), INT(one)), 1);
	CHECK_INT(order(INT(one), INT(one)), 0);
	CHECK_INT(order(STR("ab\0x", 4), STR("ab\0y", 4)), 0);
	CHECK_INT(order(STR("ab", 3), STR("abc", 4)), -1);
	CHECK_INT(order(STR("b", 2), STR("abc", 4)), 1);
	CHECK_INT(order(STR("\xff", 2), STR("a", 2)), 1);
	CHECK_INT(order(BYTES("a\0b", 3), BYTES("a\0c", 3)), -1);
	CHECK_INT(order(ADDR(VALUE_UADDR, high, 5), ADDR(VALUE_UADDR, low, 6)), -1);
	CHECK_INT(order(ADDR(VALUE_UADDR, high, 5), ADDR(VALUE_UADDR, low, 5)), 1);
	CHECK_INT(order(ADDR(VALUE_SYM, low, 0), ADDR(VALUE_SYM, high, 0)), -1);
	CHECK_INT(order(stack(VALUE_STACK, s1, 2, 0), stack(VALUE_STACK, s2, 2, 0)), -1);
	CHECK_INT(order(stack(VALUE_STACK, s1, 2, 0), stack(VALUE_STACK, s1, 1, 0)), 0);
	CHECK_INT(order(stack(VALUE_USTACK, s2, 2, 1), stack(VALUE_USTACK, s1, 2, 2)), -1);
}

static int fail_text(struct out *o, const char *s, size_t n)
{
	return -ENOSPC;
}

static int ok_flush(struct out *o)
{
	return 0;
}

static bool take_all(struct out *o, enum out_object what, const void *obj)
{
	const struct value *v = obj;

	return what == OUT_OBJECT_TRACE && v->kind == VALUE_INT;
}

static void test_backends(void)
{
	static const struct out_backend failing = {fail_text, ok_flush, take_all};
	struct buf b = {0};
	struct out o;
	int32_t n = 5;

	out_init_buf(&o, &b);
	CHECK_INT(o.opts.stackindent, 14);
	out_printf(&o, "%300s|", "x");
	CHECK_INT(b.n, 301);
	buf_reset(&b);
	out_utf8(&o, 0x41);
	out_utf8(&o, 0xe4);
	out_utf8(&o, 0x2588);
	out_utf8(&o, 0x1f600);
	out_utf8(&o, 0x110000);
	CHECK_STR(buf_str(&b), "A\xc3\xa4\xe2\x96\x88\xf0\x9f\x98\x80?");
	buf_reset(&b);
	out_pad(&o, '-', 130);
	CHECK_INT(b.n, 130);
	o.back = &failing;
	value_trace(&o, &INT(n), false);
	CHECK_INT(o.errors, 0);
	value_trace(&o, &STR("x", 2), true);
	CHECK_INT(o.errors, 1);
	CHECK_INT(out_flush(&o), -ENOSPC);
	out_free(&o);
	buf_free(&b);

	FILE *full = fopen("/dev/full", "w");
	if (full) {
		out_init(&o, full);
		out_puts(&o, "text");
		CHECK_INT(out_flush(&o), -ENOSPC);
		CHECK_INT(o.errors, 1);
		fclose(full);
	}
}

int main(void)
{
	outmem_start();
	outmem.o.syms = &outmem_syms;
	test_ints();
	test_strings();
	test_bytes();
	test_hexdump();
	test_symbols();
	test_stacks();
	test_places();
	test_order();
	test_backends();
	outmem_end();
	return TEST_DONE();
}
