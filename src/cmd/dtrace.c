/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtrace.c: the command line.  Arguments are read three times: modes and operands; then options and
 * programs in order, so that a later option overrides an earlier one; then processes (reference:
 * dtrace(1)).
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/progress.h"
#include "dtrace.h"
#include "print/msg.h"
#include "sink/pictures.h"
#include "sink/timeline.h"
#include "session/session.h"
#include "sys/machine.h"
#include "remote/agent.h"
#include "remote/targets.h"
#include "cmd/make.h"
#include "cmd/shebang.h"
#include "cmd/usage.h"

static const char optstring[] = "-3:6:aAb:Bc:CdD:eEf:FGhHi:I:lL:m:n:o:Op:P:qs:SU:vVwx:X:Z";

/* Values of getopt_long(3) for options with long names only, and for other results. */
enum {
	OPERAND = 1,
	OPT_LIBXO = 256,
	OPT_SAVE,
	OPT_METRICS,
	OPT_OTLP,
	OPT_FLAME,
	OPT_FOLDED,
	OPT_SPEEDSCOPE,
	OPT_PPROF,
	OPT_FIREFOX,
	OPT_HEAT,
	OPT_HTML,
	OPT_FROM,
	OPT_PERFETTO,
	OPT_CHROME,
	OPT_CTF,
	OPT_TOP,
	OPT_HELP,
	OPT_AGENT,
	OPT_COMPLETE
};

struct cmd {
	struct session *s;	 /* of this machine, or of the machine that gets the options */
	struct targets *targets; /* NULL: only this machine is traced */
	int argc;		 /* arguments for the sessions of targets */
	char **argv;
	bool list, compile_only, prints_source, verbose, version, header, link, anonymous, help,
	    is_ilp32, has_targets, is_agent;
	unsigned int modes;
	const char *output, *complete; /* complete: a letter */
	VEC(char *) operands, saved;   /* saved: --from */
};

/* Opens closed descriptors 0 to 2 in the wrong direction, so that using them fails, and no map or
 * file gets their number. */
static void reserve_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			file_open("/dev/null", fd ? O_RDONLY : O_WRONLY);
}

static int usage(const char *prog)
{
	usage_print(stderr, prog);
	return 2;
}

/* Returns the next option, with its argument in optarg.  An operand is OPERAND, because of the - in
 * optstring.  Returns -1 at the end or at "--"; the remaining arguments are operands. */
static int next_option(int argc, char **argv)
{
	static const struct option longopts[] = {
	    {"libxo", required_argument, NULL, OPT_LIBXO},
	    {"save", required_argument, NULL, OPT_SAVE},
	    {"metrics", required_argument, NULL, OPT_METRICS},
	    {"otlp", required_argument, NULL, OPT_OTLP},
	    {"flame", required_argument, NULL, OPT_FLAME},
	    {"folded", required_argument, NULL, OPT_FOLDED},
	    {"speedscope", required_argument, NULL, OPT_SPEEDSCOPE},
	    {"pprof", required_argument, NULL, OPT_PPROF},
	    {"firefox", required_argument, NULL, OPT_FIREFOX},
	    {"heat", required_argument, NULL, OPT_HEAT},
	    {"html", required_argument, NULL, OPT_HTML},
	    {"perfetto", required_argument, NULL, OPT_PERFETTO},
	    {"chrome", required_argument, NULL, OPT_CHROME},
	    {"ctf", required_argument, NULL, OPT_CTF},
	    {"top", no_argument, NULL, OPT_TOP},
	    {"from", required_argument, NULL, OPT_FROM},
	    {"agent", no_argument, NULL, OPT_AGENT},
	    {"complete", required_argument, NULL, OPT_COMPLETE},
	    {"help", no_argument, NULL, OPT_HELP},
	    {"version", no_argument, NULL, 'V'},
	    {0}};

	return getopt_long(argc, argv, optstring, longopts, NULL);
}

