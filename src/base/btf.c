/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf.c: header and sizes of BTF.
 */
#include <string.h>

#include "base/btf.h"

bool btf_parts_of(struct btf_parts *p, const void *data, size_t size)
{
	struct btf_header h;
	size_t types, strs;

	if (size < sizeof(h))
		return false;
	memcpy(&h, data, sizeof(h));
	if (h.magic != BTF_MAGIC || h.version != BTF_VERSION)
		return false;
	types = (size_t)h.hdr_len + h.type_off;
	strs = (size_t)h.hdr_len + h.str_off;
	if (types + h.type_len > size || strs + h.str_len > size || !h.str_len || types % 4)
		return false;
	p->types = (const char *)data + types;
	p->len = h.type_len;
	p->strs = (const char *)data + strs;
	p->str_len = h.str_len;
	p->size = types + p->len > strs + p->str_len ? types + p->len : strs + p->str_len;
	return p->strs[p->str_len - 1] == '\0';
}

size_t btf_bytes_of(const struct btf_type *t)
{
	size_t n = btf_vlen(t), size = sizeof(*t);

	switch (btf_kind(t)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return size + 4;
	case BTF_KIND_ARRAY:
		return size + sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return size + n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return size + n * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return size + n * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return size + n * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return size + n * sizeof(struct btf_var_secinfo);
	default:
		return size;
	}
}
