/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * demangle.h: names of functions as their source has them.
 */
#ifndef PROC_DEMANGLE_H
#define PROC_DEMANGLE_H

#include "base/map.h"

struct arena;

/*
 * "_ZN3foo3barEi" is "foo::bar(int)", and names of Rust likewise; others are themselves, as are
 * those that would become longer than anyone wants to read.  Texts are in the arena, and remembered
 * in known.
 */
const char *demangle(struct map *known, struct arena *a, const char *name);

#endif
