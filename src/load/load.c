/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * load.c: units into the kernel: IR, optimizer, code, maps, programs, links.
 *
 * Maps are created after all units are lowered, because only then their sizes are known.  A program
 * that the kernel refuses is lowered again.  The next attempt takes another way of the provider, if
 * it has one.  Then helpers read all kernel memory, because kernels differ in the plain loads that
 * they accept.  The last attempt omits optimization.
 */
#include <assert.h>
#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/torture.h"
#include "bpf/codegen.h"
#include "kern/kern.h"
#include "lower/lower.h"
#include "opt/opt.h"
#include "print/msg.h"
#include "load/load.h"
#include "config/opts.h"
#include "config/report.h"
#include "load/backend.h"
#include "sys/machine.h"

#define RING_MIN   65536
#define RING_SMALL 262144 /* minimum if only BEGIN and END can record */

static void dump_ir(struct load *l, const char *stage, const struct ir_module *m)
{
	struct buf b = {0};

	if (!report_dumps(l->report, stage))
		return;
	ir_print(&b, m);
	report_dump(l->report, stage, &b);
}

/*
 * Returns true if the function does nothing, such as a site that this run does not use.  Such a
 * unit need not run.
 */
static bool is_idle(const struct ir_func *f)
{
	const struct ir_ins *i = f->blocks[0]->first;

	while (i && (i->op == IR_CONST || i->op == IR_ARG))
		i = i->next;
	return f->nblocks == 1 && i && i->op == IR_RET;
}

/*
 * The kernel accepts one million instructions (BPF_COMPLEXITY_LIMIT_INSNS), and programs of many
 * clauses have 1.7 instructions or more for each value.  The limit is lower, because compiling a
 * larger program, of 10,000 clauses, took 20 s and 1 GB.
 */
#define VALUES_MAX 400000

static bool is_too_large(const struct ir_module *m)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < m->nfuncs; i++)
		n += m->funcs[i]->next_id;
	return n > VALUES_MAX;
}

/*
 * Compiles a unit to linked code, which lacks map file descriptors.  Sets *out even if that fails;
 * the caller frees its constants.
 */
static struct bpf_code *compile_at(struct load *l, struct unit *u, int level, struct lowered *out,
				   const char **err)
{
	bool has_v4 = TORTURE_OR(false, kern_has(l->plan->env.kern, KERN_SDIV));
	struct bpf_target target = {
	    .has_sdiv = has_v4, .has_movsx = has_v4, .nregs = TORTURE_OR(3, 0)};
	struct bpf_code *code;

	*out = (struct lowered){0};
	lower_unit(l->plan, u, out);
	dump_ir(l, "ir", out->mod);
	if (out->lacks) {
		*err = arena_printf(l->arena, "the types of this kernel lack the member %s",
				    out->lacks);
		return NULL;
	}
	if (is_too_large(out->mod)) {
		*err = msg_reason(MSG_REASON_PROGRAM_SIZE);
		return NULL;
	}
	opt_run(out->mod, level);
	dump_ir(l, "opt", out->mod);
	u->is_idle = is_idle(out->mod->funcs[u->nstubs]);
	code = bpf_codegen(l->arena, out->mod, &target, err);
	if (!code || !bpf_link(code, &bpf_rt, l->plan->opt.strsize, err))
		return NULL;
	if (report_dumps(l->report, "bpf") || l->opts->is_set[OPT_verbose]) {
		struct buf b = {0};

		bpf_disasm(&b, code);
		report_dump(l->report, "bpf", &b);
	}
	return code;
}

/*
 * Optimized or unoptimized code may hold more values at a time than the stack has room for.  Then
 * the other one is tried.
 */
static struct bpf_code *compile(struct load *l, struct unit *u, const char **err)
{
	int level = l->opts->num[OPT_opt] ? 2 : 0;
	struct buf *all = &l->consts;
	struct lowered made;
	struct bpf_code *code = compile_at(l, u, level, &made, err);

	if (!code) {
		buf_free(&made.consts);
		code = compile_at(l, u, level ? 0 : 2, &made, err);
	}
	if (code) {
		buf_pad(all, '\0', -all->n & 7);
		bpf_move_value(code, MAP_RODATA, (uint32_t)all->n);
		buf_add(all, made.consts.s, made.consts.n);
		l->keeps_addresses |= made.keeps_addresses;
		l->scratch_size =
		    made.scratch_size > l->scratch_size ? made.scratch_size : l->scratch_size;
	}
	buf_free(&made.consts);
	return code;
}

