/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * v8.c: V8 of node 18, 20, 22 and 24 (x86-64).  V8 exports numbers for debuggers: variables
 * v8dbg_*, which a script of its build makes from its sources.  They are the types and offsets of
 * this build. Their names change, and some versions lack some of them, so each has a default for
 * each version.
 *
 * Functions have the names that Error.stack shows, without the types of receivers.
 */
#include <string.h>

#include "base/mem.h"
#include "proc/proc.h"
#include "proc/v8.h"

#define VERSIONS     V8_VERSIONS
#define OFFSET_MAX   4096 /* of a member */
#define ACCESSOR     16	  /* bytes of a function that returns a variable */
#define DEBUG_PREFIX "v8dbg_"
#define NONE	     0xffff /* no type */

/* Major and minor version of V8 in node 18, 20, 22 and 24. */
static const struct {
	uint32_t major, minor;
} versions[VERSIONS] = {{10, 2}, {11, 3}, {12, 4}, {13, 6}};

/* Required values of numbers for debuggers.  A build with compressed pointers has others. */
static const struct {
	const char *name;
	int32_t value;
} required[] = {
    {"TaggedSize", 8},
    {"SmiValueShift", 1},
    {"SmiShiftSize", 31},
    {"off_fp_context", -8},
    {"off_fp_function", -16},
    {"off_fp_bytecode_array", -32},
    {"off_fp_bytecode_offset", -40},
};

#define KERNEL(member) offsetof(struct runtime_layout, frames.v8.member)
#define HERE(member)   offsetof(struct runtime_layout, v8.member)

/*
 * Members of a layout: the start of the name for debuggers (NULL: none), and the value in each
 * version.
 */
