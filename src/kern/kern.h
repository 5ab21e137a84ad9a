/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kern.h: facts about a kernel: types, symbols, tracepoints, system calls, features.  They come
 * from the running kernel, or for tests from a BTF file (kern_open_fixture).  Everything is read on
 * demand and kept until kern_close.
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
 * Opens the running kernel of a machine, which is borrowed.  Never fails: missing facts are
 * reported on use.
 */
struct kern *kern_open(struct machine *m);

/* Returns the machine that makes calls for this kernel. */
struct machine *kern_machine(const struct kern *k);

/* Sets a directory that caches the BTF of a remote machine's kernel; NULL: no cache. */
void kern_set_store(struct kern *k, const char *dir);

/*
 * Opens a kernel described by a raw BTF file.  Symbols and tracepoints come only from the BTF.
 * Returns NULL with errno set on failure.
 */
struct kern *kern_open_fixture(const char *btf_path);
void kern_close(struct kern *k);

/*
 * The kernel's BTF.  Mapping the file and walking it once takes 1.3 ms.  libbpf 1.1's btf__parse
 * takes 21 ms (6.18, 126,000 types), which is most of a short run.  The static inline accessors of
 * <bpf/btf.h> (btf_kind, btf_members ...) work on the result of kern_btf_type.
 */
/* ids are 1..count-1; 0: no BTF */
uint32_t kern_btf_count(struct kern *k);
const struct btf_type *kern_btf_type(struct kern *k, uint32_t id); /* NULL: no such id */
const char *kern_btf_name(struct kern *k, uint32_t name_off);	   /* "" if out of range */

/*
 * Returns the BTF id of a type by name and kind (BTF_KIND_*) in the kernel itself; 0: none.  Names
 * are indexed once.
 */
uint32_t kern_btf_find(struct kern *k, const char *name, unsigned int kind);

/* Finds the offset of a variable in the per-CPU memory.  Returns false if BTF has none. */
bool kern_btf_percpu(struct kern *k, const char *name, uint32_t *off);

/*
 * Returns true if the kernel lets programs decide the return value of the function with this BTF
 * id.  Tries it.
 */
bool kern_is_modifiable(struct kern *k, uint32_t id);

/* Finds an enumerator by name.  Sets its value, and returns the id of its enum; 0: none. */
uint32_t kern_btf_enumerator(struct kern *k, const char *name, int64_t *value);

/*
 * Modules have their own BTF, which is read when a module is named here.  NULL, "" and "vmlinux"
 * name the kernel itself.  Ids of modules start at count and are below kern_btf_end.
 */
uint32_t kern_btf_find_in(struct kern *k, const char *module, const char *name, unsigned int kind);
uint32_t kern_btf_end(struct kern *k);

/*
 * Returns the id in the first module that has it, of the modules read so far or of all (reads
 * them).
 */
uint32_t kern_btf_find_modules(struct kern *k, const char *name, unsigned int kind, bool all);

/*
 * Returns the name of number i of all modules that have BTF and were read, or were named; NULL: no
 * more.
 */
const char *kern_btf_module(struct kern *k, unsigned int i);

/* Calls FOUND for the functions in BTF.  The kernel's own ("vmlinux") come first. */
typedef void kern_found_func(void *ctx, const char *module, const char *name);
void kern_btf_funcs(struct kern *k, kern_found_func *found, void *ctx);

/*
 * Returns the number that programs use for this id.  *fd is the descriptor of its BTF, 0 for the
 * kernel's own.
 */
uint32_t kern_btf_ref(struct kern *k, uint32_t id, int *fd);

struct kern_sym {
	const char *name, *module; /* "vmlinux" for the kernel itself; owned by k */
	uint64_t addr, size;
};

/*
 * Returns the address of a symbol by the kernel's own search, which is much faster than reading all
 * symbols.  Returns 0 if there is none, the search is unavailable, or all symbols have been read
 * already.
 */
uint64_t kern_sym_find(struct kern *k, const char *name);

/* Find the symbol that contains addr, or the one with this name.  Return false if there is none. */
bool kern_sym_by_addr(struct kern *k, uint64_t addr, struct kern_sym *res);
bool kern_sym_by_name(struct kern *k, const char *module, const char *name, struct kern_sym *res);

