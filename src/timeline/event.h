/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event.h: events over time, and the formats that write them.  A format is a file with one table of
 * functions.  It gets each event once, almost in order of time, and writes it at once, so memory
 * does not grow with the trace.
 *
 * Slices of a thread nest.  A slice or span ends with the last event of its thread or number.
 */
#ifndef TIMELINE_EVENT_H
#define TIMELINE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"

/* A thread, or the idle loop of a CPU (tid 0).  A format gets it again if its name changes. */
struct timeline_thread {
	uint64_t number; /* from 1 */
	uint32_t vmid, pid, tid;
	int cpu;	     /* of an idle loop, else -1 */
	const char *machine; /* NULL: the host */
	char name[17];
};

enum timeline_kind {
	TIMELINE_BEGIN, /* of a slice of the thread, or of a span if `span` is not 0 */
	TIMELINE_END,
	TIMELINE_INSTANT,
	TIMELINE_SAMPLE,  /* an instant that is nothing but a stack */
	TIMELINE_COUNTER, /* value is the new value of the counter `name` */
};

enum timeline_flow {
	TIMELINE_NO_FLOW,
	TIMELINE_FLOW_BEGINS,
	TIMELINE_FLOW_GOES_ON,
	TIMELINE_FLOW_ENDS
};

enum timeline_type { TIMELINE_INT, TIMELINE_UINT, TIMELINE_TEXT };

/* Datum of an event.  The text may be any bytes. */
struct timeline_arg {
	enum timeline_type type;
	const char *name;
	uint64_t num; /* both kinds of integers */
	const char *text;
	size_t n;
};

struct timeline_event {
	enum timeline_kind kind;
	uint64_t time;			      /* CLOCK_MONOTONIC, ns */
	int cpu;			      /* -1: none */
	const struct timeline_thread *thread; /* NULL: none */
	const char *category, *name;
	bool is_named; /* the program has chosen the name: any text, and any number of them */
	uint64_t span; /* number of a span, from 1; 0: none */
	enum timeline_flow flow;
	uint64_t flow_id;
	uint64_t counter; /* number of the counter, from 1 */
	int64_t value;
	const struct timeline_arg *args;
	unsigned int nargs;
	const char *const *stack; /* names of functions, the innermost first */
	unsigned int nstack;
	const char *traceparent; /* of a slice or span that begins: its parent (W3C); or NULL */
};

/* Output of a format.  The structure of a format starts with it. */
struct timeline_out {
	const struct timeline_format *format;
	const char *path;
	int error;	 /* errno of the first failure, or 0 */
	bool has_failed; /* the output has reported a failure itself */
};

struct timeline_format {
	/*
	 * Opens the file or directory.  f: an open file, which is not closed at the end, or NULL.
	 * wall: ns from the clock of events to the time of day; 0: events have the time of day.
	 * Returns NULL and sets errno.
	 */
	struct timeline_out *(*open)(const char *path, FILE *f, int64_t wall);
	void (*thread)(struct timeline_out *out, const struct timeline_thread *t);
	void (*event)(struct timeline_out *out, const struct timeline_event *e);
	void (*flush)(struct timeline_out *out);
	/* The open file is a new one from now on.  NULL: the output names its own files. */
	void (*renew)(struct timeline_out *out);
	void (*close)(struct timeline_out *out); /* completes the output */
	void (*free)(struct timeline_out *out);
};

extern const struct timeline_format timeline_perfetto, timeline_chrome, timeline_ctf;

/* For formats: a file that gets whole events only, so that a killed trace ends with one. */
struct timeline_file {
	FILE *f; /* takes the text of events, in memory */
	char *s; /* the text */
	size_t n;
	FILE *to;
	bool is_own;	  /* `to` is closed at the end */
	const char *tail; /* ends the text if set: a regular file has it after each flush */
	off_t end;	  /* of the file whose last bytes are the tail; 0: they are not */
};

/*
 * f: an open file, or NULL.  Returns false and sets errno.  The structure must not move.
 * timeline_file_end flushes and leaves the tail in the file for good.
 */
bool timeline_file_open(struct timeline_file *t, const char *path, FILE *f);
void timeline_file_event_ends(struct timeline_out *out, struct timeline_file *t);
void timeline_file_flush(struct timeline_out *out, struct timeline_file *t);
void timeline_file_end(struct timeline_out *out, struct timeline_file *t);
void timeline_file_close(struct timeline_file *t);

/* For formats: appends text as UTF-8 without NULs.  Other bytes become U+FFFD. */
void timeline_utf8(struct buf *b, const char *s, size_t n);

#endif
