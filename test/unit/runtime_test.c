/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runtime_test.c: lines of instructions of Python, from tables that are written here, and readers
 * of all runtimes on memory with nonsense.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "proc/hotspot_priv.h"
#include "proc/runtime.h"
#include "proc/v8.h"
#include "test.h"

static void lines(void)
{
	/* Line 10 + 3 has one instruction, 10 - 67 two, the same eight, none four, 12 one. */
	uint8_t table[] = {0x80 | 14 << 3 | 0,
			   6,
			   0,
			   0,
			   0,
			   0x80 | 13 << 3 | 1,
			   32 + 64 + 13,
			   4,
			   0x80 | 0 << 3 | 7,
			   0,
			   0x80 | 15 << 3 | 3,
			   0x80 | 13 << 3,
			   64 + 10,
			   2};
	struct runtime_code c = {.line = 10, .lines = table, .nlines = sizeof(table)};

	CHECK_INT(runtime_python.line(&c, 0), 10);
	CHECK_INT(runtime_python.line(&c, 1), 13);
	CHECK_INT(runtime_python.line(&c, 2), 13 - 150);
	CHECK_INT(runtime_python.line(&c, 3), 13 - 150);
	CHECK_INT(runtime_python.line(&c, 4), 13 - 150);
	CHECK_INT(runtime_python.line(&c, 11), 13 - 150);
	CHECK_INT(runtime_python.line(&c, 16), 13 - 150 + 69);
	CHECK_INT(runtime_python.line(&c, 17), 10);
	/* Cut off at each place. */
	for (c.nlines = 0; c.nlines < sizeof(table); c.nlines++)
		CHECK(runtime_python.line(&c, 16) <= 13);
	memset(table, 0xff, sizeof(table));
	CHECK_INT(runtime_python.line(&c, 1000), 10);
}

/* Lines of 3.9: pairs of bytes of code and of lines, the second with a sign. */
static void pairs_of_lines(void)
{
	uint8_t table[] = {0, 1, 4, 2, 200, 0, 56, 0x80, 2, 127};
	struct runtime_code c = {
	    .line = 10, .lines = table, .nlines = sizeof(table), .has_pairs = true};

	CHECK_INT(runtime_python.line(&c, 0), 11);
	CHECK_INT(runtime_python.line(&c, 1), 11);
	CHECK_INT(runtime_python.line(&c, 2), 11);
	CHECK_INT(runtime_python.line(&c, 3), 13);
	CHECK_INT(runtime_python.line(&c, 130), 13);
	CHECK_INT(runtime_python.line(&c, 131), 13 - 128);
	CHECK_INT(runtime_python.line(&c, 132), 13 - 128 + 127);
	CHECK_INT(runtime_python.line(&c, ABI_LANG_AT_MAX), 13 - 128 + 127);
	c.nlines = 3;
	CHECK_INT(runtime_python.line(&c, 3), 11);
}

/* Reads the function at an address of this process. */
static struct runtime_code *read_at(const struct runtime *r, const struct runtime_layout *l,
				    uint64_t object)
{
	const struct abi_lang_new new = {.object = object};

	return r->read((uint32_t)getpid(), l, &new);
}

/* The memory of a process can be nonsense. */
static void nonsense(const struct runtime *r, const struct runtime_layout *l)
{
	uint64_t words[64];

	memset(words, 0xff, sizeof(words));
	CHECK(!read_at(r, l, (uint64_t)(uintptr_t)words));
	CHECK(!read_at(r, l, 0));
	for (unsigned int i = 0; i < 64; i++)
		words[i] = (uint64_t)(uintptr_t)words;
	CHECK(!read_at(r, l, (uint64_t)(uintptr_t)words));
}

static const struct runtime_layout php_8_2 = {.frames.php = {.file = 152}};

struct php_text {
	uint64_t kind, hash, length;
	char bytes[2000];
};

/* Reads a function that the kernel side has seen with these names, without a hash. */
static struct runtime_code *read_php(const uint64_t *words, const char *func, const char *file)
{
	const uint64_t number = func ? runtime_content(2, func) : 2;
	const struct abi_lang_new new = {.object = (uint64_t)(uintptr_t)words,
					 .key = runtime_content(number, file)};

