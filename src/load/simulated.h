/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * simulated.h: an interpreter as a session's backend.  Programs and maps are made as in a kernel,
 * but nothing fires by itself.  The owner of the session runs the programs.
 */
#ifndef LOAD_SIMULATED_H
#define LOAD_SIMULATED_H

#include "base/vec.h"
#include "bpf/interp.h"
#include "load/backend.h"

struct bpf_code;

/* The backend's data (load.world_data), filled in before the session is loaded. */
struct simulated {
	struct bpf_interp *in; /* borrowed */
	unsigned int ncpus;    /* CPUs of the machine, for values of per-CPU maps */
	/*
	 * Returns the descriptor of an existing map to use; -1: make a new map.  NULL: makes all
	 * maps.
	 */
	int (*find_map)(struct load *l, const struct plan_map *m);
	VEC(struct bpf_code *) code; /* programs, by unit->fd */
};

extern const struct backend backend_simulated;

#endif
