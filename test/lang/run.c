/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.c: runs the D files on its command line through the front end, with made-up probes.
 *
 *	err_D_TAG_what.d	must fail; the comment after the program has the line and the
 *				message of the only error, `error: line 1: ...`, and D_TAG is its
 *				tag (DIAG_NONE: it has no tag)
 *	ok_what.d		must compile, without an error
 *	parse_what.d		must compile; before the check its tree is the one in the comment at
 *				its end, after `tree:`
 *	tree_what.d		the same after the check
 *	source_what.d		must compile; printed as D text (dtrace -d) it is the text in the
 *				comment at its end, after `source:`
 *
 * The first line may set the stage in a comment: "args: a b" operands, "option: name=value", "-n"
 * (or -P -m -f -i: the rest of the file is command line text), "library" (compile as one, and check
 * its clauses), "library: FILE" (compile that library first), "target: PID".
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../result.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/dialect.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "kern/kern.h"
#include "sys/machine.h"
#include "lang/lang.h"
#include "lower/lower.h"
#include "type/type.h"

struct stage {
	struct arena *arena;
	struct types *types;
	struct lang *lang;
	struct kern *kern;
	struct map *options;
	struct diags *diags;
	int nargs;
	char *args[8];
	enum lang_spec spec;
	bool is_library, has_target;
	const char *dir;
	struct buf parsed; /* the tree before the check */
	VEC(char *) texts; /* of libraries */
	int64_t target;
};

/*
 * Probes: BEGIN END ERROR, test:::none int two sk multi, xl:::send (translated), pid1:a:b:entry;
 * late (the arguments of `two`, on demand), lost (an int that cannot be read), guarded.
 */
static bool match(void *ctx, const struct pdesc *d, struct lang_args *args, const void **handle,
		  const char **err)
{
	static const struct {
		const char *name, *types[2];
	} probes[] = {
	    {"BEGIN", {NULL}},
	    {"END", {NULL}},
	    {"ERROR", {NULL}},
	    {"none", {NULL}},
	    {"int", {"int", NULL}},
	    {"two", {"int", "char *"}},
	    {"sk", {"struct sock *", NULL}},
	    {"entry", {NULL}},
	    {"multi", {NULL}},
	    {"send", {"struct sock *", "int"}},
	    {"odd", {"struct sock *", NULL}},
	    {"late", {"int", "char *"}},
	    {"lost", {"int", "int"}},
	    {"guarded", {NULL}},
	};
	static const char *const unreadable[] = {NULL, "it is lost"};
	struct stage *st = ctx;
	const char *name = d->name ? d->name : "none";

	*handle = name;
	if (d->func && strcmp(d->func, "bad") == 0) {
		*err = "the function is bad";
		return false;
	}
	for (size_t i = 0; i < sizeof(probes) / sizeof(probes[0]); i++) {
		if (strcmp(probes[i].name, name) != 0)
			continue;
		args->nprobes = 1;
		args->native = arena_new_arr(st->arena, struct type *, 2);
		for (unsigned int j = 0; j < 2 && probes[i].types[j]; j++) {
			const char *t = probes[i].types[j];

			args->native[j] =
			    strcmp(t, "struct sock *") == 0
				? type_ptr(st->types, type_lookup(st->types, "struct sock"))
			    : strcmp(t, "char *") == 0
				? type_ptr(st->types, type_int(st->types, 1, true))
				: type_lookup(st->types, t);
			args->nnative = j + 1;
		}
		args->nxlated = args->nnative;
		args->xlated = args->native;
		args->map = NULL;
		args->is_multi = strcmp(name, "multi") == 0;
		if (strcmp(name, "late") == 0 && !args->is_late) {
			*args = (struct lang_args){.nprobes = 1, .is_late = true};
			return true;
		}
		args->unreadable = strcmp(name, "lost") == 0 ? (const char **)unreadable : NULL;
		args->attrs[0] = "Evolving/Evolving/ISA";
		if (strcmp(name, "send") == 0 || strcmp(name, "odd") == 0) {
			struct type *info = type_lookup(st->types, "xinfo_t");

			args->xlated = arena_new_arr(st->arena, struct type *, 1);
			args->map = arena_new_arr(st->arena, unsigned int, 1);
			args->xlated[0] = info ? type_ptr(st->types, info) : NULL;
			args->nxlated = 1;
		}
		return true;
	}
	return true;
}

