/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fmt_test.c: printf formats: their syntax, the types of each conversion, and the output.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <wchar.h>

#include "base/arena.h"
#include "aggs.h"
#include "print/agg.h"
#include "print/fmt.h"
#include "print/value.h"
#include "outmem.h"
#include "test.h"

static struct arena *arena;

#define NUM(x, sgn)                         \
	((struct value){.kind = VALUE_INT,  \
			.size = sizeof(x),  \
			.is_signed = (sgn), \
			.data = &(x),       \
			.len = sizeof(x)})
#define I64(x) NUM((int64_t){x}, true)
#define I32(x) NUM((int32_t){x}, true)
#define U32(x) NUM((uint32_t){x}, false)
#define STR(s) ((struct value){.kind = VALUE_STR, .data = (s), .len = sizeof(s)})
#define FLOAT(x) \
	((struct value){.kind = VALUE_FLOAT, .size = sizeof(x), .data = &(x), .len = sizeof(x)})
#define ADDR(k, x, p) ((struct value){.kind = (k), .size = 8, .data = &(x), .len = 8, .pid = (p)})

static const char *print(const char *format, unsigned int n, ...)
{
	const char *err = NULL;
	struct fmt *f = fmt_parse(arena, format, &err);
	struct value args[8];
	va_list ap;

	if (!f)
		return err;
	va_start(ap, n);
	for (unsigned int i = 0; i < n; i++)
		args[i] = va_arg(ap, struct value);
	va_end(ap);
	fmt_print(&outmem.o, f, args, n);
	return outmem_text();
}

#define P(format, ...) \
	print(format, sizeof((struct value[]){__VA_ARGS__}) / sizeof(struct value), __VA_ARGS__)

static const char *error_of(const char *format)
{
	const char *err = NULL;

	CHECK(fmt_parse(arena, format, &err) == NULL);
	return err ? err : "none";
}

static void test_ilp32(void)
{
	const char *err;
	struct fmt *f = fmt_parse(arena, "%?p %4?x %?6x %ld %lld %d", &err);
	struct fmt_type four = {.kind = FMT_KIND_INT, .size = 4, .is_signed = true};
	struct fmt_type eight = {.kind = FMT_KIND_INT, .size = 8, .is_signed = true};

	CHECK(f && !err);
	fmt_set_ilp32(f);
	CHECK_INT(f->conv[0].width, 8);
	CHECK_INT(f->conv[1].width, 4);
	CHECK_INT(f->conv[2].width, 6);
	CHECK(fmt_accepts(&f->conv[3], &four, false) && !fmt_accepts(&f->conv[3], &eight, false));
	CHECK(!fmt_accepts(&f->conv[4], &four, false) && fmt_accepts(&f->conv[4], &eight, false));
	CHECK(fmt_accepts(&f->conv[5], &four, false) && fmt_accepts(&f->conv[5], &eight, false));
}

static void test_parse(void)
{
	const char *err;
	struct fmt *f = fmt_parse(arena, "a%%b %-#0+ '@5.3lld%*.*s%?p tail", &err);

	CHECK(f && !err);
	CHECK_INT(f->n, 5);
	CHECK_INT(f->nargs, 4);
	CHECK_INT(f->naggs, 1);
	CHECK_INT(f->conv[0].cls, FMT_NONE);
	CHECK_INT(f->conv[0].textlen, 2);
	const struct fmt_conv *c = &f->conv[1];
	CHECK_INT(c->cls, FMT_INT);
	CHECK_INT(c->flags, FMT_FLAG_ALT | FMT_FLAG_ZERO | FMT_FLAG_LEFT | FMT_FLAG_PLUS |
				FMT_FLAG_SPACE | FMT_FLAG_GROUP);
	CHECK(c->is_agg);
	CHECK_INT(c->width, 5);
	CHECK_INT(c->prec, 3);
	CHECK_STR(c->name, "lld");
	CHECK_INT(c->size, FMT_SIZE_LL);
	CHECK(f->conv[2].width_star && f->conv[2].prec_star);
	CHECK_INT(f->conv[3].width, 16);
	CHECK_INT(f->conv[4].cls, FMT_NONE);
	CHECK_INT(fmt_parse(arena, "", &err)->n, 0);
	f = fmt_parse(arena, "%8@d", &err);
	CHECK(f && f->conv[0].is_agg && f->conv[0].width == 8);
	f = fmt_parse(arena, "%.d", &err);
	CHECK(f && f->conv[0].prec == 0);

	CHECK_STR(error_of("%d %q"), "format conversion #2, \"%q\": unknown conversion");
	CHECK_STR(error_of("%"),
		  "format conversion #1, \"%\": the format ends inside a conversion");
	CHECK_STR(error_of("%-5l"),
		  "format conversion #1, \"%-5l\": the format ends inside a conversion");
	CHECK_STR(error_of("%1$d"),
		  "format conversion #1, \"%1$\": numbered arguments are not supported");
	CHECK_STR(error_of("%5-5d"), "format conversion #1, \"%5-5\": width given twice");
	CHECK_STR(error_of("%**d"), "format conversion #1, \"%**\": width given twice");
	CHECK_STR(error_of("%*5d"), "format conversion #1, \"%*5\": width given twice");
	CHECK_STR(error_of("%.5.5d"), "format conversion #1, \"%.5.\": precision given twice");
	CHECK_STR(error_of("%.**d"), "format conversion #1, \"%.**\": precision given twice");
	CHECK_STR(error_of("%-%"),
		  "format conversion #1, \"%-%\": a literal % takes no flags, width or precision");
	CHECK_STR(error_of("%99999999d"), "format conversion #1, \"%99999999\": number too large");
	CHECK_STR(error_of("%n"), "format conversion #1, \"%n\": unknown conversion");
	static const char *const bad[] = {"%hs", "%hhd", "%lf", "%Ld", "%wd", "%hc", "%lp", "%lk"};
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(fmt_parse(arena, bad[i], &err) == NULL);
}

