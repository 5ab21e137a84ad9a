/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proc.c: the known processes, and the files that they map.  maps.c reads the mappings.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clocks.h"
#include "base/file.h"
#include "base/map.h"
#include "proc/debug.h"
#include "proc/demangle.h"
#include "proc/gotable.h"
#include "proc/info.h"
#include "proc/image.h"
#include "proc/notes.h"
#include "proc/perfmap.h"
#include "proc/far.h"
#include "proc/maps_priv.h"
#include "proc/proc.h"
#include "proc/reader.h"

#define COST_MAX      (1ULL << 30) /* bytes of a process's objects; further ones have no symbols */
#define KEPT_MAX      (512ULL << 20) /* bytes of all objects; beyond it other processes are dropped */
#define NOTES_MAX     (256ULL << 20) /* bytes of the static probes of all files */
#define PERFMAP_PAUSE 100000000ULL   /* ns between two looks for the map of a process */
#define HELD_MAX      256	     /* files without a name that stay open */
#define DELETED	      " (deleted)"   /* the end of their paths in /proc/PID/maps */
#define ANCESTORS     16	     /* generations whose mappings a child may inherit */

/*
 * Limit of processes that only the kernel has reported.  It is below the number of process ids, so
 * that no id is reused within the list.
 */
#define EARLY_MAX 4096

/* Reports of the kernel about a process that nobody has requested yet; by then it can be gone. */
struct early {
	uint32_t pid, parent; /* parent 0: unknown */
	VEC(struct proc_map) maps;
	struct early *next; /* began later */
};

struct debug_info {
	struct info *info; /* NULL: none */
};

struct procs {
	struct arena *arena;
	struct map *by_pid;
	struct map *early_by_pid;
	struct early *early, **early_end; /* the oldest first */
	struct map *objects;		  /* by id of the mapping */
	struct map *notes;		  /* by id of the mapping, kept until the end */
	struct map *debug;		  /* by id of the mapping: struct debug_info */
	struct map *names;		  /* demangled names */
	struct map *files;		  /* paths of requested files */
	struct map *held_by_id; /* paths of open files without a name, by id of the mapping */
	VEC(int) held;		/* their descriptors */
	struct map *shared;	/* mappings of process PROC_SHARED, by build id or id: number + 1 */
	struct debug_dir debug_dir;
	struct far *far; /* remote machine; NULL: local */
	bool wants_source;
	unsigned int limit;
	uint64_t clock; /* counts uses */
	uint64_t cost;	/* of all objects */
	uint64_t notes_cost;
	void (*report)(void *arg, const char *text); /* may be NULL */
	void *report_arg;
	unsigned int reported; /* bits: enum limit */
};

/* Limits on files and processes. */
enum limit { LIMIT_NOTES, LIMIT_NOTES_ALL, LIMIT_PERFMAP, LIMIT_DEBUG, LIMIT_READER };

static void report_limit(struct procs *ps, enum limit kind, const char *name)
{
	static const char *const texts[] = {
	    [LIMIT_NOTES] = "has too many static probes: the last ones are missing",
	    [LIMIT_NOTES_ALL] = "has no static probes: other files have used the memory for them",
	    [LIMIT_PERFMAP] = "has too many functions in its perf map: the last ones have no names",
	    [LIMIT_DEBUG] = "names a debug file that is ignored: its checksum takes too long",
	};

	if (!ps->report || ps->reported & 1U << kind)
		return;
	ps->reported |= 1U << kind;
	ps->report(ps->report_arg, arena_printf(ps->arena, "%s %s", name, texts[kind]));
}

static void reader_failed(void *arg, const char *path, const char *why)
{
	struct procs *ps = arg;

	if (!ps->report || ps->reported & 1U << LIMIT_READER)
		return;
	ps->reported |= 1U << LIMIT_READER;
	ps->report(
	    ps->report_arg,
	    arena_printf(ps->arena, "could not use the debug information of %s: %s", path, why));
}

const uint32_t *procs_all(struct procs *ps, unsigned int *n)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	VEC(uint32_t) pids = {0};
	uint32_t *copy;

	while (dir && (entry = readdir(dir)) != NULL) {
		char *end;
		unsigned long pid = strtoul(entry->d_name, &end, 10);

		if (!*end && pid && pid <= INT_MAX)
			vec_push(&pids, (uint32_t)pid);
	}
	if (dir)
		closedir(dir);
	*n = pids.n;
	copy = arena_new_arr(ps->arena, uint32_t, pids.n);
	if (pids.n)
		memcpy(copy, pids.a, pids.n * sizeof(*copy));
	vec_free(&pids);
	return copy;
}

