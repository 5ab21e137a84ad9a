/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rt.bpf.c: the run-time library: what string subroutines share.  Compiled once when dtrace is built
 * and linked into the programs that call it.
 *
 * Every function is global: the verifier checks it once, alone, whatever calls it.  It therefore
 * knows its parameters only by their BTF types: numbers, and pointers to struct str, which stands for
 * strsize bytes of readable and writable memory, possibly NULL.  Strings end with a NUL within these
 * bytes.  Loops run over strsize() and so have a bound that the verifier knows.
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

/* One character at *pos, if there is room for it and a NUL. */
static inline __attribute__((always_inline)) u64 put(struct str *dst, u64 pos, u64 c)
{
	if (pos + 1 < strsize()) {
		dst->b[pos] = (char)c;
		pos++;
	}
	return pos;
}

static inline __attribute__((always_inline)) u64 end(struct str *dst, u64 pos)
{
	if (pos < strsize())
		dst->b[pos] = 0;
	return pos;
}

/* A number 0..255 in decimal. */
static inline __attribute__((always_inline)) u64 put_byte(struct str *dst, u64 pos, u64 v)
{
	if (v >= 100)
		pos = put(dst, pos, '0' + v / 100);
	if (v >= 10)
		pos = put(dst, pos, '0' + v / 10 % 10);
	return put(dst, pos, '0' + v % 10);
}

/* IPv4 address, network order in memory (least significant byte first here), as text. */
RT u64 rt_inet_ntoa(struct str *dst, u64 addr)
{
	u64 pos = 0;

	if (!dst)
		return 0;
	for (int i = 0; i < 4; i++) {
		if (i)
			pos = put(dst, pos, '.');
		pos = put_byte(dst, pos, addr >> i * 8 & 0xff);
	}
	return end(dst, pos);
}

/* Start and length of the longest run of zero groups; groups: bit i set = group i is 0. */
static inline __attribute__((always_inline)) u64 longest_run(u64 zeros, u64 min)
{
	u64 best = 0, len = 0, start = 0, run = 0;

	for (int i = 0; i < 8; i++) {
		if (zeros >> i & 1) {
			run++;
			if (run > len) {
				len = run;
				start = i + 1 - run;
			}
		} else {
			run = 0;
		}
	}
	if (len >= min)
		best = start << 8 | len;
	return best;
}

static inline __attribute__((always_inline)) u64 put_hex(struct str *dst, u64 pos, u64 v)
{
	int on = 0;

	for (int shift = 12; shift >= 0; shift -= 4) {
		u64 d = v >> shift & 15;

		if (d || shift == 0)
			on = 1;
		if (on)
			pos = put(dst, pos, d < 10 ? '0' + d : 'a' - 10 + d);
	}
	return pos;
}

enum { INET6_PREFIX = 1, INET6_COMPAT = 2 };

/*
 * IPv6 address: its bytes 0..7 and 8..15 as loaded from memory.  flags: INET6_PREFIX keeps the ::ffff:
 * in front of a mapped IPv4 address, INET6_COMPAT prints compatible addresses as IPv4 too.
 */
