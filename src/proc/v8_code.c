/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * v8_code.c: lines of V8's compiled code.  Code is in an object with machine instructions, which
 * lies before pc.  Sparkplug's code has a table of its bytecodes.  The code of Maglev and TurboFan
 * has positions, and lists of the functions that are inlined.  Layouts come from V8's
 * src/objects/code.h, deoptimization-data.h, src/codegen/safepoint-table.h, source-position.h and
 * src/baseline/bytecode-offset-iterator.h.
 */
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "proc/v8.h"

#define CODE_MAX       (1 << 20) /* bytes of a function */
#define PAGE	       4096
#define CANDIDATES_MAX 4096 /* words that are looked at */
#define SAFEPOINTS_MAX 8192
#define KIND_MASK      15 /* of the flags of a Code */

/* ---- from pc to code ---- */

/* Returns true if a word is the map of objects with instructions.  The map of a map is a map. */
static bool is_header(const struct v8 *v, uint64_t map)
{
	return (v8_half(v, map, V8_MAP_TYPE) & 0xffff) == v->layout->v8.type_stream &&
	       v8_type(v, map) == v->layout->v8.type_map;
}

/* Returns the object with instructions that begins before pc, or 0. */
static uint64_t stream_before(const struct v8 *v, uint64_t pc)
{
	uint64_t words[PAGE / 8], end = pc & ~7ULL, least = end > CODE_MAX ? end - CODE_MAX : 0;
	unsigned int left = CANDIDATES_MAX;

	while (end > least) {
		uint64_t page = (end - 1) & ~(uint64_t)(PAGE - 1);

		if (!runtime_read(v->pid, page, words, end - page))
			return 0;
		for (uint64_t i = (end - page) / 8; i-- > 0;) {
			if ((words[i] & 3) != 1)
				continue;
			if (!left--)
				return 0;
			if (is_header(v, words[i]))
				return page + 8 * i + 1;
		}
		end = page;
	}
	return 0;
}

bool v8_find_code(const struct v8 *v, uint64_t pc, struct v8_code *res)
{
	const struct runtime_layout *l = v->layout;
	const struct v8 any = {.pid = v->pid, .layout = l}; /* words that may be no objects */
	uint64_t stream = stream_before(&any, pc), object;

	if (!stream)
		return false;
	object = l->v8.stream_code ? v8_member(v, stream, l->v8.stream_code) : stream;
	if (v8_type(v, object) != l->v8.type_code)
		return false;
	res->start = stream - 1 + l->v8.stream_start;
	res->size = v8_half(v, object, l->v8.code_size);
	res->kind = v8_half(v, object, l->v8.code_flags) & KIND_MASK;
	res->deopt = v8_member(v, object, l->v8.code_deopt);
	res->positions = v8_member(v, object, l->v8.code_positions);
	return pc - res->start <= res->size;
}

/* ---- Maglev and TurboFan ---- */

static uint32_t number(const uint8_t *bytes, unsigned int n)
{
	uint32_t res = 0;

	memcpy(&res, bytes, n < sizeof(res) ? n : sizeof(res));
	return res;
}

/*
 * Returns the place of a return address in the code.  If the code was deoptimized, the return
 * address was replaced by an address after the code, which the table of safepoints has, too.
 */
static uint32_t real_place(const struct v8 *v, const struct v8_code *code, uint32_t place)
{
	const struct runtime_layout *l = v->layout;
	bool is_maglev = code->kind == l->v8.kind_baseline + 1U;
	uint64_t table = code->start + code->size;
	uint32_t head[4], n, config, pc_size, index_size, size;
	uint8_t *entries;

	if (!runtime_read(v->pid, table, head, sizeof(head)))
		return place;
	n = head[0];
	/* Bits: has deoptimization 1, bytes of registers 3, of pcs 3, of indexes 3. */
	config = head[l->v8.safepoint_config / sizeof(head[0])];
	pc_size = config >> 4 & 7;
	index_size = config >> 7 & 7;
	size = 2 * pc_size + index_size + (config >> 1 & 7) + is_maglev;
	if (!(config & 1) || !pc_size || n > SAFEPOINTS_MAX)
		return place;
	table += is_maglev ? sizeof(head) : l->v8.safepoint_config + sizeof(head[0]);
	entries = mem_alloc((size_t)n * size + 1);
	if (runtime_read(v->pid, table, entries, (size_t)n * size))
		for (uint32_t i = 0; i < n; i++) {
			const uint8_t *e = entries + (size_t)i * size;

			if (number(e + pc_size + index_size, pc_size) == place + 1) {
				place = number(e, pc_size);
				break;
			}
		}
	mem_free(entries);
	return place;
}

/* The position of a call, and the function that is inlined there. */
struct inlining {
	uint64_t position;
	int32_t function, pad;
};

/* Adds a function that is inlined, at a position in it. */
static void add_inlined(const struct v8 *v, uint64_t info, uint64_t position,
			struct runtime_code *c)
{
	struct runtime_code *inlined = v8_function(v, info);

	if (!inlined)
		return;
	inlined->line = v8_line(v, v8_script(v, info), v8_place(position));
	c->inlined = mem_realloc(c->inlined, (c->ninlined + 1) * sizeof(*c->inlined));
	c->inlined[c->ninlined++] = inlined;
}

/* Adds the functions that are inlined at a position.  Returns the position in the outermost one. */
static uint64_t read_inlined(const struct v8 *v, uint64_t deopt, uint64_t position,
			     struct runtime_code *c)
{
	const struct runtime_layout *l = v->layout;
	uint64_t literals = v8_element(v, deopt, l->v8.deopt_literals);
	uint32_t size, n;
	uint8_t *all;

