/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reader.c: queries libdw in a jail, and checks its answers.
 *
 * An answer consists of numbers of 64 bits and of texts.  A text is its length with the NUL as a
 * number, and its bytes.  The length 0 stands for NULL.
 */
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/map.h"
#include "proc/dwarf_priv.h"
#include "proc/jail.h"
#include "proc/reader.h"

enum kind { ASK_FUNCTION, ASK_TYPE, ASK_MEMBERS, ASK_PLACES, ASK_FIND, ASK_VARIABLE };

struct question {
	uint64_t kind, arg;
	char name[INFO_NAME_MAX]; /* ASK_FIND */
};

_Static_assert(sizeof(struct question) <= JAIL_QUESTION_MAX, "questions of a jail");

struct places {
	unsigned int n;
	struct reader_place a[];
};

struct reader {
	struct debug_dir *dir;
	const char *path;
	const struct dw *dw;
	struct arena *arena;
	struct intern *texts;
	struct map *places; /* struct places, by address */
	int fd, shared_fd;  /* -1: none, or the jail owns it */
	uid_t owner;	    /* of the file */
	struct jail *jail;  /* NULL: not started yet */

	/* inside the jail */
	struct dwarf_bytes file, shared; /* from NULL: none */
	bool is_open;
	struct dwarf *dwarf; /* NULL: not open, or not readable */
};

/* ---- inside: answers questions ---- */

static void put(struct buf *b, uint64_t n)
{
	buf_add(b, &n, sizeof(n));
}

static void put_text(struct buf *b, const char *text)
{
	size_t n = text ? strlen(text) + 1 : 0;

	put(b, n);
	buf_add(b, text, n);
}

static void put_members(struct buf *b, const info_list *list)
{
	put(b, list->n);
	for (unsigned int i = 0; i < list->n; i++) {
		const struct info_member *m = &list->a[i];

		put_text(b, m->name);
		put(b, m->type);
		put(b, m->bit_off);
		put(b, m->bits);
		put(b, (uint64_t)m->value);
		put(b, m->before_table);
	}
}

static void put_param(struct buf *b, const struct info_param *p)
{
	put_text(b, p->name);
	put(b, p->type);
	put(b, p->where);
	put(b, p->npieces);
	for (unsigned int i = 0; i < p->npieces; i++) {
		put(b, p->pieces[i].kind);
		put(b, p->pieces[i].reg);
		put(b, (uint64_t)p->pieces[i].n);
		put(b, p->pieces[i].size);
	}
}

static void put_function(struct dwarf *d, uint64_t addr, struct buf *to)
{
	struct info_function f = {.language = INFO_C};

	put(to, dwarf_function(d, addr, &f));
	put(to, f.language);
	put(to, f.is_free);
	put(to, f.lacks_types);
	put(to, f.is_split);
	put(to, f.params.n);
	for (unsigned int i = 0; i < f.params.n; i++)
		put_param(to, &f.params.a[i]);
	put(to, f.results.n);
	for (unsigned int i = 0; i < f.results.n; i++)
		put(to, f.results.a[i]);
	info_function_free(&f);
}

static void put_type(struct dwarf *d, info_ref ref, struct buf *to)
{
	struct info_type t = {.kind = INFO_VOID};

	dwarf_type(d, ref, &t);
	put(to, t.kind);
	put_text(to, t.name);
	put(to, t.size);
	put(to, t.is_signed);
	put(to, t.is_bool);
	put(to, t.is_declared);
	put(to, t.is_by_reference);
	put(to, t.to);
	put(to, t.identity);
}

static void put_places(struct dwarf *d, uint64_t addr, struct buf *to)
{
	struct arena *a = arena_new();
	struct reader_place places[DWARF_PLACES_MAX];
	unsigned int n = dwarf_places(d, addr, places, a);

	put(to, n);
	for (unsigned int i = 0; i < n; i++) {
		put_text(to, places[i].func);
		put_text(to, places[i].file);
		put(to, (uint64_t)places[i].line);
	}
	arena_free(a);
}

static void put_found(struct dwarf *d, const char *name, struct buf *to)
{
	bool is_ambiguous;

	put(to, dwarf_find(d, name, &is_ambiguous));
	put(to, is_ambiguous);
}

static void put_variable(struct dwarf *d, uint64_t addr, struct buf *to)
{
	info_ref type = 0;

	put(to, dwarf_variable(d, addr, &type));
	put(to, type);
}

static struct dwarf_bytes map_file(int fd)
{
	struct stat st;
	char *p;

	if (fd < 0 || fstat(fd, &st) != 0 || st.st_size <= 0)
		return (struct dwarf_bytes){NULL, NULL};
	p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd,
		 0);
	if (p == MAP_FAILED)
		return (struct dwarf_bytes){NULL, NULL};
	return (struct dwarf_bytes){p, p + st.st_size};
}

