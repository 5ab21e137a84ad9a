/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.c: D programs in the BPF interpreter.  Each file NAME.d on the command line is compiled,
 * linked and run like with dtrace -s.  The interpreter replaces the kernel, and the test makes up
 * firings.  The output, messages included, must be the text of NAME.out.  Each program runs with
 * optimization and without, with all kernel memory read through helpers, and with clauses at the
 * host, which get their data in records.
 *
 * Comments in a test set the stage, one directive per line:
 *
 *	@args A B ...			operands
 *	@mem kernel|user ADDR BYTES	memory: "text" or hexadecimal bytes, in any order
 *	@fire PROBE KEY=VALUE ...	one firing, between BEGIN and END, in order
 *	@early PROBE KEY=VALUE ...	the same, before BEGIN
 *	@begin KEY=VALUE ...		state for BEGIN; @end likewise
 *	@clock SINCE OFFSET RATE	a clock of the machine (struct abi_clock); the second one is
 *					the newest
 *	@there REASON			the output differs with clauses at the host
 *	@afar MESSAGE			the compiler refuses clauses at the host: MESSAGE cannot be
 *					done from afar
 *
 * Keys: pid tid ppid uid gid cpu time comm; arg0 to arg9, the arguments of a system call or
 * tracepoint; ret, of a system call; pc and user (1: pc is a user address) for profile and tick;
 * kstack and ustack, addresses with commas; hold (1: records are not consumed after this firing);
 * preempt, the processor's preemption counter; lost, nanoseconds of the processor that count for no
 * thread.
 */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../result.h"
#include "base/arena.h"
#include "base/buf.h"
#include "stage.h"
#include "sys/machine.h"

struct test {
	struct arena *arena;
	const char *path;
	char *text;
	VEC(char *) args;
	VEC(struct fire *) fires, early;
	struct fire begin, end;
	VEC(struct abi_clock) clocks;
	bool is_there;	   /* not with clauses at the host */
	const char *afar;  /* part of the message that refuses clauses at the host */
	const char *error; /* in a directive */
};

/* ---- directives ---- */

/* Returns the next word of a line; NULL: none. */
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
		assert(f->nstacks[which] < STAGE_DEPTH);
		f->stacks[which][f->nstacks[which]++] = strtoull(p, NULL, 0);
	}
}

