/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * work.c: tracing in rounds, from enabled programs to records.
 *
 * BEGIN runs in dtrace_go(), and its records wait for the first round.  When probes are stopped,
 * the ring is emptied and the records are kept, so that END has room.  The next round passes on all
 * of them.
 */
#include <string.h>

#include "base/clocks.h"
#include "lib/priv.h"
#include "print/msg.h"
#include "consume/aggs.h"

int dtrace_go(dtrace_hdl_t *h)
{
	LIB_ENTER(h, -1);
	struct session *s = h->s;

	lib_enter(h);
	if (h->is_active)
		return lib_fail(h, EDT_ACTIVE);
	if (!lib_open_compiler(h) || !session_attach(s))
		return lib_fail(h, EDT_ENABLING);
	buf_reset(&h->text); /* drop messages about lowered sizes */
	h->is_active = true;
	if (s->opts.is_set[OPT_oformat]) {
		h->doc = open_memstream(&h->doc_text, &h->doc_size);
		s->consume.file = h->doc;
	}
	session_begin(s);
	session_start(s);
	h->snapped = clock_ns();
	return 0;
}

/* Stops all probes and runs END.  Its records are kept for the next round. */
static void stop(dtrace_hdl_t *h)
{
	struct session *s = h->s;

	h->is_stopped = true;
	session_halt(s);
	s->consume.keeps = true;
	session_end(s);
	s->consume.keeps = false;
	aggs_snap(&s->consume);
}

int dtrace_stop(dtrace_hdl_t *h)
{
	LIB_ENTER(h, -1);
	lib_enter(h);
	if (!h->is_active)
		return lib_fail(h, EDT_NOTACTIVE);
	if (h->is_stopped)
		return 0;
	if (h->is_consuming) {
		/* The ring is being read, so END waits until that is over. */
		session_halt(h->s);
		h->wants_stop = true;
	} else {
		stop(h);
	}
	return 0;
}

void dtrace_sleep(dtrace_hdl_t *h)
{
	LIB_ENTER(h, );
	if (h->is_active && !h->is_stopped && !session_is_stopped(h->s))
		session_wait(h->s);
}

static int status(dtrace_hdl_t *h)
{
	struct session *s = h->s;

	if (!h->is_active)
		return DTRACE_STATUS_NONE;
	if (s->consume.wants_exit)
		return DTRACE_STATUS_EXITED;
	if (h->is_stopped || h->wants_stop)
		return DTRACE_STATUS_STOPPED;
	if (!session_is_stopped(s))
		return DTRACE_STATUS_OKAY;
	return s->plan.opt.policy == PLAN_FILL ? DTRACE_STATUS_FILLED : DTRACE_STATUS_EXITED;
}

/* Ends a call that called functions of the program.  Returns 0 or -1. */
static int end_consuming(dtrace_hdl_t *h)
{
	int err = lib_unbind(h);

	h->is_consuming = false;
	if (h->abort)
		return lib_fail(h, h->abort);
	return err ? lib_fail_text(h, EDT_WRITE, "%s", strerror(err)) : 0;
}

static void begin_consuming(dtrace_hdl_t *h)
{
	h->is_consuming = true;
	h->abort = 0;
}

int dtrace_status(dtrace_hdl_t *h)
{
	LIB_ENTER(h, -1);
	lib_enter(h);
	if (h->is_active && !h->is_done && !h->is_consuming) {
		begin_consuming(h);
		consume_drops(&h->s->consume);
		if (end_consuming(h) < 0)
			return -1;
	}
	return status(h);
}

/* Stops, and consumes the rest. */
static void finish(dtrace_hdl_t *h)
{
	struct consume *co = &h->s->consume;

	if (!h->is_stopped) {
		h->is_stopped = true;
		session_halt(h->s);
		session_end(h->s);
		aggs_snap(co);
	}
	keep_replay(co);
	consume_held(co, NULL);
	consume_drops(co);
	proc_reap(h->s);
	out_finish(co->out);
	h->is_done = true;
}

static void snap_if_due(dtrace_hdl_t *h)
{
	uint64_t now = clock_ns();

	if (now - h->snapped < h->s->opts.num[OPT_aggrate])
		return;
	aggs_snap(&h->s->consume);
	h->snapped = now;
}

/* Returns false, with the error, if nothing can be consumed now. */
static bool may_consume(dtrace_hdl_t *h, FILE *fp, dtrace_consume_probe_f *pf,
			dtrace_consume_rec_f *rf, void *arg)
{
	lib_enter(h);
	if (!h->is_active || h->is_consuming) {
		lib_fail(h, h->is_active ? EDT_ACTIVE : EDT_NOTACTIVE);
		return false;
	}
	if (h->doc && !fp && !h->buffered_func) {
		lib_fail(h, EDT_NOBUFFERED);
		return false;
	}
	lib_bind(h, fp);
	h->probe_func = pf;
	h->rec_func = rf;
	h->arg = arg;
	return true;
}

dtrace_workstatus_t dtrace_work(dtrace_hdl_t *h, FILE *fp, dtrace_consume_probe_f *pf,
				dtrace_consume_rec_f *rf, void *arg)
{
	LIB_ENTER(h, DTRACE_WORKSTATUS_ERROR);
	bool goes_on = false;

	if (!may_consume(h, fp, pf, rf, arg))
		return DTRACE_WORKSTATUS_ERROR;
	if (h->is_done)
		return DTRACE_WORKSTATUS_DONE;
	begin_consuming(h);
	if (!h->is_stopped) {
		goes_on = session_round(h->s) && !h->wants_stop && !h->s->consume.wants_exit;
		proc_reap(h->s);
	}
	if (!goes_on && !h->abort && !h->s->out.error)
		finish(h);
	else if (!h->abort)
		snap_if_due(h);
	if (end_consuming(h) < 0)
		return DTRACE_WORKSTATUS_ERROR;
	return h->is_done ? DTRACE_WORKSTATUS_DONE : DTRACE_WORKSTATUS_OKAY;
}

int dtrace_consume(dtrace_hdl_t *h, FILE *fp, dtrace_consume_probe_f *pf, dtrace_consume_rec_f *rf,
		   void *arg)
{
	LIB_ENTER(h, -1);
	if (!may_consume(h, fp, pf, rf, arg))
		return -1;
	begin_consuming(h);
	if (h->is_stopped)
		keep_replay(&h->s->consume);
	else
		session_drain(h->s);
	return end_consuming(h);
}
