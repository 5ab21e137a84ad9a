/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ruby.c: Ruby 3.1 and 3.3 (x86-64).  The library exports its version, but not its state:
 * thread-local data has the execution context, and the table of symbols is found by its contents.
 * Offsets come from vm_core.h, iseq.h, method.h, symbol.h and include/ruby/internal/core.
 *
 * Functions have the names that Kernel#caller prints: "block in each_pair", without classes.
 */
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "proc/proc.h"
#include "proc/runtime.h"

#define TEXT_MAX      1024	 /* bytes of a name; longer ones are cut */
#define CODE_MAX      (1U << 16) /* words of a function whose lines are read */
#define DATA_MAX      (4U << 20) /* bytes of data that are searched */
#define DATA_CHUNK    (64U << 10)
#define OPERATORS     169 /* tLAST_OP_ID: ids up to this one are serial numbers (3.1 and 3.3) */
#define ID_SCOPE_BITS 4
#define ID_UNIT	      512 /* symbols in an array of the table */

/* Objects: flags with the type, and whether the contents are elsewhere or, of arrays, here. */
enum { TYPE_STRING = 5, TYPE_ARRAY = 7, TYPE_MASK = 31, FLAG_HERE_OR_NOT = 1 << 13 };
enum {
	TEXT_LENGTH = 16,
	TEXT_POINTER = 24,
	ARRAY_LENGTH = 16,
	ARRAY_HERE = 16,
	ARRAY_POINTER = 32
};

/* In a body of an iseq. */
enum { DEF_ID = 32 }; /* in the definition of a method */
enum {
	BODY_SIZE = 4,
	BODY_CODE = 8,
	BODY_PATH = 64,
	BODY_LABEL = 80,
	BODY_LINE = 88,
	PLACE_SIZE = 12
};

static const struct {
	const char *version;
	uint32_t context, back, frame, places, text;
	bool is_fixnum; /* the first line */
} versions[] = {
    {"3.1.", 8, 40, 64, 120, 16, true},
    {"3.3.", 16, 48, 56, 112, 24, false},
};

/* ---- objects ---- */

/* Returns the text of a String; NULL: it is none. */
static char *read_text(uint32_t pid, const struct runtime_layout *l, uint64_t addr)
{
	char text[TEXT_MAX + 1];
	uint64_t flags, n, from = addr + l->ruby.text;

	if (!addr || !runtime_read(pid, addr, &flags, sizeof(flags)) ||
	    (flags & TYPE_MASK) != TYPE_STRING ||
	    !runtime_read(pid, addr + TEXT_LENGTH, &n, sizeof(n)))
		return NULL;
	if (flags & FLAG_HERE_OR_NOT)
		from = runtime_pointer(pid, addr + TEXT_POINTER);
	else if (l->ruby.text == TEXT_LENGTH)
		n = flags >> 14 & 31;
	n = n < TEXT_MAX ? n : TEXT_MAX;
	if (!runtime_read(pid, from, text, n))
		return NULL;
	text[n] = '\0';
	buf_clean(text);
	return mem_strdup(text);
}

/* Returns element i of an Array; 0: there is none. */
static uint64_t element(uint32_t pid, uint64_t array, uint64_t i)
{
	uint64_t flags, n, from = array + ARRAY_HERE;

	if (!array || !runtime_read(pid, array, &flags, sizeof(flags)) ||
	    (flags & TYPE_MASK) != TYPE_ARRAY)
		return 0;
	n = flags >> 15 & 127;
	if (!(flags & FLAG_HERE_OR_NOT)) {
		if (!runtime_read(pid, array + ARRAY_LENGTH, &n, sizeof(n)))
			return 0;
		from = runtime_pointer(pid, array + ARRAY_POINTER);
	}
	return i < n ? runtime_pointer(pid, from + 8 * i) : 0;
}

/* ---- names of symbols ---- */

/* In the table (rb_symbols_t): the last serial number, and the arrays of names. */
enum { TABLE_LAST = 0, TABLE_NAMES = 16, TABLE_SIZE = 24 };

static char *name_of(uint32_t pid, const struct runtime_layout *l, uint64_t table, uint64_t id)
{
	uint64_t serial = id <= OPERATORS ? id : id >> ID_SCOPE_BITS;
	uint64_t unit = element(pid, runtime_pointer(pid, table + TABLE_NAMES), serial / ID_UNIT);

	/* Two elements for each symbol: its name, and the symbol. */
	return read_text(pid, l, element(pid, unit, serial % ID_UNIT * 2));
}

