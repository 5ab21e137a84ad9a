/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * python.c: CPython 3.11 to 3.13.  Offsets come from its headers: Include/cpython/pystate.h, code.h
 * and unicodeobject.h, Include/internal/pycore_runtime.h, pycore_interp.h and pycore_frame.h.  From
 * 3.13 on the process has the offsets that depend on its build (_Py_DebugOffsets).
 */
#include <string.h>
#include <sys/uio.h>

#include "base/buf.h"
#include "base/mem.h"
#include "proc/proc.h"
#include "proc/python.h"

#define TEXT_MAX  1024	    /* characters of a name; longer ones are cut */
#define LINES_MAX (1 << 20) /* bytes of a table */

enum {
	CODE_FILE = 112,
	CODE_FUNC = 128, /* co_qualname */
	CODE_LINES = 136,
	TEXT_LENGTH = 16,
	TEXT_STATE = 32,
	BYTES_LENGTH = 16,
	BYTES_DATA = 32,
};

#define RUNTIME_MAIN 48 /* interpreters.main */
#define NO_SHIM	     256
#define SHIM	     3 /* FRAME_OWNED_BY_CSTACK */

static const struct python_layout v3_11 = {
    .frames = {.threads = 16,
	       .next = 8,
	       .thread_id = 152,
	       .innermost = 56, /* cframe */
	       .frame = 8,
	       .code = 32,
	       .caller = 48,
	       .at = 56,
	       .owner = 69,
	       .shim = NO_SHIM,
	       .first = 184},
    .line = 72,
    .ascii = 48,
    .other = 72,
};

static const struct python_layout v3_12 = {
    .frames = {.threads = 72,
	       .next = 8,
	       .thread_id = 136,
	       .innermost = 56, /* cframe */
	       .frame = 0,
	       .code = 0,
	       .caller = 8,
	       .at = 56,
	       .owner = 70,
	       .shim = SHIM,
	       .first = 192},
    .line = 68,
    .ascii = 40,
    .other = 56,
};

/* The start of _PyRuntime of 3.13. */
struct debug_offsets {
	char cookie[8];
	uint64_t version, is_free_threaded;
	uint64_t runtime_size, runtime_finalizing, interpreters;
	uint64_t interpreter_size, interpreter_id, interpreter_next, threads, interpreter[9];
	uint64_t thread_size, thread_prev, next, thread_interp, current_frame, thread_id, thread[3];
	uint64_t frame_size, previous, executable, instr_ptr, localsplus, owner;
	uint64_t code_size, code_names[4], line, code[3], first;
};

