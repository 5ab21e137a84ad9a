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
 * runs a sub-interpreter has a state in each.  Sets w->sp to the interpreter.
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

ALWAYS_INLINE u32 is_shim(const struct abi_python *py, u64 frame)
{
	u64 owner = 0;

	return user_word(frame + py->owner, &owner) && (u8)owner >= py->shim;
}

/* Returns the frame, or its caller if the frame stands for a call from C. */
ALWAYS_INLINE u64 real_frame(const struct abi_python *py, u64 frame)
{
	u64 caller = 0;

	if (!is_shim(py, frame))
		return frame;
	return user_word(frame + py->caller, &caller) ? caller : 0;
}

ALWAYS_INLINE u64 is_entry(const struct abi_python *py, u64 frame, u64 caller)
{
	u64 entry = 0;

	if (!py->entry)
		return is_shim(py, caller);
	user_word(frame + py->entry, &entry);
	return (u8)entry;
}

#define PYTHON_NAME 128 /* in a code object: co_qualname */
#define PYTHON_TAGS 7	/* lowest bits of a reference to an object (3.14) */

/*
 * Reads frame w->fp, and advances to its caller, or to the frame in an older interpreter that runs
 * this one.  Returns 0 if there is none.
 */
ALWAYS_INLINE u32 python_next(const struct abi_python *py, struct abi_walk *w,
			      struct lang_frame *res)
{
	u64 frame = real_frame(py, w->fp), place = 0, caller = 0, older = 0;

	if (!frame || !user_word(frame + py->code, &res->key) ||
	    !user_word(frame + py->at, &place) || !user_word(frame + py->caller, &caller))
		return 0;
	res->key &= ~(u64)PYTHON_TAGS;
	res->is_entry = is_entry(py, frame, caller);
	w->fp = caller ? real_frame(py, caller) : 0;
	if (!w->fp && user_word(w->sp + py->older, &older) && older)
		w->fp = innermost(py, thread_state(py, w, w->sp, 0));
	user_word(res->key + PYTHON_NAME, &res->check);
	res->object = res->key;
	res->at = (place - res->key - py->first) / ABI_PYTHON_UNIT + 1;
	return 1;
}