	if (!v8_inlined(position))
		return position;
	all = v8_bytes(v, v8_element(v, deopt, l->v8.deopt_inlining), &size);
	if (!all)
		return position;
	for (unsigned int i = 0; i < RUNTIME_PLACES - 1 && (n = v8_inlined(position)) != 0; i++) {
		struct inlining inlining;

		if (n > size / sizeof(inlining))
			break;
		memcpy(&inlining, all + (n - 1) * sizeof(inlining), sizeof(inlining));
		if (inlining.function >= 0)
			add_inlined(v, v8_element(v, literals, (uint32_t)inlining.function),
				    position, c);
		position = inlining.position;
	}
	mem_free(all);
	return position;
}

static void read_optimized(const struct v8 *v, uint64_t info, const struct v8_code *code,
			   uint32_t at, struct runtime_code *c)
{
	uint64_t position;

	if (!v8_position(v, code->positions, at, &position))
		return;
	position = read_inlined(v, code->deopt, position, c);
	c->line = v8_line(v, v8_script(v, info), v8_place(position));
}

/* ---- Sparkplug ---- */

/* Sizes of bytecodes: with normal operands, and with operands of two and four times the size. */
struct sizes {
	uint8_t sizes[3][256];
	uint32_t n;
};

enum { WIDE = 0, EXTRA_WIDE = 1, DEBUG_WIDE = 2, DEBUG_EXTRA_WIDE = 3 }; /* prefixes */

static bool read_sizes(const struct v8 *v, struct sizes *s)
{
	s->n = v->layout->v8.nsizes / 3;
	if (!s->n || s->n > 256)
		return false;
	for (unsigned int i = 0; i < 3; i++)
		if (!runtime_read(v->pid, v->layout->v8.sizes + (uint64_t)i * s->n, s->sizes[i],
				  s->n))
			return false;
	return true;
}

/* Returns the size of a bytecode with its prefix; 0: it is none. */
static uint32_t size_of(const struct sizes *s, const uint8_t *code, uint32_t n)
{
	unsigned int scale = 0;

	if (n > 1 && *code <= DEBUG_EXTRA_WIDE)
		scale = *code == WIDE || *code == DEBUG_WIDE ? 1 : 2;
	if (scale)
		code++;
	return *code < s->n ? s->sizes[scale][*code] + (scale != 0) : 0;
}

/* Returns the bytecodes of a function and their number of bytes, for mem_free. */
static uint8_t *read_bytecode(const struct v8 *v, uint64_t bytecode, uint32_t *n)
{
	int32_t size = v8_smi(v8_member(v, bytecode, V8_LENGTH));
	uint8_t *bytes;

	if (size <= 0 || size > CODE_MAX)
		return NULL;
	bytes = mem_alloc((size_t)size);
	if (v8_read(v, bytecode, v->layout->frames.v8.bytecode, bytes, (size_t)size)) {
		*n = (uint32_t)size;
		return bytes;
	}
	mem_free(bytes);
	return NULL;
}

/* Bytecodes, and a table of the code that the compiler made from them. */
struct baseline {
	uint8_t *table, *bytes;
	uint32_t ntable, n;
	struct sizes sizes;
};

/*
 * Returns the place in the bytecode, from 1 on, of a place in the code.  The table has numbers of
 * bytes of code: first the code before the first bytecode, then the code of each bytecode.
 */
static uint32_t find_bytecode(const struct baseline *b, uint32_t at)
{
	const uint8_t *p = b->table, *end = p + b->ntable;
	uint64_t after = v8_number(&p, end);
	uint32_t place = 0;

	while (p < end && place < b->n) {
		uint32_t size = size_of(&b->sizes, b->bytes + place, b->n - place);

		after += v8_number(&p, end);
		if (after >= at || !size)
			break;
		place += size;
	}
	return place < b->n ? place + 1 : 0;
}

/* Does the same for a function and the table of its code; 0: unknown. */
static uint32_t bytecode_at(const struct v8 *v, uint64_t bytecode, uint64_t table, uint32_t at)
{
	struct baseline b = {0};
	uint32_t place = 0;

	b.table = v8_bytes(v, table, &b.ntable);
	b.bytes = read_bytecode(v, bytecode, &b.n);
	if (b.table && b.bytes && read_sizes(v, &b.sizes))
		place = find_bytecode(&b, at);
	mem_free(b.table);
	mem_free(b.bytes);
	return place;
}

/* ---- functions ---- */

uint64_t v8_code_function(const struct v8 *v, const struct v8_code *code, uint64_t info)
{
	const struct runtime_layout *l = v->layout;
	uint64_t made_from;

	if (code->kind < l->v8.kind_baseline)
		return info;
	if (code->kind == l->v8.kind_baseline)
		return v8_bytecode_of(v, code->deopt) == v8_bytecode(v, info) ? info : 0;
	made_from = v8_element(v, code->deopt, l->v8.deopt_function);
	if (v8_type(v, made_from) == l->v8.type_wrapper)
		made_from = v8_member(v, made_from, V8_WRAPPED);
	return made_from;
}

void v8_read_code(const struct v8 *v, const struct v8_code *code, uint64_t info, uint64_t pc,
		  bool is_caller, struct runtime_code *c)
{
	const struct runtime_layout *l = v->layout;
	uint32_t at = (uint32_t)(pc - code->start) + !is_caller;

	/* A copy of the interpreter's entry. */
	if (code->kind < l->v8.kind_baseline)
		return;
	if (code->kind == l->v8.kind_baseline)
		c->line = v8_line_at(c, bytecode_at(v, v8_bytecode(v, info), code->positions, at));
	else
		read_optimized(v, info, code, is_caller ? real_place(v, code, at) : at, c);
	c->nlines = 0;
}
