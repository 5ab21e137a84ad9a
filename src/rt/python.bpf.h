/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * python.bpf.h: the frames of python of a thread, from the innermost one.
 */
#define PYTHON_THREADS 4096 /* limit of threads that are searched in a process */

struct python_find {
	u64 at, tls, tls_at, next_at, found;
};

static long find_thread(u32 i, struct python_find *f)
{
	u64 tls = 0, next = 0;

	if (!f->at || !user_word(f->at + f->tls_at, &tls) || !user_word(f->at + f->next_at, &next))
		return 1;
	if (tls == f->tls) {
		f->found = f->at;
		return 1;
	}
	f->at = next;
	return 0;
}

/* Returns the thread state for this thread pointer; 0: none. */
ALWAYS_INLINE u64 thread_state(const struct abi_python *py, u64 tls)
{
	struct python_find f;
	u64 interpreter = 0;

	START(f);
	if (!user_word(py->interpreter, &interpreter) ||
	    !user_word(interpreter + py->threads, &f.at))
		return 0;
	f.tls = tls;
	f.tls_at = py->thread_id;
	f.next_at = py->next;
	loop(PYTHON_THREADS, find_thread, &f, 0);
	return f.found;
}

/* Returns the innermost frame of the thread; 0: the thread runs no python. */
ALWAYS_INLINE u64 python_begin(const struct abi_python *py, u64 tls)
{
	u64 state = thread_state(py, tls), at = 0, frame = 0;

	if (!state || !user_word(state + py->innermost, &at))
		return 0;
	if (py->frame == ABI_PYTHON_HERE)
		return at;
	user_word(at + py->frame, &frame);
	return frame;
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

/* Reads frame *at, and advances to its caller.  Returns 0 if there is none. */
ALWAYS_INLINE u32 python_next(const struct abi_python *py, u64 *at, struct lang_frame *res)
{
	u64 frame = real_frame(py, *at), place = 0;

	if (!frame || !user_word(frame + py->code, &res->key) ||
	    !user_word(frame + py->at, &place) || !user_word(frame + py->caller, at))
		return 0;
	res->key &= ~(u64)PYTHON_TAGS;
	res->is_entry = is_entry(py, frame, *at);
	user_word(res->key + PYTHON_NAME, &res->check);
	res->object = res->key;
	res->at = (place - res->key - py->first) / ABI_PYTHON_UNIT + 1;
	return 1;
}
