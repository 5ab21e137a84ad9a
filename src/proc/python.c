/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * python.c: CPython 3.9 and 3.11 to 3.14.  Offsets come from its headers:
 * Include/cpython/pystate.h, code.h and unicodeobject.h, Include/internal/pycore_runtime.h,
 * pycore_interp.h and pycore_frame.h.  The offsets of 3.9 were compared with the tables of members
 * (PyFrame_Type, PyCode_Type) of Debian's 3.9.2.  From 3.13 on, the process itself has the offsets
 * that depend on its build (_Py_DebugOffsets).
 */
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "proc/proc.h"
#include "proc/runtime.h"

#define TEXT_MAX  1024	    /* characters of a name; longer ones are cut */
#define LINES_MAX (1 << 20) /* bytes of a table */

/* In a code object, from 3.11 on: co_filename, co_name, co_qualname, co_linetable. */
#define CODE_NAMES   112
#define CODE_VERSION 88 /* from 3.12 on: a number, co_nfreevars, and co_version */

#define RUNTIME_HEAD	 40 /* interpreters.head */
#define RUNTIME_HEAD_3_9 32
#define NO_SHIM		 256
#define SHIM		 3 /* FRAME_OWNED_BY_CSTACK; from 3.14 on FRAME_OWNED_BY_INTERPRETER, and 4 */

static const struct runtime_layout v3_9 = {
    .frames.kind = ABI_PYTHON,
    .frames.python = {.threads = 8,
		      .next = 8,
		      .thread_id = 176,
		      .innermost = 24,
		      .frame = ABI_PYTHON_HERE,
		      .code = 32,
		      .caller = 24,
		      .at = 104, /* f_lasti */
		      .shim = NO_SHIM,
		      .entry = ABI_PYTHON_EACH,
		      .first = ABI_PYTHON_HERE,
		      .names = 96, /* co_cell2arg, co_filename, co_name, co_lnotab */
		      .file = 1,
		      .id = 40}, /* co_firstlineno */
    .python = {.line = 40, .ascii = 48, .other = 72, .has_pairs = true},
};

static const struct runtime_layout v3_11 = {
    .frames.kind = ABI_PYTHON,
    .frames.python = {.threads = 16,
		      .next = 8,
		      .thread_id = 152,
		      .innermost = 56, /* cframe */
		      .frame = 8,
		      .code = 32,
		      .caller = 48,
		      .at = 56,
		      .owner = 69,
		      .shim = NO_SHIM,
		      .entry = 68, /* is_entry */
		      .first = 184,
		      .names = CODE_NAMES,
		      .id = 72}, /* co_firstlineno, and numbers of variables */
    .python = {.line = 72, .ascii = 48, .other = 72},
};

static const struct runtime_layout v3_12 = {
    .frames.kind = ABI_PYTHON,
    .frames.python = {.threads = 72,
		      .next = 8,
		      .thread_id = 136,
		      .innermost = 56, /* cframe */
		      .frame = 0,
		      .code = 0,
		      .caller = 8,
		      .at = 56,
		      .owner = 70,
		      .shim = SHIM,
		      .first = 192,
		      .names = CODE_NAMES,
		      .id = CODE_VERSION,
		      .is_own = true},
    .python = {.line = 68, .ascii = 40, .other = 56},
};

/*
 * The start of _PyRuntime of 3.13 and 3.14: words with sizes and offsets (_Py_DebugOffsets), up to
 * the first member of an interpreter.  Blocks for threads, frames and code objects follow.
 */
enum {
	HEAD_COOKIE,
	HEAD_IS_FREE_THREADED = 2,
	HEAD_INTERPRETERS = 5,
	HEAD_OLDER = 8,
	HEAD_THREADS
};
enum { THREAD_NEXT = 2, THREAD_FRAME = 4, THREAD_ID = 5 };
enum { FRAME_CALLER = 1, FRAME_CODE, FRAME_AT, FRAME_OWNER = 5 };
enum { CODE_LINE = 5, CODE_FIRST = 9 };
#define HEAD_WORDS 64

struct blocks {
	unsigned int thread, frame, code; /* words before them */
};

static const struct blocks in_3_13 = {19, 28, 34}, in_3_14 = {22, 31, 39};

static bool read_layout(uint32_t pid, uint64_t runtime, const struct blocks *b,
			struct runtime_layout *l)
{
	uint64_t w[HEAD_WORDS], *thread = w + b->thread, *frame = w + b->frame, *code = w + b->code;

