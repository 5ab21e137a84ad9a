/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stack.c: stacks.  The kernel walks frame pointers, which few programs keep.  If the consumer has
 * loaded the unwind tables of a process (consume/unwind.c), user stacks are walked by these
 * (rt/unwind.bpf.h).
 */
#include <assert.h>
#include <stddef.h>

#include "arch/arch.h"
#include "kern/kern.h"
#include "lower/leaf.h"

/*
 * Gets frames from number `skip` on, user frames if flags says so.  Programs on cgroup hooks have
 * only the helper with a task argument.  Programs on a system call's own tracepoint use that
 * helper, too.  Their other helper has no kernel frames before 6.12, because it starts from the
 * registers of the process.
 */
static struct ir_ins *get_stack(struct lw *lw, struct ir_ins *dst, uint32_t size,
				struct ir_ins *skip, uint64_t flags)
{
	bool is_hook = lw->program->nstubs && lw->program->prog_type != BPF_PROG_TYPE_TRACING;
	bool by_task =
	    is_hook || lw->program->prog_type == BPF_PROG_TYPE_TRACEPOINT || lw->firing.thread.v;

	if (flags)
		skip = lw_bin(lw, IR_OR, skip, lw_const(lw, (int64_t)flags));
	return lw_helper(lw, by_task ? BPF_FUNC_get_task_stack : BPF_FUNC_get_stack,
			 by_task ? lw_current(lw).v : lw->firing.ctx, dst, lw_const(lw, size), skip,
			 NULL);
}

/* Sets the variable skip to n if the address is in the function. */
static void skip_if_in(struct lw *lw, struct ir_ins *addr, const struct kern_sym *func,
		       unsigned int skip, int64_t n)
{
	struct ir_block *is_in = lw_block(lw), *done = lw_block(lw);
	struct ir_ins *at = lw_bin(lw, IR_SUB, addr, lw_const(lw, (int64_t)func->addr));

	lw_if(lw, lw_bin(lw, IR_ULT, at, lw_const(lw, (int64_t)func->size)), is_in, done);
	lw_seal_at(lw, is_in);
	ir_var_write(&lw->b, skip, ir_const(&lw->b, n));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
}

/* Returns the number of kernel frames that belong to tracing.  A thread that waits has none. */
static struct ir_ins *own_frames(struct lw *lw)
{
	const struct provider *pv = lw->program->provider;
	struct own_frames own = {0};
	struct kern_sym funcs[OWN_FUNCS];
	struct memo_key k = {.op = MEMO_OWN_FRAMES};
	struct ir_ins *n = memo_get(lw, &k);
	unsigned int nfuncs = 0, var;
	struct tmp t;

	if (lw->firing.thread.v)
		return lw_const(lw, 0);
	if (n)
		return n;
	if (pv->own_frames)
		own = pv->own_frames(lw->plan, lw->program);
	/* A stack that starts at the helper includes the frames of functions. */
	if (own.least && lw->firing.in_error)
		own.least++;
	for (unsigned int i = 0; i < OWN_FUNCS && own.in[i]; i++)
		nfuncs += kern_sym_by_name(lw->plan->env.kern, NULL, own.in[i], &funcs[nfuncs]);
	if (!nfuncs)
		return lw_const(lw, own.least);
	var = ir_var_new(lw->b.func);
	ir_var_write(&lw->b, var, lw_const(lw, own.least));
	t = lw_slot(lw, own.more * 8);
	lw_zero(lw, t.p, own.more * 8, t.mem);
	get_stack(lw, t.p, own.more * 8, lw_const(lw, own.least), 0);
	for (unsigned int i = 0; i < own.more; i++)
		for (unsigned int f = 0; f < nfuncs; f++)
			skip_if_in(lw, ir_load(&lw->b, 8, t.p, i * 8, t.mem), &funcs[f], var,
				   own.least + i + 1);
	n = ir_var_read(&lw->b, var);
	memo_put(lw, &k, n);
	return n;
}

/*
 * Gets frames from number n (0 or 1) on, and inserts the caller, number 1, which the kernel misses.
 */
static struct ir_ins *with_caller(struct lw *lw, struct tmp dst, uint32_t size, unsigned int n,
				  struct ir_ins *caller)
{
	struct ir_ins *next = lw_bini(lw, IR_ADD, dst.p, 8), *bytes;

