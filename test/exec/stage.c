/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stage.c: the interpreter as a session's backend.  Addresses of tasks and registers are made up
 * and declared to the interpreter as kernel memory.
 */
#include <assert.h>
#include <bpf/btf.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "kern/priv.h"
#include "load/backend.h"
#include "stage.h"

#define REGS_ADDR   0xffffc90000000000ULL
#define TASKS_ADDR  0xffff888000000000ULL
#define TASK_STEP   0x100000ULL
#define QUEUE_ADDR  0xffff8f0000000000ULL
#define CPU_ADDR    0xffff8f8000000000ULL /* of the memory of a processor */
#define WALL_OFFSET 1700000000000000000LL

/* ---- firings ---- */

static uint64_t offset(struct session *s, const char *type, const char *member)
{
	struct type *t = type_resolve(s->plan.env.types, type_lookup(s->plan.env.types, type));
	uint64_t bits = 0;

	if (!type_member(s->plan.env.types, t, member, &bits))
		assert(!"a member that the kernel lacks");
	return bits / 8;
}

static void put(void *base, uint64_t off, uint64_t v, size_t size)
{
	memcpy((char *)base + off, &v, size);
}

static uint64_t size_of(struct stage *g, const char *type)
{
	return type_resolve(g->s->plan.env.types, type_lookup(g->s->plan.env.types, type))->size;
}

/* Returns the index of a thread's task; its credentials follow it. */
static unsigned int task_of(struct stage *g, uint64_t tid)
{
	uint64_t size = size_of(g, "struct task_struct") + size_of(g, "struct cred");
	struct stage_task task = {.tid = tid};

	for (unsigned int i = 0; i < g->tasks.n; i++)
		if (g->tasks.a[i].tid == tid)
			return i;
	assert(size < TASK_STEP);
	task.mem = arena_alloc(g->s->arena, size);
	memset(task.mem, 0, size);
	bpf_interp_region(g->sim.in, TASKS_ADDR + g->tasks.n * TASK_STEP, task.mem, size,
			  BPF_REGION_KERNEL);
	vec_push(&g->tasks, task);
	return g->tasks.n - 1;
}

static void put_task(struct stage *g, unsigned int i, const char *member, const void *v,
		     size_t size)
{
	memcpy(g->tasks.a[i].mem + offset(g->s, "struct task_struct", member), v, size);
}

static void put_ids(struct stage *g, unsigned int i, uint64_t pid, uint64_t tid)
{
	put_task(g, i, "tgid", &pid, 4);
	put_task(g, i, "pid", &tid, 4);
}

static void put_cred(struct stage *g, unsigned int i, const struct fire *f)
{
	uint64_t at = size_of(g, "struct task_struct"), addr = TASKS_ADDR + i * TASK_STEP + at;
	char *cred = (char *)g->tasks.a[i].mem + at;

	put(cred, offset(g->s, "struct cred", "uid"), f->uid, 4);
	put(cred, offset(g->s, "struct cred", "gid"), f->gid, 4);
	put_task(g, i, "cred", &addr, 8);
}

/* Returns the offset of the preemption counter in a processor's memory. */
static uint32_t preempt_offset(struct stage *g)
{
	struct kern *k = g->s->plan.env.kern;
	uint32_t off = 0;

	if (kern_btf_percpu(k, "__preempt_count", &off))
		return off;
	if (!kern_btf_percpu(k, "pcpu_hot", &off))
		assert(!"a kernel without a preemption counter");
	return off + (uint32_t)offset(g->s, "struct pcpu_hot", "preempt_count");
}