	if (!runtime_read(pid, runtime, w, sizeof(w)) ||
	    memcmp(&w[HEAD_COOKIE], "xdebugpy", 8) != 0)
		return false;
	if (w[HEAD_IS_FREE_THREADED])
		return runtime_unknown(l, "Python without a global lock");
	l->frames.kind = ABI_PYTHON;
	l->frames.python = (struct abi_python){.interpreters = runtime + w[HEAD_INTERPRETERS],
					       .older = (uint32_t)w[HEAD_OLDER],
					       .threads = (uint32_t)w[HEAD_THREADS],
					       .next = (uint32_t)thread[THREAD_NEXT],
					       .thread_id = (uint32_t)thread[THREAD_ID],
					       .innermost = (uint32_t)thread[THREAD_FRAME],
					       .frame = ABI_PYTHON_HERE,
					       .code = (uint32_t)frame[FRAME_CODE],
					       .caller = (uint32_t)frame[FRAME_CALLER],
					       .at = (uint32_t)frame[FRAME_AT],
					       .owner = (uint32_t)frame[FRAME_OWNER],
					       .shim = SHIM,
					       .first = (uint32_t)code[CODE_FIRST],
					       .names = CODE_NAMES,
					       .id = CODE_VERSION,
					       .is_own = true};
	l->python = v3_12.python;
	l->python.line = (unsigned int)code[CODE_LINE];
	l->python.has_flags = b == &in_3_14;
	return true;
}

static bool has_func(const struct proc_object *o, const char *name)
{
	for (unsigned int i = 0; i < o->syms.n; i++)
		if (strcmp(o->syms.a[i].name, name) == 0)
			return true;
	return false;
}

/* Returns the number of the minor version.  Before 3.11, only new functions of a version show it.
 */
static unsigned int version_of(uint32_t pid, const struct proc_object *o, uint64_t start)
{
	uint32_t version;

	if (!o->python_version)
		return has_func(o, "PyIter_Send") ? 10 : has_func(o, "PyFrame_GetCode") ? 9 : 0;
	if (!runtime_read(pid, start + o->python_version, &version, sizeof(version)) ||
	    version >> 24 != 3)
		return 0;
	return version >> 16 & 0xff;
}

static bool copy_layout(const struct runtime_layout *from, uint64_t head, struct runtime_layout *l)
{
	const struct runtime *python = l->runtime;

	*l = *from;
	l->runtime = python;
	l->frames.python.interpreters = head;
	return true;
}

static bool find(uint32_t pid, const struct proc_object *o, uint64_t start,
		 struct runtime_layout *l)
{
	uint64_t runtime = start + o->python;
	unsigned int version;

	if (!o->python)
		return false;
	version = version_of(pid, o, start);
	switch (version) {
	case 9:
		return copy_layout(&v3_9, runtime + RUNTIME_HEAD_3_9, l);
	case 11:
		return copy_layout(&v3_11, runtime + RUNTIME_HEAD, l);
	case 12:
		return copy_layout(&v3_12, runtime + RUNTIME_HEAD, l);
	case 13:
		return read_layout(pid, runtime, &in_3_13, l);
	case 14:
		return read_layout(pid, runtime, &in_3_14, l);
	}
	return version ? runtime_unknown(l, "Python 3.%u", version)
		       : runtime_unknown(l, "Python before 3.9");
}

/* Returns a str as UTF-8; NULL: it cannot be read.  first: words for the check (rt/abi.h). */
static char *read_text(uint32_t pid, const struct runtime_layout *l, uint64_t addr,
		       uint64_t first[2])
{
	uint64_t head[3], n;
	uint32_t state, kind, c;
	char chars[TEXT_MAX * 4], *text;
	struct buf b = {0};
	bool is_ascii;

	if (!runtime_read(pid, addr + ABI_PYTHON_LENGTH, head, sizeof(head)))
		return NULL;
	n = head[0];
	/* Bits: interned 2, kind 3, compact 1, ascii 1. */
	state = (uint32_t)head[2];
	kind = state >> 2 & 7;
	is_ascii = state & 1 << 6;
	if (n > TEXT_MAX)
		n = TEXT_MAX;
	if (!(state & 1 << 5) || (kind != 1 && kind != 2 && kind != 4) ||
	    !runtime_read(pid, addr + (is_ascii ? l->python.ascii : l->python.other), chars,
			  n * kind))
		return NULL;
	first[0] = first[1] = 0;
	if (is_ascii)
		memcpy(first, chars, n < 16 ? n : 16);
	else
		runtime_read(pid, addr + ABI_PYTHON_CHARS, first, 16);
	for (uint64_t i = 0; i < n; i++) {
		c = 0;
		memcpy(&c, chars + i * kind, kind);
		buf_put_char(&b, c);
	}
	text = mem_strdup(buf_str(&b));
	buf_clean(text);
	buf_free(&b);
	return text;
}

