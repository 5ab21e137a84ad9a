/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotspot_vm.c: the layout of HotSpot.  libjvm.so publishes names, offsets and addresses for
 * debuggers (src/hotspot/share/runtime/vmStructs.hpp): an array of members, and one of types.  They
 * end with an entry without a name.  The layout of an entry is in variables, too.
 *
 * All this is writable memory of the process.
 */
#include <string.h>

#include "proc/hotspot_priv.h"
#include "proc/proc.h"

#define ENTRIES_MAX 8192 /* of an array; 25 has 1400 in all */
#define ENTRY_MAX   128	 /* bytes */
#define TEXT_MAX    64
#define OFFSET_MAX  4096
#define PAGE	    4096

/* ---- variables ---- */

enum {
	MEMBERS,
	MEMBER_SIZE,
	MEMBER_TYPE,
	MEMBER_NAME,
	MEMBER_IS_STATIC,
	MEMBER_OFFSET,
	MEMBER_ADDRESS,
	TYPES,
	TYPE_ENTRY,
	TYPE_NAME,
	TYPE_SIZE,
	VARIABLES,
};

static const char *const variables[VARIABLES] = {
    [MEMBERS] = "gHotSpotVMStructs",
    [MEMBER_SIZE] = "gHotSpotVMStructEntryArrayStride",
    [MEMBER_TYPE] = "gHotSpotVMStructEntryTypeNameOffset",
    [MEMBER_NAME] = "gHotSpotVMStructEntryFieldNameOffset",
    [MEMBER_IS_STATIC] = "gHotSpotVMStructEntryIsStaticOffset",
    [MEMBER_OFFSET] = "gHotSpotVMStructEntryOffsetOffset",
    [MEMBER_ADDRESS] = "gHotSpotVMStructEntryAddressOffset",
    [TYPES] = "gHotSpotVMTypes",
    [TYPE_ENTRY] = "gHotSpotVMTypeEntryArrayStride",
    [TYPE_NAME] = "gHotSpotVMTypeEntryTypeNameOffset",
    [TYPE_SIZE] = "gHotSpotVMTypeEntrySizeOffset",
};

static void read_variable(uint32_t pid, const struct proc_sym *sym, uint64_t start,
			  uint64_t values[VARIABLES])
{
	for (unsigned int i = 0; i < VARIABLES; i++)
		if (strcmp(sym->name, variables[i]) == 0)
			values[i] = runtime_pointer(pid, start + sym->addr);
}

/* Returns false if an entry contradicts the variables. */
static bool read_variables(uint32_t pid, const struct proc_object *o, uint64_t start,
			   uint64_t values[VARIABLES])
{
	memset(values, 0, VARIABLES * sizeof(values[0]));
	for (unsigned int i = 0; i < o->data.n; i++)
		if (strncmp(o->data.a[i].name, "gHotSpotVM", 10) == 0)
			read_variable(pid, &o->data.a[i], start, values);
	for (unsigned int i = 0; i < VARIABLES; i++) {
		uint64_t size = values[i < TYPES ? MEMBER_SIZE : TYPE_ENTRY];

		if (i != MEMBERS && i != TYPES && i != MEMBER_SIZE && i != TYPE_ENTRY &&
		    values[i] + 8 > size)
			return false;
	}
	return values[MEMBERS] && values[TYPES] && values[MEMBER_SIZE] <= ENTRY_MAX &&
	       values[TYPE_ENTRY] <= ENTRY_MAX;
}

/* ---- facts ---- */

/* Versions that have a member by this name. */
enum { V17 = 1, V21 = 2, V25 = 4, ADDRESSES = V17 | V21, ALL = V17 | V21 | V25 };

