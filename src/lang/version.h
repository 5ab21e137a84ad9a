/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * version.h: versions of the D language as texts and as numbers that can be compared.
 */
#ifndef LANG_VERSION_H
#define LANG_VERSION_H

#include <stdbool.h>
#include <stdint.h>

#define VERSION_LATEST "1.14"

/* "1.6.3" as 0xMMmmmuuu.  False: not two or three numbers, or one of them too large. */
bool version_parse(const char *s, uint32_t *v);

/* Is it one of the versions there have been? */
bool version_is_known(uint32_t v);

/* The version that brought a built-in name; NULL: it has always been there. */
const char *version_since(const char *name);

#endif
