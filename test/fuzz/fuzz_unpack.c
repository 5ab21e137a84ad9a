/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_unpack.c: any bytes as a compressed part of a file.  The first byte chooses the format.  The
 * result never exceeds its limit.
 */
#include <stdlib.h>

#include "proc/unpack.h"

#define MAX 100000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct unpack_xz *xz;
	struct buf b = {0};

	if (!xz)
		xz = unpack_xz_open();
	if (!xz || !size)
		return 0;
	unpack_bytes(xz, *data & 1 ? UNPACK_XZ : UNPACK_ZLIB, (const char *)data + 1, size - 1, MAX,
		     &b);
	if (b.n > MAX)
		abort();
	buf_free(&b);
	return 0;
}
