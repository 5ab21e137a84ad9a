/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rt.bpf.c: the run-time library: the base of string subroutines.  Paths, JSON, time and kernel
 * objects are in their own headers.  The build compiles it once.  It is linked into the programs
 * that call it.
 *
 * Every function is global: the verifier checks it once, independently of its callers.  It
 * therefore knows parameters only by their BTF types: numbers, or pointers, possibly NULL.  These
 * point to struct str, strsize bytes of readable and writable memory, or to struct abi_walk.
 * Strings end with a NUL within these bytes.
 *
 * Code that walks a string is a callback of bpf_loop, so that its verification costs the same for
 * any strsize.  The callback keeps positions and states in members that do not start at a multiple
 * of 8 (struct cell).  The verifier tracks only stores at such offsets and takes all else for any
 * number.  It has therefore seen a callback after a round or two, and every index is checked at its
 * use.
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

#define RT	      __attribute__((noinline, used))
#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE u64 strsize(void)
{
	u64 n;

	asm volatile("%0 = %1" : "=r"(n) : "i"(ABI_MAGIC_STRSIZE));
	return n;
}

/* Hides the origin of a number, so that it is checked again at its use. */
#define OPAQUE(x) asm volatile("" : "+r"(x))

static long (*const read_kernel)(void *dst, u32 size, const void *src) = (void *)113;
static long (*const read_kernel_str)(void *dst, u32 size, const void *src) = (void *)115;
static u64 (*const current_task)(void) = (void *)35;
static u64 (*const ktime)(void) = (void *)5;
static long (*const loop)(u32 n, void *fn, void *ctx, u64 flags) = (void *)181;

/* No string needs so many steps.  Callbacks decide when they are done. */
#define ENDLESS (1 << 23)

/* A number that the verifier does not track, and two small ones. */
struct cell {
	u8 unused, flag;
	u16 state;
	u32 v;
} __attribute__((aligned(8)));

/*
 * Makes all zeros, unknown to the verifier: a failing read leaves zeros.  Before Linux 6.8 the
 * verifier looks at one round of a callback, and drops code that the first round cannot reach.
 */
#define START(state) read_kernel(&(state), sizeof(state), 0)

/*
 * Returns the same number, unknown to the verifier.  Before Linux 6.4 a second comparison with the
 * same bound makes the verifier continue with an impossible range.
 */
ALWAYS_INLINE u64 forget(struct cell *c, u64 v)
{
	*(volatile u32 *)&c->v = (u32)v;
	return *(volatile u32 *)&c->v;
}

/* Returns the character at a position, 0 after the end. */
ALWAYS_INLINE u64 char_at(struct str *s, u64 at)
{
	struct cell c;

	at = forget(&c, at);
	return at < strsize() ? (u8)s->b[at] : 0;
}

struct compare {
	struct str *x, *y;
	struct cell result; /* 1: less, 2: greater */
};

static long compare_at(u32 i, struct compare *c)
{
	u64 x = char_at(c->x, i), y = char_at(c->y, i);

	if (x != y)
		c->result.v = x < y ? 1 : 2;
	return x != y || !x;
}

/* strcmp(3) within strsize bytes. */
RT u64 rt_strcmp(struct str *x, struct str *y)
{
	struct compare c;

	if (!x || !y)
		return 0;
	START(c);
	c.x = x;
	c.y = y;
	loop(ENDLESS, compare_at, &c, 0);
	return c.result.v == 1 ? -1 : c.result.v == 2;
}

/*
 * Text is built in a buffer on the stack.  The verifier knows the position only by its mask, so all
 * paths that meet have the same state, and none is followed twice.  Optional characters are always
 * written, and the position advances or not (`more` is 0 or 1, computed without a branch).
 */
#define TEXT_MAX 64

struct text {
	char b[TEXT_MAX + 8];
};

/*
 * Returns 1 if a > b, both below 2^63.  It is in assembler, because the compiler would make a
 * branch.
 */
