/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * v8_lines.c: lines of V8's functions.  A table has the positions in the source of the instructions
 * of a function (src/codegen/source-position-table.cc).  The line of a position is the number of
 * line ends before it.  Sources can be large, so their line ends are counted once, in parts, and
 * the counts of the last scripts are kept.
 */
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "proc/v8.h"

#define SOURCE_MAX  (64U << 20) /* characters */
#define PARTS_MAX   4096
#define PART_MIN    1024
#define PART_MAX    (SOURCE_MAX / PARTS_MAX)
#define SOURCES_MAX 8
#define LINES_MAX   (1 << 15) /* of a function */

/* The source of a script.  A string never changes. */
struct source {
	uint32_t pid;
	struct v8_chars chars;
	uint32_t part;		   /* characters of a part */
	uint32_t lines[PARTS_MAX]; /* number of line ends before it */
};

/* ---- sources ---- */

/* Counts the line ends (String::CalculateLineEnds) in n characters, at most PART_MAX. */
static uint32_t count_ends(uint32_t pid, const struct v8_chars *c, uint32_t from, uint32_t n)
{
	static _Thread_local uint16_t wide[PART_MAX + 1];
	const uint8_t *narrow = (const uint8_t *)wide;
	uint32_t ends = 0, size;

	if (from > c->n || n > c->n - from)
		return 0;
	/* "\r\n" ends one line. */
	size = from + n < c->n ? n + 1 : n;
	if (!runtime_read(pid, c->addr + ((uint64_t)from << c->is_wide), wide,
			  (size_t)size << c->is_wide))
		return 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t ch = c->is_wide ? wide[i] : narrow[i], next = 0;

		if (i + 1 < size)
			next = c->is_wide ? wide[i + 1] : narrow[i + 1];
		ends += ch == '\n' || (ch == '\r' && next != '\n') || ch == 0x2028 || ch == 0x2029;
	}
	return ends;
}

static void count_parts(struct source *s)
{
	uint32_t n = s->chars.n, lines = 0;

	s->part = n / PARTS_MAX + 1 > PART_MIN ? n / PARTS_MAX + 1 : PART_MIN;
	for (uint32_t i = 0, at = 0; at < n; i++, at += s->part) {
		s->lines[i] = lines;
		lines += count_ends(s->pid, &s->chars, at, n - at < s->part ? n - at : s->part);
	}
}

/* Returns the source of a script; NULL: it has none. */
static const struct source *source_of(const struct v8 *v, uint64_t script)
{
	static _Thread_local struct source sources[SOURCES_MAX];
	static _Thread_local unsigned int next;
	struct v8_chars c;
	struct source *s;

	if (!v8_chars(v, v8_member(v, script, V8_SCRIPT_SOURCE), &c) || c.n >= SOURCE_MAX)
		return NULL;
	for (unsigned int i = 0; i < SOURCES_MAX; i++) {
		s = &sources[i];
		if (s->pid == v->pid && s->chars.addr == c.addr && s->chars.n == c.n &&
		    s->chars.is_wide == c.is_wide)
			return s;
	}
	s = &sources[next++ % SOURCES_MAX];
	s->pid = v->pid;
	s->chars = c;
	count_parts(s);
	return s;
}

/* A position in a source, and the number of line ends before it. */
struct cursor {
	const struct source *source;
	uint32_t at, lines;
	int first; /* line of the first character */
};

static struct cursor cursor_of(const struct v8 *v, uint64_t script)
{
	int32_t before = v8_smi(v8_member(v, script, V8_SCRIPT_LINE));

	return (struct cursor){.source = source_of(v, script),
			       .first = (int)((uint32_t)before + 1)};
}

