/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * v8.bpf.h: the frames of JavaScript of V8, the runtime of node.  Its code is in anonymous memory,
 * or it is one of the builtins, which are part of the file and include the interpreter.  All of
 * this code keeps a frame pointer, so rt_unwind finds the callers.  The words below the frame
 * pointer are the context, the function, the number of arguments, and in the interpreter the
 * bytecode and the place in it.  Frames of other code of V8 have their type, times 2, in place of
 * the context.  One type is for calls of functions in C++.
 *
 * Any object moves when memory is collected.  The key of a function is the address of its
 * SharedFunctionInfo, which rarely moves, as it is old.  The check has this address, the ids of the
 * script and of the function in it, and the thread: an object that takes the place of another one
 * differs in the ids, or it belongs to another worker.  A function that has moved is a new one.
 *
 * In compiled code the place is the pc, and the functions that are inlined there are its own, so
 * each pc counts as a function.  The check has the code around it, too: code moves, or is freed and
 * made again.
 */

#define V8_IS_NATIVE	 32 /* in the flags of a SharedFunctionInfo */
#define V8_EXIT_FUNCTION 24 /* from the frame pointer: function of a frame that calls C++ */

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

/*
 * Describes a function; pc: in compiled code, or 0.  Returns 0 for a part of the runtime that V8
 * itself does not show, as it is not marked as native.
 */
ALWAYS_INLINE u32 v8_describe(const struct abi_v8 *v8, u64 info, u64 pc, u32 is_shown,
			      struct lang_frame *res)
{
	u64 script = v8_member(info, v8->script), flags = v8_member(info, v8->flags), id, number;
	u64 code = 0;

	res->key = pc ? pc : info;
	res->object = pc ? pc : (u32)pid_tgid() | ABI_V8_THREAD;
	if (v8_type(script) == v8->type_script)
		id = v8_member(script, ABI_V8_SCRIPT_ID) | flags >> 32;
	else if (is_shown || flags & V8_IS_NATIVE)
		id = v8_member(info, v8->name);
	else
		return 0;
	number = abi_mix(res->object, id);
	if (pc) {
		pc &= ~ABI_V8_TOP;
		user_word(pc - 8, &code);
		number = abi_mix(number, code);
		user_word(pc, &code);
		number = abi_mix(number, code);
	}
	res->check = abi_v8_check(info, number);
	return 1;
}

#define PUSH_AND_MOVE 0xe5894855 /* push %rbp; mov %rsp, %rbp */
#define V8_ENTRY      16	 /* most bytes before them: a check that the code is valid */

/*
 * Returns true if the frame was left.  The code may drop arguments before it returns.
 */
ALWAYS_INLINE u32 v8_is_end(u64 code)
{
	return (u8)code == 0xc3 || (u8)code == 0xc2 ||	 /* ret */
	       (code & 0xffffff) == 0xc2037f ||		 /* jg; ret */
	       (code << 16) == 0x037f01f983480000ULL ||	 /* cmp $1, %rcx; jg */
	       (code & 0xffffffffff) == 0x248d485a41ULL; /* pop %r10; lea (%rsp, ...), %rsp */
}

/*
 * Returns the number of words on the stack up to the return address if the innermost function has
 * no frame: it did not make it yet, or it has left it.  0: it has a frame.
 */
RT u64 rt_v8_unmade(struct abi_walk *w, u64 is_compiled)
{
	u64 code[3] = {0}, a, b, c;

	if (!w || read_user(code, sizeof(code), (const void *)(w->pc - 1)) != 0)
		return 0;
	a = code[0];
	b = code[1];
	c = code[2];
	if ((u32)a == PUSH_AND_MOVE)
		return 2;
	if (v8_is_end(a >> 8 | b << 56))
		return 1;
#pragma clang loop unroll(disable)
	for (u32 i = 0; i < V8_ENTRY; i++) {
		a = a >> 8 | b << 56;
		b = b >> 8 | c << 56;
		c >>= 8;
		if ((u32)a == PUSH_AND_MOVE)
			return i == 0 || is_compiled;
	}
	return 0;
}

/* Returns true if a return address is on top of the stack: a call is before it. */
RT u64 rt_v8_is_called(struct abi_walk *w)
{
	u64 pc = 0, code = 0;

	if (!w || !user_word(w->sp, &pc) || !user_word(pc - 8, &code))
		return 0;
	return (u8)(code >> 24) == 0xe8 ||	      /* call */
	       (code >> 8 & 0xffffff) == 0x95ff41 ||  /* call *disp(%r13) */
	       (code >> 40 & 0xf8ffff) == 0xd0ff41 || /* call *%r8 to %r15 */
	       (code >> 48 & 0xf8ff) == 0xd0ff;	      /* call *%rax to %rdi */
}

/* Notes that a return address is on top of the stack, after some words. */
ALWAYS_INLINE void v8_is_returning(struct abi_walk *w, u64 words)
{
	if (user_word(w->sp + 8 * words, &w->caller))
		w->caller_sp = w->sp + 8 * (words + 1);
}

/* Returns the place in the bytecode, from 1 on; 0: the frame is not of the interpreter. */
ALWAYS_INLINE u64 v8_place(const struct abi_v8 *v8, u64 fp)
{
	u64 slots[2] = {0}; /* the place counts from the object, with its tag */

	if (read_user(slots, sizeof(slots), (const void *)(fp - 40)) != 0 || (u32)slots[0] ||
	    v8_type(slots[1]) != v8->type_bytecode)
		return 0;
	return (slots[0] >> 32) + 2 - v8->bytecode;
}

/* Returns the SharedFunctionInfo of a frame, or 0.  *is_exit: the frame calls a function in C++. */
ALWAYS_INLINE u64 v8_slots(const struct abi_v8 *v8, u64 fp, u32 *is_exit)
{
	u64 slots[2] = {0}; /* function, context */

	if (read_user(slots, sizeof(slots), (const void *)(fp - sizeof(slots))) != 0)
		return 0;
	*is_exit = slots[1] == v8->exit_type * 2ULL;
	if (*is_exit)
		user_word(fp + V8_EXIT_FUNCTION, &slots[0]);
	else if (!v8_is_object(slots[1]))
		return 0;
	return v8_info(v8, slots[0]);
}

ALWAYS_INLINE u32 v8_is_script(const struct abi_v8 *v8, u64 info)
{
	return v8_type(v8_member(info, v8->script)) == v8->type_script;
}

ALWAYS_INLINE u32 v8_frame(const struct abi_v8 *v8, struct abi_walk *w, struct lang_frame *res)
{
	u32 is_compiled = !w->range.table, is_top = !w->is_caller && !w->caller, is_exit = 0;
	u64 info, unmade;

	if (!is_compiled && !v8_is_builtin(v8, w))
		return 0;
	if (is_top) {
		unmade = rt_v8_unmade(w, is_compiled);
		if (unmade)
			v8_is_returning(w, unmade - 1);
		if (unmade || w->fp - w->sp < 16)
			return is_compiled && v8_describe(v8, 0, w->pc | ABI_V8_TOP, 1, res);
	}
	info = is_frame(w) ? v8_slots(v8, w->fp, &is_exit) : 0;
	if (!info)
		return 0;
	if (!is_exit)
		res->at = v8_place(v8, w->fp);
	if (is_top && !is_compiled && !res->at && v8_is_script(v8, info) && rt_v8_is_called(w)) {
		v8_is_returning(w, 0);
		return 0;
	}
	return v8_describe(v8, info, is_compiled ? w->pc | (w->is_caller ? 0 : ABI_V8_TOP) : 0,
			   is_exit, res);
}