/* Makes a run queue of the processor, which leads to its memory. */
static void new_queue(struct stage *g)
{
	uint64_t size = size_of(g, "struct cfs_rq"), rq_size = size_of(g, "struct rq");
	uint32_t off = 0;

	if (!kern_btf_percpu(g->s->plan.env.kern, "runqueues", &off))
		assert(!"a kernel without run queues");
	g->queue = arena_alloc(g->s->arena, size);
	memset(g->queue, 0, size);
	put(g->queue, offset(g->s, "struct cfs_rq", "rq"), CPU_ADDR + off, 8);
	g->rq = arena_alloc(g->s->arena, rq_size);
	memset(g->rq, 0, rq_size);
	bpf_interp_region(g->sim.in, QUEUE_ADDR, g->queue, size, BPF_REGION_KERNEL);
	bpf_interp_region(g->sim.in, CPU_ADDR + off, g->rq, rq_size, BPF_REGION_KERNEL);
	bpf_interp_region(g->sim.in, CPU_ADDR + preempt_offset(g), &g->preempt_count,
			  sizeof(g->preempt_count), BPF_REGION_KERNEL);
}

/* Puts a task into the run queue. */
static void put_queue(struct stage *g, unsigned int i)
{
	char *entity = g->tasks.a[i].mem + offset(g->s, "struct task_struct", "se");

	if (!g->queue)
		new_queue(g);
	put(entity, offset(g->s, "struct sched_entity", "cfs_rq"), QUEUE_ADDR, 8);
}

/* The counter is a member of the task or a variable of the processor. */
static void put_preempt(struct stage *g, unsigned int i, uint64_t count)
{
	struct types *ts = g->s->plan.env.types;
	uint64_t bits = 0;
	struct type *info = type_resolve(ts, type_lookup(ts, "struct thread_info"));

	if (type_member(ts, info, "preempt_count", &bits)) {
		put(g->tasks.a[i].mem, offset(g->s, "struct task_struct", "thread_info") + bits / 8,
		    count, 4);
		return;
	}
	put_queue(g, i);
	g->preempt_count = (uint32_t)count;
}

/* The scheduler's clock is ahead of the clock of threads by the lost time. */
static void put_lost(struct stage *g, unsigned int i, uint64_t lost)
{
	put_queue(g, i);
	put(g->rq, offset(g->s, "struct rq", "clock"), 7000 + lost, 8);
	put(g->rq, offset(g->s, "struct rq", "clock_task"), 7000, 8);
}

/* Returns the address of the task of a firing. */
static uint64_t task(struct stage *g, const struct fire *f)
{
	unsigned int i = task_of(g, f->tid), parent = f->ppid ? task_of(g, f->ppid) : i;
	uint64_t parent_addr = TASKS_ADDR + parent * TASK_STEP;
	uint64_t mm = f->nstacks[1] ? parent_addr : 0; /* nothing reads it */
	char comm[16] = {0};

	strncpy(comm, f->comm, sizeof(comm) - 1);
	if (parent != i)
		put_ids(g, parent, f->ppid, f->ppid);
	put_ids(g, i, f->pid, f->tid);
	put_task(g, i, "comm", comm, sizeof(comm));
	put_task(g, i, "real_parent", &parent_addr, 8);
	put_task(g, i, "mm", &mm, 8);
	put_cred(g, i, f);
	if (f->preempt)
		put_preempt(g, i, f->preempt);
	if (f->lost)
		put_lost(g, i, f->lost);
	return TASKS_ADDR + i * TASK_STEP;
}

/* Writes arguments and number of a system call into struct pt_regs. */
static void fill_regs(struct stage *g, const struct fire *f, int64_t nr)
{
	for (unsigned int i = 0; i < ARCH_SYSCALL_ARGS; i++)
		put(g->regs, arch_native->syscall_args[i], f->args[i], 8);
	put(g->regs, offset(g->s, "struct pt_regs", arch_native->syscall_nr), (uint64_t)nr, 4);
}

