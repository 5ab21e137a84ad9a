/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live.c: the running kernel as a session's world, through bpf(2) and libbpf's thin wrappers.
 *
 * The state word is mapped, so that one store starts and stops all programs.  Records are read from
 * the ring buffer in place.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/codegen.h"
#include "kern/kern.h"
#include "plan/plan.h"
#include "run/load.h"
#include "run/report.h"
#include "run/world.h"

/*
 * A drain ends after this time, and a few records: soon enough for what ends tracing (a signal, the
 * end of a process), long enough to empty the ring in one go whenever that is possible.
 */
#define DRAIN_NS    100000000
#define DRAIN_CHECK 16 /* records until it looks at the clock again */

/* Bytes of keys and values that are read from a map by one system call, at least. */
#define BATCH_SIZE (1 << 20)

/* ---- maps ---- */

/* Task storage needs BTF types for its key and value: int, and bytes. */
static int storage_btf(uint32_t size, uint32_t *key, uint32_t *value)
{
	struct btf *b = btf__new_empty();
	int i = btf__add_int(b, "int", 4, BTF_INT_SIGNED), c = btf__add_int(b, "char", 1, 0), r, fd;

	*key = (uint32_t)i;
	*value = (uint32_t)btf__add_array(b, i, c, size);
	r = btf__load_into_kernel(b);
	fd = r ? r : dup(btf__fd(b));
	btf__free(b);
	return fd;
}

static int map_new(struct load *l, const struct plan_map *m)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = m->flags);
	char name[16] = "";
	size_t n = 0;
	int fd, btf_fd = -1;

	/* The kernel takes only letters, digits, _ and . in names. */
	for (const char *p = m->name; *p && n < sizeof(name) - 1; p++)
		if (*p == '_' || *p == '.' || (*p >= '0' && *p <= '9') ||
		    ((*p | 32) >= 'a' && (*p | 32) <= 'z'))
			name[n++] = *p;
	if (m->type == BPF_MAP_TYPE_TASK_STORAGE) {
		btf_fd = storage_btf(m->value_size, &opts.btf_key_type_id, &opts.btf_value_type_id);
		if (btf_fd < 0)
			return btf_fd;
		opts.btf_fd = (uint32_t)btf_fd;
	}
	fd = bpf_map_create(m->type, name, m->key_size, m->value_size, m->max_entries, &opts);
	if (btf_fd >= 0)
		close(btf_fd);
	return fd;
}

/* libbpf goes on as long as there are records; a negative result stops it behind this one. */
static int on_record(void *ctx, void *data, size_t len)
{
	struct load *l = ctx;

	l->record(l->ctx, data, len);
	return ++l->ndrained % DRAIN_CHECK == 0 && load_clock() >= l->drain_due ? -EAGAIN : 0;
}

/* The values of an array, NULL if they cannot be mapped. */
static void *map_values(struct load *l, unsigned int map)
{
	size_t size = (size_t)l->plan->maps.a[map].value_size * l->plan->maps.a[map].max_entries;
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, l->fds.a[map], 0);

	return p == MAP_FAILED ? NULL : p;
}

static bool set_consts(struct load *l, int fd, const void *bytes)
{
	uint32_t zero = 0;

	return bpf_map_update_elem(fd, &zero, bytes, 0) == 0 && bpf_map_freeze(fd) == 0;
}

static bool open_maps(struct load *l)
{
	l->state = map_values(l, MAP_STATE);
	if (l->plan->maps.a[MAP_KEPT].is_used)
		l->memory = map_values(l, MAP_KEPT);
	if (!l->state || (l->plan->maps.a[MAP_KEPT].is_used && !l->memory))
		return false;
	l->ring = ring_buffer__new(l->fds.a[MAP_RING], on_record, l, NULL);
	return l->ring != NULL;
}

static bool lookup(struct load *l, unsigned int map, const void *key, void *value)
{
	return bpf_map_lookup_elem(l->fds.a[map], key, value) == 0;
}

static bool update(struct load *l, unsigned int map, const void *key, const void *value,
		   uint64_t flags)
{
	return bpf_map_update_elem(l->fds.a[map], key, value, flags) == 0;
}

/*
 * When a map inside a map has been set, no program runs any more that ran before, as it might use
 * the one that was there (maybe_wait_bpf_programs in kernel/bpf/syscall.c).
 */
static void settle(struct load *l)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts);
	int inner = bpf_map_create(BPF_MAP_TYPE_ARRAY, "grace", 4, 4, 1, NULL), outer;
	uint32_t zero = 0;

	opts.inner_map_fd = (uint32_t)inner;
	outer = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "grace", 4, 4, 1, &opts);
	if (outer < 0 || bpf_map_update_elem(outer, &zero, &inner, 0) != 0)
		report_error(l->report, "cannot wait for programs: %s", strerror(errno));
	close(outer);
	close(inner);
}

