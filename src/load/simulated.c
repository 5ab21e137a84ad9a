/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * simulated.c: see simulated.h.
 */
#include <assert.h>
#include <string.h>

#include "plan/plan.h"
#include "load/load.h"
#include "load/simulated.h"

static int map_new(struct load *l, const struct plan_map *m)
{
	struct simulated *sim = l->backend_data;

	int fd = sim->find_map ? sim->find_map(l, m) : -1;

	if (fd >= 0)
		return fd;
	return bpf_interp_map(sim->in, (int)m->type, m->key_size, m->value_size, m->max_entries);
}

static void fetch(struct load *l, void *p, size_t size)
{
}

static void store(struct load *l, const void *p, size_t size)
{
}

static bool set_consts(struct load *l, int fd, const void *bytes, size_t size)
{
	struct simulated *sim = l->backend_data;
	uint32_t zero = 0;

	return bpf_interp_update(sim->in, fd, &zero, bytes, 0, 0) == 0;
}

static bool open_maps(struct load *l)
{
	struct simulated *sim = l->backend_data;
	uint32_t zero = 0;

	l->state = bpf_interp_lookup(sim->in, l->fds.a[MAP_STATE], &zero, 0);
	if (l->plan->maps.a[MAP_KEPT].is_used)
		l->memory = bpf_interp_lookup(sim->in, l->fds.a[MAP_KEPT], &zero, 0);
	return true;
}

static int drain(struct load *l)
{
	struct simulated *sim = l->backend_data;
	const void *rec;
	size_t size;
	int n = 0;

	while ((rec = bpf_interp_ring_next(sim->in, l->fds.a[MAP_RING], &size)) != NULL) {
		l->record(l->ctx, rec, size);
		n++;
	}
	return n;
}

static unsigned int copies(struct load *l, unsigned int map)
{
	const struct simulated *sim = l->backend_data;
	enum bpf_map_type t = l->plan->maps.a[map].type;

	return t == BPF_MAP_TYPE_PERCPU_ARRAY || t == BPF_MAP_TYPE_PERCPU_HASH ? sim->ncpus : 1;
}

static bool lookup(struct load *l, unsigned int map, const void *key, void *value)
{
	uint32_t size = l->plan->maps.a[map].value_size;
	struct simulated *sim = l->backend_data;

	for (unsigned int c = 0; c < copies(l, map); c++) {
		const void *v = bpf_interp_lookup(sim->in, l->fds.a[map], key, c);

		if (!v)
			return false;
		memcpy((char *)value + c * ((size + 7) & ~7U), v, size);
	}
	return true;
}

static int take(struct load *l, unsigned int map, backend_row *row, void *arg)
{
	struct simulated *sim = l->backend_data;
	const void *key;

	while ((key = bpf_interp_key(sim->in, l->fds.a[map], 0)) != NULL) {
		row(arg, key, bpf_interp_lookup(sim->in, l->fds.a[map], key, 0));
		bpf_interp_delete(sim->in, l->fds.a[map], key);
	}
	return 0;
}

/*
 * A firing has ended when its record is read.  Time 0 makes each record read the newest
 * aggregations.
 */
static uint64_t now(struct load *l)
{
	return 0;
}

static void settle(struct load *l)
{
}

static void remove_key(struct load *l, unsigned int map, const void *key)
{
	struct simulated *sim = l->backend_data;

	bpf_interp_delete(sim->in, l->fds.a[map], key);
}

static bool update(struct load *l, unsigned int map, const void *key, const void *value,
		   uint64_t flags)
{
	uint32_t stride = (l->plan->maps.a[map].value_size + 7) & ~7U;
	struct simulated *sim = l->backend_data;
	bool ok = true;

	for (unsigned int c = 0; c < copies(l, map); c++)
		ok = bpf_interp_update(sim->in, l->fds.a[map], key,
				       (const char *)value + c * stride, c, flags) == 0 &&
		     ok;
	return ok;
}

static int load(struct load *l, struct unit *u, struct bpf_code *code, char *log, int level)
{
	struct simulated *sim = l->backend_data;
	bool is_valid = bpf_interp_check(sim->in, code);

	assert(is_valid);
	vec_push(&sim->code, code);
	return (int)sim->code.n - 1;
}

static int attach(struct load *l, struct unit *u, const char **err)
{
	return 0;
}

static void run(struct load *l, struct unit *u)
{
}

static void wait(struct load *l, int ms)
{
}

static uint64_t misses(struct load *l, const struct unit *u)
{
	return 0;
}

static void close_programs(struct load *l)
{
	struct simulated *sim = l->backend_data;

	vec_free(&sim->code);
}

const struct backend backend_simulated = {
    .map_new = map_new,
    .set_consts = set_consts,
    .fetch = fetch,
    .store = store,
    .open = open_maps,
    .load = load,
    .attach = attach,
    .run = run,
    .wait = wait,
    .drain = drain,
    .lookup = lookup,
    .now = now,
    .settle = settle,
    .take = take,
    .update = update,
    .remove = remove_key,
    .misses = misses,
    .close = close_programs,
};
