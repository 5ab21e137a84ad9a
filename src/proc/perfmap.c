/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfmap.c: the file grows while the process runs, so new lines or records are read when an
 * address is not found.  The process writes it and is not trusted.  Everything is bounded, and the
 * content can only become a name in the output.
 *
 * The form of a dump is in tools/perf/Documentation/jitdump-specification.txt of the kernel.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clocks.h"
#include "base/file.h"
#include "base/vec.h"
#include "proc/image.h"
#include "proc/perfmap.h"
#include "proc/proc.h"

#define MAP_DIR	  "/tmp"	/* perf(1) looks there in the process's root */
#define FILE_MAX  (64ULL << 20) /* bytes that are read */
#define FUNCS_MAX 1000000U
#define LINE_SIZE 1024U
#define DUMP_MAX  (4ULL << 30) /* bytes of a dump, which also has the code; only names are read */
#define RECORDS	  100000U      /* of a dump in one reading */
#define MOVES	  64U	       /* of functions in one reading: each sorts all */
#define LOOK_BACK 64U	       /* functions before an address that may reach it */

/* Reading may take 1/TIME_PART of a processor, and TIME_MORE nanoseconds in addition. */
#define TIME_PART 20U
#define TIME_MORE 50000000U

struct func {
	uint64_t start, size;
	uint32_t name;	 /* in names */
	uint32_t number; /* in the file: a function may replace older ones */
};

struct perfmap {
	int fd;
	uint64_t done;		/* bytes read, whole lines */
	VEC(struct func) funcs; /* the sorted ones by address, then by number */
	unsigned int sorted;
	struct buf names;
	uint64_t opened, spent; /* ns */
	bool is_cut;		/* the file exceeds a limit */
	bool is_dump;
};

