/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * priv.h: a handle of the library: a session, and the settings of the program that uses it.
 *
 * Messages of the session become the text of the handle's error, and its records go to the
 * functions of the program.  Nothing is printed unless the program asks for it.
 */
#ifndef LIB_PRIV_H
#define LIB_PRIV_H

#include "dtrace.h"
#include <setjmp.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "plan/plan.h"
#include "session/session.h"

struct agg_rec;
struct agg_state;
struct fmt;

/* A compiled program.  dtrace_program_exec() enables it. */
struct dtrace_prog {
	struct compile_prog *prog;
	bool is_enabled;
	dtrace_stmtdesc_t *stmts; /* in the arena, made on demand */
	unsigned int nstmts;
};

/* A process, which programs see as struct ps_prochandle. */
struct ps_prochandle {
	pid_t pid;
};

/* Description of a record for programs: dtepd_rec[i] is item `item` of action `act`; -1: no data.
 */
struct lib_desc {
	dtrace_eprobedesc_t *pub;
	struct {
		unsigned int act;
		int item;
	} * of;
};

struct dtrace_hdl {
	dtrace_hdl_t *next_open; /* in the list of lib_is_open() */
	struct session *s;
	pid_t owner; /* the process that opened it */
	int err;
	struct buf text;  /* messages since the call began, or the text of the error */
	struct buf names; /* of the last look-up */
	char *name_copies[2];
	bool is_compiling; /* compile_open() succeeded */
	bool is_active;	   /* dtrace_go() has succeeded */
	bool is_stopped;   /* no probe fires any more; END has fired */
	bool is_done;	   /* everything is consumed */
	bool is_broken;	   /* memory was exhausted: its state is incomplete */
	bool is_consuming; /* functions of the program can be called */
	bool wants_stop;   /* a function of the program has called dtrace_stop() */
	int abort;	   /* EDT_* if a function of the program ended consuming, else 0 */
	uint64_t snapped;  /* time of the last snapshot of aggregations */

	VEC(struct dtrace_prog *) progs;
	VEC(struct ps_prochandle *) procs;
	VEC(const struct fmt *) formats; /* of records: dtrd_format is the index, from 1 */

	/* During consuming. */
	FILE *fp;
	struct buf out; /* without a file: text that the handler has not got yet */
	FILE *doc;	/* with option oformat: the document; doc_text is the part not yet given */
	char *doc_text;
	size_t doc_size;
	const dtrace_recdesc_t *rec; /* of the current action */
	dtrace_consume_probe_f *probe_func;
	dtrace_consume_rec_f *rec_func;
	void *arg;
	VEC(struct lib_desc *) descs; /* by rec_desc.index */
	dtrace_probedata_t data;
	dtrace_probedesc_t probe;
	char *record; /* in the public layout */
	size_t record_size;

	dtrace_handle_err_f *err_func;
	dtrace_handle_drop_f *drop_func;
	dtrace_handle_proc_f *proc_func;
	dtrace_handle_setopt_f *setopt_func;
	dtrace_handle_buffered_f *buffered_func;
	void *err_arg, *drop_arg, *proc_arg, *setopt_arg, *buffered_arg;
};

/*
 * A public function that allocates memory begins with LIB_ENTER, so that no variable has a value
 * before it.  If memory is
 * exhausted, the function returns `failed`, now and in all later calls, with error EDT_NOMEM.
 */
struct lib_call {
	jmp_buf env;
	jmp_buf *before;
};

#define LIB_CALL                                                  \
	struct lib_call call __attribute__((cleanup(lib_leave))); \
	call.before = mem_escape(&call.env)

#define LIB_ENTER(h, failed)                           \
	LIB_CALL;                                      \
	if ((h)->is_broken || setjmp(call.env) != 0) { \
		lib_break(h);                          \
		return failed;                         \
	}

/* Returns true if dtrace_open() has returned h, and dtrace_close() has not freed it. */
bool lib_is_open(const dtrace_hdl_t *h);

void lib_leave(struct lib_call *call);
void lib_break(dtrace_hdl_t *h);

/* handle.c: lib_enter() starts a call that may fail; lib_fail() sets the error and returns -1. */
void lib_enter(dtrace_hdl_t *h);
int lib_fail(dtrace_hdl_t *h, int err);
/* As lib_fail(), with a text. */
int lib_fail_text(dtrace_hdl_t *h, int err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
const char *lib_setopt(void *ctx, const char *name, const char *value);

/* program.c: prepares questions about types and probes.  Returns false; the text has the reason. */
bool lib_open_compiler(dtrace_hdl_t *h);

/* Appends a whole file.  Returns false if it cannot be read. */
bool lib_read(FILE *fp, struct buf *b);

/* record.c: returns the layout of a record, made once; copies a record to h->record in this
 * layout. */
struct lib_desc *lib_desc(dtrace_hdl_t *h, const struct rec_desc *d);
void lib_copy_record(dtrace_hdl_t *h, const struct lib_desc *ld, const struct rec_desc *d,
		     const struct abi_rec *r);
dtrace_actkind_t lib_action(const struct rec_act *act, const struct item *it);
uint32_t lib_align(uint32_t off, uint32_t to);

/* formats.c: returns the number of a format in records; 0: no format. */
uint16_t lib_format(dtrace_hdl_t *h, const struct fmt *f);

/* consume.c */
extern const struct consume_listener lib_listener;
/*
 * lib_bind() sets the output while functions of the program may be called; NULL: the handler of
 * buffered output.  lib_unbind() ends this, because the program may close the file then; returns 0
 * or an errno.
 */
void lib_bind(dtrace_hdl_t *h, FILE *fp);
int lib_unbind(dtrace_hdl_t *h);
void lib_set_probe(dtrace_hdl_t *h, uint32_t id);
/* Gives the text to the handler of buffered output.  data, rec and agg may be NULL. */
void lib_give(dtrace_hdl_t *h, dtrace_probedata_t *data, const dtrace_recdesc_t *rec,
	      const dtrace_aggdata_t *agg, uint32_t flags);

/* probes.c: fill in the fields of a description. */
void lib_put_probe(dtrace_probedesc_t *to, const struct probe *p);
void lib_put_pattern(dtrace_probedesc_t *to, const struct pdesc *d);

/* aggs.c: calls func with each row of an aggregation, in the order of printing. */
void lib_each_row(dtrace_hdl_t *h, struct agg_state *st, dtrace_aggregate_f *func, void *arg);

/* aggprint.c: prints printa() in pieces.  Returns false if the session must print it. */
bool lib_printa(void *ctx, const struct rec_act *act, uint64_t time);

/* Functions of the program get pub. */
struct lib_row {
	dtrace_aggdata_t pub;
	const struct agg_rec *rec;
	bool was_printed; /* by printa() */
};

/* names.c: parses "Stable/Stable/ISA". */
dtrace_attribute_t lib_attr(const char *text);

#endif
