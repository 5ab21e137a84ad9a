/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kern.h: facts about a kernel: types, symbols, tracepoints, system calls, what it can do.  live.c
 * asks the running one, fixture.c answers from files for tests.  Everything is read on demand and
 * kept until kern_close.
 */
#ifndef KERN_KERN_H
#define KERN_KERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct btf_type;
struct buf;
struct kern;
struct machine;
struct map;
struct nearest;

/*
 * The running kernel of a machine, which is borrowed; never fails (what is missing is reported when
 * it is asked for).
 */
struct kern *kern_open(struct machine *m);

/* Where calls for it are made. */
struct machine *kern_machine(const struct kern *k);

/*
 * A directory for what is asked of a machine that is not here and stays the same as long as its
 * kernel is not another: its BTF.  NULL: nothing is kept.
 */
void kern_set_store(struct kern *k, const char *dir);

/* A kernel described by a raw BTF file; symbols and tracepoints only from the BTF.  NULL, errno. */
struct kern *kern_open_fixture(const char *btf_path);
void kern_close(struct kern *k);

/*
 * The kernel's BTF, read by ourselves: mapping the file and walking it once takes 1.3 ms where
 * libbpf 1.1's btf__parse takes 21 (6.18, 126,000 types), which is most of a short run.  The static
 * inline accessors of <bpf/btf.h> (btf_kind, btf_members ...) work on what kern_btf_type returns.
 */
uint32_t kern_btf_count(struct kern *k);			   /* ids are 1..count-1; 0: none */
const struct btf_type *kern_btf_type(struct kern *k, uint32_t id); /* NULL: no such id */
const char *kern_btf_name(struct kern *k, uint32_t name_off);	   /* "" if out of range */

/* BTF id of a type by name and kind (BTF_KIND_*) in the kernel itself; 0: none.  Names are indexed
 * once.
 */
uint32_t kern_btf_find(struct kern *k, const char *name, unsigned int kind);

/* Offset of a variable in the memory that each processor has of its own.  False: BTF has none. */
bool kern_btf_percpu(struct kern *k, const char *name, uint32_t *off);

/* Does the kernel let programs decide what the function with this BTF id returns?  Found by trying.
 */
bool kern_is_modifiable(struct kern *k, uint32_t id);

/* An enumerator by name: value, and the id of its enum; 0 if there is none. */
uint32_t kern_btf_enumerator(struct kern *k, const char *name, int64_t *value);

/*
 * Modules have BTF of their own.  It is read when one is named here, NULL, "" and "vmlinux" being
 * the kernel itself; its ids are those from count on, below kern_btf_end.
 */
uint32_t kern_btf_find_in(struct kern *k, const char *module, const char *name, unsigned int kind);
uint32_t kern_btf_end(struct kern *k);

/* The first of the modules that has it, of those read so far or, after reading them, of all. */
uint32_t kern_btf_find_modules(struct kern *k, const char *name, unsigned int kind, bool all);

/* Number i of all that have BTF, which are read, or were named; NULL: there are fewer. */
const char *kern_btf_module(struct kern *k, unsigned int i);

/* Functions that BTF has, those of the kernel itself ("vmlinux") first. */
typedef void kern_found_func(void *ctx, const char *module, const char *name);
void kern_btf_funcs(struct kern *k, kern_found_func *found, void *ctx);

/* What programs call this id: a number in the BTF with this descriptor, 0 the kernel's own. */
uint32_t kern_btf_ref(struct kern *k, uint32_t id, int *fd);

struct kern_sym {
	const char *name, *module; /* "vmlinux" for the kernel itself; owned by k */
	uint64_t addr, size;
};

/*
 * Where a symbol with this name is, by the kernel's own search, which takes much less than reading
 * all.  0: there is none, or it cannot be asked, or all have been read anyway.
 */
uint64_t kern_sym_find(struct kern *k, const char *name);

/* The symbol that contains addr, or the one with this name.  False if there is none. */
bool kern_sym_by_addr(struct kern *k, uint64_t addr, struct kern_sym *res);
bool kern_sym_by_name(struct kern *k, const char *module, const char *name, struct kern_sym *res);

/*
 * Is it a variable of which each CPU has its own?  The kernel's __per_cpu_offset[], if there is
 * one, tells how far from the symbol that is.
 */
bool kern_sym_is_percpu(struct kern *k, const struct kern_sym *sym);

/* Try the names of all symbols. */
void kern_sym_near(struct kern *k, struct nearest *n);

/* How many symbols have this name, in the module if one is given. */
unsigned int kern_sym_count(struct kern *k, const char *module, const char *name);

/* A module that is loaded; without privileges the address is 0. */
struct kern_module {
	const char *name;
	uint64_t addr, size; /* where its code begins; bytes of all that it has */
};

/* All of them, appended; their names are in *text, which is to be freed.  Of a kernel that has no
 * modules there are none. */
typedef VEC(struct kern_module) kern_module_list;
void kern_modules(struct kern *k, struct buf *text, kern_module_list *res);

/* The same of what /proc/modules has; the names stay in the text. */
void kern_modules_parse(char *text, kern_module_list *res);

/* Where the instructions of a function begin, ascending offsets; size: all of them, in bytes. */
struct kern_code {
	VEC(uint32_t) insns;
	uint32_t size;
};

/*
 * Those of the code that runs now.  False: *err says why they are not known.  *res is to be given
 * to kern_code_free in any case.
 */
bool kern_code_read(struct kern *k, const struct kern_sym *func, struct kern_code *res,
		    const char **err);