	return runtime_php.read((uint32_t)getpid(), &php_8_2, &new);
}

/* A function of PHP whose name and file are strings in this process. */
static void php(void)
{
	struct php_text name = {.length = 5, .bytes = "alpha"};
	struct php_text file = {.length = 1ULL << 40, .bytes = "a\nb"};
	uint64_t words[32] = {0};
	struct abi_lang_new new = {0};
	struct runtime_code *c;

	words[0] = 2;
	words[1] = (uint64_t)(uintptr_t)&name;
	words[19] = (uint64_t)(uintptr_t)&name;
	c = read_php(words, "alpha", "alpha");
	CHECK_STR(c ? c->func : NULL, "alpha");
	CHECK_STR(c ? c->file : NULL, "alpha");
	CHECK_INT(runtime_php.line(c, 7), 7);
	runtime_code_free(c);
	/* Another function has the place. */
	CHECK(!read_php(words, "alphb", "alpha"));
	CHECK(!read_php(words, "alpha", "alph"));
	/* The kernel side could not read the names. */
	new.object = (uint64_t)(uintptr_t)words;
	new.key = abi_mix(abi_mix(abi_mix(2, words[1]), 0), words[19]);
	c = runtime_php.read((uint32_t)getpid(), &php_8_2, &new);
	CHECK_STR(c ? c->func : NULL, "alpha");
	runtime_code_free(c);
	/* Strings can have hashes.  The second hash is wrong, so that nothing is read. */
	for (unsigned int i = 0; i < 2; i++) {
		uint64_t hash = 5381;

		for (unsigned int k = 0; k < name.length; k++)
			hash = hash * 33 + (uint8_t)name.bytes[k];
		name.hash = (hash | 1ULL << 63) + i;
		new.key = abi_mix(abi_mix(2, name.hash), 5);
		new.key = abi_mix(abi_mix(new.key, name.hash), 5);
		c = runtime_php.read((uint32_t)getpid(), &php_8_2, &new);
		CHECK_STR(c ? c->func : "none", i ? "none" : "alpha");
		runtime_code_free(c);
	}
	name.hash = 0;
	words[1] = 0;
	c = read_php(words, NULL, "alpha");
	CHECK_STR(c ? c->func : NULL, "{main}");
	runtime_code_free(c);
	/* A length that is wrong reads a bounded number of bytes. */
	words[19] = (uint64_t)(uintptr_t)&file;
	c = read_php(words, NULL, "a\nb");
	CHECK_STR(c ? c->file : NULL, "a?b");
	runtime_code_free(c);
	memset(file.bytes, 'x', sizeof(file.bytes) - 1);
	c = read_php(words, NULL, file.bytes);
	CHECK_INT(c ? strlen(c->file) : 0, 1024);
	runtime_code_free(c);
	words[0] = 3;
	CHECK(!read_php(words, NULL, file.bytes));
	/* opcache keeps the name of a file, so the code of the file can be gone. */
	new.object = ABI_PHP_MAIN;
	new.check = (uint64_t)(uintptr_t)&name;
	new.key = runtime_content(2, "alpha");
	c = runtime_php.read((uint32_t)getpid(), &php_8_2, &new);
	CHECK_STR(c ? c->func : NULL, "{main}");
	CHECK_STR(c ? c->file : NULL, "alpha");
	runtime_code_free(c);
}

/* Each of the first 1,023 bytes of a text makes a difference. */
static void content(void)
{
	char text[1100], other[1100];

	CHECK(runtime_content(1, "") != 1);
	for (unsigned int n = 0; n < 1023; n++) {
		memset(text, 'x', n);
		text[n] = '\0';
		memcpy(other, text, n + 1);
		CHECK(runtime_content(1, text) == runtime_content(1, other));
		other[n] = 'x';
		other[n + 1] = '\0';
		CHECK(runtime_content(1, text) != runtime_content(1, other));
		other[n] = '\0';
		if (n) {
			other[n - 1] = 'y';
			CHECK(runtime_content(1, text) != runtime_content(1, other));
		}
	}
}

