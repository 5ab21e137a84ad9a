/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rt.bpf.c: the run-time library: what string subroutines share.  Compiled once when dtrace is
 * built and linked into the programs that call it.
 *
 * Every function is global: the verifier checks it once, alone, whatever calls it.  It therefore
 * knows its parameters only by their BTF types: numbers, and pointers to struct str, which stands
 * for strsize bytes of readable and writable memory, possibly NULL.  Strings end with a NUL within
 * these bytes.  Loops run over strsize() and so have a bound that the verifier knows.
 */
#include "rt/abi.h"

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;

struct str {
	char b[1];
};

#define RT __attribute__((noinline, used))

static inline __attribute__((always_inline)) u64 strsize(void)
{
	u64 n;

	asm volatile("%0 = %1" : "=r"(n) : "i"(ABI_MAGIC_STRSIZE));
	return n;
}

/* Hide where a number comes from, so that it is checked again where it is used. */
#define OPAQUE(x) asm volatile("" : "+r"(x))

/* strcmp(3) within strsize bytes. */
RT u64 rt_strcmp(struct str *x, struct str *y)
{
	u64 n = strsize();

	if (!x || !y)
		return 0;
	for (u64 i = 0; i < n; i++) {
		u64 a = (u8)x->b[i], b = (u8)y->b[i];

		if (a != b)
			return a < b ? -1 : 1;
		if (!a)
			return 0;
	}
	return 0;
}

static long (*const read_kernel)(void *dst, u32 size, const void *src) = (void *)113;
static long (*const read_kernel_str)(void *dst, u32 size, const void *src) = (void *)115;
static long (*const loop)(u32 n, void *fn, void *ctx, u64 flags) = (void *)181;

/*
 * Text is put together in a buffer on the stack at a position that the verifier knows only by its
 * mask: all paths that meet have the same state, so none is followed twice.  What may or may not be
 * there is written always, and the position advances or not (`more` is 0 or 1, computed without a
 * branch).
 */
#define TEXT_MAX 64

struct text {
	char b[TEXT_MAX + 8];
};

/* 1 if a > b, both below 2^63.  In assembler, or the compiler would make a branch of it. */
static inline __attribute__((always_inline)) u64 above(u64 a, u64 b)
{
	asm("%0 -= %1\n%0 >>= 63" : "+r"(b) : "r"(a));
	return b;
}

/* 1 if a == b. */
static inline __attribute__((always_inline)) u64 same(u64 a, u64 b)
{
	u64 d = a ^ b, minus;

	asm("%1 = %0\n%1 = -%1\n%0 |= %1\n%0 >>= 63" : "+r"(d), "=&r"(minus));
	return d ^ 1;
}

#define PUT(t, pos, c, more) ((t)->b[(pos)] = (char)(c), (pos) = ((pos) + (more)) & (TEXT_MAX - 1))

#define HEX(d) ('0' + (d) + (above(d, 9) * ('a' - '0' - 10)))

/* 0 that the verifier takes for any number below TEXT_MAX. */
static inline __attribute__((always_inline)) u64 start_pos(struct str *dst)
{
	dst->b[0] = 0;
	return *(volatile u8 *)&dst->b[0] & (TEXT_MAX - 1);
}

static inline __attribute__((always_inline)) u64 put_byte(struct text *t, u64 pos, u64 v)
{
	PUT(t, pos, '0' + v / 100, above(v, 99));
	PUT(t, pos, '0' + v / 10 % 10, above(v, 9));
	PUT(t, pos, '0' + v % 10, 1);
	return pos;
}

static inline __attribute__((always_inline)) u64 put_ip4(struct text *t, u64 pos, u64 addr)
{
	pos = put_byte(t, pos, addr & 0xff);
	PUT(t, pos, '.', 1);
	pos = put_byte(t, pos, addr >> 8 & 0xff);
	PUT(t, pos, '.', 1);
	pos = put_byte(t, pos, addr >> 16 & 0xff);
	PUT(t, pos, '.', 1);
	return put_byte(t, pos, addr >> 24 & 0xff);
}

static inline __attribute__((always_inline)) u64 finish(struct str *dst, struct text *t, u64 pos)
{
	t->b[pos] = 0;
	return read_kernel_str(dst, strsize(), t->b);
}

/* IPv4 address, network order in memory (least significant byte first here), as text. */
RT u64 rt_inet_ntoa(struct str *dst, u64 addr)
{
	struct text t = {0};

	if (!dst)
		return 0;
	return finish(dst, &t, put_ip4(&t, start_pos(dst), addr));
}

