/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runtime.c: frames of languages.  Functions are read soon after a BPF program has first seen them,
 * while their process lives.
 *
 * A mixed stack has functions of a language between the functions of the process.  It replaces each
 * frame of a language by a frame for each function that is inlined there, and inserts the frames of
 * an interpreter where the loop of the interpreter runs.  A mixed stack of a key is stored once, so
 * that equal keys have one address.
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
	struct map *unread;    /* struct unread by struct function */
	struct named *unnamed; /* for the frames of these functions */
	struct map *same;      /* by number of a function that was unread: the number it has now */
	struct map *read;      /* by struct function: the number of a function that was read */
	struct map *parents;   /* by process that was forked: its parent */
	struct map *places;    /* struct named by frame of the kernel side */
	struct map *by_text;   /* the frame with a text */
	struct map *unknown;   /* versions that have been reported, by their text */
	VEC(const char *) texts; /* of the frames */
	struct map *loops;	 /* by process and address: whether it is in the loop */
	struct map *mixed;	 /* struct mixed by their frames */
	VEC(uint64_t) mixing;	 /* frames of the mixed stack so far */
};

/* Identity of a function on the kernel side. */
struct function {
	uint64_t pid, key, check;
};

/*
 * A function that could not be read.  Its object may have been the first of many, such as the
 * instances of a closure, so the kernel side reports the next one.
 */
#define READS_MAX 100
struct unread {
	VEC(uint64_t) numbers;
};

/* The frames that replace one of the kernel side. */
struct named {
	unsigned int n;
	uint64_t frames[];
};

void runtime_init(struct consume *co)
{
	co->runtimes = mem_alloc(sizeof(*co->runtimes));
	co->runtimes->layouts = map_new();
	co->runtimes->functions = map_new();
	co->runtimes->unread = map_new();
	co->runtimes->same = map_new();
	co->runtimes->read = map_new();
	co->runtimes->parents = map_new();
	co->runtimes->places = map_new();
	co->runtimes->by_text = map_new();
	co->runtimes->unknown = map_new();
	co->runtimes->loops = map_new();
	co->runtimes->mixed = map_new();
}

static void free_unread(struct unread *u)
{
	vec_free(&u->numbers);
	mem_free(u);
}

void runtime_fini(struct consume *co)
{
	struct runtime_layout *l;
	struct runtime_code *c;
	struct unread *u;
	size_t pos = 0;

	while ((l = map_next(co->runtimes->layouts, &pos, NULL, NULL)) != NULL)
		mem_free(l);
	map_free(co->runtimes->layouts);
	pos = 0;
	while ((c = map_next(co->runtimes->functions, &pos, NULL, NULL)) != NULL)
		runtime_code_free(c);
	map_free(co->runtimes->functions);
	pos = 0;
	while ((u = map_next(co->runtimes->unread, &pos, NULL, NULL)) != NULL)
		free_unread(u);
	map_free(co->runtimes->unread);
	map_free(co->runtimes->same);
	map_free(co->runtimes->read);
	map_free(co->runtimes->parents);
	map_free(co->runtimes->places);
	map_free(co->runtimes->by_text);
	map_free(co->runtimes->unknown);
	vec_free(&co->runtimes->texts);
	map_free(co->runtimes->loops);
	map_free(co->runtimes->mixed);
	vec_free(&co->runtimes->mixing);
	mem_free(co->runtimes);
}

/* ---- processes and functions ---- */

/*
 * Reads a function.  Returns NULL if it is unreadable, or not the one that the kernel side saw.
 * The check follows the reading: parts are missing if the thread has ended meanwhile.
 */
static struct runtime_code *read_function(const struct runtime_layout *l,
					  const struct abi_lang_new *new)
{
	const struct runtime *r = l->runtime;
	struct runtime_code *c = r->read((uint32_t) new->pid, l, new);

	if (c && r->check && r->check((uint32_t) new->pid, l, new) != new->check) {
		runtime_code_free(c);
		return NULL;
	}
	return c;
}

/* Lets the kernel side report the function again. */
static void forget_function(struct consume *co, const struct abi_lang_new *new, uint64_t number)
{
	const struct function id = {new->pid, new->key, new->check};
	const struct abi_lang_key key = {.pid = new->pid, .object = new->key};
	struct unread *u = map_get(co->runtimes->unread, &id, sizeof(id));

	if (!u) {
		u = mem_alloc(sizeof(*u));
		map_set(co->runtimes->unread, &id, sizeof(id), u);
	}
	vec_push(&u->numbers, number);
	if (u->numbers.n < READS_MAX)
		co->load->backend->remove(co->load, co->plan->lang_known, &key);
}

