/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpp.h: the C preprocessor for scripts (-C).
 */
#ifndef COMPILE_CPP_H
#define COMPILE_CPP_H

struct compile;
struct source;

/*
 * Replaces the text of a script by the output of the preprocessor, in the arena.  Line markers give
 * the original positions.  Returns NULL, or the reason of the failure.
 */
const char *cpp_run(struct compile *comp, struct source *src);

#endif