struct procs *procs_new(struct arena *a)
{
	struct procs *ps = arena_new_obj(a, struct procs);

	ps->arena = a;
	ps->by_pid = map_new();
	ps->early_by_pid = map_new();
	ps->early_end = &ps->early;
	ps->objects = map_new();
	ps->notes = map_new();
	ps->debug = map_new();
	ps->names = map_new();
	ps->files = map_new();
	ps->held_by_id = map_new();
	ps->shared = map_new();
	ps->limit = UINT_MAX;
	ps->debug_dir.path = "/usr/lib/debug";
	ps->debug_dir.failed = reader_failed;
	ps->debug_dir.failed_arg = ps;
	return ps;
}

static void release(struct procs *ps, struct proc_object *o)
{
	if (!o || --o->nusers)
		return;
	ps->cost -= o->cost;
	if (map_get_str(ps->objects, o->id) == o)
		map_del(ps->objects, o->id, strlen(o->id));
	proc_object_free(o);
}

static void free_proc(struct procs *ps, struct proc *p)
{
	for (unsigned int i = 0; i < p->maps.n; i++) {
		release(ps, p->maps.a[i].object);
		mem_free(p->maps.a[i].id);
	}
	release(ps, p->vdso.object);
	mem_free(p->vdso.id);
	vec_free(&p->maps);
	vec_free(&p->made);
	vec_free(&p->reserved);
	perfmap_free(p->perfmap);
	perfmap_free(p->dump);
	map_free(p->known);
	mem_free(p->exe);
	mem_free(p);
}

static void forget(struct procs *ps, struct proc *p)
{
	uint64_t pid = p->pid;

	map_del(ps->by_pid, &pid, sizeof(pid));
	free_proc(ps, p);
}

static void empty_early(struct early *t)
{
	for (unsigned int i = 0; i < t->maps.n; i++)
		mem_free(t->maps.a[i].id);
	t->maps.n = 0;
	t->parent = 0;
}

static void forget_early(struct procs *ps)
{
	struct early *t = ps->early;
	uint64_t pid = t->pid;

	ps->early = t->next;
	if (!ps->early)
		ps->early_end = &ps->early;
	map_del(ps->early_by_pid, &pid, sizeof(pid));
	empty_early(t);
	vec_free(&t->maps);
	mem_free(t);
}

void procs_free(struct procs *ps)
{
	struct debug_info *info;
	struct notes *ns;
	struct proc *p;
	size_t pos = 0;

	if (!ps)
		return;
	while ((p = map_next(ps->by_pid, &pos, NULL, NULL)) != NULL)
		forget(ps, p);
	while (ps->early)
		forget_early(ps);
	pos = 0;
	while ((ns = map_next(ps->notes, &pos, NULL, NULL)) != NULL)
		notes_free(ns);
	map_free(ps->notes);
	pos = 0;
	while ((info = map_next(ps->debug, &pos, NULL, NULL)) != NULL)
		info_close(info->info);
	map_free(ps->debug);
	far_free(ps->far);
	map_free(ps->names);
	map_free(ps->files);
	map_free(ps->held_by_id);
	for (unsigned int i = 0; i < ps->held.n; i++)
		close(ps->held.a[i]);
	vec_free(&ps->held);
	map_free(ps->shared);
	map_free(ps->objects);
	map_free(ps->early_by_pid);
	map_free(ps->by_pid);
}

void procs_set_far(struct procs *ps, struct machine *m)
{
	if (m && !ps->far)
		ps->far = far_new(m);
}

void procs_set_debugdir(struct procs *ps, const char *dir)
{
	ps->debug_dir.path = dir;
}

struct debug_dir *procs_debug_dir(struct procs *ps)
{
	return &ps->debug_dir;
}

void procs_set_report(struct procs *ps, void (*report)(void *arg, const char *text), void *arg)
{
	ps->report = report;
	ps->report_arg = arg;
}

void procs_set_source(struct procs *ps, bool is_wanted)
{
	ps->wants_source = is_wanted;
}

void procs_limit(struct procs *ps, unsigned int n)
{
	ps->limit = n ? n : 1;
}

/* Returns the least recently used process that may be dropped, and the number of such processes. */
static struct proc *oldest(const struct procs *ps, unsigned int *n)
{
	struct proc *p, *found = NULL;
	size_t pos = 0;

	*n = 0;
	while ((p = map_next(ps->by_pid, &pos, NULL, NULL)) != NULL) {
		*n += !p->is_pinned;
		if (!p->is_pinned && (!found || p->last_use < found->last_use))
			found = p;
	}
	return found;
}