static const struct runtime_layout ruby_3_3 = {.frames.ruby = {.module = 1, .frame = 56},
					       .ruby = {.places = 112, .text = 24}};

/* A String of Ruby in this process. */
struct ruby_text {
	uint64_t flags, class, length;
	char bytes[32];
};

/* A function whose lines are 5 from word 0 on, 7 from word 60 on, and 9 from word 700 on. */
static void ruby(void)
{
	struct ruby_text path = {.flags = 5, .length = 4, .bytes = "a.rb"},
			 label = {.flags = 5, .length = 10, .bytes = "block in f"};
	uint64_t array[6] = {7 | 1 << 13 | 2 << 15, 0, (uint64_t)(uintptr_t)&path};
	int32_t places[9] = {5, 0, 0, 7, 0, 0, 9, 0, 0};
	uint64_t succ[6 + 20] = {0};
	uint64_t words[32] = {800ULL << 32};
	struct runtime_code *c;

	for (unsigned int i = 0; i < 54; i++)
		succ[i / 9] |= 1ULL << (i % 9 * 7);
	/* Blocks: rank, small ranks, bits.  Word 60 is bit 6 of the first block, 700 bit 134 of the
	 * second. */
	succ[6] = 1;
	for (unsigned int i = 0; i < 7; i++)
		succ[7] |= 1ULL << (9 * i);
	succ[8] = 1 << 6;
	succ[16] = 2;
	succ[17] = 1ULL << 18 | 1ULL << 27 | 1ULL << 36 | 1ULL << 45 | 1ULL << 54;
	succ[18 + 2] = 1 << 6;
	words[8] = (uint64_t)(uintptr_t)array;
	words[10] = (uint64_t)(uintptr_t)&label;
	words[11] = 4;
	words[14] = (uint64_t)(uintptr_t)places;
	words[16] = 3;
	words[17] = (uint64_t)(uintptr_t)succ;
	c = read_at(&runtime_ruby, &ruby_3_3, (uint64_t)(uintptr_t)words);
	CHECK_STR(c ? c->func : NULL, "block in f");
	CHECK_STR(c ? c->file : NULL, "a.rb");
	if (!c)
		return;
	CHECK_INT(runtime_ruby.line(c, 0), 4);
	CHECK_INT(runtime_ruby.line(c, 1), 5);
	CHECK_INT(runtime_ruby.line(c, 61), 5);
	CHECK_INT(runtime_ruby.line(c, 62), 7);
	CHECK_INT(runtime_ruby.line(c, 701), 7);
	CHECK_INT(runtime_ruby.line(c, 702), 9);
	CHECK_INT(runtime_ruby.line(c, 801), 9);
	CHECK_INT(runtime_ruby.line(c, 5000), 4);
	runtime_code_free(c);
	/* A table that claims more than there is. */
	words[16] = 1ULL << 31;
	c = read_at(&runtime_ruby, &ruby_3_3, (uint64_t)(uintptr_t)words);
	CHECK_INT(c ? runtime_ruby.line(c, 62) : 0, 4);
	runtime_code_free(c);
	label.length = 1ULL << 40;
	c = read_at(&runtime_ruby, &ruby_3_3, (uint64_t)(uintptr_t)words);
	CHECK(!c || strlen(c->func) <= 1024);
	runtime_code_free(c);
	array[0] = 6;
	CHECK(!read_at(&runtime_ruby, &ruby_3_3, (uint64_t)(uintptr_t)words));
}

/* ---- Java ---- */

/* Offsets of small structures, in which members follow each other. */
static struct runtime_layout hotspot_layout(uint32_t version)
{
	struct runtime_layout l = {.runtime = &runtime_hotspot};
	uint32_t *at = l.hotspot.at;

