/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind.c: facts for unwinding the stacks of processes in the kernel (abi.h).  These are the
 * mappings of each known process, and the unwind table of each mapped file, in pages.
 *
 * A table belongs to a file, because many processes can map it.  When the map is full, tables of
 * unmapped files and facts about ended processes are removed.  Facts about ended processes are also
 * removed each time the number of processes has doubled.
 */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/map.h"
#include "base/mem.h"
#include "proc/proc.h"
#include "proc/unwind.h"
#include "consume/consume.h"
#include "consume/runtime.h"
#include "consume/unwind.h"
#include "load/backend.h"

#define WAIT_MIN   10000000ULL	  /* ns until an unknown address is reported again */
#define WAIT_MAX   10000000000ULL /* maximum; the wait doubles while nothing new is found */
#define SPACES_MIN 64		  /* minimum number of processes for a search for ended ones */
#define FAR_PC	   UINT32_MAX

struct table {
	char *id;
	uint64_t number;      /* 0: no rows, or no room for them */
	struct unwind unwind; /* without the rows, which are in the kernel */
	unsigned int npages, nusers;
	bool is_read;
};

struct space {
	uint32_t pid;
	uint64_t mm;
	unsigned int nmaps; /* number of known mappings */
	uint64_t wait;
	VEC(struct table *) tables; /* used by its ranges */
	bool is_held; /* a caller has a pointer to it, while tables that it needs make room */
};

struct unwinder {
	struct map *tables; /* by id of the mapping */
	struct map *spaces; /* by pid */
	uint64_t ntables;
	size_t look_at; /* number of spaces at which to search for ended processes */
	bool is_full;	/* has been reported */
	bool has_cut;	/* has been reported: a process has more ranges than fit */
	bool is_large;	/* has been reported: a file has more rows than fit */
};

/* ---- elements of the map ---- */

static bool put(struct consume *co, uint64_t of, uint64_t page, const void *value)
{
	struct abi_unwind_key key = {.of = of, .page = page};
	const struct backend *backend = co->load->backend;

	return backend->update(co->load, co->plan->unwind, &key, value, BPF_ANY);
}

static void take_out(struct consume *co, uint64_t of, uint64_t page)
{
	struct abi_unwind_key key = {.of = of, .page = page};

	co->load->backend->remove(co->load, co->plan->unwind, &key);
}

static void free_table(struct table *t)
{
	unwind_free(&t->unwind);
	mem_free(t->id);
	mem_free(t);
}

static void drop_table(struct consume *co, struct table *t)
{
	for (unsigned int i = 0; t->number && i <= t->npages; i++)
		take_out(co, ABI_UNWIND_TABLE | t->number, i);
	map_del(co->unwinder->tables, t->id, strlen(t->id));
	free_table(t);
}

static void drop_space(struct consume *co, struct space *s)
{
	uint64_t pid = s->pid;

	take_out(co, pid, 0);
	for (unsigned int i = 0; i < s->tables.n; i++)
		s->tables.a[i]->nusers--;
	vec_free(&s->tables);
	map_del(co->unwinder->spaces, &pid, sizeof(pid));
	mem_free(s);
}

static void drop_ended(struct consume *co)
{
	VEC(struct space *) ended = {0};
	struct space *s;
	size_t pos = 0;

	while ((s = map_next(co->unwinder->spaces, &pos, NULL, NULL)) != NULL)
		if (!s->is_held && kill((pid_t)s->pid, 0) != 0 && errno == ESRCH)
			vec_push(&ended, s);
	for (unsigned int i = 0; i < ended.n; i++)
		drop_space(co, ended.a[i]);
	vec_free(&ended);
}

static void drop_unused(struct consume *co)
{
	VEC(struct table *) unused = {0};
	struct table *t;
	size_t pos = 0;

	while ((t = map_next(co->unwinder->tables, &pos, NULL, NULL)) != NULL)
		if (!t->nusers)
			vec_push(&unused, t);
	for (unsigned int i = 0; i < unused.n; i++)
		drop_table(co, unused.a[i]);
	vec_free(&unused);
}

