/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * world.h: all that is asked of the kernel once programs are compiled.  world_live is that of the
 * session's machine; tests put an interpreter in its place, behind the same compiler and the same
 * consumer.
 *
 * Maps are called by their number in plan->maps; l->fds has what map_new returned for each.  Values
 * of per-CPU maps are those of all possible CPUs, each rounded up to 8 bytes, as in bpf(2).
 */
#ifndef RUN_WORLD_H
#define RUN_WORLD_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct bpf_code;
struct plan_map;
struct load;
struct unit;

/* Levels of the log of a load (include/linux/bpf_verifier.h). */
enum { WORLD_LOG_ALL = 1, WORLD_LOG_STATS = 4 };
enum { WORLD_MORE = INT_MAX };
enum { WORLD_LOG_SIZE = 1 << 20, WORLD_STATS_SIZE = 4096 };

/* Both are borrowed. */
typedef void world_row(void *arg, const void *key, const void *value);

struct world {
	/* A descriptor from 0 on, or -errno. */
	int (*map_new)(struct load *l, const struct plan_map *m);

	/* The value of a map of constants: nobody changes it any more; else errno. */
	bool (*set_consts)(struct load *l, int fd, const void *bytes, size_t size);

	/* All maps are there: map l->state and l->memory, open the ring; else errno. */
	bool (*open)(struct load *l);

	/* A descriptor of the program from 0 on, or -errno; log may be NULL. */
	int (*load)(struct load *l, struct unit *u, struct bpf_code *code, char *log, int level);

	/* Let the loaded program of u run wherever it fires; below 0: *err or -errno says why not.
	 */
	int (*attach)(struct load *l, struct unit *u, const char **err);

	/* Run the program of BEGIN or END here and now. */
	void (*run)(struct load *l, struct unit *u);

	/* Until a record asks for attention or the time is over. */
	void (*wait)(struct load *l, int ms);

	/*
	 * l->record for the records that are there; their number, or -errno.  WORLD_MORE: it
	 * was not done in some time, as records may come faster than they can be printed.
	 */
	int (*drain)(struct load *l);

	/*
	 * Memory of l->state or l->memory: bring here what is there, and there what is here.
	 */
	void (*fetch)(struct load *l, void *p, size_t size);
	void (*store)(struct load *l, const void *p, size_t size);

	/* The clock of firings, CLOCK_MONOTONIC in ns. */
	uint64_t (*now)(struct load *l);

	/* Until all firings that have begun by now have ended. */
	void (*settle)(struct load *l);

	bool (*lookup)(struct load *l, unsigned int map, const void *key, void *value);
	bool (*update)(struct load *l, unsigned int map, const void *key, const void *value,
		       uint64_t flags);

	void (*remove)(struct load *l, unsigned int map, const void *key);

	/*
	 * Hand over every element of a hash, which nobody else uses meanwhile, and remove it.  0 or
	 * -errno.
	 */
	int (*take)(struct load *l, unsigned int map, world_row *row, void *arg);

	/* Firings of u that were skipped since tracing began. */
	uint64_t (*misses)(struct load *l, const struct unit *u);

	/* Give back programs, links and maps; also of a session that was never opened. */
	void (*close)(struct load *l);
};

extern const struct world world_live;

#endif
