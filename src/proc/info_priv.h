/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * info_priv.h: what info.c asks of those who read one format each.
 */
#ifndef PROC_INFO_PRIV_H
#define PROC_INFO_PRIV_H

#include "proc/image.h"
#include "proc/info.h"

struct btf_info;
struct buf;
struct dwarf;

bool dwarf_function(struct dwarf *d, uint64_t addr, info_list *params, info_ref *result);
void dwarf_type(struct dwarf *d, info_ref ref, struct info_type *res);
void dwarf_members(struct dwarf *d, info_ref ref, info_list *list);

/* Of these bytes; NULL: they are not BTF. */
struct btf_info *btf_info_open(const void *data, size_t size);
void btf_info_close(struct btf_info *in); /* NULL is allowed */
bool btf_info_function(struct btf_info *in, const char *symbol, info_list *params,
		       info_ref *result);
void btf_info_type(struct btf_info *in, info_ref ref, struct info_type *res);
void btf_info_members(struct btf_info *in, info_ref ref, info_list *list);

/* The CTF of a file, as BTF.  False: it has none, or there is no library that reads it. */
bool ctf_to_btf(const struct image *im, struct buf *to);

#endif