RT u64 rt_inet_ntoa6(struct str *dst, u64 hi, u64 lo, u64 flags)
{
	u64 zeros = 0, run, pos = 0, start, len;
	u32 last = lo >> 32;

	if (!dst)
		return 0;
	for (int i = 0; i < 8; i++) {
		u64 w = i < 4 ? hi : lo;

		if ((w >> (i & 3) * 16 & 0xffff) == 0)
			zeros |= 1ULL << i;
	}
	if (!hi && ((u32)lo == 0xffff0000 || (flags & INET6_COMPAT && !(u32)lo && last && last != 0x01000000))) {
		if (flags & INET6_PREFIX) {
			const char *p = "::ffff:";

			pos = put(dst, pos, ':');
			pos = put(dst, pos, ':');
			if ((u32)lo) {
				for (int i = 0; i < 4; i++)
					pos = put(dst, pos, 'f');
				pos = put(dst, pos, ':');
			}
		}
		for (int i = 0; i < 4; i++) {
			if (i)
				pos = put(dst, pos, '.');
			pos = put_byte(dst, pos, last >> i * 8 & 0xff);
		}
		return end(dst, pos);
	}
	run = longest_run(zeros, 2);
	start = run >> 8;
	len = run & 0xff;
	for (u64 i = 0; i < 8; i++) {
		u64 w = i < 4 ? hi : lo, v = w >> (i & 3) * 16 & 0xffff;

		if (len && i >= start && i < start + len) {
			if (i == start)
				pos = put(dst, pos, ':');
			if (i == 7)
				pos = put(dst, pos, ':');
			continue;
		}
		if (i)
			pos = put(dst, pos, ':');
		pos = put_hex(dst, pos, v >> 8 | (v & 0xff) << 8);
	}
	return end(dst, pos);
}

/* A number in a base 2..36; base 16 gets 0x, base 8 gets 0; negative only in base 10. */
RT u64 rt_lltostr(struct str *dst, u64 v, u64 base)
{
	u64 neg = base == 10 && (s64)v < 0, n = 0, t, pos = 0, prefix = 0;

	if (!dst || base < 2 || base > 36)
		return 0;
	if (neg)
		v = -v;
	t = v;
	for (int i = 0; i < 64; i++) {
		n++;
		t /= base;
		if (!t)
			break;
	}
	if (base == 16)
		prefix = 2;
	if (base == 8 && v)
		prefix = 1;
	pos = n + neg + prefix;
	OPAQUE(pos);
	if (pos >= strsize())
		return 0;
	dst->b[pos] = 0;
	t = pos;
	for (int i = 0; i < 64; i++) {
		u64 d = v % base;

		pos--;
		if (pos >= strsize())
			break;
		dst->b[pos] = d < 10 ? '0' + d : 'a' - 10 + d;
		v /= base;
		if (!v)
			break;
	}
	if (neg)
		dst->b[0] = '-';
	if (prefix)
		dst->b[0] = '0';
	if (prefix == 2 && strsize() > 1)
		dst->b[1] = 'x';
	return t;
}

/* Part of src from `from` on, at most n bytes, to the front of dst. */
static inline __attribute__((always_inline)) u64 cut(struct str *dst, struct str *src, u64 from, u64 n)
{
	u64 max = strsize(), pos = 0;

	for (u64 i = 0; i < max; i++) {
		u64 at = from + i, c;

		OPAQUE(at);
		if (i >= n || at >= max)
			break;
		c = (u8)src->b[at];
		if (!c)
			break;
		dst->b[i] = (char)c;
		pos = i + 1;
	}
	OPAQUE(pos);
	if (pos >= max)
		pos = max - 1;
	dst->b[pos] = 0;
	return pos;
}

/* Offsets of the last component: start << 16 | end, trailing slashes left out. */
static inline __attribute__((always_inline)) u64 last_component(struct str *s, u64 *cut_at)
{
	u64 max = strsize(), start = 0, stop = 0, prev_stop = 0, slash = 1, any = 0;

	for (u64 i = 0; i < max; i++) {
		u64 c = (u8)s->b[i];

		if (!c)
			break;
		any = 1;
		if (c == '/') {
			slash = 1;
		} else {
			if (slash) {
				prev_stop = stop;
				start = i;
			}
			slash = 0;
			stop = i + 1;
		}
	}
	*cut_at = prev_stop;
	if (!any)
		return ~0ULL;
	return start << 32 | stop;
}

RT u64 rt_basename(struct str *dst, struct str *src)
{
	u64 c, prev, stop;

	if (!dst || !src)
		return 0;
	c = last_component(src, &prev);
	stop = c & 0xffffffff;
	if (c == ~0ULL || !stop) {
		dst->b[0] = c == ~0ULL ? '.' : '/';
		if (strsize() > 1)
			dst->b[1] = 0;
		return 1;
	}
	return cut(dst, src, c >> 32, stop - (c >> 32));
}