static void remove_element(struct load *l, unsigned int map, const void *key)
{
	bpf_map_delete_elem(l->fds.a[map], key);
}

/* A bucket of a hash is read as a whole: with many elements in one, more room is needed. */
static int take(struct load *l, unsigned int map, world_row *row, void *arg)
{
	const struct plan_map *m = &l->plan->maps.a[map];
	uint32_t room = BATCH_SIZE / (m->key_size + m->value_size) + 1, n, batch;
	char *keys = mem_alloc((size_t)room * m->key_size);
	char *values = mem_alloc((size_t)room * m->value_size);
	void *from = NULL;
	int r = 0;

	while (r == 0) {
		n = room;
		r = bpf_map_lookup_and_delete_batch(l->fds.a[map], from, &batch, keys, values, &n,
						    NULL);
		for (uint32_t i = 0; (r == 0 || r == -ENOENT) && i < n; i++)
			row(arg, keys + (size_t)i * m->key_size,
			    values + (size_t)i * m->value_size);
		if (r == -ENOSPC) {
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
	return load_clock();
}

/* ---- programs ---- */

static int load(struct load *l, struct unit *u, struct bpf_code *code, char *log, int level)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = u->attach_type,
		    .prog_flags = u->may_sleep ? BPF_F_SLEEPABLE : 0);
	struct bpf_debug debug = {0};
	int fd;

	assert(code->n);
	opts.attach_btf_id = kern_btf_ref(l->plan->kern, u->btf_id, &opts.attach_btf_obj_fd);
	if (bpf_btf(code, l->plan->strsize, &debug) == 0 && btf__load_into_kernel(debug.btf) == 0) {
		opts.prog_btf_fd = (uint32_t)btf__fd(debug.btf);
		opts.func_info = debug.funcs;
		opts.func_info_cnt = debug.nfuncs;
		opts.func_info_rec_size = sizeof(struct bpf_func_info);
		opts.line_info = debug.lines;
		opts.line_info_cnt = debug.nlines;
		opts.line_info_rec_size = sizeof(struct bpf_line_info);
	}
	if (log) {
		log[0] = '\0';
		opts.log_buf = log;
		opts.log_size = level == WORLD_LOG_STATS ? WORLD_STATS_SIZE : WORLD_LOG_SIZE;
		opts.log_level = level;
	}
	fd = bpf_prog_load(u->prog_type, "dtrace", "Dual BSD/GPL", code->insns, code->n, &opts);
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
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = ctx, .ctx_size_in = sizeof(ctx));

	if (l->plan->cpu >= 0) {
		opts.flags = BPF_F_TEST_RUN_ON_CPU;
		opts.cpu = (uint32_t)l->plan->cpu;
	}
	bpf_prog_test_run_opts(u->fd, &opts);
}

static void wait(struct load *l, int ms)
{
	struct pollfd p[] = {{.fd = ring_buffer__epoll_fd(l->ring), .events = POLLIN},
			     {.fd = l->wake_fd, .events = POLLIN}};

	poll(p, 2, ms);
}

static int drain(struct load *l)
{
	int n;

	l->drain_due = load_clock() + DRAIN_NS;
	n = ring_buffer__consume(l->ring);
	return n == -EAGAIN ? WORLD_MORE : n;
}

/* What the kernel skipped because the same program was already running on that CPU. */
static uint64_t misses(struct load *l, const struct unit *u)
{
	struct bpf_prog_info info = {0};
	uint32_t len = sizeof(info);

	return bpf_obj_get_info_by_fd(u->fd, &info, &len) == 0 ? info.recursion_misses : 0;
}

static void unmap_values(struct load *l, unsigned int map, void *p)
{
	if (p)
		munmap(p,
		       (size_t)l->plan->maps.a[map].value_size * l->plan->maps.a[map].max_entries);
}

static void close_all(struct load *l)
{
	for (unsigned int i = 0; i < l->nunits; i++) {
		struct unit *u = l->units[i];

		for (unsigned int j = 0; j < u->links.n; j++)
			close(u->links.a[j]);
		if (u->fd >= 0)
			close(u->fd);
	}
	ring_buffer__free(l->ring);
	unmap_values(l, MAP_STATE, l->state);
	unmap_values(l, MAP_KEPT, l->memory);
	for (unsigned int i = 0; i < l->own_maps.n; i++)
		close(l->own_maps.a[i]);
	for (unsigned int i = 0; i < l->fds.n; i++)
		if (l->fds.a[i] >= 0)
			close(l->fds.a[i]);
}

const struct world world_live = {
    .map_new = map_new,
    .set_consts = set_consts,
    .open = open_maps,
    .load = load,
    .attach = attach,
    .run = run,
    .wait = wait,
    .drain = drain,
    .now = now,
    .settle = settle,
    .lookup = lookup,
    .update = update,
    .remove = remove_element,
    .take = take,
    .misses = misses,
    .close = close_all,
};
