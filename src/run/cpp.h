/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpp.h: the C preprocessor over scripts (-C).
 */
#ifndef RUN_CPP_H
#define RUN_CPP_H

struct compile;
struct source;

/*
 * Replace the text of a script by what the preprocessor makes of it, in the arena.  Line
 * markers in it give the original positions.  NULL, or the reason of the failure.
 */
const char *cpp_run(struct compile *comp, struct source *src);

#endif