/* Group i of an address, in host order. */
static inline __attribute__((always_inline)) u64 group(u64 hi, u64 lo, int i)
{
	u64 v = (i < 4 ? hi : lo) >> (i & 3) * 16 & 0xffff;

	return v >> 8 | (v & 0xff) << 8;
}

/* The longest run of zero groups, the first of equals: start << 8 | length; 0 if shorter than 2. */
static inline __attribute__((always_inline)) u64 longest_run(u64 hi, u64 lo)
{
	u64 best = 1, start = 0, run = 0;

	for (int i = 0; i < 8; i++) {
		u64 zero = 1 - above(group(hi, lo, i), 0), longer, mask;

		run = (run + 1) * zero & 15;
		longer = above(run, best);
		mask = 0 - longer;
		best = ((best & ~mask) | (run & mask)) & 15;
		start = ((start & ~mask) | ((u64)(i + 1) - run & mask)) & 15;
	}
	return above(best, 1) * (start << 8 | best);
}

enum { INET6_PREFIX = 1, INET6_COMPAT = 2 };

/*
 * IPv6 address: its bytes 0..7 and 8..15 as loaded from memory.  flags: INET6_PREFIX keeps the
 * ::ffff: in front of a mapped IPv4 address, INET6_COMPAT prints compatible addresses as IPv4 too.
 */
RT u64 rt_inet_ntoa6(struct str *dst, u64 hi, u64 lo, u64 flags)
{
	struct text t = {0};
	u64 run, pos, start, len, last = lo >> 32, low = lo & 0xffffffff;
	u64 mapped = same(hi, 0) & same(low, 0xffff0000);
	u64 compat =
	    same(hi | low, 0) & flags >> 1 & (1 - same(last, 0)) & (1 - same(last, 0x01000000));

	if (!dst)
		return 0;
	pos = start_pos(dst);
	if (mapped | compat) {
		if (flags & INET6_PREFIX) {
			PUT(&t, pos, ':', 1);
			PUT(&t, pos, ':', 1);
			if (mapped) {
				PUT(&t, pos, 'f', 1);
				PUT(&t, pos, 'f', 1);
				PUT(&t, pos, 'f', 1);
				PUT(&t, pos, 'f', 1);
				PUT(&t, pos, ':', 1);
			}
		}
		return finish(dst, &t, put_ip4(&t, pos, last));
	}
	run = longest_run(hi, lo);
	start = run >> 8;
	len = run & 0xff;
#pragma unroll
	for (int i = 0; i < 8; i++) {
		u64 v = group(hi, lo, i), in = above(i + 1, start) & above(start + len, i),
		    out = 1 - in;
		u64 first = 1 - above(i, start) - above(start, i);

		/* A run is a colon where it starts, and one where it ends the address. */
		PUT(&t, pos, ':', (in & (first | (i == 7))) | (out & (i > 0)));
		PUT(&t, pos, HEX(v >> 12), out & above(v, 0xfff));
		PUT(&t, pos, HEX(v >> 8 & 15), out & above(v, 0xff));
		PUT(&t, pos, HEX(v >> 4 & 15), out & above(v, 0xf));
		PUT(&t, pos, HEX(v & 15), out);
	}
	return finish(dst, &t, pos);
}

/* A number in a base 2..36; base 16 gets 0x, base 8 gets 0; negative only in base 10. */
RT u64 rt_lltostr(struct str *dst, u64 v, u64 base)
{
	char text[80] = {0};
	u64 neg = base == 10 && (s64)v < 0, zero = v == 0;
	int at = 72;

	if (!dst || base < 2 || base > 36)
		return 0;
	if (neg)
		v = -v;
	for (int i = 0; i < 64; i++) {
		u64 d = v % base;

		text[--at] = (char)HEX(d);
		v /= base;
		if (!v)
			break;
	}
	if (neg)
		text[--at] = '-';
	if (base == 16)
		text[--at] = 'x';
	if (base == 16 || (base == 8 && !zero))
		text[--at] = '0';
	return read_kernel_str(dst, strsize(), text + at);
}

/*
 * Length of src, which is also copied to dst.  The number comes from a helper, so the verifier does
 * not try what follows once for each length.
 */
static inline __attribute__((always_inline)) u64 copy(struct str *dst, struct str *src)
{
	u64 n = read_kernel_str(dst, strsize(), src);

	if (n == 0 || n > strsize())
		return 0;
	return n - 1;
}

/* Bytes [from, to) of src to the front of dst; 0 <= from <= to < strsize. */
static inline __attribute__((always_inline)) u64 cut(struct str *dst, struct str *src, u64 from,
						     u64 to)
{
	u64 max = strsize(), n = to - from;

	if (from >= max || n >= max)
		n = 0;
	else if (n)
		read_kernel(dst, n, (char *)src + from);
	OPAQUE(n);
	if (n >= max)
		return 0;
	dst->b[n] = 0;
	return n;
}

