/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtmalloc.c: dtmalloc::CACHE:malloc and dtmalloc::CACHE:free: objects of the kernel's slab caches,
 * for all users: kmalloc() and kfree(), kmem_cache_alloc() and kmem_cache_free().
 *
 * All probes are one program for each of two kinds of tracepoint.  It gets the cache from the
 * address of the object, and the number of the probe from the name of the cache.  Caches that the
 * kernel has merged are one, with the name of the first.  Bulk allocations have no tracepoint, and
 * objects larger than all caches are in none.
 */
#include <linux/btf.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "kern/kern.h"
#include "lower/leaf.h"
#include "sys/bpf.h"
#include "sys/machine.h"

extern const struct provider provider_dtmalloc;

enum kind { MALLOC, FREE };

static const char *const names[] = {"malloc", "free"};
static const char *const tracepoints[][2] = {{"kmalloc", "kmem_cache_alloc"},
					     {"kfree", "kmem_cache_free"}};

struct cache {
	const char *name;
	uint64_t hash;
	uint32_t key;
};

/* All caches.  A key is `bits` bits of the hash multiplied by the seed.  Keys are unique. */
struct state {
	struct cache *caches;
	unsigned int n, cap;
	uint64_t seed;
	unsigned int bits;
	bool is_read;
};

/* ---- caches ---- */

static uint64_t hash_of(const char *name)
{
	uint64_t words[ABI_NAME_WORDS] = {0};

	memcpy(words, name, strnlen(name, sizeof(words) - 1));
	return abi_name_hash(words);
}

/* used: the last try that used each key. */
static bool try_keys(struct state *st, uint32_t *used, uint32_t try)
{
	st->seed = 2 * (uint64_t)try * 0x9e3779b97f4a7c15 + 1;
	for (unsigned int i = 0; i < st->n; i++) {
		struct cache *c = &st->caches[i];

		c->key = (uint32_t)(c->hash * st->seed >> (64 - st->bits));
		if (used[c->key] == try)
			return false;
		used[c->key] = try;
	}
	return true;
}

/* With this many tries a table of some 30 rows for each cache suffices. */
#define TRIES 8192

static void make_keys(struct state *st, struct arena *a)
{
	for (st->bits = 8;; st->bits++) {
		uint32_t *used = arena_new_arr(a, uint32_t, (size_t)1 << st->bits);

		for (uint32_t try = 1; try <= TRIES; try++)
			if (try_keys(st, used, try))
				return;
	}
}

/* slabinfo(5): two header lines, then lines that begin with the name. */
static void read_caches(struct state *st, struct machine *m, struct arena *a)
{
	struct buf b = {0};
	char *line, *rest;
	int n = 0;

	if (!sys_read_file(m, "/proc/slabinfo", &b) || !b.n)
		return;
	for (line = strtok_r(b.s, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), n++) {
		struct cache c = {.name = line};
		bool is_new = n >= 2;

		line[strcspn(line, " ")] = '\0';
		c.hash = hash_of(line);
		for (unsigned int i = 0; i < st->n && is_new; i++)
			is_new = st->caches[i].hash != c.hash;
		if (!is_new)
			continue;
		c.name = arena_strdup(a, line);
		st->caches = arena_grow(a, st->caches, st->n, &st->cap, sizeof(c));
		st->caches[st->n++] = c;
	}
	buf_free(&b);
}

static struct state *caches_of(struct probes *ps, const struct provider *pv)
{
	struct state *st = probes_state(ps, pv, sizeof(*st));

	if (!st->is_read) {
		read_caches(st, kern_machine(probes_plan(ps)->env.kern),
			    probes_plan(ps)->env.arena);
		make_keys(st, probes_plan(ps)->env.arena);
		st->is_read = true;
	}
	return st;
}

/*
 * Two ways to get the cache of an object: a function for BPF (6.13), or variables of x86 kernels.
 */
static uint32_t cache_func(const struct plan *plan)
{
	return kern_btf_find(plan->env.kern, "bpf_get_kmem_cache", BTF_KIND_FUNC);
}

static bool find_map(const struct plan *plan, struct kern_sym *base, struct kern_sym *pages)
{
	return kern_sym_by_name(plan->env.kern, "vmlinux", "page_offset_base", base) &&
	       kern_sym_by_name(plan->env.kern, "vmlinux", "vmemmap_base", pages);
}

static bool can_tell(const struct plan *plan)
{
	struct kern_sym base, pages;

	return cache_func(plan) || find_map(plan, &base, &pages);
}

/* ---- probes ---- */

static void add(struct probes *ps, const struct provider *pv, const struct state *st,
		const struct cache *c, enum kind k)
{
	struct probe *p = probe_add_near(ps, pv, probe_index(c->name, names[k]), "dtmalloc", "",
					 c->name, names[k]);

	if (p) {
		p->key = c->key;
		p->data = st;
	}
}

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	bool wanted[] = {d->id || probe_glob(d->name, names[MALLOC]),
			 d->id || probe_glob(d->name, names[FREE])};
	const struct state *st;

	if ((!wanted[MALLOC] && !wanted[FREE]) || !can_tell(probes_plan(ps)))
		return;
	st = caches_of(ps, pv);
	for (unsigned int i = 0; i < st->n; i++)
		for (enum kind k = MALLOC; k <= FREE; k++)
			if (wanted[k] && (d->id || probe_glob(d->func, st->caches[i].name)))
				add(ps, pv, st, &st->caches[i], k);
}

