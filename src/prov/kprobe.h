/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kprobe.h: one program at many places of the kernel, told apart by the cookie that comes with
 * each.
 */
#ifndef PROV_KPROBE_H
#define PROV_KPROBE_H

#include "base/vec.h"
#include "lower/leaf.h"

struct kprobe {
	uint64_t addr;
	uint64_t cookie;
	const struct probe *probe; /* for messages */
	bool is_optional;	   /* left out if the kernel does not take it */
};

typedef VEC(struct kprobe) kprobe_list;

/*
 * Whether the probe is in a function that takes and releases spin locks, such as that of the ring
 * buffer: provider.is_in_ring.
 */
bool kprobe_in_ring(const struct probe *p);

/* Fill in what kind of program the unit's is; is_func: all places are whole functions. */
void kprobe_program(struct plan *plan, struct unit *u, bool is_func);

/*
 * Attach the unit's program to all places, is_return: to where the functions return.  If the
 * kernel does not take one that is not optional, or any at all: -errno and *err.
 */
int kprobe_attach(struct plan *plan, struct unit *u, const kprobe_list *list, bool is_return,
		  const char **err);

#endif