/* Returns true if the words can be the table: the first name after the operators is a text. */
static bool is_table(uint32_t pid, const struct runtime_layout *l, const uint64_t *words,
		     uint64_t addr)
{
	char *first, *last;
	bool ok;

	if (words[0] <= 500 || words[0] > 5000000 || words[1] < 65536 || words[2] < 65536 ||
	    ((words[1] | words[2]) & 7))
		return false;
	first = name_of(pid, l, addr, (OPERATORS + 1) << ID_SCOPE_BITS);
	last = name_of(pid, l, addr, words[0] << ID_SCOPE_BITS);
	ok = first && last;
	mem_free(first);
	mem_free(last);
	return ok;
}

/* Returns the address of the table in the data of the library; 0: not found, or not made yet. */
static uint64_t find_table(uint32_t pid, const struct runtime_layout *l)
{
	static _Thread_local uint64_t words[DATA_CHUNK / 8];
	uint64_t from = l->ruby.data, size = l->ruby.data_size;

	for (uint64_t at = 0; at + TABLE_SIZE <= size && at < DATA_MAX;
	     at += DATA_CHUNK - TABLE_SIZE) {
		uint64_t n = size - at < DATA_CHUNK ? (size - at) / 8 : DATA_CHUNK / 8;

		if (!runtime_read(pid, from + at, words, n * 8))
			return 0;
		for (uint64_t i = 0; i + TABLE_SIZE / 8 <= n; i++)
			if (is_table(pid, l, words + i, from + at + i * 8))
				return from + at + i * 8;
	}
	return 0;
}

/* ---- the runtime ---- */

static bool find(uint32_t pid, const struct proc_object *o, uint64_t start,
		 struct runtime_layout *l)
{
	char version[8] = "";

	if (!o->ruby || !o->tls_slot ||
	    !runtime_read(pid, start + o->ruby, version, sizeof(version) - 1))
		return false;
	l->frames.kind = ABI_RUBY;
	l->frames.ruby.module = runtime_pointer(pid, start + o->tls_slot);
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		if (strncmp(version, versions[i].version, strlen(versions[i].version)) != 0)
			continue;
		l->frames.ruby.context = versions[i].context;
		l->frames.ruby.back = versions[i].back;
		l->frames.ruby.frame = versions[i].frame;
		l->ruby.places = versions[i].places;
		l->ruby.text = versions[i].text;
		l->ruby.is_fixnum = versions[i].is_fixnum;
	}
	if (!l->frames.ruby.frame)
		return runtime_unknown(l, "Ruby %s", version);
	if (!l->frames.ruby.module)
		return false;
	for (unsigned int i = 0; i < o->loads.n; i++)
		if (o->loads.a[i].room > o->loads.a[i].size) {
			l->ruby.data = start + o->loads.a[i].vaddr;
			l->ruby.data_size = o->loads.a[i].room;
		}
	return true;
}

/* ---- functions ---- */

/* A set of bits with the ranks of its parts (iseq.c: struct succ_index_table). */
#define SUCC_SMALL 54 /* positions whose ranks the first words have, in 7 bits each */
#define SUCC_BLOCK 512
struct succ_block {
	uint32_t rank, pad;
	uint64_t small; /* ranks of all but the first word, in 9 bits each */
	uint64_t bits[SUCC_BLOCK / 64];
};
struct succ {
	uint64_t small[6];
	struct succ_block blocks[CODE_MAX / SUCC_BLOCK];
};

/* Returns the number of places up to a position. */
static uint32_t rank(const struct succ *s, uint32_t pos)
{
	const struct succ_block *b;
	uint32_t word;

	if (pos < SUCC_SMALL)
		return s->small[pos / 9] >> (pos % 9 * 7) & 127;
	pos -= SUCC_SMALL;
	b = &s->blocks[pos / SUCC_BLOCK];
	word = pos % SUCC_BLOCK / 64;
	return b->rank + (word ? (uint32_t)(b->small >> (9 * (word - 1)) & 511) : 0) +
	       (uint32_t)__builtin_popcountll(b->bits[word] << (63 - pos % 64));
}