/* Makes room in the map if possible. */
static void make_room(struct consume *co)
{
	drop_ended(co);
	drop_unused(co);
}

static void tell_full(struct consume *co, const char *what)
{
	if (!co->unwinder->is_full)
		report_error(co->report,
			     "no room for the unwind tables of %s: its stacks follow frame "
			     "pointers (see option unwindsize)",
			     what);
	co->unwinder->is_full = true;
}

static void tell_cut(struct consume *co, const struct proc *p)
{
	if (syms_withhold(co))
		return;
	if (!co->unwinder->has_cut)
		report_error(co->report,
			     "process %u (%s) has code in more than %d places: stacks that reach "
			     "the others end there",
			     p->pid, p->exe, ABI_UNWIND_RANGES);
	co->unwinder->has_cut = true;
}

static void tell_large(struct consume *co, const char *what)
{
	if (syms_withhold(co))
		return;
	if (!co->unwinder->is_large)
		report_error(
		    co->report,
		    "%s has too many unwind tables: stacks that reach the last ones follow "
		    "frame pointers",
		    what);
	co->unwinder->is_large = true;
}

/* ---- tables ---- */

static bool put_rows(struct consume *co, struct table *t, const struct unwind *uw)
{
	uint32_t *first = mem_alloc(ABI_UNWIND_SIZE);
	struct abi_unwind_row *rows = mem_alloc(ABI_UNWIND_SIZE);
	uint64_t of = ABI_UNWIND_TABLE | t->number;
	bool ok = true;

	memset(first, 0xff, ABI_UNWIND_SIZE);
	for (; ok && t->npages * ABI_UNWIND_ROWS < uw->rows.n; t->npages++) {
		unsigned int from = t->npages * ABI_UNWIND_ROWS, n = uw->rows.n - from;

		n = n < ABI_UNWIND_ROWS ? n : ABI_UNWIND_ROWS;
		memcpy(rows, uw->rows.a + from, n * sizeof(*rows));
		for (; n < ABI_UNWIND_ROWS; n++)
			rows[n] = (struct abi_unwind_row){.pc = FAR_PC};
		first[t->npages] = rows[0].pc;
		ok = put(co, of, t->npages + 1, rows);
	}
	ok = ok && put(co, of, 0, first);
	mem_free(first);
	mem_free(rows);
	return ok;
}

/* Reads the table of the file open as fd, which it closes.  what: name of the file. */
static void read_table(struct consume *co, struct table *t, const char *what, int fd)
{
	struct unwind *uw = &t->unwind;
	struct unwind_source from = {what, procs_debug_dir(co->plan->env.procs)};

	t->is_read = true;
	unwind_read(uw, arch_native, fd, &from);
	close(fd);
	if (uw->is_cut)
		tell_large(co, what);
	t->number = uw->rows.n ? ++co->unwinder->ntables : 0;
	if (t->number && !put_rows(co, t, uw)) {
		t->nusers++;
		make_room(co);
		t->nusers--;
		t->npages = 0;
		if (!put_rows(co, t, uw)) {
			tell_full(co, what);
			t->number = 0;
		}
	}
	vec_free(&uw->rows);
}

/* Returns the table of a file, which is empty until the file can be read. */
static struct table *table_named(struct consume *co, const char *id)
{
	struct table *t = map_get_str(co->unwinder->tables, id);

	if (!t) {
		t = mem_alloc(sizeof(*t));
		t->id = mem_strdup(id);
		map_set_str(co->unwinder->tables, t->id, t);
	}
	return t;
}

/* A file may be missing at first and appear later. */
static struct table *table_of(struct consume *co, const struct proc *p, const struct proc_map *m)
{
	struct table *t = table_named(co, m->id);
	int fd = t->is_read ? -1 : proc_open(p, m);