	if (n == 0 && size > 8) {
		bytes = get_stack(lw, next, size - 8, lw_const(lw, 0), BPF_F_USER_STACK);
		ir_store(&lw->b, 8, dst.p, 0, ir_load(&lw->b, 8, dst.p, 8, dst.mem), dst.mem);
		ir_store(&lw->b, 8, dst.p, 8, caller, dst.mem);
		return lw_bini(lw, IR_ADD, bytes, 8);
	}
	if (n == 0)
		return get_stack(lw, dst.p, size, lw_const(lw, 0), BPF_F_USER_STACK);
	assert(size == 8);
	ir_store(&lw->b, 8, dst.p, 0, caller, dst.mem);
	return lw_const(lw, 8);
}

/*
 * Marks a stack whose program the consumer does not know yet: `sure` frames are right, and the
 * chain of frame pointers after them may have gaps.  The mark follows the last frame, or replaces
 * it.
 */
static struct ir_ins *mark_guess(struct lw *lw, struct tmp dst, uint32_t size, unsigned int sure,
				 struct ir_ins *bytes)
{
	struct ir_ins *any = lw_bin(lw, IR_SLT, lw_const(lw, 0), bytes), *end;

	if (sure * 8 >= size)
		return bytes;
	end = lw_bini(lw, IR_AND, lw_bin(lw, IR_MUL, bytes, any), -8);
	end = lw_umin(lw, end, lw_const(lw, size - 8));
	ir_store(&lw->b, 8, lw_bin(lw, IR_ADD, dst.p, end), 0,
		 lw_const(lw, (int64_t)(ABI_FRAME_LOST - ABI_LOST_EARLY)), dst.mem);
	return lw_bini(lw, IR_ADD, end, 8);
}

/*
 * Gets frames from number n on by the kernel, and adds the caller if the kernel misses it.
 * is_guess: the process may have tables with better results.
 */
static struct ir_ins *chained(struct lw *lw, struct tmp dst, uint32_t size, unsigned int n,
			      bool is_guess)
{
	const struct provider *pv = lw->program->provider;
	struct ir_ins *caller = pv->hidden_caller ? pv->hidden_caller(lw, NULL) : NULL, *got;
	struct ir_block *hidden, *shown, *done;
	unsigned int bytes, mark;

	if (!caller) {
		got = get_stack(lw, dst.p, size, lw_const(lw, n), BPF_F_USER_STACK);
		return is_guess ? mark_guess(lw, dst, size, 1 - n, got) : got;
	}
	bytes = ir_var_new(lw->b.func);
	hidden = lw_block(lw);
	shown = lw_block(lw);
	done = lw_block(lw);
	lw_if(lw, caller, hidden, shown);
	lw_seal_at(lw, hidden);
	mark = lw_push(lw);
	got = with_caller(lw, dst, size, n, caller);
	if (is_guess)
		got = mark_guess(lw, dst, size, 2 - n, got);
	ir_var_write(&lw->b, bytes, got);
	ir_jmp(&lw->b, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, shown);
	mark = lw_push(lw);
	got = get_stack(lw, dst.p, size, lw_const(lw, n), BPF_F_USER_STACK);
	if (is_guess)
		got = mark_guess(lw, dst, size, 1 - n, got);
	ir_var_write(&lw->b, bytes, got);
	ir_jmp(&lw->b, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, bytes);
}

static struct tmp new_walk(struct lw *lw, struct ir_ins *mm)
{
	struct tmp t = lw_slot(lw, sizeof(struct abi_walk));

	lw_zero(lw, t.p, sizeof(struct abi_walk), t.mem);
	ir_store(&lw->b, 8, t.p, offsetof(struct abi_walk, pid), lw_own_pid(lw), t.mem);
	ir_store(&lw->b, 8, t.p, offsetof(struct abi_walk, mm), mm, t.mem);
	return t;
}

/* Starts a walk with the registers that the process had when it entered the kernel. */
static void begin_walk(struct lw *lw, struct tmp t)
{
	struct ir_ins *regs = lw_helper(lw, BPF_FUNC_task_pt_regs, lw_current(lw).v, NULL);
	const struct provider *pv = lw->program->provider;
	struct ir_ins *caller, *sp;
	const struct {
		size_t to;
		unsigned int from;
	} words[] = {{offsetof(struct abi_walk, pc), arch_native->pc},
		     {offsetof(struct abi_walk, sp), arch_native->sp},
		     {offsetof(struct abi_walk, fp), arch_native->fp}};

	for (unsigned int i = 0; i < 3; i++)
		ir_store(&lw->b, 8, t.p, (int64_t)words[i].to,
			 lw_load_pure(lw, 8, regs, words[i].from, IR_MEM_KERNEL), t.mem);
	if (!pv->hidden_caller)
		return;
	caller = pv->hidden_caller(lw, &sp);
	ir_store(&lw->b, 8, t.p, offsetof(struct abi_walk, caller), caller, t.mem);
	ir_store(&lw->b, 8, t.p, offsetof(struct abi_walk, caller_sp), sp, t.mem);
}

