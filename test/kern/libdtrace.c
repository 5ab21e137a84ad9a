/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libdtrace.c: a program for libdtrace: libdtrace MODE [ARGUMENT ...].  Each mode prints one line
 * for each thing that its test compares.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "consumer.h"

/* ---- records ---- */

static void print_datum(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec)
{
	const char *p = data->dtpda_data;

	printf("rec %#x size %u arg %d:", rec->dtrd_action, rec->dtrd_size, (int)rec->dtrd_arg);
	switch (rec->dtrd_size) {
	case 1:
		printf(" %d\n", *(const int8_t *)p);
		break;
	case 2:
		printf(" %d\n", *(const int16_t *)p);
		break;
	case 4:
		printf(" %d\n", *(const int32_t *)p);
		break;
	case 8:
		printf(" %lld\n", *(const long long *)p);
		break;
	default:
		printf(" %s\n", rec->dtrd_action == DTRACEACT_DIFEXPR ? p : "...");
	}
}

static int tell_probe(const dtrace_probedata_t *data, void *arg)
{
	const dtrace_probedesc_t *p = data->dtpda_pdesc;
	uint32_t epid = *(uint32_t *)data->dtpda_data;

	printf("probe %s:%s:%s:%s nrecs %d same %d\n", p->dtpd_provider, p->dtpd_mod, p->dtpd_func,
	       p->dtpd_name, data->dtpda_edesc->dtepd_nrecs,
	       epid == data->dtpda_edesc->dtepd_epid &&
		   p->dtpd_id == data->dtpda_edesc->dtepd_probeid);
	return DTRACE_CONSUME_THIS;
}

static int tell_rec(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec, void *arg)
{
	if (!rec) {
		printf("end\n");
		return DTRACE_CONSUME_NEXT;
	}
	print_datum(data, rec);
	return *(int *)arg;
}

static int answer;

static void records(char **argv)
{
	dtrace_hdl_t *h = open_handle();

	answer = atoi(argv[0]);
	set(h, "quiet", NULL);
	enable(h, argv[1]);
	go(h);
	work(h, stdout, tell_probe, tell_rec, &answer);
	dtrace_close(h);
}

/* ---- formats ---- */

static int tell_format(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec, void *arg)
{
	dtrace_hdl_t *h = data->dtpda_handle;
	char text[200], cut[4];
	void *f;

	if (rec && rec->dtrd_format) {
		f = dtrace_format_lookup(h, rec->dtrd_format);
		if (dtrace_printf_format(h, f, text, sizeof(text)) != strlen(text) ||
		    dtrace_printf_format(h, f, cut, sizeof(cut)) != strlen(text) ||
		    dtrace_printf_format(h, f, NULL, 0) != strlen(text))
			printf("another length\n");
		printf("%#x \"%s\" \"%s\"\n", rec->dtrd_action, text, cut);
	} else if (rec) {
		printf("%#x none\n", rec->dtrd_action);
	}
	return DTRACE_CONSUME_NEXT;
}

static void *(*const makers[])(dtrace_hdl_t *h, const char *s) = {dtrace_printf_create,
								  dtrace_printa_create};

/* Prints the formats of a program, then of the other arguments. */
static void formats(char **argv)
{
	dtrace_hdl_t *h = open_handle();
	char text[200];

	set(h, "quiet", NULL);
	enable(h, *argv++);
	go(h);
	work(h, stdout, NULL, tell_format, NULL);
	if (!dtrace_format_lookup(h, 0) && !dtrace_format_lookup(h, 99) &&
	    !dtrace_format_lookup(h, -1))
		printf("no others: %s\n", dtrace_errmsg(h, dtrace_errno(h)));
	for (; *argv; argv++) {
		for (int i = 0; i < 2; i++) {
			void *f = makers[i](h, *argv);

			if (f)
				dtrace_printf_format(h, f, text, sizeof(text));
			printf("%s%s", f ? text : dtrace_errmsg(h, dtrace_errno(h)),
			       i ? "\n" : "|");
		}
	}
	dtrace_close(h);
}

