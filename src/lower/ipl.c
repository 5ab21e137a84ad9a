/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ipl.c: whether a firing is in an interrupt, from the kernel's preemption counter
 * (include/linux/preempt.h).  The counter is a member of the thread or a variable of the processor.
 * No helper returns such a variable without its symbol, which few kernels have.  BTF has its offset
 * in the processor's memory.  The thread leads to one structure there with a known offset: the run
 * queue.
 *
 * Reads use the helper that leaves zeros on failure: then ipl is 0.
 */
#include <linux/bpf.h>

#include "kern/kern.h"
#include "lower/leaf.h"

/* a soft interrupt is served; further bits count disabling of soft interrupts */
#define SOFTIRQ	  0x100
#define HARDIRQ	  0xf0000
#define NMI	  0xf00000
#define DEPTH_MAX 3 /* with the NULL at the end */

/* Finds the offset of a member by a path of names.  Returns false if there is none. */
static bool offset_of(const struct plan *plan, const char *sou, const char *const *path,
		      int64_t *off)
{
	struct type *t = type_lookup(plan->env.types, sou);
	const struct type_member *m;
	uint64_t bits;

	*off = 0;
	if (!t)
		return false;
	for (unsigned int i = 0; path[i]; i++) {
		t = type_resolve(plan->env.types, t);
		m = type_is_sou(t) ? type_member(plan->env.types, t, path[i], &bits) : NULL;
		if (!m)
			return false;
		*off += (int64_t)(bits / 8);
		t = m->type;
	}
	return true;
}

/*
 * Finds the offset of the counter from the run queue in the processor's memory.  Returns false if
 * it is unknown.
 */
static bool from_queue(const struct plan *plan, int64_t *off)
{
	static const char *const member[DEPTH_MAX] = {"preempt_count"};
	uint32_t queue, count;
	int64_t at = 0;

	if (!kern_btf_percpu(plan->env.kern, "runqueues", &queue))
		return false;
	/* From 6.2 to 6.14 it is a member of pcpu_hot. */
	if (!kern_btf_percpu(plan->env.kern, "__preempt_count", &count) &&
	    (!kern_btf_percpu(plan->env.kern, "pcpu_hot", &count) ||
	     !offset_of(plan, "struct pcpu_hot", member, &at)))
		return false;
	*off = (int64_t)count + at - (int64_t)queue;
	return true;
}

static struct ir_ins *read_at(struct lw *lw, struct ir_ins *p, int64_t off, unsigned int size)
{
	struct tmp t = lw_slot(lw, size);

	lw_helper(lw, BPF_FUNC_probe_read_kernel, t.p, ir_const(&lw->b, size),
		  lw_bini(lw, IR_ADD, p, off), NULL);
	return ir_load(&lw->b, size, t.p, 0, t.mem);
}

/* Returns the counter of this processor; NULL: unknown. */
static struct ir_ins *count(struct lw *lw)
{
	static const char *const own[DEPTH_MAX] = {"thread_info", "preempt_count"};
	static const char *const to_queue[DEPTH_MAX] = {"se", "cfs_rq"};
	static const char *const to_rq[DEPTH_MAX] = {"rq"};
	struct ir_ins *task = lw_helper_pure(lw, BPF_FUNC_get_current_task);
	int64_t off, cfs, rq;

	if (offset_of(lw->plan, "struct task_struct", own, &off))
		return read_at(lw, task, off, 4);
	if (!from_queue(lw->plan, &off) ||
	    !offset_of(lw->plan, "struct task_struct", to_queue, &cfs) ||
	    !offset_of(lw->plan, "struct cfs_rq", to_rq, &rq))
		return NULL;
	return read_at(lw, read_at(lw, read_at(lw, task, cfs, 8), rq, 8), off, 4);
}

static struct ir_ins *is_any(struct lw *lw, struct ir_ins *n, int64_t bits)
{
	return lw_bini(lw, IR_NE, lw_bini(lw, IR_AND, n, bits), 0);
}

struct ir_ins *lw_ipl(struct lw *lw)
{
	struct ir_ins *n = count(lw), *own;

	if (!n)
		return lw_const(lw, 0);
	if (lw->program->prog_type != BPF_PROG_TYPE_PERF_EVENT)
		return is_any(lw, n, SOFTIRQ | HARDIRQ | NMI);
	/* The event itself is an interrupt or NMI.  Only the interrupted context counts. */
	own = lw_bin(lw, IR_AND, is_any(lw, n, NMI), is_any(lw, n, HARDIRQ));
	return lw_bin(lw, IR_OR, own, is_any(lw, n, SOFTIRQ));
}
