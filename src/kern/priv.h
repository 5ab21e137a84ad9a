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
struct kern_debug;
struct machine;
struct map;

/* The BTF of the kernel itself or of a module: one file. */
struct kern_btf {
	const char *module;	     /* NULL: the kernel itself */
	const struct kern_btf *base; /* what it refers to, NULL: nothing */
	void *data;
	size_t size;
	const char *strs;
	uint32_t str_first, str_len; /* its names are these offsets */
	uint32_t *off;		     /* of each type from data */
	uint32_t first, count;	     /* its types are these ids; 0 is none */
	VEC(uint32_t) named;	     /* types with a name */
	uint32_t *index;	     /* of types, by hash; 0: free */
	uint32_t index_mask;
	struct map *funcs, *vars; /* asked for so far, or all functions */
	unsigned int nsearches;	  /* for functions */
	VEC(struct kern_tp) tps;  /* by name */
	bool tps_done;
	int fd; /* of a module's BTF, as programs refer to it; 0: not asked for */
};

struct kern {
	struct machine *machine; /* borrowed from a live one */
	const char *btf_path;
	bool is_live;
	const char *debugdir;
	const char *store;	  /* NULL: nothing is kept */
	struct kern_debug *debug; /* of the module that was asked for last */
	struct arena *arena;
	VEC(struct kern_btf *) btfs; /* read so far, by ids; the kernel's own is the first */
	bool all_btfs;
	VEC(struct kern_sym) syms;     /* by address */
	VEC(struct kern_sym) absolute; /* whose addresses are no places: per-CPU variables */
	struct buf sym_text;	       /* what their names point into */
	bool syms_done;
	int features[KERN_FEATURE_MAX]; /* 0: not tried, 1: yes, -1: no */
	int *cpus;
	unsigned int ncpus, ncpu_possible;
	bool lacks_cpus; /* the kernel does not tell how many */
	VEC(struct kern_sym) by_name;
	VEC(struct kern_func) funcs; /* by name */
	struct buf func_text;	     /* what their names point into */
	bool funcs_done, funcs_have_addr, funcs_located;
	const char *tracefs;	  /* NULL: not looked for, "": none */
	int tracefs_fd;		  /* of an instance of our own, else -1 */
	struct kern_pidns *pidns; /* NULL: not asked for yet */
	struct map *calls;	  /* types of system calls by name, NULL: not asked for yet */
};

/*
 * Read a file into b, whose base, first and str_first are filled in.  What cannot be read has no
 * types.  kern_btf_free frees b, too.
 */
void kern_btf_read(struct kern_btf *b, const char *path);

/* The same of a machine that is not here.  What is not sound has no types either. */
void kern_btf_fetch(struct kern *k, struct kern_btf *b, const char *path);

/* Returns whether all types can be followed: none contains itself, and members lie inside. */
bool kern_btf_is_sound(const struct kern_btf *b);
void kern_btf_free(struct kern_btf *b);

/* One of its own types; a name that it refers to, "" if out of range. */
const struct btf_type *kern_btf_at(const struct kern_btf *b, uint32_t id);
const char *kern_btf_text(const struct kern_btf *b, uint32_t name_off);

/* The id of its own type, function or variable with this name, 0: none; the same for enumerators.
 */
uint32_t kern_btf_search(struct kern_btf *b, const char *name, unsigned int kind);
uint32_t kern_btf_search_section(const struct kern_btf *b, const char *name);
uint32_t kern_btf_search_enumerators(const struct kern_btf *b, const char *name, int64_t *value);

/* Give a type of a module, as it is in the file, ids and names of ours. */
void kern_btf_move(const struct kern_btf *b, struct btf_type *t);

void kern_btf_unload(struct kern *k);
void kern_syms_unload(struct kern *k);
void kern_pidns_free(struct kern *k);
void kern_debug_free(struct kern_debug *d);

/* All symbols by name, then module, then address. */
const struct kern_sym *kern_syms_by_name(struct kern *k, size_t *n);

/* The one symbol of a module with this name; false: there is none, or more. */
bool kern_sym_only(struct kern *k, const char *module, const char *name, struct kern_sym *res);

/* Programs of a few instructions, to ask the kernel something (linux/bpf.h). */
#define INSN(c, d, s, o, i) \
	((struct bpf_insn){.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i)})
#define MOV_IMM(d, i) INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define EXIT()	      INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* Where tracefs is mounted; "": nowhere. */
const char *kern_tracefs(struct kern *k);

#endif
