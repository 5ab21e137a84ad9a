/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live.c: the kernel of a machine as a session's backend.
 *
 * The state word is mapped, so that one store starts and stops all programs.  Records are read from
 * the ring buffer in place.
 */
#include <assert.h>
#include <bpf/btf.h>
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "base/clocks.h"
#include "base/mem.h"
#include "base/progress.h"
#include "bpf/codegen.h"
#include "kern/kern.h"
#include "plan/plan.h"
#include "attach/keeper.h"
#include "load/load.h"
#include "config/report.h"
#include "load/backend.h"
#include "sys/bpf.h"
#include "sys/machine.h"

/*
 * A drain ends after this time and a few records.  So the end of tracing (a signal, the end of a
 * process) is noticed soon, and the ring is emptied at once if possible.
 */
#define DRAIN_NS    100000000
#define DRAIN_CHECK 16 /* records between looks at the clock */

/* The minimum size of keys and values that one system call reads from a map, in bytes. */
#define BATCH_SIZE (1 << 20)

static struct machine *machine(const struct load *l)
{
	return kern_machine(l->plan->env.kern);
}

/* ---- maps ---- */

static int load_btf(struct machine *m, const struct btf *btf)
{
	uint32_t size;
	const void *data = btf__raw_data(btf, &size);

	return data ? sys_btf_load(m, data, size) : -ENOMEM;
}

/* Task storage needs BTF types for its key and value: int, and bytes. */
static int storage_btf(struct machine *m, uint32_t size, uint32_t *key, uint32_t *value)
{
	struct btf *b = btf__new_empty();
	int i = btf__add_int(b, "int", 4, BTF_INT_SIGNED), c = btf__add_int(b, "char", 1, 0), fd;

	*key = (uint32_t)i;
	*value = (uint32_t)btf__add_array(b, i, c, size);
	fd = load_btf(m, b);
	btf__free(b);
	return fd;
}

static int map_new(struct load *l, const struct plan_map *m)
{
	char name[16] = "";
	size_t n = 0;
	struct sys_map map = {.type = m->type,
			      .name = name,
			      .key_size = m->key_size,
			      .value_size = m->value_size,
			      .max_entries = m->max_entries,
			      .flags = m->flags};
	int fd;

	/* The kernel takes only letters, digits, _ and . in names. */
	for (const char *p = m->name; *p && n < sizeof(name) - 1; p++)
		if (*p == '_' || *p == '.' || (*p >= '0' && *p <= '9') ||
		    ((*p | 32) >= 'a' && (*p | 32) <= 'z'))
			name[n++] = *p;
	if (m->type == BPF_MAP_TYPE_TASK_STORAGE) {
		map.btf = storage_btf(machine(l), m->value_size, &map.btf_key, &map.btf_value);
		if (map.btf < 0)
			return map.btf;
	}
	fd = sys_map_new(machine(l), &map);
	if (map.btf)
		sys_close(machine(l), map.btf);
	return fd;
}

/* libbpf continues while records exist; a negative result stops it after the current record. */
static int on_record(void *ctx, void *data, size_t len)
{
	struct load *l = ctx;

	l->record(l->ctx, data, len);
	return ++l->ndrained % DRAIN_CHECK == 0 && clock_ns() >= l->drain_due ? -EAGAIN : 0;
}

/* Returns the mapped values of an array; NULL: they cannot be mapped. */
static void *map_values(struct load *l, unsigned int map)
{
	const struct plan_map *m = &l->plan->maps.a[map];

	return machine(l)->ops->map(machine(l), l->fds.a[map],
				    (size_t)m->value_size * m->max_entries);
}

static bool set_consts(struct load *l, int fd, const void *bytes, size_t size)
{
	uint32_t zero = 0;
	int r = sys_map_update(machine(l), fd, &zero, sizeof(zero), bytes, size, 0);

	r = r ? r : sys_map_freeze(machine(l), fd);
	errno = -r;
	return r == 0;
}