static void begin(void *ctx)
{
	struct reader *r = ctx;

	r->file = map_file(r->fd);
	r->shared = map_file(r->shared_fd);
}

static void answer(void *ctx, const void *question, size_t n, struct buf *to)
{
	struct reader *r = ctx;
	struct question q = {0};

	memcpy(&q, question, n < sizeof(q) ? n : sizeof(q));
	if (!r->is_open) {
		r->is_open = true;
		r->dwarf = dwarf_open(r->dw, r->file, r->shared);
	}
	if (!r->dwarf)
		return;
	switch ((enum kind)q.kind) {
	case ASK_FUNCTION:
		put_function(r->dwarf, q.arg, to);
		break;
	case ASK_TYPE:
		put_type(r->dwarf, q.arg, to);
		break;
	case ASK_MEMBERS: {
		info_list list = {0};

		dwarf_members(r->dwarf, q.arg, &list);
		put_members(to, &list);
		vec_free(&list);
		break;
	}
	case ASK_PLACES:
		put_places(r->dwarf, q.arg, to);
		break;
	case ASK_FIND:
		put_found(r->dwarf, q.name, to);
		break;
	case ASK_VARIABLE:
		put_variable(r->dwarf, q.arg, to);
		break;
	}
}

/* ---- outside: checks answers ---- */

/*
 * Opens a file with a part of a unit.  It belongs to the owner of the file that names it, or to
 * root.
 */
static int open_split(void *ctx, const char *path)
{
	const struct reader *r = ctx;
	int fd = *path == '/' ? file_open_own(path, r->owner) : -1;
	struct image im;
	bool is_split;

	if (fd < 0)
		return -1;
	is_split = image_read(&im, fd) && image_find(&im, ".debug_info.dwo");
	image_free(&im);
	if (is_split)
		return fd;
	close(fd);
	return -1;
}

struct reader *reader_open(int fd, const char *path, struct debug_dir *dir)
{
	const struct dw *dw = dw_open();
	struct stat st;
	struct arena *a;
	struct reader *r;

	if (!dw) {
		close(fd);
		return NULL;
	}
	if (fstat(fd, &st) != 0)
		st.st_uid = 0;
	a = arena_new();
	r = arena_new_obj(a, struct reader);
	*r = (struct reader){.dir = dir,
			     .path = arena_strdup(a, path),
			     .dw = dw,
			     .arena = a,
			     .texts = intern_new(a),
			     .places = map_new(),
			     .fd = fd,
			     .owner = st.st_uid,
			     .shared_fd = -1};
	return r;
}

static void close_files(struct reader *r)
{
	if (r->fd >= 0)
		close(r->fd);
	if (r->shared_fd >= 0)
		close(r->shared_fd);
	r->fd = r->shared_fd = -1;
}

void reader_close(struct reader *r)
{
	if (!r)
		return;
	jail_free(r->jail);
	close_files(r);
	map_free(r->places);
	intern_free(r->texts);
	dw_close(r->dw);
	arena_free(r->arena);
}

/* The rest of an answer.  is_bad: it ended too early, or is invalid. */
struct answer {
	struct buf b;
	size_t at;
	bool is_bad;
};

static bool ask_question(struct reader *r, const struct question *q, struct answer *a)
{
	*a = (struct answer){0};
	if (!r->jail) {
		r->shared_fd = debug_shared_open(r->fd, r->dir);
		r->jail = jail_new(&(struct jail_reader){
		    .begin = begin, .answer = answer, .open = open_split, .ctx = r});
		close_files(r);
	} else if (jail_error(r->jail)) {
		return false;
	}
	if (jail_ask(r->jail, q, sizeof(*q), &a->b))
		return a->b.n > 0;
	debug_failed(r->dir, r->path, jail_error(r->jail));
	return false;
}

static bool ask(struct reader *r, enum kind kind, uint64_t arg, struct answer *a)
{
	struct question q = {kind, arg, ""};

	return ask_question(r, &q, a);
}

static uint64_t get(struct answer *a)
{
	uint64_t n = 0;

	a->is_bad = a->is_bad || a->b.n - a->at < sizeof(n);
	if (a->is_bad)
		return 0;
	memcpy(&n, a->b.s + a->at, sizeof(n));
	a->at += sizeof(n);
	return n;
}

/* Returns a number up to max. */
static uint64_t get_upto(struct answer *a, uint64_t max)
{
	uint64_t n = get(a);

	a->is_bad = a->is_bad || n > max;
	return a->is_bad ? 0 : n;
}

static const char *get_text(struct reader *r, struct answer *a)
{
	size_t n = get_upto(a, a->b.n);
	char *text = a->b.s + a->at;

	if (!n)
		return NULL;
	a->at += n;
	a->is_bad = a->at > a->b.n || text[n - 1];
	if (a->is_bad)
		return NULL;
	buf_clean(text);
	return intern_str(r->texts, text);
}

