/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command.c: see command.h.
 */
#include <unistd.h>

#include "base/mem.h"
#include "lib/priv.h"

dtrace_hdl_t *lib_open(const char *progname)
{
	dtrace_hdl_t *h = mem_alloc(sizeof(*h));

	h->s = session_new(progname);
	h->owner = getpid();
	h->prints = true;
	return h;
}

struct session *lib_session(dtrace_hdl_t *h)
{
	return h->s;
}

bool lib_compile(dtrace_hdl_t *h)
{
	h->is_compiling = session_compile(h->s);
	return h->is_compiling;
}

bool lib_load(dtrace_hdl_t *h)
{
	struct session *s = h->s;

	h->is_loaded = session_fit_options(s) && compile_units(&s->compile) && session_load(s);
	return h->is_loaded;
}

/* Never called, because the session itself prints for the command. */
int lib_print_probe(const dtrace_probedata_t *data, void *arg)
{
	return DTRACE_CONSUME_THIS;
}

int lib_print_rec(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec, void *arg)
{
	return rec ? DTRACE_CONSUME_THIS : DTRACE_CONSUME_NEXT;
}

bool lib_processes_ended(const dtrace_hdl_t *h)
{
	return h->has_ended;
}