RT u64 rt_dirname(struct str *dst, struct str *src)
{
	u64 c, prev, start;

	if (!dst || !src)
		return 0;
	c = last_component(src, &prev);
	start = c >> 32;
	if (c == ~0ULL || (!start && (c & 0xffffffff))) {
		dst->b[0] = '.';
	} else if (!prev) {
		dst->b[0] = '/';
	} else {
		return cut(dst, src, 0, prev);
	}
	if (strsize() > 1)
		dst->b[1] = 0;
	return 1;
}

/* substr(s, start, n) of D; n: all is 1 << 62. */
RT u64 rt_substr(struct str *dst, struct str *src, u64 ustart, u64 un)
{
	u64 max = strsize(), len = 0;
	s64 start = (s64)ustart, n = (s64)un;

	if (!dst || !src)
		return 0;
	for (u64 i = 0; i < max; i++) {
		if (!src->b[i])
			break;
		len = i + 1;
	}
	OPAQUE(len);
	if (start < 0) {
		start += (s64)len;
		if (start < 0) {
			if (n >= 0)
				n += start;
			if (n < 0 && (s64)un >= 0)
				n = 0;
			start = 0;
		}
	}
	if (n < 0)
		n = (s64)len - start + n;
	if (n < 0 || start >= (s64)len)
		n = 0;
	return cut(dst, src, (u64)start, (u64)n);
}

/* index(s, t, start) and rindex: position or -1. */
RT u64 rt_index(struct str *s, struct str *t, u64 ustart, u64 reverse)
{
	u64 max = strsize(), slen = 0, tlen = 0, found = ~0ULL;
	s64 start = (s64)ustart;

	if (!s || !t)
		return ~0ULL;
	for (u64 i = 0; i < max; i++) {
		if (!s->b[i])
			break;
		slen = i + 1;
	}
	for (u64 i = 0; i < max; i++) {
		if (!t->b[i])
			break;
		tlen = i + 1;
	}
	OPAQUE(slen);
	OPAQUE(tlen);
	if (!reverse) {
		if (start < 0)
			start = 0;
		if (start >= (s64)slen)
			return tlen ? ~0ULL : slen;
	} else {
		if (start < 0)
			return tlen ? ~0ULL : 0;
		if (start > (s64)slen)
			start = (s64)slen;
	}
	/* State of the comparison that starts at `from`: k characters of t have matched. */
	u64 from = reverse ? 0 : (u64)start, k = 0;

	for (u64 i = 0; i < max * 8; i++) {
		u64 at = from + k, kk = k;

		if (k == tlen) {
			if (!reverse)
				return from;
			if ((s64)from <= start)
				found = from;
			from++;
			k = 0;
			if ((s64)from > start)
				break;
			continue;
		}
		OPAQUE(at);
		OPAQUE(kk);
		if (from + tlen > slen || at >= max || kk >= max)
			break;
		if (s->b[at] == t->b[kk]) {
			k++;
		} else {
			from++;
			k = 0;
		}
	}
	return found;
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

/* dst = x followed by y, cut at strsize. */
RT u64 rt_strjoin(struct str *dst, struct str *x, struct str *y)
{
	u64 max = strsize(), pos = 0;

	if (!dst || !x || !y)
		return 0;
	for (u64 i = 0; i < max; i++) {
		char c = x->b[i];

		if (!c)
			break;
		dst->b[i] = c;
		pos = i + 1;
	}
	OPAQUE(pos);
	for (u64 i = 0; i < max; i++) {
		u64 at = pos + i;
		char c = y->b[i];

		OPAQUE(at);
		if (at >= max)
			break;
		dst->b[at] = c;
		if (!c)
			return at;
	}
	dst->b[max - 1] = 0;
	return max - 1;
}

char _license[] __attribute__((section("license"), used)) = "Dual BSD/GPL";
