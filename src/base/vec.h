/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vec.h: growable arrays.  VEC(int) v = { 0 }; vec_push(&v, 3); v.a[i], v.n; vec_free(&v).
 * Elements move when the array grows: keep indexes, not pointers.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/mem.h"
#include "base/torture.h"

#define VEC_FIRST TORTURE_OR(1, 8)

#define VEC(type)                    \
	struct {                     \
		type *a;             \
		unsigned int n, cap; \
	}

#define vec_reserve(v, want)                                                      \
	do {                                                                      \
		if ((v)->cap < (want)) {                                          \
			(v)->cap = (want) < 2 * (v)->cap ? 2 * (v)->cap : (want); \
			(v)->cap = (v)->cap < VEC_FIRST ? VEC_FIRST : (v)->cap;   \
			(v)->a = mem_realloc((v)->a, (v)->cap * sizeof(*(v)->a)); \
		}                                                                 \
	} while (0)

#define vec_push(v, x)                      \
	do {                                \
		vec_reserve(v, (v)->n + 1); \
		(v)->a[(v)->n++] = (x);     \
	} while (0)

#define vec_pop(v)  ((v)->a[--(v)->n])
#define vec_last(v) ((v)->a[(v)->n - 1])

#define vec_free(v)                    \
	do {                           \
		mem_free((v)->a);      \
		(v)->a = NULL;         \
		(v)->n = (v)->cap = 0; \
	} while (0)

#endif
