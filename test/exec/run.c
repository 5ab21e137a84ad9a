/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.c: D programs in the BPF interpreter.  Each NAME.d of the folders (or each file) on the
 * command line is compiled, linked and run as by dtrace -s, with an interpreter for the kernel and
 * firings made up by the test; what it prints, messages included, must be the text of NAME.out.
 * This is done with optimization and without, and with all kernel memory read through helpers.
 *
 * Comments in a test set the stage, one directive in a line:
 *
 *	@args A B ...			operands
 *	@mem kernel|user ADDR BYTES	memory: "text" or hexadecimal bytes, in any order
 *	@fire PROBE KEY=VALUE ...	one firing, between BEGIN and END, in order
 *	@begin KEY=VALUE ...		what BEGIN sees; @end likewise
 *
 * Keys: pid tid ppid uid gid cpu time comm; arg0 to arg9, the arguments of a system call or
 * tracepoint; ret, of a system call; pc and user (1: pc is a user address) for profile and tick;
 * kstack and ustack, addresses with commas; hold (1: records are not consumed after this firing).
 */
#include <assert.h>
#include <bpf/btf.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/buf.h"
#include "bpf/interp.h"
#include "kern/priv.h"
#include "run/session.h"
#include "run/world.h"

#define NCPU	    4
#define STACK_MAX   16
#define REGS_SIZE   512
#define REGS_ADDR   0xffffc90000000000ULL
#define TASKS_ADDR  0xffff888000000000ULL
#define TASK_STEP   0x100000ULL
#define WALL_OFFSET 1700000000000000000LL

struct fire {
	const char *probe;
	uint64_t pid, tid, ppid, uid, gid, cpu, time, ret, pc, user, hold;
	uint64_t args[10];
	uint64_t stacks[2][STACK_MAX]; /* kernel, user */
	unsigned int nstacks[2];
	const char *comm;
};

struct test {
	struct arena *arena;
	const char *path;
	char *text;
	VEC(char *) args;
	VEC(struct fire *) fires;
	struct fire begin, end;
	const char *error; /* in a directive */
};

/* What stands for the kernel. */
struct stage {
	struct bpf_interp *in;
	struct session *s;
	struct test *t;
	VEC(struct bpf_code *) code;
	VEC(uint64_t) tasks; /* thread ids of those that were made */
	unsigned int next;   /* of the keys that are being read */
	char regs[REGS_SIZE];
};

/* ---- directives ---- */

/* The next word of a line; NULL: none. */
static char *word(char **line)
{
	char *p = *line + strspn(*line, " \t"), *end = p + strcspn(p, " \t");

	if (!*p)
		return NULL;
	*line = *end ? end + 1 : end;
	*end = '\0';
	return p;
}

static void stack_key(struct fire *f, unsigned int which, char *value)
{
	char *save = NULL;

	for (char *p = strtok_r(value, ",", &save); p; p = strtok_r(NULL, ",", &save)) {
		assert(f->nstacks[which] < STACK_MAX);
		f->stacks[which][f->nstacks[which]++] = strtoull(p, NULL, 0);
	}
}

static bool set_key(struct fire *f, const char *key, char *value)
{
	const struct {
		const char *name;
		uint64_t *to;
	} keys[] = {{"pid", &f->pid}, {"tid", &f->tid},	  {"ppid", &f->ppid}, {"uid", &f->uid},
		    {"gid", &f->gid}, {"cpu", &f->cpu},	  {"time", &f->time}, {"ret", &f->ret},
		    {"pc", &f->pc},   {"user", &f->user}, {"hold", &f->hold}};
	char *end;
	uint64_t v;

	if (strcmp(key, "comm") == 0) {
		f->comm = value;
		return true;
	}
	if (strcmp(key, "kstack") == 0 || strcmp(key, "ustack") == 0) {
		stack_key(f, key[0] == 'u', value);
		return true;
	}
	v = strtoull(value, &end, 0);
	if (*end || !*value)
		return false;
	if (strncmp(key, "arg", 3) == 0 && key[3] >= '0' && key[3] <= '9' && !key[4]) {
		f->args[key[3] - '0'] = v;
		return true;
	}
	for (unsigned int i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcmp(key, keys[i].name) == 0) {
			*keys[i].to = v;
			return true;
		}
	}
	return false;
}

static void set_keys(struct test *t, struct fire *f, char *line)
{
	char *p;

	while ((p = word(&line)) != NULL) {
		char *value = strchr(p, '=');

		if (value)
			*value++ = '\0';
		if (!value || !set_key(f, p, value))
			t->error = arena_printf(t->arena, "bad key: %s", p);
	}
	if (!f->tid)
		f->tid = f->pid;
}

