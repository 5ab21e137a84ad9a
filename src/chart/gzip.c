/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gzip.c: see gzip.h.
 *
 * Sizes of zlib's structure are 32 bits wide, so input and output move in pieces.
 */
#include <assert.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "chart/gzip.h"

#define PIECE	 65536U
#define GZIP	 16 /* added to the window bits: gzip instead of zlib format (zlib.h, deflateInit2) */
#define MEMLEVEL 8 /* zlib's default (zlib.h, deflateInit2) */

static void *allocate(void *ctx, unsigned int n, unsigned int size)
{
	return mem_alloc((size_t)n * size);
}

static void release(void *ctx, void *p)
{
	mem_free(p);
}

void gzip_put(struct buf *to, const void *bytes, size_t n)
{
	z_stream z = {.next_in = (Bytef *)bytes, .zalloc = allocate, .zfree = release};
	unsigned char piece[PIECE];
	int status = deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP, MEMLEVEL,
				  Z_DEFAULT_STRATEGY);

	assert(status == Z_OK);
	while (status != Z_STREAM_END) {
		if (!z.avail_in) {
			z.avail_in = n < PIECE ? (uInt)n : PIECE;
			n -= z.avail_in;
		}
		z.next_out = piece;
		z.avail_out = PIECE;
		status = deflate(&z, n ? Z_NO_FLUSH : Z_FINISH);
		assert(status == Z_OK || status == Z_STREAM_END);
		buf_add(to, piece, PIECE - z.avail_out);
	}
	deflateEnd(&z);
}
