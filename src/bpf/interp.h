/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interp.h: runs linked programs in user space, with firings that the caller makes up.
 *
 * Memory is checked: an access must fall into the stack, the context, one map value, an open ring
 * record, or a declared region.  Registers that a call clobbered may not be read.  A violation ends
 * the run with a message that names the instruction.  Map values, the stack and records have their
 * host addresses; declared regions have their declared addresses.
 */
#ifndef BPF_INTERP_H
#define BPF_INTERP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_code;
struct bpf_interp;

/* The environment of a firing. */
struct bpf_firing {
	void *ctx;
	size_t ctx_size;
	unsigned int cpu; /* below ncpus */
	uint32_t pid, tgid, uid, gid;
	char comm[16];
	uint64_t task; /* address of the current task */
	uint64_t cgroup, cookie, func_ip;
	uint64_t ktime, boot_time, tai_time;
	const uint64_t *kstack, *ustack;
	unsigned int nkstack, nustack;
	int64_t stackid;
};

enum bpf_region {
	BPF_REGION_KERNEL = 1, /* loads and kernel probe reads */
	BPF_REGION_USER = 2,   /* user probe reads only */
	BPF_REGION_WRITE = 4,  /* stores too */
};

/* Helpers of the caller, which are tried first.  They return true if they did the call (arguments
 * r[1..5], result r[0]). */
struct bpf_interp_hooks {
	bool (*helper)(void *arg, struct bpf_interp *in, int32_t id, uint64_t *r);
	bool (*kfunc)(void *arg, struct bpf_interp *in, int32_t btf_id, uint64_t *r);
	uint64_t (*btf_addr)(void *arg, int32_t btf_id); /* of a kernel variable */
	void *arg;
};

struct bpf_interp *bpf_interp_new(unsigned int ncpus);
void bpf_interp_free(struct bpf_interp *in);
void bpf_interp_set_hooks(struct bpf_interp *in, const struct bpf_interp_hooks *hooks);

/* Declares memory at addr; *host is its first byte.  It must live as long as the interpreter. */
void bpf_interp_region(struct bpf_interp *in, uint64_t addr, void *host, size_t size,
		       unsigned int flags);

/* ---- maps ---- */

/* Creates a map (enum bpf_map_type); returns its descriptor for bpf_resolve_maps, from 1 on. */
int bpf_interp_map(struct bpf_interp *in, int type, uint32_t key_size, uint32_t value_size,
		   uint32_t max_entries);

/* Returns the value of a key on a CPU (any CPU for maps that are not per CPU); NULL: absent. */
void *bpf_interp_lookup(struct bpf_interp *in, int fd, const void *key, unsigned int cpu);

/* Inserts or replaces, with the flags of bpf(2); returns 0 or -errno. */
int bpf_interp_update(struct bpf_interp *in, int fd, const void *key, const void *value,
		      unsigned int cpu, uint64_t flags);
int bpf_interp_delete(struct bpf_interp *in, int fd, const void *key);

/* Returns the n-th key in order of insertion; NULL at the end. */
const void *bpf_interp_key(struct bpf_interp *in, int fd, unsigned int n);

/* Returns the next submitted record of a ring buffer, or NULL.  Valid until the next call. */
const void *bpf_interp_ring_next(struct bpf_interp *in, int fd, size_t *size);

/* ---- running ---- */

/* Returns false, with bpf_interp_error, if a field without a meaning has a value, as the verifier
 * refuses it.  Once for code is enough. */
bool bpf_interp_check(struct bpf_interp *in, const struct bpf_code *code);

/* Runs linked and resolved code; returns false, with bpf_interp_error, on a violation. */
bool bpf_interp_run(struct bpf_interp *in, const struct bpf_code *code, const struct bpf_firing *f,
		    uint64_t *ret);
const char *bpf_interp_error(const struct bpf_interp *in);
uint64_t bpf_interp_insns(const struct bpf_interp *in); /* executed by the last run */

/* For hooks: returns the host memory of an address; NULL if not all of it is readable or
 * writable. */
void *bpf_interp_mem(struct bpf_interp *in, uint64_t addr, size_t size, bool is_write);

/* For hooks: returns memory that a probe read of the kernel or of the user may copy; NULL:
 * fault. */
const void *bpf_interp_probe(struct bpf_interp *in, uint64_t addr, size_t size, bool is_user);

#endif
