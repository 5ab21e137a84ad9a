/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * php.c: PHP 8.2 and 8.4 without threads (NTS).  The interpreter exports its state
 * (executor_globals).  Offsets come from Zend/zend_globals.h, zend_compile.h, zend_string.h and
 * zend.h.
 */
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "proc/proc.h"
#include "proc/runtime.h"

#define TEXT_MAX 1024 /* bytes of a name; longer ones are cut */

#define CURRENT_FRAME 488 /* in executor_globals: current_execute_data */

enum { TYPE_INTERNAL = 1, TYPE_USER = 2, TYPE_EVAL = 4 };
enum { CLASS_NAME = 8 };

struct func {
	uint64_t type, name, class; /* type: the lowest byte */
};

/* The size of executor_globals shows the version.  Members of zend_op_array move. */
static const struct {
	uint64_t size;
	uint32_t file;
} versions[] = {
    {1776, 152}, /* 8.2, to 8.2.32 at least */
    {1800, 152}, /* 8.2, from 8.2.36 at least */
    {1984, 168}, /* 8.4 */
};

static bool find(uint32_t pid, const struct proc_object *o, uint64_t start,
		 struct runtime_layout *l)
{
	if (!o->php)
		return false;
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		if (versions[i].size == o->php_size)
			l->frames.php.file = versions[i].file;
	if (!l->frames.php.file)
		return runtime_unknown(l, "PHP with an executor_globals of %llu bytes",
				       (unsigned long long)o->php_size);
	l->frames.kind = ABI_PHP;
	l->frames.php.innermost = start + o->php + CURRENT_FRAME;
	return true;
}

/* As in Zend/zend_string.h: zend_inline_hash_func. */
static uint64_t hash_of(const char *text, uint64_t n)
{
	uint64_t hash = 5381;

	for (uint64_t i = 0; i < n; i++)
		hash = hash * 33 + (uint8_t)text[i];
	return hash | 1ULL << 63;
}

/*
 * Returns a zend_string up to its first NUL: names of anonymous classes continue after it.  Adds it
 * to a number as rt_php_text() does.
 */
static char *read_text(uint32_t pid, uint64_t addr, uint64_t *number)
{
	char text[TEXT_MAX + 1];
	uint64_t head[2], n;

	if (!addr || !runtime_read(pid, addr + ABI_PHP_HASH, head, sizeof(head)))
		return NULL;
	n = head[1] < TEXT_MAX ? head[1] : TEXT_MAX;
	if (!runtime_read(pid, addr + ABI_PHP_BYTES, text, n) ||
	    (head[0] && head[1] <= TEXT_MAX && hash_of(text, n) != head[0]))
		return NULL;
	text[n] = '\0';
	*number =
	    head[0] ? abi_mix(abi_mix(*number, head[0]), head[1]) : runtime_content(*number, text);
	buf_clean(text);
	return mem_strdup(text);
}

/* Returns "Class::function"; a file has the pseudo function {main}. */
static char *read_name(uint32_t pid, const struct func *f, uint64_t *number)
{
	char *name, *scope = NULL;
	struct buf b = {0};

	if (!f->name)
		return mem_strdup("{main}");
	name = read_text(pid, f->name, number);
	if (name && f->class) {
		scope = read_text(pid, runtime_pointer(pid, f->class + CLASS_NAME), number);
		if (scope)
			buf_printf(&b, "%s::%s", scope, name);
		mem_free(scope);
		mem_free(name);
		name = b.s;
	}
	return name;
}

static struct runtime_code *read_func(uint32_t pid, const struct runtime_layout *l,
				      const struct abi_lang_new *new)
{
	uint64_t file = new->check, number = TYPE_USER, addresses;
	struct func f = {.type = TYPE_USER};
	struct runtime_code *c;
	uint8_t type;

	if (!(ABI_PHP_MAIN & new->object)) {
		if (!runtime_read(pid, new->object, &f, sizeof(f)))
			return NULL;
		file = runtime_pointer(pid, new->object + l->frames.php.file);
	}
	type = (uint8_t)f.type;
	if (type != TYPE_INTERNAL && type != TYPE_USER && type != TYPE_EVAL)
		return NULL;
	if (type == TYPE_INTERNAL) {
		number = TYPE_INTERNAL;
		file = 0;
	}
	addresses = abi_mix(abi_mix(abi_mix(number, f.name), f.class), file);
	c = mem_alloc(sizeof(*c));
	c->func = read_name(pid, &f, &number);
	if (type != TYPE_INTERNAL)
		c->file = read_text(pid, file, &number);
	if (c->func && (c->file || type == TYPE_INTERNAL) &&
	    (number == new->key || addresses == new->key))
		return c;
	runtime_code_free(c);
	return NULL;
}

/* The kernel side has read the line. */
static int line(const struct runtime_code *c, uint32_t at)
{
	return (int)at;
}

const struct runtime runtime_php = {
    .find = find, .read = read_func, .line = line, .loop = "execute_ex"};