/* Writes the program's context to ctx; returns its size. */
static size_t fill_ctx(struct stage *g, const struct fire *f, const struct probe *p, void *ctx)
{
	memset(ctx, 0, STAGE_REGS);
	if (p && strcmp(p->prov, "syscall") == 0) {
		fill_regs(g, f, p->key);
		put(ctx, 0, REGS_ADDR, 8);
		put(ctx, 8, p->name[0] == 'e' ? (uint64_t)p->key : f->ret, 8);
		return 16;
	}
	if (p && strcmp(p->prov, "profile") == 0) {
		put(ctx, arch_native->pc, f->pc, 8);
		put(ctx, arch_native->mode,
		    f->user != arch_native->user_is_zero ? arch_native->mode_mask : 0, 8);
		return STAGE_REGS;
	}
	memcpy(ctx, f->args, sizeof(f->args));
	return sizeof(f->args);
}

#define OWN_MAX 4 /* most frames of tracing itself that are always on a stack */

/* Writes the stack as a helper returns it, beginning with frames of tracing; returns its number
 * of frames. */
static unsigned int fill_kstack(struct stage *g, const struct unit *u, const struct fire *f,
				uint64_t *stack)
{
	unsigned int n = 0;

	if (u->provider->own_frames)
		n = u->provider->own_frames(&g->s->plan, u).least;
	assert(n <= OWN_MAX);
	memset(stack, 0xee, n * 8);
	memcpy(stack + n, f->stacks[0], f->nstacks[0] * 8);
	return f->nstacks[0] ? n + f->nstacks[0] : 0;
}

static void run_unit(struct stage *g, struct unit *u, const struct fire *f, const struct probe *p)
{
	uint64_t ctx[STAGE_REGS / 8], kstack[OWN_MAX + STAGE_DEPTH];
	struct bpf_firing b = {.ctx = ctx,
			       .cpu = (unsigned int)f->cpu,
			       .pid = (uint32_t)f->tid,
			       .tgid = (uint32_t)f->pid,
			       .uid = (uint32_t)f->uid,
			       .gid = (uint32_t)f->gid,
			       .ktime = f->time,
			       .boot_time = f->time,
			       .kstack = kstack,
			       .nkstack = fill_kstack(g, u, f, kstack),
			       .ustack = f->stacks[1],
			       .nustack = f->nstacks[1]};

	strncpy(b.comm, f->comm, sizeof(b.comm) - 1);
	b.task = task(g, f);
	b.ctx_size = fill_ctx(g, f, p, ctx);
	if (!bpf_interp_run(g->sim.in, g->sim.code.a[u->fd], &b, NULL))
		report_error(&g->s->report, "%s: %s", u->place, bpf_interp_error(g->sim.in));
}

/* Returns the only probe of a description. */
static struct probe *find_probe(struct session *s, const char *desc)
{
	char *copy = arena_strdup(s->arena, desc), *field[4] = {0};
	struct probe *p;
	probe_list list = {0};

	for (int i = 3; i >= 0; i--) {
		char *colon = strrchr(copy, ':');

		field[i] = i > 0 && colon ? colon + 1 : copy;
		if (!colon)
			break;
		*colon = '\0';
	}
	probes_match(
	    s->plan.env.probes,
	    &(struct pdesc){.prov = field[0], .mod = field[1], .func = field[2], .name = field[3]},
	    &list);
	p = list.n == 1 ? list.a[0] : NULL;
	vec_free(&list);
	return p;
}

void stage_fire(struct stage *g, const struct fire *f)
{
	struct session *s = g->s;
	struct probe *p = find_probe(s, f->probe);
	bool found = false;

	for (unsigned int i = 0; p && i < s->compile.units.n; i++) {
		struct unit *u = s->compile.units.a[i];

		if (u->provider != p->provider ||
		    strcmp(u->place, p->provider->place(&s->plan, p)) != 0)
			continue;
		found = true;
		run_unit(g, u, f, p);
	}
	if (!found)
		report_error(&s->report, "@fire %s: nothing is enabled there", f->probe);
	if (!f->hold && s->load.backend->drain(&s->load) > 0)
		out_flush(&s->out);
}

/* ---- programs ---- */

static void stage_run(struct load *l, struct unit *u)
{
	struct stage *g = l->backend_data;

	run_unit(g, u, u == l->begin ? g->begin : g->end, NULL);
}