static bool open_maps(struct load *l)
{
	int r;

	l->state = map_values(l, MAP_STATE);
	if (l->plan->maps.a[MAP_KEPT].is_used)
		l->memory = map_values(l, MAP_KEPT);
	if (!l->state || (l->plan->maps.a[MAP_KEPT].is_used && !l->memory))
		return false;
	r = machine(l)->ops->ring(machine(l), l->fds.a[MAP_RING], on_record, l);
	errno = -r;
	return r == 0;
}

static void fetch(struct load *l, void *p, size_t size)
{
	machine(l)->ops->fetch(machine(l), p, size);
}

static void store(struct load *l, const void *p, size_t size)
{
	machine(l)->ops->store(machine(l), p, size);
}

/* Returns the size of an element's value in bytes; in a per-CPU map, of the values of all CPUs. */
static size_t value_size(const struct load *l, unsigned int map)
{
	const struct plan_map *m = &l->plan->maps.a[map];
	bool is_percpu = m->type == BPF_MAP_TYPE_PERCPU_ARRAY ||
			 m->type == BPF_MAP_TYPE_PERCPU_HASH ||
			 m->type == BPF_MAP_TYPE_LRU_PERCPU_HASH;

	return is_percpu
		   ? (size_t)((m->value_size + 7) & ~7U) * kern_ncpu_possible(l->plan->env.kern)
		   : m->value_size;
}

static bool lookup(struct load *l, unsigned int map, const void *key, void *value)
{
	return sys_map_lookup(machine(l), l->fds.a[map], key, l->plan->maps.a[map].key_size, value,
			      value_size(l, map)) == 0;
}

static bool update(struct load *l, unsigned int map, const void *key, const void *value,
		   uint64_t flags)
{
	return sys_map_update(machine(l), l->fds.a[map], key, l->plan->maps.a[map].key_size, value,
			      value_size(l, map), flags) == 0;
}

static void settle(struct load *l)
{
	int r = sys_settle(machine(l));

	/* The owner of the connection reports a lost machine. */
	if (r && r != -ENOTCONN)
		report_error(l->report, "cannot wait for programs: %s", strerror(-r));
}

static void remove_element(struct load *l, unsigned int map, const void *key)
{
	sys_map_delete(machine(l), l->fds.a[map], key, l->plan->maps.a[map].key_size);
}

/*
 * A bucket of a hash is read as a whole, so a full bucket may need more room.  An agent could send
 * elements for ever, so the limit is twice the size of the map.
 */
static int take(struct load *l, unsigned int map, backend_row *row, void *arg)
{
	const struct plan_map *m = &l->plan->maps.a[map];
	uint32_t room = BATCH_SIZE / (m->key_size + m->value_size) + 1, n, batch;
	char *keys = mem_alloc((size_t)room * m->key_size);
	char *values = mem_alloc((size_t)room * m->value_size);
	uint64_t left = 2ULL * m->max_entries + BATCH_SIZE;
	const uint32_t *from = NULL;
	int r = 0;

	while (r == 0) {
		n = room;
		r = sys_map_take(machine(l), l->fds.a[map], from, &batch, keys, m->key_size, values,
				 m->value_size, &n);
		for (uint32_t i = 0; (r == 0 || r == -ENOENT) && i < n; i++)
			row(arg, keys + (size_t)i * m->key_size,
			    values + (size_t)i * m->value_size);
		if (r == 0 && (!n || n >= left))
			r = -EPROTO;
		left -= n < left ? n : left;
		if (r == -ENOSPC && room <= m->max_entries) {
			room *= 2;
			keys = mem_realloc(keys, (size_t)room * m->key_size);
			values = mem_realloc(values, (size_t)room * m->value_size);
			r = 0;
		} else {
			from = &batch;
		}
	}
	mem_free(keys);
	mem_free(values);
	return r == -ENOENT ? 0 : r;
}

static uint64_t now(struct load *l)
{
	return clock_ns();
}

/* ---- programs ---- */