static bool read_at(uint32_t pid, uint64_t addr, void *to, size_t size)
{
	struct iovec here = {to, size}, there = {(void *)(uintptr_t)addr, size};

	return process_vm_readv((pid_t)pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

/* The pointer to the main interpreter follows the one to the first interpreter. */
static bool read_layout(uint32_t pid, uint64_t runtime, struct python_layout *l)
{
	struct debug_offsets d;

	if (!read_at(pid, runtime, &d, sizeof(d)) || memcmp(d.cookie, "xdebugpy", 8) != 0 ||
	    d.is_free_threaded)
		return false;
	l->frames = (struct abi_python){.interpreter = runtime + d.interpreters + 8,
					.threads = (uint32_t)d.threads,
					.next = (uint32_t)d.next,
					.thread_id = (uint32_t)d.thread_id,
					.innermost = (uint32_t)d.current_frame,
					.frame = ABI_PYTHON_HERE,
					.code = (uint32_t)d.executable,
					.caller = (uint32_t)d.previous,
					.at = (uint32_t)d.instr_ptr,
					.owner = (uint32_t)d.owner,
					.shim = SHIM,
					.first = (uint32_t)d.first};
	l->line = (unsigned int)d.line;
	l->ascii = v3_12.ascii;
	l->other = v3_12.other;
	return true;
}

static bool find_layout(uint32_t pid, uint64_t runtime, uint64_t version, struct python_layout *l)
{
	if (version >> 16 == 0x030d)
		return read_layout(pid, runtime, l);
	*l = version >> 16 == 0x030c ? v3_12 : v3_11;
	l->frames.interpreter = runtime + RUNTIME_MAIN;
	return version >> 16 == 0x030c || version >> 16 == 0x030b;
}

bool python_find(struct procs *ps, struct proc *p, struct python_layout *l)
{
	/* The last mapping is the valid one. */
	for (unsigned int i = p->maps.n; i-- > 0;) {
		struct proc_map *m = &p->maps.a[i];
		const struct proc_object *o = proc_object(ps, p, m);
		uint64_t start, version;

		if (!o->python || !proc_vaddr(o, m->off, &start))
			continue;
		start = m->start - start;
		return read_at(p->pid, start + o->python_version, &version, sizeof(version)) &&
		       find_layout(p->pid, start + o->python, version, l);
	}
	return false;
}

static void put_char(struct buf *b, uint32_t c)
{
	unsigned int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};

	buf_putc(b, (char)(first[more] | (uint8_t)(c >> (6 * more))));
	while (more--)
		buf_putc(b, (char)(0x80 | (c >> (6 * more) & 0x3f)));
}

/* Returns a str as UTF-8; NULL: it cannot be read. */
static char *read_text(uint32_t pid, const struct python_layout *l, uint64_t addr)
{
	uint64_t n;
	uint32_t state, kind, c;
	char chars[TEXT_MAX * 4], *text;
	struct buf b = {0};

	if (!read_at(pid, addr + TEXT_LENGTH, &n, sizeof(n)) ||
	    !read_at(pid, addr + TEXT_STATE, &state, sizeof(state)))
		return NULL;
	/* Bits: interned 2, kind 3, compact 1, ascii 1. */
	kind = state >> 2 & 7;
	if (n > TEXT_MAX)
		n = TEXT_MAX;
	if (!(state & 1 << 5) || (kind != 1 && kind != 2 && kind != 4) ||
	    !read_at(pid, addr + (state & 1 << 6 ? l->ascii : l->other), chars, n * kind))
		return NULL;
	for (uint64_t i = 0; i < n; i++) {
		c = 0;
		memcpy(&c, chars + i * kind, kind);
		put_char(&b, c);
	}
	text = mem_strdup(buf_str(&b));
	buf_free(&b);
	return text;
}

static char *read_member(uint32_t pid, const struct python_layout *l, uint64_t code, uint64_t off)
{
	uint64_t text;

	return read_at(pid, code + off, &text, sizeof(text)) ? read_text(pid, l, text) : NULL;
}

static void read_lines(struct python_code *c, uint32_t pid, uint64_t code)
{
	uint64_t table, n;

	if (!read_at(pid, code + CODE_LINES, &table, sizeof(table)) ||
	    !read_at(pid, table + BYTES_LENGTH, &n, sizeof(n)) || !n || n > LINES_MAX)
		return;
	c->lines = mem_alloc(n);
	if (read_at(pid, table + BYTES_DATA, c->lines, n))
		c->nlines = (uint32_t)n;
}

/* A freed object has an address in place of its reference count. */
static bool is_object(uint32_t pid, uint64_t addr)
{
	uint64_t refs;

	return read_at(pid, addr, &refs, sizeof(refs)) && refs && refs <= UINT32_MAX;
}

struct python_code *python_read(uint32_t pid, const struct python_layout *l, uint64_t code)
{
	struct python_code *c;

	if (!is_object(pid, code))
		return NULL;
	c = mem_alloc(sizeof(*c));
	c->file = read_member(pid, l, code, CODE_FILE);
	c->func = read_member(pid, l, code, CODE_FUNC);
	if (c->file && c->func && read_at(pid, code + l->line, &c->line, sizeof(c->line))) {
		read_lines(c, pid, code);
		return c;
	}
	python_free(c);
	return NULL;
}

void python_free(struct python_code *c)
{
	if (!c)
		return;
	mem_free(c->file);
	mem_free(c->func);
	mem_free(c->lines);
	mem_free(c);
}

/* ---- lines: Objects/locations.md of its source ---- */

enum { FORM_ONE_LINE = 10, FORM_NO_COLUMNS = 13, FORM_LONG = 14 };

/* Parses a number with 6 bits a byte, the lowest first.  The lowest bit is the sign. */
static int signed_number(const uint8_t *p, const uint8_t *end)
{
	uint32_t v = 0;

	for (unsigned int shift = 0; p < end && shift < 32; shift += 6) {
		v |= (uint32_t)(*p & 63) << shift;
		if (!(*p++ & 64))
			break;
	}
	return v & 1 ? -(int)(v >> 1) : (int)(v >> 1);
}

int python_line(const struct python_code *c, uint32_t at)
{
	const uint8_t *p = c->lines, *end = p + c->nlines;
	int line = c->line;
	uint32_t from = 0;

	while (p < end) {
		unsigned int form = *p >> 3 & 15, n = (*p & 7) + 1;

		if (form == FORM_NO_COLUMNS || form == FORM_LONG)
			line += signed_number(p + 1, end);
		else if (form >= FORM_ONE_LINE && form < FORM_NO_COLUMNS)
			line += (int)form - FORM_ONE_LINE;
		if (at && at - from <= n)
			return line;
		from += n;
		/* Only the first byte of an entry has its highest bit set. */
		for (p++; p < end && !(*p & 128); p++)
			;
	}
	return c->line;
}
