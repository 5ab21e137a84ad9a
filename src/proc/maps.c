/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * maps.c: the mappings of a process, from /proc/PID/maps of this machine or of a target.  They are
 * added to the known mappings, which include mappings that the process no longer has.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/clocks.h"
#include "base/file.h"
#include "base/map.h"
#include "proc/far.h"
#include "proc/maps_priv.h"
#include "proc/perfmap.h"

/*
 * Each unknown address causes another reading, and the mappings of a large process take long to
 * read.  So a pause follows each slow reading.  A process may skip some pauses, because a program
 * that has just started maps libraries between two of its first firings.
 */
#define FAST_NS	 5000000    /* the longest reading without a pause */
#define PAUSE	 10	    /* the pause, as a multiple of the time of the reading */
#define BURST_NS 1000000000 /* sum of the pauses that a process may skip */

#define LINE_SIZE (PROC_PATH_MAX + 128)

/*
 * All 64-bit processes share one copy.  A 32-bit process has another object, which is read from its
 * memory.  The process could have changed the object, so other processes do not share the copy.
 */
static void set_vdso(struct proc *p, struct proc_range r)
{
	struct buf id = {0};

	if (p->vdso.start == r.start && p->vdso.end == r.end)
		return;
	if (r.end <= UINT32_MAX)
		buf_printf(&id, "%u ", p->pid);
	buf_puts(&id, PROC_VDSO);
	mem_free(p->vdso.id);
	p->vdso =
	    (struct proc_map){.start = r.start, .end = r.end, .object = p->vdso.object, .id = id.s};
	p->vdso.path = id.s + id.n - strlen(PROC_VDSO);
}

/* Adds code that does not come from a file. */
static void add_made(struct proc *p, const char *line, const char *name, struct proc_range r)
{
	p->made_end = r.end;
	if (map_get_str(p->known, line))
		return;
	map_set_str(p->known, line, p);
	if (strcmp(name, PROC_VDSO) == 0)
		set_vdso(p, r);
	else if (p->made.n < MAPS_MAX)
		vec_push(&p->made, r);
}

#define RESERVED_MIN (1 << 20) /* bytes; smaller ones guard against overruns */

/* Adds memory without access that follows such code: the process has reserved it for more. */
static void add_reserved(struct proc *p, const char *line, struct proc_range r)
{
	if (r.start != p->made_end || r.end - r.start < RESERVED_MIN ||
	    map_get_str(p->known, line) || p->reserved.n == MAPS_MAX)
		return;
	map_set_str(p->known, line, p);
	vec_push(&p->reserved, r);
}

struct proc_map maps_copy(const struct proc_map *m)
{
	struct proc_map copy = *m;

	copy.id = mem_strdup(m->id);
	copy.path = copy.id + (m->path - m->id);
	copy.object = NULL;
	copy.is_again = false;
	return copy;
}

/* Marks the first mapping of a file, because look-ups use that one. */
static void meet_again(struct proc *p, const struct proc_map *m)
{
	for (unsigned int i = 0; i < p->maps.n; i++) {
		struct proc_map *known = &p->maps.a[i];

		if (known->object && !known->object->is_read && strcmp(known->id, m->id) == 0)
			known->is_again = true;
	}
}

void maps_add(struct proc *p, const struct proc_map *m)
{
	struct buf key = {0};
	uintptr_t at;

	buf_printf(&key, "%llx-%llx %llx %s", (unsigned long long)m->start,
		   (unsigned long long)m->end, (unsigned long long)m->off, m->id);
	at = (uintptr_t)map_get_str(p->known, buf_str(&key));
	if (at) {
		p->maps.a[at - 1].is_again = true;
	} else if (p->maps.n < MAPS_MAX) {
		meet_again(p, m);
		vec_push(&p->maps, maps_copy(m));
		map_set_str(p->known, buf_str(&key), (void *)(uintptr_t)p->maps.n);
	}
	buf_free(&key);
}

/* A line of /proc/PID/maps: "start-end perm offset device inode   path". */
struct line {
	unsigned long long start, end, off;
	char perm[8], device[32], inode[32];
	const char *name; /* path, or a word in brackets, or "" */
};

