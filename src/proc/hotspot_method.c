/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotspot_method.c: names and lines of methods (src/hotspot/share/oops/constMethod.hpp,
 * constantPool.hpp, symbol.hpp and code/compressedStream.hpp).
 */
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "proc/hotspot_priv.h"

#define TEXT_MAX   1024	       /* bytes of a name; longer ones are cut */
#define LINES_MAX  (64U << 10) /* bytes that may have the table of lines */
#define HAS_LINES  1	       /* flag: there is one */
#define HIGH_DIGIT 192	       /* in numbers: from this byte on another one follows */
#define NO_ZEROS   20	       /* version from which on no byte of a number is 0 */

/* The line from a bytecode on.  A table need not be sorted. */
struct place {
	uint16_t bci, line;
};

uint32_t hotspot_number(const struct runtime_layout *l, const uint8_t **p, const uint8_t *end)
{
	uint32_t least = l->hotspot.version >= NO_ZEROS, n = 0;

	for (unsigned int shift = 0; shift < 30 && *p < end; shift += 6) {
		uint32_t byte = *(*p)++;

		n += (byte - least) << shift;
		if (byte < HIGH_DIGIT)
			break;
	}
	return n;
}

static int32_t signed_number(const struct runtime_layout *l, const uint8_t **p, const uint8_t *end)
{
	uint32_t n = hotspot_number(l, p, end);

	return (int32_t)(n >> 1 ^ -(n & 1));
}

/* ---- names ---- */

/* Returns the text of a Symbol, at most TEXT_MAX bytes; "": none. */
static void read_symbol(uint32_t pid, const struct runtime_layout *l, uint64_t symbol,
			char text[TEXT_MAX + 1])
{
	uint16_t n = symbol ? hotspot_u16(pid, symbol + hotspot_at(l, SYMBOL_LENGTH)) : 0;

	n = n < TEXT_MAX ? n : TEXT_MAX;
	if (!n || !runtime_read(pid, symbol + hotspot_at(l, SYMBOL_TEXT), text, n))
		n = 0;
	text[n] = '\0';
	buf_clean(text);
}

/* Does the same for an entry of a constant pool.  A bit of the pointer is a mark. */
static void read_entry(uint32_t pid, const struct runtime_layout *l, uint64_t pool, uint16_t i,
		       char text[TEXT_MAX + 1])
{
	uint64_t at = pool + hotspot_at(l, POOL_SIZE) + 8ULL * i;

	read_symbol(pid, l, i ? runtime_pointer(pid, at) & ~1ULL : 0, text);
}

/*
 * Writes a class as Java does.  The name of a hidden class ends with an address, which is left out:
 * it differs in each run.
 */
static void put_class(struct buf *b, char *name)
{
	char *address = strstr(name, "+0x");

	if (address)
		*address = '\0';
	for (char *p = name; *p; p++)
		buf_putc(b, (char)(*p == '/' ? '.' : *p));
}

static char *read_func(uint32_t pid, const struct runtime_layout *l, uint64_t pool, uint16_t name)
{
	uint64_t class = runtime_pointer(pid, pool + hotspot_at(l, POOL_CLASS));
	char text[TEXT_MAX + 1];
	struct buf b = {0};
	char *func;

	read_symbol(pid, l, class ? runtime_pointer(pid, class + hotspot_at(l, CLASS_NAME)) : 0,
		    text);
	put_class(&b, text);
	read_entry(pid, l, pool, name, text);
	if (!b.n || !*text) {
		buf_free(&b);
		return NULL;
	}
	buf_printf(&b, ".%s", text);
	func = mem_strdup(buf_str(&b));
	buf_free(&b);
	return func;
}

/* ---- lines ---- */

static void parse_lines(struct runtime_code *c, const struct runtime_layout *l, const uint8_t *p,
			const uint8_t *end)
{
	VEC(struct place) places = {0};
	uint32_t bci = 0, line = 0;

	while (p < end && *p) {
		uint8_t byte = *p++;

		if (byte == 0xff) {
			bci += (uint32_t)signed_number(l, &p, end);
			line += (uint32_t)signed_number(l, &p, end);
		} else {
			bci += byte >> 3;
			line += byte & 7;
		}
		vec_push(&places, ((struct place){(uint16_t)bci, (uint16_t)line}));
	}
	c->lines = (uint8_t *)places.a;
	c->nlines = places.n * (uint32_t)sizeof(places.a[0]);
}

/* The table follows the bytecodes. */
static void read_lines(struct runtime_code *c, uint32_t pid, const struct runtime_layout *l,
		       uint64_t method, uint32_t ncodes)
{
	uint64_t all = 8ULL * hotspot_u32(pid, method + hotspot_at(l, CONST_WORDS));
	uint32_t before = hotspot_at(l, CONST_SIZE) + ncodes;
	uint8_t *table;
	uint64_t n;

	if (!(hotspot_u16(pid, method + hotspot_at(l, CONST_FLAGS)) & HAS_LINES) || all <= before)
		return;
	n = all - before < LINES_MAX ? all - before : LINES_MAX;
	table = mem_alloc(n);
	if (runtime_read(pid, method + before, table, n))
		parse_lines(c, l, table, table + n);
	mem_free(table);
}

int hotspot_line(const struct runtime_code *c, uint32_t bci)
{
	const struct place *places = (const struct place *)c->lines;
	int line = 0, from = -1;

	for (uint32_t i = 0; i < c->nlines / sizeof(*places); i++)
		if (places[i].bci <= bci && places[i].bci > from) {
			from = places[i].bci;
			line = places[i].line;
		}
	return line ? line : c->line;
}

/* ---- methods ---- */

struct runtime_code *hotspot_method(uint32_t pid, const struct runtime_layout *l, uint64_t method)
{
	uint64_t part = runtime_pointer(pid, method + hotspot_at(l, METHOD_CONST));
	uint64_t pool = part ? runtime_pointer(pid, part + hotspot_at(l, CONST_POOL)) : 0;
	uint16_t ncodes = pool ? hotspot_u16(pid, part + hotspot_at(l, CONST_CODE)) : 0;
	char file[TEXT_MAX + 1];
	struct runtime_code *c;
	char *func;

	func = pool ? read_func(pid, l, pool, hotspot_u16(pid, part + hotspot_at(l, CONST_NAME)))
		    : NULL;
	if (!func)
		return NULL;
	c = mem_alloc(sizeof(*c));
	c->func = func;
	/* A native method has no bytecodes.  A class that the virtual machine makes has no file. */
	read_entry(pid, l, pool, hotspot_u16(pid, pool + hotspot_at(l, POOL_FILE)), file);
	if (!ncodes || !*file)
		return c;
	c->file = mem_strdup(file);
	read_lines(c, pid, l, part, ncodes);
	c->line = hotspot_line(c, 0);
	return c;
}