enum {
	T_CHAR,
	T_SHORT,
	T_USHORT,
	T_INT,
	T_UINT,
	T_LONG,
	T_PTR,
	T_STR,
	T_CHARS,
	T_WCHARS,
	T_FLOAT,
	T_DOUBLE,
	T_LDOUBLE,
	T_STACK,
	T_SYM,
	T_USYM,
	T_STRUCT,
	T_MAX
};

static const struct fmt_type types[T_MAX] = {
    [T_CHAR] = {FMT_KIND_INT, 1, true},	      [T_SHORT] = {FMT_KIND_INT, 2, true},
    [T_USHORT] = {FMT_KIND_INT, 2, false},    [T_INT] = {FMT_KIND_INT, 4, true},
    [T_UINT] = {FMT_KIND_INT, 4, false},      [T_LONG] = {FMT_KIND_INT, 8, true},
    [T_PTR] = {FMT_KIND_PTR, 8, false},	      [T_STR] = {FMT_KIND_STRING, 0, false},
    [T_CHARS] = {FMT_KIND_CHARS, 0, false},   [T_WCHARS] = {FMT_KIND_WCHARS, 0, false},
    [T_FLOAT] = {FMT_KIND_FLOAT, 4, true},    [T_DOUBLE] = {FMT_KIND_FLOAT, 8, true},
    [T_LDOUBLE] = {FMT_KIND_FLOAT, 16, true}, [T_STACK] = {FMT_KIND_STACK, 0, false},
    [T_SYM] = {FMT_KIND_SYMADDR, 8, false},   [T_USYM] = {FMT_KIND_USYMADDR, 16, false},
    [T_STRUCT] = {FMT_KIND_OTHER, 24, false},
};

#define B(t) (1u << (t))
#define INTS (B(T_CHAR) | B(T_SHORT) | B(T_USHORT) | B(T_INT) | B(T_UINT) | B(T_LONG))

/* Returns the types above that a conversion accepts. */
static unsigned int accepted(const char *format, bool target)
{
	const char *err;
	struct fmt *f = fmt_parse(arena, format, &err);
	unsigned int mask = 0;

	CHECK(f && f->n == 1);
	for (unsigned int t = 0; f && t < T_MAX; t++)
		mask |= fmt_accepts(&f->conv[0], &types[t], target) ? B(t) : 0;
	return mask;
}