static void make_room(struct procs *ps)
{
	struct proc *p;
	unsigned int n;

	while ((p = oldest(ps, &n)) != NULL && (n >= ps->limit || ps->cost > KEPT_MAX))
		forget(ps, p);
}

/* ---- processes ---- */

static struct proc *empty_proc(const struct procs *ps, uint32_t pid)
{
	struct proc *p = mem_alloc(sizeof(*p));

	p->far = ps->far;
	p->pid = p->thread = pid;
	p->exe = mem_strdup("");
	p->known = map_new();
	return p;
}

/* Adds reported mappings, and the mappings of the parent, because a process begins as a copy. */
static void add_early(const struct procs *ps, struct proc *p, uint32_t pid, unsigned int level)
{
	const struct early *t = map_get_int(ps->early_by_pid, pid);
	const struct proc *known = level ? map_get_int(ps->by_pid, pid) : NULL;

	if (t && t->parent && level < ANCESTORS)
		add_early(ps, p, t->parent, level + 1);
	for (unsigned int i = 0; known && i < known->maps.n; i++)
		maps_add(p, &known->maps.a[i]);
	for (unsigned int i = 0; t && i < t->maps.n; i++)
		maps_add(p, &t->maps.a[i]);
}

/* A process without mappings (any more) does not replace another. */
static struct proc *new_proc(struct procs *ps, uint32_t pid)
{
	struct early *t = map_get_int(ps->early_by_pid, pid);
	struct proc *p = empty_proc(ps, pid);
	int r;

	p->parent = t ? t->parent : 0;
	r = proc_read(p);
	/* The process may have ended during the reading; then it has no program. */
	if (!p->maps.n || !*p->exe)
		add_early(ps, p, pid, 0);
	if (p->maps.n) {
		if (t)
			empty_early(t);
		make_room(ps);
		map_set_int(ps->by_pid, pid, p);
		return p;
	}
	free_proc(ps, p);
	errno = r ? -r : ENOEXEC;
	return NULL;
}

struct proc *procs_get(struct procs *ps, uint32_t pid)
{
	struct proc *p = map_get_int(ps->by_pid, pid);

	p = p ? p : new_proc(ps, pid);
	if (p)
		p->last_use = ++ps->clock;
	return p;
}

static struct early *early_of(struct procs *ps, uint32_t pid)
{
	struct early *t = map_get_int(ps->early_by_pid, pid);

	if (t)
		return t;
	while (ps->early && (map_count(ps->early_by_pid) >= EARLY_MAX ||
			     map_count(ps->early_by_pid) >= ps->limit))
		forget_early(ps);
	t = mem_alloc(sizeof(*t));
	t->pid = pid;
	*ps->early_end = t;
	ps->early_end = &t->next;
	map_set_int(ps->early_by_pid, pid, t);
	return t;
}

void procs_mapped(struct procs *ps, uint32_t pid, const struct proc_map *m)
{
	struct proc *p = map_get_int(ps->by_pid, pid);
	struct early *t;

	if (p) {
		maps_add(p, m);
		return;
	}
	t = early_of(ps, pid);
	if (t->maps.n < MAPS_MAX)
		vec_push(&t->maps, maps_copy(m));
}

/*
 * The kernel may report mappings of the child before this.  An earlier process with the same number
 * is later in the list.
 */
void procs_fork(struct procs *ps, uint32_t parent, uint32_t child)
{
	struct proc *p = map_get_int(ps->by_pid, child);

	if (p)
		add_early(ps, p, parent, 1);
	else
		early_of(ps, child)->parent = parent;
}

/* ---- files ---- */

/* A process may map a file any number of times, so paths are kept once. */
static const char *kept_path(struct procs *ps, const char *path)
{
	const char *kept = map_get_str(ps->files, path);

	if (!kept) {
		kept = arena_strdup(ps->arena, path);
		map_set_str(ps->files, kept, (void *)kept);
	}
	return kept;
}

static bool is_deleted(const char *path)
{
	size_t n = strlen(path), nd = strlen(DELETED);

	return n > nd && strcmp(path + n - nd, DELETED) == 0;
}

/*
 * Returns a path to a file without a name, which stays open.  The kernel's link is no such path,
 * because a dynamic linker changes the mapping while the file is examined.
 */
static const char *held_path(struct procs *ps, const struct proc *p, const struct proc_map *m)
{
	const char *path = map_get_str(ps->held_by_id, m->id);
	int fd = path || ps->held.n == HELD_MAX ? -1 : proc_open(p, m);

	if (fd < 0)
		return path;
	path = arena_printf(ps->arena, "/proc/%d/fd/%d", (int)getpid(), fd);
	vec_push(&ps->held, fd);
	map_set_str(ps->held_by_id, arena_strdup(ps->arena, m->id), (void *)path);
	return path;
}