/* Returns the flag of the mode that an option selects, or NULL.  Only one mode is possible. */
static bool *mode_of(struct cmd *c, int opt)
{
	switch (opt) {
	case 'l':
		return &c->list;
	case 'V':
		return &c->version;
	case 'h':
		return &c->header;
	case 'G':
		return &c->link;
	case 'A':
		return &c->anonymous;
	default:
		return NULL;
	}
}

/* Reads modes and operands. */
static bool first_pass(struct cmd *c, int argc, char **argv)
{
	bool *mode;
	int opt;

	while ((opt = next_option(argc, argv)) != -1) {
		switch (opt) {
		case OPERAND:
			vec_push(&c->operands, optarg);
			break;
		case '3':
		case '6':
			if (strcmp(optarg, opt == '3' ? "2" : "4") != 0)
				return false;
			c->is_ilp32 = opt == '3';
			break;
		case 'e':
			c->compile_only = true;
			break;
		case 'E':
			c->has_targets = true;
			break;
		case OPT_AGENT:
			c->is_agent = true;
			break;
		case OPT_COMPLETE:
			if (strlen(optarg) != 1 || !strchr("Pmfnx", *optarg))
				return false;
			c->complete = optarg;
			c->list = true;
			break;
		case OPT_HELP:
			c->help = true;
			break;
		case '?':
			return false;
		default:
			mode = mode_of(c, opt);
			if (mode) {
				*mode = true;
				c->modes++;
			}
			break;
		}
	}
	while (optind < argc)
		vec_push(&c->operands, argv[optind++]);
	return true;
}

static bool set(struct cmd *c, const char *label, const char *name, const char *value)
{
	const char *why = session_setopt(c->s, name, value);

	if (why)
		report_error(&c->s->report, "failed to set -%s: %s", label, why);
	return !why;
}

/* -x name[=value] */
static bool set_x(struct cmd *c, const char *arg)
{
	const char *eq = strchr(arg, '=');
	struct buf name = {0}, label = {0};
	bool ok;

	buf_add(&name, arg, eq ? (size_t)(eq - arg) : strlen(arg));
	buf_printf(&label, "x %s", name.s);
	ok = set(c, label.s, name.s, eq ? eq + 1 : NULL);
	buf_free(&name);
	buf_free(&label);
	return ok;
}

static bool set_letter(struct cmd *c, int letter, const char *name, const char *value)
{
	struct buf label = {0};
	bool ok;

	buf_printf(&label, value ? "%c %s" : "%c", letter, value);
	ok = set(c, label.s, name, value);
	buf_free(&label);
	return ok;
}

static bool add_script(struct cmd *c, const char *path)
{
	if (compile_add_script(&c->s->compile, path))
		return true;
	report_error(&c->s->report, "failed to open %s: %s", path, strerror(errno));
	return false;
}

/* Long options that stand for an option of -x. */
static const struct {
	int opt;
	const char *label, *name;
} long_for[] = {{OPT_LIBXO, "-libxo", "oformat"},
		{OPT_SAVE, "-save", "save"},
		{OPT_METRICS, "-metrics", "metrics"},
		{OPT_OTLP, "-otlp", "otlp"},
		{OPT_FLAME, "-flame", "flame"},
		{OPT_FOLDED, "-folded", "folded"},
		{OPT_SPEEDSCOPE, "-speedscope", "speedscope"},
		{OPT_PPROF, "-pprof", "pprof"},
		{OPT_FIREFOX, "-firefox", "firefox"},
		{OPT_HEAT, "-heat", "heat"},
		{OPT_PERFETTO, "-perfetto", "perfetto"},
		{OPT_CHROME, "-chrome", "chrome"},
		{OPT_CTF, "-ctf", "ctf"},
		{OPT_HTML, "-html", "html"},
		{OPT_TOP, "-top", "top"}};

/* Short options that stand for an option of -x, with their argument if any. */
static const struct {
	char letter;
	const char *name;
} short_for[] = {{'a', "grabanon"},   {'b', "bufsize"}, {'C', "cpp"},	 {'D', "define"},
		 {'F', "flowindent"}, {'H', "cpphdrs"}, {'I', "incdir"}, {'L', "libdir"},
		 {'q', "quiet"},      {'S', "verbose"}, {'U', "undef"},	 {'w', "destructive"},
		 {'X', "stdc"},	      {'Z', "zdefs"}};