/* Returns the cache that replaces one that the kernel has merged; NULL: not merged. */
static const char *merged_with(struct machine *m, struct state *st, const char *name)
{
	char path[256], link[128] = "", other[128];

	snprintf(path, sizeof(path), "/sys/kernel/slab/%s", name);
	if (strchr(name, '/') || sys_readlink(m, path, link, sizeof(link)) <= 0)
		return NULL;
	for (unsigned int i = 0; i < st->n; i++) {
		snprintf(path, sizeof(path), "/sys/kernel/slab/%s", st->caches[i].name);
		sys_readlink(m, path, other, sizeof(other));
		if (strcmp(link, other) == 0)
			return st->caches[i].name;
	}
	return NULL;
}

static const char *absent(struct plan *plan, const struct pdesc *d)
{
	const char *other;

	if (!can_tell(plan))
		return "this kernel does not show the cache of an object; use rawtp:::kmalloc to "
		       "trace allocations";
	other = d->func ? merged_with(kern_machine(plan->env.kern),
				      caches_of(plan->env.probes, &provider_dtmalloc), d->func)
			: NULL;
	return other
		   ? arena_printf(plan->env.arena,
				  "the kernel has merged this cache into %s; trace that one", other)
		   : NULL;
}

/* ---- programs ---- */

static enum kind kind_of(const struct unit *u)
{
	return u->place == names[FREE] ? FREE : MALLOC;
}

static void args(struct plan *plan, struct probe *p, struct lang_args *a)
{
	a->nnative = 4;
	a->native = arena_new_arr(plan->env.arena, struct type *, 4);
	a->native[0] = type_ptr(plan->env.types, type_lookup(plan->env.types, "struct kmem_cache"));
	a->native[1] = type_ptr(plan->env.types, type_void(plan->env.types));
	a->native[2] = type_lookup(plan->env.types, "uintptr_t");
	a->native[3] = type_lookup(plan->env.types, "unsigned long");
}

static const char *place(struct plan *plan, const struct probe *p)
{
	return names[p->name[0] == 'f' ? FREE : MALLOC];
}

static bool program(struct plan *plan, struct unit *u, const char **err)
{
	u->prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT;
	return true;
}

static uint64_t offset(const struct lw *lw, const char *type, const char *name)
{
	struct types *ts = lw->plan->env.types;
	uint64_t bits = 0;

	type_member(ts, type_resolve(ts, type_lookup(ts, type)), name, &bits);
	return bits / 8;
}

static struct ir_ins *word(struct lw *lw, unsigned int n)
{
	return lw_load_pure(lw, 8, lw->firing.ctx, n * 8, IR_MEM_CTX);
}

/* Returns the cache from the kernel's function; may be NULL. */
static struct ir_ins *from_kernel(struct lw *lw)
{
	struct memo_key k = MEMO_OF(from_kernel);
	struct ir_ins *v = memo_get(lw, &k);

	if (!v) {
		v = lw_kfunc(lw, cache_func(lw->plan), word(lw, 1), NULL);
		memo_put(lw, &k, v);
	}
	return v;
}

/* Returns the address of the cache.  Without a cache it is 0 or arbitrary. */
static struct ir_ins *cache(struct lw *lw)
{
	struct memo_key k = MEMO_OF(cache);
	struct ir_ins *v = memo_get(lw, &k);
	struct kern_sym base, pages;
	uint64_t offs;

	if (v)
		return v;
	if (cache_func(lw->plan)) {
		struct type *t = type_resolve(
		    lw->plan->env.types, type_lookup(lw->plan->env.types, "struct kmem_cache"));

		v = lw_number(lw, (struct val){.v = from_kernel(lw),
					       .type = type_ptr(lw->plan->env.types, t),
					       .place = PLACE_BTF,
					       .btf = t});
	} else {
		find_map(lw->plan, &base, &pages);
		offs = type_resolve(lw->plan->env.types,
				    type_lookup(lw->plan->env.types, "struct page"))
			   ->size |
		       offset(lw, "struct page", "compound_head") << ABI_OFFSET_BITS |
		       offset(lw, "struct slab", "slab_cache") << 2 * ABI_OFFSET_BITS;
		v = lw_rt(lw, "rt_slab_cache", word(lw, 1), lw_const(lw, (int64_t)base.addr),
			  lw_const(lw, (int64_t)pages.addr), lw_const(lw, (int64_t)offs), NULL);
	}
	memo_put(lw, &k, v);
	return v;
}

/* Returns the address of its name, or 0. */
static struct ir_ins *name_of(struct lw *lw)
{
	int64_t off = (int64_t)offset(lw, "struct kmem_cache", "name");
	struct ir_block *have, *done;
	struct ir_ins *name;
	unsigned int var;