/* Frames that were recorded when the function was unread have its name, too. */
static void name_unread(struct consume *co, const struct abi_lang_new *new, uint64_t number)
{
	const struct function id = {new->pid, new->key, new->check};
	struct unread *u = map_get(co->runtimes->unread, &id, sizeof(id));

	if (!u)
		return;
	for (unsigned int i = 0; i < u->numbers.n; i++)
		map_set_int(co->runtimes->same, u->numbers.a[i], (void *)(uintptr_t)number);
	map_del(co->runtimes->unread, &id, sizeof(id));
	free_unread(u);
}

#define ANCESTORS_MAX 8
#define PARENTS_MAX   16384

/*
 * Finds a function of a process, or the same one of an ancestor: a child that has ended had its
 * parent's functions at the same addresses.  Returns the function if it is read now; else sets the
 * number of the function that was read earlier, or 0.
 */
static struct runtime_code *find_function(struct consume *co, struct abi_lang_new new,
					  uint64_t *earlier)
{
	struct runtimes *r = co->runtimes;

	*earlier = 0;
	for (unsigned int i = 0; i < ANCESTORS_MAX && new.pid; i++) {
		const struct function id = {new.pid, new.key, new.check};
		const struct runtime_layout *l = map_get_int(r->layouts, new.pid);
		struct runtime_code *c = l ? read_function(l, &new) : NULL;

		if (c) {
			c->runtime = l->runtime;
			return c;
		}
		*earlier = (uintptr_t)map_get(r->read, &id, sizeof(id));
		if (*earlier)
			return NULL;
		new.pid = (uintptr_t)map_get_int(r->parents, new.pid);
	}
	return NULL;
}

/* Returns the frame of a thread without frames of a language.  It has no runtime. */
static struct runtime_code *thread_named(const struct abi_lang_new *new)
{
	struct runtime_code *c = mem_alloc(sizeof(*c));
	char name[ABI_COMM + 1] = "";
	struct buf b = {0};

	memcpy(name, &new->object, 8);
	memcpy(name + 8, &new->check, 8);
	buf_clean(name);
	buf_printf(&b, "(none: thread %s)", name);
	c->func = mem_strdup(buf_str(&b));
	buf_free(&b);
	return c;
}

static void met_function(void *arg, const void *key, const void *value)
{
	struct consume *co = arg;
	struct runtime_code *c;
	struct abi_lang_new new;
	uint64_t number, earlier;
	struct function id;

	memcpy(&number, key, sizeof(number));
	memcpy(&new, value, sizeof(new));
	if (new.pid == ABI_LANG_THREAD) {
		map_set_int(co->runtimes->functions, number, thread_named(&new));
		return;
	}
	c = find_function(co, new, &earlier);
	if (!c && !earlier) {
		forget_function(co, &new, number);
		return;
	}
	if (c) {
		id = (struct function){new.pid, new.key, new.check};
		map_set_int(co->runtimes->functions, number, c);
		map_set(co->runtimes->read, &id, sizeof(id), (void *)(uintptr_t)number);
	} else {
		map_set_int(co->runtimes->same, number, (void *)(uintptr_t)earlier);
	}
	name_unread(co, &new, c ? number : earlier);
}

void runtime_read_new(struct consume *co)
{
	if (co->plan->lang_new)
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
	map_free(co->runtimes->loops);
	co->runtimes->loops = map_new();
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
}

void runtime_begin(struct consume *co)
{
	const struct abi_runtime none = {.kind = ABI_RUNTIMES};
	const uint64_t key = 0;

	if (co->plan->lang_new)
		co->load->backend->update(co->load, co->plan->runtimes, &key, &none, BPF_NOEXIST);
}

/* Limit of reported versions: a process that lies can show another version each time. */
#define UNKNOWN_MAX 16

/* Reports each version once. */
static void tell_unknown(struct consume *co, const struct proc *p, const char *version)
{
	if (!*version || !co->plan->lang_new || map_get_str(co->runtimes->unknown, version) ||
	    map_count(co->runtimes->unknown) == UNKNOWN_MAX || syms_withhold(co))
		return;
	map_set_str(co->runtimes->unknown, version, co);
	report_error(
	    co->report,
	    "process %u (%s) runs %s, whose layout is unknown: its functions are missing in stacks",
	    p->pid, p->exe, version);
}

/* The memory of a process that has ended cannot be read. */
static bool has_memory(const struct proc *p)
{
	char byte;

	return p->maps.n && runtime_read(p->pid, p->maps.a[0].start, &byte, 1);
}

