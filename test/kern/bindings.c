/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bindings.c: uses libdtrace as bindings of other languages do: bindings MODE [ARGUMENT ...].  Each
 * mode repeats the calls of a binding, their order, their return values, and the ways in which it
 * gives up.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "consumer.h"

static const char *last_error(dtrace_hdl_t *h)
{
	return dtrace_errmsg(h, dtrace_errno(h));
}

/* System calls that the D programs of this file count. */
static void call(int n)
{
	while (n-- > 0)
		syscall(SYS_getpriority, PRIO_PROCESS, 7);
}

static const char *own_calls(const char *action)
{
	static char text[300];

	snprintf(text, sizeof(text), "syscall::getpriority:entry /pid == %d && arg1 == 7/ { %s }",
		 getpid(), action);
	return text;
}

/* ---- objects with functions, text through a handler, rows that are removed (Node) ---- */

static int node_text(const dtrace_bufdata_t *b, void *arg)
{
	dtrace_probedata_t *data = b->dtbda_probe;

	if (b->dtbda_recdesc && b->dtbda_recdesc->dtrd_action == DTRACEACT_PRINTF)
		printf("%s %s: \"%s\"\n", (const char *)arg, data->dtpda_pdesc->dtpd_name,
		       b->dtbda_buffered);
	return DTRACE_HANDLE_OK;
}

static int node_record(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec, void *arg)
{
	if (!rec) {
		printf("end of %s\n", data->dtpda_pdesc->dtpd_name);
		return DTRACE_CONSUME_NEXT;
	}
	if (rec->dtrd_action == DTRACEACT_PRINTF)
		return DTRACE_CONSUME_THIS;
	if (rec->dtrd_action != DTRACEACT_DIFEXPR)
		return DTRACE_CONSUME_ABORT;
	if (rec->dtrd_size == sizeof(int32_t))
		printf("%d\n", *(int32_t *)data->dtpda_data);
	else
		printf("%s\n", data->dtpda_data);
	return DTRACE_CONSUME_THIS;
}

static int node_row(const dtrace_aggdata_t *a, void *arg)
{
	const dtrace_aggdesc_t *d = a->dtada_desc;
	const dtrace_recdesc_t *v = &d->dtagd_rec[d->dtagd_nrecs - 1];

	printf("@%d %d keys %lld\n", (int)d->dtagd_varid, d->dtagd_nrecs - 2,
	       *(long long *)(a->dtada_data + v->dtrd_offset));
	return DTRACE_AGGWALK_REMOVE;
}

static void node_walk(dtrace_hdl_t *h)
{
	if (dtrace_status(h) == -1 || dtrace_aggregate_snap(h) == -1 ||
	    dtrace_aggregate_walk(h, node_row, h) == -1)
		fail(h, "rows");
}

static void node(char **argv)
{
	dtrace_hdl_t *h = open_handle();

	set(h, "bufsize", "4m");
	set(h, "aggsize", "4m");
	dtrace_handle_buffered(h, node_text, "text of");
	enable(h, argv[0]);
	go(h);
	node_walk(h);
	node_walk(h);
	for (int i = 0; i < 2; i++) {
		if (dtrace_work(h, NULL, NULL, node_record, h) == -1)
			printf("work: %s\n", last_error(h));
		if (i == 0 && dtrace_stop(h) == -1)
			fail(h, "stop");
	}
	node_walk(h);
	dtrace_close(h);
}

/* ---- a file for each round, the probes of a program (Ruby, Tcl) ---- */

/* Arguments: PROGRAM FILE [FORMAT].  The file is closed after each round, and no file is open
 * between rounds. */
