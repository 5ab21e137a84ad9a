/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * simulated.h: an interpreter as a session's world.  Programs are loaded and maps made as in a
 * kernel, but nothing fires of itself: who owns the session runs the programs.
 */
#ifndef RUN_SIMULATED_H
#define RUN_SIMULATED_H

#include "base/vec.h"
#include "bpf/interp.h"
#include "run/world.h"

struct bpf_code;

/* The world's data (load.world_data), to be filled in before the session is loaded. */
struct simulated {
	struct bpf_interp *in; /* borrowed */
	unsigned int ncpus;    /* of the machine: values of a per-CPU map */
	/* A map that is there already, by its descriptor; -1: a new one is made.  NULL: always. */
	int (*find_map)(struct load *l, const struct plan_map *m);
	VEC(struct bpf_code *) code; /* of the programs, by unit->fd */
};

extern const struct world world_simulated;

#endif
