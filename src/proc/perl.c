/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perl.c: Perl 5.36 and 5.40, built with threads, on glibc.  Offsets come from its headers sv.h,
 * cv.h, gv.h, hv.h and cop.h.
 */
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "proc/proc.h"
#include "proc/runtime.h"

#define TEXT_MAX 1024 /* bytes of a name; longer ones are cut */

/*
 * glibc publishes its layout for debuggers (_thread_db_pthread_specific): in 2.36 and 2.41 the
 * pointers to blocks of 32 values of 16 bytes are 1296 bytes after the thread pointer.
 */
enum { BLOCKS = 1296, BLOCK_VALUES = 32, VALUE_SIZE = 16, VALUE = 8, KEYS_MAX = 1024 };

enum {
	SV_REFS = 8,
	SV_FLAGS = 12,
	SV_BODY_OF_GLOB = 16,
	TYPE_MASK = 0xff,
	TYPE_GLOB = 9,
	TYPE_LVALUE = 10,
	TYPE_HASH = 12,
	TYPE_CODE = 13,
	GLOB_HAS_BODY = 0x8000,
	HASH_HAS_NAMES = 0x02000000,
};

/* Members of bodies. */
enum {
	CODE_PACKAGE = 32,
	CODE_NAME = 56, /* or its glob */
	CODE_FLAGS = 92,
	CODE_IS_NAMED = 0x8000,
	GLOB_NAME = 32,
	GLOB_PACKAGE = 40,
	GLOB_ORIGIN = 56,
	HASH_NAMES = 32,
	HASH_NAME_COUNT = 28,
	KEY_BYTES = 8,
};

static uint32_t half_at(uint32_t pid, uint64_t addr)
{
	uint32_t n = 0;

	return runtime_read(pid, addr, &n, sizeof(n)) ? n : 0;
}

static bool find(uint32_t pid, const struct proc_object *o, uint64_t start,
		 struct runtime_layout *l)
{
	uint8_t version;
	uint32_t key;

	if (!o->perl_key || !o->perl_version ||
	    !runtime_read(pid, start + o->perl_version, &version, sizeof(version)) ||
	    !runtime_read(pid, start + o->perl_key, &key, sizeof(key)) || key >= KEYS_MAX)
		return false;
	if (version != 36 && version != 40)
		return runtime_unknown(l, "Perl 5.%u", version);
	l->frames.kind = ABI_PERL;
	l->frames.perl.block = BLOCKS + 8 * (key / BLOCK_VALUES);
	l->frames.perl.value = VALUE_SIZE * (key % BLOCK_VALUES) + VALUE;
	return true;
}

/*
 * Returns the text of a key of a hash (HEK), or NULL.  Adds its first word, which has its hash and
 * its length, to a number, as rt_perl_names() does.
 */
static char *read_key(uint32_t pid, uint64_t addr, uint64_t *number)
{
	uint64_t head = addr ? runtime_pointer(pid, addr) : 0;
	uint32_t n = (uint32_t)(head >> 32);
	char text[TEXT_MAX + 1];

	if (!n)
		return NULL;
	n = n < TEXT_MAX ? n : TEXT_MAX;
	if (!runtime_read(pid, addr + KEY_BYTES, text, n) || runtime_pointer(pid, addr) != head)
		return NULL;
	*number = abi_mix(*number, head);
	text[n] = '\0';
	buf_clean(text);
	return mem_strdup(text);
}

/* Returns the string at an address, cut after TEXT_MAX bytes.  Adds it to a number. */
static char *read_string(uint32_t pid, uint64_t addr, uint64_t *number)
{
	char text[TEXT_MAX + 1];
	size_t n = 0;

	/* The next page may be missing. */
	while (n < TEXT_MAX) {
		size_t part = 64 - (addr + n) % 64;

		part = part < TEXT_MAX - n ? part : TEXT_MAX - n;
		if (!addr || !runtime_read(pid, addr + n, text + n, part))
			return NULL;
		if (memchr(text + n, '\0', part))
			break;
		n += part;
	}
	text[TEXT_MAX] = '\0';
	*number = runtime_content(*number, text);
	buf_clean(text);
	return mem_strdup(text);
}