	if (fd >= 0)
		read_table(co, t, m->path, fd);
	return t;
}

/* ---- processes ---- */

static int by_start(const void *x, const void *y)
{
	const struct abi_unwind_range *a = x, *b = y;

	return a->start < b->start ? -1 : a->start > b->start;
}

struct ranges {
	struct abi_unwind_space *to;
	unsigned int n;
	struct space *space;
	bool is_cut; /* some did not fit */
};

/* Adds a range.  The latest mapping replaces older ones. */
static void add_range(struct ranges *r, uint64_t start, uint64_t end, uint64_t moved,
		      struct table *t)
{
	struct abi_unwind_range *a = r->to->ranges;

	for (unsigned int i = 0; i < r->n; i++)
		if (start < a[i].end && end > a[i].start)
			return;
	/* The vsyscall page has an address of the kernel. */
	if (end > INT64_MAX)
		return;
	r->is_cut |= r->n == ABI_UNWIND_RANGES;
	if (r->is_cut)
		return;
	if (t) {
		t->nusers++;
		vec_push(&r->space->tables, t);
	}
	a[r->n++] = (struct abi_unwind_range){
	    .start = start,
	    .end = end,
	    .moved = t ? moved + t->unwind.base : 0,
	    .table = t && t->number ? ABI_UNWIND_TABLE | t->number : 0,
	};
}

/* Code of a runtime comes first, because it lies in mappings without tables. */
static void add_runtime(struct consume *co, const struct proc *p, struct ranges *r)
{
	uint64_t start, end;
	enum abi_code code = runtime_code(co, p->pid, &start, &end);

	if (code) {
		add_range(r, start, end, 0, NULL);
		r->to->ranges[r->n - 1].table = code;
	}
}

static void add_mappings(struct consume *co, struct proc *p, struct ranges *r)
{
	add_runtime(co, p, r);
	for (unsigned int i = p->maps.n; i-- > 0;) {
		struct proc_map *m = &p->maps.a[i];
		struct table *t = table_of(co, p, m);
		uint64_t moved;

		if (unwind_moved(&t->unwind, m, &moved))
			add_range(r, m->start, m->end, moved, t);
		else
			add_range(r, m->start, m->end, 0, NULL);
	}
	if (p->vdso.end && !p->far)
		add_range(r, p->vdso.start, p->vdso.end, p->vdso.start, table_of(co, p, &p->vdso));
	for (unsigned int i = p->made.n; i-- > 0;)
		add_range(r, p->made.a[i].start, p->made.a[i].end, 0, NULL);
	for (unsigned int i = p->reserved.n; i-- > 0;)
		add_range(r, p->reserved.a[i].start, p->reserved.a[i].end, 0, NULL);
}

/* Returns true if the registers and words of the process have another size. */
static bool is_foreign(struct consume *co, struct proc *p)
{
	for (unsigned int i = 0; i < p->maps.n; i++)
		if (proc_is_exe(p, &p->maps.a[i]))
			return !table_of(co, p, &p->maps.a[i])->unwind.is_native;
	return false;
}

static struct space *space_of(struct consume *co, uint32_t pid, uint64_t mm)
{
	struct unwinder *u = co->unwinder;
	struct space *s = map_get_int(u->spaces, pid);

	if (s && s->mm && mm && s->mm != mm) {
		drop_space(co, s);
		s = NULL;
	}
	if (!s) {
		if (map_count(u->spaces) >= u->look_at) {
			drop_ended(co);
			u->look_at = 2 * map_count(u->spaces) + SPACES_MIN;
		}
		s = mem_alloc(sizeof(*s));
		s->pid = pid;
		map_set_int(u->spaces, pid, s);
	}
	if (mm)
		s->mm = mm;
	return s;
}