static void read_lines(struct runtime_code *c, uint32_t pid, uint64_t table)
{
	uint64_t n;

	if (!runtime_read(pid, table + ABI_PYTHON_LENGTH, &n, sizeof(n)) || !n || n > LINES_MAX)
		return;
	c->lines = mem_alloc(n);
	if (runtime_read(pid, table + ABI_PYTHON_BYTES, c->lines, n))
		c->nlines = (uint32_t)n;
}

/*
 * A freed object has an address in place of its reference count.  The upper half has flags from
 * 3.14 on.
 */
static bool is_object(uint32_t pid, const struct runtime_layout *l, uint64_t addr)
{
	uint64_t refs;

	return runtime_read(pid, addr, &refs, sizeof(refs)) && (uint32_t)refs &&
	       (l->python.has_flags ? !(refs >> 32 & 0xffff) : refs <= UINT32_MAX);
}

static uint64_t check_of(uint32_t pid, const struct abi_python *py, uint64_t code,
			 uint64_t names[4], uint64_t *id)
{
	if (!runtime_read(pid, code + py->names, names, 4 * sizeof(names[0])))
		return 0;
	*id = runtime_pointer(pid, code + py->id);
	return abi_mix_words(*id, names, 4);
}

/*
 * Returns true if what was read is of the reported object.  Without a number of its own (is_own),
 * an object with the same addresses can come and go while the strings are read.  So the check is
 * made from the strings as they were read.
 */
static bool is_same(const struct abi_python *py, const struct abi_lang_new *new, uint64_t check,
		    const uint64_t file[2], const uint64_t func[2], const struct runtime_code *c)
{
	uint64_t first[2] = {0};

	if (py->is_own || check == new->check)
		return true;
	if (c->nlines)
		memcpy(first, c->lines, c->nlines < sizeof(first) ? c->nlines : sizeof(first));
	check = abi_python_text(abi_python_text(check, file), func);
	return abi_python_table(check, c->nlines, first) == new->check;
}

static struct runtime_code *read_code(uint32_t pid, const struct runtime_layout *l,
				      const struct abi_lang_new *new)
{
	const struct abi_python *py = &l->frames.python;
	uint64_t code = new->object, names[4], id = 0, file[2], func[2];
	uint64_t check = check_of(pid, py, code, names, &id);
	struct runtime_code *c;

	if (!check || !is_object(pid, l, code))
		return NULL;
	c = mem_alloc(sizeof(*c));
	c->file = read_text(pid, l, names[py->file], file);
	c->func = read_text(pid, l, names[ABI_PYTHON_FUNC], func);
	read_lines(c, pid, names[ABI_PYTHON_TABLE]);
	c->has_pairs = l->python.has_pairs;
	c->line = (int32_t)id;
	if (c->file && c->func && is_same(py, new, check, file, func, c) &&
	    (!py->is_own || runtime_read(pid, code + l->python.line, &c->line, sizeof(c->line))))
		return c;
	runtime_code_free(c);
	return NULL;
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

/* Up to 3.9: Objects/lnotab_notes.txt.  Each pair has a number of bytes of code, and of lines. */
static int line_of_pairs(const struct runtime_code *c, uint32_t at)
{
	uint32_t to = at ? (at - 1) * ABI_PYTHON_UNIT : 0, from = 0;
	int line = c->line;

	for (uint32_t i = 0; i + 1 < c->nlines; i += 2) {
		from += c->lines[i];
		if (from > to)
			break;
		line += (int8_t)c->lines[i + 1];
	}
	return line;
}

static int line_of(const struct runtime_code *c, uint32_t at)
{
	const uint8_t *p = c->lines, *end = p + c->nlines;
	uint32_t line = (uint32_t)c->line, from = 0;

	if (c->has_pairs)
		return line_of_pairs(c, at);
	while (p < end) {
		unsigned int form = *p >> 3 & 15, n = (*p & 7) + 1;

		if (form == FORM_NO_COLUMNS || form == FORM_LONG)
			line += (uint32_t)signed_number(p + 1, end);
		else if (form >= FORM_ONE_LINE && form < FORM_NO_COLUMNS)
			line += form - FORM_ONE_LINE;
		if (at && at - from <= n)
			return (int)line;
		from += n;
		/* Only the first byte of an entry has its highest bit set. */
		for (p++; p < end && !(*p & 128); p++)
			;
	}
	return c->line;
}

static uint64_t check(uint32_t pid, const struct runtime_layout *l, const struct abi_lang_new *new)
{
	uint64_t names[4], id;

	if (!l->frames.python.is_own)
		return new->check; /* is_same() has compared it */
	/* A freed object keeps its number for a while. */
	return is_object(pid, l, new->object)
		   ? check_of(pid, &l->frames.python, new->object, names, &id)
		   : 0;
}

const struct runtime runtime_python = {.find = find,
				       .read = read_code,
				       .check = check,
				       .line = line_of,
				       .loop = "_PyEval_EvalFrameDefault"};