/*
 * Returns true for a per-CPU variable.  The kernel's __per_cpu_offset[], if present, has the
 * distance from the symbol for each CPU.
 */
bool kern_sym_is_percpu(struct kern *k, const struct kern_sym *sym);

/* Tries the names of all symbols. */
void kern_sym_near(struct kern *k, struct nearest *n);

/* Returns the number of symbols with this name, in the module if one is given. */
unsigned int kern_sym_count(struct kern *k, const char *module, const char *name);

/* A loaded module.  Without privileges the address is 0. */
struct kern_module {
	const char *name;
	uint64_t addr, size; /* start of its code; bytes of all its memory */
};

/*
 * Appends all modules.  The caller frees *text, which has their names.  A kernel without modules
 * has none.
 */
typedef VEC(struct kern_module) kern_module_list;
void kern_modules(struct kern *k, struct buf *text, kern_module_list *res);

/* Parses the text of /proc/modules.  The names stay in the text. */
void kern_modules_parse(char *text, kern_module_list *res);

/* Starts of the instructions of a function, ascending offsets.  size: bytes of all instructions. */
struct kern_code {
	VEC(uint32_t) insns;
	uint32_t size;
};

/*
 * Reads the code that runs now.  Returns false with the reason in *err.  Call kern_code_free for
 * *res in any case.
 */
bool kern_code_read(struct kern *k, const struct kern_sym *func, struct kern_code *res,
		    const char **err);
void kern_code_free(struct kern_code *c);
bool kern_code_begins(const struct kern_code *c, uint32_t off);

/* The PID namespace in which dtrace runs, other than the first one. */
struct kern_pidns {
	bool is_inner;
	bool is_known; /* the members below are valid, and numbers can be translated */
	bool has_proc; /* /proc shows the processes of the namespace */
	uint32_t level;
	uint64_t ns; /* address of its struct pid_namespace */
	/* Offsets of members of task_struct, and of struct pid. */
	uint32_t tgid, group_leader, thread_pid, pid_level, pid_numbers;
	struct map *hosts; /* cache of translated numbers */
};

/* Returns NULL if dtrace runs in the first namespace, or traces another machine. */
const struct kern_pidns *kern_pidns(struct kern *k);

/*
 * Returns the number in the first namespace of a process that has this number in the namespace of
 * dtrace; 0: there is no such process, or the kernel does not say.
 */
uint32_t kern_host_pid(struct kern *k, uint32_t pid);

/*
 * Returns the number of a namespace ("net", "pid") of process 1, or of dtrace if process 1 hides
 * it; 0: unknown.
 */
uint32_t kern_host_ns(struct kern *k, const char *kind);

/* A cgroup of version 2. */
struct kern_cgroup {
	uint64_t id;
	uint32_t level; /* its depth; the root of the hierarchy has 0 */
	/* The root of its mount: id, level and path.  The rest of the path leads to the cgroup. */
	uint64_t root_id;
	uint32_t root_level;
	const char *root, *rest;
};

/* Returns NULL, or why the path is not a cgroup whose place is known. */
const char *kern_cgroup_find(struct kern *k, const char *path, struct kern_cgroup *c);

/* Sets the directory of files with debug information; NULL: none. */
void kern_set_debugdir(struct kern *k, const char *dir);

/* A C type: pointers to and arrays of a named type, the outermost part first. */
#define KERN_CTYPE_PARTS   8
#define KERN_CTYPE_POINTER UINT64_MAX

struct kern_ctype {
	const char *name;		  /* "struct page", "unsigned long"; owned by k */
	uint64_t parts[KERN_CTYPE_PARTS]; /* number of elements, or KERN_CTYPE_POINTER */
	unsigned int nparts;
};

/*
 * Finds the type of a variable by debug information of its module.  Returns false if there is none.
 */
bool kern_debug_type(struct kern *k, const struct kern_sym *sym, struct kern_ctype *res);

/*
 * Appends the places where a function was inlined, by debug information.  Each is the containing
 * function with the address of the place.  Returns false if there is no debug information.
 */
