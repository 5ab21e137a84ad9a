/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * load.c: units into the kernel: IR, optimizer, code, maps, programs, links.
 *
 * Maps are created when all units have been lowered, because only then their sizes are known.  A
 * program that the verifier refuses is lowered once more with all kernel memory read through
 * helpers: what the verifier accepts of plain loads differs between kernels, what the helpers do
 * does not.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/mem.h"
#include "bpf/bpf.h"
#include "kern/kern.h"
#include "opt/opt.h"
#include "run/session.h"

#define RING_MIN   65536
#define RING_MAX   (1U << 30)
#define RING_SMALL 262144 /* when nothing but BEGIN and END can record */
#define LOG_SIZE   (1 << 20)

/* Levels of the verifier's log (include/linux/bpf_verifier.h). */
enum { LOG_ALL = 1, LOG_STATS = 4 };

static bool dump_wanted(struct session *s, const char *stage)
{
	const char *list = s->opts.is_set[OPT_dump] ? s->opts.text[OPT_dump] : NULL;

	return list && strstr(list, stage);
}

static void dump(struct session *s, const char *stage, struct buf *b)
{
	fprintf(stderr, "# %s\n%s", stage, buf_str(b));
	buf_free(b);
}

static void dump_ir(struct session *s, const char *stage, const struct ir_module *m)
{
	struct buf b = {0};

	if (!dump_wanted(s, stage))
		return;
	ir_print(&b, m);
	dump(s, stage, &b);
}

/* IR to linked code without map file descriptors. */
static struct bpf_code *compile(struct session *s, struct unit *u, const char **err)
{
	struct bpf_target target = {.has_sdiv = kern_has(s->lo.kern, KERN_SDIV),
				    .has_movsx = kern_has(s->lo.kern, KERN_SDIV)};
	struct ir_module *m = lower_unit(&s->lo, u);
	struct bpf_code *code;

	dump_ir(s, "ir", m);
	opt_run(m, s->opts.num[OPT_opt] ? 2 : 0);
	dump_ir(s, "opt", m);
	code = bpf_codegen(s->arena, m, &target, err);
	if (!code || !bpf_link(code, &bpf_rt, s->lo.strsize, err))
		return NULL;
	if (dump_wanted(s, "bpf") || s->opts.is_set[OPT_verbose]) {
		struct buf b = {0};

		bpf_disasm(&b, code);
		dump(s, "bpf", &b);
	}
	return code;
}

static void print_refusal(struct session *s, struct unit *u, int err, const char *log)
{
	session_error(s, "failed to enable '%s:%s': the kernel refuses the program: %s",
		      u->provider->name, u->place, strerror(-err));
	if (s->opts.is_set[OPT_bpflog])
		fputs(log, stderr);
}

static int load_code(struct session *s, struct unit *u, struct bpf_code *code, char *log, int level)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = u->attach_type,
		    .attach_btf_id = u->btf_id);
	struct bpf_debug debug = {0};
	int fd;

	if (bpf_btf(code, s->lo.strsize, &debug) == 0 && btf__load_into_kernel(debug.btf) == 0) {
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
		opts.log_size = level == LOG_STATS ? 4096 : LOG_SIZE;
		opts.log_level = level;
	}
	fd = bpf_prog_load(u->prog_type, "dtrace", "Dual BSD/GPL", code->insns, code->n, &opts);
	btf__free(debug.btf);
	return fd;
}

/* ---- maps ---- */

static uint32_t round_pow2(uint64_t n)
{
	uint32_t r = RING_MIN;

	while (r < n && r < RING_MAX)
		r *= 2;
	return r;
}

