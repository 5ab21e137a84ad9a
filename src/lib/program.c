/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program.c: programs of a handle: compiles and enables them, and describes them.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/mem.h"
#include "lib/priv.h"
#include "print/msg.h"
#include "compile/header.h"
#include "compile/object.h"

bool lib_open_compiler(dtrace_hdl_t *h)
{
	if (!h->is_compiling)
		h->is_compiling = compile_open(&h->s->compile);
	return h->is_compiling;
}

/* Compiler flags that stand for options. */
static const struct {
	unsigned int flag;
	enum opt opt;
} flag_opts[] = {
    {DTRACE_C_EMPTY, OPT_empty},
    {DTRACE_C_ZDEFS, OPT_zdefs},
    {DTRACE_C_CPP, OPT_cpp},
    {DTRACE_C_PSPEC, OPT_pspec},
    {DTRACE_C_ETAGS, OPT_errtags},
    {DTRACE_C_ARGREF, OPT_argref},
    {DTRACE_C_DEFARG, OPT_defaultargs},
    {DTRACE_C_DIFV, OPT_verbose},
};

enum { NFLAGS = sizeof(flag_opts) / sizeof(flag_opts[0]) };

static void set_flags(dtrace_hdl_t *h, unsigned int flags, bool *was)
{
	struct opts *o = &h->s->opts;

	for (unsigned int i = 0; i < NFLAGS; i++) {
		was[i] = o->is_set[flag_opts[i].opt];
		if (!was[i] && flags & flag_opts[i].flag) {
			o->is_set[flag_opts[i].opt] = true;
			o->text[flag_opts[i].opt] = "";
		}
	}
}

/* Restores the options, even an option that the program has set itself, which looks the same. */
static void unset_flags(dtrace_hdl_t *h, const bool *was)
{
	for (unsigned int i = 0; i < NFLAGS; i++)
		if (flag_opts[i].flag != DTRACE_C_DIFV)
			h->s->opts.is_set[flag_opts[i].opt] = was[i];
}

static void set_args(dtrace_hdl_t *h, int argc, char *const argv[])
{
	struct compile *comp = &h->s->compile;

	comp->script = argc > 0 ? argv[0] : NULL;
	comp->nargs = argc > 0 ? argc - 1 : 0;
	comp->args = argc > 0 ? argv + 1 : NULL;
}

/* compile_program() needs the program in the list of enabled programs.  The program leaves the list
 * afterwards, until it is enabled. */
static dtrace_prog_t *compile(dtrace_hdl_t *h, struct compile_prog *p, unsigned int cflags,
			      int argc, char *const argv[])
{
	struct session *s = h->s;
	struct dtrace_prog *prog = NULL;
	bool was[NFLAGS], ok;

	if (s->procs.n)
		s->compile.target = s->procs.a[0].pid;
	s->out.target = (uint32_t)s->compile.target;
	set_flags(h, cflags, was);
	set_args(h, argc, argv);
	ok = lib_open_compiler(h) && compile_program(&s->compile, p);
	set_args(h, 0, NULL);
	unset_flags(h, was);
	s->compile.progs.n--;
	if (!ok) {
		lib_fail(h, EDT_COMPILER);
		return NULL;
	}
	prog = mem_alloc(sizeof(*prog));
	prog->prog = p;
	vec_push(&h->progs, prog);
	return prog;
}

/* Returns false, with the error, for invalid arguments and during tracing. */
static bool may_compile(dtrace_hdl_t *h, const void *what, int argc, char *const argv[])
{
	bool is_valid = what && (argv || argc <= 0);

	lib_enter(h);
	if (!is_valid || h->is_active)
		lib_fail(h, is_valid ? EDT_ACTIVE : EINVAL);
	return is_valid && !h->is_active;
}

static enum lang_spec spec_of(dtrace_probespec_t spec)
{
	switch (spec) {
	case DTRACE_PROBESPEC_PROVIDER:
		return LANG_SPEC_PROVIDER;
	case DTRACE_PROBESPEC_MOD:
		return LANG_SPEC_MODULE;
	case DTRACE_PROBESPEC_FUNC:
		return LANG_SPEC_FUNCTION;
	case DTRACE_PROBESPEC_NAME:
		return LANG_SPEC_NAME;
	case DTRACE_PROBESPEC_NONE:
		break;
	}
	return LANG_SPEC_NONE;
}