/*
 * Returns the place in the D program for which instruction insn was made.  Without such a place, or
 * for an instruction of the run-time library, returns the first clause of the user in the unit.
 */
static struct loc blame(const struct unit *u, const struct bpf_code *code, long insn)
{
	struct loc loc = {0};

	for (unsigned int i = 0; code && i < code->nlines && code->lines[i].insn <= insn; i++)
		loc = code->lines[i].loc;
	for (unsigned int i = 0; i < u->groups.n && !loc.line; i++)
		for (unsigned int j = 0; j < u->groups.a[i]->list.n && !loc.line; j++)
			if (!u->groups.a[i]->list.a[j].clause->is_library)
				loc = u->groups.a[i]->list.a[j].clause->loc;
	return loc;
}

/* Returns the number of the last instruction that the verifier examined: "27: (85) call ...". */
static long last_insn(const char *log)
{
	long last = -1;

	for (const char *line = log; line; line = strchr(line, '\n')) {
		char *end;
		long n;

		line += *line == '\n';
		n = strtol(line, &end, 10);
		if (end > line && strncmp(end, ": (", 3) == 0)
			last = n;
	}
	return last;
}

/* Reports why a program cannot run, with the place in the D text.  Returns false. */
static bool refuse(struct load *l, struct unit *u, struct loc loc, const char *why)
{
	struct diag d = {.loc = loc};

	u->err = why;
	d.text = arena_printf(l->arena, "failed to enable '%s:%s': %s", u->provider->name, u->place,
			      why);
	report_diag(l->report, &d);
	return false;
}

/* Returns a missing capability that can explain EPERM; NULL: there is none. */
static const char *missing(struct load *l, const struct unit *u)
{
	if (u->prog_type != BPF_PROG_TYPE_TRACING && u->nstubs &&
	    !kern_capable(l->plan->env.kern, CAP_NET_ADMIN))
		return "CAP_NET_ADMIN";
	return kern_capable(l->plan->env.kern, CAP_SYS_ADMIN) ? NULL : "CAP_SYS_ADMIN";
}

/*
 * Returns the reason, in terms of D if the verifier's text shows it.  EFAULT is its error for too
 * many branches.
 */
static const char *refusal(struct load *l, const struct unit *u, int err, const char *log)
{
	if (err == -E2BIG || err == -EFAULT || strstr(log, "jumps is too complex."))
		return msg_reason(MSG_REASON_PROGRAM_SIZE);
	if (err == -EPERM && missing(l, u))
		return arena_printf(l->arena, "this needs the capability %s", missing(l, u));
	if (strstr(log, "bpf_probe_write_user#36\n"))
		return kern_capable(l->plan->env.kern, CAP_SYS_ADMIN)
			   ? "this kernel allows no program to write user memory"
			   : "this needs the capability CAP_SYS_ADMIN";
	return arena_printf(l->arena, "the kernel refuses the program: %s", strerror(-err));
}

static void refused_by_kernel(struct load *l, struct unit *u, const struct bpf_code *code, int err,
			      const char *log)
{
	refuse(l, u, blame(u, code, last_insn(log)), refusal(l, u, err, log));
	if (l->opts->is_set[OPT_bpflog])
		fputs(log, stderr);
}

/* ---- maps ---- */

static uint32_t round_pow2(uint64_t n)
{
	uint32_t r = RING_MIN;

	while (r < n && r < LOAD_RING_MAX)
		r *= 2;
	return r;
}

/* Returns the room for one firing of every clause; clauses of BEGIN and END fire once. */
static uint64_t once(const struct plan *plan)
{
	uint64_t n = RING_SMALL;

	for (unsigned int i = 0; i < plan->descs.n; i++)
		n += plan->descs.a[i]->size + sizeof(struct abi_error) + 2 * BPF_RINGBUF_HDR_SZ;
	return n;
}

