/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * demangle.h: names of functions as in their source.
 */
#ifndef PROC_DEMANGLE_H
#define PROC_DEMANGLE_H

#include "base/map.h"

struct arena;

/*
 * Returns "foo::bar(int)" for "_ZN3foo3barEi", and does the same for names of Rust.  Other names,
 * and names with too long a result, are returned unchanged.  The arena owns the texts, and KNOWN
 * caches them.
 */
const char *demangle(struct map *known, struct arena *a, const char *name);

#endif