static bool is_kfunc(struct session *s, int32_t id, const char *name)
{
	return kern_btf_find(s->plan.env.kern, name, BTF_KIND_FUNC) == (uint32_t)id;
}

/* Kernel functions that give the verifier information. */
static bool stage_kfunc(void *arg, struct bpf_interp *in, int32_t btf_id, uint64_t *r)
{
	struct stage *g = arg;

	r[0] = r[1];
	return is_kfunc(g->s, btf_id, "bpf_rdonly_cast") ||
	       is_kfunc(g->s, btf_id, "bpf_cast_to_kern_ctx");
}

static void stage_close(struct load *l)
{
	struct stage *g = l->backend_data;

	backend_simulated.close(l);
	/* Both sessions use one machine, which only one of them frees. */
	if (g->again)
		g->again->machine = NULL;
	if (g->hosted.hosting)
		hosting_free(g->hosted.hosting);
	else if (g->again)
		session_free(g->again);
	hostings_free(g->hostings);
	bpf_interp_free(g->sim.in);
	vec_free(&g->tasks);
}

/* ---- a run ---- */

void stage_init(struct stage *g, struct session *s, const struct fire *begin,
		const struct fire *end)
{
	struct bpf_interp_hooks hooks = {.kfunc = stage_kfunc, .arg = g};

	memset(g, 0, sizeof(*g));
	g->sim.in = bpf_interp_new(STAGE_NCPU);
	g->sim.ncpus = STAGE_NCPU;
	g->backend = backend_simulated;
	g->backend.run = stage_run;
	g->backend.close = stage_close;
	g->s = s;
	g->begin = begin;
	g->end = end;
	s->load.backend = &g->backend;
	s->load.backend_data = g;
	bpf_interp_set_hooks(g->sim.in, &hooks);
	bpf_interp_region(g->sim.in, REGS_ADDR, g->regs, sizeof(g->regs), BPF_REGION_KERNEL);
}

static bool compile(struct session *s)
{
	if (!session_compile(s))
		return false;
	s->plan.opt.wall_offset = WALL_OFFSET;
	s->plan.env.kern->ncpu_possible = STAGE_NCPU;
	return true;
}

bool stage_start(struct stage *g, bool no_direct)
{
	struct session *s = g->s;

	if (!compile(s))
		return false;
	s->plan.no_direct = no_direct;
	return compile_check_actions(&s->compile, 0) && compile_units(&s->compile) &&
	       session_load(s);
}

static void run_sent(void *ctx, const struct rec_desc *d, const void *rec, size_t len)
{
	struct stage *g = ctx;

	hosting_run(g->hosted.hosting, d, rec, len, g->again->consume.wants_exit);
}

bool stage_start_hosted(struct stage *g, struct session *again)
{
	struct session *s = g->s, *both[] = {s, again};
	struct hosted *list[] = {&g->hosted};

	g->again = again;
	g->hosted = (struct hosted){.s = s, .name = "host"};
	s->plan.opt.is_timed = again->plan.opt.is_timed = true;
	if (!compile(s) || !compile_check_actions(&s->compile, 0) || !hosted_find(list, 1, true))
		return false;
	if (hosted_is_any(&g->hosted)) {
		g->hostings = hostings_new(STAGE_NCPU);
		if (!compile(again) || !hosting_new(g->hostings, &g->hosted, again))
			return false;
		again->consume.out = &s->out;
		again->consume.ctx = s;
		again->consume.opts = &s->opts;
		s->consume.sent = run_sent;
		s->consume.sent_ctx = g;
		for (unsigned int i = 0; i < 2; i++) {
			g->peers[i] = &both[i]->consume;
			both[i]->consume.peers = g->peers;
			both[i]->consume.npeers = 2;
			both[i]->consume.peer = i;
		}
	}
	return compile_units(&s->compile) &&
	       (!g->hosted.hosting || hosting_load(g->hosted.hosting)) && session_load(s);
}
