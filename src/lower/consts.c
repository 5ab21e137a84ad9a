/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * consts.c: constants of one program: literals, tables, runs of zeros.  They become a part of
 * MAP_RODATA, where strsize bytes are readable after the start of each string.  Equal constants are
 * stored once.
 */
#include <assert.h>

#include "base/arena.h"
#include "base/map.h"
#include "lower/leaf.h"

struct consts {
	struct buf *bytes;
	struct map *known;	/* bytes -> offset + 1 */
	uint32_t zeros, nzeros; /* offset and size of the largest run of zeros */
};

struct consts *consts_new(struct arena *a, struct buf *bytes)
{
	struct consts *c = arena_new_obj(a, struct consts);

	c->bytes = bytes;
	c->known = map_new();
	return c;
}

void consts_free(struct consts *c)
{
	map_free(c->known);
}

uint32_t lw_bytes(struct lw *lw, const void *p, uint32_t n, uint32_t align)
{
	struct consts *c = lw->consts;
	uintptr_t off = (uintptr_t)map_get(c->known, p, n);

	assert(align && (align & (align - 1)) == 0);
	if (!off || (off - 1) & (align - 1)) {
		buf_pad(c->bytes, '\0', -c->bytes->n & (align - 1));
		off = c->bytes->n + 1;
		buf_add(c->bytes, p, n);
		buf_putc(c->bytes, '\0');
		map_set(c->known, p, n, (void *)off);
	}
	return (uint32_t)off - 1;
}

uint32_t lw_zeros(struct lw *lw, uint32_t n)
{
	struct consts *c = lw->consts;

	if (n > c->nzeros) {
		buf_pad(c->bytes, '\0', -c->bytes->n & 7);
		c->zeros = (uint32_t)c->bytes->n;
		c->nzeros = n;
		buf_pad(c->bytes, '\0', n);
	}
	return c->zeros;
}