static struct fire defaults(struct test *t)
{
	uint64_t n = t->fires.n;

	return (struct fire){.pid = 100, .ppid = 1, .time = 1000000 + n * 1000, .comm = "prog"};
}

/* Bytes of a @mem line, one after the other. */
static void mem_bytes(struct buf *b, char *p)
{
	while (*(p += strspn(p, " \t"))) {
		if (*p != '"') {
			buf_putc(b, (char)strtoul(p, &p, 16));
			continue;
		}
		for (p++; *p && *p != '"'; p++) {
			bool is_nul = p[0] == '\\' && p[1] == '0';

			buf_putc(b, is_nul ? '\0' : *p);
			p += is_nul;
		}
		p += *p == '"';
	}
}

/* Needs the interpreter: done again for every run. */
static void mem_line(struct stage *g, char *line)
{
	char *kind = word(&line), *addr = word(&line);
	bool is_user = kind && strcmp(kind, "user") == 0;
	struct buf b = {0};
	void *host;

	if (!addr || (!is_user && strcmp(kind, "kernel") != 0)) {
		g->t->error = "@mem kernel|user ADDR BYTES";
		return;
	}
	mem_bytes(&b, line);
	host = arena_alloc(g->s->arena, b.n + 1);
	memcpy(host, buf_str(&b), b.n);
	bpf_interp_region(g->in, strtoull(addr, NULL, 0), host, b.n,
			  is_user ? BPF_REGION_USER | BPF_REGION_WRITE : BPF_REGION_KERNEL);
	buf_free(&b);
}

static void directive(struct test *t, struct stage *g, char *line)
{
	char *what = word(&line), *p;

	if (strcmp(what, "@mem") == 0) {
		if (g)
			mem_line(g, line);
	} else if (g) {
		return;
	} else if (strcmp(what, "@args") == 0) {
		while ((p = word(&line)) != NULL)
			vec_push(&t->args, p);
	} else if (strcmp(what, "@begin") == 0 || strcmp(what, "@end") == 0) {
		set_keys(t, what[1] == 'b' ? &t->begin : &t->end, line);
	} else if (strcmp(what, "@fire") == 0) {
		struct fire *f = arena_new_obj(t->arena, struct fire);

		*f = defaults(t);
		f->probe = word(&line);
		set_keys(t, f, line);
		vec_push(&t->fires, f);
	} else {
		t->error = arena_printf(t->arena, "unknown directive %s", what);
	}
}

/* All directives of the text; g: those that a run needs. */
static void directives(struct test *t, struct stage *g)
{
	char *copy = arena_strdup(t->arena, t->text), *save = NULL;

	for (char *p = strtok_r(copy, "\n", &save); p; p = strtok_r(NULL, "\n", &save)) {
		char *at = strstr(p, " @"), *end = strstr(p, "*/");

		if (!at || at > p + 3 || (p[0] != '/' && p[1] != '*'))
			continue;
		if (end)
			*end = '\0';
		directive(t, g, at + 1);
	}
}

/* ---- maps and records ---- */

static int stage_map_new(struct session *s, const struct lower_map *m)
{
	struct stage *g = s->world_data;

	return bpf_interp_map(g->in, (int)m->type, m->key_size, m->value_size, m->max_entries);
}

static bool stage_open(struct session *s)
{
	struct stage *g = s->world_data;
	uint32_t zero = 0;

	s->state = bpf_interp_lookup(g->in, s->fds.a[MAP_STATE], &zero, 0);
	return bpf_interp_update(g->in, s->fds.a[MAP_RODATA], &zero, s->lo.rodata.s, 0, 0) == 0;
}

static int stage_drain(struct session *s)
{
	struct stage *g = s->world_data;
	const void *rec;
	size_t size;
	int n = 0;

	while ((rec = bpf_interp_ring_next(g->in, s->fds.a[MAP_RING], &size)) != NULL) {
		consume_record(s, (void *)rec, size);
		n++;
	}
	return n;
}

static unsigned int copies(struct session *s, unsigned int map)
{
	enum bpf_map_type t = s->lo.maps.a[map].type;

	return t == BPF_MAP_TYPE_PERCPU_ARRAY || t == BPF_MAP_TYPE_PERCPU_HASH ? NCPU : 1;
}