/* ---- buffered output ---- */

static int tell_text(const dtrace_bufdata_t *b, void *arg)
{
	printf("text action %#x agg %d flags %#x \"",
	       b->dtbda_recdesc ? b->dtbda_recdesc->dtrd_action : 0, b->dtbda_aggdata != NULL,
	       b->dtbda_flags);
	for (const char *p = b->dtbda_buffered; *p; p++)
		printf(*p == '\n' ? "\\n" : "%c", *p);
	printf("\"\n");
	return DTRACE_HANDLE_OK;
}

static void buffered(char **argv)
{
	dtrace_hdl_t *h = open_handle();

	set(h, "quiet", NULL);
	dtrace_handle_buffered(h, tell_text, NULL);
	enable(h, argv[0]);
	go(h);
	work(h, NULL, NULL, this_one, NULL);
	if (dtrace_aggregate_print(h, NULL, NULL) != 0)
		fail(h, "print");
	dtrace_close(h);
}

/* ---- aggregations ---- */

static const struct {
	const char *name;
	dtrace_aggregate_walk_f *walk;
} walks[] = {{"any", dtrace_aggregate_walk},
	     {"val", dtrace_aggregate_walk_valsorted},
	     {"key", dtrace_aggregate_walk_keysorted},
	     {"keyvar", dtrace_aggregate_walk_keyvarsorted},
	     {"valvar", dtrace_aggregate_walk_valvarsorted},
	     {"keyrev", dtrace_aggregate_walk_keyrevsorted},
	     {"valrev", dtrace_aggregate_walk_valrevsorted},
	     {"keyvarrev", dtrace_aggregate_walk_keyvarrevsorted},
	     {"valvarrev", dtrace_aggregate_walk_valvarrevsorted}};

static void print_buckets(const int64_t *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (v[i])
			printf(" [%u]=%lld", i, (long long)v[i]);
}

static void print_value(const char *p, const dtrace_recdesc_t *r)
{
	const int64_t *v = (const int64_t *)p;
	uint32_t n = r->dtrd_size / 8;

	switch (r->dtrd_action) {
	case DTRACEAGG_QUANTIZE:
		print_buckets(v, n);
		break;
	case DTRACEAGG_LQUANTIZE:
		printf(" base %d step %d levels %d", DTRACE_LQUANTIZE_BASE(v[0]),
		       DTRACE_LQUANTIZE_STEP(v[0]), DTRACE_LQUANTIZE_LEVELS(v[0]));
		print_buckets(v + 1, n - 1);
		break;
	case DTRACEAGG_LLQUANTIZE:
		printf(" factor %d low %d high %d steps %d", DTRACE_LLQUANTIZE_FACTOR(v[0]),
		       DTRACE_LLQUANTIZE_LOW(v[0]), DTRACE_LLQUANTIZE_HIGH(v[0]),
		       DTRACE_LLQUANTIZE_NSTEP(v[0]));
		print_buckets(v + 1, n - 1);
		break;
	default:
		for (uint32_t i = 0; i < n; i++)
			printf(" %lld", (long long)v[i]);
	}
}

static int tell_row(const dtrace_aggdata_t *a, void *arg)
{
	const dtrace_aggdesc_t *d = a->dtada_desc;
	const dtrace_recdesc_t *v = &d->dtagd_rec[d->dtagd_nrecs - 1];
	int64_t var = *(int64_t *)(a->dtada_data + d->dtagd_rec[0].dtrd_offset);

	printf("@%s", d->dtagd_name);
	for (int i = 1; i < d->dtagd_nrecs - 1; i++) {
		const char *p = a->dtada_data + d->dtagd_rec[i].dtrd_offset;

		if (d->dtagd_rec[i].dtrd_size == 4)
			printf(" %d", *(const int *)p);
		else if (d->dtagd_rec[i].dtrd_size == 8)
			printf(" %lld", *(const long long *)p);
		else
			printf(" %s", p);
	}
	printf(" = %d", v->dtrd_action - DTRACEACT_AGGREGATION);
	print_value(a->dtada_data + v->dtrd_offset, v);
	printf("%s%s\n", var == d->dtagd_varid ? "" : " other number",
	       v->dtrd_offset + v->dtrd_size == a->dtada_size ? "" : " other size");
	return *(int *)arg;
}