typedef VEC(struct kern_sym) kern_sym_list;
bool kern_debug_inlined(struct kern *k, const char *module, const char *name, kern_sym_list *res);

struct kern_tp {
	const char *name;   /* "sched_switch" */
	const char *module; /* NULL: the kernel itself */
	uint32_t
	    func_proto; /* BTF id of the prototype; parameter 0 is `void *` and not an argument */
	uint32_t typedef_id; /* BTF id of btf_trace_NAME, for attaching */
};

/* Returns all tracepoints in BTF (btf_trace_*), sorted by name.  K owns them. */
const struct kern_tp *kern_tracepoints(struct kern *k, const char *module, size_t *n);

/* Returns true if tracefs lists a tracepoint of this name. */
bool kern_has_event(struct kern *k, const char *name);

struct kern_syscall {
	int nr;
	const char *name;
};

/* Returns the system calls of this machine by ascending number (from the C library's headers). */
const struct kern_syscall *kern_syscalls(size_t *n);

struct kern_syscall32 {
	int nr;
	const char *name;
	int same; /* number of the 64-bit call of this name; -1: none */
};

/*
 * Returns the system calls of 32-bit programs by ascending number, which differs; none if unknown.
 */
const struct kern_syscall32 *kern_syscalls32(size_t *n);

/*
 * Returns the id of a call's own tracepoint at entry (else: return), for perf_event_open(2); 0:
 * none.
 */
uint64_t kern_syscall_tracepoint(struct kern *k, const char *name, bool is_entry);

/*
 * Finds the type of one parameter of a system call in its tracefs format.  Returns false if there
 * is no such parameter.
 */
bool kern_syscall_arg(struct kern *k, const char *name, unsigned int i, const char **type);

/* Returns the type of a source of perf events ("uprobe"), for perf_event_open(2); 0: none. */
uint32_t kern_event_type(struct kern *k, const char *source);

/* A perf event in the form of struct perf_event_attr: config, config1 ... */
#define KERN_EVENT_WORDS 3

struct kern_event {
	uint32_t type;
	uint64_t config[KERN_EVENT_WORDS];
};

/* Returns the directory of the event source of processors; NULL: the machine has none. */
const char *kern_event_cores(struct kern *k);

/*
 * kern_event_read finds a named event of a source.  It returns false if there is none, or if the
 * event needs more than a name.
 */
bool kern_event_read(struct kern *k, const char *dir, const char *name, struct kern_event *e);
void kern_event_names(struct kern *k, const char *dir, void (*f)(void *ctx, const char *name),
		      void *ctx);

/* A function that ftrace can instrument.  Several may have the same name. */
struct kern_func {
	const char *name, *module; /* "vmlinux" for the kernel itself; owned by k */
	uint64_t addr;		   /* 0: unknown */
};

/*
 * kern_funcs returns all functions, by name.  kern_func_find returns the functions of one name (*n
 * is 0: none), with their addresses, which double the time.  K owns them.
 */
const struct kern_func *kern_funcs(struct kern *k, size_t *n);
const struct kern_func *kern_func_find(struct kern *k, const char *name, size_t *n);

enum kern_feature {
#define FEATURE(name, doc, test) KERN_##name,
#include "kern/feature.def"
#undef FEATURE
	KERN_FEATURE_MAX
};

/* Returns true if this kernel has the feature.  Tries it once. */
bool kern_has(struct kern *k, enum kern_feature f);

/*
 * Returns true if the caller of the machine's system calls has the capability (CAP_*), or
 * CAP_SYS_ADMIN, which includes the capabilities that were split from it.
 */
bool kern_capable(struct kern *k, int cap);

/*
 * kern_ncpu_possible returns the number of possible CPUs.  It returns 1 if the kernel does not say;
 * then nothing can be loaded.  kern_cpus_online returns the numbers of online CPUs ("0-3,5"
 * parsed).  K owns them.
 */
unsigned int kern_ncpu_possible(struct kern *k);
bool kern_knows_cpus(struct kern *k);
const int *kern_cpus_online(struct kern *k, unsigned int *n);

#endif