static bool stage_lookup(struct session *s, unsigned int map, const void *key, void *value)
{
	uint32_t size = s->lo.maps.a[map].value_size;
	struct stage *g = s->world_data;

	for (unsigned int c = 0; c < copies(s, map); c++) {
		const void *v = bpf_interp_lookup(g->in, s->fds.a[map], key, c);

		if (!v)
			return false;
		memcpy((char *)value + c * ((size + 7) & ~7U), v, size);
	}
	return true;
}

static bool stage_next_key(struct session *s, unsigned int map, const void *prev, void *next)
{
	struct stage *g = s->world_data;
	const void *key;

	g->next = prev ? g->next + 1 : 0;
	key = bpf_interp_key(g->in, s->fds.a[map], g->next);
	if (key)
		memcpy(next, key, s->lo.maps.a[map].key_size);
	return key;
}

static bool stage_update(struct session *s, unsigned int map, const void *key, const void *value,
			 uint64_t flags)
{
	uint32_t stride = (s->lo.maps.a[map].value_size + 7) & ~7U;
	struct stage *g = s->world_data;
	bool ok = true;

	for (unsigned int c = 0; c < copies(s, map); c++)
		ok = bpf_interp_update(g->in, s->fds.a[map], key, (const char *)value + c * stride,
				       c, flags) == 0 &&
		     ok;
	return ok;
}

/* ---- firings ---- */

static uint64_t offset(struct session *s, const char *type, const char *member)
{
	struct type *t = type_resolve(s->lo.types, type_lookup(s->lo.types, type));
	uint64_t bits = 0;

	if (!type_member(s->lo.types, t, member, &bits))
		assert(!"a member that the kernel lacks");
	return bits / 8;
}

static void put(void *base, uint64_t off, uint64_t v, size_t size)
{
	memcpy((char *)base + off, &v, size);
}

/* The address of the task of a thread, made when it fires first. */
static uint64_t task(struct stage *g, const struct fire *f)
{
	struct type *t =
	    type_resolve(g->s->lo.types, type_lookup(g->s->lo.types, "struct task_struct"));
	uint64_t parent, at;
	void *host;

	for (unsigned int i = 0; i < g->tasks.n; i++)
		if (g->tasks.a[i] == f->tid)
			return TASKS_ADDR + i * TASK_STEP;
	at = TASKS_ADDR + g->tasks.n * TASK_STEP;
	assert(t->size < TASK_STEP);
	host = arena_alloc(g->s->arena, t->size);
	memset(host, 0, t->size);
	vec_push(&g->tasks, f->tid);
	bpf_interp_region(g->in, at, host, t->size, BPF_REGION_KERNEL);
	parent = f->ppid ? task(g, &(struct fire){.pid = f->ppid, .tid = f->ppid}) : at;
	put(host, offset(g->s, "struct task_struct", "pid"), f->tid, 4);
	put(host, offset(g->s, "struct task_struct", "tgid"), f->pid, 4);
	put(host, offset(g->s, "struct task_struct", "real_parent"), parent, 8);
	return at;
}

/* Arguments and number of a system call in struct pt_regs. */
static void fill_regs(struct stage *g, const struct fire *f, int64_t nr)
{
#if defined(__x86_64__)
	static const char *const names[] = {"di", "si", "dx", "r10", "r8", "r9"};

	for (unsigned int i = 0; i < 6; i++)
		put(g->regs, offset(g->s, "struct pt_regs", names[i]), f->args[i], 8);
	put(g->regs, offset(g->s, "struct pt_regs", "orig_ax"), (uint64_t)nr, 8);
#elif defined(__aarch64__)
	for (unsigned int i = 0; i < 6; i++)
		put(g->regs, offset(g->s, "struct pt_regs", "regs") + 8 * i, f->args[i], 8);
	put(g->regs, offset(g->s, "struct pt_regs", "syscallno"), (uint64_t)nr, 4);
#endif
}

/* The program's context, in ctx; its size. */
static size_t fill_ctx(struct stage *g, const struct fire *f, const struct probe *p, void *ctx)
{
	memset(ctx, 0, REGS_SIZE);
	if (p && strcmp(p->prov, "syscall") == 0) {
		fill_regs(g, f, p->key);
		put(ctx, 0, REGS_ADDR, 8);
		put(ctx, 8, p->name[0] == 'e' ? (uint64_t)p->key : f->ret, 8);
		return 16;
	}
	if (p && strcmp(p->prov, "profile") == 0) {
#if defined(__x86_64__)
		put(ctx, 128, f->pc, 8);
		put(ctx, 136, f->user ? 3 : 0, 8);
#elif defined(__aarch64__)
		put(ctx, 256, f->pc, 8);
		put(ctx, 264, f->user ? 0 : 5, 8);
#endif
		return REGS_SIZE;
	}
	memcpy(ctx, f->args, sizeof(f->args));
	return sizeof(f->args);
}

