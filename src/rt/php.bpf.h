/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * php.bpf.h: the frames of PHP, from the innermost one.  These offsets are equal in PHP 8.0 to 8.4
 * (Zend/zend_compile.h: zend_execute_data, zend_op, zend_internal_function).
 */
#define PHP_OPLINE   0 /* in a frame */
#define PHP_FUNC     24
#define PHP_INFO     40 /* bits of the call */
#define PHP_CALLER   48
#define PHP_NAME     8 /* in a function, whose first byte is its type */
#define PHP_INTERNAL 1
#define PHP_TOP	     (1 << 17) /* ZEND_CALL_TOP: a C function called it */
#define PHP_LINE     24	       /* in an instruction */
#define PHP_SKIPPED  4	       /* limit of consecutive frames that are no calls */

/* The interpreter runs in the first thread. */
ALWAYS_INLINE u64 php_begin(const struct abi_php *php)
{
	u64 id = pid_tgid(), frame = 0;

	if (id >> 32 == (u32)id)
		user_word(php->innermost, &frame);
	return frame;
}

/*
 * Reads frame *at, and advances to its caller.  Returns 0 if there is none.  A frame without a
 * function joins a generator to the one that resumed it.  An internal function without a name is
 * the root of a fiber.
 *
 * The instructions stand for a function that is written in PHP, because each closure is a function
 * of its own.  A file has no name.
 */
ALWAYS_INLINE u32 php_next(const struct abi_php *php, u64 *at, struct lang_frame *res)
{
	for (u32 i = 0; i < PHP_SKIPPED && *at; i++) {
		u64 frame = *at, type = 0, name = 0, opline = 0, line = 0, info = 0;

		res->object = 0;
		if (!user_word(frame + PHP_FUNC, &res->object) ||
		    !user_word(frame + PHP_CALLER, at))
			return 0;
		if (!res->object || !user_word(res->object, &type) ||
		    !user_word(res->object + PHP_NAME, &name) ||
		    ((u8)type == PHP_INTERNAL && !name))
			continue;
		res->key = res->object;
		res->check = name;
		if ((u8)type == PHP_INTERNAL)
			return 1;
		user_word(frame + PHP_INFO, &info);
		res->is_entry = info & PHP_TOP;
		user_word(res->object + php->code, &res->key);
		if (!name)
			user_word(res->object + php->file, &res->check);
		if (user_word(frame + PHP_OPLINE, &opline) && user_word(opline + PHP_LINE, &line))
			res->at = (u32)line;
		return 1;
	}
	return 0;
}
