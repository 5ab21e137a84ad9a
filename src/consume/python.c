/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * python.c: names of Python frames.  Code objects are read soon after a BPF program has first seen
 * them, while their process lives.  If Python frees one and makes another in its place, the new one
 * gets the name of the old one.
 */
#include <errno.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "proc/proc.h"
#include "proc/python.h"
#include "consume/consume.h"
#include "consume/python.h"
#include "load/backend.h"

struct python {
	struct map *layouts; /* struct python_layout by process */
	struct map *codes;   /* struct python_code by struct abi_python_code */
	struct map *names;   /* text by process and frame */
};

void python_init(struct consume *co)
{
	co->python = mem_alloc(sizeof(*co->python));
	co->python->layouts = map_new();
	co->python->codes = map_new();
	co->python->names = map_new();
}

void python_fini(struct consume *co)
{
	struct python_layout *l;
	struct python_code *c;
	size_t pos = 0;

	while ((l = map_next(co->python->layouts, &pos, NULL, NULL)) != NULL)
		mem_free(l);
	map_free(co->python->layouts);
	pos = 0;
	while ((c = map_next(co->python->codes, &pos, NULL, NULL)) != NULL)
		python_free(c);
	map_free(co->python->codes);
	map_free(co->python->names);
	mem_free(co->python);
}

/* ---- processes and code objects ---- */

static struct python_code *read_code(struct consume *co, const struct abi_python_code *key)
{
	const struct python_layout *l = map_get_int(co->python->layouts, key->pid);
	struct python_code *c = l ? python_read((uint32_t)key->pid, l, key->code) : NULL;

	if (c) {
		python_free(map_get(co->python->codes, key, sizeof(*key)));
		map_set(co->python->codes, key, sizeof(*key), c);
	}
	return c;
}

static void met_code(void *arg, const void *key, const void *value)
{
	read_code(arg, key);
}

void python_forget(struct consume *co, uint32_t pid)
{
	struct python_layout *l = map_get_int(co->python->layouts, pid);
	uint64_t key = pid;

	if (!l)
		return;
	co->load->backend->remove(co->load, co->plan->python, &key);
	map_del(co->python->layouts, &key, sizeof(key));
	mem_free(l);
}

/* Frames may be on their way, so the layout is replaced without being removed. */
static void know(struct consume *co, uint32_t pid, const struct python_layout *l)
{
	struct python_layout *known = map_get_int(co->python->layouts, pid);
	uint64_t key = pid;

	if (!known) {
		known = mem_alloc(sizeof(*known));
		map_set_int(co->python->layouts, pid, known);
	}
	*known = *l;
	co->load->backend->update(co->load, co->plan->python, &key, &l->frames, BPF_ANY);
}

void python_learn(struct consume *co, struct proc *p)
{
	struct python_layout l;

	if (!co->plan->python || p->far)
		return;
	if (python_find(co->plan->env.procs, p, &l))
		know(co, p->pid, &l);
	else
		python_forget(co, p->pid);
	co->load->backend->take(co->load, co->plan->python_new, met_code, co);
}

void python_fork(struct consume *co, uint32_t parent, uint32_t child)
{
	const struct python_layout *l = map_get_int(co->python->layouts, parent);

	if (l)
		know(co, child, l);
}

/* ---- names ---- */

/*
 * The record with a frame may arrive before the notice of its code object, so the object is read
 * now.
 */
static const char *make_name(struct consume *co, uint32_t pid, uint64_t frame)
{
	const struct abi_python_code key = {.pid = pid,
					    .code = (frame & ~ABI_FRAME_PYTHON) >>
						    ABI_PYTHON_CODE << ABI_PYTHON_ALIGN_BITS};
	const struct python_code *c = map_get(co->python->codes, &key, sizeof(key));

	c = c ? c : read_code(co, &key);
	return c ? arena_printf(co->arena, "%s:%s:%d", c->file, c->func,
				python_line(c, (uint32_t)(frame & ABI_PYTHON_AT_MAX)))
		 : NULL;
}

int python_name(struct consume *co, uint32_t pid, uint64_t frame, struct out_sym *res)
{
	const uint64_t key[] = {pid, frame};
	const char *name = map_get(co->python->names, key, sizeof(key));

	if (!name) {
		name = make_name(co, pid, frame);
		if (!name)
			return -ENOENT;
		map_set(co->python->names, key, sizeof(key), (void *)name);
	}
	*res = (struct out_sym){.text = name};
	return 0;
}