static void get_members(struct reader *r, struct answer *a, info_list *list)
{
	uint64_t n = get_upto(a, DWARF_MEMBERS_MAX);

	for (; n && !a->is_bad; n--) {
		struct info_member m = {.name = get_text(r, a)};

		m.type = get(a);
		m.bit_off = get(a);
		m.bits = (unsigned int)get_upto(a, UINT_MAX);
		m.value = (int64_t)get(a);
		m.before_table = get_upto(a, DWARF_TABLE_MAX);
		if (!a->is_bad)
			vec_push(list, m);
	}
}

static struct info_param get_param(struct reader *r, struct answer *a)
{
	struct info_param p = {.name = get_text(r, a), .type = get(a)};

	p.where = (enum info_where)get_upto(a, INFO_IN_PIECES);
	p.npieces = (unsigned int)get_upto(a, INFO_PIECES);
	for (unsigned int i = 0; i < p.npieces; i++) {
		p.pieces[i].kind = (enum info_piece_kind)get_upto(a, INFO_VALUE);
		p.pieces[i].reg = (uint32_t)get_upto(a, UINT32_MAX);
		p.pieces[i].n = (int64_t)get(a);
		p.pieces[i].size = (uint32_t)get_upto(a, UINT32_MAX);
	}
	return p;
}

static void get_function(struct reader *r, struct answer *a, struct info_function *res)
{
	res->language = (enum info_language)get_upto(a, INFO_GO);
	res->is_free = get_upto(a, 1);
	res->lacks_types = get_upto(a, 1);
	res->is_split = get_upto(a, 1);
	for (uint64_t n = get_upto(a, DWARF_PARAMS_MAX); n && !a->is_bad; n--)
		vec_push(&res->params, get_param(r, a));
	for (uint64_t n = get_upto(a, DWARF_PARAMS_MAX); n && !a->is_bad; n--)
		vec_push(&res->results, get(a));
}

bool reader_function(struct reader *r, uint64_t addr, struct info_function *res)
{
	struct answer a;
	bool is_known = ask(r, ASK_FUNCTION, addr, &a) && get_upto(&a, 1);

	if (is_known)
		get_function(r, &a, res);
	buf_free(&a.b);
	return is_known && !a.is_bad;
}

void reader_type(struct reader *r, info_ref ref, struct info_type *res)
{
	struct info_type t = {0};
	struct answer a;

	if (ask(r, ASK_TYPE, ref, &a)) {
		t.kind = (enum info_kind)get_upto(&a, INFO_FUNC);
		t.name = get_text(r, &a);
		t.size = get(&a);
		t.is_signed = get_upto(&a, 1);
		t.is_bool = get_upto(&a, 1);
		t.is_declared = get_upto(&a, 1);
		t.is_by_reference = get_upto(&a, 1);
		t.to = get(&a);
		t.identity = get(&a);
		if (!a.is_bad)
			*res = t;
	}
	buf_free(&a.b);
}

void reader_members(struct reader *r, info_ref ref, info_list *list)
{
	struct answer a;

	if (ask(r, ASK_MEMBERS, ref, &a))
		get_members(r, &a, list);
	buf_free(&a.b);
}

static struct places *get_places(struct reader *r, struct answer *a)
{
	uint64_t n = get_upto(a, DWARF_PLACES_MAX);
	struct places *res = arena_alloc(r->arena, sizeof(*res) + n * sizeof(*res->a));

	for (; res->n < n && !a->is_bad; res->n++) {
		struct reader_place *p = &res->a[res->n];

		p->func = get_text(r, a);
		p->file = get_text(r, a);
		p->line = (int)get_upto(a, INT_MAX);
	}
	if (a->is_bad)
		res->n = 0;
	return res;
}

const struct reader_place *reader_places(struct reader *r, uint64_t vaddr, unsigned int *n)
{
	static struct places none;
	struct places *found = map_get_int(r->places, vaddr);
	struct answer a;

	if (!found) {
		found = ask(r, ASK_PLACES, vaddr, &a) ? get_places(r, &a) : &none;
		buf_free(&a.b);
		map_set_int(r->places, vaddr, found);
	}
	*n = found->n;
	return found->a;
}

info_ref reader_find(struct reader *r, const char *name, bool *is_ambiguous)
{
	struct question q = {ASK_FIND, 0, ""};
	info_ref ref = 0;
	struct answer a;

	strcpy(q.name, name);
	if (ask_question(r, &q, &a)) {
		ref = get(&a);
		*is_ambiguous = get_upto(&a, 1);
	}
	buf_free(&a.b);
	return a.is_bad ? 0 : ref;
}

bool reader_variable(struct reader *r, uint64_t addr, info_ref *type)
{
	struct answer a;
	bool is_known = ask(r, ASK_VARIABLE, addr, &a) && get_upto(&a, 1);

	if (is_known)
		*type = get(&a);
	buf_free(&a.b);
	return is_known && !a.is_bad;
}
