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
enum { FUNC_NAME = 8, FUNC_CLASS = 16, CLASS_NAME = 8, TEXT_LENGTH = 16, TEXT_BYTES = 24 };

/* The size of executor_globals shows the version.  Members of zend_op_array move. */
static const struct {
	uint64_t size;
	uint32_t code, file;
} versions[] = {
    {1776, 88, 152},  /* 8.2, to 8.2.32 at least */
    {1800, 88, 152},  /* 8.2, from 8.2.36 at least */
    {1984, 104, 168}, /* 8.4 */
};

static bool find(uint32_t pid, const struct proc_object *o, uint64_t start,
		 struct runtime_layout *l)
{
	if (!o->php)
		return false;
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		if (versions[i].size == o->php_size) {
			l->frames.php.code = versions[i].code;
			l->frames.php.file = versions[i].file;
		}
	if (!l->frames.php.file)
		return runtime_unknown(l, "PHP with an executor_globals of %llu bytes",
				       (unsigned long long)o->php_size);
	l->frames.kind = ABI_PHP;
	l->frames.php.innermost = start + o->php + CURRENT_FRAME;
	return true;
}

/* Returns a zend_string up to its first NUL: names of anonymous classes continue after it. */
static char *read_text(uint32_t pid, uint64_t addr)
{
	char text[TEXT_MAX + 1];
	uint64_t n;

	if (!addr || !runtime_read(pid, addr + TEXT_LENGTH, &n, sizeof(n)))
		return NULL;
	n = n < TEXT_MAX ? n : TEXT_MAX;
	if (!runtime_read(pid, addr + TEXT_BYTES, text, n))
		return NULL;
	text[n] = '\0';
	buf_clean(text);
	return mem_strdup(text);
}

#define TEXT_KIND    4	   /* in a zend_string: type and flags */
#define IS_PERMANENT 0x146 /* IS_STRING, IS_STR_INTERNED, IS_STR_PERMANENT */

static uint64_t func_of(const struct abi_lang_new *new)
{
	return new->object & ~(uint64_t)ABI_PHP_MAIN;
}

/*
 * Returns true if the code is of a file whose name outlasts it.  With opcache, the code is a copy
 * that exists while it runs, often for less than a millisecond, but the name is in shared memory.
 */
static bool outlasts(uint32_t pid, const struct abi_lang_new *new)
{
	uint32_t kind;

	if (func_of(new) == new->object)
		return false;
	return runtime_read(pid, new->check + TEXT_KIND, &kind, sizeof(kind)) &&
	       (kind & (IS_PERMANENT | 0xf)) == IS_PERMANENT;
}

/* Returns "Class::function"; a file has the pseudo function {main}. */
static char *read_name(uint32_t pid, uint64_t func)
{
	uint64_t class = runtime_pointer(pid, func + FUNC_CLASS);
	char *scope = class ? read_text(pid, runtime_pointer(pid, class + CLASS_NAME)) : NULL;
	uint64_t text = runtime_pointer(pid, func + FUNC_NAME);
	char *name = text ? read_text(pid, text) : mem_strdup("{main}");
	struct buf b = {0};

	if (!name || (class && !scope)) {
		mem_free(name);
		mem_free(scope);
		return NULL;
	}
	if (scope)
		buf_printf(&b, "%s::", scope);
	buf_puts(&b, name);
	mem_free(scope);
	mem_free(name);
	return b.s;
}

static struct runtime_code *read_func(uint32_t pid, const struct runtime_layout *l,
				      const struct abi_lang_new *new)
{
	uint64_t func = func_of(new);
	struct runtime_code *c;
	uint8_t type;

	if (outlasts(pid, new)) {
		c = mem_alloc(sizeof(*c));
		c->func = mem_strdup("{main}");
		c->file = read_text(pid, new->check);
		if (c->file)
			return c;
		runtime_code_free(c);
		return NULL;
	}
	if (!runtime_read(pid, func, &type, sizeof(type)) ||
	    (type != TYPE_INTERNAL && type != TYPE_USER && type != TYPE_EVAL))
		return NULL;
	c = mem_alloc(sizeof(*c));
	c->func = read_name(pid, func);
	if (type != TYPE_INTERNAL)
		c->file = read_text(pid, runtime_pointer(pid, func + l->frames.php.file));
	if (c->func && (c->file || type == TYPE_INTERNAL))
		return c;
	runtime_code_free(c);
	return NULL;
}

/* The kernel side has read the line. */
static int line(const struct runtime_code *c, uint32_t at)
{
	return (int)at;
}

static uint64_t check(uint32_t pid, const struct runtime_layout *l, const struct abi_lang_new *new)
{
	uint64_t func = func_of(new);
	uint64_t name = runtime_pointer(pid, func + FUNC_NAME);

	if (outlasts(pid, new))
		return new->check;
	return name ? name : runtime_pointer(pid, func + l->frames.php.file);
}

const struct runtime runtime_php = {
    .find = find, .read = read_func, .check = check, .line = line, .loop = "execute_ex"};