static void files(char **argv)
{
	dtrace_hdl_t *h = open_handle();
	int status = DTRACE_WORKSTATUS_OKAY;

	set(h, "flowindent", NULL);
	if (argv[2])
		set(h, "oformat", argv[2]);
	if (dtrace_status(h) != DTRACE_STATUS_NONE)
		printf("another status\n");
	enable(h, argv[0]);
	go(h);
	for (int i = 0; status == DTRACE_WORKSTATUS_OKAY; i++) {
		FILE *f = fopen(argv[1], "a");

		if (i == 3)
			dtrace_stop(h);
		dtrace_sleep(h);
		status = dtrace_work(h, f, NULL, this_one, NULL);
		fclose(f);
		if (dtrace_status(h) == -1)
			fail(h, "status");
	}
	if (status != DTRACE_WORKSTATUS_DONE)
		fail(h, "work");
	dtrace_close(h);
}

static int list_probe(dtrace_hdl_t *h, const dtrace_probedesc_t *p, void *arg)
{
	printf("  %s:%s:%s:%s\n", p->dtpd_provider, p->dtpd_mod, p->dtpd_func, p->dtpd_name);
	return 0;
}

static int list_clause(dtrace_hdl_t *h, dtrace_prog_t *p, dtrace_stmtdesc_t *st,
		       dtrace_ecbdesc_t **last)
{
	dtrace_ecbdesc_t *e = st->dtsd_ecbdesc;
	char text[DTRACE_FULLNAMELEN], attr[2][100];

	if (e == *last)
		return 0;
	*last = e;
	printf("%s %s %s\n", dtrace_desc2str(&e->dted_probe, text, sizeof(text)),
	       dtrace_attr2str(st->dtsd_descattr, attr[0], sizeof(attr[0])),
	       dtrace_attr2str(st->dtsd_stmtattr, attr[1], sizeof(attr[1])));
	return dtrace_probe_iter(h, &e->dted_probe, list_probe, NULL);
}

static int first_clause(dtrace_hdl_t *h, dtrace_prog_t *p, dtrace_stmtdesc_t *st, void *arg)
{
	return 42;
}

static void clauses(char **argv)
{
	char *args[] = {"ruby"};
	dtrace_hdl_t *h = open_handle();
	dtrace_prog_t *p =
	    dtrace_program_strcompile(h, argv[0], DTRACE_PROBESPEC_NAME, DTRACE_C_PSPEC, 1, args);
	dtrace_ecbdesc_t *last = NULL;

	if (!p)
		fail(h, "compile");
	if (dtrace_stmt_iter(h, p, (dtrace_stmt_f *)list_clause, &last) != 0)
		fail(h, "clauses");
	printf("first %d\n", dtrace_stmt_iter(h, p, first_clause, NULL));
	dtrace_close(h);
}

/* Reads members without a check for NULL, as the binding does. */
static int tcl_text(const dtrace_bufdata_t *b, void *arg)
{
	if (b->dtbda_aggdata)
		printf("@%s action %#x\n", b->dtbda_aggdata->dtada_desc->dtagd_name,
		       b->dtbda_recdesc ? b->dtbda_recdesc->dtrd_action : 0);
	else
		printf("%s action %#x\n", b->dtbda_probe->dtpda_pdesc->dtpd_name,
		       b->dtbda_recdesc->dtrd_action);
	return DTRACE_HANDLE_OK;
}

static void pieces(char **argv)
{
	dtrace_hdl_t *h = open_handle();

	dtrace_handle_buffered(h, tcl_text, NULL);
	enable(h, argv[0]);
	go(h);
	work(h, NULL, NULL, this_one, NULL);
	if (dtrace_aggregate_print(h, NULL, NULL) != 0)
		fail(h, "print");
	dtrace_close(h);
}

/* ---- options after enabling, values of each CPU, a row's probe (PowerTOP, Ruby) ---- */

static int add_cpus(const dtrace_aggdata_t *a, void *arg)
{
	const dtrace_aggdesc_t *d = a->dtada_desc;
	long n = sysconf(_SC_NPROCESSORS_CONF);
	uint64_t sum = 0;

	for (long i = 0; i < n; i++)
		sum += *(uint64_t *)a->dtada_percpu[i];
	printf("@%s %d %s:%s%s\n", d->dtagd_name, (int)sum, a->dtada_pdesc->dtpd_func,
	       a->dtada_pdesc->dtpd_name,
	       a->dtada_edesc->dtepd_probeid == a->dtada_pdesc->dtpd_id &&
		       a->dtada_edesc->dtepd_epid == d->dtagd_epid && d->dtagd_epid
		   ? ""
		   : " of another");
	return DTRACE_AGGWALK_NEXT;
}