static void run_unit(struct stage *g, struct unit *u, const struct fire *f, const struct probe *p)
{
	uint64_t ctx[REGS_SIZE / 8];
	struct bpf_firing b = {.ctx = ctx,
			       .cpu = (unsigned int)f->cpu,
			       .pid = (uint32_t)f->tid,
			       .tgid = (uint32_t)f->pid,
			       .uid = (uint32_t)f->uid,
			       .gid = (uint32_t)f->gid,
			       .ktime = f->time,
			       .boot_time = f->time,
			       .kstack = f->stacks[0],
			       .nkstack = f->nstacks[0],
			       .ustack = f->stacks[1],
			       .nustack = f->nstacks[1]};

	strncpy(b.comm, f->comm, sizeof(b.comm) - 1);
	b.task = task(g, f);
	b.ctx_size = fill_ctx(g, f, p, ctx);
	if (!bpf_interp_run(g->in, g->code.a[u->fd], &b, NULL))
		session_error(g->s, "%s: %s", u->place, bpf_interp_error(g->in));
}

/* The one probe of a description. */
static struct probe *find_probe(struct session *s, const char *desc)
{
	char *copy = arena_strdup(s->arena, desc), *field[4] = {0};
	struct probe *p;
	probe_list list = {0};

	for (int i = 3; i >= 0; i--) {
		char *colon = strrchr(copy, ':');

		field[i] = i > 0 && colon ? colon + 1 : copy;
		if (!colon)
			break;
		*colon = '\0';
	}
	probes_match(
	    s->lo.probes,
	    &(struct pdesc){.prov = field[0], .mod = field[1], .func = field[2], .name = field[3]},
	    &list);
	p = list.n == 1 ? list.a[0] : NULL;
	vec_free(&list);
	return p;
}

static void fire(struct stage *g, const struct fire *f)
{
	struct session *s = g->s;
	struct probe *p = find_probe(s, f->probe);
	bool found = false;

	for (unsigned int i = 0; p && i < s->units.n; i++) {
		struct unit *u = s->units.a[i];

		if (u->provider != p->provider ||
		    strcmp(u->place, p->provider->place(&s->lo, p)) != 0)
			continue;
		found = true;
		run_unit(g, u, f, p);
	}
	if (!found)
		session_error(s, "@fire %s: nothing is enabled there", f->probe);
	if (!f->hold && stage_drain(s) > 0)
		out_flush(&s->out);
}

/* ---- programs ---- */

static int stage_load(struct session *s, struct unit *u, struct bpf_code *code, char *log,
		      int level)
{
	struct stage *g = s->world_data;

	vec_push(&g->code, code);
	return (int)g->code.n - 1;
}

static int stage_attach(struct session *s, struct unit *u, const char **err)
{
	return 0;
}

static void stage_run(struct session *s, struct unit *u)
{
	struct stage *g = s->world_data;

	run_unit(g, u, u == s->begin ? &g->t->begin : &g->t->end, NULL);
}

static void stage_wait(struct session *s, int ms)
{
}

static uint64_t stage_misses(struct session *s, const struct unit *u)
{
	return 0;
}

static bool is_kfunc(struct session *s, int32_t id, const char *name)
{
	return kern_btf_find(s->lo.kern, name, BTF_KIND_FUNC) == (uint32_t)id;
}

/* Kernel functions that tell the verifier something. */
static bool stage_kfunc(void *arg, struct bpf_interp *in, int32_t btf_id, uint64_t *r)
{
	struct stage *g = arg;

	r[0] = r[1];
	return is_kfunc(g->s, btf_id, "bpf_rdonly_cast") ||
	       is_kfunc(g->s, btf_id, "bpf_cast_to_kern_ctx");
}

static void stage_close(struct session *s)
{
	struct stage *g = s->world_data;

	bpf_interp_free(g->in);
	vec_free(&g->code);
	vec_free(&g->tasks);
}

static const struct world stage_world = {
    .map_new = stage_map_new,
    .open = stage_open,
    .load = stage_load,
    .attach = stage_attach,
    .run = stage_run,
    .wait = stage_wait,
    .drain = stage_drain,
    .lookup = stage_lookup,
    .next_key = stage_next_key,
    .update = stage_update,
    .misses = stage_misses,
    .close = stage_close,
};

/* ---- a run ---- */

struct mode {
	const char *name, *opt;
	bool no_direct;
};

