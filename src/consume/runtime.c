/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runtime.c: names of frames of languages.  Functions are read soon after a BPF program has first
 * seen them, while their process lives.
 */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "proc/proc.h"
#include "proc/runtime.h"
#include "consume/consume.h"
#include "consume/runtime.h"
#include "load/backend.h"

struct runtimes {
	struct map *layouts;   /* struct runtime_layout by process */
	struct map *functions; /* struct runtime_code by number (abi.h) */
	struct map *names;     /* text by frame */
	struct map *frames;    /* by text: the first frame that has it */
	bool counts;	       /* the kernel side has the number of functions */
};

void runtime_init(struct consume *co)
{
	co->runtimes = mem_alloc(sizeof(*co->runtimes));
	co->runtimes->layouts = map_new();
	co->runtimes->functions = map_new();
	co->runtimes->names = map_new();
	co->runtimes->frames = map_new();
}

void runtime_fini(struct consume *co)
{
	struct runtime_layout *l;
	struct runtime_code *c;
	size_t pos = 0;

	while ((l = map_next(co->runtimes->layouts, &pos, NULL, NULL)) != NULL)
		mem_free(l);
	map_free(co->runtimes->layouts);
	pos = 0;
	while ((c = map_next(co->runtimes->functions, &pos, NULL, NULL)) != NULL)
		runtime_code_free(c);
	map_free(co->runtimes->functions);
	map_free(co->runtimes->names);
	map_free(co->runtimes->frames);
	mem_free(co->runtimes);
}

/* ---- processes and functions ---- */

static void met_function(void *arg, const void *key, const void *value)
{
	const struct runtime_layout *l;
	struct consume *co = arg;
	struct runtime_code *c;
	struct abi_lang_new new;
	uint64_t number;

	memcpy(&number, key, sizeof(number));
	memcpy(&new, value, sizeof(new));
	l = map_get_int(co->runtimes->layouts, new.pid);
	c = l ? l->runtime->read((uint32_t) new.pid, l, new.object) : NULL;
	if (!c)
		return;
	c->runtime = l->runtime;
	map_set_int(co->runtimes->functions, number, c);
}

/* Reads the functions that the kernel side has seen. */
static void read_new(struct consume *co)
{
	co->load->backend->take(co->load, co->plan->lang_new, met_function, co);
}

void runtime_forget(struct consume *co, uint32_t pid)
{
	struct runtime_layout *l = map_get_int(co->runtimes->layouts, pid);
	uint64_t key = pid;

	if (!l)
		return;
	co->load->backend->remove(co->load, co->plan->runtimes, &key);
	map_del(co->runtimes->layouts, &key, sizeof(key));
	mem_free(l);
}

/* Frames may be on their way, so the layout is replaced without being removed. */
static void know(struct consume *co, uint32_t pid, const struct runtime_layout *l)
{
	struct runtime_layout *known = map_get_int(co->runtimes->layouts, pid);
	uint64_t key = pid;

	if (!known) {
		known = mem_alloc(sizeof(*known));
		map_set_int(co->runtimes->layouts, pid, known);
	}
	*known = *l;
	co->load->backend->update(co->load, co->plan->runtimes, &key, &l->frames, BPF_ANY);
	if (!co->runtimes->counts) {
		const struct abi_runtime none = {.kind = ABI_RUNTIMES};

		key = 0;
		co->load->backend->update(co->load, co->plan->runtimes, &key, &none, BPF_ANY);
		co->runtimes->counts = true;
	}
}

void runtime_learn(struct consume *co, struct proc *p)
{
	struct runtime_layout l;

	if (!co->plan->runtimes || p->far)
		return;
	if (runtime_find(co->plan->env.procs, p, &l))
		know(co, p->pid, &l);
	else
		runtime_forget(co, p->pid);
	read_new(co);
}

void runtime_fork(struct consume *co, uint32_t parent, uint32_t child)
{
	const struct runtime_layout *l = map_get_int(co->runtimes->layouts, parent);

	if (l)
		know(co, child, l);
}

/* ---- names ---- */

/* The record with a frame may arrive before the notice of its function. */
static const char *make_name(struct consume *co, uint64_t frame)
{
	uint64_t number = (frame & ~ABI_FRAME_LANG) >> ABI_LANG_AT_BITS;
	const struct runtime_code *c = map_get_int(co->runtimes->functions, number);

	if (!c) {
		read_new(co);
		c = map_get_int(co->runtimes->functions, number);
	}
	if (!c)
		return NULL;
	if (!c->file)
		return arena_printf(co->arena, "[internal]:%s", c->func);
	return arena_printf(co->arena, "%s:%s:%d", c->file, c->func,
			    c->runtime->line(c, (uint32_t)(frame & ABI_LANG_AT_MAX)));
}

int runtime_name(struct consume *co, uint64_t frame, struct out_sym *res)
{
	const char *name = map_get_int(co->runtimes->names, frame);

	if (!name) {
		name = make_name(co, frame);
		if (!name)
			return -ENOENT;
		map_set_int(co->runtimes->names, frame, (void *)name);
	}
	*res = (struct out_sym){.text = name};
	return 0;
}

uint64_t runtime_same(struct consume *co, uint64_t frame)
{
	struct out_sym sym;
	uint64_t *first;

	if (!(frame & ABI_FRAME_LANG) || frame == ABI_FRAME_LOST ||
	    runtime_name(co, frame, &sym) != 0)
		return frame;
	first = map_get_str(co->runtimes->frames, sym.text);
	if (!first) {
		first = arena_new_obj(co->arena, uint64_t);
		*first = frame;
		map_set_str(co->runtimes->frames, sym.text, first);
	}
	return *first;
}