static void size_fixed_maps(struct load *l)
{
	struct plan *plan = l->plan;
	unsigned int ncpu = kern_ncpu_possible(plan->env.kern);
	bool is_small = true;
	struct plan_map *m = plan->maps.a;

	for (unsigned int i = 0; i < l->nunits; i++)
		is_small = is_small && !l->units[i]->provider->is_gated;
	m[MAP_STATE].key_size = m[MAP_DROPS].key_size = m[MAP_GLOBALS].key_size =
	    m[MAP_RODATA].key_size = m[MAP_SCRATCH].key_size = 4;
	m[MAP_STATE].value_size =
	    (uint32_t)sizeof(struct abi_state) + plan_row_cpus(plan) * plan_row_stride(plan);
	m[MAP_DROPS].value_size = ABI_DROP_MAX * 8;
	m[MAP_GLOBALS].value_size = plan->globals_size ? plan->globals_size : 8;
	m[MAP_GLOBALS].is_used = plan->globals_size != 0;
	buf_pad(&l->consts, '\0', plan->opt.strsize);
	m[MAP_RODATA].value_size = (uint32_t)(l->consts.n + 7) & ~7U;
	m[MAP_SCRATCH].value_size = (l->scratch_size + 7) & ~7U;
	m[MAP_SCRATCH].is_used = l->scratch_size != 0;
	m[MAP_STATE].max_entries = m[MAP_DROPS].max_entries = m[MAP_GLOBALS].max_entries =
	    m[MAP_RODATA].max_entries = 1;
	m[MAP_SCRATCH].max_entries = ncpu * ABI_SCRATCH_SLOTS;
	m[MAP_RING].max_entries = round_pow2(is_small && once(plan) < plan->opt.bufsize * ncpu
						 ? once(plan)
						 : plan->opt.bufsize * ncpu);
	m[MAP_METER].is_used = plan->opt.is_metered;
	m[MAP_KEPT].is_used = plan->kept_max != 0;
	m[MAP_KEPT].value_size =
	    (uint32_t)(sizeof(struct abi_memory) + plan_kept_size(plan) + plan->kept_max + 7) & ~7U;
	m[MAP_KEPT].max_entries = ncpu;
	m[MAP_FILL].is_used = plan->nfills != 0;
	m[MAP_FILL].value_size = plan->nfills * 8;
	m[MAP_SELF].key_size = plan->self_is_hash ? 8 : 4;
	m[MAP_SELF].value_size = plan->self_size;
	if (plan->self_is_hash) {
		m[MAP_SELF].type = BPF_MAP_TYPE_HASH;
		m[MAP_SELF].max_entries =
		    plan_entries(plan->opt.dynvarsize, (uint64_t)plan->self_size + 64);
	}
}

/*
 * Creates the ring buffer, smaller than requested if the kernel has no room for it
 * (bufresize=auto).
 */
static int create_ring(struct load *l, struct plan_map *m)
{
	unsigned int ncpu = kern_ncpu_possible(l->plan->env.kern);
	const char *resize = l->opts->is_set[OPT_bufresize] ? l->opts->text[OPT_bufresize] : "auto";
	bool may_shrink = strcasecmp(resize, "auto") == 0;
	int fd = l->backend->map_new(l, m);
	bool is_lowered = false;
	struct buf b = {0};

	while (fd == -ENOMEM && may_shrink && m->max_entries > RING_MIN) {
		m->max_entries /= 2;
		is_lowered = true;
		fd = l->backend->map_new(l, m);
	}
	if (fd >= 0 && is_lowered && !l->opts->is_set[OPT_quietresize]) {
		msg_size(&b, "buffer", m->max_entries / ncpu);
		report_error(l->report, "%s", b.s);
		buf_free(&b);
	}
	return fd;
}

static bool create_maps(struct load *l)
{
	struct plan *plan = l->plan;
	int fd;

	size_fixed_maps(l);
	for (unsigned int i = 0; i < plan->maps.n; i++) {
		fd = !plan->maps.a[i].is_used ? -1
		     : i == MAP_RING	      ? create_ring(l, &plan->maps.a[i])
					      : l->backend->map_new(l, &plan->maps.a[i]);
		if (plan->maps.a[i].is_used && fd < 0) {
			report_error(l->report, "could not enable tracing: map %s: %s",
				     plan->maps.a[i].name, strerror(-fd));
			return false;
		}
		vec_push(&l->fds, fd);
	}
	buf_pad(&l->consts, '\0', 8);
	if (!l->backend->set_consts(l, l->fds.a[MAP_RODATA], l->consts.s,
				    plan->maps.a[MAP_RODATA].value_size) ||
	    !l->backend->open(l)) {
		report_error(l->report, "could not enable tracing: %s", strerror(errno));
		return false;
	}
	load_set_wall(l, plan->opt.wall_offset);
	for (uint32_t id = 1; plan->spec_free && !plan->shares_specs && id <= plan->opt.nspec; id++)
		l->backend->update(l, plan->spec_free, NULL, &id, BPF_ANY);
	return true;
}

