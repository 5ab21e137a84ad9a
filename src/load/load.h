/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * load.h: loads planned units into a kernel: code, maps, programs, links.  It knows neither where
 * units come from nor how records are consumed.
 */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

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
struct backend;

struct load {
	/* Input; borrowed. */
	struct arena *arena;
	struct plan *plan;
	const struct opts *opts;
	const struct report *report;
	const struct backend *backend; /* the kernel */
	void *backend_data;	       /* owned by the backend */
	void (*record)(void *ctx, const void *data, size_t len);
	void *ctx;

	struct unit *const *units;
	unsigned int nunits;

	/* Results. */
	struct buf consts;     /* of all programs */
	uint32_t scratch_size; /* the maximum of all programs */
	bool keeps_addresses;  /* see struct lowered */
	struct unit *begin, *end;
	VEC(int) fds;	   /* of plan->maps */
	VEC(int) own_maps; /* of programs that were loaded again or during tracing */
	void *state;	   /* struct abi_state, mapped */
	void *memory;	   /* MAP_KEPT, mapped; NULL: not used */
	/* Descriptors of follower.c and exporter.c that end a wait when readable; -1: none. */
	int wake_fd, serve_fd;
	uint64_t drain_due; /* when a drain pauses for other work (clock_ns) */
	unsigned int ndrained;
};

/* The largest ring buffer that the kernel makes, for all CPUs (kernel/bpf/ringbuf.c). */
#define LOAD_RING_MAX (1U << 30)

/* Compiles all units, and prints their code if options say so.  The kernel gets none of it. */
bool load_translate(struct load *l, struct unit *const *units, unsigned int n);

/*
 * Compiles, loads and attaches all units.  No probe fires yet.  Returns false after reporting an
 * error, or after a signal.
 */
bool load_units(struct load *l, struct unit *const *units, unsigned int n);

/*
 * Loads units that were added at the end during tracing.  n: number of all units.  Returns false,
 * with messages, if some could not be loaded.
 */
bool load_more(struct load *l, struct unit *const *units, unsigned int n);

/* Detaches and releases everything. */
void load_close(struct load *l);

/* Sets the difference that programs add to the clock. */
void load_set_wall(struct load *l, int64_t offset);

#endif
