/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runtime.h: runtimes of languages in processes, whose functions have names in the memory of the
 * process.  The process is not trusted: all reads are bounded.
 *
 * To add a runtime: its layout in rt/abi.h, its walk in a file beside rt/lang.bpf.h, and a struct
 * runtime in a file here, with its row in runtime.c.
 */
#ifndef PROC_RUNTIME_H
#define PROC_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/abi.h"

struct proc;
struct proc_object;
struct procs;

#define RUNTIME_UNKNOWN 64

/* Layout of one version of a runtime in a process. */
struct runtime_layout {
	const struct runtime *runtime;
	char unknown[RUNTIME_UNKNOWN]; /* "Ruby 3.2": found, but its layout is unknown; or "" */
	struct abi_runtime frames;     /* for the kernel side */
	struct {
		uint64_t start, end;
	} code; /* addresses of code whose frames only the runtime can follow */
	union {
		struct {
			unsigned int line; /* in a code object: line of its first instruction */
			unsigned int ascii,
			    other;	/* in a str: its characters, for ASCII, and for others */
			bool has_flags; /* above the count of references */
			bool has_pairs; /* lines: pairs of bytes (co_lnotab) */
		} python;
		struct {
			uint64_t data, data_size; /* of the library: the table of names is in it */
			uint32_t places;	  /* in a body: the table of lines */
			uint32_t text;	/* in a String: characters that are not elsewhere */
			bool is_fixnum; /* the first line is an Integer object */
		} ruby;
		struct {
			uint64_t base;		  /* difference of addresses */
			uint64_t code, stub;	  /* variables: start of the code, call stub */
			uint32_t version, at[48]; /* see hotspot_priv.h */
		} hotspot;
		struct {
			/* Types of objects. */
			uint16_t type_bytes, type_trusted_bytes;
			uint16_t type_map, type_scope, type_debug, type_interpreter, type_wrapper;
			uint16_t type_code, type_stream;
			/* Offsets in objects, and elements of arrays. */
			uint16_t bytecode_positions, interpreter_bytecode, script_flags;
			uint16_t scope_variables, scope_module; /* the type of a module's scope */
			uint16_t scope_is_raw;			/* its flags are no small integer */
			uint16_t stream_code, stream_start;	/* stream_code 0: it is the code */
			uint16_t code_deopt, code_positions, code_flags, code_size;
			uint16_t kind_interpreter, kind_baseline; /* of code, in its flags */
			uint16_t deopt_literals, deopt_function, deopt_inlining;
			uint16_t safepoint_config;
			uint32_t nsizes;
			uint64_t sizes; /* address of the sizes of bytecodes; 0: unknown */
		} v8;
	};
};

/* A function.  Texts are for mem_free. */
struct runtime_code {
	const struct runtime *runtime;
	char *file; /* NULL: the function is not written in the language */
	char *func;
	int line;	/* line of its first instruction */
	uint8_t *lines; /* location table with the other lines */
	uint32_t nlines;
	bool has_pairs;		       /* Python 3.9: the table has pairs of bytes */
	struct runtime_code **inlined; /* functions whose code is a part of its code */
	unsigned int ninlined;
};

#define RUNTIME_PLACES 64 /* limit of functions that are inlined in each other */

struct runtime_place {
	const char *file, *func; /* file as in struct runtime_code; both belong to it */
	int line;
};

struct runtime {
	/*
	 * Sets *l if an object of the process is the runtime.  START is the difference between
	 * addresses in the process and in the file.  Returns false if the object is none, or a
	 * version whose frames are unknown: it names the version in l->unknown.  *l has earlier
	 * results of this process, if any, and member runtime.
	 */
	bool (*find)(uint32_t pid, const struct proc_object *o, uint64_t start,
		     struct runtime_layout *l);

	/*
	 * Reads a new function, without member runtime.  Returns NULL if it is unreadable, or no
	 * function (any more).
	 */
	struct runtime_code *(*read)(uint32_t pid, const struct runtime_layout *l,
				     const struct abi_lang_new *new);

	/*
	 * Returns the check of a function as the kernel side makes it (struct lang_frame).  If it
	 * differs after reading, another function has taken the place.  NULL: read compares itself.
	 */
	uint64_t (*check)(uint32_t pid, const struct runtime_layout *l,
			  const struct abi_lang_new *new);

	/* Returns the line of a place in it. */
	int (*line)(const struct runtime_code *c, uint32_t at);

	/*
	 * Replaces `line` if the runtime inlines functions: sets the places in the source of a
	 * place in the code, the innermost one first.  Returns their number, at most max.
	 */
	unsigned int (*places)(const struct runtime_code *c, uint32_t at, struct runtime_place *to,
			       unsigned int max);

	/*
	 * Prefix of the name of the interpreter's loop; NULL: no interpreter.  Functions of the
	 * language run at the native frames of this function.
	 */
	const char *loop;

	/* Code of the runtime that the unwinder cannot walk without the runtime's help; 0: none. */
	enum abi_code code;

	/* Name of the file that has it; NULL: any. */
	const char *library;
};

extern const struct runtime runtime_python, runtime_php, runtime_perl, runtime_ruby, runtime_v8,
    runtime_hotspot;

/*
 * Returns false if the process runs no known runtime; l->unknown then names an unknown one.
 * only_native: looks only for runtimes that native frames need.  *l is the earlier result, or
 * zeros.
 */
bool runtime_find(struct procs *ps, struct proc *p, bool only_native, struct runtime_layout *l);

/* Like member places, for any runtime. */
unsigned int runtime_places(const struct runtime_code *c, uint32_t at, struct runtime_place *to,
			    unsigned int max);

void runtime_code_free(struct runtime_code *c); /* with its inlined functions; NULL is allowed */

/* ---- for the files of runtimes ---- */

/* Reads the memory of a process.  Returns false if that is not possible. */
bool runtime_read(uint32_t pid, uint64_t addr, void *to, size_t size);

/* Adds a text to a number as add_content() of the kernel side does (rt/content.bpf.h). */
uint64_t runtime_content(uint64_t number, const char *text);

/* Sets l->unknown.  Returns false. */
bool runtime_unknown(struct runtime_layout *l, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the pointer at an address; 0: unreadable. */
uint64_t runtime_pointer(uint32_t pid, uint64_t addr);

#endif
