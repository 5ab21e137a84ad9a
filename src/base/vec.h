/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vec.h: growable arrays.  VEC(int) v = { 0 }; vec_push(&v, 3); v.a[i], v.n; vec_free(&v).
 * Elements move when the array grows: keep indexes, not pointers.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/torture.h"

#define VEC_FIRST TORTURE_OR(1, 8)

#define VEC(type)                    \
	struct {                     \
		type *a;             \
		unsigned int n, cap; \
	}

/* Returns the room of an array that had `cap` and needs `want`. */
static inline unsigned int vec_cap(unsigned int cap, unsigned int want)
{
	unsigned int most = want < 2 * cap ? 2 * cap : want;

	return most < VEC_FIRST ? VEC_FIRST : most;
}

#define vec_reserve(v, want)                                                     \
	do {                                                                     \
		if ((v)->cap < (want)) {                                         \
			unsigned int new_cap = vec_cap((v)->cap, want);          \
                                                                                 \
			(v)->a = mem_realloc((v)->a, new_cap * sizeof(*(v)->a)); \
			(v)->cap = new_cap;                                      \
		}                                                                \
	} while (0)

#define vec_push(v, x)                      \
	do {                                \
		vec_reserve(v, (v)->n + 1); \
		(v)->a[(v)->n++] = (x);     \
	} while (0)

#define vec_pop(v)  ((v)->a[--(v)->n])
#define vec_last(v) ((v)->a[(v)->n - 1])

/*
 * Returns the number of the first element whose member, a uint64_t, is not below key; the number of
 * elements if there is none.  They are sorted by that member.
 */
#define vec_first(v, member, key) \
	vec_search((v)->a, (v)->n, sizeof(*(v)->a), offsetof(__typeof__(*(v)->a), member), key)

/* Does the same for the first element whose member is above key. */
#define vec_after(v, member, key) ((key) == UINT64_MAX ? (v)->n : vec_first(v, member, (key) + 1))

static inline unsigned int vec_search(const void *a, unsigned int n, size_t size, size_t off,
				      uint64_t key)
{
	unsigned int lo = 0, hi = n;

	while (lo < hi) {
		unsigned int mid = lo + (hi - lo) / 2;

		if (*(const uint64_t *)((const char *)a + mid * size + off) < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

#define vec_free(v)                    \
	do {                           \
		mem_free((v)->a);      \
		(v)->a = NULL;         \
		(v)->n = (v)->cap = 0; \
	} while (0)

#endif
