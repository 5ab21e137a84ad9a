/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proto.h: messages of Protocol Buffers, as bytes (the documentation's "Encoding"): written field
 * by field, by number; messages in messages are opened and closed.
 */
#ifndef OUT_PROTO_H
#define OUT_PROTO_H

#include <stddef.h>
#include <stdint.h>

struct buf;

#define PROTO_DEPTH 16

struct proto {
	struct buf *b; /* not owned; the message is behind what was in it */
	unsigned int depth;
	size_t open[PROTO_DEPTH]; /* where what is open begins */
};

void proto_open(struct proto *p, unsigned int field);
void proto_close(struct proto *p);

/* Any integer, bool or enumerator; n bytes of text, of which what is no UTF-8 is replaced. */
void proto_uint(struct proto *p, unsigned int field, uint64_t v);
void proto_text(struct proto *p, unsigned int field, const char *s, size_t n);

/* fixed64, sfixed64; double. */
void proto_fixed(struct proto *p, unsigned int field, uint64_t v);
void proto_double(struct proto *p, unsigned int field, double v);

/* An element of a repeated field of one of these types, which is open: they are packed. */
void proto_packed(struct proto *p, uint64_t v);
void proto_packed_double(struct proto *p, double v);

/*
 * Read a field: at *s, before end.  Its number and, in *text and *n, its bytes, or *text NULL and
 * its value in *n.  0: there is none, or it is damaged.
 */
unsigned int proto_next(const char **s, const char *end, const char **text, uint64_t *n);

#endif
