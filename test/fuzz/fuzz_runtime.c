/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_runtime.c: any bytes as the memory of a process with a runtime of a language.
 *
 * The first byte chooses the runtime, the second one the place of the function.  The other bytes
 * are memory at a fixed address, so that the fuzzer can make pointers into it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proc/hotspot_priv.h"
#include "proc/runtime.h"
#include "proc/v8.h"

#define MEMORY	    0x10000000ULL
#define MEMORY_SIZE 8192

/* Members of types of HotSpot, which are small so that they are soon in the memory. */
#define HOTSPOT_OFFSETS                                                                   \
	[CODE_METHOD] = 0, [CODE_ID] = 8, [CODE_SCOPES] = 16, [CODE_PLACES] = 24,         \
	[CODE_PLACES_END] = 28, [CODE_METADATA] = 32, [CODE_IMMUTABLE] = 40,              \
	[CODE_IMMUTABLE_SIZE] = 36, [BLOB_MUTABLE] = 48, [BLOB_MUTABLE_SIZE] = 56,        \
	[BLOB_RELOCATIONS] = 60, [METHOD_CONST] = 8, [CONST_SIZE] = 40, [CONST_POOL] = 8, \
	[CONST_WORDS] = 16, [CONST_FLAGS] = 20, [CONST_CODE] = 24, [CONST_NAME] = 26,     \
	[POOL_SIZE] = 16, [POOL_CLASS] = 0, [POOL_FILE] = 8, [CLASS_NAME] = 8,            \
	[SYMBOL_LENGTH] = 4, [SYMBOL_TEXT] = 6

static struct runtime_layout layouts[] = {
    {.runtime = &runtime_python,
     .frames.python = {.names = 112, .id = 72, .is_own = true},
     .python = {.line = 72, .ascii = 48, .other = 72}},
    {.runtime = &runtime_php, .frames.php = {.file = 152}},
    {.runtime = &runtime_php, .frames.php = {.file = 168}},
    {.runtime = &runtime_perl},
    {.runtime = &runtime_ruby,
     .ruby =
	 {.data = MEMORY, .data_size = MEMORY_SIZE, .places = 120, .text = 16, .is_fixnum = true}},
    {.runtime = &runtime_ruby,
     .ruby = {.data = MEMORY, .data_size = MEMORY_SIZE, .places = 112, .text = 24}},
    {.runtime = &runtime_hotspot, .hotspot = {.version = 17, .at = {HOTSPOT_OFFSETS}}},
    {.runtime = &runtime_hotspot, .hotspot = {.version = 25, .at = {HOTSPOT_OFFSETS}}},
    {.runtime = &runtime_python,
     .frames.python = {.names = 96, .file = 1, .id = 40, .is_own = true},
     .python = {.line = 40, .ascii = 48, .other = 72, .has_pairs = true}},
};

static char *memory(void)
{
	static char *at;

	if (!at)
		at = mmap((void *)(uintptr_t)MEMORY, MEMORY_SIZE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (at != (char *)(uintptr_t)MEMORY)
		abort();
	return at;
}

/* A name is printable text. */
static void check(const char *name)
{
	for (; name && *name; name++)
		if ((unsigned char)*name < ' ' || *name == 0x7f)
			abort();
}

static void check_places(const struct runtime_code *c, uint32_t at)
{
	struct runtime_place places[RUNTIME_PLACES];
	unsigned int n = runtime_places(c, at, places, RUNTIME_PLACES);

	for (unsigned int i = 0; i < n; i++) {
		if (!places[i].func)
			abort();
		check(places[i].file);
		check(places[i].func);
	}
}

/* The first two bytes of memory say where in compiled code of V8 it is. */
static struct runtime_code *read_v8(unsigned int version, uint64_t info)
{
	static struct runtime_layout l;
	const struct v8 v = {.pid = (uint32_t)getpid(), .layout = &l};
	uint16_t pc;

	v8_defaults(version, &l);
	l.v8.sizes = MEMORY + 2;
	l.v8.nsizes = 594;
	memcpy(&pc, memory(), sizeof(pc));
	return v8_read_place(&v, info | 1, pc ? MEMORY + pc : 0, pc & 1);
}

static struct runtime_code *read_any(const uint8_t *data)
{
	const size_t n = sizeof(layouts) / sizeof(layouts[0]);
	const struct abi_lang_new new = {.object = MEMORY + data[1]};
	unsigned int kind = data[0] % (n + V8_VERSIONS);
	const struct runtime *r = kind < n ? layouts[kind].runtime : &runtime_v8;
	struct runtime_code *c = kind < n ? r->read((uint32_t)getpid(), &layouts[kind], &new)
					  : read_v8(kind - n, new.object);

	if (c)
		c->runtime = r;
	return c;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct runtime_code *c;
	char *at = memory();

	if (size < 2)
		return 0;
	memset(at, 0, MEMORY_SIZE);
	memcpy(at, data + 2, size - 2 < MEMORY_SIZE ? size - 2 : MEMORY_SIZE);
	c = read_any(data);
	if (!c)
		return 0;
	for (uint32_t i = 0; i < 300; i++)
		check_places(c, i * i);
	runtime_code_free(c);
	return 0;
}