/* ---- programs ---- */

/*
 * Returns true if the unit has only library clauses, which keep state.  The run continues without
 * them.
 */
static bool is_optional(const struct unit *u)
{
	for (unsigned int i = 0; i < u->groups.n; i++)
		for (unsigned int j = 0; j < u->groups.a[i]->list.n; j++)
			if (!u->groups.a[i]->list.a[j].clause->is_library)
				return false;
	return true;
}

static bool fail(struct load *l, struct unit *u, const char *why)
{
	u->err = why;
	return is_optional(u) || refuse(l, u, blame(u, NULL, -1), why);
}

/* With -x bpflog, also prints the cost of verifying the program. */
static int load_first(struct load *l, struct unit *u, struct bpf_code *code)
{
	char *log;
	int fd;

	report_debug(l->report, "program of %s:%s: %u instructions", u->provider->name, u->place,
		     code->n);
	if (!l->opts->is_set[OPT_bpflog])
		return l->backend->load(l, u, code, NULL, 0);
	log = mem_alloc(WORLD_STATS_SIZE);
	fd = l->backend->load(l, u, code, log, WORLD_LOG_STATS);
	fprintf(stderr, "%s:%s: %s", u->provider->name, u->place, log);
	mem_free(log);
	return fd;
}

/* Creates a map for the constants of one program.  Returns its descriptor, or -1. */
static int create_consts(struct load *l, struct buf *consts)
{
	struct plan_map m = l->plan->maps.a[MAP_RODATA];
	int fd;

	buf_pad(consts, '\0', l->plan->opt.strsize + (-(consts->n + l->plan->opt.strsize) & 7));
	m.value_size = (uint32_t)consts->n;
	fd = l->backend->map_new(l, &m);
	if (fd < 0)
		return -1;
	vec_push(&l->own_maps, fd);
	return l->backend->set_consts(l, fd, consts->s, consts->n) ? fd : -1;
}

/* The run-time library refers to maps by name. */
static void resolve_maps(struct load *l, struct bpf_code *code)
{
	const char **names = arena_new_arr(l->arena, const char *, l->fds.n);

	for (unsigned int i = 0; i < l->fds.n; i++)
		names[i] = l->plan->maps.a[i].name;
	bpf_resolve_maps(code, l->fds.a, names, l->fds.n);
}

/*
 * Creates scratch memory for one program that needs more than the others.  Returns its descriptor,
 * or -1.
 */
static int create_scratch(struct load *l, uint32_t size)
{
	struct plan_map m = l->plan->maps.a[MAP_SCRATCH];
	int fd;

	m.value_size = (size + 7) & ~7U;
	fd = l->backend->map_new(l, &m);
	if (fd >= 0)
		vec_push(&l->own_maps, fd);
	return fd;
}

/*
 * Loads other code for the unit.  The common maps already exist, so its constants get a map of
 * their own, as does scratch memory if it needs more.
 */
static struct bpf_code *load_other(struct load *l, struct unit *u, int level, bool no_direct)
{
	int consts = l->fds.a[MAP_RODATA], scratch = l->fds.a[MAP_SCRATCH];
	struct lowered made;
	struct bpf_code *code;
	const char *err;

	u->no_direct = no_direct;
	code = compile_at(l, u, level, &made, &err);
	if (made.scratch_size > l->scratch_size)
		l->fds.a[MAP_SCRATCH] = create_scratch(l, made.scratch_size);
	l->fds.a[MAP_RODATA] = code ? create_consts(l, &made.consts) : -1;
	if (l->fds.a[MAP_RODATA] >= 0 && (!made.scratch_size || l->fds.a[MAP_SCRATCH] >= 0)) {
		resolve_maps(l, code);
		u->fd = l->backend->load(l, u, code, NULL, 0);
	} else {
		code = NULL;
	}
	if (u->fd >= 0 && made.lacks_tables)
		report_error(l->report,
			     "warning: user stacks of '%s:%s' are not unwound: the kernel refuses "
			     "the program that does so; -x bpflog prints why",
			     u->provider->name, u->place);
	l->fds.a[MAP_RODATA] = consts;
	l->fds.a[MAP_SCRATCH] = scratch;
	buf_free(&made.consts);
	return code;
}

/*
 * Loads a unit.  If the kernel refuses it, tries the other ways.  Unoptimized code can be accepted:
 * optimization shares work but keeps values longer, and old verifiers forget facts about spilled
 * values (src/bpf/spill.c).
 */
