/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * priv.h: definitions that the files of kern/ share.
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

/* The BTF of the kernel itself or of a module, from one file. */
struct kern_btf {
	const char *module;	     /* NULL: the kernel itself */
	const struct kern_btf *base; /* BTF that it refers to; NULL: none */
	void *data;
	size_t size;
	const char *strs;
	uint32_t str_first, str_len; /* range of its name offsets */
	uint32_t *off;		     /* offset of each type from data */
	uint32_t first, count;	     /* range of its ids; 0 is no type */
	VEC(uint32_t) named;	     /* types with a name */
	uint32_t *index;	     /* types by hash; 0: free */
	uint32_t index_mask;
	struct map *funcs, *vars; /* symbols searched so far, or all functions */
	unsigned int nsearches;	  /* searches for functions */
	VEC(struct kern_tp) tps;  /* by name */
	bool tps_done;
	int fd; /* a module's BTF, for programs; 0: not opened */
};

struct kern {
	struct machine *machine; /* borrowed if the kernel is live */
	const char *btf_path;
	bool is_live;
	const char *debugdir;
	const char *store;	  /* cache directory; NULL: none */
	struct kern_debug *debug; /* debug information of the last used module */
	struct arena *arena;
	VEC(struct kern_btf *) btfs; /* read so far, by ids; the kernel's own is first */
	bool all_btfs;
	VEC(struct kern_sym) syms;     /* by address */
	VEC(struct kern_sym) absolute; /* symbols whose addresses are offsets: per-CPU variables */
	struct buf sym_text;	       /* has their names */
	bool syms_done;
	int features[KERN_FEATURE_MAX]; /* 0: not tried, 1: yes, -1: no */
	int *cpus;
	unsigned int ncpus, ncpu_possible;
	bool lacks_cpus; /* the number of CPUs is unknown */
	VEC(struct kern_sym) by_name;
	VEC(struct kern_func) funcs; /* by name */
	struct buf func_text;	     /* has their names */
	bool funcs_done, funcs_have_addr, funcs_located;
	const char *tracefs;	  /* NULL: not searched yet, "": none */
	int tracefs_fd;		  /* of an instance that dtrace mounted, else -1 */
	struct kern_pidns *pidns; /* NULL: not searched yet */
	struct map *calls;	  /* parameter types of system calls by name; NULL: none read yet */
};

/*
 * Reads a file into b.  base, first and str_first are set already.  An unreadable file has no
 * types.  kern_btf_free frees b, too.
 */
void kern_btf_read(struct kern_btf *b, const char *path);

/* Does the same for a remote machine.  Unsound BTF has no types either. */
void kern_btf_fetch(struct kern *k, struct kern_btf *b, const char *path);

/* Returns true if all types can be followed: none contains itself, and members lie inside. */
bool kern_btf_is_sound(const struct kern_btf *b);
void kern_btf_free(struct kern_btf *b);

/* Return one of its own types; a name that it refers to, "" if out of range. */
const struct btf_type *kern_btf_at(const struct kern_btf *b, uint32_t id);
const char *kern_btf_text(const struct kern_btf *b, uint32_t name_off);

/*
 * Return the id of its own type, function or variable with this name, or of the enum with this
 * enumerator; 0: none.
 */
uint32_t kern_btf_search(struct kern_btf *b, const char *name, unsigned int kind);
uint32_t kern_btf_search_section(const struct kern_btf *b, const char *name);
uint32_t kern_btf_search_enumerators(const struct kern_btf *b, const char *name, int64_t *value);

/* Finds the offset of a structure's member in bytes.  Returns false if BTF has none. */
bool kern_btf_member(struct kern *k, const char *type, const char *name, uint32_t *off);

/* Converts a module's type, as in the file, to the ids and names of struct kern. */
void kern_btf_move(const struct kern_btf *b, struct btf_type *t);

void kern_btf_unload(struct kern *k);
void kern_syms_unload(struct kern *k);
void kern_pidns_free(struct kern *k);
void kern_debug_free(struct kern_debug *d);

/* Returns all symbols by name, then module, then address. */
const struct kern_sym *kern_syms_by_name(struct kern *k, size_t *n);

/*
 * Finds the only symbol of a module with this name.  Returns false if there is none, or more than
 * one.
 */
bool kern_sym_only(struct kern *k, const char *module, const char *name, struct kern_sym *res);

/* Short programs that query the kernel (linux/bpf.h). */
#define INSN(c, d, s, o, i) \
	((struct bpf_insn){.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i)})
#define MOV_IMM(d, i) INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define EXIT()	      INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* Returns the mount point of tracefs; "": none. */
const char *kern_tracefs(struct kern *k);

#endif