static bool is_type(uint32_t pid, uint64_t sv, uint32_t type)
{
	return sv && (half_at(pid, sv + SV_FLAGS) & TYPE_MASK) == type;
}

/* A package with several names has an array of them.  A negative count means that it lost the
 * first. */
static char *read_package(uint32_t pid, uint64_t hash, uint64_t *number)
{
	uint64_t names, name;
	int32_t n;

	if (!is_type(pid, hash, TYPE_HASH) || !(half_at(pid, hash + SV_FLAGS) & HASH_HAS_NAMES))
		return NULL;
	names = runtime_pointer(pid, hash) + HASH_NAMES;
	n = (int32_t)half_at(pid, names + HASH_NAME_COUNT);
	name = runtime_pointer(pid, names);
	if (n && name)
		name = runtime_pointer(pid, name + (n < 0 ? 8 : 0));
	return name ? read_key(pid, name, number) : NULL;
}

/* Returns the glob that a glob was made from: imported subroutines keep their first name. */
static uint64_t origin(uint32_t pid, uint64_t glob)
{
	uint32_t flags = half_at(pid, glob + SV_FLAGS);
	uint64_t body, first = 0;

	if (((flags & TYPE_MASK) == TYPE_GLOB || (flags & TYPE_MASK) == TYPE_LVALUE) &&
	    flags & GLOB_HAS_BODY) {
		body = runtime_pointer(pid, glob + SV_BODY_OF_GLOB);
		first = body ? runtime_pointer(pid, body + GLOB_ORIGIN) : 0;
	}
	return first ? first : glob;
}

/* Returns "Package::name", and adds both to a number: the name first. */
static char *read_names(uint32_t pid, uint64_t name_at, uint64_t package_at, uint64_t *number)
{
	char *name = read_key(pid, runtime_pointer(pid, name_at), number);
	char *package = read_package(pid, runtime_pointer(pid, package_at), number);
	struct buf b = {0};

	if (package && name)
		buf_printf(&b, "%s::%s", package, name);
	mem_free(package);
	mem_free(name);
	return b.s;
}

static char *read_glob(uint32_t pid, uint64_t glob, uint64_t *number)
{
	uint64_t body = is_type(pid, glob, TYPE_GLOB) ? runtime_pointer(pid, origin(pid, glob)) : 0;

	return body ? read_names(pid, body + GLOB_NAME, body + GLOB_PACKAGE, number) : NULL;
}

/* Returns the name of a subroutine that has no glob. */
static char *read_sub(uint32_t pid, uint64_t code, uint64_t *number)
{
	uint32_t refs = half_at(pid, code + SV_REFS);
	uint64_t body = is_type(pid, code, TYPE_CODE) ? runtime_pointer(pid, code) : 0;

	if (!body || !refs || refs >= 1U << 31 ||
	    !(half_at(pid, body + CODE_FLAGS) & CODE_IS_NAMED))
		return NULL;
	return read_names(pid, body + CODE_NAME, body + CODE_PACKAGE, number);
}

static struct runtime_code *read_code(uint32_t pid, const struct runtime_layout *l,
				      const struct abi_lang_new *new)
{
	unsigned int kind = new->object % (1 << ABI_PERL_KIND_BITS);
	uint64_t object = new->object - kind, number, other = new->object;
	bool is_sub = kind == ABI_PERL_SUB || kind == ABI_PERL_GLOB;
	struct runtime_code *c = mem_alloc(sizeof(*c));

	if (is_sub) {
		number = 1;
		c->func = kind == ABI_PERL_SUB ? read_sub(pid, object, &number)
					       : read_glob(pid, object, &number);
		c->file = read_string(pid, new->check, &number);
		number = abi_mix(number, new->check);
		other = abi_mix(other, new->check);
	} else {
		number = kind;
		c->func = mem_strdup(kind == ABI_PERL_EVAL ? "(eval)" : "(main)");
		c->file = read_string(pid, object, &number);
	}
	if (c->func && c->file && (number == new->key || other == new->key))
		return c;
	runtime_code_free(c);
	return NULL;
}

static int line(const struct runtime_code *c, uint32_t at)
{
	return (int)at;
}

const struct runtime runtime_perl = {
    .find = find, .read = read_code, .line = line, .loop = "Perl_runops_"};
