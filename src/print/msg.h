/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * msg.h: texts of messages, drops and run-time errors.  Every function appends a text without
 * "dtrace: " and without a newline to a buffer.  The caller prints the text.
 */
#ifndef PRINT_MSG_H
#define PRINT_MSG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dialect.h"

struct buf;

enum msg_drop {
#define MSG_DROP(kind, has_cpu, singular, plural) MSG_DROP_##kind,
#include "print/msg.def"
	MSG_DROP_MAX
};

/* The values are the fault codes of D. */
enum msg_fault {
#define MSG_FAULT(kind, code, has_addr, text) MSG_FAULT_##kind = (code),
#include "print/msg.def"
};

enum msg_reason {
#define MSG_REASON(kind, text) MSG_REASON_##kind,
#include "print/msg.def"
	MSG_REASON_MAX
};

enum msg_event {
#define MSG_EVENT(kind, text) MSG_EVENT_##kind,
#include "print/msg.def"
	MSG_EVENT_MAX
};

/* Appends a message of the list, with its arguments in order; NULL for missing arguments. */
void msg_event(struct buf *b, enum msg_event ev, const char *arg1, const char *arg2);

const char *msg_reason(enum msg_reason r);

/* Appends the loss of n things.  Only some kinds use cpu.  tagged: with the tag in brackets. */
void msg_drop(struct buf *b, enum msg_drop kind, uint64_t n, int cpu, bool tagged);

/* Data of OUT_OBJECT_DROP. */
struct msg_loss {
	enum msg_drop kind;
	uint64_t n, total; /* since the last report, since the start */
	const char *text;
};

/* "DTRACEDROP_PRINCIPAL" */
const char *msg_drop_tag(enum msg_drop kind);

/* Text of a fault code, and its D name "DTRACEFLT_BADADDR"; unknown codes are fault 0. */
const char *msg_fault_text(unsigned int code);
const char *msg_fault_name(unsigned int code);

/* A run-time error. */
struct msg_error {
	uint32_t epid, id; /* enabled probe, probe */
	const char *prov, *mod, *func, *name;
	unsigned int fault;  /* code */
	uint64_t addr;	     /* the fault's value */
	unsigned int action; /* from 1; 0: the predicate */
	enum dialect dialect;
	unsigned int clause; /* number in the program */
	int64_t offset;	     /* in the program; -1: not known */
	const char *text;    /* of an error found by the consumer; replaces the text of the fault */
};

void msg_error(struct buf *b, const struct msg_error *e);

/* "description 'TEXT' matched 3 probes"; only the part of TEXT before the clause is used. */
void msg_matched(struct buf *b, bool is_script, const char *text, unsigned int nprobes);

/* The end of a traced process.  The status is unknown if dtrace did not create the process. */
struct msg_end {
	int pid, status; /* or the signal */
	bool has_status, is_killed;
};
void msg_end(struct buf *b, const struct msg_end *m);
void msg_exec(struct buf *b, int pid);

/* Facts about a run.  Data of OUT_OBJECT_RUN. */
struct msg_run {
	const char *program;	   /* on one line, or the name of the script */
	const char *command;	   /* of option -c, or NULL */
	const char *host, *kernel; /* name and release of the machine that runs dtrace */
	uint64_t start;		   /* ns since 1970 */
	uint64_t duration;	   /* ns; 0: tracing has not ended */
};

/* "buffer size lowered to 512k"; what: "buffer", "aggregation", ... */
void msg_size(struct buf *b, const char *what, uint64_t bytes);

/* "cleaning rate reduced to 101 hz"; what: "cleaning", "status"; intervals in nanoseconds. */
void msg_rate(struct buf *b, const char *what, uint64_t wanted, uint64_t got);

#endif
