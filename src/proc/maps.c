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

/* Adds code that does not come from a file. */
static void add_made(struct proc *p, const char *line, const char *name, struct proc_range r)
{
	p->made_end = r.end;
	if (map_get_str(p->known, line))
		return;
	map_set_str(p->known, line, p);
	if (strcmp(name, PROC_VDSO) == 0)
		p->vdso = r;
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

/* Parses one line of /proc/PID/maps: "start-end perm offset device inode   path". */
static void add_line(struct proc *p, const char *line)
{
	unsigned long long start, end, off;
	char perm[8], device[32], inode[32];
	struct buf id = {0};
	struct proc_map m;
	int at = 0;
	size_t n;

	if (sscanf(line, "%llx-%llx %7s %llx %31s %31s %n", &start, &end, perm, &off, device, inode,
		   &at) < 6 ||
	    !at)
		return;
	if (strncmp(perm, "---", 3) == 0 && !line[at])
		add_reserved(p, line, (struct proc_range){start, end});
	if (perm[2] != 'x')
		return;
	if (line[at] != '/') {
		add_made(p, line, line + at, (struct proc_range){start, end});
		return;
	}
	buf_printf(&id, "%s %s ", device, inode);
	n = id.n;
	buf_puts(&id, line + at);
	m = (struct proc_map){.start = start, .end = end, .off = off, .id = id.s, .path = id.s + n};
	maps_add(p, &m);
	buf_free(&id);
}

/* A line that is too long is skipped whole, so that no part of it looks like another line. */
static void read_lines(struct proc *p, FILE *f)
{
	char line[PROC_PATH_MAX + 128];
	bool is_whole = true;

	while (fgets(line, sizeof(line), f)) {
		size_t n = strlen(line);
		bool ends = n && line[n - 1] == '\n';

		if (ends)
			line[n - 1] = '\0';
		if (is_whole && ends)
			add_line(p, line);
		is_whole = ends;
	}
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
	f = fopen(path, "re");
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