#define UNWOUND_MAX 512 /* frames; each needs about 7 instructions */

/* Number of frames of a stack that a walk gets. */
struct frames {
	unsigned int first;  /* number of the first one */
	uint32_t size;	     /* bytes for native frames */
	uint32_t named_size; /* with frames of languages between them; 0: all frames stay native */
};

static unsigned int frames_of(uint32_t size)
{
	return size / 8 < UNWOUND_MAX ? size / 8 : UNWOUND_MAX;
}

/* Returns the frame to record. */
static struct ir_ins *frame_of(struct lw *lw, struct tmp walk, const struct frames *f)
{
	if (f->named_size)
		return lw_rt(lw, "rt_lang_frame", walk.p, NULL);
	return ir_load(&lw->b, 8, walk.p, offsetof(struct abi_walk, pc), walk.mem);
}

static void go_on_if(struct lw *lw, struct ir_ins *cond, struct ir_block *done)
{
	struct ir_block *more = lw_block(lw);

	lw_if(lw, cond, more, done);
	lw_seal_at(lw, more);
}

/*
 * Gets frames by tables, with one call per frame.  The loop is unrolled, as the verifier would do,
 * so that the offset of each frame is a constant.  Returns the bytes that are used.
 */
static struct ir_ins *unwound(struct lw *lw, struct tmp walk, struct tmp dst,
			      const struct frames *f)
{
	unsigned int n = frames_of(f->named_size ? f->named_size : f->size);
	struct ir_block *done = lw_block(lw);
	struct ir_ins *is_inline = NULL;

	assert(f->first <= 1);
	ir_store(&lw->b, 8, walk.p, offsetof(struct abi_walk, nframes), lw_const(lw, 1 - f->first),
		 walk.mem);
	if (f->named_size)
		is_inline = lw_rt(lw, "rt_lang_is_inline", walk.p, NULL);
	for (unsigned int i = 0; i < f->first + n; i++) {
		if (is_inline && i == f->first + frames_of(f->size))
			go_on_if(lw, is_inline, done);
		if (i > 0)
			go_on_if(lw, lw_rt(lw, "rt_unwind", walk.p, NULL), done);
		if (i >= f->first)
			ir_store(&lw->b, 8, dst.p, (i - f->first) * 8, frame_of(lw, walk, f),
				 dst.mem);
	}
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return lw_bini(lw, IR_MUL,
		       ir_load(&lw->b, 8, walk.p, offsetof(struct abi_walk, nframes), walk.mem), 8);
}

/*
 * Reports news of a process (abi.h) to the consumer at once.  This also sends the clause's own
 * record before it.
 */
static void tell_process(struct lw *lw, struct ir_ins *mm, struct ir_ins *news,
			 struct ir_block *done)
{
	struct ir_ins *rec;

	if (lw->clause.rec)
		ir_var_write(&lw->b, lw->clause.var_flags, ir_const(&lw->b, BPF_RB_FORCE_WAKEUP));
	rec = lw_reserve_now(lw, sizeof(struct abi_proc), done);
	lw_rec_head(lw, rec, ABI_DESC_PROC);
	ir_store(&lw->b, 4, rec, offsetof(struct abi_proc, pid), lw_own_pid(lw), IR_MEM_RECORD);
	ir_store(&lw->b, 4, rec, offsetof(struct abi_proc, news), news, IR_MEM_RECORD);
	ir_store(&lw->b, 8, rec, offsetof(struct abi_proc, mm), mm, IR_MEM_RECORD);
	lw_submit_now(lw, rec, ir_const(&lw->b, BPF_RB_FORCE_WAKEUP));
	ir_jmp(&lw->b, done);
}