static const struct row {
	enum hotspot_fact fact;
	unsigned int versions;
	const char *type, *member; /* NULL: the size of the type */
} rows[] = {
    {BLOB_NAME, ALL, "CodeBlob", "_name"},
    {BLOB_FRAME, ALL, "CodeBlob", "_frame_size"},
    {BLOB_COMPLETE, ALL, "CodeBlob", "_frame_complete_offset"},
    {BLOB_START, ADDRESSES, "CodeBlob", "_code_begin"},
    {BLOB_START, V25, "CodeBlob", "_code_offset"},
    {BLOB_END, ADDRESSES, "CodeBlob", "_code_end"},
    {BLOB_END, V25, "CodeBlob", "_data_offset"},
    {BLOB_MUTABLE, V25, "CodeBlob", "_mutable_data"},
    {BLOB_MUTABLE_SIZE, V25, "CodeBlob", "_mutable_data_size"},
    {BLOB_RELOCATIONS, V25, "CodeBlob", "_relocation_size"},
    {CODE_METHOD, ADDRESSES, "CompiledMethod", "_method"},
    {CODE_METHOD, V25, "nmethod", "_method"},
    {CODE_ID, ALL, "nmethod", "_compile_id"},
    {CODE_ORIGINAL_PC, ALL, "nmethod", "_orig_pc_offset"},
    {CODE_DEOPT, ADDRESSES, "CompiledMethod", "_deopt_handler_begin"},
    {CODE_DEOPT, V25, "nmethod", "_deopt_handler_offset"},
    {CODE_DEOPT_MH, ADDRESSES, "CompiledMethod", "_deopt_mh_handler_begin"},
    {CODE_DEOPT_MH, V25, "nmethod", "_deopt_mh_handler_offset"},
    {CODE_SCOPES, ADDRESSES, "CompiledMethod", "_scopes_data_begin"},
    {CODE_SCOPES, V25, "nmethod", "_scopes_data_offset"},
    {CODE_PLACES, ALL, "nmethod", "_scopes_pcs_offset"},
    {CODE_PLACES_END, ADDRESSES, "nmethod", "_dependencies_offset"},
    {CODE_METADATA, ADDRESSES, "nmethod", "_metadata_offset"},
    {CODE_IMMUTABLE, V25, "nmethod", "_immutable_data"},
    {CODE_IMMUTABLE_SIZE, V25, "nmethod", "_immutable_data_size"},
    {BLOCK_SIZE, ALL, "HeapBlock", NULL},
    {HEAP_MEMORY, ALL, "CodeHeap", "_memory"},
    {HEAP_SEGMENTS, ALL, "CodeHeap", "_segmap"},
    {HEAP_SHIFT, ALL, "CodeHeap", "_log2_segment_size"},
    {SPACE_LOW, ALL, "VirtualSpace", "_low"},
    {SPACE_END, ALL, "VirtualSpace", "_high_boundary"},
    {ARRAY_LENGTH, ALL, "GrowableArrayBase", "_len"},
    {ARRAY_DATA, ALL, "GrowableArray<int>", "_data"}, /* equal for all elements */
    {QUEUE_BUFFER, ALL, "StubQueue", "_stub_buffer"},
    {QUEUE_LIMIT, ALL, "StubQueue", "_buffer_limit"},
    {QUEUE_END, ALL, "StubQueue", "_queue_end"},
    {METHOD_CONST, ALL, "Method", "_constMethod"},
    {CONST_SIZE, ALL, "ConstMethod", NULL},
    {CONST_POOL, ALL, "ConstMethod", "_constants"},
    {CONST_WORDS, ALL, "ConstMethod", "_constMethod_size"},
    {CONST_FLAGS, V17, "ConstMethod", "_flags"},
    {CONST_FLAGS, V21 | V25, "ConstMethod", "_flags._flags"},
    {CONST_CODE, ALL, "ConstMethod", "_code_size"},
    {CONST_NAME, ALL, "ConstMethod", "_name_index"},
    {POOL_SIZE, ALL, "ConstantPool", NULL},
    {POOL_CLASS, ALL, "ConstantPool", "_pool_holder"},
    {POOL_FILE, ALL, "ConstantPool", "_source_file_name_index"},
    {CLASS_NAME, ALL, "Klass", "_name"},
    {SYMBOL_LENGTH, ALL, "Symbol", "_length"},
    {SYMBOL_TEXT, ALL, "Symbol", "_body"},
    {VM_VERSION, ALL, "Abstract_VM_Version", "_vm_major_version"},
    {VM_HEAPS, ALL, "CodeCache", "_heaps"},
    {VM_CODE, ALL, "CodeCache", "_low_bound"},
    {VM_CODE_END, ALL, "CodeCache", "_high_bound"},
    {VM_INTERPRETER, ALL, "AbstractInterpreter", "_code"},
    {VM_CALL_STUB, ALL, "StubRoutines", "_call_stub_return_address"},
};

#define ROWS   (sizeof(rows) / sizeof(rows[0]))
#define ABSENT UINT64_MAX

