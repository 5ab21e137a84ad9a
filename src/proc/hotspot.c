/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotspot.c: HotSpot 17, 21 and 25 (x86-64), the virtual machine of OpenJDK.  The layout comes from
 * the process (hotspot_vm.c).
 *
 * Its code lies in a few heaps, which do not move.  A heap has a byte for each segment of its
 * memory, which leads to the block with the segment (src/hotspot/share/memory/heap.cpp).  So the
 * kernel side finds all code, however much is compiled later.
 */
#include <elf.h>

#include "arch/arch.h"
#include "proc/hotspot_priv.h"
#include "proc/proc.h"

#define SHIFT_MAX 16 /* log2 of the bytes of a segment; 7 in all versions */

uint16_t hotspot_u16(uint32_t pid, uint64_t addr)
{
	uint16_t n = 0;

	return runtime_read(pid, addr, &n, sizeof(n)) ? n : 0;
}

uint32_t hotspot_u32(uint32_t pid, uint64_t addr)
{
	uint32_t n = 0;

	return runtime_read(pid, addr, &n, sizeof(n)) ? n : 0;
}

/* ---- the layout ---- */

static bool read_heap(uint32_t pid, const struct runtime_layout *l, uint64_t heap,
		      struct abi_hotspot_heap *to)
{
	uint64_t memory = heap + hotspot_at(l, HEAP_MEMORY),
		 segments = heap + hotspot_at(l, HEAP_SEGMENTS);

	to->start = runtime_pointer(pid, memory + hotspot_at(l, SPACE_LOW));
	to->end = runtime_pointer(pid, memory + hotspot_at(l, SPACE_END));
	to->segments = runtime_pointer(pid, segments + hotspot_at(l, SPACE_LOW));
	return to->start && to->end > to->start && to->segments;
}

static bool read_heaps(uint32_t pid, struct runtime_layout *l, uint64_t array)
{
	struct abi_hotspot *x = &l->frames.hotspot;
	uint32_t n = hotspot_u32(pid, array + hotspot_at(l, ARRAY_LENGTH));
	uint64_t data = runtime_pointer(pid, array + hotspot_at(l, ARRAY_DATA)), heap = 0;

	if (!n || n > ABI_HOTSPOT_HEAPS)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		heap = runtime_pointer(pid, data + 8ULL * i);
		if (!heap || !read_heap(pid, l, heap, &x->heaps[i]))
			return false;
	}
	x->shift = hotspot_u32(pid, heap + hotspot_at(l, HEAP_SHIFT));
	return x->shift <= SHIFT_MAX;
}

/*
 * Returns false until the virtual machine has made its interpreter and the stub for calls.  Then
 * the virtual machine frees the unused memory of the interpreter.
 */
static bool read_ranges(uint32_t pid, struct runtime_layout *l, const uint64_t facts[HOTSPOT_FACTS])
{
	struct abi_hotspot *x = &l->frames.hotspot;
	uint64_t queue = runtime_pointer(pid, facts[VM_INTERPRETER]);
	uint32_t size = queue ? hotspot_u32(pid, queue + hotspot_at(l, QUEUE_LIMIT)) : 0;

	x->start = runtime_pointer(pid, facts[VM_CODE]);
	x->end = runtime_pointer(pid, facts[VM_CODE_END]);
	x->call_stub = runtime_pointer(pid, facts[VM_CALL_STUB]);
	if (!size || size != hotspot_u32(pid, queue + hotspot_at(l, QUEUE_END)) || !x->start ||
	    x->end <= x->start || !x->call_stub)
		return false;
	x->interpreter = runtime_pointer(pid, queue + hotspot_at(l, QUEUE_BUFFER));
	x->interpreter_end = x->interpreter + size;
	l->code.start = x->start;
	l->code.end = x->end;
	return x->interpreter && read_heaps(pid, l, runtime_pointer(pid, facts[VM_HEAPS]));
}

static void set_offsets(struct runtime_layout *l)
{
	struct abi_hotspot *x = &l->frames.hotspot;
	bool is_relative = l->hotspot.version >= HOTSPOT_RELATIVE;

	x->is_relative = is_relative;
	/* An int became an int16_t. */
	x->complete_shift = is_relative ? 16 : 0;
	x->block = hotspot_at(l, BLOCK_SIZE);
	x->name = hotspot_at(l, BLOB_NAME);
	x->frame = hotspot_at(l, BLOB_FRAME);
	x->complete = hotspot_at(l, BLOB_COMPLETE);
	x->code = hotspot_at(l, BLOB_START);
	x->code_end = hotspot_at(l, BLOB_END);
	x->compile_id = hotspot_at(l, CODE_ID);
	x->original_pc = hotspot_at(l, CODE_ORIGINAL_PC);
	x->deopt[0] = hotspot_at(l, CODE_DEOPT);
	x->deopt[1] = hotspot_at(l, CODE_DEOPT_MH);
	x->const_method = hotspot_at(l, METHOD_CONST);
	x->bytecodes = hotspot_at(l, CONST_SIZE);
	x->nbytecodes = hotspot_at(l, CONST_CODE);
	x->nwords = hotspot_at(l, CONST_WORDS);
	x->pool = hotspot_at(l, CONST_POOL);
	x->method_name = hotspot_at(l, CONST_NAME);
	x->entries = hotspot_at(l, POOL_SIZE);
	x->class = hotspot_at(l, POOL_CLASS);
	x->class_name = hotspot_at(l, CLASS_NAME);
	x->symbol_length = hotspot_at(l, SYMBOL_LENGTH);
	x->symbol = hotspot_at(l, SYMBOL_TEXT);
}