void lw_report_process(struct lw *lw)
{
	struct ir_block *user = lw_block(lw), *is_new = lw_block(lw), *done = lw_block(lw);
	struct ir_ins *mm = lw_field(lw, lw_current(lw), "mm").v, *map;
	unsigned int mark = lw_push(lw);
	struct tmp key = lw_slot(lw, sizeof(struct plan_known)), one;

	map = ir_mapfd(&lw->b, lw->plan->known);
	lw_if(lw, mm, user, done);
	lw_seal_at(lw, user);
	ir_store(&lw->b, 8, key.p, offsetof(struct plan_known, pid), lw_own_pid(lw), key.mem);
	ir_store(&lw->b, 8, key.p, offsetof(struct plan_known, mm), mm, key.mem);
	lw_if(lw, lw_helper(lw, BPF_FUNC_map_lookup_elem, map, key.p, NULL), done, is_new);
	lw_seal_at(lw, is_new);
	one = lw_slot_word(lw);
	ir_store(&lw->b, 8, one.p, 0, ir_const(&lw->b, 1), one.mem);
	lw_helper(lw, BPF_FUNC_map_update_elem, map, key.p, one.p, ir_const(&lw->b, BPF_ANY), NULL);
	tell_process(lw, mm, ir_const(&lw->b, 0), done);
	lw_pop(lw, mark);
	lw_seal_at(lw, done);
}

/* Reports the process if the walk has reached mappings or functions that are new. */
static void tell_news(struct lw *lw, struct tmp walk, struct ir_ins *mm)
{
	struct ir_ins *news = ir_load(&lw->b, 8, walk.p, offsetof(struct abi_walk, news), walk.mem);
	struct ir_block *any = lw_block(lw), *done = lw_block(lw);
	unsigned int mark = lw_push(lw);

	lw_if(lw, news, any, done);
	lw_seal_at(lw, any);
	tell_process(lw, mm, news, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, done);
}

static bool has_tables(struct lw *lw)
{
	if (!lw->plan->unwind || lw->firing.thread.v)
		return false;
	lw->out->lacks_tables = lw->out->lacks_tables || lw->no_direct;
	return lw_has_current(lw);
}

/* PF_FORKNOEXEC, include/linux/sched.h: the process has not executed anything since it was forked.
 */
#define ONLY_FORKED 0x40

#define ANCESTORS_MAX 2

/*
 * A process that has only been forked has its parent's mappings, runtime and objects, until the
 * consumer has heard of the fork.  Lets the walk use the facts of the parent, or of its parent, and
 * goes to `known` if function `test` of the walk (and tls, if it takes that) finds them.
 */
static void walk_as_parent(struct lw *lw, struct tmp walk, const char *test, struct ir_ins *tls,
			   struct ir_block *known, struct ir_block *unknown)
{
	struct ir_ins *flags = lw_current_word(lw, "flags", 4);
	struct val task = lw_current(lw);

	for (unsigned int i = 0; i < ANCESTORS_MAX; i++) {
		struct ir_block *forked = lw_block(lw);
		struct ir_block *next = i + 1 < ANCESTORS_MAX ? lw_block(lw) : unknown;

		lw_if(lw, lw_bini(lw, IR_AND, flags, ONLY_FORKED), forked, unknown);
		lw_seal_at(lw, forked);
		task = lw_field(lw, task, "real_parent");
		ir_store(&lw->b, 8, walk.p, offsetof(struct abi_walk, pid), lw_own_pid_of(lw, task),
			 walk.mem);
		lw_if(lw, lw_rt(lw, test, walk.p, tls, NULL), known, next);
		if (next == unknown)
			return;
		lw_seal_at(lw, next);
		flags = lw_field(lw, task, "flags").v;
	}
}

/*
 * Walks a process whose address space is unknown.  The consumer may have copied the facts about the
 * parent before the child had an address space of its own.
 */
static void walk_forked(struct lw *lw, struct tmp walk, struct ir_block *known,
			struct ir_block *unknown)
{
	struct ir_ins *flags = lw_current_word(lw, "flags", 4);
	struct ir_block *forked = lw_block(lw), *orphan = lw_block(lw);

	lw_if(lw, lw_bini(lw, IR_AND, flags, ONLY_FORKED), forked, unknown);
	lw_seal_at(lw, forked);
	ir_store(&lw->b, 8, walk.p, offsetof(struct abi_walk, mm),
		 ir_const(&lw->b, (int64_t)ABI_MM_ANY), walk.mem);
	lw_if(lw, lw_rt(lw, "rt_unwind_known", walk.p, NULL), known, orphan);
	lw_seal_at(lw, orphan);
	walk_as_parent(lw, walk, "rt_unwind_known", NULL, known, unknown);
}

