/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * php.bpf.h: the frames of PHP, from the innermost one.  These offsets are equal in PHP 8.0 to 8.4
 * (Zend/zend_compile.h: zend_execute_data, zend_op, zend_internal_function).
 */
#define PHP_INTERNAL 1	       /* type of a function */
#define PHP_TOP	     (1 << 17) /* ZEND_CALL_TOP: a C function called it */
#define PHP_LINE     24	       /* in an instruction */
#define PHP_SKIPPED  4	       /* limit of consecutive frames that are no calls */

struct php_frame {
	u64 opline, call, result, func, this, info, caller;
};

struct php_func {
	u64 type, name; /* type: the lowest byte */
};

/* The interpreter runs in the first thread. */
ALWAYS_INLINE u64 php_begin(const struct abi_php *php)
{
	u64 id = pid_tgid(), frame = 0;

	if (id >> 32 == (u32)id)
		user_word(php->innermost, &frame);
	return frame;
}

/*
 * Reads frame w->fp, and advances to its caller.  Returns 0 if there is none.  A frame without a
 * function joins a generator to the generator that resumed it.  An internal function without a name
 * is the root of a fiber.
 *
 * The instructions stand for a function that is written in PHP, because each closure is a function
 * of its own.  A file has no name.
 */
ALWAYS_INLINE u32 php_next(const struct abi_php *php, struct abi_walk *w, struct lang_frame *res)
{
	for (u32 i = 0; i < PHP_SKIPPED && w->fp; i++) {
		struct php_frame f;
		struct php_func func;
		u64 line = 0;

		if (read_user(&f, sizeof(f), (const void *)w->fp))
			return 0;
		w->fp = f.caller;
		if (!f.func || read_user(&func, sizeof(func), (const void *)f.func) ||
		    ((u8)func.type == PHP_INTERNAL && !func.name))
			continue;
		res->key = res->object = f.func;
		res->check = func.name;
		if ((u8)func.type == PHP_INTERNAL)
			return 1;
		res->is_entry = (f.info & PHP_TOP) != 0;
		user_word(f.func + php->code, &res->key);
		if (!func.name) {
			user_word(f.func + php->file, &res->check);
			res->object |= ABI_PHP_MAIN;
		}
		if (user_word(f.opline + PHP_LINE, &line))
			res->at = (u32)line;
		return 1;
	}
	return 0;
}
