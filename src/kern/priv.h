/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * priv.h: what the files of kern/ share.
 */
#ifndef KERN_PRIV_H
#define KERN_PRIV_H

#include "base/buf.h"
#include "base/vec.h"
#include "kern/kern.h"

struct arena;
struct map;

struct kern_btf {
	bool tried;
	void *data;
	size_t size;
	const char *strs;
	uint32_t str_len;
	uint32_t *off; /* of each type from data */
	uint32_t count;
	VEC(uint32_t) named; /* types with a name */
	uint32_t *index;     /* of types, by hash; 0: free */
	uint32_t index_mask;
	struct map *funcs, *vars; /* asked for so far, or all functions */
	unsigned int nsearches;	  /* for functions */
};

struct kern {
	const char *btf_path;
	bool is_live;
	struct arena *arena;
	struct kern_btf btf;
	VEC(struct kern_tp) tps;
	bool tps_done;
	VEC(struct kern_sym) syms;     /* by address */
	VEC(struct kern_sym) absolute; /* whose addresses are no places: per-CPU variables */
	struct buf sym_text;	       /* what their names point into */
	bool syms_done;
	int features[KERN_FEATURE_MAX]; /* 0: not tried, 1: yes, -1: no */
	int *cpus;
	unsigned int ncpus, ncpu_possible;
	VEC(struct kern_sym) by_name;
	VEC(struct kern_func) funcs; /* by name */
	struct buf func_text;	     /* what their names point into */
	bool funcs_done;
	const char *tracefs; /* NULL: not looked for, "": none */
	int tracefs_fd;	     /* of an instance of our own, else -1 */
};

void kern_btf_load(struct kern *k);
void kern_btf_unload(struct kern *k);
void kern_syms_unload(struct kern *k);

/* All symbols by name, then module, then address. */
const struct kern_sym *kern_syms_by_name(struct kern *k, size_t *n);

/* Where tracefs is mounted; "": nowhere. */
const char *kern_tracefs(struct kern *k);

#endif