static void walk(dtrace_hdl_t *h, const char *name)
{
	for (size_t i = 0; i < sizeof(walks) / sizeof(walks[0]); i++)
		if (strcmp(walks[i].name, name) == 0 && walks[i].walk(h, tell_row, &answer) != 0)
			printf("walk: %s\n", dtrace_errmsg(h, dtrace_errno(h)));
}

/* Arguments: PROGRAM, then sort orders and numbers.  A number is the return value of the
 * callback from then on. */
static void aggregations(char **argv)
{
	dtrace_hdl_t *h = open_handle();

	enable(h, *argv++);
	go(h);
	work(h, stdout, NULL, NULL, NULL);
	for (; *argv; argv++) {
		if (**argv >= '0' && **argv <= '9')
			answer = atoi(*argv);
		else if (strcmp(*argv, "print") == 0)
			dtrace_aggregate_print(h, stdout, dtrace_aggregate_walk_keysorted);
		else
			walk(h, *argv);
	}
	dtrace_close(h);
}

static int tell_joined(const dtrace_aggdata_t **data, const int n, void *arg)
{
	for (int i = 1; i < n; i++) {
		const dtrace_aggdesc_t *d = data[i] ? data[i]->dtada_desc : NULL;

		if (!d)
			printf(" -");
		else
			printf(" %lld",
			       *(long long *)(data[i]->dtada_data +
					      d->dtagd_rec[d->dtagd_nrecs - 1].dtrd_offset));
	}
	printf(" of %s\n", data[0]->dtada_data + data[0]->dtada_desc->dtagd_rec[1].dtrd_offset);
	return DTRACE_AGGWALK_NEXT;
}

static void joined(char **argv)
{
	dtrace_aggvarid_t vars[] = {1, 2};
	dtrace_hdl_t *h = open_handle();

	enable(h, argv[0]);
	go(h);
	work(h, stdout, NULL, NULL, NULL);
	dtrace_aggregate_walk_joined(h, vars, 2, tell_joined, NULL);
	dtrace_close(h);
}

/* ---- errors, losses, options ---- */

static int tell_error(const dtrace_errdata_t *e, void *arg)
{
	printf("error fault %d (%s) action %d at %s: %s", e->dteda_fault,
	       dtrace_faultstr(e->dteda_handle, e->dteda_fault), e->dteda_action,
	       e->dteda_pdesc->dtpd_name, e->dteda_msg);
	return *(int *)arg;
}

static unsigned long long lost, shown;

static int count_drop(const dtrace_dropdata_t *d, void *arg)
{
	if (d->dtdda_kind == DTRACEDROP_PRINCIPAL)
		lost += d->dtdda_drops;
	return DTRACE_HANDLE_OK;
}

static int tell_option(const dtrace_setoptdata_t *d, void *arg)
{
	printf("option %s from %lld to %lld\n", d->dtsda_option, (long long)d->dtsda_oldval,
	       (long long)d->dtsda_newval);
	return DTRACE_HANDLE_OK;
}

static void errors(char **argv)
{
	dtrace_hdl_t *h = open_handle();

	answer = atoi(argv[0]);
	if (answer < 1)
		dtrace_handle_err(h, tell_error, &answer);
	dtrace_handle_setopt(h, tell_option, NULL);
	set(h, "quiet", NULL);
	enable(h, argv[1]);
	go(h);
	work(h, stdout, NULL, this_one, NULL);
	dtrace_close(h);
}