	l.hotspot.version = version;
	at[METHOD_CONST] = 8;
	at[CONST_SIZE] = 40;
	at[CONST_POOL] = 8;
	at[CONST_WORDS] = 16;
	at[CONST_FLAGS] = 20;
	at[CONST_CODE] = 24;
	at[CONST_NAME] = 26;
	at[POOL_SIZE] = 16;
	at[POOL_CLASS] = 0;
	at[POOL_FILE] = 8;
	at[CLASS_NAME] = 8;
	at[SYMBOL_LENGTH] = 4;
	at[SYMBOL_TEXT] = 6;
	at[CODE_METHOD] = 0;
	at[CODE_ID] = 8;
	at[CODE_SCOPES] = 16;
	at[CODE_PLACES] = 24;
	at[CODE_PLACES_END] = 28;
	at[CODE_METADATA] = 32;
	at[CODE_IMMUTABLE] = 40;
	at[CODE_IMMUTABLE_SIZE] = 36;
	at[BLOB_MUTABLE] = 48;
	at[BLOB_MUTABLE_SIZE] = 56;
	at[BLOB_RELOCATIONS] = 60;
	return l;
}

struct symbol {
	uint32_t hash;
	uint16_t length;
	char text[58];
};

/* A method of 100 bytes, whose lines are 20 from byte 0 on, 23 from 9 on, and 5 from 60 on. */
struct method {
	uint64_t klass, fixed;
	struct {
		uint64_t unused, pool;
		uint32_t words, flags;
		uint16_t ncodes, name;
		uint32_t unused2[3];
		uint8_t codes[100];
		uint8_t lines[20];
	} part;
	struct {
		uint64_t class;
		uint16_t file, unused[3];
		uint64_t symbols[3];
	} pool;
	uint64_t class[2];
	struct symbol names[3];
};