/* Reads a text that may end right before memory that does not exist. */
static bool read_name(uint32_t pid, uint64_t addr, char name[TEXT_MAX])
{
	size_t n = PAGE - addr % PAGE;

	n = n < TEXT_MAX ? n : TEXT_MAX;
	memset(name, 0, TEXT_MAX);
	if (!runtime_read(pid, addr, name, n))
		return false;
	if (n < TEXT_MAX && !memchr(name, '\0', n) &&
	    !runtime_read(pid, addr + n, name + n, TEXT_MAX - n))
		return false;
	name[TEXT_MAX - 1] = '\0';
	return true;
}

static bool is_wanted_type(const char *type, bool is_size)
{
	for (unsigned int i = 0; i < ROWS; i++)
		if (!rows[i].member == is_size && strcmp(rows[i].type, type) == 0)
			return true;
	return false;
}

static void note_member(const char *type, const char *member, uint64_t value, uint64_t found[ROWS])
{
	for (unsigned int i = 0; i < ROWS; i++)
		if (rows[i].member && strcmp(rows[i].type, type) == 0 &&
		    strcmp(rows[i].member, member) == 0)
			found[i] = value;
}

static uint64_t word_at(const char *entry, uint64_t off)
{
	uint64_t word;

	memcpy(&word, entry + off, sizeof(word));
	return word;
}

/* Consecutive members have the same type, so its name is read once. */
static void read_members(uint32_t pid, const uint64_t var[VARIABLES], uint64_t found[ROWS])
{
	char entry[ENTRY_MAX], type[TEXT_MAX], member[TEXT_MAX];
	uint64_t known = 0, at = var[MEMBERS];
	bool is_wanted = false;

	for (unsigned int i = 0; i < ENTRIES_MAX; i++, at += var[MEMBER_SIZE]) {
		uint64_t name, is_static;

		if (!runtime_read(pid, at, entry, var[MEMBER_SIZE]))
			return;
		name = word_at(entry, var[MEMBER_TYPE]);
		if (!name)
			return;
		if (name != known)
			is_wanted = read_name(pid, name, type) && is_wanted_type(type, false);
		known = name;
		if (!is_wanted || !read_name(pid, word_at(entry, var[MEMBER_NAME]), member))
			continue;
		is_static = (uint32_t)word_at(entry, var[MEMBER_IS_STATIC]);
		note_member(type, member,
			    word_at(entry, var[is_static ? MEMBER_ADDRESS : MEMBER_OFFSET]), found);
	}
}

static void read_sizes(uint32_t pid, const uint64_t var[VARIABLES], uint64_t found[ROWS])
{
	char entry[ENTRY_MAX], type[TEXT_MAX];
	uint64_t at = var[TYPES];

	for (unsigned int i = 0; i < ENTRIES_MAX; i++, at += var[TYPE_ENTRY]) {
		uint64_t name;

		if (!runtime_read(pid, at, entry, var[TYPE_ENTRY]))
			return;
		name = word_at(entry, var[TYPE_NAME]);
		if (!name)
			return;
		if (!read_name(pid, name, type) || !is_wanted_type(type, true))
			continue;
		for (unsigned int k = 0; k < ROWS; k++)
			if (!rows[k].member && strcmp(rows[k].type, type) == 0)
				found[k] = word_at(entry, var[TYPE_SIZE]);
	}
}

static unsigned int version_bit(uint32_t version)
{
	return version == 17 ? V17 : version == 21 ? V21 : version == 25 ? V25 : 0;
}

bool hotspot_is_known(uint32_t version)
{
	return version_bit(version) != 0;
}

bool hotspot_read_facts(uint32_t pid, const struct proc_object *o, uint64_t start,
			uint64_t facts[HOTSPOT_FACTS], uint32_t *version)
{
	uint64_t var[VARIABLES], found[ROWS];
	unsigned int bit;

	if (!read_variables(pid, o, start, var))
		return false;
	memset(found, 0xff, sizeof(found));
	read_members(pid, var, found);
	read_sizes(pid, var, found);
	*version = 0;
	for (unsigned int i = 0; i < ROWS; i++)
		if (rows[i].fact == VM_VERSION)
			*version = hotspot_u32(pid, found[i]);
	bit = version_bit(*version);
	for (unsigned int i = 0; bit && i < ROWS; i++) {
		if (!(rows[i].versions & bit))
			continue;
		if (found[i] == ABSENT || (rows[i].fact < VM_VERSION && found[i] > OFFSET_MAX))
			return false;
		facts[rows[i].fact] = found[i];
	}
	return bit != 0;
}