/* The layout does not change.  Reading it takes thousands of system calls. */
static bool is_same(uint32_t pid, uint64_t start, const struct runtime_layout *l)
{
	return l->frames.hotspot.start && l->hotspot.base == start &&
	       runtime_pointer(pid, l->hotspot.code) == l->frames.hotspot.start &&
	       runtime_pointer(pid, l->hotspot.stub) == l->frames.hotspot.call_stub;
}

static bool find(uint32_t pid, const struct proc_object *o, uint64_t start,
		 struct runtime_layout *l)
{
	uint64_t facts[HOTSPOT_FACTS] = {0};

	if (!o->is_hotspot || !o->is_native || arch_native->machine != EM_X86_64)
		return false;
	if (is_same(pid, start, l))
		return true;
	if (!hotspot_read_facts(pid, o, start, facts, &l->hotspot.version))
		return l->hotspot.version && !hotspot_is_known(l->hotspot.version)
			   ? runtime_unknown(l, "HotSpot %u", l->hotspot.version)
			   : false;
	for (unsigned int i = 0; i < VM_VERSION; i++)
		l->hotspot.at[i] = (uint32_t)facts[i];
	l->hotspot.base = start;
	l->hotspot.code = facts[VM_CODE];
	l->hotspot.stub = facts[VM_CALL_STUB];
	l->frames.kind = ABI_HOTSPOT;
	set_offsets(l);
	return read_ranges(pid, l, facts);
}

/* ---- functions ---- */

/* Another method, or other code, may be there by now. */
static uint64_t code_of(const struct abi_lang_new *new)
{
	return new->object & ~(uint64_t)ABI_HOTSPOT_COMPILED;
}

static bool is_compiled(const struct abi_lang_new *new)
{
	return code_of(new) != new->object;
}

/* Adds a name to a number as hotspot_add() of the kernel side does. */
static uint64_t add_symbol(uint32_t pid, const struct runtime_layout *l, uint64_t number,
			   uint64_t symbol)
{
	char text[UINT16_MAX + 1];
	uint16_t n = hotspot_u16(pid, symbol + hotspot_at(l, SYMBOL_LENGTH));

	if (!runtime_read(pid, symbol + hotspot_at(l, SYMBOL_TEXT), text, n))
		return 0;
	text[n] = '\0';
	return runtime_content(number, text);
}

static uint64_t method_check(uint32_t pid, const struct runtime_layout *l, uint64_t part)
{
	uint64_t pool = runtime_pointer(pid, part + hotspot_at(l, CONST_POOL));
	uint64_t class = runtime_pointer(pid, pool + hotspot_at(l, POOL_CLASS));
	uint64_t entry = pool + hotspot_at(l, POOL_SIZE) +
			 8ULL * hotspot_u16(pid, part + hotspot_at(l, CONST_NAME));
	uint64_t before = (uint64_t)hotspot_at(l, CONST_SIZE) +
			  hotspot_u16(pid, part + hotspot_at(l, CONST_CODE));
	uint64_t all = 8ULL * hotspot_u32(pid, part + hotspot_at(l, CONST_WORDS));
	uint64_t words[2] = {0}, number;

	number = add_symbol(pid, l, part, runtime_pointer(pid, class + hotspot_at(l, CLASS_NAME)));
	number = add_symbol(pid, l, number, runtime_pointer(pid, entry) & ~1ULL);
	if (all - before >= sizeof(words))
		runtime_read(pid, part + before, words, sizeof(words));
	return abi_mix(abi_mix(number, words[0]), words[1]);
}

static uint64_t check(uint32_t pid, const struct runtime_layout *l, const struct abi_lang_new *new)
{
	uint64_t part;

	if (is_compiled(new))
		return hotspot_u32(pid, code_of(new) + hotspot_at(l, CODE_ID));
	part = runtime_pointer(pid, code_of(new) + hotspot_at(l, METHOD_CONST));
	return part == new->check ? part : method_check(pid, l, part);
}

static struct runtime_code *read_function(uint32_t pid, const struct runtime_layout *l,
					  const struct abi_lang_new *new)
{
	if (check(pid, l, new) != new->check)
		return NULL;
	return is_compiled(new) ? hotspot_code(pid, l, code_of(new))
				: hotspot_method(pid, l, code_of(new));
}

static unsigned int places(const struct runtime_code *c, uint32_t at, struct runtime_place *to,
			   unsigned int max)
{
	if (c->ninlined)
		return hotspot_inlined(c, at, to, max);
	to[0] = (struct runtime_place){c->file, c->func, at ? hotspot_line(c, at - 1) : c->line};
	return 1;
}

const struct runtime runtime_hotspot = {.find = find,
					.read = read_function,
					.check = check,
					.places = places,
					.code = ABI_CODE_HOTSPOT,
					.library = "libjvm.so"};
