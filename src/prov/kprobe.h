/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kprobe.h: one program at many places of the kernel.  The cookie of a place identifies it.
 */
#ifndef PROV_KPROBE_H
#define PROV_KPROBE_H

#include "base/vec.h"
#include "lower/leaf.h"

struct kprobe {
	uint64_t addr;
	uint64_t cookie;
	const struct probe *probe; /* for messages */
	bool is_optional;	   /* left out if the kernel refuses it */
};

typedef VEC(struct kprobe) kprobe_list;

/*
 * Returns true if the probe is in a function that takes and releases spin locks, such as the ring
 * buffer's: provider.is_in_ring.
 */
bool kprobe_in_ring(const struct probe *p);

/* Sets the type of the unit's program.  is_func: all places are whole functions. */
void kprobe_program(struct plan *plan, struct unit *u, bool is_func);

/*
 * Attaches the unit's program to all places; is_return: to the returns of functions.  Returns
 * -errno with *err if the kernel refuses a place that is not optional, or all places.
 */
int kprobe_attach(struct plan *plan, struct unit *u, const kprobe_list *list, bool is_return,
		  const char **err);

#endif