static void size_fixed_maps(struct session *s)
{
	struct lower *lo = &s->lo;
	unsigned int ncpu = kern_ncpu_possible(lo->kern);
	bool is_small = true;
	struct lower_map *m = lo->maps.a;

	for (unsigned int i = 0; i < s->units.n; i++)
		is_small = is_small && !s->units.a[i]->provider->is_gated;
	m[MAP_STATE].key_size = m[MAP_DROPS].key_size = m[MAP_GLOBALS].key_size =
	    m[MAP_RODATA].key_size = m[MAP_SCRATCH].key_size = 4;
	m[MAP_STATE].value_size = sizeof(struct abi_state);
	m[MAP_DROPS].value_size = ABI_DROP_MAX * 8;
	m[MAP_GLOBALS].value_size = lo->globals_size ? lo->globals_size : 8;
	m[MAP_GLOBALS].is_used = lo->globals_size != 0;
	buf_pad(&lo->rodata, '\0', lo->strsize);
	m[MAP_RODATA].value_size = (uint32_t)(lo->rodata.n + 7) & ~7U;
	m[MAP_SCRATCH].value_size = (lo->scratch_size + 7) & ~7U;
	m[MAP_STATE].max_entries = m[MAP_DROPS].max_entries = m[MAP_GLOBALS].max_entries =
	    m[MAP_RODATA].max_entries = 1;
	m[MAP_SCRATCH].max_entries = ncpu * ABI_SCRATCH_SLOTS;
	m[MAP_RING].max_entries = is_small ? RING_SMALL : round_pow2(lo->bufsize * ncpu);
	m[MAP_SELF].key_size = lo->self_is_hash ? 8 : 4;
	m[MAP_SELF].value_size = lo->self_size;
	if (lo->self_is_hash) {
		m[MAP_SELF].type = BPF_MAP_TYPE_HASH;
		m[MAP_SELF].max_entries = (uint32_t)(lo->dynvarsize / (lo->self_size + 64)) + 1;
	}
}

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

static int create_map(struct session *s, const struct lower_map *m)
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

static bool create_maps(struct session *s)
{
	struct lower *lo = &s->lo;
	uint32_t zero = 0;
	int fd;

	size_fixed_maps(s);
	for (unsigned int i = 0; i < lo->maps.n; i++) {
		fd = lo->maps.a[i].is_used ? create_map(s, &lo->maps.a[i]) : -1;
		if (lo->maps.a[i].is_used && fd < 0) {
			session_error(s, "could not enable tracing: map %s: %s", lo->maps.a[i].name,
				      strerror(-fd));
			return false;
		}
		vec_push(&s->fds, fd);
	}
	fd = s->fds.a[MAP_RODATA];
	buf_pad(&lo->rodata, '\0', 8);
	if (bpf_map_update_elem(fd, &zero, lo->rodata.s, 0) != 0 || bpf_map_freeze(fd) != 0) {
		session_error(s, "could not enable tracing: constants: %s", strerror(errno));
		return false;
	}
	s->state = mmap(NULL, (size_t)getpagesize(), PROT_READ | PROT_WRITE, MAP_SHARED,
			s->fds.a[MAP_STATE], 0);
	if (s->state == MAP_FAILED) {
		session_error(s, "could not enable tracing: %s", strerror(errno));
		return false;
	}
	s->ring = ring_buffer__new(s->fds.a[MAP_RING], consume_record, s, NULL);
	if (!s->ring) {
		session_error(s, "could not enable tracing: ring buffer: %s", strerror(errno));
		return false;
	}
	s->drops = mem_alloc(kern_ncpu_possible(lo->kern) * ABI_DROP_MAX * sizeof(*s->drops));
	s->flow = mem_alloc(kern_ncpu_possible(lo->kern) * sizeof(*s->flow));
	return true;
}

/* ---- programs ---- */

/* Only state of the libraries runs there: the run goes on without it. */
static bool is_optional(const struct unit *u)
{
	for (unsigned int i = 0; i < u->groups.n; i++)
		for (unsigned int j = 0; j < u->groups.a[i]->list.n; j++)
			if (!u->groups.a[i]->list.a[j].clause->is_library)
				return false;
	return true;
}

static bool fail(struct session *s, struct unit *u, const char *why)
{
	u->err = why;
	if (is_optional(u))
		return true;
	session_error(s, "failed to enable '%s:%s': %s", u->provider->name, u->place, why);
	return false;
}

/* With -x bpflog also what the verification of each program cost. */
static int load_first(struct session *s, struct unit *u, struct bpf_code *code)
{
	char log[4096];
	int fd;

	if (!s->opts.is_set[OPT_bpflog])
		return load_code(s, u, code, NULL, 0);
	fd = load_code(s, u, code, log, LOG_STATS);
	fprintf(stderr, "%s:%s: %s", u->provider->name, u->place, log);
	return fd;
}

