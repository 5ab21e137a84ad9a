/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libs.h: the D libraries in the executable, generated from dlib/ when dtrace is built.
 */
#ifndef COMPILE_LIBS_H
#define COMPILE_LIBS_H

#include "lang/index.h"

struct dlib_file {
	const char *name, *text;
	unsigned int len;
	struct lang_index index;
};

extern const struct dlib_file dlib_files[];
extern const unsigned int dlib_count;

#endif