static void test_accepts(void)
{
	static const struct {
		const char *formats;
		unsigned int mask;
	} rows[] = {
	    {"a", INTS | B(T_PTR) | B(T_SYM)},
	    {"A", B(T_USYM)},
	    {"c C", B(T_CHAR) | B(T_SHORT) | B(T_USHORT) | B(T_INT) | B(T_UINT)},
	    {"d i o u x X", INTS},
	    {"e E f g G", B(T_FLOAT) | B(T_DOUBLE) | B(T_LDOUBLE)},
	    {"hd hi ho hu hx hX", B(T_SHORT) | B(T_USHORT)},
	    {"I", B(T_STR)},
	    {"k", B(T_STACK)},
	    {"lc wc", B(T_INT) | B(T_UINT)},
	    {"ls ws", B(T_WCHARS)},
	    {"ld li lo lu lx lX lld lli llo llu llx llX", B(T_LONG)},
	    {"Le LE Lf Lg LG", B(T_LDOUBLE)},
	    {"p", INTS | B(T_PTR)},
	    {"P", B(T_USHORT)},
	    {"s S", B(T_STR) | B(T_CHARS)},
	    {"T Y", B(T_LONG)},
	};

	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char names[64], format[16], *save = NULL;

		snprintf(names, sizeof(names), "%s", rows[i].formats);
		for (char *n = strtok_r(names, " ", &save); n; n = strtok_r(NULL, " ", &save)) {
			snprintf(format, sizeof(format), "%%%s", n);
			CHECK_INT(accepted(format, false), rows[i].mask);
		}
	}
	CHECK_INT(accepted("%A", true), INTS | B(T_PTR) | B(T_USYM));
	CHECK_INT(accepted("%%", false), 0);
	const char *err;
	struct fmt *f = fmt_parse(arena, "%@d%hd", &err);
	struct fmt_type agg = fmt_agg_type();
	CHECK(fmt_accepts(&f->conv[0], &agg, false));
	CHECK_STR(fmt_wants(&f->conv[1]), "short");
}

static void test_ints(void)
{
	CHECK_STR(P("%d %d", I32(-5), U32(4294967295u)), "-5 4294967295");
	CHECK_STR(P("%i %u %x %X %o", U32(4294967295u), I32(-1), I32(-1), I32(-2), I32(8)),
		  "-1 4294967295 ffffffff FFFFFFFE 10");
	CHECK_STR(P("%x %d %u", I64(-1), I64(-1), I64(-1)),
		  "ffffffffffffffff -1 18446744073709551615");
	CHECK_STR(P("%hd %hx", NUM((int16_t){-2}, true), NUM((int16_t){-2}, true)), "-2 fffe");
	CHECK_STR(P("%d %x", NUM((int8_t){-2}, true), NUM((uint8_t){200}, false)), "-2 c8");
	CHECK_STR(P("%lld %ld", I64(-7), I64(7)), "-7 7");
	CHECK_STR(
	    P("[%5d|%-5d|%05d|%+d|% d|%.3d]", I32(42), I32(42), I32(42), I32(42), I32(42), I32(7)),
	    "[   42|42   |00042|+42| 42|007]");
	CHECK_STR(P("%#x %#o %8.3x|", I32(255), I32(8), I32(15)), "0xff 010      00f|");
	CHECK_STR(P("%'d", I32(12)), "12");
	CHECK_STR(P("[%*d|%*d|%.*d]", I32(5), I32(1), I32(-5), I32(2), I32(3), I32(4)),
		  "[    1|2    |004]");
	uint64_t p = 0xffff888000001000;
	struct value ptr = {.kind = VALUE_PTR, .size = 8, .data = &p, .len = 8};
	CHECK_STR(P("%p %#p", ptr, ptr), "ffff888000001000 0xffff888000001000");
	CHECK_STR(P("[%?p|%?x|%-?x|%0?x]", U32(16), U32(16), U32(16), U32(16)),
		  "[              10|              10|10              |0000000000000010]");
	CHECK_STR(P("100%% %d%%", I32(5)), "100% 5%");
	CHECK_STR(print("plain", 0), "plain");
	CHECK_STR(print("%d", 0), "0");
}

static void test_text(void)
{
	CHECK_STR(P("[%s|%6s|%-6s|%.2s]", STR("abc"), STR("abc"), STR("abc"), STR("abc")),
		  "[abc|   abc|abc   |ab]");
	CHECK_STR(P("%s", ((struct value){.kind = VALUE_BYTES, .data = "abcd", .len = 3})), "abc");
	CHECK_STR(P("[%*.*s]", I32(-6), I32(2), STR("abc")), "[ab    ]");
	CHECK_STR(P("%S", STR("a\a\b\f\n\r\t\v\"\\\x01\xe4")),
		  "a\\a\\b\\f\\n\\r\\t\\v\\\"\\\\\\001\\344");
	CHECK_STR(P("[%c|%3c|%-3c]", I32('a'), I32('b'), I32('c')), "[a|  b|c  ]");
	CHECK_STR(P("%C%C%C%C%C", I32('a'), I32(0), I32('\n'), I32(1), I32('"')), "a\\0\\n\\001\"");
	static const wchar_t w[] = L"h\u00e4\u20ac";
	struct value wide = {.kind = VALUE_BYTES, .data = w, .len = sizeof(w)};
	CHECK_STR(P("%ls %ws", wide, wide), "h\xc3\xa4\xe2\x82\xac h\xc3\xa4\xe2\x82\xac");
	CHECK_STR(P("%lc%wc", I32(0x20ac), I32('x')), "\xe2\x82\xacx");
}