dtrace_prog_t *dtrace_program_strcompile(dtrace_hdl_t *h, const char *s, dtrace_probespec_t spec,
					 unsigned int cflags, int argc, char *const argv[])
{
	LIB_ENTER(h, NULL);
	struct compile_prog *p;

	if (!may_compile(h, s, argc, argv))
		return NULL;
	if (spec < DTRACE_PROBESPEC_NONE || spec > DTRACE_PROBESPEC_NAME) {
		lib_fail(h, EINVAL);
		return NULL;
	}
	p = compile_add_text(&h->s->compile, spec_of(spec), arena_strdup(h->s->arena, s));
	/* A text of several lines is a script: errors name its lines. */
	p->src.is_cmdline = !strchr(s, '\n') && !(cflags & DTRACE_C_CPP);
	return compile(h, p, cflags, argc, argv);
}

bool lib_read(FILE *fp, struct buf *b)
{
	char chunk[4096];
	size_t n;

	while ((n = fread(chunk, 1, sizeof(chunk), fp)) > 0)
		buf_add(b, chunk, n);
	return !ferror(fp);
}

dtrace_prog_t *dtrace_program_fcompile(dtrace_hdl_t *h, FILE *fp, unsigned int cflags, int argc,
				       char *const argv[])
{
	LIB_ENTER(h, NULL);
	struct buf b = {0};
	struct compile_prog *p;

	if (!may_compile(h, fp, argc, argv))
		return NULL;
	if (!lib_read(fp, &b)) {
		lib_fail(h, EIO);
		buf_free(&b);
		return NULL;
	}
	p = compile_add_text(&h->s->compile, LANG_SPEC_NONE,
			     arena_strdup(h->s->arena, buf_str(&b)));
	p->src.is_cmdline = false;
	p->src.len = (unsigned int)b.n;
	buf_free(&b);
	return compile(h, p, cflags, argc, argv);
}

/* ---- descriptions of a program ---- */

static bool is_update(const struct expr *e)
{
	return e->kind == EXPR_ASSIGN && e->x->kind == EXPR_AGG;
}

/* Returns the number of values that a statement records.  Actions on speculations show none. */
static unsigned int count_values(const struct expr *e)
{
	static const char *const silent[] = {"speculate", "commit", "discard"};

	if (is_update(e))
		return e->x->nargs + 1;
	if (e->kind != EXPR_CALL || !e->ident || e->ident->kind != IDENT_ACTION)
		return 0;
	for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++)
		if (strcmp(e->name, silent[i]) == 0)
			return 0;
	return e->fmt && e->nargs > 1 ? e->nargs - 1 : 1;
}

static void count_part(const struct part *p, dtrace_proginfo_t *info)
{
	for (const struct stmt *st = p->stmts; st; st = st->next) {
		if (st->kind != STMT_EXPR)
			continue;
		info->dpi_aggregates += is_update(st->expr);
		info->dpi_recgens += count_values(st->expr);
	}
}

static void count_clause(const struct clause *c, dtrace_proginfo_t *info)
{
	bool speculates = false;

	for (unsigned int i = 0; i < c->nparts; i++) {
		count_part(&c->parts[i], info);
		speculates = speculates || c->parts[i].has_speculate;
	}
	info->dpi_speculations += speculates;
}

void dtrace_program_info(dtrace_hdl_t *h, dtrace_prog_t *pgp, dtrace_proginfo_t *info)
{
	LIB_ENTER(h, );
	const char *desc, *stmt;

	if (!info)
		return;
	*info = (dtrace_proginfo_t){0};
	if (!pgp)
		return;
	info->dpi_matches = pgp->prog->nmatched;
	lang_stability(h->s->plan.env.lang, pgp->prog->program, &desc, &stmt);
	info->dpi_descattr = lib_attr(desc);
	info->dpi_stmtattr = lib_attr(stmt);
	for (const struct clause *c = pgp->prog->program->clauses; c; c = c->next)
		count_clause(c, info);
}