ALWAYS_INLINE u64 above(u64 a, u64 b)
{
	asm("%0 -= %1\n%0 >>= 63" : "+r"(b) : "r"(a));
	return b;
}

/* Returns 1 if a == b. */
ALWAYS_INLINE u64 same(u64 a, u64 b)
{
	u64 d = a ^ b, minus;

	asm("%1 = %0\n%1 = -%1\n%0 |= %1\n%0 >>= 63" : "+r"(d), "=&r"(minus));
	return d ^ 1;
}

#define PUT(t, pos, c, more) ((t)->b[(pos)] = (char)(c), (pos) = ((pos) + (more)) & (TEXT_MAX - 1))

#define HEX(d) ('0' + (d) + (above(d, 9) * ('a' - '0' - 10)))

/* Returns 0, which the verifier takes for any number below TEXT_MAX. */
ALWAYS_INLINE u64 start_pos(struct str *dst)
{
	dst->b[0] = 0;
	return *(volatile u8 *)&dst->b[0] & (TEXT_MAX - 1);
}

ALWAYS_INLINE u64 put_byte(struct text *t, u64 pos, u64 v)
{
	PUT(t, pos, '0' + v / 100, above(v, 99));
	PUT(t, pos, '0' + v / 10 % 10, above(v, 9));
	PUT(t, pos, '0' + v % 10, 1);
	return pos;
}

ALWAYS_INLINE u64 put_ip4(struct text *t, u64 pos, u64 addr)
{
	pos = put_byte(t, pos, addr & 0xff);
	PUT(t, pos, '.', 1);
	pos = put_byte(t, pos, addr >> 8 & 0xff);
	PUT(t, pos, '.', 1);
	pos = put_byte(t, pos, addr >> 16 & 0xff);
	PUT(t, pos, '.', 1);
	return put_byte(t, pos, addr >> 24 & 0xff);
}

ALWAYS_INLINE u64 finish(struct str *dst, struct text *t, u64 pos)
{
	t->b[pos] = 0;
	return read_kernel_str(dst, strsize(), t->b);
}

/*
 * Writes an IPv4 address as text.  It is in network order in memory (least significant byte first
 * here).
 */
RT u64 rt_inet_ntoa(struct str *dst, u64 addr)
{
	struct text t = {0};

	if (!dst)
		return 0;
	return finish(dst, &t, put_ip4(&t, start_pos(dst), addr));
}

/*
 * Writes n bytes, at most 20, in hexadecimal with colons between them.  a, b and c have 8 bytes
 * each as loaded from memory.
 */
RT u64 rt_link_ntop(struct str *dst, u64 a, u64 b, u64 c, u64 n)
{
	struct text t = {0};
	u64 end = 3 * n - 1;

	OPAQUE(end);
	if (!dst || n < 1 || n > 20)
		return 0;
#pragma unroll
	for (int i = 0; i < 20; i++) {
		u64 v = (i < 8 ? a : i < 16 ? b : c) >> (i & 7) * 8 & 0xff;

		t.b[3 * i] = (char)HEX(v >> 4);
		t.b[3 * i + 1] = (char)HEX(v & 15);
		t.b[3 * i + 2] = ':';
	}
	return finish(dst, &t, end & (TEXT_MAX - 1));
}

/* Returns group i of an address, in host order. */
ALWAYS_INLINE u64 group(u64 hi, u64 lo, int i)
{
	u64 v = (i < 4 ? hi : lo) >> (i & 3) * 16 & 0xffff;

	return v >> 8 | (v & 0xff) << 8;
}

/*
 * Returns the longest run of zero groups, the first of equals: start << 8 | length; 0 if there is
 * none.  The last group alone is no run.
 */
ALWAYS_INLINE u64 longest_run(u64 hi, u64 lo)
{
	u64 best = 0, start = 0, run = 0;

	for (int i = 0; i < 8; i++) {
		u64 zero = 1 - above(group(hi, lo, i), 0), longer, mask;

		run = (run + 1) * zero & 15;
		longer = above(run, best) & (above(7, i) | above(run, 1));
		mask = 0 - longer;
		best = ((best & ~mask) | (run & mask)) & 15;
		start = ((start & ~mask) | ((u64)(i + 1) - run & mask)) & 15;
	}
	return start << 8 | best;
}