void runtime_learn(struct consume *co, struct proc *p)
{
	const struct runtime_layout *known = map_get_int(co->runtimes->layouts, p->pid);
	struct runtime_layout l = {0};

	if (!co->plan->runtimes || p->far)
		return;
	if (known)
		l = *known;
	if (runtime_find(co->plan->env.procs, p, !co->plan->lang_new, &l)) {
		know(co, p->pid, &l);
	} else if (has_memory(p)) {
		runtime_forget(co, p->pid);
		tell_unknown(co, p, l.unknown);
	}
	runtime_read_new(co);
}

void runtime_fork(struct consume *co, uint32_t parent, uint32_t child)
{
	const struct runtime_layout *l = map_get_int(co->runtimes->layouts, parent);

	if (!l)
		return;
	know(co, child, l);
	if (map_count(co->runtimes->parents) == PARENTS_MAX) {
		map_free(co->runtimes->parents);
		co->runtimes->parents = map_new();
	}
	map_set_int(co->runtimes->parents, child, (void *)(uintptr_t)parent);
}

enum abi_code runtime_code(const struct consume *co, uint32_t pid, uint64_t *start, uint64_t *end)
{
	const struct runtime_layout *l = map_get_int(co->runtimes->layouts, pid);

	if (!l || l->code.start >= l->code.end || l->code.end > INT64_MAX)
		return 0;
	*start = l->code.start;
	*end = l->code.end;
	return l->runtime->code;
}

/* ---- names ---- */

/* Returns the frame with a text. */
static uint64_t frame_named(struct consume *co, const char *text)
{
	struct runtimes *r = co->runtimes;
	uintptr_t n = (uintptr_t)map_get_str(r->by_text, text);

	if (!n) {
		text = arena_strdup(co->arena, text);
		vec_push(&r->texts, text);
		n = r->texts.n;
		map_set_str(r->by_text, text, (void *)n);
	}
	return ABI_FRAME_LANG | ABI_FRAME_NAMED | (n - 1);
}

static uint64_t frame_of(struct consume *co, const struct runtime_place *p)
{
	struct buf b = {0};
	uint64_t frame;

	if (p->file)
		buf_printf(&b, "%s:%s:%d", p->file, p->func, p->line);
	else
		buf_printf(&b, "[internal]:%s", p->func);
	frame = frame_named(co, buf_str(&b));
	buf_free(&b);
	return frame;
}

/* The record with a frame may arrive before the notice of its function. */
static const struct runtime_code *function_of(struct consume *co, uint64_t frame)
{
	uint64_t number = (frame & ABI_LANG_NUMBER) >> ABI_LANG_AT_BITS;
	const struct runtime_code *c = map_get_int(co->runtimes->functions, number);
	uint64_t same;

	if (c)
		return c;
	runtime_read_new(co);
	same = (uintptr_t)map_get_int(co->runtimes->same, number);
	return map_get_int(co->runtimes->functions, same ? same : number);
}

static struct named *new_named(struct consume *co, unsigned int n)
{
	struct named *named = arena_alloc(co->arena, sizeof(*named) + n * sizeof(*named->frames));

	named->n = n;
	return named;
}

static const struct named *unnamed(struct consume *co)
{
	struct runtimes *r = co->runtimes;

	if (!r->unnamed) {
		r->unnamed = new_named(co, 1);
		r->unnamed->frames[0] = frame_named(co, "(name not read)");
	}
	return r->unnamed;
}

/* Returns the frames that replace one of the kernel side. */
static const struct named *name(struct consume *co, uint64_t frame)
{
	struct named *named = map_get_int(co->runtimes->places, frame);
	struct runtime_place places[RUNTIME_PLACES];
	const struct runtime_code *c;
	unsigned int n = 0;

	if (named)
		return named;
	c = function_of(co, frame);
	if (c && c->runtime)
		n = runtime_places(c, (uint32_t)(frame & ABI_LANG_AT_MAX), places, RUNTIME_PLACES);
	if (!n && !(c && !c->runtime))
		return unnamed(co);
	named = new_named(co, n ? n : 1);
	if (!n)
		named->frames[0] = frame_named(co, c->func);
	for (unsigned int i = 0; i < n; i++)
		named->frames[i] = frame_of(co, &places[i]);
	map_set_int(co->runtimes->places, frame, named);
	return named;
}

const char *runtime_text(const struct consume *co, uint64_t frame)
{
	uint64_t n = frame & (ABI_FRAME_NAMED - 1);

	return frame & ABI_FRAME_NAMED && n < co->runtimes->texts.n ? co->runtimes->texts.a[n]
								    : NULL;
}

/* ---- mixing ---- */

