/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * load.h: planned units in a kernel: code, maps, programs, links.  It knows neither where the units
 * come from nor what becomes of the records.
 */
#ifndef RUN_LOAD_H
#define RUN_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"

struct arena;
struct plan;
struct opts;
struct report;
struct unit;
struct world;

struct load {
	/* Input; borrowed. */
	struct arena *arena;
	struct plan *plan; /* the plan */
	const struct opts *opts;
	const struct report *report;
	const struct world *world; /* the kernel */
	void *world_data;	   /* its own */
	void (*record)(void *ctx, const void *data, size_t len);
	void *ctx;

	struct unit *const *units;
	unsigned int nunits;

	/* Results. */
	struct buf consts;     /* of all programs */
	uint32_t scratch_size; /* the most that a program needs */
	bool keeps_addresses;  /* see struct lowered */
	struct unit *begin, *end;
	VEC(int) fds;	   /* of plan->maps */
	VEC(int) own_maps; /* of programs that were loaded in another way, or later */
	void *state;	   /* struct abi_state, mapped */
	void *memory;	   /* MAP_KEPT, mapped; NULL: it is not used */
	/* Descriptors of later.c and exporter.c that end a wait when readable; -1: none. */
	int wake_fd, serve_fd;
	uint64_t drain_due; /* when to stop reading it and look at the rest (load_clock) */
	unsigned int ndrained;
};

/* The largest ring buffer that the kernel makes, for all CPUs (kernel/bpf/ringbuf.c). */
#define LOAD_RING_MAX (1U << 30)

/* Code of all units, which is printed if that is asked for; the kernel sees none of it. */
bool load_translate(struct load *l, struct unit *const *units, unsigned int n);

/* The same, loaded and attached; nothing fires yet.  False: errors were printed, or a signal came.
 */
bool load_units(struct load *l, struct unit *const *units, unsigned int n);

/*
 * Units that came behind the others, while tracing goes on: there are n now.  False: some could not
 * be, and errors were printed.
 */
bool load_more(struct load *l, struct unit *const *units, unsigned int n);

/* Detach and give back everything. */
void load_close(struct load *l);

/* CLOCK_MONOTONIC in ns. */
uint64_t load_clock(void);

/* Returns the difference from CLOCK_MONOTONIC to the time of day in ns. */
int64_t load_wall(void);

/* Let the programs add this. */
void load_set_wall(struct load *l, int64_t offset);

#endif