static const struct {
	size_t member;
	const char *name;
	uint16_t values[VERSIONS];
} members[] = {
    {KERNEL(first_function), "type_JSFunction__", {2065, 2066, 2066, 2065}},
    {KERNEL(last_function), "LastJSFunctionType", {2080, 2081, 2082, 2081}},
    {KERNEL(type_info), "type_SharedFunctionInfo__", {257, 262, 274, 282}},
    {KERNEL(type_script), "type_Script__", {170, 167, 167, 167}},
    {KERNEL(type_bytecode), "type_BytecodeArray__", {195, 191, 205, 186}},
    {KERNEL(exit_type), "frametype_BuiltinExitFrame", {22, 25, 26, 27}},
    {KERNEL(info), "class_JSFunction__shared__", {24, 24, 32, 32}},
    {KERNEL(name), "class_SharedFunctionInfo__name_or_scope_info__", {16, 16, 16, 24}},
    {KERNEL(script), "class_SharedFunctionInfo__script", {32, 32, 32, 40}},
    {KERNEL(flags), "class_SharedFunctionInfo__flags__", {48, 48, 48, 56}},
    {KERNEL(bytecode), "class_BytecodeArray__data__", {56, 54, 64, 64}},
    {HERE(type_bytes), "type_ByteArray__", {194, 190, 186, 217}},
    {HERE(type_trusted_bytes), "type_TrustedByteArray__", {NONE, NONE, 212, 196}},
    {HERE(type_map), "type_Map__", {250, 255, 264, 272}},
    {HERE(type_scope), "type_ScopeInfo__", {256, 261, 272, 280}},
    {HERE(type_debug), "type_DebugInfo__", {156, 153, 154, 154}},
    {HERE(type_interpreter), "type_InterpreterData__", {162, 159, 207, 188}},
    {HERE(type_wrapper), "type_SharedFunctionInfoWrapper__", {NONE, NONE, NONE, 195}},
    {HERE(type_code), "type_Code__", {240, 245, 206, 187}},
    {HERE(type_stream), "type_InstructionStream__", {240, 252, 210, 192}},
    {HERE(bytecode_positions), NULL, {32, 32, 24, 24}},
    {HERE(interpreter_bytecode), NULL, {8, 8, 16, 16}},
    {HERE(script_flags), NULL, {96, 104, 104, 104}},
    {HERE(scope_variables), NULL, {32, 32, 32, 48}},
    {HERE(scope_module), NULL, {NONE, NONE, 3, 5}},
    {HERE(scope_is_raw), NULL, {0, 0, 0, 1}},
    {HERE(stream_code), NULL, {0, 8, 8, 8}},
    {HERE(stream_start), "class_InstructionStream__instruction_start__", {128, 16, 32, 32}},
    {HERE(code_deopt), NULL, {16, 16, 8, 8}},
    {HERE(code_positions), NULL, {24, 24, 16, 16}},
    {HERE(code_flags), "class_Code__flags__", {48, 48, 48, 52}},
    {HERE(code_size), "class_Code__instruction_size__", {40, 56, 52, 56}},
    {HERE(kind_interpreter), "CodeKindInterpretedFunction", {10, 10, 9, 9}},
    {HERE(kind_baseline), "CodeKindBaseline", {11, 11, 10, 10}},
    {HERE(deopt_literals), "DeoptimizationDataLiteralArrayIndex", {2, 2, 2, 3}},
    {HERE(deopt_function), NULL, {6, 6, 6, 7}},
    {HERE(deopt_inlining), "DeoptimizationDataInliningPositionsIndex", {7, 7, 7, 8}},
    {HERE(safepoint_config), NULL, {4, 4, 4, 8}},
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- symbols ---- */

static const struct proc_sym *variable(const struct proc_object *o, const char *name)
{
	for (unsigned int i = 0; i < o->data.n; i++)
		if (strcmp(o->data.a[i].name, name) == 0)
			return &o->data.a[i];
	return NULL;
}

/* Returns the number of the version, or VERSIONS. */
static unsigned int version_of(uint32_t pid, const struct proc_object *o, uint64_t start,
			       struct runtime_layout *l)
{
	const struct proc_sym *sym = variable(o, "_ZN2v88internal7Version6minor_E");
	uint32_t major, minor;
	unsigned int i;

	if (!sym || !runtime_read(pid, start + o->v8, &major, sizeof(major)) ||
	    !runtime_read(pid, start + sym->addr, &minor, sizeof(minor)))
		return VERSIONS;
	for (i = 0; i < VERSIONS; i++)
		if (versions[i].major == major && versions[i].minor == minor)
			break;
	if (i == VERSIONS)
		runtime_unknown(l, "V8 %u.%u", major, minor);
	return i;
}

/* Takes a number for debuggers.  Returns false if the layout is unknown. */
static bool take(const char *name, int32_t value, struct runtime_layout *l)
{
	for (size_t i = 0; i < COUNT(required); i++)
		if (strcmp(name, required[i].name) == 0 && value != required[i].value)
			return false;
	for (size_t i = 0; i < COUNT(members); i++)
		if (members[i].name && value >= 0 && value < OFFSET_MAX &&
		    strncmp(name, members[i].name, strlen(members[i].name)) == 0)
			*(uint16_t *)((char *)l + members[i].member) = (uint16_t)value;
	return true;
}

static bool read_numbers(uint32_t pid, const struct proc_object *o, uint64_t start,
			 struct runtime_layout *l)
{
	const size_t prefix = strlen(DEBUG_PREFIX);

	for (unsigned int i = 0; i < o->data.n; i++) {
		const struct proc_sym *sym = &o->data.a[i];
		int32_t value;

		if (strncmp(sym->name, DEBUG_PREFIX, prefix) == 0 &&
		    runtime_read(pid, start + sym->addr, &value, sizeof(value)) &&
		    !take(sym->name + prefix, value, l))
			return false;
	}
	return true;
}

/*
 * Returns the address of the variable that a function returns, which begins with
 * "mov disp(%rip), %rax" or %eax.  0: unknown.
 */
static uint64_t returned(uint32_t pid, const struct proc_object *o, uint64_t start,
			 const char *name)
{
	uint8_t code[ACCESSOR];
	uint64_t addr = 0;
	int32_t more;

	for (unsigned int i = 0; i < o->syms.n && !addr; i++)
		if (strcmp(o->syms.a[i].name, name) == 0)
			addr = start + o->syms.a[i].addr;
	if (!addr || !runtime_read(pid, addr, code, sizeof(code)))
		return 0;
	for (size_t i = 0; i + 6 <= sizeof(code); i++) {
		if (code[i] != 0x8b || code[i + 1] != 0x05)
			continue;
		memcpy(&more, code + i + 2, sizeof(more));
		return addr + i + 6 + (uint64_t)(int64_t)more;
	}
	return 0;
}

/* Finds the variables with the code of builtins, which get their values later. */
static bool find_builtins(uint32_t pid, const struct proc_object *o, uint64_t start,
			  struct abi_v8 *v8)
{
	v8->builtins =
	    returned(pid, o, start, "_ZN2v88internal7Isolate23CurrentEmbeddedBlobCodeEv");
	v8->builtins_size =
	    returned(pid, o, start, "_ZN2v88internal7Isolate27CurrentEmbeddedBlobCodeSizeEv");
	return v8->builtins && v8->builtins_size;
}

void v8_defaults(unsigned int version, struct runtime_layout *l)
{
	l->runtime = &runtime_v8;
	l->frames.kind = ABI_V8;
	for (size_t i = 0; i < COUNT(members); i++)
		*(uint16_t *)((char *)l + members[i].member) = members[i].values[version];
}

static bool find(uint32_t pid, const struct proc_object *o, uint64_t start,
		 struct runtime_layout *l)
{
	unsigned int version = o->v8 ? version_of(pid, o, start, l) : VERSIONS;
	const struct proc_sym *sizes;

	if (version == VERSIONS)
		return false;
	v8_defaults(version, l);
	sizes = variable(o, "_ZN2v88internal11interpreter9Bytecodes14kBytecodeSizesE");
	if (sizes) {
		l->v8.sizes = start + sizes->addr;
		l->v8.nsizes = (uint32_t)sizes->size;
	}
	return read_numbers(pid, o, start, l) && find_builtins(pid, o, start, &l->frames.v8);
}

/* ---- functions ---- */

static uint64_t info_of(const struct abi_lang_new *new)
{
	return new->check >> ABI_V8_HASH_BITS << 3 | 1;
}

static uint64_t pc_of(const struct abi_lang_new *new)
{
	return new->object &ABI_V8_THREAD ? 0 : new->object & ~ABI_V8_TOP;
}

static uint64_t check(uint32_t pid, const struct runtime_layout *l, const struct abi_lang_new *new)
{
	const struct v8 v = {.pid = pid, .layout = l};
	const struct abi_v8 *v8 = &l->frames.v8;
	uint64_t info = info_of(new), pc = pc_of(new), script = v8_script(&v, info);
	uint64_t id = v8_member(&v, info, v8->name), number;

	if (script)
		id = v8_member(&v, script, ABI_V8_SCRIPT_ID) | v8_member(&v, info, v8->flags) >> 32;
	number = abi_mix(new->object, id);
	if (pc) {
		number = abi_mix(number, runtime_pointer(pid, pc - 8));
		number = abi_mix(number, runtime_pointer(pid, pc));
	}
	return abi_v8_check(info, number);
}

struct runtime_code *v8_read_place(const struct v8 *v, uint64_t info, uint64_t pc, bool is_caller)
{
	struct v8_code code;
	bool is_code = pc && v8_find_code(v, pc, &code);
	struct runtime_code *c;

	if (is_code)
		info = v8_code_function(v, &code, info);
	c = v8_function(v, info);
	if (!c || !c->file)
		return c;
	v8_read_lines(v, info, c);
	if (is_code)
		v8_read_code(v, &code, info, pc, is_caller, c);
	return c;
}

static struct runtime_code *read_function(uint32_t pid, const struct runtime_layout *l,
					  const struct abi_lang_new *new)
{
	bool failed = false;
	const struct v8 v = {pid, l, &failed};
	struct runtime_code *c;

	if (check(pid, l, new) != new->check)
		return NULL;
	c = v8_read_place(&v, info_of(new), pc_of(new), !(new->object &ABI_V8_TOP));
	/* Without all parts, the name would be "(anonymous)", and the line the first one. */
	if (!failed)
		return c;
	runtime_code_free(c);
	return NULL;
}

static unsigned int places(const struct runtime_code *c, uint32_t at, struct runtime_place *to,
			   unsigned int max)
{
	unsigned int n = 0;

	for (; n < c->ninlined && n + 1 < max; n++)
		to[n] = (struct runtime_place){.file = c->inlined[n]->file,
					       .func = c->inlined[n]->func,
					       .line = c->inlined[n]->line};
	if (n < max)
		to[n++] = (struct runtime_place){
		    .file = c->file, .func = c->func, .line = v8_line_at(c, at)};
	return n;
}

const struct runtime runtime_v8 = {
    .find = find, .read = read_function, .check = check, .places = places};