/* The wait grows while nothing new is found. */
static uint64_t next_wait(const struct space *s, const struct proc *p)
{
	if (!s->wait || s->nmaps != p->maps.n + p->made.n + p->reserved.n)
		return WAIT_MIN;
	return s->wait * 2 < WAIT_MAX ? s->wait * 2 : WAIT_MAX;
}

static void fill(struct consume *co, struct space *s, struct proc *p,
		 struct abi_unwind_space *value)
{
	struct ranges r = {.to = value, .space = s};
	unsigned int had = s->tables.n;

	add_mappings(co, p, &r);
	if (r.is_cut)
		tell_cut(co, p);
	for (unsigned int i = 0; i < had; i++)
		s->tables.a[i]->nusers--;
	if (had)
		memmove(s->tables.a, s->tables.a + had, (s->tables.n - had) * sizeof(*s->tables.a));
	s->tables.n -= had;
	qsort(value->ranges, r.n, sizeof(*value->ranges), by_start);
	for (unsigned int i = r.n; i < ABI_UNWIND_RANGES; i++)
		value->ranges[i].start = value->ranges[i].end = INT64_MAX;
	s->wait = next_wait(s, p);
	s->nmaps = p->maps.n + p->made.n + p->reserved.n;
	value->mm = s->mm;
	value->wait = s->wait;
	value->due = co->load->backend->now(co->load) + s->wait;
}

void unwind_learn(struct consume *co, struct proc *p, uint64_t mm)
{
	struct abi_unwind_space *value;
	struct space *s;

	if (!co->plan->unwind || is_foreign(co, p))
		return;
	value = mem_alloc(sizeof(*value));
	s = space_of(co, p->pid, mm);
	s->is_held = true;
	fill(co, s, p, value);
	s->is_held = false;
	if (!put(co, p->pid, 0, value)) {
		make_room(co);
		if (map_get_int(co->unwinder->spaces, p->pid) && !put(co, p->pid, 0, value))
			tell_full(co, p->exe);
	}
	mem_free(value);
}

bool unwind_knows(const struct consume *co, uint32_t pid)
{
	return map_get_int(co->unwinder->spaces, pid) != NULL;
}

/* A child begins with the mappings of its parent. */
void unwind_fork(struct consume *co, uint32_t parent, uint32_t child)
{
	struct space *from = map_get_int(co->unwinder->spaces, parent), *s;
	struct abi_unwind_key key = {.of = parent};
	struct abi_unwind_space *value;

	if (!from || unwind_knows(co, child))
		return;
	value = mem_alloc(sizeof(*value));
	if (co->load->backend->lookup(co->load, co->plan->unwind, &key, value)) {
		value->mm = ABI_MM_FORKED;
		from->is_held = true;
		s = space_of(co, child, 0);
		from->is_held = false;
		s->nmaps = from->nmaps;
		for (unsigned int i = 0; i < from->tables.n; i++) {
			vec_push(&s->tables, from->tables.a[i]);
			from->tables.a[i]->nusers++;
		}
		if (!put(co, child, 0, value))
			drop_space(co, s);
	}
	mem_free(value);
}

void unwind_forget(struct consume *co, uint32_t pid)
{
	struct space *s = map_get_int(co->unwinder->spaces, pid);

	if (s)
		drop_space(co, s);
}

void unwind_init(struct consume *co)
{
	co->unwinder = mem_alloc(sizeof(*co->unwinder));
	co->unwinder->tables = map_new();
	co->unwinder->spaces = map_new();
	co->unwinder->look_at = SPACES_MIN;
}

void unwind_fini(struct consume *co)
{
	struct unwinder *u = co->unwinder;
	struct table *t;
	struct space *s;
	size_t pos = 0;

	while ((s = map_next(u->spaces, &pos, NULL, NULL)) != NULL) {
		vec_free(&s->tables);
		mem_free(s);
	}
	pos = 0;
	while ((t = map_next(u->tables, &pos, NULL, NULL)) != NULL)
		free_table(t);
	map_free(u->spaces);
	map_free(u->tables);
	mem_free(u);
}