enum { INET6_PREFIX = 1, INET6_COMPAT = 2 };

/*
 * Writes an IPv6 address.  hi and lo are bytes 0..7 and 8..15 as loaded from memory.  INET6_PREFIX
 * keeps the ::ffff: before a mapped IPv4 address.  INET6_COMPAT prints compatible addresses as
 * IPv4, too.
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

		/* A run is a colon at its start, and a further one if it ends the address. */
		PUT(&t, pos, ':', (in & (first | (i == 7))) | (out & (i > 0)));
		PUT(&t, pos, HEX(v >> 12), out & above(v, 0xfff));
		PUT(&t, pos, HEX(v >> 8 & 15), out & above(v, 0xff));
		PUT(&t, pos, HEX(v >> 4 & 15), out & above(v, 0xf));
		PUT(&t, pos, HEX(v & 15), out);
	}
	return finish(dst, &t, pos);
}

#define DIGITS_MAX 64 /* digits of a number in base 2 */

struct digits {
	u64 v, base;
	struct cell at;
	char text[DIGITS_MAX + 8];
};

/* Prepends the next digit. */
static long digit_at(u32 i, struct digits *t)
{
	u64 d = t->v % t->base, at = DIGITS_MAX + 1 - i;

	if (at > DIGITS_MAX + 1)
		return 1;
	t->text[at] = (char)HEX(d);
	t->v /= t->base;
	t->at.v = at;
	return !t->v;
}

/*
 * Writes a number in a base 2..36.  Base 16 gets 0x, base 8 gets 0.  It is negative only in base
 * 10.
 */
RT u64 rt_lltostr(struct str *dst, u64 v, u64 base)
{
	struct digits t;
	u64 neg = base == 10 && (s64)v < 0, zero = v == 0, at;

	if (!dst || base < 2 || base > 36)
		return 0;
	START(t);
	t.base = base;
	t.v = neg ? -v : v;
	loop(DIGITS_MAX, digit_at, &t, 0);
	at = t.at.v;
	if (at < 2 || at > DIGITS_MAX + 1)
		return 0;
	if (neg)
		t.text[--at] = '-';
	if (base == 16)
		t.text[--at] = 'x';
	if (base == 16 || (base == 8 && !zero))
		t.text[--at] = '0';
	return read_kernel_str(dst, strsize(), t.text + at);
}

/*
 * Copies src to dst and returns its length.  The number comes from a helper, so the verifier does
 * not try later code once for each length.
 */
ALWAYS_INLINE u64 copy(struct str *dst, struct str *src)
{
	u64 n = read_kernel_str(dst, strsize(), src);

	if (n == 0 || n > strsize())
		return 0;
	return n - 1;
}

/* Copies bytes [from, to) of src to the front of dst; 0 <= from <= to < strsize. */
ALWAYS_INLINE u64 cut(struct str *dst, struct str *src, u64 from, u64 to)
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

ALWAYS_INLINE u64 one_char(struct str *dst, char c)
{
	dst->b[0] = strsize() > 1 ? c : 0;
	if (strsize() > 1)
		dst->b[1] = 0;
	return 1;
}

/* substr(s, start, n) of D.  n is 1 << 62 for the rest of the string. */
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
	s64 step;
	struct cell pos, same; /* matching characters of t at pos; same.flag: all match */
};

static long find_step(u32 i, struct find *f)
{
	u64 want = char_at(f->t, f->same.v), at = (u64)f->pos.v + f->same.v, c = char_at(f->s, at);

	if (!want) {
		f->same.flag = 1;
		return 1;
	}
	if (c == want) {
		f->same.v++;
		return 0;
	}
	f->same.v = 0;
	f->pos.v += f->step;
	return f->step > 0 ? !c : f->pos.v == ~0U;
}