const char *proc_file(struct procs *ps, const struct proc *p, const struct proc_map *m)
{
	const char *held = !p->far && is_deleted(m->path) ? held_path(ps, p, m) : NULL;
	char buf[PROC_PATH_MAX];

	if (held)
		return held;
	return kept_path(ps, proc_find_file(p, m, buf, sizeof(buf)));
}

const char *proc_lasting_file(struct procs *ps, const struct proc *p, const struct proc_map *m)
{
	return !p->far && proc_is_mapped(m, m->path) ? kept_path(ps, m->path) : proc_file(ps, p, m);
}

const struct notes *proc_notes(struct procs *ps, const struct proc *p, const struct proc_map *m)
{
	static const struct notes unread;
	struct notes *ns = map_get_str(ps->notes, m->id);
	int fd;

	if (ns)
		return ns;
	if (ps->notes_cost > NOTES_MAX) {
		report_limit(ps, LIMIT_NOTES_ALL, m->path);
		return &unread;
	}
	/* The file may have vanished, and come back. */
	fd = proc_open(p, m);
	if (fd < 0)
		return &unread;
	ns = arena_new_obj(ps->arena, struct notes);
	map_set_str(ps->notes, m->id, ns);
	notes_read(ns, ps->arena, fd);
	close(fd);
	ps->notes_cost += ns->cost;
	if (ns->is_cut)
		report_limit(ps, LIMIT_NOTES, m->path);
	return ns;
}

static struct info *open_info(struct procs *ps, const char *id, const char *file)
{
	const char *path = strchr(id, '/');
	int fd = ps->far ? far_copy(ps->far, id, file) : file_open_ordinary(file);
	struct info *in = fd < 0 ? NULL : info_open(fd, path ? path : "", &ps->debug_dir);

	if (fd >= 0)
		close(fd);
	if (ps->debug_dir.is_cut)
		report_limit(ps, LIMIT_DEBUG, file);
	return in;
}

struct info *proc_info(struct procs *ps, const struct proc_object *o, const char *file)
{
	struct debug_info *known = map_get_str(ps->debug, o->id);

	if (!known) {
		known = arena_new_obj(ps->arena, struct debug_info);
		known->info = open_info(ps, o->id, file);
		map_set_str(ps->debug, o->id, known);
	}
	return known->info;
}

bool procs_lack_notes(const struct procs *ps, const char *id)
{
	const struct notes *ns = map_get_str(ps->notes, id);

	return ns && !ns->list.n;
}

/* Returns "sort" for "/usr/bin/sort (deleted)". */
char *proc_base(const struct proc_map *m)
{
	const char *slash = strrchr(m->path, '/');
	char *base = mem_strdup(slash ? slash + 1 : m->path);

	if (is_deleted(base))
		base[strlen(base) - strlen(DELETED)] = '\0';
	buf_clean(base);
	return base;
}

static void open_goplaces(struct proc_object *o, int fd)
{
	struct image im;

	if (image_read(&im, fd))
		o->goplaces = goplaces_open(&im);
	image_free(&im);
}

/* An object that cannot be read here, or exceeds the process's limit, is not kept for others. */
static struct proc_object *new_object(struct procs *ps, struct proc *p, struct proc_map *m)
{
	struct proc_object *o = mem_alloc(sizeof(*o));
	int fd, info;

	o->base = proc_base(m);
	o->id = mem_strdup(m->id);
	if (p->cost > COST_MAX)
		return o;
	fd = proc_open(p, m);
	if (fd < 0)
		return o;
	proc_object_read(o, fd, m->path, &ps->debug_dir);
	info = ps->wants_source ? debug_info_open(fd, m->path, &ps->debug_dir) : -1;
	if (ps->debug_dir.is_cut)
		report_limit(ps, LIMIT_DEBUG, m->path);
	if (info >= 0)
		o->reader = reader_open(info, m->path, &ps->debug_dir);
	else if (ps->wants_source && o->is_go)
		open_goplaces(o, fd);
	close(fd);
	ps->cost += o->cost;
	map_set_str(ps->objects, o->id, o);
	o->is_read = true;
	return o;
}