static void describe(dtrace_hdl_t *h, dtrace_prog_t *pgp)
{
	const struct clause *first = pgp->prog->program->clauses;
	struct arena *arena = h->s->arena;
	dtrace_stmtdesc_t *st;

	for (const struct clause *c = first; c; c = c->next)
		pgp->nstmts++;
	st = arena_new_arr(arena, dtrace_stmtdesc_t, pgp->nstmts);
	pgp->stmts = st;
	for (const struct clause *c = first; c; c = c->next, st++) {
		const char *desc, *stmt;

		st->dtsd_ecbdesc = arena_new_obj(arena, dtrace_ecbdesc_t);
		lib_put_pattern(&st->dtsd_ecbdesc->dted_probe, c->descs);
		lang_clause_stability(h->s->plan.env.lang, c, &desc, &stmt);
		st->dtsd_descattr = lib_attr(desc);
		st->dtsd_stmtattr = lib_attr(stmt);
	}
}

int dtrace_stmt_iter(dtrace_hdl_t *h, dtrace_prog_t *pgp, dtrace_stmt_f *func, void *arg)
{
	LIB_ENTER(h, -1);
	int r = 0;

	lib_enter(h);
	if (!pgp || !func)
		return lib_fail(h, EINVAL);
	if (!pgp->stmts)
		describe(h, pgp);
	for (unsigned int i = 0; i < pgp->nstmts && r == 0; i++)
		r = func(h, pgp, &pgp->stmts[i], arg);
	return r;
}

int dtrace_program_exec(dtrace_hdl_t *h, dtrace_prog_t *pgp, dtrace_proginfo_t *info)
{
	LIB_ENTER(h, -1);
	struct compile *comp = &h->s->compile;

	/* A program may ignore the NULL of the compiler, so this call returns the compiler's
	 * error. */
	if (!pgp)
		return lib_fail(h, h->err ? h->err : EINVAL);
	lib_enter(h);
	if (h->is_active)
		return lib_fail(h, EDT_ACTIVE);
	if (info)
		dtrace_program_info(h, pgp, info);
	if (pgp->is_enabled)
		return 0;
	vec_push(&comp->progs, pgp->prog);
	if (!compile_check_actions(comp, comp->progs.n - 1)) {
		comp->progs.n--;
		if (!strstr(buf_str(&h->text), msg_reason(MSG_REASON_DESTRUCTIVE)))
			return lib_fail(h, EDT_ENABLING);
		buf_reset(&h->text);
		return lib_fail(h, EDT_DESTRUCTIVE);
	}
	pgp->is_enabled = true;
	return 0;
}

/* ---- -h and -G: for all compiled programs ---- */

static unsigned int add_all(dtrace_hdl_t *h)
{
	struct compile *comp = &h->s->compile;
	unsigned int had = comp->progs.n;

	for (unsigned int i = 0; i < h->progs.n; i++)
		if (!h->progs.a[i]->is_enabled)
			vec_push(&comp->progs, h->progs.a[i]->prog);
	return had;
}

int dtrace_program_header(dtrace_hdl_t *h, FILE *out, const char *fname)
{
	LIB_ENTER(h, -1);
	unsigned int had;

	lib_enter(h);
	if (!out || !fname)
		return lib_fail(h, EINVAL);
	had = add_all(h);
	header_write(&h->s->compile, out, fname);
	h->s->compile.progs.n = had;
	return ferror(out) ? lib_fail(h, EDT_WRITE) : 0;
}

int dtrace_program_link(dtrace_hdl_t *h, dtrace_prog_t *pgp, unsigned int dflags, const char *file,
			int objc, char *const objv[])
{
	LIB_ENTER(h, -1);
	unsigned int had;
	bool ok;

	lib_enter(h);
	if (!file || (objc > 0 && !objv))
		return lib_fail(h, EINVAL);
	had = add_all(h);
	ok = object_write(&h->s->compile, file, objv, objc > 0 ? (unsigned int)objc : 0);
	h->s->compile.progs.n = had;
	return ok ? 0 : lib_fail(h, EDT_LINK);
}
