/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * v8_heap.c: objects of V8.  The lowest two bits of a word are 1 for a pointer to an object.  The
 * lowest bit of a small integer is 0, and its value is in the upper half.  The first word of an
 * object points to its map, which has the type.  While memory is collected, this word of a moved
 * object is its new address.  Offsets and tags come from V8's src/objects/string.h, map.h,
 * map-word.h and instance-type.h.
 */
#include <string.h>
#include <sys/uio.h>

#include "base/buf.h"
#include "base/mem.h"
#include "proc/v8.h"

#define TEXT_MAX   1024	       /* bytes of a name; longer ones are cut */
#define PIECES_MAX 64	       /* strings that a string is made of */
#define BYTES_MAX  (512 << 10) /* of an array */

/* Types of strings (StringShape): the lowest bits say where the characters are. */
enum {
	STRINGS = 128, /* number of types of strings */
	KIND = 7,
	KIND_HERE = 0,
	KIND_CONS = 1,
	KIND_EXTERNAL = 2,
	KIND_SLICED = 3,
	KIND_THIN = 5,
	IS_NARROW = 8,
	IS_UNCACHED = 16,
};

enum {
	STRING_LENGTH = 12,
	STRING_HERE = 16,
	STRING_FIRST = 16, /* of a cons; the target of others */
	STRING_SECOND = 24,
	STRING_OFFSET = 24, /* of a slice */
	STRING_DATA = 24,   /* of an external string */
};

/* Reads part of an object, and its first word. */
static bool read_here(const struct v8 *v, uint64_t object, uint64_t off, void *to, size_t size,
		      uint64_t *first)
{
	struct iovec here[] = {{first, sizeof(*first)}, {to, size}};
	struct iovec there[] = {{(void *)(uintptr_t)(object - 1), sizeof(*first)},
				{(void *)(uintptr_t)(object - 1 + off), size}};

	return (object & 3) == 1 && process_vm_readv((pid_t)v->pid, here, 2, there, 2, 0) ==
					(ssize_t)(sizeof(*first) + size);
}

static bool succeeds(const struct v8 *v, bool ok)
{
	if (!ok && v->failed)
		*v->failed = true;
	return ok;
}

bool v8_read(const struct v8 *v, uint64_t object, uint64_t off, void *to, size_t size)
{
	uint64_t first;

	if ((object & 3) != 1)
		return false;
	return succeeds(v, read_here(v, object, off, to, size, &first) &&
			       (first & 1 || read_here(v, first + 1, off, to, size, &first)));
}

bool v8_read_at(const struct v8 *v, uint64_t addr, void *to, size_t size)
{
	return succeeds(v, runtime_read(v->pid, addr, to, size));
}

uint64_t v8_member(const struct v8 *v, uint64_t object, uint64_t off)
{
	uint64_t word = 0;

	return v8_read(v, object, off, &word, sizeof(word)) ? word : 0;
}

uint32_t v8_half(const struct v8 *v, uint64_t object, uint64_t off)
{
	uint32_t half = 0;

	return v8_read(v, object, off, &half, sizeof(half)) ? half : 0;
}

unsigned int v8_type(const struct v8 *v, uint64_t object)
{
	return v8_half(v, v8_member(v, object, 0), V8_MAP_TYPE) & 0xffff;
}

int32_t v8_smi(uint64_t word)
{
	return word & 1 ? 0 : (int32_t)(word >> 32);
}

uint8_t *v8_bytes(const struct v8 *v, uint64_t array, uint32_t *n)
{
	const struct runtime_layout *l = v->layout;
	unsigned int type = v8_type(v, array);
	int32_t size = v8_smi(v8_member(v, array, V8_LENGTH));
	uint8_t *bytes;

	if ((type != l->v8.type_bytes && type != l->v8.type_trusted_bytes) || size <= 0 ||
	    size > BYTES_MAX)
		return NULL;
	bytes = mem_alloc((size_t)size);
	if (v8_read(v, array, V8_ELEMENTS, bytes, (size_t)size)) {
		*n = (uint32_t)size;
		return bytes;
	}
	mem_free(bytes);
	return NULL;
}

