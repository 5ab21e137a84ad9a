/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nomem-user.c: uses the functions of libdtrace one after the other, and prints the first that
 * fails, with its error.  It prints "done" if none fails, and always "closed" at the end.
 */
#include <dtrace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int step(dtrace_hdl_t *h, const char *name, int failed)
{
	if (failed)
		printf("%s: %s%s\n", name, dtrace_errmsg(h, dtrace_errno(h)),
		       dtrace_errno(h) == EDT_NOMEM ? " (EDT_NOMEM)" : "");
	return failed;
}

static int see_agg(const dtrace_aggdata_t *a, void *arg)
{
	return DTRACE_AGGWALK_NEXT;
}

static int use(dtrace_hdl_t *h, FILE *null)
{
	static char program[] = "syscall::getppid:entry /pid == $target/ { @[execname, ustack()] = "
				"quantize(arg0); self->t = timestamp; trace(probefunc); "
				"printf(\"%s %d\\n\", execname, x++); } "
				"syscall::getppid:return /self->t/ { a[pid] = timestamp; }";
	char *argv[] = {"sh", "-c", "for i in 1 2 3; do :; done", NULL};
	struct ps_prochandle *proc;
	dtrace_proginfo_t info;
	dtrace_prog_t *prog;
	char text[64];

	if (step(h, "setopt", dtrace_setopt(h, "bufsize", "64k") != 0) ||
	    step(h, "proc", (proc = dtrace_proc_create(h, "/bin/sh", argv)) == NULL) ||
	    step(h, "compile",
		 (prog = dtrace_program_strcompile(h, program, DTRACE_PROBESPEC_NAME, 0, 0,
						   NULL)) == NULL) ||
	    step(h, "exec", dtrace_program_exec(h, prog, &info) != 0) ||
	    step(h, "go", dtrace_go(h) != 0))
		return 0;
	dtrace_proc_continue(h, proc);
	for (int i = 0; i < 3; i++) {
		dtrace_sleep(h);
		if (step(h, "work",
			 dtrace_work(h, null, NULL, NULL, NULL) == DTRACE_WORKSTATUS_ERROR))
			return 0;
	}
	if (step(h, "snap", dtrace_aggregate_snap(h) != 0) ||
	    step(h, "walk", dtrace_aggregate_walk(h, see_agg, NULL) != 0) ||
	    step(h, "print", dtrace_aggregate_print(h, null, NULL) != 0) ||
	    step(h, "stop", dtrace_stop(h) != 0) ||
	    step(h, "work", dtrace_work(h, null, NULL, NULL, NULL) == DTRACE_WORKSTATUS_ERROR))
		return 0;
	dtrace_addr2str(h, 0xffffffff81000000ULL, text, sizeof(text));
	return !step(h, "addr2str", dtrace_errno(h) == EDT_NOMEM);
}

int main(int argc, char **argv)
{
	FILE *null = fopen("/dev/null", "w");
	int err = 0;
	dtrace_hdl_t *h = dtrace_open(DTRACE_VERSION, 0, &err);

	if (!h)
		printf("open: %s%s\n", dtrace_errmsg(NULL, err),
		       err == EDT_NOMEM ? " (EDT_NOMEM)" : "");
	else if (use(h, null))
		printf("done\n");
	/* A handle that has failed continues to fail, and can be closed. */
	if (h && dtrace_errno(h) == EDT_NOMEM && dtrace_setopt(h, "bufsize", "64k") != -1)
		printf("works again\n");
	dtrace_close(h);
	printf("closed\n");
	return 0;
}