	if (!cache_func(lw->plan) || lw->no_direct)
		return lw_rt(lw, "rt_word_at", lw_bini(lw, IR_ADD, cache(lw), off), NULL);
	var = ir_var_new(lw->b.func);
	have = lw_block(lw);
	done = lw_block(lw);
	ir_var_write(&lw->b, var, ir_const(&lw->b, 0));
	lw_if(lw, from_kernel(lw), have, done);
	lw_seal_at(lw, have);
	name = ir_load(&lw->b, 8, from_kernel(lw), off, IR_MEM_KERNEL);
	lw_mark_pointer(lw, name);
	ir_var_write(&lw->b, var, name);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

static struct ir_ins *hash(struct lw *lw)
{
	struct memo_key k = MEMO_OF(hash);
	struct ir_ins *v = memo_get(lw, &k);

	if (!v) {
		v = lw_rt(lw, "rt_name_hash", name_of(lw), NULL);
		memo_put(lw, &k, v);
	}
	return v;
}

static const struct state *state_of(const struct lw *lw)
{
	return lw->unit->probes.a[0]->data;
}

static struct ir_ins *dispatch(struct lw *lw)
{
	const struct state *st = state_of(lw);

	return lw_bini(lw, IR_LSHR, lw_bini(lw, IR_MUL, hash(lw), (int64_t)st->seed),
		       64 - st->bits);
}

/* A cache created during tracing may have the key of another, but not its hash. */
static struct ir_ins *applies(struct lw *lw)
{
	const struct state *st = state_of(lw);
	uint32_t *low = lw_key_table(lw);

	for (unsigned int i = 0; i < st->n; i++)
		if (st->caches[i].key <= lw->firing.key_max)
			low[st->caches[i].key] = (uint32_t)st->caches[i].hash;
	return lw_bin(lw, IR_EQ, lw_by_key(lw, low), lw_bini(lw, IR_AND, hash(lw), UINT32_MAX));
}

/*
 * Returns the bytes requested from kmalloc(), its third argument.  For kmem_cache_alloc() that
 * argument is the cache, an address with the highest bit set, and the result is the size of its
 * objects.
 */
static struct ir_ins *size(struct lw *lw)
{
	struct ir_ins *at =
	    lw_bini(lw, IR_ADD, cache(lw), (int64_t)offset(lw, "struct kmem_cache", "object_size"));
	struct ir_ins *all = lw_bini(lw, IR_AND, lw_rt(lw, "rt_word_at", at, NULL), UINT32_MAX);
	struct ir_ins *is_cache;

	if (kind_of(lw->unit) == FREE)
		return all;
	is_cache = lw_bini(lw, IR_ASHR, word(lw, 2), 63);
	return lw_bin(lw, IR_OR, lw_bin(lw, IR_AND, all, is_cache),
		      lw_bin(lw, IR_AND, word(lw, 2), lw_bini(lw, IR_XOR, is_cache, -1)));
}

static struct ir_ins *rawarg(struct lw *lw, unsigned int n)
{
	switch (n) {
	case 0:
		return cache(lw);
	case 1:
		return word(lw, 1);
	case 2:
		return word(lw, 0);
	case 3:
		return size(lw);
	}
	return lw_const(lw, 0);
}

static struct val arg(struct lw *lw, unsigned int n, struct type *type)
{
	return (struct val){.v = rawarg(lw, n), .type = type, .place = PLACE_SCALAR};
}

static struct own_frames own_frames(const struct plan *plan, const struct unit *u)
{
	struct own_frames own = unit_tracepoint_frames(plan, tracepoints[kind_of(u)][0]);
	struct own_frames other = unit_tracepoint_frames(plan, tracepoints[kind_of(u)][1]);

	own.in[2] = other.in[0];
	own.in[3] = other.in[1];
	return own;
}

static int attach(struct plan *plan, struct unit *u, const char **err)
{
	for (unsigned int i = 0; i < 2; i++) {
		const char *name = tracepoints[kind_of(u)][i];
		int fd = sys_attach(kern_machine(plan->env.kern), u->fd, name);

		if (fd < 0) {
			*err =
			    arena_printf(plan->env.arena, "tracepoint %s: %s", name, strerror(-fd));
			return fd;
		}
		vec_push(&u->links, fd);
	}
	return 0;
}

const struct provider provider_dtmalloc = {
    .name = "dtmalloc",
    .ids = {8000, 2000},
    .attrs = {"Private/Private/ISA", "Private/Private/Unknown", "Private/Private/Unknown",
	      "Private/Private/ISA", "Private/Private/ISA"},
    .provide = provide,
    .absent = absent,
    .args = args,
    .place = place,
    .program = program,
    .dispatch = dispatch,
    .applies = applies,
    .arg = arg,
    .rawarg = rawarg,
    .own_frames = own_frames,
    .attach = attach,
    .is_gated = true,
    .has_same_args = true,
    .has_irqs_off = true,
    .has_batches = true,
};