/* A kernel thread, and a process that has given back its memory to exit, have no frames. */
static struct ir_ins *user_stack(struct lw *lw, struct tmp dst, const struct frames *f)
{
	struct ir_block *has_memory, *known, *is_new, *unknown, *done;
	unsigned int bytes, mark, start;
	struct ir_ins *mm;
	struct tmp walk;

	if (!has_tables(lw)) {
		lw_report_process(lw);
		return chained(lw, dst, f->size, f->first,
			       lw->plan->unwind && !lw->firing.thread.v);
	}
	bytes = ir_var_new(lw->b.func);
	has_memory = lw_block(lw);
	known = lw_block(lw);
	is_new = lw_block(lw);
	unknown = lw_block(lw);
	done = lw_block(lw);
	mm = lw_field(lw, lw_current(lw), "mm").v;
	ir_var_write(&lw->b, bytes, lw_const(lw, 0));
	lw_if(lw, mm, has_memory, done);
	lw_seal_at(lw, has_memory);
	start = lw_push(lw);
	walk = new_walk(lw, mm);
	lw_if(lw, lw_rt(lw, "rt_unwind_known", walk.p, NULL), known, is_new);
	lw_seal_at(lw, is_new);
	mark = lw_push(lw);
	lw_report_process(lw);
	walk_forked(lw, walk, known, unknown);
	lw_pop(lw, mark);
	lw_seal_at(lw, known);
	mark = lw_push(lw);
	begin_walk(lw, walk);
	ir_var_write(&lw->b, bytes, unwound(lw, walk, dst, f));
	tell_news(lw, walk, mm);
	ir_jmp(&lw->b, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, unknown);
	mark = lw_push(lw);
	ir_var_write(&lw->b, bytes, chained(lw, dst, f->size, f->first, true));
	ir_jmp(&lw->b, done);
	lw_pop(lw, mark);
	lw_pop(lw, start);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, bytes);
}

/* Moves the first address back over the breakpoint, if there are frames. */
static void set_back(struct lw *lw, struct tmp dst, struct ir_ins *bytes)
{
	struct ir_ins *any = lw_bin(lw, IR_SLT, lw_const(lw, 0), bytes);

	ir_store(&lw->b, 8, dst.p, 0,
		 lw_bin(lw, IR_SUB, ir_load(&lw->b, 8, dst.p, 0, dst.mem),
			lw_bini(lw, IR_MUL, any, arch_native->brk_len)),
		 dst.mem);
}

struct ir_ins *lw_stack(struct lw *lw, struct tmp dst, uint32_t size, uint64_t flags,
			unsigned int n)
{
	const struct provider *pv = lw->program->provider;
	struct ir_ins *bytes;

	if (flags & BPF_F_USER_STACK)
		return user_stack(lw, dst, &(struct frames){.first = n, .size = size});
	bytes = get_stack(lw, dst.p, size, lw_bini(lw, IR_ADD, own_frames(lw), n), flags);
	if (n == 0 && arch_native->brk_len && pv->own_frames &&
	    pv->own_frames(lw->plan, lw->program).next == FRAME_AT_BREAK)
		set_back(lw, dst, bytes);
	return bytes;
}

/* Appends up to n frames that function `next` returns, after `bytes` of frames. */
static void lang_frames(struct lw *lw, struct tmp walk, struct tmp dst, uint32_t size,
			struct ir_ins *bytes, unsigned int n, const char *next,
			struct ir_block *done)
{
	unsigned int off = ir_var_new(lw->b.func);

	ir_var_write(&lw->b, off, lw_bini(lw, IR_AND, bytes, -8));
	for (unsigned int i = 0; i < n && i < UNWOUND_MAX; i++) {
		struct ir_ins *at = ir_var_read(&lw->b, off), *frame;

		go_on_if(lw, lw_bini(lw, IR_ULE, at, size - 8), done);
		frame = lw_rt(lw, next, walk.p, NULL);
		go_on_if(lw, frame, done);
		ir_store(&lw->b, 8, ir_bin(&lw->b, IR_ADD, dst.p, at), 0, frame, dst.mem);
		ir_var_write(&lw->b, off, lw_bini(lw, IR_ADD, at, 8));
	}
	ir_jmp(&lw->b, done);
}

/*
 * Begins a walk of native frames if the frames of the language lie between them.  Goes to `none` if
 * the process is unknown.
 */