static int count_record(const dtrace_probedata_t *data, void *arg)
{
	shown++;
	return DTRACE_CONSUME_NEXT;
}

/* Makes this number of system calls, with a buffer of this size. */
static void drops(char **argv)
{
	dtrace_hdl_t *h = open_handle();
	char text[200];

	set(h, "bufsize", argv[1]);
	if (strcmp(argv[2], "handler") == 0)
		dtrace_handle_drop(h, count_drop, NULL);
	snprintf(text, sizeof(text),
		 "syscall::getpriority:entry /pid == %d && arg1 == 7/ { trace(1); }", getpid());
	enable(h, text);
	go(h);
	for (int i = 0; i < atoi(argv[0]); i++)
		syscall(SYS_getpriority, PRIO_PROCESS, 7);
	dtrace_stop(h);
	if (dtrace_work(h, stdout, count_record, NULL, NULL) == DTRACE_WORKSTATUS_ERROR)
		fail(h, "work");
	printf("%s, %llu in all\n", lost ? "some lost" : "none lost", shown + lost);
	dtrace_close(h);
}

static const struct {
	const char *name, *value;
} options[] = {{"strsize", "100"},    {"bufsize", "4m"},  {"switchrate", "10hz"}, {"quiet", NULL},
	       {"bufpolicy", "fill"}, {"nonsense", NULL}, {"strsize", "x"}};

static void messages(char **argv)
{
	dtrace_hdl_t *h = open_handle();
	dtrace_optval_t v;
	int err;

	printf("version: %s\n", dtrace_open(99, 0, &err) ? "?" : dtrace_errmsg(NULL, err));
	printf("number: %s\n", dtrace_errmsg(h, 2));
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (dtrace_setopt(h, options[i].name, options[i].value) != 0)
			printf("%s: %s\n", options[i].name, dtrace_errmsg(h, dtrace_errno(h)));
		else if (dtrace_getopt(h, options[i].name, &v) == 0)
			printf("%s: %lld\n", options[i].name, (long long)v);
	}
	for (; *argv; argv++)
		printf("compile: %s\n",
		       dtrace_program_strcompile(h, *argv, DTRACE_PROBESPEC_NAME, 0, 0, NULL)
			   ? "done"
			   : dtrace_errmsg(h, dtrace_errno(h)));
	printf("preprocessed: %s\n",
	       dtrace_program_strcompile(h, "#define X exit\nBEGIN { X(0); Y(0); }",
					 DTRACE_PROBESPEC_NAME, DTRACE_C_CPP, 0, NULL)
		   ? "done"
		   : dtrace_errmsg(h, dtrace_errno(h)));
	printf("work: %s\n", dtrace_work(h, stdout, NULL, NULL, NULL) == DTRACE_WORKSTATUS_ERROR
				 ? dtrace_errmsg(h, dtrace_errno(h))
				 : "?");
	dtrace_close(h);
}

/* ---- programs, probes, names ---- */

static int count_probe(dtrace_hdl_t *h, const dtrace_probedesc_t *p, void *arg)
{
	dtrace_probedesc_t same;
	char text[DTRACE_FULLNAMELEN];

	if (dtrace_id2desc(h, p->dtpd_id, &same) != 0 || memcmp(p, &same, sizeof(same)) != 0)
		printf("another by its number\n");
	printf("%s\n", dtrace_desc2str(p, text, sizeof(text)));
	return 0;
}