static void test_floats(void)
{
	float f = 1.5f;
	double d = -2.25;
	long double l = 1e10L;

	CHECK_STR(P("%f %.2f %8.1f|", FLOAT(f), FLOAT(d), FLOAT(f)), "1.500000 -2.25      1.5|");
	CHECK_STR(P("%e %E %g %G", FLOAT(d), FLOAT(d), FLOAT(d), FLOAT(l)),
		  "-2.250000e+00 -2.250000E+00 -2.25 1E+10");
	CHECK_STR(P("%Lf %Le %Lg", FLOAT(l), FLOAT(l), FLOAT(l)),
		  "10000000000.000000 1.000000e+10 1e+10");
}

static void test_symbols(void)
{
	uint64_t fn = 0x1110, ufn = 0x400111, start = 0x1100;

	CHECK_STR(P("%a", I64(0x1110)), "vmlinux`vfs_read+0x10");
	CHECK_STR(P("%a %a", I64(0x2010), I64(0x9000)), "nf_tables`0x2010 0x9000");
	CHECK_STR(P("[%-20a]", ADDR(VALUE_SYM, start, 0)), "[vmlinux`vfs_read    ]");
	CHECK_STR(P("%a", ADDR(VALUE_MOD, fn, 0)), "vmlinux");
	CHECK_STR(P("%A %A %A", ADDR(VALUE_UADDR, ufn, 7), ADDR(VALUE_USYM, ufn, 7),
		    ADDR(VALUE_UMOD, ufn, 7)),
		  "cat`main+0x11 cat`main cat");
	outmem.o.target = 7;
	CHECK_STR(P("%A", I64(0x400111)), "cat`main+0x11");
	static const uint64_t pcs[] = {0x1110, 0x1100, 0};
	struct value st = {.kind = VALUE_STACK, .data = pcs, .len = sizeof(pcs)};
	CHECK_STR(P("%k|", st), "\nvmlinux`vfs_read+0x10\nvmlinux`vfs_read\n|");
	CHECK_STR(P("%-4k|", st), "\n    vmlinux`vfs_read+0x10\n    vmlinux`vfs_read\n|");
	CHECK_STR(P("%4k|", st), "\nvmlinux`vfs_read+0x10\nvmlinux`vfs_read\n|");
}

static void test_net_and_time(void)
{
	int64_t ns = 1793862489000000007; /* 2026-11-05 07:08:09 UTC */

	setenv("TZ", "UTC0", 1);
	tzset();
	CHECK_STR(P("%Y", NUM(ns, true)), "2026 Nov  5 07:08:09");
	CHECK_STR(P("%T", NUM(ns, true)), "Thu, 05 Nov 2026 07:08:09 UTC");
	CHECK_STR(P("[%-24Y]", NUM(ns, true)), "[2026 Nov  5 07:08:09    ]");
	CHECK_STR(P("%I", STR("not an address")), "not an address");
	CHECK_STR(P("[%8P]", NUM((uint16_t){59999}, false)), "[   59999]");
	const char *ssh = P("%P", NUM((uint16_t){22}, false));
	CHECK(strcmp(ssh, "ssh") == 0 || strcmp(ssh, "22") == 0);
}

static void test_aggs(void)
{
	struct agg_desc count = aggs_desc("count", 0), avg = aggs_desc("avg", 0);
	int64_t one[] = {12}, two[] = {2, -7};
	int32_t k = 5;
	struct value keys[] = {STR("cat"), NUM(k, true)};
	struct agg_rec recs[] = {{&count, keys, 2, one, 1}, {&avg, keys, 2, two, 1}};
	const char *err;
	struct fmt *f = fmt_parse(arena, "%@u %s %@d %d %@x.\n", &err);

	fmt_print_agg(&outmem.o, f, keys, 2, recs, 2);
	CHECK_STR(outmem_text(), "12 cat -3 5 fffffffffffffffd.\n");
	f = fmt_parse(arena, "%-*s|%@8u", &err);
	struct value starred[] = {NUM(k, true), STR("cat")};
	fmt_print_agg(&outmem.o, f, starred, 2, recs, 1);
	CHECK_STR(outmem_text(), "cat  |      12");
}

int main(void)
{
	arena = arena_new();
	outmem_start();
	outmem.o.syms = &outmem_syms;
	test_parse();
	test_ilp32();
	test_accepts();
	test_ints();
	test_text();
	test_floats();
	test_symbols();
	test_net_and_time();
	test_aggs();
	outmem_end();
	arena_free(arena);
	return TEST_DONE();
}