/* Short options that stand for a program. */
static const struct {
	char letter;
	enum lang_spec spec;
} specs[] = {{'P', LANG_SPEC_PROVIDER},
	     {'m', LANG_SPEC_MODULE},
	     {'f', LANG_SPEC_FUNCTION},
	     {'n', LANG_SPEC_NAME},
	     {'i', LANG_SPEC_ID}};

/* Handles an option of the tables above. */
static bool by_table(struct cmd *c, int opt, const char *arg)
{
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		if (specs[i].letter == opt)
			compile_add_text(&c->s->compile, specs[i].spec, arg);
	for (size_t i = 0; i < sizeof(long_for) / sizeof(long_for[0]); i++)
		if (long_for[i].opt == opt)
			return set(c, long_for[i].label, long_for[i].name, arg);
	for (size_t i = 0; i < sizeof(short_for) / sizeof(short_for[0]); i++)
		if (short_for[i].letter == opt)
			return set_letter(c, opt, short_for[i].name, arg);
	return true;
}

/*
 * Reads the options of the environment, before the command line: DTRACE_OPT_STRSIZE=100, and
 * DTRACE_DEBUG for option debug.  A variable without text sets an option without a value.
 */
static bool read_environment(struct session *s)
{
	const char *value, *why = NULL;

	s->opts.reads_defaults = true;
	if (getenv("DTRACE_DEBUG"))
		session_setopt(s, "debug", NULL);
	for (int i = 0; i < OPT_MAX && !why; i++) {
		struct buf name = {0};

		buf_puts(&name, "DTRACE_OPT_");
		for (const char *p = opts_name((enum opt)i); *p; p++)
			buf_putc(&name, (char)toupper((unsigned char)*p));
		value = getenv(name.s);
		if (value)
			why = session_setopt(s, opts_name((enum opt)i), *value ? value : NULL);
		if (why)
			report_error(&s->report, "failed to set %s: %s", name.s, why);
		buf_free(&name);
	}
	s->opts.reads_defaults = false;
	return !why;
}

/* Reads options and programs.  Returns 0, or the exit status. */
static int second_pass(struct cmd *c, int argc, char **argv)
{
	bool ok = true, is_twice = false;
	int opt;

	optind = 0;
	while (ok && (opt = next_option(argc, argv)) != -1) {
		switch (opt) {
		case OPERAND:
			break;
		case 'B':
			c->s->dumps_output = true;
			break;
		case 'o':
			is_twice = c->output && strcmp(c->output, optarg) != 0;
			ok = !is_twice;
			if (is_twice)
				report_error(&c->s->report, "-o is given twice: '%s' and '%s'",
					     c->output, optarg);
			c->output = optarg;
			break;
		case 'O':
			c->s->consume.has_final_aggs = true;
			break;
		case OPT_FROM:
			vec_push(&c->saved, optarg);
			break;
		case 's':
			ok = add_script(c, optarg);
			break;
		case 'd':
			c->prints_source = true;
			break;
		case 'v':
			c->verbose = true;
			break;
		case 'x':
			ok = set_x(c, optarg);
			break;
		case '?':
			return 2;
		default:
			ok = by_table(c, opt, optarg);
			break;
		}
	}
	return ok ? 0 : is_twice || c->s->opts.has_conflict ? 2 : 1;
}

/* Starts and grabs processes at the end, when all other options are known. */
static bool third_pass(struct cmd *c, int argc, char **argv)
{
	bool ok = true;
	int opt;

	optind = 0;
	while (ok && (opt = next_option(argc, argv)) != -1) {
		if (opt == 'c')
			ok = proc_create(c->s, optarg);
		else if (opt == 'p')
			ok = proc_grab(c->s, optarg);
	}
	return ok;
}

/* Returns the number of probes of program number i, on all machines. */
static unsigned int count_matched(struct cmd *c, unsigned int i)
{
	return c->targets ? targets_matched(c->targets, i) : c->s->compile.progs.a[i]->nmatched;
}

