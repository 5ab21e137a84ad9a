/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proc.h: facts about processes: what is mapped where, and the functions of the ELF files behind
 * that.  Read on demand and kept, the processes last asked for up to a limit, together with what
 * they refer to: pointers are good until the next process is asked for, those of a process that is
 * pinned until procs_free.
 *
 * A process may map what it likes, under any name, and change it meanwhile: see image.h.
 */
#ifndef PROC_PROC_H
#define PROC_PROC_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* What mappings of it are called. */
#define PROC_VDSO "[vdso]"

struct arena;
struct debug_dir;
struct map;
struct info;
struct machine;
struct notes;
struct perfmap;
struct procs;
struct reader;

/* A function or a variable; its address is that of the file, without what loading adds. */
struct proc_sym {
	uint64_t addr, size;
	const char *name;
	uint8_t bind; /* STB_* */
};

/* Part of a file that is loaded. */
struct proc_segment {
	uint64_t off, vaddr, size;
	uint64_t room; /* bytes in memory: zeros follow the bytes of the file */
	bool is_code;
};

struct proc_range {
	uint64_t start, end;
};

/* A jump or call, found in a function, to where no symbol says what is there. */
struct proc_jump {
	uint64_t to, from; /* from: of the function */
	bool is_call;
};

/* An ELF file that is, or was, mapped by a process. */
struct proc_object {
	char *base, *id;		/* "libc.so.6"; id of its mappings */
	char *build_id;			/* what any copy of the file has; NULL: nothing is known */
	bool is_native;			/* for this machine, in 64 bits */
	bool is_narrow;			/* in 32 bits */
	bool is_go;			/* a program in Go */
	VEC(struct proc_sym) syms;	/* by address; the best name of an address first */
	VEC(struct proc_sym) resolvers; /* of functions of which one is chosen: ifunc.h */
	VEC(struct proc_sym) data;	/* variables, in the order of syms */
	VEC(struct proc_segment) loads;
	VEC(struct proc_jump) jumps; /* of func.c: by `to`; only if has_jumps */
	bool has_jumps;
	VEC(struct proc_range) plts;	 /* jumps to functions of other objects, by address */
	char *strings;			 /* names of syms */
	uint64_t python, python_version; /* where _PyRuntime and Py_Version are; 0: not there */
	struct reader *reader;		 /* NULL: there is none, or nobody wants it */
	uint64_t cost;			 /* bytes, roughly */
	uint64_t ncode;			 /* bytes of code that have been read */
	unsigned int nusers;		 /* mappings */
	bool is_read;
};

/* An executable mapping of a file. */
struct proc_map {
	uint64_t start, end, off;
	const char *path;	    /* as the process sees it: the end of id */
	char *id;		    /* of the file: device, inode and path */
	struct proc_object *object; /* NULL: not asked for yet */
	bool is_again;		    /* met again since */
};

struct proc {
	uint32_t pid, parent;	     /* parent: if the kernel has told of it, else 0 */
	uint32_t thread;	     /* as whom it is found in /proc: proc_thread */
	char *exe;		     /* path of its program, "" if it has none */
	VEC(struct proc_map) maps;   /* in the order in which they were met */
	VEC(struct proc_range) made; /* code that is in no file: what it has made itself */
	struct proc_range vdso;	     /* the kernel's own object; end 0: there is none */
	struct perfmap *perfmap;     /* what it says of made; NULL: nothing yet */
	struct map *known;	     /* those that are in maps and made */
	uint64_t cost;		     /* of its objects */
	uint64_t read_due;	     /* when it may be read again (CLOCK_MONOTONIC, ns) */
	uint64_t last_use;
	bool is_pinned;
	struct far *far; /* where it is; NULL: here */
};

/* Bytes of a path in the kernel's lists, where a newline is "\\012". */
#define PROC_PATH_MAX (PATH_MAX * 4)

struct procs *procs_new(struct arena *a);
void procs_free(struct procs *ps); /* NULL is allowed */

/* The processes are those of another machine; borrowed. */
void procs_set_far(struct procs *ps, struct machine *m);

/*
 * report is called when a file or a process exceeds a limit, once for each limit.  The text lasts
 * as long as the arena.
 */
void procs_set_report(struct procs *ps, void (*report)(void *arg, const char *text), void *arg);

/* Where separate debug files are; borrowed.  /usr/lib/debug if nobody says so. */
void procs_set_debugdir(struct procs *ps, const char *dir);

/* Whether inlined functions and lines of the source will be asked for. */
void procs_set_source(struct procs *ps, bool is_wanted);

/* How many processes are kept. */
void procs_limit(struct procs *ps, unsigned int n);

/*
 * The process with its mappings, read when it is first asked for.  NULL, errno: it is not there
 * (any more); ENOEXEC: it runs no program.
 */
struct proc *procs_get(struct procs *ps, uint32_t pid);

/*
 * The kernel says that a process has mapped part of a file, and that one has made another, which
 * begins with what its parent has mapped: who asks for one finds it, even if it is not there any
 * more.  The path of m is the end of its id; both are copied.
 */
void procs_mapped(struct procs *ps, uint32_t pid, const struct proc_map *m);
void procs_fork(struct procs *ps, uint32_t parent, uint32_t child);

/*
 * The process's number, or that of another of its threads if the first one has ended, as which
 * /proc shows what they have in common.
 */
uint32_t proc_thread(uint32_t pid);

/* The path of a thread's program; of one that has ended it is "". */
const char *proc_exe_path(uint32_t thread, char path[PATH_MAX]);

