/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf.h: the layout of BTF files (Documentation/bpf/btf.rst).
 */
#ifndef BASE_BTF_H
#define BASE_BTF_H

#include <bpf/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The parts of a file.  They point into it. */
struct btf_parts {
	const char *types;
	size_t len; /* bytes of the types */
	const char *strs;
	uint32_t str_len;
	size_t size; /* up to the end of both parts; more may follow */
};

/*
 * Finds the parts.  Returns false if the file is no BTF, or if parts lie outside of it.  data may
 * have any alignment.
 */
bool btf_parts_of(struct btf_parts *p, const void *data, size_t size);

/* Returns the bytes of a type in the file.  Reads only its head. */
size_t btf_bytes_of(const struct btf_type *t);

#endif