uint64_t v8_element(const struct v8 *v, uint64_t array, uint32_t i)
{
	if (i >= (uint32_t)v8_smi(v8_member(v, array, V8_LENGTH)))
		return 0;
	/* The array may hold its elements weakly, which the second bit says. */
	return v8_member(v, array, V8_ELEMENTS + 8ULL * i) & ~2ULL;
}

/* ---- strings ---- */

/* Returns the type of a string; STRINGS: it is none. */
static unsigned int string_type(const struct v8 *v, uint64_t string)
{
	uint64_t map = v8_member(v, string, 0);
	unsigned int type = v8_half(v, map, V8_MAP_TYPE) & 0xffff;

	return (map & 3) == 1 && type < STRINGS ? type : STRINGS;
}

/* Follows references to another string. */
static uint64_t target(const struct v8 *v, uint64_t string, uint32_t *off)
{
	for (unsigned int i = 0; i < PIECES_MAX; i++) {
		unsigned int kind = string_type(v, string) & (KIND | STRINGS);
		uint64_t second = kind == KIND_CONS ? v8_member(v, string, STRING_SECOND) : 0;

		if (kind == KIND_SLICED)
			*off += (uint32_t)v8_smi(v8_member(v, string, STRING_OFFSET));
		else if (kind != KIND_THIN &&
			 (kind != KIND_CONS || v8_half(v, second, STRING_LENGTH)))
			break;
		string = v8_member(v, string, STRING_FIRST);
	}
	return string;
}

/* Returns the present address of an object. */
static uint64_t place_of(const struct v8 *v, uint64_t object)
{
	uint64_t first = runtime_pointer(v->pid, object - 1);

	return first & 1 ? object : first + 1;
}

bool v8_chars(const struct v8 *v, uint64_t string, struct v8_chars *res)
{
	uint32_t off = 0;
	unsigned int type;

	if (string_type(v, string) == STRINGS)
		return false;
	res->n = v8_half(v, string, STRING_LENGTH);
	string = target(v, string, &off);
	type = string_type(v, string);
	res->is_wide = !(type & IS_NARROW);
	if ((type & (KIND | STRINGS)) == KIND_HERE)
		res->addr = place_of(v, string) - 1 + STRING_HERE;
	else if ((type & (KIND | STRINGS)) == KIND_EXTERNAL && !(type & IS_UNCACHED))
		res->addr = v8_member(v, string, STRING_DATA);
	else
		return false;
	res->addr += (uint64_t)off << res->is_wide;
	return true;
}

static void put_chars(const struct v8 *v, const struct v8_chars *c, struct buf *to)
{
	uint16_t wide[TEXT_MAX];
	uint8_t narrow[TEXT_MAX];
	uint32_t n = c->n < TEXT_MAX ? c->n : TEXT_MAX;

	if (!v8_read_at(v, c->addr, c->is_wide ? (void *)wide : narrow, (size_t)n << c->is_wide))
		return;
	for (uint32_t i = 0; i < n && to->n < TEXT_MAX; i++) {
		uint32_t ch = c->is_wide ? wide[i] : narrow[i];

		/* Two surrogates make a character. */
		if (c->is_wide && ch >> 10 == 0x36 && i + 1 < n && wide[i + 1] >> 10 == 0x37)
			ch = 0x10000 + ((ch & 0x3ff) << 10 | (wide[++i] & 0x3ff));
		buf_put_char(to, ch);
	}
}

/* A string is a tree if it was concatenated.  *left bounds its nodes. */
static void put_string(const struct v8 *v, uint64_t string, unsigned int *left, struct buf *to)
{
	struct v8_chars c;
	uint32_t off = 0;

	if (!*left || to->n >= TEXT_MAX)
		return;
	--*left;
	if (v8_chars(v, string, &c)) {
		put_chars(v, &c, to);
		return;
	}
	string = target(v, string, &off);
	if ((string_type(v, string) & (KIND | STRINGS)) != KIND_CONS)
		return;
	put_string(v, v8_member(v, string, STRING_FIRST), left, to);
	put_string(v, v8_member(v, string, STRING_SECOND), left, to);
}

char *v8_text(const struct v8 *v, uint64_t string)
{
	unsigned int left = PIECES_MAX;
	struct buf b = {0};

	put_string(v, string, &left, &b);
	if (b.s)
		buf_clean(b.s);
	return b.s;
}
