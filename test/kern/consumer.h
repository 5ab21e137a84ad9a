/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * consumer.h: the first steps of every program for libdtrace, for test programs.  dtrace.h is the
 * only included file of this project.
 */
#ifndef TEST_CONSUMER_H
#define TEST_CONSUMER_H

#include <dtrace.h>
#include <stdlib.h>

static inline void fail(dtrace_hdl_t *h, const char *what)
{
	printf("failed: %s: %s\n", what, dtrace_errmsg(h, dtrace_errno(h)));
	exit(1);
}

static inline dtrace_hdl_t *open_handle(void)
{
	int err;
	dtrace_hdl_t *h = dtrace_open(DTRACE_VERSION, 0, &err);

	if (!h) {
		printf("failed: open: %s\n", dtrace_errmsg(NULL, err));
		exit(1);
	}
	return h;
}

static inline void set(dtrace_hdl_t *h, const char *name, const char *value)
{
	if (dtrace_setopt(h, name, value) != 0)
		fail(h, name);
}

static inline void enable(dtrace_hdl_t *h, const char *text)
{
	dtrace_proginfo_t info;
	dtrace_prog_t *p = dtrace_program_strcompile(h, text, DTRACE_PROBESPEC_NAME, 0, 0, NULL);

	if (!p)
		fail(h, "compile");
	if (dtrace_program_exec(h, p, &info) != 0)
		fail(h, "exec");
}

static inline void go(dtrace_hdl_t *h)
{
	if (dtrace_go(h) != 0)
		fail(h, "go");
}

/* Works until exit(). */
static inline void work(dtrace_hdl_t *h, FILE *fp, dtrace_consume_probe_f *pf,
			dtrace_consume_rec_f *rf, void *arg)
{
	dtrace_workstatus_t st;

	do {
		dtrace_sleep(h);
		st = dtrace_work(h, fp, pf, rf, arg);
	} while (st == DTRACE_WORKSTATUS_OKAY);
	if (st == DTRACE_WORKSTATUS_ERROR)
		fail(h, "work");
}

static inline int this_one(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec, void *arg)
{
	return rec ? DTRACE_CONSUME_THIS : DTRACE_CONSUME_NEXT;
}

#endif