static void begin_native(struct lw *lw, struct tmp walk, struct ir_block *none)
{
	struct ir_block *native = lw_block(lw), *chain = lw_block(lw), *known = lw_block(lw);

	lw_if(lw, lw_rt(lw, "rt_lang_is_inline", walk.p, NULL), native, chain);
	lw_seal_at(lw, native);
	lw_if(lw, lw_rt(lw, "rt_unwind_known", walk.p, NULL), known, none);
	lw_seal_at(lw, known);
	begin_walk(lw, walk);
	ir_jmp(&lw->b, chain);
	lw_seal_at(lw, chain);
}

/*
 * Appends frames of the language, from the innermost one, after `bytes` of frames.  alone: the
 * stack has no native frames.  Otherwise they already include frames of Java and JavaScript, so
 * only an interpreter has more.
 */
static void append_frames(struct lw *lw, struct tmp dst, uint32_t size, struct ir_ins *bytes,
			  uint32_t most, bool alone)
{
	bool walks_any = alone && has_tables(lw);
	struct ir_block *any, *unknown, *done, *end;
	struct ir_ins *mm, *tls;
	unsigned int mark;
	struct tmp walk;

	if (!lw->plan->lang_new || !lw_has_current(lw) || lw->firing.thread.v)
		return;
	any = lw_block(lw);
	done = lw_block(lw);
	end = lw_block(lw);
	mark = lw_push(lw);
	mm = lw_field(lw, lw_current(lw), "mm").v;
	tls = lw_inner(lw, lw_current(lw), "thread", arch_native->thread_pointer).v;
	walk = new_walk(lw, mm);
	if (walks_any)
		begin_native(lw, walk, end);
	unknown = lw_block(lw);
	lw_if(lw, lw_rt(lw, "rt_lang_begin", walk.p, tls, NULL), any, unknown);
	lw_seal_at(lw, unknown);
	walk_as_parent(lw, walk, "rt_lang_begin", tls, any, end);
	lw_seal_at(lw, any);
	lang_frames(lw, walk, dst, size, bytes, most / 8,
		    walks_any ? "rt_lang_next" : "rt_lang_next_in_chain", done);
	lw_seal_at(lw, done);
	tell_news(lw, walk, mm);
	ir_jmp(&lw->b, end);
	lw_pop(lw, mark);
	lw_seal_at(lw, end);
}

/* Puts a frame with the name of the thread into a stack without frames of a language. */
static void name_thread(struct lw *lw, struct tmp dst)
{
	struct ir_block *empty = lw_block(lw), *done = lw_block(lw);
	unsigned int mark = lw_push(lw);
	struct ir_ins *words[2];
	struct tmp comm;

	lw_if(lw, ir_load(&lw->b, 8, dst.p, 0, dst.mem), done, empty);
	lw_seal_at(lw, empty);
	comm = lw_slot(lw, ABI_COMM);
	lw_execname(lw, comm.p, ABI_COMM, comm.mem);
	for (unsigned int i = 0; i < 2; i++)
		words[i] = ir_load(&lw->b, 8, comm.p, i * 8, comm.mem);
	ir_store(&lw->b, 8, dst.p, 0, lw_rt(lw, "rt_lang_none", words[0], words[1], NULL), dst.mem);
	ir_jmp(&lw->b, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, done);
}

void lw_lang_stack(struct lw *lw, struct tmp dst, uint32_t size)
{
	lw_report_process(lw);
	append_frames(lw, dst, size, lw_const(lw, 0), size, true);
	if (lw->plan->lang_new && !lw->firing.thread.v)
		name_thread(lw, dst);
}

void lw_mixed_stack(struct lw *lw, struct tmp dst, uint32_t size)
{
	struct frames f = {.size = size / 2, .named_size = lw->plan->lang_new ? size : 0};

	append_frames(lw, dst, size, user_stack(lw, dst, &f), size / 2, false);
}

unsigned int lw_stack_top(const struct lw *lw)
{
	const struct provider *pv = lw->firing.mech;

	return pv->own_frames && !lw->firing.site &&
	       pv->own_frames(lw->plan, lw->unit).next == FRAME_OF_CALL;
}

unsigned int lw_stack_caller(const struct lw *lw)
{
	const struct provider *pv = lw->firing.mech;

	return !pv->own_frames || pv->own_frames(lw->plan, lw->unit).next != FRAME_OF_CALLER;
}