static void print_matched(struct cmd *c)
{
	struct buf b = {0};

	for (unsigned int i = 0; i < c->s->compile.progs.n; i++) {
		struct compile_prog *p = c->s->compile.progs.a[i];

		if (!c->s->out.opts.quiet && !c->compile_only) {
			buf_reset(&b);
			msg_matched(&b, !p->src.is_cmdline, p->text, count_matched(c, i));
			report_error(&c->s->report, "%s", b.s);
		}
		if (c->verbose)
			session_stability(c->s, p, c->compile_only);
	}
	buf_free(&b);
}

static unsigned int total_matched(struct cmd *c)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < c->s->compile.progs.n; i++)
		n += count_matched(c, i);
	return n;
}

/* Compiles the programs, and finds their probes. */
static bool compile(struct cmd *c)
{
	bool ok;

	progress_start(c->s->report.progname);
	progress_at("looking for probes", 0, 0);
	ok = c->targets ? targets_compile(c->targets) : session_compile(c->s);
	progress_stop();
	return ok;
}

#define DESCRIPTORS 524288 /* half of the default of fs.nr_open (admin-guide/sysctl/fs.rst) */

/* Raises the limit of descriptors as far as possible.  Each program, its link, and each place of a
 * process needs one. */
static void raise_descriptors(void)
{
	struct rlimit now, all = {DESCRIPTORS, DESCRIPTORS};

	if (setrlimit(RLIMIT_NOFILE, &all) == 0 || getrlimit(RLIMIT_NOFILE, &now) != 0)
		return;
	now.rlim_cur = now.rlim_max;
	setrlimit(RLIMIT_NOFILE, &now);
}

/* Loads and attaches everything, on all machines. */
static bool load(struct cmd *c)
{
	bool ok;

	raise_descriptors();
	progress_start(c->s->report.progname);
	ok = c->targets ? targets_load(c->targets)
			: compile_check_actions(&c->s->compile, 0) && session_attach(c->s);
	progress_stop();
	return ok;
}

static void run_session(struct session *s)
{
	session_go(s);
	while (!signals_seen(s) && session_step(s))
		;
	if (signals_seen(s) && !s->out.opts.no_columns && !s->group)
		out_putc(&s->out, '\n');
	session_stop(s);
}

static int trace(struct cmd *c)
{
	struct session *s = c->s;

	if (s->opts.num[OPT_grabanon]) {
		report_error(&s->report, "could not enable tracing: %s",
			     msg_reason(MSG_REASON_NO_ANON));
		return 1;
	}
	signals_catch(s);
	if (!session_start_sinks(s))
		return 2;
	if (!load(c)) {
		if (signals_seen(s))
			report_error(&s->report, "interrupted before tracing began");
		return 1;
	}
	if (s->compile.asks_target && !s->compile.target && !c->targets)
		report_error(&s->report, "$target is 0; use -c or -p");
	compile_hints(&s->compile);
	print_matched(c);
	if (s->opts.num[OPT_destructive] && !s->out.opts.quiet)
		report_error(&s->report, "allowing destructive actions");
	s->out.opts.no_columns = getenv("_DTRACE_TESTING") != NULL;
	run_session(s);
	sinks_stop(&s->sinks);
	if (!sinks_write(&s->sinks, signals_seen(s) >= 2))
		return 1;
	return session_status(s) & 0xff;
}

/* Checks -B, and -h and -G, which make files of programs.  Returns 0, or the exit status. */
static int check_modes(struct cmd *c)
{
	struct session *s = c->s;

	if (s->dumps_output && (c->link || c->list || c->output)) {
		report_error(&s->report, "-B cannot be combined with -A, -G, -l or -o");
		return 2;
	}
	return c->header || c->link ? make_check(s, c->header ? 'h' : 'G', c->output) : 0;
}

/* Reports an error unless the process has the privileges that every probe needs: root, or two
 * capabilities. */