static int func_cmp(const void *a, const void *b)
{
	const struct func *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Parses "7f0102030405 1f LazyCompile:~f a.js:1". */
static void add_line(struct perfmap *pm, char *line)
{
	struct func f = {.name = (uint32_t)pm->names.n, .number = pm->funcs.n};
	char *end;

	f.start = strtoull(line, &end, 16);
	if (end == line || *end != ' ')
		return;
	line = end;
	f.size = strtoull(line, &end, 16);
	if (end == line || *end != ' ' || !end[1] || !f.size)
		return;
	pm->is_cut |= pm->funcs.n >= FUNCS_MAX;
	if (pm->is_cut)
		return;
	buf_clean(++end);
	buf_add(&pm->names, end, strlen(end) + 1);
	vec_push(&pm->funcs, f);
}

/* An incomplete line waits for the next reading, unless it is too long. */
static size_t add_lines(struct perfmap *pm, char *text, size_t n)
{
	size_t at = 0;

	while (at < n) {
		char *end = memchr(text + at, '\n', n - at);

		if (!end)
			return n - at > LINE_SIZE ? n : at;
		*end = '\0';
		if (end - (text + at) <= LINE_SIZE)
			add_line(pm, text + at);
		at = (size_t)(end - text) + 1;
	}
	return at;
}

/* Sorts the new functions, and merges them with those before. */
static void merge(struct perfmap *pm)
{
	unsigned int from = pm->sorted, n = pm->funcs.n - from, to = pm->funcs.n;
	struct func *new = mem_alloc(n * sizeof(*new));

	pm->sorted = pm->funcs.n;

	memcpy(new, pm->funcs.a + from, n * sizeof(*new));
	qsort(new, n, sizeof(*new), func_cmp);
	while (n) {
		if (from && func_cmp(&pm->funcs.a[from - 1], &new[n - 1]) > 0)
			pm->funcs.a[--to] = pm->funcs.a[--from];
		else
			pm->funcs.a[--to] = new[--n];
	}
	mem_free(new);
}

static void read_lines(struct perfmap *pm)
{
	static _Thread_local char chunk[65536];
	ssize_t n;

	while (pm->done < FILE_MAX &&
	       (n = pread(pm->fd, chunk, sizeof(chunk), (off_t)pm->done)) > 0) {
		size_t used = add_lines(pm, chunk, (size_t)n);

		if (!used)
			break;
		pm->done += used;
	}
	pm->is_cut |= pm->done >= FILE_MAX;
}

/* ---- dumps ---- */

#define DUMP_MAGIC 0x4a695444 /* "JiTD" in the byte order of the machine */

struct dump_head {
	uint32_t magic, version, size, machine, pad, pid;
	uint64_t time, flags;
};

enum { DUMP_LOAD, DUMP_MOVE };

/* The start of a record, and of a function that was made or moved. */
struct dump_record {
	uint32_t id, size;
	uint64_t time;
	uint32_t pid, tid;
	uint64_t vma, addr;
	uint64_t to_or_size; /* DUMP_MOVE: the new address; the size follows */
	uint64_t size_or_index;
};

#define DUMP_PREFIX 16 /* bytes of every record */

static const struct func *find(const struct perfmap *pm, uint64_t addr);

static void add_made(struct perfmap *pm, const struct dump_record *r, char *name)
{
	struct func f = {r->addr, r->to_or_size, (uint32_t)pm->names.n, (uint32_t)pm->funcs.n};

	pm->is_cut |= pm->funcs.n >= FUNCS_MAX;
	if (pm->is_cut || !f.size || !*name)
		return;
	buf_clean(name);
	buf_add(&pm->names, name, strlen(name) + 1);
	vec_push(&pm->funcs, f);
}

static void add_moved(struct perfmap *pm, const struct dump_record *r)
{
	struct func f = {r->to_or_size, r->size_or_index, 0, (uint32_t)pm->funcs.n};
	const struct func *old;

	merge(pm);
	old = find(pm, r->addr);
	pm->is_cut |= pm->funcs.n >= FUNCS_MAX;
	if (!old || pm->is_cut || !f.size)
		return;
	f.name = old->name;
	vec_push(&pm->funcs, f);
}

/* Returns false if the record is not complete yet, or if it is none. */
static bool read_record(struct perfmap *pm, unsigned int *nmoves)
{
	struct {
		struct dump_record r;
		char name[LINE_SIZE];
	} in;
	ssize_t n = pread(pm->fd, &in, sizeof(in), (off_t)pm->done);
	size_t need = sizeof(in.r);

	if (n < DUMP_PREFIX || in.r.size < DUMP_PREFIX)
		return false;
	if (in.r.id == DUMP_LOAD || in.r.id == DUMP_MOVE) {
		if ((size_t)n < need || in.r.size < need)
			return false;
		if (in.r.id == DUMP_MOVE && (*nmoves)++ < MOVES)
			add_moved(pm, &in.r);
		else if (in.r.id == DUMP_LOAD && (size_t)n == sizeof(in))
			in.name[LINE_SIZE - 1] = '\0';
		else if (in.r.id != DUMP_LOAD || (size_t)n == need ||
			 !memchr(in.name, '\0', (size_t)n - need))
			return false;
		if (in.r.id == DUMP_LOAD)
			add_made(pm, &in.r, in.name);
	}
	pm->done += in.r.size;
	return true;
}

static void read_records(struct perfmap *pm)
{
	unsigned int nmoves = 0;
	struct dump_head head;

	if (!pm->done) {
		if (pread(pm->fd, &head, sizeof(head), 0) != sizeof(head) ||
		    head.magic != DUMP_MAGIC || head.size < sizeof(head))
			return;
		pm->done = head.size;
	}
	for (unsigned int i = 0; i < RECORDS && !pm->is_cut && pm->done < DUMP_MAX; i++)
		if (!read_record(pm, &nmoves))
			break;
	pm->is_cut |= pm->done >= DUMP_MAX;
}

/* Reads what is new.  Returns false if there is nothing. */
static bool read_new(struct perfmap *pm)
{
	unsigned int had = pm->funcs.n;

	if (pm->is_dump)
		read_records(pm);
	else
		read_lines(pm);
	if (pm->funcs.n == had)
		return false;
	merge(pm);
	return true;
}

/* The process decides how often its file grows, so reading has a limited share of the time. */
static bool read_more(struct perfmap *pm)
{
	uint64_t begin = clock_thread();
	bool res;

	if (pm->spent > TIME_MORE + (clock_ns() - pm->opened) / TIME_PART)
		return false;
	res = read_new(pm);
	pm->spent += clock_thread() - begin;
	return res;
}

static const struct func *find(const struct perfmap *pm, uint64_t addr)
{
	unsigned int next = vec_after(&pm->funcs, start, addr);
	const struct func *best = NULL;

	for (unsigned int i = next; i-- > 0 && next - i <= LOOK_BACK;) {
		const struct func *f = &pm->funcs.a[i];

		if (addr - f->start < f->size && (!best || f->number > best->number))
			best = f;
	}
	return best;
}

const char *perfmap_find(struct perfmap *pm, uint64_t addr, uint64_t *start)
{
	const struct func *f = find(pm, addr);

	if (!f && read_more(pm))
		f = find(pm, addr);
	if (!f)
		return NULL;
	*start = f->start;
	return pm->names.s + f->name;
}

struct perfmap *perfmap_new(int fd)
{
	struct perfmap *pm = mem_alloc(sizeof(*pm));

	pm->fd = fd;
	pm->opened = clock_ns();
	return pm;
}

struct perfmap *perfmap_new_dump(int fd)
{
	struct perfmap *pm = perfmap_new(fd);

	pm->is_dump = true;
	return pm;
}

bool perfmap_is_dump(const char *path)
{
	static const char begin[] = "jit-", end[] = ".dump";
	const char *base = strrchr(path, '/');
	size_t digits;

	if (!base || strncmp(++base, begin, strlen(begin)) != 0)
		return false;
	base += strlen(begin);
	digits = strspn(base, "0123456789");
	return digits && strcmp(base + digits, end) == 0;
}

bool perfmap_is_cut(const struct perfmap *pm)
{
	return pm->is_cut;
}

/* Returns the process's own number, the last one of the line; 0: it has gone. */
static unsigned long own_pid(uint32_t pid)
{
	char path[64], line[256], *at;
	unsigned long n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	f = file_stream(path);
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "NSpid: %lu", &n) == 1)
			for (at = line + strlen("NSpid:"); *at && *at != '\n';)
				n = strtoul(at, &at, 10);
	if (f)
		fclose(f);
	return n;
}

struct perfmap *perfmap_open(uint32_t pid, uint32_t thread)
{
	unsigned long own = own_pid(pid);
	char path[128];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u", pid);
	if (!own || stat(path, &st) != 0)
		return NULL;
	snprintf(path, sizeof(path), "/proc/%u/root%s/perf-%lu.map", thread, MAP_DIR, own);
	fd = file_open_own(path, st.st_uid);
	return fd < 0 ? NULL : perfmap_new(fd);
}

void perfmap_free(struct perfmap *pm)
{
	if (!pm)
		return;
	close(pm->fd);
	vec_free(&pm->funcs);
	buf_free(&pm->names);
	mem_free(pm);
}