/* Steps back from `at` over characters that are (or are not) slashes. */
static inline __attribute__((always_inline)) u64 back(struct str *s, u64 at, int slashes)
{
	u64 max = strsize();

	for (u64 i = 0; i < max; i++) {
		u64 before = at - 1;

		if (before >= max || (s->b[before] == '/') != slashes)
			break;
		at = before;
	}
	return at;
}

static inline __attribute__((always_inline)) u64 one_char(struct str *dst, char c)
{
	dst->b[0] = strsize() > 1 ? c : 0;
	if (strsize() > 1)
		dst->b[1] = 0;
	return 1;
}

RT u64 rt_basename(struct str *dst, struct str *src)
{
	u64 end_at;

	if (!dst || !src)
		return 0;
	end_at = copy(dst, src);
	if (!end_at)
		return one_char(dst, '.');
	end_at = back(src, end_at, 1);
	if (!end_at)
		return one_char(dst, '/');
	return cut(dst, src, back(src, end_at, 0), end_at);
}

RT u64 rt_dirname(struct str *dst, struct str *src)
{
	u64 end_at;

	if (!dst || !src)
		return 0;
	end_at = copy(dst, src);
	if (!end_at)
		return one_char(dst, '.');
	end_at = back(src, end_at, 1);
	if (!end_at)
		return one_char(dst, '/');
	end_at = back(src, end_at, 0);
	if (!end_at)
		return one_char(dst, '.');
	end_at = back(src, end_at, 1);
	if (!end_at)
		return one_char(dst, '/');
	return cut(dst, src, 0, end_at);
}

/* substr(s, start, n) of D; n: all is 1 << 62. */
RT u64 rt_substr(struct str *dst, struct str *src, u64 ustart, u64 un)
{
	s64 start = (s64)ustart, n = (s64)un, len;

	if (!dst || !src)
		return 0;
	len = (s64)copy(dst, src);
	if (start < 0) {
		start += len;
		if (start < 0) {
			if (n >= 0)
				n = n + start < 0 ? 0 : n + start;
			start = 0;
		}
	}
	if (n < 0)
		n = len - start + n;
	if (n < 0 || start >= len)
		n = 0;
	if (n > len - start)
		n = n ? len - start : 0;
	return cut(dst, src, (u64)start, (u64)(start + n));
}

struct find {
	struct str *s, *t;
	u64 first, found;
	s64 step;
};

/* Does t stand at position first + i * step of s? */
static long find_at(u32 i, struct find *f)
{
	u64 max = strsize(), pos = f->first + (u64)((s64)i * f->step);

	for (u64 j = 0; j < max; j++) {
		u64 at = pos + j;
		char c = f->t->b[j];

		if (!c) {
			f->found = pos;
			return 1;
		}
		if (at >= max || f->s->b[at] != c)
			return 0;
	}
	return 0;
}

/* index(s, t, start), and rindex if reverse: position or -1.  tmp is for our use. */
RT u64 rt_index(struct str *tmp, struct str *s, struct str *t, u64 ustart, u64 reverse)
{
	struct find f = {.s = s, .t = t, .found = ~0ULL};
	s64 start = (s64)ustart, slen, tlen;
	u64 n;

	if (!tmp || !s || !t)
		return ~0ULL;
	slen = (s64)copy(tmp, s);
	tlen = (s64)copy(tmp, t);
	if (reverse) {
		if (start < 0)
			return tlen ? ~0ULL : 0;
		if (start > slen)
			start = slen;
		f.first = start;
		f.step = -1;
		n = start + 1;
	} else {
		if (start < 0)
			start = 0;
		if (start >= slen)
			return tlen ? ~0ULL : slen;
		f.first = start;
		f.step = 1;
		n = slen - start + 1;
	}
	if (n > strsize())
		n = strsize();
	loop(n, find_at, &f, 0);
	return f.found;
}

RT u64 rt_changecase(struct str *dst, struct str *src, u64 upper)
{
	u64 max = strsize();

	if (!dst || !src)
		return 0;
	for (u64 i = 0; i < max; i++) {
		u64 c = (u8)src->b[i];

		if (upper && c >= 'a' && c <= 'z')
			c -= 32;
		if (!upper && c >= 'A' && c <= 'Z')
			c += 32;
		dst->b[i] = (char)c;
		if (!c)
			return i;
	}
	dst->b[max - 1] = 0;
	return max - 1;
}

char _license[] __attribute__((section("license"), used)) = "Dual BSD/GPL";
