/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * split.c: presents the types of the kernel and of its modules as one BTF.  The BTF of a module is
 * split: in the file, ids and names of every module start where the kernel's own end.  When a
 * module is read, they are renumbered to follow all existing ones, so that ids and name offsets are
 * unique.  A module is read when it is named.
 */
#include <assert.h>
#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "kern/priv.h"
#include "sys/bpf.h"
#include "sys/machine.h"

/* ---- moving ---- */

static void move(uint32_t *n, uint32_t base, uint32_t first)
{
	if (*n >= base)
		*n += first - base;
}

/* Returns true for kinds whose type word, a size in other kinds, refers to a type. */
static bool refers(unsigned int kind)
{
	switch (kind) {
	case BTF_KIND_PTR:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FUNC_PROTO:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
	case BTF_KIND_TYPE_TAG:
		return true;
	default:
		return false;
	}
}

struct mover {
	uint32_t base_ids, first_id, base_names, first_name;
};

static void move_id(const struct mover *m, uint32_t *id)
{
	move(id, m->base_ids, m->first_id);
}

static void move_name(const struct mover *m, uint32_t *off)
{
	move(off, m->base_names, m->first_name);
}

/* Moves the data after struct btf_type. */
static void move_rest(const struct mover *m, struct btf_type *t)
{
	unsigned int n = btf_vlen(t);

	switch (btf_kind(t)) {
	case BTF_KIND_ARRAY:
		move_id(m, &btf_array(t)->type);
		move_id(m, &btf_array(t)->index_type);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		for (unsigned int i = 0; i < n; i++) {
			move_name(m, &btf_members(t)[i].name_off);
			move_id(m, &btf_members(t)[i].type);
		}
		break;
	case BTF_KIND_ENUM:
		for (unsigned int i = 0; i < n; i++)
			move_name(m, &btf_enum(t)[i].name_off);
		break;
	case BTF_KIND_ENUM64:
		for (unsigned int i = 0; i < n; i++)
			move_name(m, &btf_enum64(t)[i].name_off);
		break;
	case BTF_KIND_FUNC_PROTO:
		for (unsigned int i = 0; i < n; i++) {
			move_name(m, &btf_params(t)[i].name_off);
			move_id(m, &btf_params(t)[i].type);
		}
		break;
	case BTF_KIND_DATASEC:
		for (unsigned int i = 0; i < n; i++)
			move_id(m, &btf_var_secinfos(t)[i].type);
		break;
	default:
		break;
	}
}

void kern_btf_move(const struct kern_btf *b, struct btf_type *t)
{
	struct mover m = {b->base->count, b->first, b->base->str_len, b->str_first};

	move_name(&m, &t->name_off);
	if (refers(btf_kind(t)))
		move_id(&m, &t->type);
	move_rest(&m, t);
}

/* ---- reading ---- */

static void read_btf(struct kern *k, struct kern_btf *b, const char *path)
{
	if (k->machine->is_here)
		kern_btf_read(b, path);
	else
		kern_btf_fetch(k, b, path);
}

static struct kern_btf *own(struct kern *k)
{
	struct kern_btf *b;

	if (k->btfs.n)
		return k->btfs.a[0];
	b = mem_alloc(sizeof(*b));
	read_btf(k, b, k->btf_path);
	vec_push(&k->btfs, b);
	return b;
}

/* Files of modules are in the kernel's folder. */
static const char *folder(struct kern *k)
{
	const char *end = strrchr(k->btf_path, '/');

	return arena_strndup(k->arena, k->btf_path, end ? (size_t)(end - k->btf_path) : 0);
}

static bool is_own(const char *module)
{
	return !module || !*module || strcmp(module, "vmlinux") == 0;
}

/* A module without BTF is kept, too, without types. */
static struct kern_btf *btf_of(struct kern *k, const char *module)
{
	struct kern_btf *b = own(k), *last;

	if (is_own(module))
		return b;
	for (unsigned int i = 1; i < k->btfs.n; i++)
		if (strcmp(k->btfs.a[i]->module, module) == 0)
			return k->btfs.a[i];
	last = vec_last(&k->btfs);
	b = mem_alloc(sizeof(*b));
	b->module = arena_strdup(k->arena, module);
	b->base = own(k);
	b->first = last->first + last->count;
	b->str_first = last->str_first + last->str_len;
	if (b->base->count && !strchr(module, '/'))
		read_btf(k, b, arena_printf(k->arena, "%s/%s", folder(k), module));
	vec_push(&k->btfs, b);
	return b;
}

static void read_module(void *ctx, const char *name)
{
	btf_of(ctx, name);
}

static void read_all(struct kern *k)
{
	if (!k->all_btfs)
		sys_list(k->machine, folder(k), read_module, k);
	k->all_btfs = true;
}

void kern_btf_unload(struct kern *k)
{
	for (unsigned int i = 0; i < k->btfs.n; i++) {
		if (k->btfs.a[i]->fd > 0)
			sys_close(k->machine, k->btfs.a[i]->fd);
		kern_btf_free(k->btfs.a[i]);
	}
	vec_free(&k->btfs);
}

/* ---- queries ---- */

uint32_t kern_btf_count(struct kern *k)
{
	return own(k)->count;
}

uint32_t kern_btf_end(struct kern *k)
{
	const struct kern_btf *last = own(k);

	last = vec_last(&k->btfs);
	return last->first + last->count;
}

static struct kern_btf *owner(struct kern *k, uint32_t id)
{
	own(k);
	for (unsigned int i = 0; id && i < k->btfs.n; i++)
		if (id - k->btfs.a[i]->first < k->btfs.a[i]->count)
			return k->btfs.a[i];
	return NULL;
}