struct proc_object *proc_object(struct procs *ps, struct proc *p, struct proc_map *m)
{
	/* A process has executed a program with another size of words. */
	if (m == &p->vdso && m->object && strcmp(m->object->id, m->id) != 0) {
		release(ps, m->object);
		m->object = NULL;
	}
	/* The file vanished before it could be read, and has come back. */
	if (m->object && !m->object->is_read && m->is_again) {
		release(ps, m->object);
		m->object = NULL;
	}
	m->is_again = false;
	if (!m->object) {
		m->object = map_get_str(ps->objects, m->id);
		if (!m->object)
			m->object = new_object(ps, p, m);
		m->object->nusers++;
		p->cost += m->object->cost;
	}
	return m->object;
}

/* Bytes of addresses for each file. */
#define SHARED_ROOM (1ULL << 40)

/* Adds a file to PROC_SHARED. */
static uintptr_t share(struct procs *ps, struct proc_map *m)
{
	struct proc *all = map_get_int(ps->by_pid, PROC_SHARED);
	struct proc_map copy;

	if (!all) {
		all = empty_proc(ps, PROC_SHARED);
		all->is_pinned = true;
		map_set_int(ps->by_pid, PROC_SHARED, all);
	}
	if (all->maps.n >= MAPS_MAX)
		return 0;
	copy = maps_copy(m);
	copy.start = (all->maps.n + 1) * SHARED_ROOM;
	copy.end = copy.start + SHARED_ROOM;
	copy.off = 0;
	copy.object = m->object;
	copy.object->nusers++;
	vec_push(&all->maps, copy);
	return all->maps.n;
}

uint64_t proc_shared(struct procs *ps, struct proc *p, struct proc_map *m, uint64_t off)
{
	const struct proc_object *o = proc_object(ps, p, m);
	const char *key = o->build_id ? o->build_id : o->id;
	uintptr_t n = (uintptr_t)map_get_str(ps->shared, key);

	if (!n) {
		n = share(ps, m);
		map_set_str(ps->shared, key, (void *)n);
	}
	return n && off < SHARED_ROOM ? n * SHARED_ROOM + off : 0;
}

/* A process can make its file after the memory for its code. */
static void look_for_perfmap(struct proc *p)
{
	uint64_t now = clock_ns();

	if (p->far || now < p->perfmap_due || (p->perfmap && p->dump))
		return;
	if (!p->perfmap)
		p->perfmap = perfmap_open(p->pid, p->thread);
	for (unsigned int i = 0; i < p->maps.n && !p->dump; i++) {
		int fd = perfmap_is_dump(p->maps.a[i].path) ? proc_open(p, &p->maps.a[i]) : -1;

		if (fd >= 0)
			p->dump = perfmap_new_dump(fd);
	}
	p->perfmap_due = now + PERFMAP_PAUSE;
}

static const char *find_made(struct procs *ps, struct proc *p, struct perfmap *pm, uint64_t addr,
			     uint64_t *start)
{
	const char *name = pm ? perfmap_find(pm, addr, start) : NULL;

	if (pm && perfmap_is_cut(pm))
		report_limit(ps, LIMIT_PERFMAP, p->exe);
	return name;
}

const char *proc_made_at(struct procs *ps, struct proc *p, uint64_t addr, uint64_t *start)
{
	const char *name;

	look_for_perfmap(p);
	name = find_made(ps, p, p->perfmap, addr, start);
	return name ? name : find_made(ps, p, p->dump, addr, start);
}

const char *proc_source_name(struct procs *ps, const char *name)
{
	return demangle(ps->names, ps->arena, name);
}

bool proc_is_first(const struct proc *p, unsigned int map)
{
	for (unsigned int i = 0; i < map; i++)
		if (strcmp(p->maps.a[i].id, p->maps.a[map].id) == 0)
			return false;
	return true;
}

bool proc_is_exe(const struct proc *p, const struct proc_map *m)
{
	return strcmp(p->exe, m->path) == 0;
}

bool proc_func_offset(struct procs *ps, struct proc *p, struct proc_map *m, const char *name,
		      uint64_t *off)
{
	const struct proc_object *o = proc_object(ps, p, m);

	for (unsigned int i = 0; i < o->syms.n; i++)
		if (strcmp(o->syms.a[i].name, name) == 0 &&
		    proc_offset(o, o->syms.a[i].addr, off) && *off >= m->off &&
		    *off - m->off < m->end - m->start)
			return true;
	return false;
}

uint64_t proc_func_addr(struct procs *ps, struct proc *p, const char *name, bool is_exe)
{
	uint64_t off;

	for (unsigned int i = 0; i < p->maps.n; i++) {
		struct proc_map *m = &p->maps.a[i];

		if ((!is_exe || proc_is_exe(p, m)) && proc_func_offset(ps, p, m, name, &off))
			return m->start + (off - m->off);
	}
	return 0;
}
