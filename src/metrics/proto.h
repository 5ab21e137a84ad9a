/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proto.h: messages of Protocol Buffers as bytes (the documentation's "Encoding"), written field by
 * field, by number.  Inner messages are opened and closed.
 */
#ifndef METRICS_PROTO_H
#define METRICS_PROTO_H

#include <stddef.h>
#include <stdint.h>

struct buf;

#define PROTO_DEPTH 16

struct proto {
	struct buf *b; /* not owned; the message follows its old contents */
	unsigned int depth;
	size_t open[PROTO_DEPTH]; /* start of each open message */
};

void proto_open(struct proto *p, unsigned int field);
void proto_close(struct proto *p);

/* Write any integer, bool or enumerator; n bytes; n bytes of text, with bytes that are not UTF-8
 * replaced. */
void proto_uint(struct proto *p, unsigned int field, uint64_t v);
void proto_bytes(struct proto *p, unsigned int field, const void *s, size_t n);
void proto_text(struct proto *p, unsigned int field, const char *s, size_t n);

/* fixed64, sfixed64; double. */
void proto_fixed(struct proto *p, unsigned int field, uint64_t v);
void proto_double(struct proto *p, unsigned int field, double v);

/* Write an element of the open repeated field of one of these types.  Such fields are packed. */
void proto_packed(struct proto *p, uint64_t v);
void proto_packed_double(struct proto *p, double v);

/* Reads the field at *s, before end, and returns its number; 0: no field, or damaged.  *text and *n
 * get its bytes; or *text is NULL and *n is its value. */
unsigned int proto_next(const char **s, const char *end, const char **text, uint64_t *n);

#endif