static void percpu(char **argv)
{
	dtrace_hdl_t *h = open_handle();
	dtrace_optval_t rate;

	enable(h, own_calls("@a[arg1] = count(); @b[execname] = sum(2);"));
	set(h, "aggsize", "128k");
	set(h, "aggrate", "0");
	set(h, "aggpercpu", NULL);
	go(h);
	if (dtrace_getopt(h, "statusrate", &rate) == -1)
		fail(h, "option");
	for (int i = 1; i <= 2; i++) {
		call(i * 10);
		if (dtrace_status(h) == -1 || dtrace_aggregate_snap(h) != 0 ||
		    dtrace_aggregate_walk_keysorted(h, add_cpus, NULL) != 0)
			fail(h, "collect");
		dtrace_aggregate_clear(h);
	}
	dtrace_close(h);
}

/* ---- opened by one thread, traced and consumed by another; records by their offsets ---- */

static int add_operands(const dtrace_probedata_t *data, void *arg)
{
	const dtrace_eprobedesc_t *e = data->dtpda_edesc;

	for (int i = 0; i < e->dtepd_nrecs; i++)
		if (e->dtepd_rec[i].dtrd_action == DTRACEACT_PRINTF)
			((long long *)arg)[i] +=
			    *(int64_t *)(data->dtpda_data + e->dtepd_rec[i].dtrd_offset);
	return DTRACE_CONSUME_NEXT;
}

static void *consume_here(void *arg)
{
	static long long sums[2];
	dtrace_hdl_t *h = arg;

	go(h);
	call(50);
	if (dtrace_work(h, stderr, add_operands, NULL, sums) != DTRACE_WORKSTATUS_OKAY ||
	    dtrace_stop(h) == -1 ||
	    dtrace_work(h, stderr, add_operands, NULL, sums) != DTRACE_WORKSTATUS_DONE)
		fail(h, "work");
	printf("%lld %lld\n", sums[0], sums[1]);
	return NULL;
}

static void moved(char **argv)
{
	dtrace_hdl_t *h = open_handle();
	pthread_t thread;

	enable(h, own_calls("printf(\"%d %d\", (int64_t)arg1, 2LL);"));
	pthread_create(&thread, NULL, consume_here, h);
	pthread_join(thread, NULL);
	dtrace_close(h);
}

/* ---- neither a file nor a handler: consumers that only look at data ---- */

static int answer_with(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec, void *arg)
{
	return *(int *)arg;
}

static int answer_row(const dtrace_aggdata_t *a, void *arg)
{
	return *(int *)arg;
}

static void answers(char **argv)
{
	for (int n = -2; n <= 3; n++) {
		dtrace_hdl_t *h = open_handle();
		int r;

		enable(h, "BEGIN { trace(1); exit(0); }");
		go(h);
		r = dtrace_work(h, NULL, NULL, answer_with, &n);
		printf("%d: %s\n", n, r == -1 ? last_error(h) : "done");
		dtrace_close(h);
	}
	for (int n = -2; n <= 6; n++) {
		dtrace_hdl_t *h = open_handle();

		enable(h, "BEGIN { @ = count(); }");
		go(h);
		dtrace_aggregate_snap(h);
		printf("row %d: %s\n", n,
		       dtrace_aggregate_walk(h, answer_row, &n) == -1 ? last_error(h) : "done");
		dtrace_close(h);
	}
}

/* ---- a child that closes its copy of the handle, a child that keeps it; the parent's handle
 * still works ---- */

static int count_one(const dtrace_probedata_t *data, void *arg)
{
	++*(int *)arg;
	return DTRACE_CONSUME_NEXT;
}