/* Returns the position of t in s, from `start` on in the direction of step; -1: none. */
ALWAYS_INLINE u64 find(struct str *s, struct str *t, u64 start, s64 step)
{
	struct find f;

	START(f);
	f.s = s;
	f.t = t;
	f.step = step;
	f.pos.v += start;
	loop(ENDLESS, find_step, &f, 0);
	return f.same.flag ? f.pos.v : ~0ULL;
}

/* index(s, t, start), or rindex if reverse.  Returns a position or -1.  tmp is scratch memory. */
RT u64 rt_index(struct str *tmp, struct str *s, struct str *t, u64 ustart, u64 reverse)
{
	s64 start = (s64)ustart, slen;

	if (!tmp || !s || !t)
		return ~0ULL;
	slen = (s64)copy(tmp, s);
	if (reverse) {
		if (start < 0)
			return t->b[0] ? ~0ULL : 0;
		return find(s, t, start > slen ? slen : start, -1);
	}
	if (start < 0)
		start = 0;
	if (start >= slen)
		return t->b[0] ? ~0ULL : slen;
	return find(s, t, start, 1);
}

/* Copies the part of src from a position on. */
ALWAYS_INLINE void suffix(struct str *dst, struct str *src, u64 from)
{
	read_kernel_str(dst, strsize(), (char *)src + from);
}

/* strstr(s, t).  Writes an empty string and returns 0 if there is none, else returns 1. */
RT u64 rt_strstr(struct str *dst, struct str *s, struct str *t)
{
	u64 at;

	if (!dst || !s || !t)
		return 0;
	at = find(s, t, 0, 1);
	dst->b[0] = 0;
	if (at >= strsize())
		return 0;
	suffix(dst, s, at);
	return 1;
}

struct search {
	struct str *s;
	u64 c, last;
	struct cell found; /* position + 1 */
};

static long search_at(u32 i, struct search *f)
{
	u64 c = char_at(f->s, i);

	if (c == f->c)
		f->found.v = i + 1;
	return !c || (c == f->c && !f->last);
}

/*
 * strchr(s, c), or strrchr if last.  Writes an empty string and returns 0 if there is none, else
 * returns 1.
 */
RT u64 rt_strchr(struct str *dst, struct str *s, u64 c, u64 last)
{
	struct search f;

	if (!dst || !s)
		return 0;
	START(f);
	f.s = s;
	f.c = c & 0xff;
	f.last = last;
	loop(ENDLESS, search_at, &f, 0);
	dst->b[0] = 0;
	if (!f.found.v)
		return 0;
	suffix(dst, s, f.found.v - 1);
	return 1;
}

struct token {
	struct str *s, *delims;
	u64 set[4];		      /* the delimiters, one bit each */
	struct cell from, start, end; /* start: + 1, 0 before the first character */
};

static long add_delim(u32 i, struct token *t)
{
	u64 c = char_at(t->delims, i);

	t->set[c >> 6 & 3] |= 1ULL << (c & 63);
	return !c;
}

static long token_at(u32 i, struct token *t)
{
	u64 at = (u64)t->from.v + i, c = char_at(t->s, at),
	    is_delim = t->set[c >> 6 & 3] >> (c & 63) & 1;

	t->end.v = at;
	if (!t->start.v && !is_delim)
		t->start.v = at + 1;
	return !c || (t->start.v && is_delim);
}

/*
 * Copies the next token of s, from position next - 1 on.  It is empty if there is none or next is
 * 0.  Returns the following `next`, 0 if there was no token.
 */
RT u64 rt_strtok(struct str *dst, struct str *s, struct str *delims, u64 next)
{
	struct token t;

	if (!dst || !s || !delims)
		return 0;
	dst->b[0] = 0;
	if (!next)
		return 0;
	START(t);
	t.s = s;
	t.delims = delims;
	t.from.v = next - 1;
	loop(ENDLESS, add_delim, &t, 0);
	loop(ENDLESS, token_at, &t, 0);
	if (!char_at(s, (u64)t.start.v - 1))
		return 0;
	cut(dst, s, (u64)t.start.v - 1, t.end.v);
	/* The delimiter is not consumed: with other delimiters it begins the next token. */
	return t.end.v + 1;
}