static bool load_unit(struct load *l, struct unit *u, struct bpf_code *code)
{
	int level = l->opts->num[OPT_opt] ? 2 : 0;
	struct bpf_code *other = NULL;
	char *log;
	int err;

	resolve_maps(l, code);
	u->fd = load_first(l, u, code);
	if (u->fd < 0 && u->provider->another && u->provider->another(l->plan, u)) {
		other = load_other(l, u, level, false);
		code = other ? other : code;
	}
	if (u->fd < 0 && l->opts->is_set[OPT_bpflog])
		fprintf(stderr, "%s:%s: refused: %s\n", u->provider->name, u->place,
			strerror(-u->fd));
	if (u->fd < 0 && u->fd != -E2BIG && !l->plan->no_direct)
		other = load_other(l, u, level, true);
	if (u->fd < 0 && level)
		other = load_other(l, u, 0, false);
	if (u->fd >= 0)
		return true;
	log = mem_alloc(WORLD_LOG_SIZE);
	err = u->fd;
	u->fd = l->backend->load(l, u, other ? other : code, log, WORLD_LOG_ALL);
	/* Before Linux 6.4 (kernel commit 121664093803), a log that is too long hides the error. */
	if (u->fd == -ENOSPC)
		u->fd = err;
	if (is_optional(u)) {
		u->err = "the kernel refuses the program";
		if (l->opts->is_set[OPT_bpflog])
			fputs(log, stderr);
	} else {
		refused_by_kernel(l, u, other ? other : code, u->fd, log);
	}
	mem_free(log);
	return is_optional(u);
}

/* Returns true if a signal has requested the end. */
static bool is_interrupted(const struct load *l)
{
	return l->plan->env.signals && *l->plan->env.signals;
}

static unsigned int count_lost(const struct load *l)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < l->plan->lost.n; i++)
		n += l->plan->lost.a[i].n;
	return n;
}

/* Attaches a unit.  comes_later: the process or its mapping may have gone meanwhile. */
static bool attach_unit(struct load *l, struct unit *u, bool comes_later)
{
	unsigned int lost = count_lost(l);
	const char *err = NULL;
	int r;

	if (is_interrupted(l))
		return false;
	if (u->fd < 0)
		return true;
	r = l->backend->attach(l, u, &err);
	if (comes_later && (r == -ENOENT || r == -ESRCH || count_lost(l) > lost)) {
		sys_close(kern_machine(l->plan->env.kern), u->fd);
		u->fd = -1;
		return true;
	}
	if (r == -EPERM && missing(l, u))
		err = refusal(l, u, r, "");
	return r >= 0 || (!is_interrupted(l) && fail(l, u, err ? err : strerror(-r)));
}

/*
 * Reports places that were left out, for each owner of the files: when their number has doubled,
 * because processes can go on to make some, and at the end.
 */
static void report_lost(struct load *l, bool at_end)
{
	for (unsigned int i = 0; i < l->plan->lost.n; i++) {
		struct plan_lost *lost = &l->plan->lost.a[i];

		if (lost->n == lost->reported || (!at_end && lost->n < 2 * lost->reported))
			continue;
		report_error(l->report, "%u probe%s in files of uid %u ignored: %s", lost->n,
			     lost->n > 1 ? "s" : "", (unsigned int)lost->uid, lost->first);
		lost->reported = lost->n;
	}
}

/* Returns the bytes that END records if each of its clauses fires once. */
static uint64_t end_size(struct load *l)
{
	uint64_t n = 0;

	for (unsigned int i = 0; l->end && i < l->end->groups.n; i++) {
		const struct group *g = l->end->groups.a[i];

		for (unsigned int j = 0; j < g->list.n; j++)
			for (unsigned int k = 0; k < g->list.a[j].clause->nparts; k++)
				n += plan_desc(l->plan, g->list.a[j].clause, k)->room;
	}
	return n;
}

/* The minimum size of a buffer: one record header. */
#define BUFFER_MIN 8

/* Checks that buffers have a minimum size, and that under fill the records of END fit. */
static bool records_fit(struct load *l)
{
	const struct plan *plan = l->plan;

	if ((plan->descs.n && plan->opt.bufsize < BUFFER_MIN) ||
	    (plan->aggs.n && plan->opt.aggsize < BUFFER_MIN) ||
	    (plan->spec_free && plan->opt.specsize < BUFFER_MIN)) {
		report_error(l->report, "could not enable tracing: %s",
			     msg_reason(MSG_REASON_ENABLING_SIZE));
		return false;
	}
	if (plan->opt.policy == PLAN_FILL && end_size(l) > plan->opt.bufsize) {
		report_error(l->report, "could not enable tracing: %s",
			     msg_reason(MSG_REASON_END_SIZE));
		return false;
	}
	return true;
}