static void forks(char **argv)
{
	char *sleeper[] = {"sleep", "100", NULL};
	dtrace_hdl_t *h = open_handle();
	struct ps_prochandle *P = dtrace_proc_create(h, sleeper[0], sleeper);
	int ends[2], records = 0, status;
	pid_t keeps;

	if (!P || pipe(ends) != 0)
		fail(h, "create");
	enable(h, own_calls("trace(1);"));
	enable(h, "pid$target:libc.so.6:exit:entry { }");
	go(h);
	if (fork() == 0) {
		dtrace_close(h);
		_exit(0);
	}
	wait(&status);
	keeps = fork();
	if (keeps == 0) {
		close(ends[1]);
		_exit((int)read(ends[0], &status, 1));
	}
	call(50);
	dtrace_stop(h);
	dtrace_work(h, stdout, count_one, NULL, &records);
	printf("%d records, process %s\n", records,
	       waitpid(dtrace_proc_getpid(h, P), NULL, WNOHANG) == 0 ? "runs" : "is gone");
	dtrace_close(h);
	printf("closed, child %s\n", waitpid(keeps, NULL, WNOHANG) == 0 ? "runs" : "is gone");
	close(ends[1]);
	wait(&status);
}

/* ---- many handles in a row, given up at any time: nothing is left ---- */

static jmp_buf out_of_it;

static int jump(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec, void *arg)
{
	longjmp(out_of_it, 1);
}

static int stop_inside(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec, void *arg)
{
	dtrace_stop(data->dtpda_handle);
	return DTRACE_CONSUME_NEXT;
}

static void live(int how, FILE *null)
{
	char *child[] = {"true", NULL};
	dtrace_hdl_t *h = open_handle();

	if (how == 1)
		dtrace_program_strcompile(h, "BEGIN { trace(x); }", DTRACE_PROBESPEC_NAME, 0, 0,
					  NULL);
	if (how > 1)
		enable(h, "BEGIN { @[execname] = count(); stack(); ustack(); } END { trace(2); }");
	if (how == 3)
		set(h, "oformat", "json");
	if (how == 6 && !dtrace_proc_create(h, child[0], child))
		fail(h, "create");
	if (how > 2)
		go(h);
	if (how > 2 && how != 4 && setjmp(out_of_it) == 0)
		dtrace_work(h, null, NULL,
			    how == 5   ? jump
			    : how == 7 ? stop_inside
				       : this_one,
			    NULL);
	if (how == 8)
		dtrace_aggregate_print(h, null, NULL);
	dtrace_close(h);
}