void kern_code_free(struct kern_code *c);
bool kern_code_begins(const struct kern_code *c, uint32_t off);

/* A PID namespace other than the first one, in which dtrace runs. */
struct kern_pidns {
	bool is_inner;
	bool is_known; /* the members below are there, and numbers can be translated */
	bool has_proc; /* /proc shows the processes of the namespace */
	uint32_t level;
	uint64_t ns; /* address of its struct pid_namespace */
	/* Offsets of members of task_struct, and of struct pid. */
	uint32_t tgid, group_leader, thread_pid, pid_level, pid_numbers;
	struct map *hosts; /* numbers that have been translated */
};

/* NULL: dtrace runs in the first namespace, or traces another machine. */
const struct kern_pidns *kern_pidns(struct kern *k);

/*
 * Returns the number in the first namespace of a process that has this number in the namespace of
 * dtrace; 0: there is no such process, or the kernel does not say.
 */
uint32_t kern_host_pid(struct kern *k, uint32_t pid);

/* Where files with debug information are installed; NULL: nowhere. */
void kern_set_debugdir(struct kern *k, const char *dir);

/* A C type: pointers to and arrays of one that has a name, the outermost part first. */
#define KERN_CTYPE_PARTS   8
#define KERN_CTYPE_POINTER UINT64_MAX

struct kern_ctype {
	const char *name;		  /* "struct page", "unsigned long"; owned by k */
	uint64_t parts[KERN_CTYPE_PARTS]; /* number of elements, or KERN_CTYPE_POINTER */
	unsigned int nparts;
};

/* The type of a variable, by debug information of its module; false: there is none. */
bool kern_debug_type(struct kern *k, const struct kern_sym *sym, struct kern_ctype *res);

/*
 * Places where a function was inlined, by the same, each with the function that it is in: the
 * addresses are those of the places.  Added to *res; false: there is no debug information.
 */
typedef VEC(struct kern_sym) kern_sym_list;
bool kern_debug_inlined(struct kern *k, const char *module, const char *name, kern_sym_list *res);

struct kern_tp {
	const char *name;   /* "sched_switch" */
	const char *module; /* NULL: the kernel itself */
	uint32_t
	    func_proto; /* BTF id of the prototype; parameter 0 is `void *` and not an argument */
	uint32_t typedef_id; /* BTF id of btf_trace_NAME, what attaching needs */
};

/* All tracepoints that BTF knows (btf_trace_*), sorted by name.  Owned by k. */
const struct kern_tp *kern_tracepoints(struct kern *k, const char *module, size_t *n);

/* Does tracefs list a tracepoint of this name? */
bool kern_has_event(struct kern *k, const char *name);

struct kern_syscall {
	int nr;
	const char *name;
};

/* System calls of this machine by ascending number (from the C library's headers). */
const struct kern_syscall *kern_syscalls(size_t *n);

struct kern_syscall32 {
	int nr;
	const char *name;
	int same; /* number of the 64-bit call of this name; -1: there is none */
};

/* Those of 32-bit programs by ascending number, which are others; none where that is not known. */
const struct kern_syscall32 *kern_syscalls32(size_t *n);

/* The tracepoint of its own that a call has at entry (else: return), for perf_event_open(2); 0:
 * none. */
uint64_t kern_syscall_tracepoint(struct kern *k, const char *name, bool is_entry);

/* One parameter of a system call from its tracefs format; false when there is no such parameter. */
bool kern_syscall_arg(struct kern *k, const char *name, unsigned int i, const char **type);

/* The type of a source of perf events ("uprobe"), for perf_event_open(2); 0: there is none. */
uint32_t kern_event_type(struct kern *k, const char *source);

/* What a source counts, as struct perf_event_attr wants it: config, config1 ... */
#define KERN_EVENT_WORDS 3

struct kern_event {
	uint32_t type;
	uint64_t config[KERN_EVENT_WORDS];
};

/* The directory of the source that counts what processors do; NULL: the machine has none. */
const char *kern_event_cores(struct kern *k);

/* An event that a source has a name for.  False: it has not, or the event needs more than a name.
 */
bool kern_event_read(struct kern *k, const char *dir, const char *name, struct kern_event *e);
void kern_event_names(struct kern *k, const char *dir, void (*f)(void *ctx, const char *name),
		      void *ctx);

/* A function that ftrace can instrument.  Several may have one name. */
struct kern_func {
	const char *name, *module; /* "vmlinux" for the kernel itself; owned by k */
	uint64_t addr;		   /* 0: not known */
};

/*
 * All of them, by name; those of one name (none: *n is 0), with their addresses, which take as long
 * again to find.  Owned by k.
 */
const struct kern_func *kern_funcs(struct kern *k, size_t *n);
const struct kern_func *kern_func_find(struct kern *k, const char *name, size_t *n);

enum kern_feature {
#define FEATURE(name, doc, test) KERN_##name,
#include "kern/feature.def"
#undef FEATURE
	KERN_FEATURE_MAX
};

/* Does this kernel have it?  Found by trying, once. */
bool kern_has(struct kern *k, enum kern_feature f);

/* Has who makes the calls the capability (CAP_*), or CAP_SYS_ADMIN, which comes before those it was
 * split into? */
bool kern_capable(struct kern *k, int cap);

/*
 * Number of possible CPUs (1, if the kernel does not tell: then nothing can be loaded), and the
 * list of online ones ("0-3,5" parsed); owned by k.
 */
unsigned int kern_ncpu_possible(struct kern *k);
bool kern_knows_cpus(struct kern *k);
const int *kern_cpus_online(struct kern *k, unsigned int *n);

#endif
