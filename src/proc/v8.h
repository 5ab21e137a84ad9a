/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * v8.h: V8 in a process, for its files.  Objects are tagged pointers.  The process is not trusted:
 * an object may be any number, and all reads are bounded.
 */
#ifndef PROC_V8_H
#define PROC_V8_H

#include "proc/runtime.h"

struct v8 {
	uint32_t pid;
	const struct runtime_layout *layout;
	bool *failed; /* set to true if memory cannot be read, because the thread has ended; NULL:
			 not set */
};

/* Offsets that are equal in all known versions. */
enum {
	V8_LENGTH = 8, /* of arrays, also of bytecode */
	V8_ELEMENTS = 16,
	V8_MAP_TYPE = 12,
	V8_INFO_DATA = 8, /* of a SharedFunctionInfo */
	V8_WRAPPED = 8,	  /* of a SharedFunctionInfoWrapper */
	V8_SCRIPT_SOURCE = 8,
	V8_SCRIPT_NAME = 16,
	V8_SCRIPT_LINE = 24,
	V8_DEBUG_SCRIPT = 16, /* of a DebugInfo */
};

/* ---- v8.c ---- */

#define V8_VERSIONS 4

/* Sets the usual layout of a version: 0 to 3 for node 18, 20, 22 and 24. */
void v8_defaults(unsigned int version, struct runtime_layout *l);

/*
 * Reads a function by its SharedFunctionInfo.  pc: a place in its compiled code, or 0.  is_caller:
 * pc is a return address.
 */
struct runtime_code *v8_read_place(const struct v8 *v, uint64_t info, uint64_t pc, bool is_caller);

/* ---- v8_heap.c: objects ---- */

/* Reads part of an object.  Returns false if it is none, or unreadable. */
bool v8_read(const struct v8 *v, uint64_t object, uint64_t off, void *to, size_t size);

/* The same for characters. */
bool v8_read_at(const struct v8 *v, uint64_t addr, void *to, size_t size);

/* Returns a member, or 0. */
uint64_t v8_member(const struct v8 *v, uint64_t object, uint64_t off);
uint32_t v8_half(const struct v8 *v, uint64_t object, uint64_t off);

/* Returns the type of an object; 0: it is none, or a string (of a type that is internal). */
unsigned int v8_type(const struct v8 *v, uint64_t object);

/* Returns the value of a small integer, or 0 for anything else. */
int32_t v8_smi(uint64_t word);

/* Returns the bytes of a ByteArray, for mem_free, and sets their number.  NULL: none. */
uint8_t *v8_bytes(const struct v8 *v, uint64_t array, uint32_t *n);

/* Returns an element of an array of objects, or 0. */
uint64_t v8_element(const struct v8 *v, uint64_t array, uint32_t i);

/* The characters of a string that lie in one place. */
struct v8_chars {
	uint64_t addr;
	uint32_t n;
	bool is_wide; /* UTF-16, else Latin-1 */
};

bool v8_chars(const struct v8 *v, uint64_t string, struct v8_chars *res);

/* Returns a string, cut at 1024 bytes, for mem_free.  NULL: it is none, or empty. */
char *v8_text(const struct v8 *v, uint64_t string);

/* ---- v8_func.c: functions ---- */

/* Returns the script of a SharedFunctionInfo; 0: it is a function of the runtime. */
uint64_t v8_script(const struct v8 *v, uint64_t info);

/* Returns the BytecodeArray of the data of a function or of its code, or 0. */
uint64_t v8_bytecode_of(const struct v8 *v, uint64_t data);

/* Returns the BytecodeArray of a SharedFunctionInfo, or 0. */
uint64_t v8_bytecode(const struct v8 *v, uint64_t info);

/* Returns a function with its names. */
struct runtime_code *v8_function(const struct v8 *v, uint64_t info);

/* ---- v8_lines.c: places in the source ---- */

/* Returns the line of a place in the source of a script, from 1 on; 0: unknown. */
int v8_line(const struct v8 *v, uint64_t script, uint32_t at);

/* A position: the place in the source, and the number of the inlined function. */
static inline uint32_t v8_place(uint64_t position)
{
	return (uint32_t)(position >> 1 & ((1U << 30) - 1)) - 1;
}

static inline uint32_t v8_inlined(uint64_t position)
{
	return (uint32_t)(position >> 31 & 0xffff);
}

/* Sets the position of a byte of code, counted from 1 on.  Returns false if the table has none. */
bool v8_position(const struct v8 *v, uint64_t table, uint32_t at, uint64_t *position);

/* Sets the lines of a function. */
void v8_read_lines(const struct v8 *v, uint64_t info, struct runtime_code *c);

/* Returns the line of a byte of its bytecode, counted from 1 on; 0: unknown. */
int v8_line_at(const struct runtime_code *c, uint32_t at);

/* Reads a number of 7 bits a byte, the lowest first, and advances *p. */
uint64_t v8_number(const uint8_t **p, const uint8_t *end);

/* ---- v8_code.c: compiled code ---- */

struct v8_code {
	uint64_t start;
	uint32_t size, kind;
	uint64_t deopt, positions;
};

/* Finds the code that contains pc. */
bool v8_find_code(const struct v8 *v, uint64_t pc, struct v8_code *res);

/*
 * Returns the function that the code was made from; 0: unknown.  Only optimized code refers to it;
 * for other code it may be info.
 */
uint64_t v8_code_function(const struct v8 *v, const struct v8_code *code, uint64_t info);

/*
 * Sets the line of a place in code of a function whose lines are read, and the functions that are
 * inlined there.  is_caller: pc is a return address.
 */
void v8_read_code(const struct v8 *v, const struct v8_code *code, uint64_t info, uint64_t pc,
		  bool is_caller, struct runtime_code *c);

#endif