static void probes(char **argv)
{
	dtrace_hdl_t *h = open_handle();
	dtrace_probedesc_t d;
	dtrace_probeinfo_t info;
	char text[256];

	if (dtrace_str2desc(h, DTRACE_PROBESPEC_NAME, argv[0], &d) != 0)
		fail(h, "description");
	if (dtrace_probe_iter(h, &d, count_probe, NULL) != 0)
		fail(h, "iter");
	if (dtrace_probe_info(h, &d, &info) == 0) {
		printf("%s, %d arguments:", dtrace_attr2str(info.dtp_attr, text, sizeof(text)),
		       info.dtp_argc);
		for (int i = 0; i < info.dtp_argc; i++) {
			dtrace_type_name(h, &info.dtp_argv[i], text, sizeof(text));
			printf(" %s", text);
		}
		printf("\n");
	} else {
		printf("info: %s\n", dtrace_errmsg(h, dtrace_errno(h)));
	}
	dtrace_close(h);
}

static void names(char **argv)
{
	dtrace_hdl_t *h = open_handle();
	dtrace_syminfo_t sip;
	dtrace_typeinfo_t t;
	GElf_Sym sym;
	char text[200];
	int n;

	if (dtrace_lookup_by_name(h, DTRACE_OBJ_EVERY, argv[0], &sym, &sip) != 0)
		fail(h, "symbol");
	printf("%s %s %llx\n", sip.dts_object, sip.dts_name, (unsigned long long)sym.st_value);
	n = dtrace_addr2str(h, sym.st_value + 1, text, sizeof(text));
	printf("%s %d\n", text, n == (int)strlen(text));
	dtrace_addr2str(h, sym.st_value + 1, text, 8);
	printf("%s\n", text);
	if (dtrace_lookup_by_addr(h, sym.st_value, NULL, &sip) == 0)
		printf("%s\n", sip.dts_name);
	dtrace_uaddr2str(h, getpid(), (uint64_t)(uintptr_t)names, text, sizeof(text));
	printf("%s\n", strchr(text, '`') ? "of the program" : text);
	if (dtrace_lookup_by_type(h, DTRACE_OBJ_EVERY, argv[1], &t) != 0)
		fail(h, "type");
	dtrace_type_name(h, &t, text, sizeof(text));
	printf("%s: %zd bytes\n", text, dtrace_type_size(h, &t));
	if (dtrace_symbol_type(h, NULL, &sip, &t) != 0)
		fail(h, "type of the symbol");
	dtrace_type_name(h, &t, text, sizeof(text));
	printf("%s: %s\n", t.dtt_object, text);
	if (dtrace_lookup_by_type(h, DTRACE_OBJ_EVERY, "struct nonsense", &t) != 0)
		printf("%s\n", dtrace_errmsg(h, dtrace_errno(h)));
	dtrace_close(h);
}

static void tell_type(dtrace_hdl_t *h, const char *what, int r, const dtrace_typeinfo_t *t)
{
	char text[200];

	if (r == 0)
		dtrace_type_name(h, t, text, sizeof(text));
	if (r == 0)
		printf("%s: %s, %zd bytes\n", what, text, dtrace_type_size(h, t));
	else
		printf("%s: %s\n", what, dtrace_errmsg(h, dtrace_errno(h)));
}

/* Prints the types that the arguments name, the first one from a file as well. */
static void types(char **argv)
{
	dtrace_hdl_t *h = open_handle();
	FILE *f = tmpfile();
	dtrace_typeinfo_t t;

	fputs(argv[0], f);
	rewind(f);
	tell_type(h, "file", dtrace_type_fcompile(h, f, &t), &t);
	fclose(f);
	f = fopen("/", "r");
	tell_type(h, "folder", dtrace_type_fcompile(h, f, &t), &t);
	fclose(f);
	for (; *argv; argv++)
		tell_type(h, *argv, dtrace_type_strcompile(h, *argv, &t), &t);
	dtrace_close(h);
}

static int tell_object(dtrace_hdl_t *h, const dtrace_objinfo_t *o, void *arg)
{
	dtrace_objinfo_t same;

	if (dtrace_object_info(h, o->dto_name, &same) != 0 || memcmp(o, &same, sizeof(same)) != 0)
		printf("another by its name\n");
	printf("%s %#llx %s\n", o->dto_name, (unsigned long long)o->dto_text_va, o->dto_file);
	return *(int *)arg;
}

