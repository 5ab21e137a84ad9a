/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * priv.h: a handle of the library, which is a session and what the program that uses it has said.
 *
 * The session's messages become the text of the handle's error, and its records are told to the
 * consumer's functions; nothing is printed that was not asked for.
 */
#ifndef LIB_PRIV_H
#define LIB_PRIV_H

#include "dtrace.h"
#include <stdbool.h>

#include "base/buf.h"
#include "base/vec.h"
#include "lib/command.h"
#include "plan/plan.h"
#include "run/session.h"

struct agg_rec;
struct agg_state;
struct fmt;

/* A compiled program, which is enabled by dtrace_program_exec(). */
struct dtrace_prog {
	struct compile_prog *prog;
	bool is_enabled;
	dtrace_stmtdesc_t *stmts; /* in the arena, when they are asked for */
	unsigned int nstmts;
};

/* A process: what programs call struct ps_prochandle. */
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
	struct session *s;
	pid_t owner; /* who has opened it */
	int err;
	struct buf text;  /* what the session has reported since the call began; or of the error */
	struct buf names; /* what the last look-up returned */
	char *name_copies[2];
	bool is_compiling; /* the compiler is open */
	bool prints;	   /* it is the command's */
	bool is_loaded;	   /* all is attached */
	bool is_active;	   /* dtrace_go() has succeeded */
	bool is_stopped;   /* no probe fires any more, and END has */
	bool is_done;	   /* all is consumed */
	bool is_consuming; /* a function of the program is being called, or may be */
	bool has_ended;	   /* all processes have */
	bool wants_stop;   /* one of them has called dtrace_stop() */
	int abort;	   /* EDT_* that one of them ended consuming with, else 0 */
	uint64_t snapped;  /* the aggregations, last */

	VEC(struct dtrace_prog *) progs;
	VEC(struct ps_prochandle *) procs;
	VEC(const struct fmt *) formats; /* of records: dtrd_format is the place from 1 on */

	/* While consuming. */
	FILE *fp;
	struct buf out; /* without a file: text that is not handed over yet */
	FILE *doc;	/* with option oformat: the document, in doc_text until it is handed over */
	char *doc_text;
	size_t doc_size;
	const dtrace_recdesc_t *rec; /* of the action that is being done */
	dtrace_consume_probe_f *probe_func;
	dtrace_consume_rec_f *rec_func;
	void *arg;
	VEC(struct lib_desc *) descs; /* by rec_desc.index */
	dtrace_probedata_t data;
	dtrace_probedesc_t probe;
	char *record; /* in the layout that is told */
	size_t record_size;

	dtrace_handle_err_f *err_func;
	dtrace_handle_drop_f *drop_func;
	dtrace_handle_proc_f *proc_func;
	dtrace_handle_setopt_f *setopt_func;
	dtrace_handle_buffered_f *buffered_func;
	void *err_arg, *drop_arg, *proc_arg, *setopt_arg, *buffered_arg;
};

/* handle.c: a call that may fail begins; it fails with this error: -1. */
void lib_enter(dtrace_hdl_t *h);
int lib_fail(dtrace_hdl_t *h, int err);
/* The same with a text of its own. */
int lib_fail_text(dtrace_hdl_t *h, int err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
const char *lib_setopt(void *ctx, const char *name, const char *value);

/* program.c: types and probes are asked about; false: the text says why not. */
bool lib_open_compiler(dtrace_hdl_t *h);

/* All of a file, appended; false: it cannot be read. */
bool lib_read(FILE *fp, struct buf *b);

/* record.c: the layout of a record, made once; a record in it, at h->record. */
struct lib_desc *lib_desc(dtrace_hdl_t *h, const struct rec_desc *d);
void lib_copy_record(dtrace_hdl_t *h, const struct lib_desc *ld, const struct rec_desc *d,
		     const struct abi_rec *r);
dtrace_actkind_t lib_action(const struct rec_act *act, const struct item *it);
uint32_t lib_align(uint32_t off, uint32_t to);

/* formats.c: the number of a format in records; 0: there is none. */
uint16_t lib_format(dtrace_hdl_t *h, const struct fmt *f);

/* consume.c */
extern const struct consume_listener lib_listener;
/*
 * lib_bind() sets the output while functions of the program may be called; NULL: its handler.  The
 * next function ends this, since the file may be closed then, and returns 0 or an errno.
 */
void lib_bind(dtrace_hdl_t *h, FILE *fp);
int lib_unbind(dtrace_hdl_t *h);
void lib_set_probe(dtrace_hdl_t *h, uint32_t id);
/* Hand over text that is there for who handles it; what it is of may be NULL. */
void lib_give(dtrace_hdl_t *h, dtrace_probedata_t *data, const dtrace_recdesc_t *rec,
	      const dtrace_aggdata_t *agg, uint32_t flags);

/* probes.c: fields of a description. */
void lib_put_probe(dtrace_probedesc_t *to, const struct probe *p);
void lib_put_pattern(dtrace_probedesc_t *to, const struct pdesc *d);

/* aggs.c: the rows of one aggregation, in the order of printing, each handed to func. */
void lib_each_row(dtrace_hdl_t *h, struct agg_state *st, dtrace_aggregate_f *func, void *arg);

/* aggprint.c: printa() in pieces; false: it is not for that. */
bool lib_printa(void *ctx, const struct rec_act *act, uint64_t time);

/* Functions of the program get the start of this. */
struct lib_row {
	dtrace_aggdata_t pub;
	const struct agg_rec *rec;
	bool was_printed; /* by printa() */
};

/* names.c: "Stable/Stable/ISA" */
dtrace_attribute_t lib_attr(const char *text);

#endif