static void late_args(void *ctx, const void *handle, struct lang_args *args)
{
	struct pdesc d = {.name = handle};
	const char *err;

	match(ctx, &d, args, &handle, &err);
	args->is_late = false;
}

static const char *guard(void *ctx, const void *handle)
{
	return strcmp(handle, "guarded") == 0 ? "allowed" : NULL;
}

static const char *no_return(void *ctx, const void *handle)
{
	return strcmp(handle, "int") == 0   ? NULL
	       : strcmp(handle, "two") == 0 ? "the kernel forbids it"
					    : "no function is probed here";
}

static const char *goroutine(void *ctx, struct lang_goroutine *res)
{
	const struct stage *st = ctx;

	if (st->target == 1)
		return "process 1 is no Go program";
	*res = (struct lang_goroutine){.pid = (uint32_t)st->target, .places = 0x10002};
	return NULL;
}

/* Processes have other numbers in the first PID namespace. */
static int64_t host_pid(void *ctx, int64_t pid)
{
	return pid == 7 ? 70007 : pid;
}

static const char *setopt(void *ctx, const char *name, const char *value)
{
	struct stage *st = ctx;

	if (strcmp(name, "nosuch") == 0)
		return "Invalid option name";
	if (strcmp(name, "dialect") == 0 && !dialect_parse(value, &st->diags->dialect))
		return "Invalid value for specified option";
	map_set_str(st->options, name, arena_strdup(st->arena, value ? value : "1"));
	return NULL;
}

static const char *getopt_(void *ctx, const char *name)
{
	return map_get_str(((struct stage *)ctx)->options, name);
}

/* Targets: this machine, also called host, and other. */
static enum lang_target find_target(void *ctx, const char *pattern)
{
	if (!pattern || strcmp(pattern, "host") == 0)
		return LANG_THIS_TARGET;
	return strcmp(pattern, "other") == 0 ? LANG_OTHER_TARGET : LANG_NO_TARGET;
}

static bool ksym(void *ctx, const char *module, const char *name, struct lang_ksym *res)
{
	struct stage *st = ctx;

	*res = (struct lang_ksym){.addr = 0xffffffff81000000ULL};
	if (strcmp(name, "untyped") == 0 || strcmp(name, "debugged") == 0)
		return true;
	if (strcmp(name, "jiffies") != 0)
		return false;
	res->type = type_lookup(st->types, "unsigned long");
	return true;
}

static struct type *debug_type(void *ctx, const char *module, const char *name)
{
	const struct stage *st = ctx;

	return strcmp(name, "debugged") == 0 ? type_int(st->types, 2, true) : NULL;
}

/* Variables of object a.out: count, bare (without a type), and others, which are far. */
static bool usym(void *ctx, const char *object, const char *name, struct lang_usym *res)
{
	const struct stage *st = ctx;

	if (strcmp(object, "a.out") != 0)
		return false;
	*res = (struct lang_usym){.addr = 0x1000, .pid = 7};
	if (strcmp(name, "count") == 0)
		res->type = type_int(st->types, 4, true);
	else if (strcmp(name, "bare") != 0)
		res->why = "it is far";
	return true;
}

/* Types of object a.out: `number`, struct conn, and no others. */
static bool find_type(void *ctx, const char *object, const char *name, struct type **t)
{
	const struct stage *st = ctx;

	if (strcmp(object, "a.out") != 0)
		return false;
	*t = strcmp(name, "number") == 0
		 ? type_typedef(st->types, "number", type_int(st->types, 2, true))
	     : strcmp(name, "struct conn") == 0 ? type_lookup(st->types, "struct sock")
						: NULL;
	return true;
}

static bool have(void *ctx, const char *kind, const char *name)
{
	return strcmp(name, "nosuch") != 0;
}

static char *read_file(const char *path)
{
	struct buf b = {0};
	FILE *f = fopen(path, "r");
	char block[4096];
	size_t n;

	if (!f) {
		perror(path);
		exit(2);
	}
	while ((n = fread(block, 1, sizeof(block), f)) > 0)
		buf_add(&b, block, n);
	fclose(f);
	buf_putc(&b, '\0');
	return b.s;
}

