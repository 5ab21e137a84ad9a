/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * version.h: versions of the D language as texts and as numbers that can be compared.
 */
#ifndef LANG_VERSION_H
#define LANG_VERSION_H

#include <stdbool.h>
#include <stdint.h>

#define VERSION_LATEST "1.14"

/* Parses "1.6.3" to 0xMMmmmuuu.  Returns false unless it has two or three numbers in range. */
bool version_parse(const char *s, uint32_t *v);

/* Returns true if the version has been published. */
bool version_is_known(uint32_t v);

/* Returns the version that introduced a built-in name; NULL: the first version. */
const char *version_since(const char *name);

#endif
