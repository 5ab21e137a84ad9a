/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotspot_priv.h: the files of HotSpot.  hotspot_vm.c reads the layout that a process publishes,
 * hotspot.c chooses from it, hotspot_method.c reads methods, hotspot_code.c compiled code.
 */
#ifndef PROC_HOTSPOT_PRIV_H
#define PROC_HOTSPOT_PRIV_H

#include "proc/runtime.h"

/* Offsets of members, sizes of types, and addresses of variables, from VM_VERSION on. */
enum hotspot_fact {
	BLOB_NAME, /* CodeBlob: a piece of code */
	BLOB_FRAME,
	BLOB_COMPLETE,
	BLOB_START,
	BLOB_END,
	BLOB_MUTABLE,
	BLOB_MUTABLE_SIZE,
	BLOB_RELOCATIONS,
	CODE_METHOD, /* nmethod: a compiled method */
	CODE_ID,
	CODE_ORIGINAL_PC,
	CODE_DEOPT,
	CODE_DEOPT_MH,
	CODE_SCOPES,
	CODE_PLACES,
	CODE_PLACES_END,
	CODE_METADATA,
	CODE_IMMUTABLE,
	CODE_IMMUTABLE_SIZE,
	BLOCK_SIZE, /* HeapBlock */
	HEAP_MEMORY,
	HEAP_SEGMENTS,
	HEAP_SHIFT,
	SPACE_LOW,
	SPACE_END,
	ARRAY_LENGTH,
	ARRAY_DATA,
	QUEUE_BUFFER,
	QUEUE_LIMIT,
	QUEUE_END,
	METHOD_CONST,
	CONST_SIZE, /* ConstMethod: the parts of a method that do not change */
	CONST_POOL,
	CONST_WORDS,
	CONST_FLAGS,
	CONST_CODE,
	CONST_NAME,
	POOL_SIZE, /* ConstantPool */
	POOL_CLASS,
	POOL_FILE,
	CLASS_NAME,
	SYMBOL_LENGTH,
	SYMBOL_TEXT,
	VM_VERSION,
	VM_HEAPS,
	VM_CODE,
	VM_CODE_END,
	VM_INTERPRETER,
	VM_CALL_STUB,
	HOTSPOT_FACTS,
};

_Static_assert(VM_VERSION <= sizeof(((struct runtime_layout *)0)->hotspot.at) / sizeof(uint32_t),
	       "offsets");

/*
 * Reads all facts that the version has, and the version.  Returns false if one is missing or
 * absurd, or the version is unknown.
 */
bool hotspot_read_facts(uint32_t pid, const struct proc_object *o, uint64_t start,
			uint64_t facts[HOTSPOT_FACTS], uint32_t *version);

bool hotspot_is_known(uint32_t version);

/* Versions from this one on have offsets in code instead of addresses. */
#define HOTSPOT_RELATIVE 25

/* Returns the method at an address; NULL: there is none. */
struct runtime_code *hotspot_method(uint32_t pid, const struct runtime_layout *l, uint64_t method);

/* Returns the line of a bytecode. */
int hotspot_line(const struct runtime_code *method, uint32_t bci);

/* Returns the compiled method at an address, with the methods that are inlined in it. */
struct runtime_code *hotspot_code(uint32_t pid, const struct runtime_layout *l, uint64_t code);

/* As struct runtime, for compiled methods. */
unsigned int hotspot_inlined(const struct runtime_code *c, uint32_t at, struct runtime_place *to,
			     unsigned int max);

/* Parses an UNSIGNED5 number (unsigned5.hpp) and moves *p, which is at most end. */
uint32_t hotspot_number(const struct runtime_layout *l, const uint8_t **p, const uint8_t *end);

/* Returns the offset of a member. */
static inline uint32_t hotspot_at(const struct runtime_layout *l, enum hotspot_fact fact)
{
	return l->hotspot.at[fact];
}

/* Return a number in the memory of the process; 0: unreadable. */
uint16_t hotspot_u16(uint32_t pid, uint64_t addr);
uint32_t hotspot_u32(uint32_t pid, uint64_t addr);

#endif