struct change {
	struct str *dst, *src;
	u64 from, to; /* range of characters, and the number that is added to them */
	s64 by;
};

static long change_at(u32 i, struct change *t)
{
	u64 at = i, c;

	if (at >= strsize())
		return 1;
	c = (u8)t->src->b[at];
	if (c >= t->from && c <= t->to)
		c += t->by;
	t->dst->b[at] = (char)c;
	return !c;
}

RT u64 rt_changecase(struct str *dst, struct str *src, u64 upper)
{
	struct change t = {.dst = dst, .src = src, .from = 'A', .to = 'Z', .by = 32};

	if (!dst || !src)
		return 0;
	if (upper) {
		t.from = 'a';
		t.to = 'z';
		t.by = -32;
	}
	loop(ENDLESS, change_at, &t, 0);
	return 0;
}

struct fill {
	struct str *s;
	u64 sep;
	struct cell end; /* end of the text without trailing NULs */
};

static long fill_at(u32 i, struct fill *f)
{
	u64 at = i;

	if (at >= strsize())
		return 1;
	if (!f->s->b[at])
		f->s->b[at] = (char)f->sep;
	else
		f->end.v = at + 1;
	return 0;
}

/* Replaces NULs among the first n bytes by sep.  The string ends with byte n. */
RT u64 rt_memstr(struct str *s, u64 sep, u64 n)
{
	struct fill f;

	if (!s || n >= strsize())
		return 0;
	START(f);
	f.s = s;
	f.sep = sep & 0xff;
	s->b[n] = 0;
	if (n > 1)
		loop((u32)n - 1, fill_at, &f, 0);
	return 0;
}

/* Does the same with blanks for all n bytes, and cuts after the last byte that is no NUL. */
RT u64 rt_argstr(struct str *s, u64 n)
{
	struct fill f;

	if (!s || n >= strsize())
		return 0;
	START(f);
	f.s = s;
	f.sep = ' ';
	loop((u32)n, fill_at, &f, 0);
	n = f.end.v;
	if (n < strsize())
		s->b[n] = 0;
	return 0;
}

struct number {
	struct str *s;
	u64 v, base;
	struct cell pos;
};

static long blank_at(u32 i, struct number *t)
{
	u64 c = char_at(t->s, i);

	t->pos.v = i;
	return c != ' ' && c != '\t';
}

ALWAYS_INLINE u64 digit_value(u64 c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'Z')
		return c - 'A' + 10;
	return 99;
}

static long value_at(u32 i, struct number *t)
{
	u64 d = digit_value(char_at(t->s, (u64)t->pos.v + i));

	if (d >= t->base)
		return 1;
	t->v = t->v * t->base + d;
	return 0;
}

/* strtoll(3) without overflow; base 2..36. */
RT u64 rt_strtoll(struct str *s, u64 base)
{
	struct number t;
	u64 at, c;

	if (!s)
		return 0;
	START(t);
	t.s = s;
	t.base = base;
	loop(ENDLESS, blank_at, &t, 0);
	at = t.pos.v;
	c = char_at(s, at);
	if (c == '-' || c == '+')
		at++;
	if (base == 16 && char_at(s, at) == '0' && (char_at(s, at + 1) | 32) == 'x' &&
	    digit_value(char_at(s, at + 2)) < 16)
		at += 2;
	t.pos.v = at;
	loop(ENDLESS, value_at, &t, 0);
	return c == '-' ? -t.v : t.v;
}

#include "rt/json.bpf.h"
#include "rt/kernel.bpf.h"
#include "rt/path.bpf.h"
#include "rt/time.bpf.h"
#include "rt/unwind.bpf.h"
#include "rt/go.bpf.h"
#include "rt/pause.bpf.h"
#include "rt/lang.bpf.h"

char _license[] __attribute__((section("license"), used)) = "Dual BSD/GPL";