struct mix {
	struct consume *co;
	const struct runtime *runtime;
	uint32_t pid;
	const uint64_t *chain; /* frames of the interpreter that are left */
	unsigned int nchain;
};

static bool is_lang(uint64_t frame)
{
	return frame & ABI_FRAME_LANG && !abi_is_lost(frame);
}

static void put_lang(struct mix *w, uint64_t frame)
{
	const struct named *named = name(w->co, frame);

	for (unsigned int i = 0; i < named->n; i++)
		vec_push(&w->co->runtimes->mixing, named->frames[i]);
}

/* Puts the frames that a call of the interpreter's loop runs. */
static void put_run(struct mix *w)
{
	bool is_last = false;

	while (w->nchain && !is_last) {
		is_last = *w->chain & ABI_LANG_ENTRY;
		put_lang(w, *w->chain++);
		w->nchain--;
	}
}

static bool in_loop(struct mix *w, uint64_t pc)
{
	struct {
		uint64_t pid, pc;
	} key = {w->pid, pc};
	struct map *loops = w->co->runtimes->loops;
	uintptr_t known = (uintptr_t)map_get(loops, &key, sizeof(key));
	struct out_sym sym;

	if (!known) {
		known = syms_table.usym(w->co, w->pid, pc - 1, &sym) == 0 && sym.name &&
				strncmp(sym.name, w->runtime->loop, strlen(w->runtime->loop)) == 0
			    ? 2
			    : 1;
		map_set(loops, &key, sizeof(key), (void *)known);
	}
	return known == 2;
}

/*
 * Returns true if it is known which frames each call of the loop runs.  A stack that was cut, or
 * could not be followed, may lack calls.
 */
static bool fits(struct mix *w, const uint64_t *native, unsigned int n, bool is_cut)
{
	unsigned int nloops = 0, nruns = 0;

	for (unsigned int i = 0; i < n; i++)
		nloops += in_loop(w, native[i]);
	for (unsigned int i = 0; i < w->nchain; i++)
		nruns += w->chain[i] & ABI_LANG_ENTRY || i + 1 == w->nchain;
	return nloops && (nloops == nruns || (is_cut && nloops < nruns));
}

static void put_native(struct mix *w, const uint64_t *native, unsigned int n, bool is_cut)
{
	bool mixes = w->nchain && w->runtime && w->runtime->loop && fits(w, native, n, is_cut);

	for (unsigned int i = 0; i < n; i++) {
		if (is_lang(native[i]))
			put_lang(w, native[i]);
		else if (mixes && in_loop(w, native[i]))
			put_run(w);
		else
			vec_push(&w->co->runtimes->mixing, native[i]);
	}
	while (w->nchain)
		put_run(w);
}

unsigned int runtime_mix(struct consume *co, uint32_t pid, const void *data, uint32_t size,
			 const uint64_t **frames, bool *is_cut)
{
	uint64_t *in = mem_alloc(size + 8);
	struct mix w = {.co = co, .pid = pid};
	const struct runtime_code *c;
	unsigned int n, nnative;
	bool has_lang = false;

	co->runtimes->mixing.n = 0;
	memcpy(in, data, size);
	for (n = 0; n < size / 8 && in[n]; n++)
		has_lang |= is_lang(in[n]);
	if (has_lang) {
		c = is_lang(in[n - 1]) ? function_of(co, in[n - 1]) : NULL;
		w.runtime = c ? c->runtime : NULL;
		nnative = n;
		while (w.runtime && w.runtime->loop && nnative && is_lang(in[nnative - 1]))
			nnative--;
		w.chain = in + nnative;
		w.nchain = n - nnative;
		*is_cut = n == size / 8 || (w.nchain && nnative == size / 16);
		put_native(&w, in, nnative,
			   nnative == size / 16 || (nnative && abi_is_lost(in[nnative - 1])));
	}
	mem_free(in);
	*frames = co->runtimes->mixing.a;
	return co->runtimes->mixing.n;
}

const struct mixed *runtime_store(struct consume *co, const uint64_t *frames, unsigned int n,
				  bool is_cut)
{
	struct buf key = {0};
	struct mixed *mixed;

	buf_add(&key, frames, n * sizeof(*frames));
	buf_putc(&key, (char)is_cut);
	mixed = map_get(co->runtimes->mixed, key.s, key.n);
	if (!mixed) {
		mixed = arena_alloc(co->arena, sizeof(*mixed) + n * sizeof(*frames));
		mixed->n = n;
		mixed->is_cut = is_cut;
		memcpy(mixed->frames, frames, n * sizeof(*frames));
		map_set(co->runtimes->mixed, key.s, key.n, mixed);
	}
	buf_free(&key);
	return mixed;
}
