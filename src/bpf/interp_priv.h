/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interp_priv.h: the interpreter's parts: interp.c executes, interp_map.c has maps and memory, and
 * interp_help.c has the helpers.
 */
#ifndef BPF_INTERP_PRIV_H
#define BPF_INTERP_PRIV_H

#include "base/buf.h"
#include "base/vec.h"
#include "bpf/codegen.h"
#include "bpf/interp.h"

enum { INTERP_FRAMES = 9, INTERP_STACK = 512 };

struct map;

struct record {
	size_t size;
	enum { RECORD_OPEN, RECORD_SUBMITTED, RECORD_DISCARDED } state;
	char *data;
};

struct imap {
	int type;
	uint32_t key_size, value_size, max_entries;
	uint32_t stride;     /* bytes from one CPU's value to the next */
	unsigned int copies; /* values for each key: CPUs or 1 */
	char *values;	     /* max_entries * copies * stride */
	char *keys;
	uint64_t *used;	   /* by slot: time of last use, 0: free */
	struct map *index; /* key -> slot + 1; NULL: an array */
	unsigned int next_slot;
	VEC(struct record) records; /* ring */
	unsigned int read_pos;
	size_t ring_used;
	char *last_read;
};

struct region {
	uint64_t addr;
	char *host;
	size_t size;
	unsigned int flags;
};

struct bpf_interp {
	unsigned int ncpus;
	VEC(struct imap *) maps;
	VEC(struct region) regions;
	struct bpf_interp_hooks hooks;
	struct buf error;
	bool has_failed;
	uint64_t budget, executed, clock, random;
	const struct bpf_code *code;
	const struct bpf_firing *firing;
	char stack[INTERP_FRAMES][INTERP_STACK];
	unsigned int depth; /* frames in use */
	unsigned int pc;
};

/* Notes the first violation of a run; always returns false. */
bool interp_fail(struct bpf_interp *in, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Runs a function of the code to its exit. */
bool interp_call(struct bpf_interp *in, unsigned int pc, const uint64_t args[5], uint64_t *ret);

/* Returns the map of a value loaded with BPF_PSEUDO_MAP_FD, or NULL. */
struct imap *interp_map_of(struct bpf_interp *in, uint64_t handle);
uint64_t interp_map_value(struct bpf_interp *in, int fd, int32_t off);
char *map_lookup(struct bpf_interp *in, struct imap *m, const void *key, unsigned int cpu);
int map_update(struct bpf_interp *in, struct imap *m, const void *key, const void *value,
	       unsigned int cpu, uint64_t flags);
int map_push(struct imap *m, const void *value); /* queues; -E2BIG: full */
int map_pop(struct imap *m, void *value);	 /* -ENOENT: empty */
int map_delete(struct imap *m, const void *key);
char *ring_reserve(struct imap *m, size_t size);
bool ring_finish(struct imap *m, const char *data, bool discard);

/* Calls helper `id`; returns false after a violation. */
bool interp_helper(struct bpf_interp *in, int32_t id, uint64_t *r);

#endif
