/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * python.bpf.h: the frames of python of a thread, from the innermost one.
 */
#define PYTHON_THREADS 4096 /* limit of threads and interpreters that are searched in a process */

struct python_find {
	u64 interpreter, at; /* at: a thread in it */
	u64 tls, found;
	u32 older, threads, tls_at, next_at;
};

/* Looks at one thread, or goes to the next interpreter.  Returns 1 at the end. */
static long find_thread(u32 i, struct python_find *f)
{
	u64 tls = 0;

	if (!f->at)
		return !user_word(f->interpreter + f->older, &f->interpreter) || !f->interpreter ||
		       !user_word(f->interpreter + f->threads, &f->at);
	if (!user_word(f->at + f->tls_at, &tls))
		return 1;
	if (tls == f->tls) {
		f->found = f->at;
		return 1;
	}
	return !user_word(f->at + f->next_at, &f->at);
}

/*
 * Returns the state of the thread in an interpreter, or in an older one; 0: none.  A thread that
 * runs a sub-interpreter has a state in each.  Sets w->sp to the interpreter, and w->caller to the
 * next older one.
 */
ALWAYS_INLINE u64 thread_state(const struct abi_python *py, struct abi_walk *w, u64 interpreter,
			       u64 thread)
{
	struct python_find f;

	START(f);
	f.interpreter = interpreter;
	f.at = thread;
	f.tls = w->caller_sp;
	f.found = 0;
	f.older = py->older;
	f.threads = py->threads;
	f.tls_at = py->thread_id;
	f.next_at = py->next;
	loop(PYTHON_THREADS, find_thread, &f, 0);
	w->sp = f.interpreter;
	w->caller = 0;
	user_word(f.interpreter + py->older, &w->caller);
	return f.found;
}

/* Returns the innermost frame of a thread state; 0: it runs no python. */
ALWAYS_INLINE u64 innermost(const struct abi_python *py, u64 state)
{
	u64 at = 0, frame = 0;

	if (!state || !user_word(state + py->innermost, &at))
		return 0;
	if (py->frame == ABI_PYTHON_HERE)
		return at;
	user_word(at + py->frame, &frame);
	return frame;
}

ALWAYS_INLINE u64 python_begin(const struct abi_python *py, struct abi_walk *w, u64 tls)
{
	u64 interpreter = 0, thread = 0;

	w->caller_sp = tls;
	if (!user_word(py->interpreters, &interpreter) || !interpreter ||
	    !user_word(interpreter + py->threads, &thread))
		return 0;
	return innermost(py, thread_state(py, w, interpreter, thread));
}

#define PYTHON_FRAME 80 /* bytes of a frame that are read at once */

struct python_frame {
	char b[PYTHON_FRAME];
};

ALWAYS_INLINE u64 python_word(const struct python_frame *f, u32 at)
{
	return at <= PYTHON_FRAME - 8 ? *(const u64 *)(f->b + (at & ~7U)) : 0;
}

ALWAYS_INLINE u8 python_byte(const struct python_frame *f, u32 at)
{
	return at < PYTHON_FRAME ? (u8)f->b[at] : 0;
}

ALWAYS_INLINE u32 is_shim(const struct abi_python *py, u64 frame)
{
	u64 owner = 0;

	return user_word(frame + py->owner, &owner) && (u8)owner >= py->shim;
}

#define PYTHON_TAGS 7 /* lowest bits of a reference to an object (3.14) */

/* Returns the check of a code object (abi.h).  f: space to work in. */
ALWAYS_INLINE u64 python_check(const struct abi_python *py, u64 code, struct python_frame *f)
{
	u64 *words = (u64 *)f->b, number, name, func, table, full;
	u32 at = py->names - py->id;

	if (at <= PYTHON_FRAME - 32) {
		read_user(f, at + 32, (const void *)(code + py->id));
		number = words[0];
	} else {
		user_word(code + py->id, words);
		number = words[0];
		read_user(f, 32, (const void *)(code + py->names));
		at = 0;
	}
	for (u32 i = 0; i < 4; i++)
		number = abi_mix(number, python_word(f, at + i * 8));
	if (py->is_own)
		return number;
	name = python_word(f, at + py->file * 8);
	func = python_word(f, at + ABI_PYTHON_FUNC * 8);
	table = python_word(f, at + ABI_PYTHON_TABLE * 8);
	if (read_user(words, 16, (const void *)(name + ABI_PYTHON_CHARS)))
		return number;
	/* The compiler must not add the words at the end: until then they would be on the stack. */
	full = abi_python_text(number, words);
	asm volatile("" : "+r"(full));
	if (read_user(words, 16, (const void *)(func + ABI_PYTHON_CHARS)))
		return number;
	full = abi_python_text(full, words);
	asm volatile("" : "+r"(full));
	if (read_user(words, 32, (const void *)(table + ABI_PYTHON_LENGTH)))
		return number;
	return abi_python_table(full, words[0], words + 2);
}

/* Returns the number of the instruction in a code object where a frame is. */
ALWAYS_INLINE u64 python_at(const struct abi_python *py, const struct python_frame *f, u64 frame,
			    u64 code)
{
	u64 at = 0;

	if (py->first != ABI_PYTHON_HERE)
		return (python_word(f, py->at) - code - py->first) / ABI_PYTHON_UNIT;
	user_word(frame + py->at, &at);
	return (u32)at / ABI_PYTHON_UNIT;
}

/*
 * Reads frame w->fp, or its caller if the frame stands for a call from C, and advances to the next
 * one.  Returns 0 if there is none.
 */
ALWAYS_INLINE u32 python_next(const struct abi_python *py, struct abi_walk *w,
			      struct lang_frame *res)
{
	struct python_frame f;
	u64 caller, at;

	if (read_user(&f, sizeof(f), (const void *)w->fp))
		return 0;
	if (python_byte(&f, py->owner) >= py->shim) {
		caller = python_word(&f, py->caller);
		if (!caller || read_user(&f, sizeof(f), (const void *)caller))
			return 0;
	}
	res->key = python_word(&f, py->code) & ~(u64)PYTHON_TAGS;
	caller = python_word(&f, py->caller);
	if (py->entry == ABI_PYTHON_EACH)
		res->is_entry = 1;
	else
		res->is_entry = py->entry ? python_byte(&f, py->entry) : is_shim(py, caller);
	res->object = res->key;
	at = python_at(py, &f, w->fp, res->key);
	res->at = at < ABI_LANG_AT_MAX ? at + 1 : 0;
	w->fp = caller;
	if (w->caller && caller && is_shim(py, caller))
		user_word(caller + py->caller, &w->fp);
	res->check = python_check(py, res->key, &f);
	return 1;
}

/* Goes to the older interpreter that runs the last one. */
RT u64 rt_python_older(struct abi_walk *w)
{
	struct abi_runtime *r = w ? runtime_of(w) : 0;

	if (!r)
		return 0;
	w->fp = innermost(&r->python, thread_state(&r->python, w, w->sp, 0));
	return w->fp;
}
