/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * php.bpf.h: the frames of PHP, from the innermost one.  These offsets are equal in PHP 8.0 to 8.4
 * (Zend/zend_compile.h: zend_execute_data, zend_op, zend_internal_function; Zend/zend_types.h:
 * zend_string).
 */
#define PHP_INTERNAL   1	 /* type of a function */
#define PHP_USER       2	 /* any other one */
#define PHP_TOP	       (1 << 17) /* ZEND_CALL_TOP: a C function called it */
#define PHP_LINE       24	 /* in an instruction */
#define PHP_CLASS_NAME 8	 /* in a class */
#define PHP_SKIPPED    4	 /* limit of consecutive frames that are no calls */

/* In the first word of a string: IS_STRING, IS_STR_INTERNED, IS_STR_PERMANENT. */
#define PHP_PERMANENT	   (0x146ULL << 32)
#define PHP_PERMANENT_MASK (0x14fULL << 32)

struct php_frame {
	u64 opline, call, result, func, this, info, caller;
};

struct php_func {
	u64 type, name, class; /* type: the lowest byte */
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
 * Adds a string to a number.  Returns 0 if the number is 0, or the string is unreadable.  Names of
 * functions, classes and included files have a hash.
 */
RT u64 rt_php_text(u64 number, u64 addr)
{
	u64 words[ABI_CONTENT_WORDS];

	if (!number || read_user(words, 16, (const void *)(addr + ABI_PHP_HASH)))
		return 0;
	if (words[0])
		return abi_mix(abi_mix(number, words[0]), words[1]);
	return add_content(number, addr + ABI_PHP_BYTES, ~0ULL, words);
}

/*
 * Sets the key, the object and the check of a function.  Names are the key, because each closure is
 * a function of its own, and freed memory soon has another function.  The code of a file has no
 * name, but it has a class if a method includes the file.  With opcache such code is a copy, often
 * for less than a millisecond, but the name of the file stays.
 */
ALWAYS_INLINE void php_key(const struct abi_php *php, u64 func, struct php_func *f,
			   struct lang_frame *res)
{
	u64 number = (u8)f->type == PHP_INTERNAL ? PHP_INTERNAL : PHP_USER, file = 0, word = 0;

	if (number == PHP_USER)
		user_word(func + php->file, &file);
	if (!f->name)
		f->class = 0;
	res->object = func;
	res->check = abi_mix(abi_mix(abi_mix(number, f->name), f->class), file);
	if (f->name)
		number = rt_php_text(number, f->name);
	if (f->class) {
		user_word(f->class + PHP_CLASS_NAME, &word);
		number = rt_php_text(number, word);
	}
	if (file)
		number = rt_php_text(number, file);
	if (number)
		res->check = number;
	res->key = res->check;
	if (!f->name && user_word(file, &word) && (word & PHP_PERMANENT_MASK) == PHP_PERMANENT) {
		res->object |= ABI_PHP_MAIN;
		res->check = file;
	}
}

/*
 * Reads frame w->fp, and advances to its caller.  Returns 0 if there is none.  A frame without a
 * function joins a generator to the generator that resumed it.  An internal function without a name
 * is the root of a fiber.
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
		php_key(php, f.func, &func, res);
		if ((u8)func.type == PHP_INTERNAL)
			return 1;
		res->is_entry = (f.info & PHP_TOP) != 0;
		if (user_word(f.opline + PHP_LINE, &line))
			res->at = (u32)line;
		return 1;
	}
	return 0;
}
