/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gzip.h: compression of files for other viewers (RFC 1952).
 */
#ifndef CHART_GZIP_H
#define CHART_GZIP_H

#include <stddef.h>

struct buf;

/* Appends n bytes to a buffer as a gzip file.  Equal bytes give equal files. */
void gzip_put(struct buf *to, const void *bytes, size_t n);

#endif