/* A unit without probes exists only for planning. */
static bool is_planned_only(const struct unit *u)
{
	return !u->probes.n && !u->provider->is_error;
}

/*
 * Returns the code of every unit, NULL for units that this kernel cannot run.  Returns NULL after
 * reporting an error.  If a unit keeps addresses, all units are compiled once more.
 */
static struct bpf_code **compile_all(struct load *l)
{
	struct bpf_code **code = arena_new_arr(l->arena, struct bpf_code *, l->nunits + 1);
	const char *err = NULL;
	bool ok = true;

	buf_reset(&l->consts);
	for (unsigned int i = 0; i < l->nunits && ok; i++) {
		struct unit *u = l->units[i];

		progress_at("compiling programs", i, l->nunits);
		if (is_planned_only(u))
			continue;
		if (!u->provider->program(l->plan, u, &err))
			ok = fail(l, u, err);
		else
			code[i] = compile(l, u, &err);
		if (ok && !u->err && !code[i])
			ok = fail(l, u, err ? err : "cannot be compiled");
		if (u->fired == FIRED_AT_BEGIN)
			l->begin = u;
		if (u->fired == FIRED_AT_END)
			l->end = u;
	}
	if (!ok || l->plan->is_aliased || !l->keeps_addresses)
		return ok ? code : NULL;
	l->plan->is_aliased = true;
	return compile_all(l);
}

bool load_translate(struct load *l, struct unit *const *units, unsigned int n)
{
	l->units = units;
	l->nunits = n;
	return compile_all(l) != NULL;
}

bool load_units(struct load *l, struct unit *const *units, unsigned int n)
{
	struct bpf_code **code;
	bool ok = true;

	l->units = units;
	l->nunits = n;
	code = compile_all(l);
	if (!code || !records_fit(l) || !create_maps(l))
		return false;
	for (unsigned int i = 0; i < l->nunits && ok; i++) {
		progress_at("loading programs", i, l->nunits);
		if (code[i] && !l->units[i]->is_idle)
			ok = load_unit(l, l->units[i], code[i]);
	}
	/* Iterators over existing objects run last, when programs already see all new objects. */
	for (unsigned int i = 0; i < l->nunits && ok; i++) {
		progress_at("attaching programs", i, l->nunits);
		if (l->units[i]->attach_type != BPF_TRACE_ITER)
			ok = attach_unit(l, l->units[i], false);
	}
	for (unsigned int i = 0; i < l->nunits && ok; i++)
		if (l->units[i]->attach_type == BPF_TRACE_ITER)
			ok = attach_unit(l, l->units[i], false);
	if (ok)
		report_lost(l, false);
	return ok;
}

/*
 * Loads and attaches a unit that was added during tracing.  Its constants have a map of their own.
 */
static bool load_another(struct load *l, struct unit *u)
{
	const char *err = NULL;

	if (!u->provider->program(l->plan, u, &err))
		return fail(l, u, err);
	if (!load_other(l, u, l->opts->num[OPT_opt] ? 2 : 0, false) || u->fd < 0) {
		if (u->provider->another)
			u->provider->another(l->plan, u);
		load_other(l, u, l->opts->num[OPT_opt] ? 2 : 0, true);
	}
	return u->fd >= 0 ? attach_unit(l, u, true)
			  : fail(l, u, "its program can no longer be loaded");
}

bool load_more(struct load *l, struct unit *const *units, unsigned int n)
{
	unsigned int first = l->nunits;
	bool ok = true;

	l->units = units;
	l->nunits = n;
	for (unsigned int i = first; i < n; i++)
		ok = load_another(l, units[i]) && ok;
	report_lost(l, false);
	return ok;
}

void load_close(struct load *l)
{
	report_lost(l, true);
	l->backend->close(l);
	vec_free(&l->fds);
	vec_free(&l->own_maps);
	buf_free(&l->consts);
}

void load_set_wall(struct load *l, int64_t offset)
{
	struct abi_state *state = l->state;

	__atomic_store_n(&state->wall, (uint64_t)offset, __ATOMIC_RELAXED);
	l->backend->store(l, &state->wall, sizeof(state->wall));
}