const struct btf_type *kern_btf_type(struct kern *k, uint32_t id)
{
	const struct kern_btf *b = owner(k, id);

	return b ? kern_btf_at(b, id) : NULL;
}

const char *kern_btf_name(struct kern *k, uint32_t name_off)
{
	const struct kern_btf *b = own(k);

	for (unsigned int i = 1; name_off >= b->str_first + b->str_len && i < k->btfs.n; i++)
		b = k->btfs.a[i];
	return kern_btf_text(b, name_off);
}

uint32_t kern_btf_find(struct kern *k, const char *name, unsigned int kind)
{
	return kern_btf_search(own(k), name, kind);
}

uint32_t kern_btf_find_in(struct kern *k, const char *module, const char *name, unsigned int kind)
{
	return kern_btf_search(btf_of(k, module), name, kind);
}

uint32_t kern_btf_find_modules(struct kern *k, const char *name, unsigned int kind, bool all)
{
	uint32_t id = 0;

	own(k);
	if (all)
		read_all(k);
	for (unsigned int i = 1; !id && i < k->btfs.n; i++)
		id = kern_btf_search(k->btfs.a[i], name, kind);
	return id;
}

uint32_t kern_btf_enumerator(struct kern *k, const char *name, int64_t *value)
{
	uint32_t id = kern_btf_search_enumerators(own(k), name, value);

	for (unsigned int i = 1; !id && i < k->btfs.n; i++)
		id = kern_btf_search_enumerators(k->btfs.a[i], name, value);
	return id;
}

bool kern_btf_percpu(struct kern *k, const char *name, uint32_t *off)
{
	uint32_t var = kern_btf_find(k, name, BTF_KIND_VAR);
	uint32_t id = var ? kern_btf_search_section(own(k), ".data..percpu") : 0;
	const struct btf_type *section = id ? kern_btf_type(k, id) : NULL;

	for (unsigned int i = 0; section && i < btf_vlen(section); i++) {
		*off = btf_var_secinfos(section)[i].offset;
		if (btf_var_secinfos(section)[i].type == var)
			return true;
	}
	return false;
}

/* ---- tracepoints ---- */

static int tp_cmp(const void *a, const void *b)
{
	return strcmp(((const struct kern_tp *)a)->name, ((const struct kern_tp *)b)->name);
}

static void find_tracepoints(struct kern *k, struct kern_btf *b)
{
	static const char prefix[] = "btf_trace_";

	for (uint32_t i = 0; i < b->named.n; i++) {
		uint32_t id = b->named.a[i];
		const struct btf_type *t = kern_btf_at(b, id), *ptr, *proto;
		const char *name = kern_btf_text(b, t->name_off);

		if (btf_kind(t) != BTF_KIND_TYPEDEF ||
		    strncmp(name, prefix, sizeof(prefix) - 1) != 0)
			continue;
		ptr = kern_btf_type(k, t->type);
		proto = ptr && btf_kind(ptr) == BTF_KIND_PTR ? kern_btf_type(k, ptr->type) : NULL;
		if (!proto || btf_kind(proto) != BTF_KIND_FUNC_PROTO)
			continue;
		vec_push(&b->tps,
			 ((struct kern_tp){name + sizeof(prefix) - 1, b->module, ptr->type, id}));
	}
	if (b->tps.n)
		qsort(b->tps.a, b->tps.n, sizeof(*b->tps.a), tp_cmp);
	b->tps_done = true;
}

const struct kern_tp *kern_tracepoints(struct kern *k, const char *module, size_t *n)
{
	struct kern_btf *b = btf_of(k, module);

	if (!b->tps_done)
		find_tracepoints(k, b);
	*n = b->tps.n;
	return b->tps.a;
}

const char *kern_btf_module(struct kern *k, unsigned int i)
{
	own(k);
	read_all(k);
	return i + 1 < k->btfs.n ? k->btfs.a[i + 1]->module : NULL;
}

void kern_btf_funcs(struct kern *k, kern_found_func *found, void *ctx)
{
	own(k);
	read_all(k);
	for (unsigned int i = 0; i < k->btfs.n; i++) {
		const struct kern_btf *b = k->btfs.a[i];

		for (uint32_t id = b->first + !i; id < b->first + b->count; id++) {
			const struct btf_type *t = kern_btf_at(b, id);

			if (btf_kind(t) == BTF_KIND_FUNC)
				found(ctx, i ? b->module : "vmlinux",
				      kern_btf_text(b, t->name_off));
		}
	}
}

/* ---- references of programs ---- */

#define OBJECTS_MAX 65536 /* maximum number of BTF objects to examine */

/* The kernel numbers its BTF objects, in any order. */
static int find_fd(struct machine *m, const char *module)
{
	uint32_t id = 0;

	for (unsigned int n = 0; n < OBJECTS_MAX && sys_btf_next(m, id, &id) == 0; n++) {
		char name[64] = "";
		struct bpf_btf_info info;
		int fd = sys_btf_by_id(m, id);

		if (fd >= 0 && sys_btf_info(m, fd, &info, name, sizeof(name)) == 0 &&
		    info.kernel_btf && strcmp(name, module) == 0)
			return fd;
		if (fd >= 0)
			sys_close(m, fd);
	}
	return -1;
}

uint32_t kern_btf_ref(struct kern *k, uint32_t id, int *fd)
{
	struct kern_btf *b = owner(k, id);

	*fd = 0;
	if (!b || !b->base)
		return id;
	if (!b->fd)
		b->fd = find_fd(k->machine, b->module);
	*fd = b->fd > 0 ? b->fd : 0;
	return id - b->first + b->base->count;
}
