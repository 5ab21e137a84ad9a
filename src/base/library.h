/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * library.h: libraries that are loaded on first use, so that the program starts without them.
 *
 *     #define FUNCTIONS(X) X(cs_open) X(cs_close)
 *
 *     struct library { void *lib; LIBRARY_MEMBERS(FUNCTIONS) } *l;
 *
 *     if (!library_open(l, "libcapstone.so.4", FUNCTIONS)) ...
 *     l->cs_close(...);
 *     library_close(l);
 */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#define LIBRARY_MEMBER_(f)	   typeof(f) *f;
#define LIBRARY_MEMBERS(FUNCTIONS) FUNCTIONS(LIBRARY_MEMBER_)

/*
 * Returns false if the library is not installed, or lacks one of the functions.  Call
 * library_close() in any case.
 */
#define LIBRARY_FIND_(f) has_all_ = has_all_ && (l_->f = (typeof(f) *)dlsym(l_->lib, #f)) != NULL;
#define library_open(l, name, FUNCTIONS)                       \
	({                                                     \
		typeof(l) l_ = (l);                            \
		bool has_all_;                                 \
                                                               \
		l_->lib = dlopen(name, RTLD_NOW | RTLD_LOCAL); \
		has_all_ = l_->lib != NULL;                    \
		FUNCTIONS(LIBRARY_FIND_)                       \
		has_all_;                                      \
	})

#define library_close(l)                   \
	do {                               \
		if ((l)->lib)              \
			dlclose((l)->lib); \
	} while (0)

#endif
