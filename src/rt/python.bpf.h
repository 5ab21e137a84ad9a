/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * python.bpf.h: the frames of python of a thread, from the innermost one.  The consumer provides
 * the layout for each process (consume/python.c).
 */
struct {
	int (*type)[1];
} python __attribute__((section(".maps"), used));

struct {
	int (*type)[1];
} python_codes __attribute__((section(".maps"), used));

struct {
	int (*type)[1];
} python_new __attribute__((section(".maps"), used));

static long (*const update)(void *map, const void *key, const void *value, u64 flags) = (void *)2;

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

/* Begins a walk.  Returns 0 if the process runs no known python, or the thread runs none. */
RT u64 rt_python_begin(struct abi_walk *w, u64 tls)
{
	struct abi_python *py;
	u64 key, state, at = 0;

	if (!w)
		return 0;
	key = w->pid;
	w->fp = 0;
	w->is_unknown = 0;
	py = lookup(&python, &key);
	if (!py)
		return 0;
	state = thread_state(py, tls);
	if (!state || !user_word(state + py->innermost, &at))
		return 0;
	if (py->frame == ABI_PYTHON_HERE)
		w->fp = at;
	else
		user_word(at + py->frame, &w->fp);
	return w->fp != 0;
}

/* Reports a code object when it is first seen, so that the consumer reads its name. */
ALWAYS_INLINE void meet_code(struct abi_walk *w, u64 code)
{
	struct abi_python_code key = {.pid = w->pid, .code = code};
	u64 one = 1;

	if (lookup(&python_codes, &key))
		return;
	update(&python_codes, &key, &one, 0);
	update(&python_new, &key, &one, 0);
	w->is_unknown = 1;
}

/* Returns the frame, or its caller if the frame stands for a call from C. */
ALWAYS_INLINE u64 real_frame(const struct abi_python *py, u64 frame)
{
	u64 owner = 0, caller = 0;

	if (!user_word(frame + py->owner, &owner) || (u8)owner != py->shim)
		return frame;
	return user_word(frame + py->caller, &caller) ? caller : 0;
}

/* Sets w->pc to the next frame (abi.h).  Returns 0 if there is none. */
RT u64 rt_python(struct abi_walk *w)
{
	u64 key, frame, code = 0, at = 0, caller = 0;
	struct abi_python *py;

	if (!w || !w->fp)
		return 0;
	key = w->pid;
	py = lookup(&python, &key);
	if (!py)
		return 0;
	frame = real_frame(py, w->fp);
	if (!frame || !user_word(frame + py->code, &code) || !user_word(frame + py->at, &at) ||
	    !user_word(frame + py->caller, &caller))
		return 0;
	w->fp = caller;
	at = (at - code - py->first) / ABI_PYTHON_UNIT + 1;
	if (at > ABI_PYTHON_AT_MAX)
		at = 0;
	w->pc = ABI_FRAME_PYTHON | code >> ABI_PYTHON_ALIGN_BITS << ABI_PYTHON_CODE | at;
	meet_code(w, code);
	return 1;
}