/* Prints all objects, or until the callback returns ANSWER; then objects that do not exist. */
static void objects(char **argv)
{
	dtrace_hdl_t *h = open_handle();
	dtrace_objinfo_t o;

	answer = atoi(argv[0]);
	printf("returned %d\n", dtrace_object_iter(h, tell_object, &answer));
	if (dtrace_object_iter(h, NULL, NULL) != 0)
		printf("none: %s\n", dtrace_errmsg(h, dtrace_errno(h)));
	if (dtrace_object_info(h, DTRACE_OBJ_EVERY, &o) != 0)
		printf("every: %s\n", dtrace_errmsg(h, dtrace_errno(h)));
	if (dtrace_object_info(h, "nonsense", &o) != 0)
		printf("nonsense: %s\n", dtrace_errmsg(h, dtrace_errno(h)));
	if (dtrace_object_info(h, "vmlinux", &o) == 0)
		printf("to %#llx flags %d\n", (unsigned long long)(o.dto_text_va + o.dto_text_size),
		       o.dto_flags);
	dtrace_close(h);
}

static void info(char **argv)
{
	char *args[] = {"name", "42", "text", NULL};
	dtrace_hdl_t *h = open_handle();
	dtrace_prog_t *p =
	    dtrace_program_strcompile(h, argv[0], DTRACE_PROBESPEC_NAME, DTRACE_C_ZDEFS, 3, args);
	dtrace_proginfo_t i;
	char text[100];

	if (!p)
		fail(h, "compile");
	dtrace_program_info(h, p, &i);
	printf("%u probes %u aggregate %u record %u speculate %s\n", i.dpi_matches,
	       i.dpi_aggregates, i.dpi_recgens, i.dpi_speculations,
	       dtrace_attr2str(i.dpi_descattr, text, sizeof(text)));
	dtrace_close(h);
}

/* Each program has its own operands, and $target, whatever the handle was used for before. */
static void operands(char **argv)
{
	char *args[] = {"name", "42", "43", NULL};
	dtrace_hdl_t *h = open_handle();
	dtrace_typeinfo_t t;

	dtrace_lookup_by_type(h, DTRACE_OBJ_EVERY, "int", &t);
	if (!dtrace_proc_create(h, argv[0], argv))
		fail(h, "create");
	set(h, "quiet", NULL);
	for (int n = 2; n <= 3; n++) {
		char text[100];
		dtrace_prog_t *p;

		snprintf(text, sizeof(text), "BEGIN { printf(\"%%d %%d\\n\", $%d, $target != 0); }",
			 n - 1);
		p = dtrace_program_strcompile(h, text, DTRACE_PROBESPEC_NAME, 0, n, args);
		if (!p || dtrace_program_exec(h, p, NULL) != 0)
			fail(h, "compile");
	}
	enable(h, "BEGIN { exit(0); }");
	go(h);
	work(h, stdout, NULL, this_one, NULL);
	dtrace_close(h);
}

/* Compiles a script from a file, but enables only another program. */
static void script(char **argv)
{
	FILE *f = fopen(argv[0], "r");
	dtrace_hdl_t *h = open_handle();
	dtrace_prog_t *p = f ? dtrace_program_fcompile(h, f, 0, 0, NULL) : NULL;

	if (!p)
		fail(h, "compile");
	set(h, "quiet", NULL);
	enable(h, "BEGIN { printf(\"only this\\n\"); exit(0); }");
	go(h);
	work(h, stdout, NULL, this_one, NULL);
	fclose(f);
	dtrace_close(h);
}

/* ---- several handles, processes, stopping ---- */

static int add_up(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec, void *arg)
{
	if (rec && rec->dtrd_action == DTRACEACT_DIFEXPR)
		*(long long *)arg += *(int32_t *)data->dtpda_data;
	return DTRACE_CONSUME_NEXT;
}