static bool is_privileged(struct session *s)
{
	bool bpf = sys_capable(s->machine, CAP_BPF);
	bool perfmon = sys_capable(s->machine, CAP_PERFMON);

	if (bpf && perfmon)
		return true;
	report_error(&s->report, "failed to initialize dtrace: %s; run as root, or with %s%s%s",
		     msg_reason(MSG_REASON_PRIVILEGES), bpf ? "" : "CAP_BPF",
		     bpf || perfmon ? "" : " and ", perfmon ? "" : "CAP_PERFMON");
	return false;
}

/* -h and -G use -o for their own files.  Option top needs the terminal. */
static bool open_output(struct cmd *c)
{
	struct session *s = c->s;
	bool is_top = s->opts.is_set[OPT_top] && !c->list && !c->compile_only;
	const char *path = c->output ? c->output : is_top ? "/dev/null" : NULL;

	if (!path || c->header || c->link)
		return true;
	s->consume.file = consume_open(&s->consume, path);
	s->consume.path = c->output;
	return s->consume.file != NULL;
}

/* Applies the command line to a session. */
static bool say(void *ctx, struct session *s)
{
	struct cmd *c = ctx;
	struct session *host = c->s;
	bool ok;

	c->s = s;
	s->compile.is_ilp32 = c->is_ilp32;
	s->compile.nargs = (int)c->operands.n;
	s->compile.args = c->operands.a;
	ok = read_environment(s) && !second_pass(c, c->argc, c->argv);
	c->s = host;
	return ok;
}

/* Returns why saved data cannot be drawn, or NULL. */
static const char *why_not_drawn(const struct cmd *c, bool has_timeline)
{
	if (c->saved.n > 2)
		return "cannot compare more than two runs";
	if (c->s->compile.progs.n)
		return "--from cannot be combined with a program";
	if (has_timeline && c->saved.n > 1)
		return "cannot compare timelines; give --from once";
	if (!has_timeline && !opts_draw(&c->s->opts))
		return "--from needs --flame or another option for a picture or a viewer";
	return NULL;
}

/* Draws saved data.  Nothing is traced. */
static int draw_saved(struct cmd *c)
{
	struct session *s = c->s;
	bool has_timeline = opts_timeline_written(&s->opts) || opts_otlp_records(&s->opts);
	const char *why = why_not_drawn(c, has_timeline);

	if (why) {
		report_error(&s->report, "%s", why);
		return 2;
	}
	if (has_timeline && !timeline_of_saved(&s->report, &s->opts, c->saved.a[0]))
		return 1;
	return opts_draw(&s->opts) &&
	       !pictures_of_saved(&s->report, &s->opts, c->saved.a, c->saved.n);
}

static void complete(struct cmd *c)
{
	const char *word = c->operands.n ? c->operands.a[0] : "";

	if (c->has_targets) {
		c->targets = targets_new(c->s, say, c);
		targets_complete(c->targets, *c->complete, word);
	} else {
		session_complete(c->s, *c->complete, "", word);
	}
}

/* Returns true if stages are to be printed that follow the checks of -e. */
static bool dumps_code(struct session *s)
{
	static const char *const stages[] = {"plan", "ir", "opt", "bpf"};

	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++)
		if (report_dumps(&s->report, stages[i]))
			return true;
	return s->opts.is_set[OPT_verbose];
}

/* Runs a mode that traces nothing.  Returns the exit status; -1: no such mode. */
static int answer(struct cmd *c)
{
	struct session *s = c->s;

	if (c->complete) {
		complete(c);
		return 0;
	}
	if (c->list) {
		if (c->targets)
			targets_list_probes(c->targets, c->verbose);
		else
			session_list(s, c->verbose);
		return 0;
	}
	if (c->compile_only) {
		if (dumps_code(s) && !session_translate(s))
			return 1;
		print_matched(c);
		out_flush(&s->out);
		return 0;
	}
	if (c->header)
		return make_header(s, c->output);
	if (c->link)
		return make_object(s, c->output, c->operands.a, c->operands.n);
	return -1;
}