static int entries(const char *path)
{
	DIR *d = opendir(path);
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void lives(char **argv)
{
	FILE *null = fopen("/dev/null", "w");
	int fds, tasks;

	for (int how = 0; how <= 8; how++)
		live(how, null);
	fds = entries("/proc/self/fd");
	tasks = entries("/proc/self/task");
	for (int i = 0; i < atoi(argv[0]); i++)
		live(i % 9, null);
	printf("%d descriptors, %d threads, %s\n", entries("/proc/self/fd") - fds,
	       entries("/proc/self/task") - tasks,
	       waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? "no child" : "a child");
	fclose(null);
}

/* ---- calls at the wrong time ---- */

/* Comma expression: prints the return value, then the reason. */
#define ANSWER(call) (printf("%d ", (call)), printf("%s\n", last_error(h)))

static void order(char **argv)
{
	dtrace_hdl_t *h = open_handle();
	int answers_before[] = {dtrace_stop(h), dtrace_work(h, stdout, NULL, NULL, NULL),
				dtrace_consume(h, stdout, NULL, NULL, NULL),
				dtrace_aggregate_snap(h), dtrace_aggregate_print(h, stdout, NULL)};

	for (size_t i = 0; i < sizeof(answers_before) / sizeof(answers_before[0]); i++)
		printf("%d ", answers_before[i]);
	printf("%s\n", last_error(h));
	enable(h, "BEGIN { exit(3); }");
	go(h);
	ANSWER(dtrace_go(h));
	ANSWER(!!dtrace_program_strcompile(h, "BEGIN", DTRACE_PROBESPEC_NAME, 0, 0, NULL));
	ANSWER(dtrace_setopt(h, "bufsize", "1m"));
	printf("%d", dtrace_setopt(h, "aggrate", "1s"));
	for (int i = 0; i < 2; i++)
		printf(" %d", dtrace_work(h, stdout, NULL, NULL, NULL));
	for (int i = 0; i < 2; i++)
		printf(" %d", dtrace_stop(h));
	printf(" %d\n", dtrace_status(h));
	dtrace_close(h);
	dtrace_close(NULL);
}

/* ---- NULL where an argument is required ---- */

static void expect(dtrace_hdl_t *h, const char *what, int has_failed)
{
	if (!has_failed || dtrace_errno(h) != EINVAL)
		printf("%s: %s\n", what, has_failed ? last_error(h) : "done");
	dtrace_setopt(h, "nonsense", NULL);
}

#define REFUSED(call, failure) expect(h, #call, (call) == (failure))

static void nothing_of_programs(dtrace_hdl_t *h)
{
	dtrace_aggvarid_t var = 1;

	REFUSED(dtrace_setopt(h, NULL, NULL), -1);
	REFUSED(dtrace_getopt(h, NULL, NULL), -1);
	REFUSED(dtrace_getopt(h, "bufsize", NULL), -1);
	REFUSED(dtrace_program_strcompile(h, NULL, DTRACE_PROBESPEC_NAME, 0, 0, NULL), NULL);
	REFUSED(dtrace_program_strcompile(h, "BEGIN", DTRACE_PROBESPEC_NAME, 0, 2, NULL), NULL);
	REFUSED(dtrace_program_strcompile(h, "BEGIN", (dtrace_probespec_t)7, 0, 0, NULL), NULL);
	REFUSED(dtrace_program_fcompile(h, NULL, 0, 0, NULL), NULL);
	REFUSED(dtrace_stmt_iter(h, NULL, NULL, NULL), -1);
	REFUSED(dtrace_program_header(h, NULL, NULL), -1);
	REFUSED(dtrace_program_link(h, NULL, 0, NULL, 0, NULL), -1);
	REFUSED(dtrace_format_lookup(h, 0), NULL);
	REFUSED(dtrace_printf_create(h, NULL), NULL);
	REFUSED(dtrace_printa_create(h, NULL), NULL);
	REFUSED(dtrace_aggregate_walk(h, NULL, NULL), -1);
	REFUSED(dtrace_aggregate_walk_joined(h, &var, 1, NULL, NULL), -1);
	REFUSED(dtrace_aggregate_walk_joined(h, NULL, 1, NULL, NULL), -1);
	REFUSED(dtrace_proc_create(h, "true", NULL), NULL);
	REFUSED(dtrace_proc_create(h, NULL, (char *[]){"true", NULL}), NULL);
}

static void nothing_of_names(dtrace_hdl_t *h)
{
	dtrace_probedesc_t pd = {.dtpd_id = 1};
	dtrace_typeinfo_t none = {.dtt_type = 0};
	char text[10];

	REFUSED(dtrace_probe_iter(h, NULL, NULL, NULL), -1);
	REFUSED(dtrace_probe_info(h, NULL, NULL), -1);
	REFUSED(dtrace_probe_info(h, &pd, NULL), -1);
	REFUSED(dtrace_id2desc(h, 1, NULL), -1);
	REFUSED(dtrace_str2desc(h, DTRACE_PROBESPEC_NAME, NULL, &pd), -1);
	REFUSED(dtrace_str2desc(h, DTRACE_PROBESPEC_NAME, "BEGIN", NULL), -1);
	REFUSED(dtrace_str2desc(h, (dtrace_probespec_t)7, "BEGIN", &pd), -1);
	REFUSED(dtrace_lookup_by_name(h, NULL, NULL, NULL, NULL), -1);
	REFUSED(dtrace_lookup_by_type(h, NULL, NULL, &none), -1);
	REFUSED(dtrace_lookup_by_type(h, NULL, "int", NULL), -1);
	REFUSED(dtrace_type_strcompile(h, NULL, &none), -1);
	REFUSED(dtrace_type_fcompile(h, NULL, &none), -1);
	REFUSED(dtrace_symbol_type(h, NULL, NULL, &none), -1);
	REFUSED(dtrace_type_name(h, &none, text, sizeof(text)), -1);
	REFUSED(dtrace_type_name(h, NULL, text, sizeof(text)), -1);
	REFUSED(dtrace_type_size(h, &none), -1);
	REFUSED(dtrace_object_iter(h, NULL, NULL), -1);
	REFUSED(dtrace_object_info(h, NULL, NULL), -1);
}

static void nothing(char **argv)
{
	dtrace_hdl_t *h = open_handle();
	dtrace_prog_t *p = dtrace_program_strcompile(h, "x", DTRACE_PROBESPEC_NAME, 0, 0, NULL);

	ANSWER(dtrace_program_exec(h, p, NULL));
	nothing_of_programs(h);
	nothing_of_names(h);
	/* Functions that return nothing do nothing. */
	dtrace_program_info(h, NULL, NULL);
	dtrace_proc_release(h, NULL);
	dtrace_proc_continue(h, NULL);
	printf("%d %d %d %zu %d\n", dtrace_proc_getpid(h, NULL), dtrace_str2attr(NULL, NULL),
	       dtrace_desc2str(NULL, NULL, 0) == NULL, dtrace_printf_format(h, NULL, NULL, 0),
	       dtrace_addr2str(h, 0, NULL, 0));
	dtrace_close(h);
}

/* Programs use the declarations that the header brings along. */
static void say(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
}

static void version(char **argv)
{
	say("%s\n", _dtrace_version);
}

/* ---- objects that a garbage collector frees in any order (Ruby) ---- */

static void released(char **argv)
{
	char *args[] = {"sleep", "60", NULL};
	dtrace_hdl_t *h = open_handle();
	struct ps_prochandle *first = dtrace_proc_create(h, "/bin/sleep", args);
	struct ps_prochandle *second = dtrace_proc_create(h, "/bin/sleep", args);
	pid_t pid;

	if (!first || !second)
		fail(h, "create");
	pid = dtrace_proc_getpid(h, first);
	printf("%d ", pid > 0);
	dtrace_proc_release(h, first);
	dtrace_proc_release(h, first);
	dtrace_proc_continue(h, first);
	printf("%d ", dtrace_proc_getpid(h, first));
	dtrace_close(h);
	dtrace_proc_release(h, second);
	dtrace_proc_continue(h, second);
	printf("%d\n", dtrace_proc_getpid(h, second));
	dtrace_close(h);
	kill(pid, SIGKILL);
}

/* Types of other systems' headers, by their sizes. */
static void types(char **argv)
{
	uchar_t a = UCHAR_MAX;
	ushort_t b = USHRT_MAX;
	uint_t c = UINT_MAX;
	ulong_t d = ULONG_MAX;
	longlong_t e = -1;
	u_longlong_t f = ULLONG_MAX;
	hrtime_t g = -1;

	printf("%d %d %u %lx %lld %llx %lld\n", a, b, c, d, e, f, g);
}

static const struct {
	const char *name;
	void (*run)(char **argv);
} modes[] = {{"node", node},	     {"files", files}, {"clauses", clauses}, {"pieces", pieces},
	     {"percpu", percpu},     {"moved", moved}, {"answers", answers}, {"forks", forks},
	     {"lives", lives},	     {"order", order}, {"nothing", nothing}, {"version", version},
	     {"released", released}, {"types", types}};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(modes[i].name, argv[1]) != 0)
			continue;
		modes[i].run(argv + 2);
		return 0;
	}
	return 2;
}
