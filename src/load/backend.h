/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * backend.h: all services of the kernel that compiled programs need.  backend_live is the session's
 * machine.  Tests and hosted clauses use an interpreter instead (simulated.h), with an unchanged
 * compiler and consumer.
 *
 * Maps are identified by their number in plan->maps; l->fds has the result of map_new for each.
 * The value of a per-CPU map consists of the values of all possible CPUs, each rounded up to 8
 * bytes, as in bpf(2).
 */
#ifndef LOAD_BACKEND_H
#define LOAD_BACKEND_H

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
enum { WORLD_LOG_SIZE = 1 << 20, WORLD_STATS_SIZE = 1 << 16 };

/* Gets a key and a value, both borrowed. */
typedef void backend_row(void *arg, const void *key, const void *value);

struct backend {
	/* Returns a descriptor >= 0, or -errno. */
	int (*map_new)(struct load *l, const struct plan_map *m);

	/*
	 * Sets the value of a map of constants, which nothing changes afterwards.  Returns false
	 * and sets errno.
	 */
	bool (*set_consts)(struct load *l, int fd, const void *bytes, size_t size);

	/*
	 * Maps l->state and l->memory, and opens the ring, after all maps exist.  Returns false and
	 * sets errno.
	 */
	bool (*open)(struct load *l);

	/* Loads a program.  Returns its descriptor >= 0, or -errno.  log may be NULL. */
	int (*load)(struct load *l, struct unit *u, struct bpf_code *code, char *log, int level);

	/* Attaches the loaded program of u.  If the result is negative, *err or -errno says why. */
	int (*attach)(struct load *l, struct unit *u, const char **err);

	/* Runs the program of BEGIN or END now. */
	void (*run)(struct load *l, struct unit *u);

	/* Waits until a record needs attention or the time is over. */
	void (*wait)(struct load *l, int ms);

	/*
	 * Calls l->record for the available records.  Returns their number, or -errno.  Returns
	 * WORLD_MORE if time ran out, because records may come faster than they can be printed.
	 */
	int (*drain)(struct load *l);

	/* Copy memory of l->state or l->memory: fetch() from the kernel, store() to the kernel. */
	void (*fetch)(struct load *l, void *p, size_t size);
	void (*store)(struct load *l, const void *p, size_t size);

	/* Returns the clock of firings, CLOCK_MONOTONIC in ns. */
	uint64_t (*now)(struct load *l);

	/* Waits until all firings that have begun so far have ended. */
	void (*settle)(struct load *l);

	bool (*lookup)(struct load *l, unsigned int map, const void *key, void *value);
	bool (*update)(struct load *l, unsigned int map, const void *key, const void *value,
		       uint64_t flags);

	void (*remove)(struct load *l, unsigned int map, const void *key);

	/*
	 * Passes every element of a hash to row, and removes it.  Nothing else may use the map
	 * meanwhile.  Returns 0 or -errno.
	 */
	int (*take)(struct load *l, unsigned int map, backend_row *row, void *arg);

	/* Returns the number of skipped firings of u since tracing began. */
	uint64_t (*misses)(struct load *l, const struct unit *u);

	/* Releases programs, links and maps, even if the session was never opened. */
	void (*close)(struct load *l);
};

extern const struct backend backend_live;

#endif