static int run(struct cmd *c, int argc, char **argv)
{
	struct session *s = c->s;
	int status = read_environment(s) ? second_pass(c, argc, argv) : 1;

	if (!status)
		status = check_modes(c);
	if (status)
		return status;
	if (c->saved.n)
		return draw_saved(c);
	if (!c->list && !c->compile_only && !c->header && !c->link && !is_privileged(s))
		return 1;
	s->compile.checks_libs = c->compile_only;
	s->plan.env.is_listing = c->list;
	if (c->has_targets && !c->complete) {
		c->argc = argc;
		c->argv = argv;
		c->targets = targets_new(s, say, c);
		if (!targets_connect(c->targets))
			return 1;
	}
	if (c->has_targets && !c->list && !s->compile.progs.n) {
		targets_list(c->targets);
		return 0;
	}
	/* -e checks the libraries of -L, too. */
	if (!c->list && !(c->compile_only && s->compile.libdirs.n) && !s->compile.progs.n) {
		report_error(&s->report, "no probes specified");
		return 1;
	}
	if (c->list || c->header || c->link)
		session_setopt(s, "zdefs", NULL);
	if (!open_output(c))
		return 1;
	/* With -G, the operands are objects. */
	s->compile.nargs = c->link ? 0 : (int)c->operands.n;
	s->compile.args = c->operands.a;
	if (!third_pass(c, argc, argv) || !compile(c))
		return 1;
	if (c->prints_source)
		session_print_source(s);
	status = answer(c);
	if (status >= 0)
		return status;
	if (!total_matched(c) && !s->opts.is_set[OPT_zdefs]) {
		report_error(&s->report, "no probes matched");
		return 1;
	}
	return trace(c);
}

/*
 * Writes what is left of the output, and returns the exit status.  Output that was lost is an
 * error, unless its reader has gone, or the user has sent a second signal.
 */
static int judge_output(const struct cmd *c, const char *prog, int status)
{
	const struct report early = {.progname = prog, .file = stderr};
	int err = c->s ? -c->s->out.error : 0;

	errno = 0;
	if (!err && fflush(stdout) != 0)
		err = errno;
	else if (!err && ferror(stdout))
		err = EIO;
	if (!err || err == EPIPE || (err == EINTR && c->s && signals_seen(c->s) >= 2))
		return status;
	report_error(c->s ? &c->s->report : &early, "failed to write to %s: %s",
		     c->output ? c->output : "<stdout>", strerror(err));
	return status ? status : 1;
}

int main(int argc, char **argv)
{
	char *slash = strrchr(argv[0], '/'), *prog = slash ? slash + 1 : argv[0];
	struct cmd c = {0};
	int status;

	signals_catch_early();
	shebang_split(&argc, &argv);
	reserve_descriptors();
	argv[0] = prog; /* getopt() starts its messages with it */
	setvbuf(stderr, NULL, _IOLBF, 0);
	if (argc == 1)
		return usage(prog);
	if (!first_pass(&c, argc, argv))
		return usage(prog);
	if (c.is_agent) {
		struct report report = {.progname = prog, .file = stderr};

		return agent_run(&report, c.operands.n ? c.operands.a[0] : "-");
	}
	if (c.help || (c.header && argc == 2)) {
		usage_print(stdout, prog);
		return judge_output(&c, prog, 0);
	}
	c.s = session_new(prog);
	c.s->compile.is_ilp32 = c.is_ilp32;
	if (c.modes > 1) {
		report_error(&c.s->report,
			     "only one of the [-AGhlV] options can be specified at a time");
		status = 2;
	} else if (c.version) {
		printf("%s: %s\nThis is DTrace for Linux %s\n", c.s->report.progname,
		       _dtrace_version, RELEASE);
		status = 0;
	} else if (c.anonymous) {
		report_error(&c.s->report, "-A: anonymous tracing is not supported on Linux");
		status = 1;
	} else {
		status = run(&c, argc, argv);
	}
	status = judge_output(&c, prog, status);
	/* Before 6.6 the kernel needs a long time to remove breakpoints. */
	progress_start(prog);
	if (c.targets)
		targets_free(c.targets);
	session_free(c.s);
	progress_stop();
	vec_free(&c.operands);
	vec_free(&c.saved);
	return status;
}
