/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * codegen.h: the back end: from IR to BPF programs that the kernel loads.
 *
 *	bpf_codegen	instructions of the program's own functions, with relocations
 *	bpf_link	appends the used functions of the run-time library, resolves calls
 *	bpf_resolve_maps patches in file descriptors
 *	bpf_btf		types, function and line information for the kernel
 */
#ifndef BPF_CODEGEN_H
#define BPF_CODEGEN_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

#define BPF_STACK_MAX 512 /* bytes: MAX_BPF_STACK, include/linux/filter.h */

struct arena;
struct btf;
struct buf;
struct ir_module;

/* Features of the kernel's instruction set, and limits for tests. */
struct bpf_target {
	bool has_sdiv;	    /* signed division (cpu v4, Linux 6.6) */
	bool has_movsx;	    /* sign-extending moves (cpu v4, Linux 6.6) */
	unsigned int nregs; /* registers for values, 3 to 10; 0: 10 */
};

enum bpf_reloc_kind {
	BPF_RELOC_MAPFD,       /* LD_IMM64: map number target */
	BPF_RELOC_MAPVAL,      /* LD_IMM64: address in the value of map target, at off */
	BPF_RELOC_RT,	       /* call of function target of the run-time library */
	BPF_RELOC_FN,	       /* call of function target of this program */
	BPF_RELOC_FNADDR,      /* LD_IMM64: function target of this program, for bpf_loop */
	BPF_RELOC_RTFUNC_ADDR, /* LD_IMM64: function target of the library, for bpf_loop */
	BPF_RELOC_RTMAP,       /* LD_IMM64: map called name */
};

struct bpf_reloc {
	unsigned int insn;
	enum bpf_reloc_kind kind;
	int64_t target, off;
	const char *name;
};

struct bpf_line {
	unsigned int insn; /* the first instruction of loc */
	struct loc loc;
};

/* Types of parameters for the verifier. */
enum bpf_param { BPF_PARAM_SCALAR, BPF_PARAM_STR, BPF_PARAM_WALK, BPF_PARAM_CTX };

struct bpf_function {
	const char *name;
	unsigned int insn, nargs;
	bool is_global;	  /* the verifier checks it once, alone */
	bool is_callback; /* of bpf_loop: (u32, void *) */
	enum bpf_param params[5];
};

struct bpf_code {
	struct arena *arena;
	struct bpf_insn *insns;
	unsigned int n;
	struct bpf_reloc *relocs; /* ascending by insn */
	unsigned int nrelocs;
	struct bpf_line *lines; /* ascending by insn */
	unsigned int nlines;
	struct bpf_function *funcs; /* ascending by insn; 0 is the entry */
	unsigned int nfuncs;
};

/* ---- code ---- */

/* Makes code for all functions of a module, which is consumed.  Returns NULL, and *err (in the
 * arena), if the kernel could not run the code: "needs more than 512 bytes of stack". */
struct bpf_code *bpf_codegen(struct arena *a, struct ir_module *m, const struct bpf_target *t,
			     const char **err);

/* ---- the run-time library, made by tools/embed-rt ---- */

enum bpf_rtreloc_kind { BPF_RT_MAP, BPF_RT_CALL, BPF_RT_FUNCADDR };

struct bpf_rtreloc {
	unsigned int insn;
	enum bpf_rtreloc_kind kind;
	unsigned int func; /* CALL, FUNCADDR */
	const char *map;   /* MAP */
};

struct bpf_rtfunc {
	const char *name;
	const struct bpf_insn *insns;
	unsigned int n;
	const struct bpf_rtreloc *relocs;
	unsigned int nrelocs;
	unsigned int nargs;
	bool is_static, is_callback;
	enum bpf_param params[5];
};

struct bpf_rtlib {
	const struct bpf_rtfunc *funcs;
	unsigned int n;
};

extern const struct bpf_rtlib bpf_rt;

/*
 * Makes code self-contained except for maps: appends the library functions that are called,
 * directly or not, with strsize instead of ABI_MAGIC_STRSIZE, and resolves calls.  rt may be NULL
 * if none is called.  Returns false, and *err, if the call chain needs too much stack.
 */
bool bpf_link(struct bpf_code *c, const struct bpf_rtlib *rt, uint32_t strsize, const char **err);

/* Returns the number of the library function of this name; -1: none. */
int bpf_rt_find(const struct bpf_rtlib *rt, const char *name);

/* Adds `by` to the offsets in the value of a map. */
void bpf_move_value(struct bpf_code *c, unsigned int map, uint32_t by);

/* Replaces map numbers by file descriptors: fds[map].  Maps of the library are found by name in
 * names, which has the order of fds and may be NULL.  Returns false if a map does not exist. */
bool bpf_resolve_maps(struct bpf_code *c, const int *fds, const char *const *names, unsigned int n);

/* ---- information for the kernel ---- */

struct bpf_debug {
	struct btf *btf; /* libbpf object, to be freed by the caller; the rest is in the arena */
	struct bpf_func_info *funcs;
	struct bpf_line_info *lines;
	unsigned int nfuncs, nlines;
};

/* Builds BTF for linked code; returns 0 or -errno. */
int bpf_btf(const struct bpf_code *c, uint32_t strsize, struct bpf_debug *out);

/* Appends the code as text with labels. */
void bpf_disasm(struct buf *out, const struct bpf_code *c);

/* Appends an instruction (two for LD_IMM64), without a newline. */
void bpf_disasm_insn(struct buf *out, const struct bpf_insn *insn);

#endif