static bool parse_line(const char *text, struct line *l)
{
	int at = 0;

	if (sscanf(text, "%llx-%llx %7s %llx %31s %31s %n", &l->start, &l->end, l->perm, &l->off,
		   l->device, l->inode, &at) < 6 ||
	    !at)
		return false;
	l->name = text + at;
	return true;
}

static void add_line(struct proc *p, const char *text)
{
	struct buf id = {0};
	struct proc_map m;
	struct line l;
	size_t n;

	if (!parse_line(text, &l))
		return;
	if (strncmp(l.perm, "---", 3) == 0 && !*l.name)
		add_reserved(p, text, (struct proc_range){l.start, l.end});
	if (l.perm[2] != 'x')
		return;
	if (*l.name != '/') {
		add_made(p, text, l.name, (struct proc_range){l.start, l.end});
		return;
	}
	buf_printf(&id, "%s %s ", l.device, l.inode);
	n = id.n;
	buf_puts(&id, l.name);
	m = (struct proc_map){
	    .start = l.start, .end = l.end, .off = l.off, .id = id.s, .path = id.s + n};
	maps_add(p, &m);
	buf_free(&id);
}

/* A line that is too long is skipped whole, so that no part of it looks like another line. */
static bool next_line(FILE *f, char *line, int size)
{
	bool is_whole = true, ends;

	for (; fgets(line, size, f); is_whole = ends) {
		size_t n = strlen(line);

		ends = n && line[n - 1] == '\n';
		if (ends)
			line[n - 1] = '\0';
		if (is_whole && ends)
			return true;
	}
	return false;
}

static void read_lines(struct proc *p, FILE *f)
{
	char line[LINE_SIZE];

	while (next_line(f, line, sizeof(line)))
		add_line(p, line);
}

bool maps_find(const struct proc *p, const char *id, struct proc_range *res)
{
	char path[64], line[LINE_SIZE];
	struct buf b = {0};
	bool found = false;
	struct line l;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/maps", p->thread);
	f = file_stream(path);
	while (f && !found && next_line(f, line, sizeof(line))) {
		if (!parse_line(line, &l) || *l.name != '/')
			continue;
		buf_reset(&b);
		buf_printf(&b, "%s %s %s", l.device, l.inode, l.name);
		found = strcmp(buf_str(&b), id) == 0;
		*res = (struct proc_range){l.start, l.end};
	}
	if (f)
		fclose(f);
	buf_free(&b);
	return found;
}

static int read_far(struct proc *p)
{
	struct buf maps = {0}, exe = {0};
	int r = far_read(p->far, p->pid, &maps, &exe);
	char *save = NULL;

	for (char *line = r == 0 && maps.n ? strtok_r(maps.s, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save))
		add_line(p, line);
	mem_free(p->exe);
	p->exe = mem_strdup(buf_str(&exe));
	buf_free(&maps);
	buf_free(&exe);
	return r;
}

static int read_here(struct proc *p)
{
	char path[PATH_MAX];
	FILE *f;

	p->thread = proc_thread(p->pid);
	snprintf(path, sizeof(path), "/proc/%u/maps", p->thread);
	f = file_stream(path);
	if (!f)
		return -errno;
	read_lines(p, f);
	fclose(f);
	mem_free(p->exe);
	p->exe = mem_strdup(proc_exe_path(p->thread, path));
	if (p->made.n && !p->perfmap)
		p->perfmap = perfmap_open(p->pid, p->thread);
	return 0;
}

int proc_read(struct proc *p)
{
	uint64_t begin = clock_thread(), took;
	int r = p->far ? read_far(p) : read_here(p);

	if (r)
		return r;
	took = clock_thread() - begin;
	if (took > FAST_NS) {
		uint64_t now = clock_ns();

		p->read_due = (p->read_due > now ? p->read_due : now) + took * PAUSE;
	}
	return 0;
}

void proc_read_again(struct proc *p)
{
	if (clock_ns() + BURST_NS >= p->read_due)
		proc_read(p);
}