/* What the kernel has told the process (AT_*, getauxval(3)); 0: nothing. */
uint64_t proc_auxv(uint32_t pid, uint64_t type);

/* CLOCK_MONOTONIC in ns. */
uint64_t proc_clock(void);

/* Add what has been mapped since.  0, or -errno. */
int proc_read(struct proc *p);

/* The same when an address is in no mapping; it may be put off if the process has very many. */
void proc_read_again(struct proc *p);

/* The file of a mapping; one that cannot be read has neither symbols nor segments. */
struct proc_object *proc_object(struct procs *ps, struct proc *p, struct proc_map *m);

/* The static probes of that file. */
const struct notes *proc_notes(struct procs *ps, const struct proc *p, const struct proc_map *m);

/*
 * What an object, whose file is at this path, or a separate file says of types, kept until the end;
 * NULL: nothing.
 */
struct info *proc_info(struct procs *ps, const struct proc_object *o, const char *file);

/*
 * Whether an open file is the one with this id of a mapping: where one was mapped there may be
 * another by now.
 */
bool proc_is_file(const char *id, int fd);

/* The same of a path, by device and number. */
bool proc_is_mapped(const struct proc_map *m, const char *path);

/* A path to the file of a mapping, in buf or of m; "": there is none any more.  Between its files.
 */
const char *proc_find_file(const struct proc *p, const struct proc_map *m, char *buf, size_t size);

/* Whether the file with this id of a mapping has been read, and has none. */
bool procs_lack_notes(const struct procs *ps, const char *id);

/* What its object is called; for mem_free. */
char *proc_base(const struct proc_map *m);

/* Whether a process that is there is a child of another, or one of a child, and so on. */
bool proc_descends(uint32_t pid, uint32_t from);

/* All processes that there are, n of them: in the arena. */
const uint32_t *procs_all(struct procs *ps, unsigned int *n);

/* The file of a mapping, for reading; -errno. */
int proc_open(const struct proc *p, const struct proc_map *m);

/* A path that leads to the file of a mapping, whatever name it has by now; in the arena. */
const char *proc_file(struct procs *ps, const struct proc *p, const struct proc_map *m);

/* The same, and if possible one that is good when the process is gone. */
const char *proc_lasting_file(struct procs *ps, const struct proc *p, const struct proc_map *m);

/*
 * The address, in a process that nobody has, of what is at `off` in the file of a mapping: the same
 * for all processes and copies of the file.  0: there are too many files.
 */
#define PROC_SHARED UINT32_MAX
uint64_t proc_shared(struct procs *ps, struct proc *p, struct proc_map *m, uint64_t off);

/* The function that contains an address of the file, by its best name; NULL: none. */
const struct proc_sym *proc_sym_at(const struct proc_object *o, uint64_t vaddr);

/* The variable that contains an address of the file, by its best name; NULL: none. */
const struct proc_sym *proc_data_at(const struct proc_object *o, uint64_t vaddr);

/*
 * Returns the object whose variables are at an address of the process, and the address in the file;
 * NULL: none.  The mappings of code tell where the loader has put the other segments.
 */
const struct proc_object *proc_data_object(struct procs *ps, struct proc *p, uint64_t addr,
					   uint64_t *vaddr);

/*
 * Returns the variable of an object by its name, as the linker or the source has it; NULL: there is
 * none, or there are several (*is_ambiguous).
 */
const struct proc_sym *proc_data_named(struct procs *ps, const struct proc_object *o,
				       const char *name, bool *is_ambiguous);

/* Returns the address in the process of data at an address of the file whose code is mapped at m;
 * 0: not known. */
uint64_t proc_data_addr(const struct proc_object *o, const struct proc_map *m, uint64_t vaddr);

/* Its name, or that of any function, as the source has it (demangle.h): good until the end. */
const char *proc_source_name(struct procs *ps, const char *name);

/* A function that the process has made itself, and where it begins; NULL: it does not say. */
const char *proc_made_at(struct procs *ps, struct proc *p, uint64_t addr, uint64_t *start);

/*
 * Order by address; of several names for one address the best first: one with a size, one that
 * others can link to, and by looks.
 */
int proc_sym_cmp(const void *a, const void *b);

/* Is it in code that calls functions of other objects, .plt? */
bool proc_in_plt(const struct proc_object *o, uint64_t vaddr);

/* Is there a function with a size that has this address in it? */
bool proc_in_function(const struct proc_object *o, uint64_t vaddr);

/* Between offsets in the file and addresses; false: in no segment. */
bool proc_vaddr(const struct proc_object *o, uint64_t off, uint64_t *vaddr);
bool proc_offset(const struct proc_object *o, uint64_t vaddr, uint64_t *off);

/* The mapping is the first of its file that the process has. */
bool proc_is_first(const struct proc *p, unsigned int map);

/* Is it the process's program? */
bool proc_is_exe(const struct proc *p, const struct proc_map *m);

/* Where a function, by name, is in the file of a mapping, in the part that is mapped there. */
bool proc_func_offset(struct procs *ps, struct proc *p, struct proc_map *m, const char *name,
		      uint64_t *off);

/* Where a function, by name, is in the process, of the program (is_exe) or anywhere; 0: not known.
 */
uint64_t proc_func_addr(struct procs *ps, struct proc *p, const char *name, bool is_exe);

/* object.c: what the file says; path: of it, and dir: as debug.h wants them. */
void proc_object_read(struct proc_object *o, int fd, const char *path, struct debug_dir *dir);
void proc_object_free(struct proc_object *o);

#endif