static bool set_key(struct fire *f, const char *key, char *value)
{
	const struct {
		const char *name;
		uint64_t *to;
	} keys[] = {{"pid", &f->pid},	{"tid", &f->tid},   {"ppid", &f->ppid},
		    {"uid", &f->uid},	{"gid", &f->gid},   {"cpu", &f->cpu},
		    {"time", &f->time}, {"ret", &f->ret},   {"pc", &f->pc},
		    {"user", &f->user}, {"hold", &f->hold}, {"preempt", &f->preempt},
		    {"lost", &f->lost}};
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

/* Reads the bytes of a @mem line, one after the other. */
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

/* Needs the interpreter, so it is repeated for every run. */
static void mem_line(struct test *t, struct stage *g, char *line)
{
	char *kind = word(&line), *addr = word(&line);
	bool is_user = kind && strcmp(kind, "user") == 0;
	struct buf b = {0};
	void *host;

	if (!addr || (!is_user && strcmp(kind, "kernel") != 0)) {
		t->error = "@mem kernel|user ADDR BYTES";
		return;
	}
	mem_bytes(&b, line);
	host = arena_alloc(g->s->arena, b.n + 1);
	memcpy(host, buf_str(&b), b.n);
	bpf_interp_region(g->sim.in, strtoull(addr, NULL, 0), host, b.n,
			  is_user ? BPF_REGION_USER | BPF_REGION_WRITE : BPF_REGION_KERNEL);
	buf_free(&b);
}

static void clock_line(struct test *t, char *line)
{
	struct abi_clock c;

	if (t->clocks.n == 2 ||
	    sscanf(line, "%" SCNi64 " %" SCNi64 " %" SCNi64, (int64_t *)&c.since,
		   (int64_t *)&c.offset, (int64_t *)&c.rate) != 3)
		t->error = "@clock SINCE OFFSET RATE, twice";
	else
		vec_push(&t->clocks, c);
}

static void directive(struct test *t, struct stage *g, char *line)
{
	char *what = word(&line), *p;

	if (strcmp(what, "@mem") == 0) {
		if (g)
			mem_line(t, g, line);
	} else if (g) {
		return;
	} else if (strcmp(what, "@args") == 0) {
		while ((p = word(&line)) != NULL)
			vec_push(&t->args, p);
	} else if (strcmp(what, "@begin") == 0 || strcmp(what, "@end") == 0) {
		set_keys(t, what[1] == 'b' ? &t->begin : &t->end, line);
	} else if (strcmp(what, "@fire") == 0 || strcmp(what, "@early") == 0) {
		struct fire *f = arena_new_obj(t->arena, struct fire);

		*f = defaults(t);
		f->probe = word(&line);
		set_keys(t, f, line);
		if (what[1] == 'f')
			vec_push(&t->fires, f);
		else
			vec_push(&t->early, f);
	} else if (strcmp(what, "@clock") == 0) {
		clock_line(t, line);
	} else if (strcmp(what, "@there") == 0) {
		t->is_there = true;
	} else if (strcmp(what, "@afar") == 0) {
		t->afar =
		    arena_printf(t->arena, "%.*s is not possible: the clause runs at the host",
				 (int)strlen(line) - 1, line);
	} else {
		t->error = arena_printf(t->arena, "unknown directive %s", what);
	}
}

/* Applies all directives of the text; with g, those that a run needs. */
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

/* ---- a run ---- */

struct mode {
	const char *name, *opt;
	bool no_direct, is_hosted;
};

static const struct mode modes[] = {
    {"-x opt=0", "0", false, false},
    {"-x opt=2", "2", false, false},
    {"reads through helpers", "2", true, false},
    {"clauses at the host", "2", false, true},
};

/* Returns a session of the test's program, whose output and messages go to f. */
static struct session *begin(struct test *t, const struct mode *m, FILE *f, struct machine *here)
{
	struct session *s = session_new_on("dtrace", here);

	s->consume.file = s->report.file = f;
	s->compile.nargs = (int)t->args.n;
	s->compile.args = t->args.a;
	session_setopt(s, "opt", m->opt);
	return s;
}

static bool start(struct test *t, const struct mode *m, struct stage *g, FILE *f)
{
	struct session *again;

	if (!compile_add_script(&g->s->compile, t->path))
		return false;
	if (!m->is_hosted)
		return stage_start(g, m->no_direct);
	again = begin(t, m, f, g->s->machine);
	return compile_add_script(&again->compile, t->path) && stage_start_hosted(g, again);
}

static void set_clocks(const struct test *t, struct abi_state *state)
{
	for (unsigned int i = 0; i < t->clocks.n; i++) {
		state->clocks[i] = t->clocks.a[i];
		state->clock = i;
	}
}

/* Returns the whole output of the program. */
static char *run(struct test *t, const struct mode *m)
{
	struct stage g;
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	struct session *s = begin(t, m, f, machine_here());
	int status;

	s->plan.opt.has_clock = t->clocks.n > 0;
	stage_init(&g, s, &t->begin, &t->end);
	directives(t, &g);
	if (start(t, m, &g, f)) {
		set_clocks(t, s->load.state);
		for (unsigned int i = 0; i < t->early.n; i++)
			stage_fire(&g, t->early.a[i]);
		session_go(s);
		for (unsigned int i = 0; i < t->fires.n; i++)
			stage_fire(&g, t->fires.a[i]);
		session_stop(s);
		status = s->consume.exit_status;
		if (g.hosted.hosting) {
			consume_held(&g.again->consume, NULL);
			out_flush(&s->out);
			consume_drops(&g.again->consume);
			status = status ? status : g.again->consume.exit_status;
		}
		if (status)
			fprintf(f, "exit status %d\n", status);
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

/* An address of this process in a message differs between runs: the text becomes (0x...). */
static void hide_addresses(char *text)
{
	for (char *p = text; (p = strstr(p, "(0x")) != NULL; p += 3) {
		size_t n = strspn(p + 3, "0123456789abcdef");

		if (n == 12 && p[3 + n] == ')')
			memmove(p + 3, "...", 3), memmove(p + 6, p + 3 + n, strlen(p + 3 + n) + 1);
	}
}

/* Ids of the probes of system libraries, 1000 to 4999, change when a probe is added. */
static void hide_numbers(char *text)
{
	for (char *p = text; (p = strstr(p, "(ID ")) != NULL; p += 4)
		if (strspn(p + 4, "0123456789") == 4 && p[4] < '5' && p[8] == ':')
			memcpy(p + 4, "NNNN", 4);
}

static bool is_right(const struct test *t, const struct mode *m, const char *got, const char *want)
{
	const char *first = m->is_hosted && t->afar ? strstr(got, t->afar) : NULL;

	/* A clause that cannot run has one message. */
	if (m->is_hosted && t->afar)
		return first && !strstr(first + 1, t->afar);
	return strcmp(got, want) == 0;
}

static bool run_modes(struct test *t, const char *want)
{
	for (unsigned int i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		char *got;
		bool ok;

		if (modes[i].is_hosted && t->is_there)
			continue;
		got = run(t, &modes[i]);
		hide_addresses(got);
		hide_numbers(got);
		ok = is_right(t, &modes[i], got, want) && !t->error;
		if (!ok)
			printf("%s, %s: %s\n-- got\n%s-- want\n%s--\n", t->path, modes[i].name,
			       t->error ? t->error : "other output", got,
			       modes[i].is_hosted && t->afar ? t->afar : want);
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
	vec_free(&t.clocks);
	vec_free(&t.early);
	vec_free(&t.fires);
	arena_free(t.arena);
	return ok;
}

int main(int argc, char **argv)
{
	setenv("TZ", "UTC", 1);
	for (int i = 1; i < argc; i++) {
		result_begin();
		result_end(argv[i], run_test(argv[i]));
	}
	return result_status();
}
