/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf.h: the layout of BTF (Documentation/bpf/btf.rst), whoever's file it is.
 */
#ifndef BASE_BTF_H
#define BASE_BTF_H

#include <bpf/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The parts of a file, which lie in it. */
struct btf_parts {
	const char *types;
	size_t len; /* of them, bytes */
	const char *strs;
	uint32_t str_len;
	size_t size; /* up to the end of both; more may follow */
};

/* False: this is none, or it says that parts lie outside of it.  data may lie anywhere. */
bool btf_parts_of(struct btf_parts *p, const void *data, size_t size);

/* Bytes of a type in the file; only its head is looked at. */
size_t btf_bytes_of(const struct btf_type *t);

#endif
