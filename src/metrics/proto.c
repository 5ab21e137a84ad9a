/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proto.c: see proto.h.
 *
 * The length of a message precedes it.  The writer leaves room and fills it in when the message is
 * closed: a length of five bytes with continuation bits equals the shorter form.
 */
#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "print/out.h"
#include "metrics/proto.h"

/* Wire types. */
enum { VARINT = 0, I64 = 1, LEN = 2, I32 = 5 };

#define LENGTH_BYTES 5
#define VARINT_MAX   10 /* bytes */

static void put_varint(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_putc(b, (char)(v | 0x80));
	buf_putc(b, (char)v);
}

static void put_tag(struct proto *p, unsigned int field, unsigned int type)
{
	put_varint(p->b, (uint64_t)field << 3 | type);
}

void proto_open(struct proto *p, unsigned int field)
{
	assert(p->depth < PROTO_DEPTH);
	put_tag(p, field, LEN);
	buf_pad(p->b, 0, LENGTH_BYTES);
	p->open[p->depth++] = p->b->n;
}

void proto_close(struct proto *p)
{
	size_t begin = p->open[--p->depth], n = p->b->n - begin;

	for (unsigned int i = 0; i < LENGTH_BYTES; i++, n >>= 7)
		p->b->s[begin - LENGTH_BYTES + i] =
		    (char)((n & 0x7f) | (i < LENGTH_BYTES - 1 ? 0x80 : 0));
}

void proto_uint(struct proto *p, unsigned int field, uint64_t v)
{
	put_tag(p, field, VARINT);
	put_varint(p->b, v);
}

void proto_bytes(struct proto *p, unsigned int field, const void *s, size_t n)
{
	put_tag(p, field, LEN);
	put_varint(p->b, n);
	buf_add(p->b, s, n);
}

void proto_text(struct proto *p, unsigned int field, const char *s, size_t n)
{
	proto_open(p, field);
	for (size_t i = 0; i < n;) {
		size_t len = out_utf8_len(s + i, n - i);

		if (len)
			buf_add(p->b, s + i, len);
		else
			buf_puts(p->b, "\xef\xbf\xbd"); /* U+FFFD */
		i += len ? len : 1;
	}
	proto_close(p);
}

void proto_packed(struct proto *p, uint64_t v)
{
	char bytes[8];

	for (unsigned int i = 0; i < sizeof(bytes); i++, v >>= 8)
		bytes[i] = (char)v;
	buf_add(p->b, bytes, sizeof(bytes));
}

void proto_packed_double(struct proto *p, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	proto_packed(p, bits);
}

void proto_fixed(struct proto *p, unsigned int field, uint64_t v)
{
	put_tag(p, field, I64);
	proto_packed(p, v);
}

void proto_double(struct proto *p, unsigned int field, double v)
{
	put_tag(p, field, I64);
	proto_packed_double(p, v);
}

/* ---- reading ---- */

static bool take_varint(const char **s, const char *end, uint64_t *v)
{
	*v = 0;
	for (unsigned int i = 0; i < VARINT_MAX && *s < end; i++) {
		unsigned char c = (unsigned char)*(*s)++;

		*v |= (uint64_t)(c & 0x7f) << (7 * i);
		if (!(c & 0x80))
			return true;
	}
	return false;
}

static bool take_fixed(const char **s, const char *end, unsigned int size, uint64_t *v)
{
	if ((size_t)(end - *s) < size)
		return false;
	*v = 0;
	for (unsigned int i = 0; i < size; i++)
		*v |= (uint64_t)(unsigned char)*(*s)++ << (8 * i);
	return true;
}

static bool take_bytes(const char **s, const char *end, const char **text, uint64_t *n)
{
	if (!take_varint(s, end, n) || *n > (size_t)(end - *s))
		return false;
	*text = *s;
	*s += *n;
	return true;
}

unsigned int proto_next(const char **s, const char *end, const char **text, uint64_t *n)
{
	uint64_t tag;
	bool ok = take_varint(s, end, &tag) && tag >> 3 <= UINT32_MAX >> 3;

	*text = NULL;
	if (!ok)
		return 0;
	switch (tag & 7) {
	case VARINT:
		ok = take_varint(s, end, n);
		break;
	case I64:
		ok = take_fixed(s, end, 8, n);
		break;
	case I32:
		ok = take_fixed(s, end, 4, n);
		break;
	case LEN:
		ok = take_bytes(s, end, text, n);
		break;
	default:
		ok = false;
	}
	return ok ? (unsigned int)(tag >> 3) : 0;
}