static const struct mode modes[] = {
    {"-x opt=0", "0", false},
    {"-x opt=2", "2", false},
    {"reads through helpers", "2", true},
};

static bool start(struct session *s, const struct mode *m)
{
	if (!session_compile(s))
		return false;
	s->lo.no_direct = m->no_direct;
	s->lo.wall_offset = WALL_OFFSET;
	s->lo.kern->ncpu_possible = NCPU;
	return session_check_destructive(s) && session_enable(s) && session_load(s);
}

/* Everything that the program prints. */
static char *run(struct test *t, const struct mode *m)
{
	struct stage g = {.in = bpf_interp_new(NCPU), .t = t};
	struct bpf_interp_hooks hooks = {.kfunc = stage_kfunc, .arg = &g};
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	struct session *s = session_new("dtrace");

	g.s = s;
	s->file = s->errors = f;
	s->world = &stage_world;
	s->world_data = &g;
	s->nargs = (int)t->args.n;
	s->args = t->args.a;
	session_setopt(s, "opt", m->opt);
	bpf_interp_set_hooks(g.in, &hooks);
	bpf_interp_region(g.in, REGS_ADDR, g.regs, sizeof(g.regs), BPF_REGION_KERNEL);
	directives(t, &g);
	if (session_add_script(s, t->path) && start(s, m)) {
		session_go(s);
		for (unsigned int i = 0; i < t->fires.n; i++)
			fire(&g, t->fires.a[i]);
		session_stop(s, false);
		if (s->exit_status)
			fprintf(f, "exit status %d\n", s->exit_status);
	}
	session_free(s);
	fclose(f);
	return text;
}

static char *read_text(struct arena *a, const char *path)
{
	struct buf b = {0};
	FILE *f = fopen(path, "re");
	char part[4096], *text;
	size_t n;

	if (!f)
		return NULL;
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(&b, part, n);
	fclose(f);
	text = arena_strdup(a, buf_str(&b));
	buf_free(&b);
	return text;
}

/* An address of this process in a message differs between runs: the text says (0x...). */
static void hide_addresses(char *text)
{
	for (char *p = text; (p = strstr(p, "(0x")) != NULL; p += 3) {
		size_t n = strspn(p + 3, "0123456789abcdef");

		if (n == 12 && p[3 + n] == ')')
			memmove(p + 3, "...", 3), memmove(p + 6, p + 3 + n, strlen(p + 3 + n) + 1);
	}
}

static bool run_modes(struct test *t, const char *want)
{
	for (unsigned int i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		char *got = run(t, &modes[i]);
		bool ok;

		hide_addresses(got);
		ok = strcmp(got, want) == 0 && !t->error;
		if (!ok)
			printf("%s, %s: %s\n-- got\n%s-- want\n%s--\n", t->path, modes[i].name,
			       t->error ? t->error : "other output", got, want);
		free(got);
		if (!ok)
			return false;
	}
	return true;
}

static bool run_test(const char *path)
{
	struct test t = {.arena = arena_new(), .path = path};
	size_t n = strlen(path);
	char *want;
	bool ok;

	assert(n > 2 && strcmp(path + n - 2, ".d") == 0);
	t.begin = t.end = defaults(&t);
	t.begin.tid = t.end.tid = t.begin.pid;
	t.text = read_text(t.arena, path);
	want = read_text(t.arena, arena_printf(t.arena, "%.*s.out", (int)n - 2, path));
	if (t.text)
		directives(&t, NULL);
	if (!t.text || !want || t.error) {
		printf("%s: %s\n", path, t.error ? t.error : "no such file, or no .out beside it");
		ok = false;
	} else {
		ok = run_modes(&t, want);
	}
	vec_free(&t.args);
	vec_free(&t.fires);
	arena_free(t.arena);
	return ok;
}

int main(int argc, char **argv)
{
	unsigned int passed = 0, failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	setenv("TZ", "UTC", 1);
	for (int i = 1; i < argc; i++) {
		struct stat st;
		char pattern[4096];
		glob_t g;

		if (stat(argv[i], &st) != 0)
			st.st_mode = 0;
		snprintf(pattern, sizeof(pattern), S_ISDIR(st.st_mode) ? "%s/*.d" : "%s", argv[i]);
		if (glob(pattern, 0, NULL, &g) != 0) {
			printf("%s: no tests\n", argv[i]);
			failed++;
			continue;
		}
		for (size_t j = 0; j < g.gl_pathc; j++)
			*(run_test(g.gl_pathv[j]) ? &passed : &failed) += 1;
		globfree(&g);
	}
	printf("%u passed, %u failed\n", passed, failed);
	return failed || !passed;
}
