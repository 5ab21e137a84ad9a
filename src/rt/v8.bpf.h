/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * v8.bpf.h: the frames of JavaScript of V8, the runtime of node.  Its code is in anonymous memory,
 * or it is one of the builtins, which are part of the file and include the interpreter.  All of
 * this code keeps a frame pointer, so rt_unwind finds the callers.  The words below the frame
 * pointer are the context, the function, the number of arguments, and in the interpreter the
 * bytecode and the place in it.  Frames of other code of V8 have a number in place of the context.
 *
 * Any object moves when memory is collected.  The key of a function is the address of its
 * SharedFunctionInfo, which rarely moves, as it is old.  The check has this address, the ids of the
 * script and of the function in it, and the address of the source: an object that takes the place
 * of another one differs in the ids, or in the source if it belongs to another worker.  A function
 * that has moved is a new one.
 *
 * In compiled code the place is the pc, and the functions that are inlined there are its own, so
 * each pc counts as a function.  The check has the code around it, too: code moves, or is freed and
 * made again.
 */

/* The words of a frame, from the lowest one. */
struct v8_slots {
	u64 place, bytecode, count, function, context;
};

/*
 * Builtins are part of a file.  A worker maps them again, near its own code: such a mapping begins
 * with their first word.
 */
ALWAYS_INLINE u32 v8_is_builtin(const struct abi_v8 *v8, const struct abi_walk *w)
{
	u64 pc = w->pc - w->is_caller, code = 0, size = 0, first = 0, mapped = 0;

	if (!user_word(v8->builtins, &code) || !user_word(v8->builtins_size, &size))
		return 0;
	if (pc - code < (u32)size)
		return 1;
	return pc - w->range.start < (u32)size && user_word(code, &first) &&
	       user_word(w->range.start, &mapped) && first == mapped;
}

ALWAYS_INLINE u64 v8_is_object(u64 word)
{
	return (word & 3) == 1;
}

/* Returns a member of an object, or 0. */
ALWAYS_INLINE u64 v8_member(u64 object, u64 off)
{
	u64 word = 0;

	return v8_is_object(object) && user_word(object - 1 + off, &word) ? word : 0;
}

/* Returns the type in the map of an object, or 0. */
ALWAYS_INLINE u32 v8_type(u64 object)
{
	return (u16)(v8_member(v8_member(object, 0), ABI_V8_MAP_TYPE));
}

/* Returns the SharedFunctionInfo of a function, or 0. */
ALWAYS_INLINE u64 v8_info(const struct abi_v8 *v8, u64 function)
{
	u32 type = v8_type(function);
	u64 info;

	if (type < v8->first_function || type > v8->last_function)
		return 0;
	info = v8_member(function, v8->info);
	return v8_type(info) == v8->type_info ? info : 0;
}

ALWAYS_INLINE u32 v8_describe(const struct abi_v8 *v8, u64 info, u64 pc, struct lang_frame *res)
{
	u64 words[ABI_NAME_WORDS] = {0}, script = v8_member(info, v8->script);

	if (v8_type(script) == v8->type_script) {
		words[0] = v8_member(script, ABI_V8_SCRIPT_ID);
		words[1] = (u32)v8_member(info, v8->flags + ABI_V8_LITERAL);
		words[2] = v8_member(script, ABI_V8_SCRIPT_SOURCE);
	} else {
		words[2] = v8_member(info, v8->name);
	}
	if (pc && read_user(words + 3, 16, (const void *)((pc & ~ABI_V8_TOP) - 8)) != 0)
		return 0;
	res->key = pc ? pc : info;
	res->object = pc;
	res->check = abi_v8_check(info, words);
	return 1;
}

ALWAYS_INLINE u32 v8_frame(const struct abi_v8 *v8, struct abi_walk *w, struct lang_frame *res)
{
	u32 is_compiled = !w->range.table;
	struct v8_slots s;
	u64 info;

	if ((!is_compiled && !v8_is_builtin(v8, w)) || !is_frame(w) ||
	    read_user(&s, sizeof(s), (const void *)(w->fp - sizeof(s))) != 0 ||
	    !v8_is_object(s.context))
		return 0;
	info = v8_info(v8, s.function);
	if (!info)
		return 0;
	/* The place counts from the object, with its tag. */
	if (!(u32)s.place && v8_type(s.bytecode) == v8->type_bytecode)
		res->at = (s.place >> 32) + 2 - v8->bytecode;
	return v8_describe(v8, info, is_compiled ? w->pc | (w->is_caller ? 0 : ABI_V8_TOP) : 0,
			   res);
}
