/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proc.c: processes and their mappings, from /proc/PID.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/map.h"
#include "proc/proc.h"

struct procs {
	struct arena *arena;
	struct map *by_pid;
	struct map *objects; /* by id of the mapping */
};

struct procs *procs_new(struct arena *a)
{
	struct procs *ps = arena_new_obj(a, struct procs);

	ps->arena = a;
	ps->by_pid = map_new();
	ps->objects = map_new();
	return ps;
}

void procs_free(struct procs *ps)
{
	struct proc_object *o;
	struct proc *p;
	size_t pos = 0;

	if (!ps)
		return;
	while ((o = map_next(ps->objects, &pos, NULL, NULL)) != NULL) {
		vec_free(&o->syms);
		vec_free(&o->loads);
		vec_free(&o->plts);
		vec_free(&o->jumps);
	}
	for (pos = 0; (p = map_next(ps->by_pid, &pos, NULL, NULL)) != NULL;)
		vec_free(&p->maps);
	map_free(ps->objects);
	map_free(ps->by_pid);
}

static bool is_known(const struct proc *p, const struct proc_map *m)
{
	for (unsigned int i = 0; i < p->maps.n; i++) {
		const struct proc_map *k = &p->maps.a[i];

		if (k->start == m->start && k->end == m->end && k->off == m->off &&
		    strcmp(k->id, m->id) == 0)
			return true;
	}
	return false;
}

/* One line of /proc/PID/maps: "start-end perm offset device inode   path". */
static void add_map(struct procs *ps, struct proc *p, const char *line)
{
	unsigned long long start, end, off;
	char perm[8], device[32], inode[32], path[512] = "", id[600];
	struct proc_map m;

	if (sscanf(line, "%llx-%llx %7s %llx %31s %31s %511[^\n]", &start, &end, perm, &off, device,
		   inode, path) < 7 ||
	    perm[2] != 'x' || path[0] != '/')
		return;
	snprintf(id, sizeof(id), "%s %s %s", path, device, inode);
	m = (struct proc_map){start, end, off, path, id};
	if (is_known(p, &m))
		return;
	m.path = arena_strdup(ps->arena, path);
	m.id = arena_strdup(ps->arena, id);
	vec_push(&p->maps, m);
}

static const char *exe_path(struct procs *ps, uint32_t pid)
{
	char link[64], path[512];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%u/exe", pid);
	n = readlink(link, path, sizeof(path));
	return n < 0 ? "" : arena_strndup(ps->arena, path, (size_t)n);
}

int proc_read(struct procs *ps, struct proc *p)
{
	char path[64], line[1024];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/maps", p->pid);
	f = fopen(path, "re");
	if (!f)
		return -errno;
	while (fgets(line, sizeof(line), f))
		add_map(ps, p, line);
	fclose(f);
	p->exe = exe_path(ps, p->pid);
	return 0;
}

struct proc *procs_get(struct procs *ps, uint32_t pid)
{
	struct proc *p = map_get_int(ps->by_pid, pid);

	if (!p) {
		p = arena_new_obj(ps->arena, struct proc);
		p->pid = pid;
		p->exe = "";
		map_set_int(ps->by_pid, pid, p);
		proc_read(ps, p);
	}
	return p;
}

/* The link that the kernel keeps for each mapping; who may not follow it takes the name. */
const char *proc_file(struct procs *ps, const struct proc *p, const struct proc_map *m)
{
	const char *path = arena_printf(ps->arena, "/proc/%u/map_files/%llx-%llx", p->pid,
					(unsigned long long)m->start, (unsigned long long)m->end);

	if (access(path, R_OK) != 0)
		path = arena_printf(ps->arena, "/proc/%u/root%s", p->pid, m->path);
	return access(path, R_OK) == 0 ? path : m->path;
}

/* "/usr/bin/sort (deleted)" is called "sort". */
static const char *base_name(struct procs *ps, const char *path)
{
	static const char deleted[] = " (deleted)";
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	size_t n = strlen(base), nd = strlen(deleted);

	if (n > nd && strcmp(base + n - nd, deleted) == 0)
		n -= nd;
	return arena_strndup(ps->arena, base, n);
}

struct proc_object *proc_object(struct procs *ps, const struct proc *p, const struct proc_map *m)
{
	struct proc_object *o = map_get_str(ps->objects, m->id);

	if (!o) {
		o = proc_object_read(ps->arena, proc_file(ps, p, m), base_name(ps, m->path));
		map_set_str(ps->objects, m->id, o);
	}
	return o;
}

bool proc_is_exe(const struct proc *p, const struct proc_map *m)
{
	return strcmp(p->exe, m->path) == 0;
}

uint64_t proc_exe_addr(struct procs *ps, const struct proc *p, const char *name)
{
	for (unsigned int i = 0; i < p->maps.n; i++) {
		const struct proc_map *m = &p->maps.a[i];
		const struct proc_object *o;
		uint64_t off;

		if (!proc_is_exe(p, m))
			continue;
		o = proc_object(ps, p, m);
		for (unsigned int k = 0; k < o->syms.n; k++)
			if (strcmp(o->syms.a[k].name, name) == 0 &&
			    proc_offset(o, o->syms.a[k].addr, &off) && off >= m->off &&
			    off - m->off < m->end - m->start)
				return m->start + (off - m->off);
	}
	return 0;
}