static uint64_t address(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

static void set_symbol(struct symbol *s, const char *text)
{
	s->length = (uint16_t)strlen(text);
	memcpy(s->text, text, strlen(text));
}

/* least: added to each byte of a number. */
static void make_method(struct method *m, const char *class, const char *name, uint8_t least)
{
	/* Numbers: 2 * 20; 2 * 51; 2 * 18 - 1. */
	const uint8_t lines[] = {0xff, least,	    40 + least, 9 << 3 | 3,
				 0xff, 102 + least, 35 + least, 0};

	memset(m, 0, sizeof(*m));
	m->fixed = address(&m->part);
	m->part.pool = address(&m->pool);
	m->part.words = sizeof(m->part) / 8;
	m->part.flags = 1;
	m->part.ncodes = sizeof(m->part.codes);
	m->part.name = 1;
	memcpy(m->part.lines, lines, sizeof(lines));
	m->pool.class = address(m->class);
	m->pool.file = 2;
	m->pool.symbols[1] = address(&m->names[1]) | 1;
	m->pool.symbols[2] = address(&m->names[2]);
	m->class[1] = address(&m->names[0]);
	set_symbol(&m->names[0], class);
	set_symbol(&m->names[1], name);
	set_symbol(&m->names[2], "Some.java");
}

static struct runtime_code *read_java(const struct runtime_layout *l, uint64_t object,
				      uint64_t check)
{
	const struct abi_lang_new new = {(uint32_t)getpid(), object, check};

	return runtime_hotspot.read((uint32_t)getpid(), l, &new);
}

static int java_line(const struct runtime_code *c, uint32_t at)
{
	struct runtime_place places[2] = {0};

	return c && runtime_hotspot.places(c, at, places, 2) == 1 ? places[0].line : -1;
}

static void java_method(uint32_t version)
{
	const struct runtime_layout l = hotspot_layout(version);
	struct runtime_code *c;
	struct method m;

	make_method(&m, "a/b/C$$Lambda+0x00007f1234", "run", version >= 20);
	CHECK(!read_java(&l, address(&m), m.fixed + 8));
	c = read_java(&l, address(&m), m.fixed);
	CHECK_STR(c ? c->func : NULL, "a.b.C$$Lambda.run");
	CHECK_STR(c ? c->file : NULL, "Some.java");
	CHECK_INT(java_line(c, 0), 20);
	CHECK_INT(java_line(c, 1), 20);
	CHECK_INT(java_line(c, 9), 20);
	CHECK_INT(java_line(c, 10), 23);
	CHECK_INT(java_line(c, 60), 23);
	CHECK_INT(java_line(c, 61), 5);
	CHECK_INT(java_line(c, 100000), 5);
	runtime_code_free(c);
	/* A native method has no bytecodes. */
	m.part.ncodes = 0;
	c = read_java(&l, address(&m), m.fixed);
	CHECK(c && !c->file);
	runtime_code_free(c);
	/* A table without an end, and one of an absurd size. */
	m.part.ncodes = sizeof(m.part.codes);
	memset(m.part.lines, 0xff, sizeof(m.part.lines));
	c = read_java(&l, address(&m), m.fixed);
	CHECK(c != NULL);
	runtime_code_free(c);
	m.part.words = UINT32_MAX;
	c = read_java(&l, address(&m), m.fixed);
	CHECK(c != NULL);
	runtime_code_free(c);
	m.pool.symbols[1] = 8;
	CHECK(!read_java(&l, address(&m), m.fixed));
}

/*
 * Code at whose byte 16 the outer method, in byte 9, calls the inner one, which is in byte 60.
 * Byte 32 belongs to the outer method alone.
 */
struct java_code {
	uint64_t method;
	uint64_t id, scopes;
	uint32_t places_at, places_end, metadata_at, immutable_size;
	uint64_t immutable, mutable;
	uint32_t mutable_size, nrelocations;
	uint64_t metadata[2];
	struct {
		uint8_t scopes[16];
		int32_t places[4][4];
	} near;
	struct {
		int32_t places[4][4];
		uint8_t scopes[16];
	} apart;
};

static void make_java_code(struct java_code *c, const struct method *outer,
			   const struct method *inner, uint32_t version)
{
	/* From byte 1 on: no caller, method 2, byte 9 + 1.  From byte 4 on: caller 1, method 1,
	 * byte 60 + 1. */
	const uint8_t x = version >= 20, scopes[] = {0, x, 2 + x, 10 + x, 1 + x, 1 + x, 61 + x};
	const int32_t places[4][4] = {{-1}, {16, 4}, {32, 1}, {INT32_MAX, 0}};

	memset(c, 0, sizeof(*c));
	c->method = address(outer);
	c->id = 77;
	c->metadata[0] = address(inner);
	c->metadata[1] = address(outer);
	memcpy(c->near.scopes, scopes, sizeof(scopes));
	memcpy(c->near.places, places, sizeof(places));
	memcpy(c->apart.scopes, scopes, sizeof(scopes));
	memcpy(c->apart.places, places, sizeof(places));
	if (version >= HOTSPOT_RELATIVE) {
		c->scopes = offsetof(__typeof__(c->apart), scopes);
		c->immutable = address(&c->apart);
		c->immutable_size = sizeof(c->apart);
		c->mutable = address(c->metadata) - 24;
		c->nrelocations = 24;
		c->mutable_size = 24 + sizeof(c->metadata);
		return;
	}
	c->scopes = address(c->near.scopes);
	c->places_at = offsetof(struct java_code, near.places);
	c->places_end = c->places_at + sizeof(c->near.places);
	c->metadata_at = offsetof(struct java_code, metadata);
}

static void check_place(const struct runtime_place *p, const char *func, int line)
{
	CHECK_STR(p->func, func);
	CHECK_INT(p->line, line);
}

static void java_inlined(uint32_t version)
{
	const struct runtime_layout l = hotspot_layout(version);
	struct method outer, inner;
	struct java_code code;
	struct runtime_place p[4];
	struct runtime_code *c;

	make_method(&outer, "Outer", "f", version >= 20);
	make_method(&inner, "Inner", "g", version >= 20);
	make_java_code(&code, &outer, &inner, version);
	CHECK(!read_java(&l, address(&code) | ABI_HOTSPOT_COMPILED, 78));
	c = read_java(&l, address(&code) | ABI_HOTSPOT_COMPILED, 77);
	CHECK(c != NULL);
	if (!c)
		return;
	CHECK_INT(runtime_hotspot.places(c, 17, p, 4), 2);
	check_place(&p[0], "Inner.g", 5);
	check_place(&p[1], "Outer.f", 23);
	CHECK_INT(runtime_hotspot.places(c, 17, p, 1), 1);
	check_place(&p[0], "Inner.g", 5);
	/* Between two places the next one counts. */
	CHECK_INT(runtime_hotspot.places(c, 18, p, 4), 1);
	check_place(&p[0], "Outer.f", 23);
	CHECK_INT(runtime_hotspot.places(c, 40, p, 4), 1);
	check_place(&p[0], "Outer.f", 20);
	CHECK_INT(runtime_hotspot.places(c, 0, p, 4), 1);
	check_place(&p[0], "Outer.f", 20);
	runtime_code_free(c);
	/* A scope that is its own caller. */
	code.near.scopes[4] = code.apart.scopes[4] = 4 + (version >= 20);
	c = read_java(&l, address(&code) | ABI_HOTSPOT_COMPILED, 77);
	CHECK_INT(c ? runtime_hotspot.places(c, 17, p, 4) : 0, 1);
	runtime_code_free(c);
}

/* ---- V8 ---- */

/* Types of node 20. */
enum { V8_STRING = 40, V8_CONS = 41, V8_BYTES = 190, V8_ARRAY = 175 };

static struct runtime_layout v8_20;

/* A pointer to an object in this process. */
static uint64_t tagged(const void *object)
{
	return (uint64_t)(uintptr_t)object + 1;
}

static uint64_t small(uint32_t n)
{
	return (uint64_t)n << 32;
}

/* Returns a pointer to the map of a type. */
static uint64_t map_of(unsigned int type)
{
	static uint64_t maps[300][3];

	maps[type][0] = maps[255][0] = tagged(maps[255]);
	maps[255][1] = 255ULL << 32;
	maps[type][1] = (uint64_t)type << 32;
	return tagged(maps[type]);
}

/* A string, or an array of bytes. */
struct v8_bytes {
	uint64_t map, length;
	uint8_t bytes[64];
};

static struct v8_bytes v8_string(const char *text)
{
	struct v8_bytes s = {.map = map_of(V8_STRING), .length = small((uint32_t)strlen(text))};

	memcpy(s.bytes, text, strlen(text));
	return s;
}

/* Adds a number to an array of bytes; with its sign, or without. */
static void put(struct v8_bytes *b, uint64_t n)
{
	uint32_t at = (uint32_t)(b->length >> 32);

	for (; n > 127; n >>= 7)
		b->bytes[at++] = (uint8_t)(n | 128);
	b->bytes[at++] = (uint8_t)n;
	b->length = small(at);
}

static void put_signed(struct v8_bytes *b, int64_t n)
{
	put(b, (uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}

static struct v8_bytes v8_table(void)
{
	return (struct v8_bytes){.map = map_of(V8_BYTES)};
}

/* A function, "one" in line 1 and its second call in line 3, and the objects that it refers to. */
struct v8_function {
	struct v8_bytes name, file, source, positions;
	uint64_t script[16], bytecode[16], info[9];
};

static void make_v8(struct v8_function *f, const char *name)
{
	memset(f, 0, sizeof(*f));
	f->name = v8_string(name);
	f->file = v8_string("a\tb.js");
	f->source = v8_string("one(\r\n\n two(); three();\n");
	f->positions = v8_table();
	put_signed(&f->positions, 1);
	put_signed(&f->positions, 1 << 1); /* place 0 */
	put_signed(&f->positions, -5);	   /* from bytecode 4 on */
	put_signed(&f->positions, 8 << 1); /* place 8 */
	f->script[0] = map_of(167);
	f->script[1] = tagged(&f->source);
	f->script[2] = tagged(&f->file);
	f->script[8] = small(77);
	f->bytecode[0] = map_of(191);
	f->bytecode[1] = small(6);
	f->bytecode[4] = tagged(&f->positions);
	memset((char *)f->bytecode + 54, 5, 6);
	f->info[0] = map_of(262);
	f->info[1] = tagged(f->bytecode);
	f->info[2] = tagged(&f->name);
	f->info[4] = tagged(f->script);
	f->info[6] = small(3);
}

/* Reads it as the kernel side has seen it; pc: in compiled code, or 0. */
static struct runtime_code *read_v8(const struct runtime_layout *l, const struct v8_function *f,
				    uint64_t pc)
{
	struct abi_lang_new new = {.object = pc ? pc : ABI_V8_THREAD | 5};
	uint64_t number = abi_mix(new.object, f->script[8] | f->info[6] >> 32), words[2];
	struct runtime_code *c;

	if (pc) {
		memcpy(words, (const void *)(uintptr_t)(pc - 8), sizeof(words));
		number = abi_mix(abi_mix(number, words[0]), words[1]);
	}
	new.check = abi_v8_check(tagged(f->info), number);
	c = runtime_v8.read((uint32_t)getpid(), l, &new);
	if (c)
		c->runtime = &runtime_v8;
	return c;
}

/* Returns a place as text. */
static const char *place(const struct runtime_code *c, uint32_t at, unsigned int i)
{
	struct runtime_place places[RUNTIME_PLACES];
	static char text[64];

	if (!c || i >= runtime_places(c, at, places, RUNTIME_PLACES))
		return "none";
	snprintf(text, sizeof(text), "%s:%s:%d", places[i].file ? places[i].file : "",
		 places[i].func, places[i].line);
	return text;
}

static void v8_interpreted(void)
{
	struct v8_function f;
	struct runtime_code *c;
	uint64_t cons[4];

	make_v8(&f, "one");
	c = read_v8(&v8_20, &f, 0);
	CHECK_STR(place(c, 0, 0), "a?b.js:one:1");
	CHECK_STR(place(c, 1, 0), "a?b.js:one:1");
	CHECK_STR(place(c, 4, 0), "a?b.js:one:1");
	CHECK_STR(place(c, 5, 0), "a?b.js:one:3");
	CHECK_STR(place(c, 500000, 0), "a?b.js:one:3");
	CHECK_STR(place(c, 5, 1), "none");
	runtime_code_free(c);
	/* If a thread has ended, parts of its memory are gone: then the function has no name. */
	f.info[2] = ~0xfffULL | 1;
	CHECK(!read_v8(&v8_20, &f, 0));
	/* A string that was concatenated from itself has no end. */
	cons[0] = map_of(V8_CONS);
	cons[1] = small(1 << 30);
	cons[2] = cons[3] = tagged(cons);
	f.info[2] = tagged(cons);
	c = read_v8(&v8_20, &f, 0);
	CHECK_STR(place(c, 1, 0), "a?b.js:(anonymous):1");
	runtime_code_free(c);
	cons[2] = tagged(&f.name);
	c = read_v8(&v8_20, &f, 0);
	CHECK(c && strlen(c->func) <= 1024);
	runtime_code_free(c);
	/* It was moved. */
	f.script[2] = tagged(cons);
	cons[0] = tagged(&f.file) - 1;
	c = read_v8(&v8_20, &f, 0);
	CHECK_STR(c ? c->file : NULL, "a?b.js");
	runtime_code_free(c);
	/* Lengths that are wrong. */
	f.positions.length = small(1 << 30);
	f.source.length = small(UINT32_MAX);
	c = read_v8(&v8_20, &f, 0);
	CHECK(c && c->nlines == 0);
	runtime_code_free(c);
	f.info[0] = map_of(V8_ARRAY);
	CHECK(!read_v8(&v8_20, &f, 0));
}

/* The words of compiled code: instructions, and after them the table of safepoints. */
struct v8_compiled {
	uint64_t stream[4];
	uint32_t safepoints[16];
	uint64_t code[8], deopt[10], literals[3];
	struct v8_bytes positions, inlining;
};

static void make_code(struct v8_compiled *k, unsigned int kind, const struct v8_function *from)
{
	memset(k, 0, sizeof(*k));
	k->positions = v8_table();
	k->stream[0] = map_of(252);
	k->stream[1] = tagged(k->code);
	k->code[0] = map_of(245);
	k->code[2] = tagged(k->deopt);
	k->code[3] = tagged(&k->positions);
	k->code[6] = kind;
	k->code[7] = 16;
	k->deopt[0] = k->literals[0] = map_of(V8_ARRAY);
	k->deopt[1] = small(8);
	k->deopt[8] = tagged(from->info);
}

static void v8_compiled(void)
{
	struct runtime_layout l = v8_20;
	struct v8_function one, two;
	struct runtime_code *c;
	struct v8_compiled k;
	const uint8_t sizes[3][6] = {{1, 1, 1, 1, 1, 2}};
	uint64_t start = (uint64_t)(uintptr_t)&k.stream[2];
	struct {
		uint64_t position;
		int32_t function, pad;
	} call = {.position = 8 << 1}; /* "two" is inlined in line 3 */

	make_v8(&one, "one");
	make_v8(&two, "two");
	make_code(&k, 13, &one);
	k.literals[1] = small(1);
	k.literals[2] = tagged(two.info) | 2;
	k.deopt[4] = tagged(k.literals);
	k.deopt[9] = tagged(&k.inlining);
	k.inlining = v8_table();
	k.inlining.length = small(sizeof(call));
	memcpy(k.inlining.bytes, &call, sizeof(call));
	put_signed(&k.positions, 3);
	put_signed(&k.positions, 1 << 1 | 1LL << 31);
	put_signed(&k.positions, 4);
	put_signed(&k.positions, (1 << 1) - (1 << 1 | 1LL << 31));
	c = read_v8(&v8_20, &one, start + 4);
	CHECK_STR(place(c, 0, 0), "a?b.js:two:1");
	CHECK_STR(place(c, 0, 1), "a?b.js:one:3");
	CHECK_STR(place(c, 0, 2), "none");
	runtime_code_free(c);
	c = read_v8(&v8_20, &one, start + 8);
	CHECK_STR(place(c, 0, 0), "a?b.js:one:1");
	CHECK_STR(place(c, 0, 1), "none");
	runtime_code_free(c);
	/* The return address was replaced by one after the code. */
	k.safepoints[0] = 1;
	k.safepoints[1] = 1 | 1 << 4 | 1 << 7;
	memcpy(&k.safepoints[2], (uint8_t[]){4, 0, 16}, 3);
	c = read_v8(&v8_20, &one, start + 15);
	CHECK_STR(place(c, 0, 0), "a?b.js:two:1");
	runtime_code_free(c);
	k.safepoints[0] = UINT32_MAX;
	c = read_v8(&v8_20, &one, start + 15);
	CHECK_STR(place(c, 0, 0), "a?b.js:one:1");
	runtime_code_free(c);
	/* A function that is inlined in itself. */
	call.position = 1 << 1 | 1LL << 31;
	memcpy(k.inlining.bytes, &call, sizeof(call));
	c = read_v8(&v8_20, &one, start + 4);
	CHECK(c && c->ninlined < RUNTIME_PLACES);
	CHECK_STR(place(c, 0, RUNTIME_PLACES - 1), "a?b.js:one:1");
	runtime_code_free(c);
	/* Sparkplug: 3 bytes of code before the first bytecode of 2 bytes, 2 for it, 4 for
	 * the next. */
	make_code(&k, 11, &one);
	k.code[2] = tagged(one.bytecode);
	put(&k.positions, 3);
	put(&k.positions, 2);
	put(&k.positions, 4);
	put(&k.positions, 4);
	l.v8.sizes = (uint64_t)(uintptr_t)sizes;
	l.v8.nsizes = sizeof(sizes);
	c = read_v8(&l, &one, start + 5);
	CHECK_STR(place(c, 0, 0), "a?b.js:one:1");
	runtime_code_free(c);
	c = read_v8(&l, &one, start + 10);
	CHECK_STR(place(c, 9, 0), "a?b.js:one:3");
	runtime_code_free(c);
	/* The frame is of another function. */
	CHECK(!read_v8(&l, &two, start + 5));
}

int main(void)
{
	const struct runtime_layout python = {.frames.python = {.names = 112, .is_own = true},
					      .python = {.line = 72, .ascii = 48, .other = 72}};

	lines();
	pairs_of_lines();
	nonsense(&runtime_python, &python);
	nonsense(&runtime_php, &php_8_2);
	php();
	content();
	nonsense(&runtime_ruby, &ruby_3_3);
	CHECK(!read_at(&runtime_ruby, &ruby_3_3, 4097));
	ruby();
	java_method(17);
	java_method(21);
	java_inlined(17);
	java_inlined(21);
	java_inlined(25);
	v8_defaults(1, &v8_20);
	nonsense(&runtime_v8, &v8_20);
	v8_interpreted();
	v8_compiled();
	return TEST_DONE();
}