/* Moves to a position.  Returns its line, or 0. */
static int line_of(struct cursor *c, uint32_t at)
{
	const struct source *s = c->source;

	if (!s || at > s->chars.n)
		return 0;
	if (at < c->at || at - c->at > s->part) {
		c->at = at - at % s->part;
		c->lines = at < s->chars.n ? s->lines[at / s->part] : 0;
	}
	c->lines += count_ends(s->pid, &s->chars, c->at, at - c->at);
	c->at = at;
	return (int)((uint32_t)c->first + c->lines);
}

/* Notes if the source can no longer be read, so that line ends may be missing. */
static void check_source(const struct v8 *v, const struct source *s)
{
	uint8_t byte;

	if (s && s->chars.n)
		v8_read_at(v, s->chars.addr, &byte, sizeof(byte));
}

int v8_line(const struct v8 *v, uint64_t script, uint32_t at)
{
	struct cursor c = cursor_of(v, script);
	int line = line_of(&c, at);

	check_source(v, c.source);
	return line;
}

/* ---- tables ---- */

uint64_t v8_number(const uint8_t **p, const uint8_t *end)
{
	uint64_t n = 0;

	for (unsigned int shift = 0; *p < end && shift < 64; shift += 7) {
		n |= (uint64_t)(**p & 127) << shift;
		if (!(*(*p)++ & 128))
			break;
	}
	return n;
}

/* The lowest bit is the sign. */
static int64_t signed_number(const uint8_t **p, const uint8_t *end)
{
	uint64_t n = v8_number(p, end);

	return (int64_t)(n >> 1 ^ -(n & 1));
}

/* An entry of a table: the position of the code from a byte on, which is counted from 1 on. */
struct entry {
	uint32_t at; /* 0: the entry of the function */
	uint64_t position;
};

/* Advances to the next entry.  A difference that is below zero marks an expression. */
static bool next_entry(struct entry *e, const uint8_t **p, const uint8_t *end)
{
	int64_t more;

	if (*p >= end)
		return false;
	more = signed_number(p, end);
	e->at += (uint32_t)(more < 0 ? -(more + 1) : more);
	e->position += (uint64_t)signed_number(p, end);
	return true;
}

bool v8_position(const struct v8 *v, uint64_t table, uint32_t at, uint64_t *position)
{
	struct entry e = {0};
	uint32_t n;
	uint8_t *bytes = v8_bytes(v, table, &n);
	const uint8_t *p = bytes;
	bool found = false;

	while (bytes && next_entry(&e, &p, bytes + n) && e.at <= at) {
		*position = e.position;
		found = true;
	}
	mem_free(bytes);
	return found;
}

/* ---- lines of a function ---- */

/* The line of the code from a byte on. */
struct line {
	uint32_t at;
	int32_t line;
};

void v8_read_lines(const struct v8 *v, uint64_t info, struct runtime_code *c)
{
	uint64_t bytecode = v8_bytecode(v, info);
	struct cursor cursor = cursor_of(v, v8_script(v, info));
	struct entry e = {0};
	uint32_t size;
	uint8_t *bytes =
	    v8_bytes(v, v8_member(v, bytecode, v->layout->v8.bytecode_positions), &size);
	const uint8_t *p = bytes;
	VEC(struct line) lines = {0};

	while (bytes && lines.n < LINES_MAX && next_entry(&e, &p, bytes + size)) {
		int line = line_of(&cursor, v8_place(e.position));

		if (!lines.n || lines.a[lines.n - 1].line != line)
			vec_push(&lines, ((struct line){e.at, line}));
	}
	mem_free(bytes);
	check_source(v, cursor.source);
	c->line = lines.n ? lines.a[0].line : 0;
	c->lines = (uint8_t *)lines.a;
	c->nlines = lines.n * (uint32_t)sizeof(*lines.a);
}

int v8_line_at(const struct runtime_code *c, uint32_t at)
{
	const struct line *lines = (const struct line *)c->lines;
	uint32_t low = 0, high = c->nlines / (uint32_t)sizeof(*lines);

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (lines[mid].at <= at)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? lines[low - 1].line : c->line;
}