/* Applies one setting of the first line, "name: words". */
static void setting(struct stage *st, const char *line, const char *name,
		    void (*apply)(struct stage *, char *word))
{
	const char *s = strstr(line, name);
	char *copy, *save = NULL, *w;

	if (!s)
		return;
	copy = arena_strndup(st->arena, s + strlen(name), strcspn(s + strlen(name), ";*\n"));
	for (w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		apply(st, w);
}

static void add_arg(struct stage *st, char *w)
{
	if (st->nargs < 8)
		st->args[st->nargs++] = w;
}

static void add_option(struct stage *st, char *w)
{
	char *eq = strchr(w, '=');

	if (eq)
		*eq = '\0';
	setopt(st, w, eq ? eq + 1 : NULL);
}

static void set_target(struct stage *st, char *w)
{
	st->target = strtoll(w, NULL, 0);
	st->has_target = true;
}

/* Applies settings from the first line; returns the text to compile. */
static char *prepare(struct stage *st, char *text)
{
	static const struct {
		const char *flag;
		enum lang_spec spec;
	} specs[] = {{"-n", LANG_SPEC_NAME},
		     {"-P", LANG_SPEC_PROVIDER},
		     {"-m", LANG_SPEC_MODULE},
		     {"-f", LANG_SPEC_FUNCTION},
		     {"-i", LANG_SPEC_ID}};
	char *line = arena_strndup(st->arena, text, strcspn(text, "\n"));

	if (strncmp(line, "/*", 2) != 0)
		return text;
	setting(st, line, "args:", add_arg);
	setting(st, line, "option:", add_option);
	setting(st, line, "target:", set_target);
	st->is_library = strstr(line, "library") && !strstr(line, "library:");
	for (int i = 0; i < 5; i++) {
		if (strstr(line, specs[i].flag)) {
			st->spec = specs[i].spec;
			text += strcspn(text, "\n");
			text += *text == '\n';
			text[strcspn(text, "\n")] = '\0';
			break;
		}
	}
	return text;
}

/* Compiles the libraries named in the first line; their paths are relative to the test's folder. */
static void add_library(struct stage *st, char *w)
{
	struct source *src = arena_new_obj(st->arena, struct source);

	src->name = arena_printf(st->arena, "%s%s", st->dir, w);
	src->text = read_file(src->name);
	src->len = (unsigned int)strlen(src->text);
	src->is_library = true;
	lang_compile_library(st->lang, src);
	vec_push(&st->texts, (char *)src->text);
}

static struct program *compile(struct stage *st, struct source *src)
{
	struct program *p;

	if (!st->is_library) {
		p = lang_compile(st->lang, src, st->spec);
		return p && lang_check_operands(st->lang, src) ? p : NULL;
	}
	p = lang_compile_library(st->lang, src);
	for (struct clause *c = p ? p->clauses : NULL; c; c = c->next)
		if (!lang_check_clause(st->lang, c))
			return NULL;
	return p;
}

static void passed(void *ctx, const char *stage, const struct program *p)
{
	if (strcmp(stage, "parse") == 0)
		ast_print(&((struct stage *)ctx)->parsed, p);
}

/* Returns true if S equals the comment after `head`. */
static bool same(const char *text, const char *head, const char *s)
{
	const char *want = strstr(text, head);
	bool ok;

	assert(want);
	want += strlen(head);
	ok = strncmp(want, s, strlen(s)) == 0 && strncmp(want + strlen(s), "*/", 2) == 0;
	if (!ok)
		printf("%s%s", head, s);
	return ok;
}

/* Returns true if the output of `print` for the program equals the comment after `head`. */
static bool same_text(const char *text, const char *head, const struct program *p,
		      void (*print)(struct buf *out, const struct program *p))
{
	struct buf b = {0};
	bool ok;

	print(&b, p);
	ok = same(text, head, buf_str(&b));
	buf_free(&b);
	return ok;
}

/* Cuts the comment with the error off the text; the program can end where a comment cannot be. */
static const char *cut_error(char *text)
{
	static const char begin[] = "/* error: ", end[] = " */\n";
	char *at = strstr(text, begin);

	if (!at)
		return "";
	*at = '\0';
	at += strlen(begin);
	assert(strlen(at) >= strlen(end));
	at[strlen(at) - strlen(end)] = '\0';
	return at;
}

static bool same_error(const char *want, const struct diag *dg)
{
	struct buf b = {0};
	bool ok;

	if (dg->loc.line)
		buf_printf(&b, "line %u: ", dg->loc.line);
	buf_puts(&b, dg->text);
	ok = strcmp(want, buf_str(&b)) == 0;
	if (!ok)
		printf("the error is\n/* error: %s */\n", b.s);
	buf_free(&b);
	return ok;
}

static bool verdict(const struct stage *st, const char *base, const char *text, const char *error,
		    const struct program *p)
{
	const struct diags *d = st->diags;
	const char *tag = d->n ? diag_tag_name(d->list[0].tag) : "no error";
	size_t n;

	if (strncmp(base, "err_", 4) != 0 && d->n)
		return false;
	if (strncmp(base, "parse_", 6) == 0)
		return p && same(text, "tree:\n", buf_str(&st->parsed));
	if (strncmp(base, "tree_", 5) == 0)
		return p && same_text(text, "tree:\n", p, ast_print);
	if (strncmp(base, "source_", 7) == 0)
		return p && same_text(text, "source:\n", p, ast_source);
	if (strncmp(base, "err_", 4) != 0)
		return p;
	if (!tag)
		tag = "DIAG_NONE";
	n = strlen(tag);
	return !p && d->n == 1 && strncmp(base + 4, tag, n) == 0 &&
	       (base[4 + n] == '.' || (base[4 + n] == '_' && base[5 + n] >= 'a')) &&
	       same_error(error, &d->list[0]);
}

static void add_builtins(struct lang *l)
{
	for (const struct lang_row *const *t = builtin_tables; *t; t++) {
		unsigned int n = 0;

		while ((*t)[n].name)
			n++;
		lang_add_rows(l, *t, n);
	}
}

static bool run(const char *path, struct kern *kern)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	struct stage st = {.arena = arena_new(), .kern = kern, .options = map_new()};
	struct diags diags = {.arena = st.arena};
	struct intern *names = intern_new(st.arena);
	struct lang_env env = {.ctx = &st,
			       .match = match,
			       .setopt = setopt,
			       .getopt = getopt_,
			       .ksym = ksym,
			       .debug_type = debug_type,
			       .usym = usym,
			       .late_args = late_args,
			       .guard = guard,
			       .no_return = no_return,
			       .goroutine = goroutine,
			       .host_pid = host_pid,
			       .have = have,
			       .passed = passed,
			       .find_target = find_target};
	char *text = read_file(path), *code;
	const char *error = cut_error(text);
	struct source src = {.name = path};
	struct program *p;
	struct buf shown = {0};
	bool ok;

	st.diags = &diags;
	code = prepare(&st, text);
	env.nargs = st.nargs;
	env.args = st.args;
	env.target = st.target;
	env.has_target = st.has_target;
	st.types = types_new(st.arena, names, kern);
	st.lang = lang_new(st.arena, names, st.types, &diags, &env);
	types_set_find(st.types, find_type, &st);
	if (getopt_(&st, "ilp32"))
		type_set_ilp32(st.types);
	add_builtins(st.lang);
	st.dir = arena_strndup(st.arena, path, (size_t)(base - path));
	if (strncmp(text, "/*", 2) == 0)
		setting(&st, arena_strndup(st.arena, text, strcspn(text, "\n")),
			"library:", add_library);
	src.text = code;
	src.len = (unsigned int)strlen(code);
	src.is_cmdline = st.spec != LANG_SPEC_NONE;
	src.is_library = st.is_library;
	p = compile(&st, &src);
	ok = verdict(&st, base, text, error, p);
	for (unsigned int i = 0; i < diags.n && (!ok || getenv("VERBOSE")); i++)
		diag_show(&shown, "run", &diags.list[i], true);
	fputs(buf_str(&shown), stdout);
	buf_free(&shown);
	buf_free(&st.parsed);
	lang_free(st.lang);
	types_free(st.types);
	intern_free(names);
	map_free(st.options);
	arena_free(st.arena);
	for (unsigned int i = 0; i < st.texts.n; i++)
		mem_free(st.texts.a[i]);
	vec_free(&st.texts);
	mem_free(text);
	return ok;
}

int main(int argc, char **argv)
{
	struct machine *machine = machine_here();
	struct kern *kern = kern_open(machine);

	for (int i = 1; i < argc; i++) {
		result_begin();
		result_end(argv[i], run(argv[i], kern));
	}
	kern_close(kern);
	machine_free(machine);
	return result_status();
}
