/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pause.c: the dynamic linker calls _dl_debug_state before and after it maps files, for debuggers
 * (r_brk of struct r_debug).  A breakpoint there runs a program (rt/pause.bpf.h) that sends a
 * record and waits until the consumer has read it.
 */
#include <bpf/libbpf.h>
#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/clocks.h"
#include "bpf/codegen.h"
#include "ir/ir.h"
#include "kern/kern.h"
#include "plan/plan.h"
#include "proc/proc.h"
#include "attach/keeper.h"
#include "attach/uprobe.h"
#include "load/load.h"
#include "session/pause.h"
#include "load/backend.h"
#include "sys/bpf.h"
#include "sys/machine.h"

#define RING_SIZE 4096 /* the minimum, a page */

/* A breakpoint of a process in a file. */
struct paused {
	uint32_t pid;
	const char *id;
};

struct pause {
	struct load *load;
	pause_look *look;
	void *ctx;
	struct unit unit; /* without a provider: type and descriptor of the program */
	int map;
	struct ring_buffer *ring;
	VEC(struct paused) places;
};

/* Makes the code of rt_pause(process, program counter). */
static struct bpf_code *make_code(struct load *l)
{
	struct ir_module *m = ir_module_new(l->arena);
	struct ir_builder b = {.func = ir_func_new(m, "pause", 1)};
	struct bpf_target target = {0};
	struct ir_ins *ctx, *args[2];
	struct bpf_code *code;
	const char *err;

	ir_at(&b, ir_block_new(b.func));
	ir_seal(b.func, b.cur);
	ctx = ir_arg(&b, 0);
	args[0] = ir_call(&b, IR_CALL, BPF_FUNC_get_attach_cookie, 1, &ctx);
	args[1] = ir_load(&b, 8, ctx, arch_native->pc, IR_MEM_CTX);
	ir_call(&b, IR_CALLRT, bpf_rt_find(&bpf_rt, "rt_pause"), 2, args);
	ir_ret(&b, ir_const(&b, 0));
	code = bpf_codegen(l->arena, m, &target, &err);
	return code && bpf_link(code, &bpf_rt, l->plan->opt.strsize, &err) ? code : NULL;
}

static int load_program(struct pause *p)
{
	static const char *const names[] = {"state", "pause"};
	struct load *l = p->load;
	const int fds[] = {l->fds.a[MAP_STATE], p->map};
	struct bpf_code *code = make_code(l);

	uprobe_program(l->plan, &p->unit);
	p->unit.may_sleep = true;
	return code && bpf_resolve_maps(code, fds, names, 2)
		   ? l->backend->load(l, &p->unit, code, NULL, 0)
		   : -1;
}

static int on_record(void *ctx, void *data, size_t len)
{
	const struct abi_pause *notice = data;
	struct pause *p = ctx;

	p->look(p->ctx, notice->pid, !notice->waits || clock_ns() - notice->time > ABI_PAUSE_NS);
	return 0;
}

struct pause *pause_new(struct load *l, pause_look *look, void *ctx)
{
	const struct sys_map map = {
	    .type = BPF_MAP_TYPE_RINGBUF, .name = "pause", .max_entries = RING_SIZE};
	struct pause *p = mem_alloc(sizeof(*p));

	*p = (struct pause){.load = l, .look = look, .ctx = ctx, .unit = {.fd = -1}};
	p->map = sys_map_new(kern_machine(l->plan->env.kern), &map);
	if (p->map >= 0) {
		p->ring = ring_buffer__new(p->map, on_record, p, NULL);
		p->unit.fd = load_program(p);
	}
	if (p->ring && p->unit.fd >= 0)
		return p;
	pause_free(p);
	return NULL;
}

void pause_free(struct pause *p)
{
	if (!p)
		return;
	ring_buffer__free(p->ring);
	if (p->unit.fd >= 0)
		close(p->unit.fd);
	if (p->map >= 0)
		close(p->map);
	vec_free(&p->places);
	mem_free(p);
}

/*
 * Returns the mapping of the dynamic linker's code: the first one from its base address on.  If
 * mappings have one address, returns the latest.
 */
static struct proc_map *linker_of(struct proc *proc)
{
	uint64_t base = proc_auxv(proc->pid, AT_BASE);
	struct proc_map *found = NULL;

	for (unsigned int i = 0; base && i < proc->maps.n; i++) {
		struct proc_map *m = &proc->maps.a[i];

		if (m->start >= base && (!found || m->start <= found->start))
			found = m;
	}
	return found;
}

static bool has_place(const struct pause *p, uint32_t pid, const char *id)
{
	for (unsigned int i = 0; i < p->places.n; i++)
		if (p->places.a[i].pid == pid && strcmp(p->places.a[i].id, id) == 0)
			return true;
	return false;
}

static void attach(struct pause *p, struct proc *proc, struct proc_map *m, uint64_t off)
{
	struct plan *plan = p->load->plan;
	uint64_t host = kern_host_pid(plan->env.kern, proc->pid);
	uint64_t cookie = host << 32 | proc->pid;
	struct keeper_places at = {
	    .prog = p->unit.fd,
	    .file = proc_open(proc, m),
	    .event_type = p->unit.attach_type ? 0 : kern_event_type(plan->env.kern, "uprobe"),
	    .n = 1,
	    .offs = &off,
	    .cookies = &cookie};

	/* See process_attach. */
	at.pid = plan->opt.follows || proc->thread != proc->pid ? 0 : proc->pid;
	if (at.file < 0)
		return;
	if (keeper_attach(&plan->env.keeper, &at) == 0)
		vec_push(&p->places,
			 ((struct paused){proc->pid, arena_strdup(p->load->arena, m->id)}));
	close(at.file);
}

void pause_at(struct pause *p, struct proc *proc)
{
	struct proc_map *m = p ? linker_of(proc) : NULL;
	uint64_t off;

	if (m && !has_place(p, proc->pid, m->id) &&
	    proc_func_offset(p->load->plan->env.procs, proc, m, "_dl_debug_state", &off))
		attach(p, proc, m, off);
}

int pause_fd(const struct pause *p)
{
	return p ? ring_buffer__epoll_fd(p->ring) : -1;
}

void pause_read(struct pause *p)
{
	if (p)
		ring_buffer__consume(p->ring);
}