/* Reads the line of each instruction word. */
static void read_lines(struct runtime_code *c, uint32_t pid, const struct runtime_layout *l,
		       uint64_t body)
{
	uint64_t table = runtime_pointer(pid, body + l->ruby.places);
	uint32_t size = 0, n = 0;
	struct succ *succ = mem_alloc(sizeof(*succ));
	uint8_t *places = NULL;
	int32_t *lines;
	uint64_t nblocks;

	if (!runtime_read(pid, body + BODY_SIZE, &size, sizeof(size)) || !size || size > CODE_MAX ||
	    !runtime_read(pid, body + l->ruby.places + 16, &n, sizeof(n)) || !n || n > size)
		goto out;
	places = mem_alloc((size_t)n * PLACE_SIZE);
	nblocks = size > SUCC_SMALL ? (size - SUCC_SMALL + SUCC_BLOCK - 1) / SUCC_BLOCK : 0;
	if (!runtime_read(pid, table, places, (size_t)n * PLACE_SIZE) ||
	    (n > 1 && !runtime_read(pid, runtime_pointer(pid, body + l->ruby.places + 24), succ,
				    sizeof(succ->small) + nblocks * sizeof(succ->blocks[0]))))
		goto out;
	lines = mem_alloc(size * sizeof(*lines));
	for (uint32_t i = 0; i < size; i++) {
		uint32_t nth = n > 1 ? rank(succ, i) : 1;

		if (nth && nth <= n)
			memcpy(&lines[i], places + (size_t)(nth - 1) * PLACE_SIZE,
			       sizeof(lines[i]));
	}
	c->lines = (uint8_t *)lines;
	c->nlines = size * sizeof(*lines);
out:
	mem_free(places);
	mem_free(succ);
}

static struct runtime_code *read_c(uint32_t pid, const struct runtime_layout *l, uint64_t def)
{
	uint64_t table = find_table(pid, l), id;
	struct runtime_code *c;
	char *name = NULL;

	if (table && runtime_read(pid, def + DEF_ID, &id, sizeof(id)))
		name = name_of(pid, l, table, id);
	if (!name)
		return NULL;
	c = mem_alloc(sizeof(*c));
	c->func = name;
	return c;
}

static struct runtime_code *read_function(uint32_t pid, const struct runtime_layout *l,
					  const struct abi_lang_new *new)
{
	uint64_t object = new->object;
	struct runtime_code *c;
	uint64_t path;

	if (object & ABI_RUBY_DEF)
		return read_c(pid, l, object & ~(uint64_t)ABI_RUBY_DEF);
	c = mem_alloc(sizeof(*c));
	/* Either the path, or an array of it and the real path. */
	path = runtime_pointer(pid, object + BODY_PATH);
	c->file = read_text(pid, l, path);
	if (!c->file)
		c->file = read_text(pid, l, element(pid, path, 0));
	c->func = read_text(pid, l, runtime_pointer(pid, object + BODY_LABEL));
	if (!c->file || !c->func ||
	    !runtime_read(pid, object + BODY_LINE, &c->line, sizeof(c->line))) {
		runtime_code_free(c);
		return NULL;
	}
	if (l->ruby.is_fixnum)
		c->line >>= 1;
	read_lines(c, pid, l, object);
	return c;
}

/* Returns the line of the last instruction; at is the number of the next, counted from 1. */
static int line(const struct runtime_code *c, uint32_t at)
{
	int32_t line = 0;
	uint32_t i = at > 1 ? at - 2 : 0;

	if (at && i < c->nlines / sizeof(line))
		memcpy(&line, c->lines + i * sizeof(line), sizeof(line));
	return line ? line : c->line;
}

static uint64_t check(uint32_t pid, const struct runtime_layout *l, const struct abi_lang_new *new)
{
	uint64_t object = new->object, place[4] = {0}, words[ABI_RUBY_TEXT_WORDS] = {0};
	uint64_t number;

	if (object & ABI_RUBY_DEF)
		return runtime_pointer(pid, (object & ~(uint64_t)ABI_RUBY_DEF) + DEF_ID);
	number = abi_mix(runtime_pointer(pid, object), runtime_pointer(pid, object + BODY_CODE));
	runtime_read(pid, object + ABI_RUBY_PLACE, place, sizeof(place));
	number = abi_mix_words(number, place, 4);
	if (number == new->check)
		return number;
	for (unsigned int i = ABI_RUBY_PATH; i <= ABI_RUBY_LABEL; i += ABI_RUBY_LABEL) {
		runtime_read(pid, place[i] + ABI_RUBY_TEXT, words, sizeof(words));
		number = abi_mix_words(number, words, ABI_RUBY_TEXT_WORDS);
	}
	return number;
}

const struct runtime runtime_ruby = {
    .find = find, .read = read_function, .check = check, .line = line, .loop = "rb_vm_exec"};