static bool load_unit(struct session *s, struct unit *u, struct bpf_code *code)
{
	unsigned int nmaps = s->lo.maps.n;
	const char *err;
	char *log;

	bpf_resolve_maps(code, s->fds.a, NULL, nmaps);
	u->fd = load_first(s, u, code);
	if (u->fd >= 0)
		return true;
	if (!s->lo.no_direct) {
		uint32_t rodata = (uint32_t)s->lo.rodata.n;

		s->lo.no_direct = true;
		code = compile(s, u, &err);
		s->lo.no_direct = false;
		/* New constants would need another rodata map; the ones before are all there. */
		if (code && s->lo.rodata.n == rodata && s->lo.maps.n == nmaps) {
			bpf_resolve_maps(code, s->fds.a, NULL, nmaps);
			u->fd = load_code(s, u, code, NULL, 0);
			if (u->fd >= 0)
				return true;
		}
	}
	log = mem_alloc(LOG_SIZE);
	if (code)
		u->fd = load_code(s, u, code, log, LOG_ALL);
	if (is_optional(u)) {
		u->err = "the kernel refuses the program";
		if (s->opts.is_set[OPT_bpflog])
			fputs(log, stderr);
	} else {
		print_refusal(s, u, u->fd, log);
	}
	mem_free(log);
	return is_optional(u);
}

static bool attach_unit(struct session *s, struct unit *u)
{
	const char *err = NULL;
	int r;

	if (u->fd < 0)
		return true;
	r = u->provider->attach(&s->lo, u, &err);
	return r >= 0 || fail(s, u, err ? err : strerror(-r));
}

bool session_load(struct session *s)
{
	struct bpf_code **code = arena_new_arr(s->arena, struct bpf_code *, s->units.n + 1);
	const char *err = NULL;
	bool ok = true;

	for (unsigned int i = 0; i < s->units.n && ok; i++) {
		struct unit *u = s->units.a[i];

		if (!u->provider->program(&s->lo, u, &err))
			ok = fail(s, u, err);
		else
			code[i] = compile(s, u, &err);
		if (ok && !u->err && !code[i])
			ok = fail(s, u, err ? err : "cannot be compiled");
		if (strcmp(u->provider->name, "dtrace") == 0 && strcmp(u->place, "BEGIN") == 0)
			s->begin = u;
		if (strcmp(u->provider->name, "dtrace") == 0 && strcmp(u->place, "END") == 0)
			s->end = u;
	}
	if (!ok || !create_maps(s))
		return false;
	for (unsigned int i = 0; i < s->units.n && ok; i++)
		if (code[i])
			ok = load_unit(s, s->units.a[i], code[i]);
	/* What was there before is looked at last, when everything new is already seen. */
	for (unsigned int i = 0; i < s->units.n && ok; i++)
		if (s->units.a[i]->attach_type != BPF_TRACE_ITER)
			ok = attach_unit(s, s->units.a[i]);
	for (unsigned int i = 0; i < s->units.n && ok; i++)
		if (s->units.a[i]->attach_type == BPF_TRACE_ITER)
			ok = attach_unit(s, s->units.a[i]);
	return ok;
}

void load_close(struct session *s)
{
	for (unsigned int i = 0; i < s->units.n; i++) {
		struct unit *u = s->units.a[i];

		for (unsigned int j = 0; j < u->links.n; j++)
			close(u->links.a[j]);
		if (u->fd >= 0)
			close(u->fd);
		vec_free(&u->links);
		vec_free(&u->probes);
		for (unsigned int j = 0; j < u->groups.n; j++) {
			vec_free(&u->groups.a[j]->probes);
			vec_free(&u->groups.a[j]->list);
		}
		vec_free(&u->groups);
	}
	ring_buffer__free(s->ring);
	if (s->state && s->state != MAP_FAILED)
		munmap(s->state, (size_t)getpagesize());
	for (unsigned int i = 0; i < s->fds.n; i++)
		if (s->fds.a[i] >= 0)
			close(s->fds.a[i]);
	vec_free(&s->fds);
	vec_free(&s->units);
	mem_free(s->drops);
	mem_free(s->flow);
}
