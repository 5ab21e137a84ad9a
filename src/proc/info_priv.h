/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * info_priv.h: the interface between info.c and the readers of the formats.
 */
#ifndef PROC_INFO_PRIV_H
#define PROC_INFO_PRIV_H

#include "proc/image.h"
#include "proc/info.h"

struct btf_info;
struct buf;
struct debug_dir;

/* Opens these bytes; NULL: they are not BTF. */
struct btf_info *btf_info_open(const void *data, size_t size);
void btf_info_close(struct btf_info *in); /* NULL is allowed */
bool btf_info_function(struct btf_info *in, const char *symbol, struct info_function *res);
void btf_info_type(struct btf_info *in, info_ref ref, struct info_type *res);
void btf_info_members(struct btf_info *in, info_ref ref, info_list *list);
info_ref btf_info_find(struct btf_info *in, const char *name, bool *is_ambiguous);
bool btf_info_variable(struct btf_info *in, const char *symbol, info_ref *type);

/*
 * Splits the name of a type for info_find(): returns the name without the tag, and sets *tag to
 * "struct", "union", "enum", or "" if there is none.
 */
const char *info_untag(const char *name, const char **tag);

/* Returns the tag of such types, or "". */
const char *info_tag(enum info_kind kind);

/*
 * Converts the CTF of a file to BTF.  PATH is for messages.  Returns false if the file has none, no
 * library can read it, or the library has failed (debug_failed()).
 */
bool ctf_to_btf(const struct image *im, const char *path, struct debug_dir *dir, struct buf *to);

#endif