static void two(char **argv)
{
	long long sum[2] = {0, 0};
	dtrace_hdl_t *h[2];
	char text[200];

	for (int i = 0; i < 2; i++) {
		h[i] = open_handle();
		snprintf(
		    text, sizeof(text),
		    "syscall::getpriority:entry /pid == %d && arg1 == %d/ { trace((int)arg1); }",
		    getpid(), i + 1);
		enable(h[i], text);
	}
	for (int i = 0; i < 2; i++)
		go(h[i]);
	for (int i = 0; i < 100; i++)
		for (int k = 1; k <= 3; k++)
			syscall(SYS_getpriority, PRIO_PROCESS, k);
	for (int i = 0; i < 2; i++) {
		dtrace_stop(h[i]);
		if (dtrace_work(h[i], stdout, NULL, add_up, &sum[i]) != DTRACE_WORKSTATUS_DONE)
			fail(h[i], "work");
		dtrace_close(h[i]);
	}
	printf("%lld %lld\n", sum[0], sum[1]);
}

struct job {
	int number;
	long long sum;
	pthread_t thread;
};

/* A thread that opens handles one after the other, while other threads do the same. */
static void *trace_alone(void *arg)
{
	struct job *j = arg;
	char text[300];

	snprintf(text, sizeof(text),
		 "syscall::getpriority:entry /pid == %d && arg1 == %d/ { trace((int)arg1); "
		 "@[stack()] = count(); }",
		 getpid(), j->number);
	for (int round = 0; round < 3; round++) {
		dtrace_hdl_t *h = open_handle();

		enable(h, text);
		go(h);
		for (int i = 0; i < 50; i++)
			syscall(SYS_getpriority, PRIO_PROCESS, j->number);
		dtrace_stop(h);
		if (dtrace_work(h, stdout, NULL, add_up, &j->sum) != DTRACE_WORKSTATUS_DONE)
			fail(h, "work");
		dtrace_close(h);
	}
	return NULL;
}

static void threads(char **argv)
{
	struct job jobs[4];

	for (int i = 0; i < 4; i++) {
		jobs[i] = (struct job){.number = i + 1};
		pthread_create(&jobs[i].thread, NULL, trace_alone, &jobs[i]);
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(jobs[i].thread, NULL);
		printf("%lld ", jobs[i].sum);
	}
	printf("\n");
}

static int is_over;

static void tell_end(struct ps_prochandle *P, const char *msg, void *arg)
{
	printf("%s %s\n", *(struct ps_prochandle **)arg == P ? "ours:" : "?", msg);
	is_over = 1;
}

static void process(char **argv)
{
	dtrace_hdl_t *h = open_handle();
	struct ps_prochandle *P = dtrace_proc_create(h, argv[1], argv + 1);

	if (!P)
		fail(h, "create");
	set(h, "quiet", NULL);
	dtrace_handle_proc(h, tell_end, &P);
	enable(h, argv[0]);
	go(h);
	while (!is_over) {
		dtrace_sleep(h);
		if (dtrace_work(h, stdout, NULL, this_one, NULL) != DTRACE_WORKSTATUS_OKAY)
			break;
	}
	dtrace_stop(h);
	dtrace_work(h, stdout, NULL, this_one, NULL);
	printf("status %d\n", dtrace_status(h));
	dtrace_close(h);
}

static const struct {
	const char *name;
	void (*run)(char **argv);
} modes[] = {{"records", records},   {"buffered", buffered}, {"aggs", aggregations},
	     {"joined", joined},     {"errors", errors},     {"drops", drops},
	     {"messages", messages}, {"probes", probes},     {"names", names},
	     {"info", info},	     {"script", script},     {"two", two},
	     {"process", process},   {"threads", threads},   {"objects", objects},
	     {"formats", formats},   {"types", types},	     {"operands", operands}};

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