static int load(struct load *l, struct unit *u, struct bpf_code *code, char *log, int level)
{
	struct sys_prog p = {.type = u->prog_type,
			     .attach_type = u->attach_type,
			     .flags = u->may_sleep ? BPF_F_SLEEPABLE : 0,
			     .insns = code->insns,
			     .n = code->n,
			     .log = log};
	struct bpf_debug debug = {0};
	int fd;

	assert(code->n);
	p.btf_id = kern_btf_ref(l->plan->env.kern, u->btf_id, &p.btf_obj);
	p.btf =
	    bpf_btf(code, l->plan->opt.strsize, &debug) == 0 ? load_btf(machine(l), debug.btf) : -1;
	if (p.btf >= 0) {
		p.funcs = debug.funcs;
		p.nfuncs = debug.nfuncs;
		p.lines = debug.lines;
		p.nlines = debug.nlines;
	} else {
		p.btf = 0;
	}
	if (log) {
		log[0] = '\0';
		p.log_size = level == WORLD_LOG_STATS ? WORLD_STATS_SIZE : WORLD_LOG_SIZE;
		p.log_level = (uint32_t)level;
	}
	fd = sys_prog_load(machine(l), &p);
	if (p.btf)
		sys_close(machine(l), p.btf);
	btf__free(debug.btf);
	return fd;
}

static int attach(struct load *l, struct unit *u, const char **err)
{
	return u->provider->attach(l->plan, u, err);
}

static void run(struct load *l, struct unit *u)
{
	uint64_t ctx[12] = {0};

	sys_test_run(machine(l), u->fd, ctx, sizeof(ctx), l->plan->opt.cpu);
}

static void wait(struct load *l, int ms)
{
	struct pollfd p[] = {{.fd = machine(l)->ops->ring_fd(machine(l)), .events = POLLIN},
			     {.fd = l->wake_fd, .events = POLLIN},
			     {.fd = l->serve_fd, .events = POLLIN}};

	poll(p, 3, ms);
}

static int drain(struct load *l)
{
	int n;

	l->drain_due = clock_ns() + DRAIN_NS;
	n = machine(l)->ops->drain(machine(l));
	return n == -EAGAIN ? WORLD_MORE : n;
}

/*
 * Returns the number of firings that the kernel skipped, because the program was already running on
 * the CPU.
 */
static uint64_t misses(struct load *l, const struct unit *u)
{
	struct bpf_prog_info info = {0};

	return sys_object_info(machine(l), u->fd, &info, sizeof(info)) == 0 ? info.recursion_misses
									    : 0;
}

static void unmap_values(struct load *l, unsigned int map, void *p)
{
	const struct plan_map *m;

	if (!p)
		return;
	m = &l->plan->maps.a[map];
	machine(l)->ops->unmap(machine(l), p, (size_t)m->value_size * m->max_entries);
}

static void close_all(struct load *l)
{
	struct machine *m = l->plan->env.kern ? machine(l) : NULL;

	progress_at("removing breakpoints", 0, 0);
	keeper_end(l->plan->env.keeper);
	for (unsigned int i = 0; i < l->nunits; i++) {
		struct unit *u = l->units[i];

		progress_at("detaching programs", i, l->nunits);

		for (unsigned int j = 0; j < u->links.n; j++)
			sys_close(m, u->links.a[j]);
		if (u->fd >= 0)
			sys_close(m, u->fd);
	}
	unmap_values(l, MAP_STATE, l->state);
	unmap_values(l, MAP_KEPT, l->memory);
	for (unsigned int i = 0; i < l->own_maps.n; i++)
		sys_close(m, l->own_maps.a[i]);
	for (unsigned int i = 0; i < l->fds.n; i++)
		if (l->fds.a[i] >= 0)
			sys_close(m, l->fds.a[i]);
}

const struct backend backend_live = {
    .map_new = map_new,
    .set_consts = set_consts,
    .open = open_maps,
    .load = load,
    .attach = attach,
    .run = run,
    .wait = wait,
    .drain = drain,
    .fetch = fetch,
    .store = store,
    .now = now,
    .settle = settle,
    .lookup = lookup,
    .update = update,
    .remove = remove_element,
    .take = take,
    .misses = misses,
    .close = close_all,
};
